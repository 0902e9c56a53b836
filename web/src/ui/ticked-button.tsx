import type { ReactNode } from 'react'
import { useT } from '../kernel/i18n/index.ts'
import { uiTexts } from './texts.ts'

interface Props {
  /** How many rows are ticked. */
  readonly count: number
  readonly look?: string
  readonly onClick: () => void
  readonly children: ReactNode
}

/**
 * What is done to the ticked rows of a list. With none it is off and says why; pressed all the same, its page says it once more (S5.13), which is why it
 * keeps the focus instead of being `disabled`.
 */
export const TickedButton = ({ count, look = 'button-danger', onClick, children }: Props) => {
  const t = useT(uiTexts)
  const off = count === 0 ? { 'aria-disabled': true, title: t('table.tickFirst') } : {}
  return (
    <button type="button" className={`button ${look}`} onClick={onClick} {...off}>
      {children}
    </button>
  )
}
