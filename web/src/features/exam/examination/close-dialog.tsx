import { Input } from 'antd'
import { useId, useState } from 'react'
import { isApiError } from '#web/kernel/api-error.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { Dialog } from '#web/ui/modal.tsx'
import { closeExam } from '../calls.ts'
import { examTexts } from '../texts.ts'
import type { ExamRow } from '../wire.ts'
import '../exam.css'

export type Closing = 'close' | 'reopen' | 'archive'
const stateOf = { close: 2, reopen: 1, archive: 3 } as const
const longestReason = 200

/** Closing, opening again and archiving: a reason, and the code typed by hand so that nobody closes the wrong one. */
export const CloseDialog = ({
  exam,
  way,
  onClose,
  onDone,
}: {
  readonly exam: ExamRow
  readonly way: Closing
  readonly onClose: () => void
  readonly onDone: () => void
}) => {
  const t = useT(examTexts)
  const id = useId()
  const [reason, setReason] = useState('')
  const [code, setCode] = useState('')
  const [wrong, setWrong] = useState<{ readonly reason?: string; readonly code?: string }>({})
  const [busy, setBusy] = useState(false)
  const send = async () => {
    const problems = {
      ...(reason.trim() === '' ? { reason: t('close.reason.required') } : {}),
      ...(code.trim().toUpperCase() === exam.examCode.toUpperCase() ? {} : { code: t('close.code.wrong') }),
    }
    setWrong(problems)
    if (Object.keys(problems).length > 0 || busy) return
    setBusy(true)
    try {
      await closeExam({ id: exam.id, state: stateOf[way], reason: reason.trim(), confirmCode: code.trim() })
      notify('success', t('close.done'))
      onDone()
      onClose()
    } catch (error) {
      if (!isApiError(error)) throw error
      const of = (field: string) => error.fields.find(problem => problem.field === field)?.msg
      const [reasonText, codeText] = [of('reason'), of('confirmCode')]
      setWrong({ ...(reasonText ? { reason: reasonText } : {}), ...(codeText ? { code: codeText } : {}) })
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog
      title={t(`${way}.title`)}
      onClose={onClose}
      hasChanges={() => reason !== ''}
      footer={close => (
        <div className="form-footer">
          <button type="button" className="button" onClick={close}>
            {t('action.cancel')}
          </button>
          <button
            type="button"
            className={`button ${way === 'reopen' ? 'button-primary' : 'button-danger'}`}
            disabled={busy}
            onClick={() => void send()}
          >
            {t(`exam.${way}`)}
          </button>
        </div>
      )}
    >
      <div className="exam-form">
        <p>{t(`${way}.lead`, { name: exam.examName })}</p>
        <div className="exam-field">
          <label htmlFor={`${id}r`}>{t('close.reason')}</label>
          <Input.TextArea
            id={`${id}r`}
            rows={3}
            maxLength={longestReason}
            value={reason}
            status={wrong.reason === undefined ? '' : 'error'}
            aria-describedby={`${id}re`}
            onChange={event => setReason(event.target.value)}
          />
          <span id={`${id}re`} className="field-error">
            {wrong.reason}
          </span>
        </div>
        <div className="exam-field">
          <label htmlFor={`${id}c`}>{t('close.code', { code: exam.examCode })}</label>
          <input
            id={`${id}c`}
            className="input"
            autoComplete="off"
            value={code}
            aria-invalid={wrong.code !== undefined}
            aria-describedby={`${id}ce`}
            onChange={event => setCode(event.target.value)}
          />
          <span id={`${id}ce`} className="field-error">
            {wrong.code}
          </span>
        </div>
      </div>
    </Dialog>
  )
}
