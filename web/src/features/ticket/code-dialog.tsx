import { useState } from 'react'
import { useT } from '#web/kernel/i18n/index.ts'
import { Labelled } from '#web/ui/labelled.tsx'
import { Dialog } from '#web/ui/modal.tsx'
import { ticketTexts } from './texts.ts'
import './ticket.css'

/** A question about many tickets at once: the code of the examination is typed by hand. */
export const CodeDialog = ({
  title,
  lead,
  ok,
  examCode,
  onRun,
  onClose,
}: {
  readonly title: string
  readonly lead: string
  readonly ok: string
  readonly examCode: string
  /** Answers whether the dialog may close. */
  readonly onRun: (code: string) => Promise<boolean>
  readonly onClose: () => void
}) => {
  const t = useT(ticketTexts)
  const [code, setCode] = useState('')
  const [wrong, setWrong] = useState(false)
  const [busy, setBusy] = useState(false)
  const run = async () => {
    const differs = code.trim().toUpperCase() !== examCode.toUpperCase()
    setWrong(differs)
    if (differs || busy) return
    setBusy(true)
    try {
      if (await onRun(examCode)) onClose()
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog
      title={title}
      onClose={onClose}
      footer={close => (
        <div className="form-footer">
          <button type="button" className="button" onClick={close}>
            {t('action.cancel')}
          </button>
          <button type="button" className="button button-danger" disabled={busy} onClick={() => void run()}>
            {ok}
          </button>
        </div>
      )}
    >
      <div className="ticket-form">
        <p>{lead}</p>
        <Labelled label={t('confirm.code', { code: examCode })} error={wrong ? t('confirm.wrong') : undefined}>
          {id => (
            <input
              id={id}
              className="input"
              autoComplete="off"
              aria-invalid={wrong}
              value={code}
              onChange={event => setCode(event.target.value)}
            />
          )}
        </Labelled>
      </div>
    </Dialog>
  )
}
