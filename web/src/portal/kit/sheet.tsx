import { type ReactNode, useEffect, useEffectEvent, useId, useRef } from 'react'
import { useT } from '#web/kernel/i18n/index.ts'
import { portalTexts } from '../texts.ts'
import { CloseIcon } from './icons.tsx'

export interface SheetProps {
  readonly title: ReactNode
  readonly onClose: () => void
  readonly children: ReactNode
  readonly foot?: ReactNode
  readonly wide?: boolean
  /** Not closed by a tap beside it, where typed work would be lost. */
  readonly firm?: boolean
}

/** The open sheets, the last one on top: “back” closes one at a time. */
const open: string[] = []
/** The step back that follows a sheet which was closed by itself; it waits for a sheet that opens in its place. */
let leaving: ReturnType<typeof setTimeout> | undefined

/**
 * The back button of a phone closes the sheet and not the page: each sheet has an entry of its own in the history, which goes with it.
 */
const useBackCloses = (id: string, onClose: () => void): (() => void) => {
  const close = useEffectEvent(onClose)
  useEffect(() => {
    open.push(id)
    // One sheet in the place of another takes its entry over: going back for the old one would close the new one.
    if (leaving === undefined) history.pushState({ sheet: id }, '')
    else history.replaceState({ sheet: id }, '')
    clearTimeout(leaving)
    leaving = undefined
    const back = () => {
      if (open.at(-1) === id && history.state?.sheet !== id) close()
    }
    addEventListener('popstate', back)
    return () => {
      removeEventListener('popstate', back)
      open.splice(open.indexOf(id), 1)
      // Closed by its own button: its entry is still there. A link out of the sheet has gone on already.
      if (history.state?.sheet !== id) return
      leaving = setTimeout(() => {
        leaving = undefined
        history.back()
      })
    }
  }, [id])
  // Going back and not closing at once: so the page's own address is the one that is changed by what closing does.
  return () => (history.state?.sheet === id ? history.back() : onClose())
}

/**
 * A dialog: slides up on phones, a box on wide screens. The browser's own modal keeps the focus inside, closes on Esc and gives
 * the focus back.
 */
export const Sheet = ({ title, onClose, children, foot, wide, firm }: SheetProps) => {
  const t = useT(portalTexts)
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  const close = useBackCloses(titleId, onClose)
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
        close()
      }}
      onClick={event => {
        if (!firm && event.target === dialog.current) close()
      }}
    >
      <div className="p-sheet-head">
        <h2 id={titleId}>{title}</h2>
        <button type="button" className="p-icon-btn" aria-label={t('action.close')} onClick={close}>
          <CloseIcon />
        </button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <div className="p-sheet-body p-stack" tabIndex={0}>
        {children}
      </div>
      {foot !== undefined && <div className="p-sheet-foot">{foot}</div>}
    </dialog>
  )
}
