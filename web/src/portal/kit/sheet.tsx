import { type ReactNode, useEffect, useId, useRef } from 'react'
import { useT } from '#web/kernel/i18n/index.ts'
import { portalTexts } from '../texts.ts'
import { CloseIcon } from './page-icons.tsx'

export interface SheetProps {
  readonly title: ReactNode
  readonly onClose: () => void
  readonly children: ReactNode
  readonly foot?: ReactNode
  readonly wide?: boolean
  /** Not closed by a tap beside it, where typed work would be lost. */
  readonly firm?: boolean
}

/**
 * A dialog: slides up on phones, a box on wide screens. The browser's own modal keeps the focus inside, closes on Esc and gives
 * the focus back.
 */
export const Sheet = ({ title, onClose, children, foot, wide, firm }: SheetProps) => {
  const t = useT(portalTexts)
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useEffect(() => {
    const element = dialog.current
    const before = document.activeElement
    if (element !== null && !element.open) element.showModal()
    document.documentElement.style.overflow = 'hidden'
    return () => {
      document.documentElement.style.overflow = ''
      element?.close()
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Esc closes a modal dialog without a listener
    <dialog
      ref={dialog}
      className={wide ? 'p-sheet is-wide' : 'p-sheet'}
      aria-labelledby={titleId}
      onCancel={event => {
        event.preventDefault()
        onClose()
      }}
      onClick={event => {
        if (!firm && event.target === dialog.current) onClose()
      }}
    >
      <div className="p-sheet-head">
        <h2 id={titleId}>{title}</h2>
        <button type="button" className="p-icon-btn" aria-label={t('action.close')} onClick={onClose}>
          <CloseIcon />
        </button>
      </div>
      <div className="p-sheet-body p-stack">{children}</div>
      {foot !== undefined && <div className="p-sheet-foot">{foot}</div>}
    </dialog>
  )
}
