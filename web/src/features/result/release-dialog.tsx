import { lazy, Suspense, useState } from 'react'
import { api } from '#web/kernel/api.ts'
import { fieldTexts, isApiError } from '#web/kernel/api-error.ts'
import { minuteOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { ActionDialog } from '#web/ui/action-dialog.tsx'
import { Check, Labelled } from '#web/ui/labelled.tsx'
import { ReasonDialog } from '#web/ui/reason-dialog.tsx'
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

/** The release of a paper's results, by a second person. */
export const ReleaseDialog = ({ paper, onClose, onDone }: Props) => {
  const t = useT(resultTexts)
  const [scoreBegin, setScoreBegin] = useState('')
  const [rank, setRank] = useState(true)
  const [line, setLine] = useState(true)
  const [sms, setSms] = useState(false)
  const [same, setSame] = useState(false)
  const [wrong, setWrong] = useState<string | undefined>(undefined)
  const run = async (): Promise<boolean> => {
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
      return true
    } catch (error) {
      if (!isApiError(error)) throw error
      const atTime = fieldTexts(error).scoreBegin
      setWrong(atTime)
      if (error.code === samePerson) setSame(true)
      else if (atTime === undefined && error.status !== 401 && error.status !== 423) notify('error', error.message)
      return false
    }
  }
  return (
    <ActionDialog title={t('release.title')} actions={same ? [] : [{ label: t('result.release'), run }]} onClose={onClose}>
      {same ? (
        <div className="result-alert" role="alert">
          <strong>{t('release.same')}</strong>
          <p>{t('release.same.how')}</p>
        </div>
      ) : (
        <>
          <p>{t('release.lead', { name: paper.itemName })}</p>
          <Labelled label={t('release.at')} error={wrong}>
            {id => (
              <Suspense fallback={<span className="input" />}>
                <DateInput id={id} withTime value={scoreBegin} onChange={next => setScoreBegin(typeof next === 'string' ? next : '')} />
              </Suspense>
            )}
          </Labelled>
          <Check label={t('release.rank')} on={rank} onChange={setRank} />
          <Check label={t('release.line')} on={line} onChange={setLine} />
          <Check label={t('release.sms')} on={sms} onChange={setSms} />
        </>
      )}
    </ActionDialog>
  )
}

/** Takes released results back: a reason is asked for and kept. */
export const WithdrawDialog = ({ paper, onClose, onDone }: Props) => {
  const t = useT(resultTexts)
  const send = async (reason: string) => {
    await api.call('POST /blade-exam/examination/releaseResults', { examId: paper.examId, itemIds: paper.itemId, state: 0, reason })
    notify('success', t('withdraw.done'))
    onDone()
  }
  return (
    <ReasonDialog
      title={t('result.withdraw')}
      lead={t('withdraw.lead', { name: paper.itemName })}
      label={t('withdraw.reason')}
      missing={t('withdraw.reason.bad')}
      ok={t('result.withdraw')}
      send={send}
      onClose={onClose}
    />
  )
}
