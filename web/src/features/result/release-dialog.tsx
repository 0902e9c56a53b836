import { lazy, type ReactNode, Suspense, useId, useState } from 'react'
import { api } from '#web/kernel/api.ts'
import { isApiError } from '#web/kernel/api-error.ts'
import { minuteOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { Dialog } from '#web/ui/modal.tsx'
import { resultTexts } from './texts.ts'
import './result.css'

const DateInput = lazy(async () => ({ default: (await import('#web/resource/date-input.tsx')).DateInput }))
/** Whoever imported may not release (domain 13.2). */
const samePerson = 2402

export interface Released {
  readonly examId: string
  readonly itemId: string
  readonly itemName: string
}
interface Props {
  readonly paper: Released
  readonly onClose: () => void
  readonly onDone: () => void
}

const Check = ({ label, on, onChange }: { readonly label: string; readonly on: boolean; readonly onChange: (on: boolean) => void }) => (
  <label className="result-check">
    <input type="checkbox" checked={on} onChange={event => onChange(event.target.checked)} />
    {label}
  </label>
)

const Frame = ({
  title,
  ok,
  danger = false,
  busy,
  onRun,
  onClose,
  children,
}: {
  readonly title: string
  readonly ok: string | null
  readonly danger?: boolean
  readonly busy: boolean
  readonly onRun: () => void
  readonly onClose: () => void
  readonly children: ReactNode
}) => {
  const t = useT()
  return (
    <Dialog
      title={title}
      onClose={onClose}
      footer={close => (
        <div className="form-footer">
          <button type="button" className="button" onClick={close}>
            {t(ok === null ? 'action.close' : 'action.cancel')}
          </button>
          {ok === null ? null : (
            <button type="button" className={`button ${danger ? 'button-danger' : 'button-primary'}`} disabled={busy} onClick={onRun}>
              {ok}
            </button>
          )}
        </div>
      )}
    >
      <div className="result-form">{children}</div>
    </Dialog>
  )
}

/** The release of a paper's results, by a second person. */
export const ReleaseDialog = ({ paper, onClose, onDone }: Props) => {
  const t = useT(resultTexts)
  const id = useId()
  const [scoreBegin, setScoreBegin] = useState('')
  const [rank, setRank] = useState(true)
  const [line, setLine] = useState(true)
  const [sms, setSms] = useState(false)
  const [busy, setBusy] = useState(false)
  const [same, setSame] = useState(false)
  const run = async () => {
    if (busy) return
    setBusy(true)
    try {
      const answer = await api.call(
        'POST /blade-exam/examination/releaseResults',
        {
          examId: paper.examId,
          itemIds: paper.itemId,
          state: 1,
          showRank: rank ? 1 : 0,
          showLine: line ? 1 : 0,
          ...(sms ? { sms: 1 as const } : {}),
          ...(scoreBegin === '' ? {} : { scoreBegin }),
        },
        { quiet: true },
      )
      notify(
        'success',
        answer.scheduled === null
          ? t('release.done', { count: answer.people })
          : t('release.scheduled', { time: minuteOf(answer.scheduled) }),
      )
      onDone()
      onClose()
    } catch (error) {
      if (!isApiError(error)) throw error
      if (error.code === samePerson) setSame(true)
      else if (error.status !== 401 && error.status !== 423) notify('error', error.message)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Frame title={t('release.title')} ok={same ? null : t('result.release')} busy={busy} onRun={() => void run()} onClose={onClose}>
      {same ? (
        <div className="result-alert" role="alert">
          <strong>{t('release.same')}</strong>
          <p>{t('release.same.how')}</p>
        </div>
      ) : (
        <>
          <p>{t('release.lead', { name: paper.itemName })}</p>
          <div className="result-field">
            <label htmlFor={id}>{t('release.at')}</label>
            <Suspense fallback={<span className="input" />}>
              <DateInput id={id} withTime value={scoreBegin} onChange={next => setScoreBegin(typeof next === 'string' ? next : '')} />
            </Suspense>
          </div>
          <Check label={t('release.rank')} on={rank} onChange={setRank} />
          <Check label={t('release.line')} on={line} onChange={setLine} />
          <Check label={t('release.sms')} on={sms} onChange={setSms} />
        </>
      )}
    </Frame>
  )
}

export const WithdrawDialog = ({ paper, onClose, onDone }: Props) => {
  const t = useT(resultTexts)
  const id = useId()
  const [reason, setReason] = useState('')
  const [wrong, setWrong] = useState(false)
  const [busy, setBusy] = useState(false)
  const run = async () => {
    setWrong(reason.trim() === '')
    if (reason.trim() === '' || busy) return
    setBusy(true)
    try {
      await api.call('POST /blade-exam/examination/releaseResults', {
        examId: paper.examId,
        itemIds: paper.itemId,
        state: 0,
        reason: reason.trim(),
      })
      notify('success', t('withdraw.done'))
      onDone()
      onClose()
    } catch {
      // The api client has said why.
    } finally {
      setBusy(false)
    }
  }
  return (
    <Frame title={t('result.withdraw')} ok={t('result.withdraw')} danger busy={busy} onRun={() => void run()} onClose={onClose}>
      <p>{t('withdraw.lead', { name: paper.itemName })}</p>
      <div className="result-field">
        <label htmlFor={id}>{t('withdraw.reason')}</label>
        <input
          id={id}
          className="input"
          maxLength={200}
          aria-invalid={wrong}
          value={reason}
          onChange={event => setReason(event.target.value)}
        />
        {wrong ? (
          <span className="field-error" role="alert">
            {t('withdraw.reason.bad')}
          </span>
        ) : null}
      </div>
    </Frame>
  )
}
