import { useEffect, useRef } from 'react'
import { useT } from '../kernel/i18n/index.ts'
import { MenuFinder } from './menu-finder.tsx'
import { shellTexts } from './texts.ts'

/** S2.40: the panel over the page; Esc and a press beside it close it. */
export const MenuSearch = ({ onClose }: { readonly onClose: () => void }) => {
  const t = useT(shellTexts)
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => void dialog.current?.showModal(), [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Esc is the keyboard's way
    <dialog
      ref={dialog}
      className="menu-search"
      aria-label={t('search.label')}
      onClose={onClose}
      onClick={event => event.target === dialog.current && dialog.current.close()}
    >
      <MenuFinder autoFocus onDone={() => dialog.current?.close()} />
      <p className="menu-search-help">{t('search.help')}</p>
    </dialog>
  )
}
