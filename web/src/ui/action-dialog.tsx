import { type ReactNode, useRef, useState } from 'react'
import { useT } from '../kernel/i18n/index.ts'
import { Dialog, type DialogSize } from './modal.tsx'

export interface DialogAction {
  readonly label: string
  readonly tone?: 'primary' | 'danger' | 'plain'
  readonly disabled?: boolean
  /** Why it cannot be done now; stands beside it. */
  readonly why?: string | null
  /** Sends what the dialog is for. @returns whether the dialog may close */
  readonly run: () => Promise<boolean>
}

interface Props {
  readonly title: string
  readonly size?: DialogSize
  /** From the left; the last one is what most people want. Without any the dialog is for reading. */
  readonly actions?: readonly DialogAction[]
  readonly hasChanges?: () => boolean
  readonly onClose: () => void
  readonly children: ReactNode
}

const looks = { primary: 'button button-primary', danger: 'button button-danger', plain: 'button' } as const

/** A dialog with a way out and what it is for: one send at a time, closed when it went well. */
export const ActionDialog = ({ title, size = 'one', actions = [], hasChanges, onClose, children }: Props) => {
  const t = useT()
  const [busy, setBusy] = useState(false)
  const body = useRef<HTMLDivElement>(null)
  const run = async (action: DialogAction) => {
    if (busy) return
    setBusy(true)
    try {
      if (await action.run()) onClose()
      // What is wrong is under the cursor, once its text is drawn.
      else requestAnimationFrame(() => body.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus())
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog
      title={title}
      size={size}
      onClose={onClose}
      {...(hasChanges === undefined ? {} : { hasChanges })}
      footer={close => (
        <div className="form-footer">
          <button type="button" className="button" onClick={close}>
            {t(actions.length === 0 ? 'action.close' : 'action.cancel')}
          </button>
          {actions.map(({ why, label }) =>
            why ? (
              <span key={label} className="form-footer-why" role="status">
                {why}
              </span>
            ) : null,
          )}
          {actions.map(action => (
            <button
              key={action.label}
              type="button"
              className={looks[action.tone ?? 'primary']}
              // Not disabled while it sends: the keyboard would fall out of the window.
              aria-disabled={busy}
              disabled={action.disabled}
              onClick={() => void run(action)}
            >
              {action.label}
            </button>
          ))}
        </div>
      )}
    >
      <div ref={body} className="dialog-body">
        {children}
      </div>
    </Dialog>
  )
}
