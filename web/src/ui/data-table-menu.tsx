import { useT } from '../kernel/i18n/index.ts'
import type { RowAction } from './data-table-row.tsx'
import { FloatingPanel, MenuItems } from './menu-button.tsx'
import { uiTexts } from './texts.ts'

/** The actions of a row that have no room in it, under the button that was pressed. */
export const RowMenu = ({
  anchor,
  name,
  actions,
  onClose,
}: {
  readonly anchor: HTMLElement
  readonly name: string
  readonly actions: readonly RowAction[]
  readonly onClose: () => void
}) => {
  const t = useT(uiTexts)
  const close = (back: boolean) => {
    if (back) anchor.focus()
    onClose()
  }
  return (
    <FloatingPanel anchor={anchor} label={t('table.moreOf', { name })} popup="menu" onClose={close}>
      <MenuItems items={actions.map(action => ({ ...action, onChoose: action.onRun }))} close={() => close(true)} />
    </FloatingPanel>
  )
}
