import { useId, useState } from 'react'
import { recheckMachine } from '#contract/result/recheck.state.ts'
import { type ApiOutput, api } from '#web/kernel/api.ts'
import { isApiError } from '#web/kernel/api-error.ts'
import { minuteOf } from '#web/kernel/format.ts'
import { defineTexts, useT } from '#web/kernel/i18n/index.ts'
import { useSaid } from '#web/kernel/said.ts'
import { useRead } from '../calls.ts'
import { Tag } from '../kit/blocks.tsx'
import { Card } from '../kit/card.tsx'
import { Load } from '../kit/load.tsx'
import { Callout } from '../kit/page-ui.tsx'
import { toneOf } from '../kit/tone-of.ts'
import { Button } from '../kit/ui.tsx'

const recheckTexts = defineTexts(
  {
    title: '成绩复查',
    window: '可在 {begin} 至 {end} 申请，每科一次。',
    closed: '现在不在申请时间内。',
    ask: '申请复查',
    reason: '复查理由（5–300 字）',
    send: '提交申请',
    cancel: '取消',
    short: '请写明理由，至少 5 个字',
    'state.0': '复查中',
    'state.1': '无误',
    'state.2': '已更正',
    asked: '{time} 申请：{reason}',
    answer: '{time} 答复：{answer}',
  },
  {
    title: 'Ask to have a score looked at again',
    window: 'From {begin} until {end}, once for each paper.',
    closed: 'Not possible now.',
    ask: 'Ask',
    reason: 'Reason (5 to 300 characters)',
    send: 'Send',
    cancel: 'Cancel',
    short: 'Say why, in at least 5 characters',
    'state.0': 'Being looked at',
    'state.1': 'The score stands',
    'state.2': 'Corrected',
    asked: 'Asked {time}: {reason}',
    answer: 'Answered {time}: {answer}',
  },
)

type Paper = ApiOutput<'GET /blade-signup/score/getRechecks'>['papers'][number]

const PaperRow = ({ examId, paper, onDone }: { readonly examId: string; readonly paper: Paper; readonly onDone: () => void }) => {
  const t = useT(recheckTexts)
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const [reason, setReason] = useState('')
  const [problem, setProblem] = useSaid<string | null>(null)
  const { asked } = paper
  const send = async () => {
    if ([...reason.trim()].length < 5) return setProblem(t('short'))
    setProblem(null)
    try {
      await api.call('POST /blade-signup/score/askRecheck', { examId, itemId: paper.itemId, reason: reason.trim() }, { quiet: true })
      setOpen(false)
      onDone()
    } catch (error) {
      setProblem(isApiError(error) ? error.message : String(error))
    }
  }
  return (
    <li>
      <div className="p-row-between">
        <span>{paper.itemName}</span>
        {asked !== null ? (
          <Tag tone={toneOf(recheckMachine, asked.state)}>{t(`state.${asked.state as 0 | 1 | 2}`)}</Tag>
        ) : (
          paper.canAsk && !isOpen && <Button onClick={() => setOpen(true)}>{t('ask')}</Button>
        )}
      </div>
      {asked !== null && <p className="p-small p-dim">{t('asked', { time: minuteOf(asked.askedTime), reason: asked.reason })}</p>}
      {asked?.answer != null && <p>{t('answer', { time: minuteOf(asked.answerTime ?? ''), answer: asked.answer })}</p>}
      {isOpen && (
        <form
          onSubmit={event => {
            event.preventDefault()
            void send()
          }}
        >
          <label htmlFor={id}>{t('reason')}</label>
          <textarea id={id} className="p-input" rows={3} maxLength={300} value={reason} onChange={event => setReason(event.target.value)} />
          {problem !== null && (
            <Callout tone="danger" live>
              {problem}
            </Callout>
          )}
          <Button type="submit">{t('send')}</Button> <Button onClick={() => setOpen(false)}>{t('cancel')}</Button>
        </form>
      )}
    </li>
  )
}

/** Where a window was set: what may be asked about each paper, what was asked and answered. */
export const RecheckCard = ({ examId }: { readonly examId: string }) => {
  const t = useT(recheckTexts)
  const rechecks = useRead('rechecks', { examId })
  const { begin = null, end = null } = rechecks.data ?? {}
  if (rechecks.data !== undefined && (begin === null || end === null)) return null
  return (
    <Card title={t('title')}>
      <Load query={rechecks} skeleton={[80]}>
        {data => (
          <>
            <p className="p-small">{t('window', { begin: minuteOf(data.begin ?? ''), end: minuteOf(data.end ?? '') })}</p>
            {!data.isOpen && <p className="p-small">{t('closed')}</p>}
            <ul className="p-plain p-stack">
              {data.papers.map(paper => (
                <PaperRow key={paper.itemId} examId={examId} paper={paper} onDone={() => void rechecks.refetch()} />
              ))}
            </ul>
          </>
        )}
      </Load>
    </Card>
  )
}
