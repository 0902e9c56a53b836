import { useId, useState } from 'react'
import { type ApiOutput, api } from '#web/kernel/api.ts'
import { minuteOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useRead } from '../calls.ts'
import { refresh } from '../data/answers.ts'
import { ask } from '../kit/ask.ts'
import { Empty, Tag } from '../kit/blocks.tsx'
import { Card } from '../kit/card.tsx'
import { TextField } from '../kit/field.tsx'
import { Load } from '../kit/load.tsx'
import { Callout, Facts, PageTitle } from '../kit/page-ui.tsx'
import { Sheet } from '../kit/sheet.tsx'
import { Countdown } from '../kit/time.tsx'
import { Button, ButtonLink } from '../kit/ui.tsx'
import { HearingCard } from './hearing.tsx'
import { Papers } from './papers.tsx'
import { selectionTexts } from './texts.ts'

export type Selection = ApiOutput<'GET /blade-signup/selection/mine'>[number]
type Stage = 3 | 4 | 5 | 6 | 7 | 8

const stages = [3, 4, 5, 6, 7, 8] as const
const [medical, hire, out] = [5, 8, 9]
const words: readonly string[] = ['放弃', 'give up']

/** How far a person has come; whoever is out sees where it ended. */
const Steps = ({ row }: { readonly row: Selection }) => {
  const t = useT(selectionTexts)
  const end = row.stage === out ? (row.endedStage ?? 3) : row.stage
  const stateOf = (stage: Stage): string => {
    if (stage < end || (stage === hire && row.stage === hire && row.state === 1)) return ' is-done'
    if (stage > end) return ''
    return row.stage === out ? ' is-wrong' : ' is-now'
  }
  return (
    <ol className="p-plain p-steps" aria-label={t('progress')}>
      {stages.map(stage => (
        <li key={stage} aria-current={stage === row.stage ? 'step' : undefined}>
          <span className={`p-step${stateOf(stage)}`}>{t(stage === 3 ? 'short.3' : `stage.${stage}`)}</span>
        </li>
      ))}
    </ol>
  )
}

/** Giving up cannot be undone, so it is typed. */
const GiveUp = ({
  row,
  onClose,
  onDone,
}: {
  readonly row: Selection
  readonly onClose: () => void
  readonly onDone: () => Promise<void>
}) => {
  const t = useT(selectionTexts)
  const [typed, setTyped] = useState('')
  const [isWrong, setWrong] = useState(false)
  const [busy, setBusy] = useState(false)
  const send = async () => {
    const confirm = typed.trim()
    if (!words.includes(confirm.toLowerCase())) return setWrong(true)
    setBusy(true)
    try {
      if (row.call === null) await api.call('POST /blade-signup/selection/giveUp', { signupId: row.signupId, confirm })
      else await api.call('POST /blade-signup/selection/answer', { callId: row.call.id, answer: 2, confirm })
      notify('success', t('given'))
      await onDone()
      onClose()
    } catch {
      // The client has said why.
    } finally {
      setBusy(false)
    }
  }
  return (
    <Sheet
      title={t('giveTitle', { exam: row.examName })}
      firm
      onClose={onClose}
      foot={
        <Button look="danger" block busy={busy} onClick={() => void send()}>
          {t('give')}
        </Button>
      }
    >
      <p>{t('giveBody')}</p>
      <TextField
        label={t('giveWord')}
        required
        maxLength={10}
        autoComplete="off"
        error={isWrong ? t('giveWordBad') : null}
        value={typed}
        onChange={event => {
          setTyped(event.target.value)
          setWrong(false)
        }}
      />
    </Sheet>
  )
}

const SelectionCard = ({ row, onDone }: { readonly row: Selection; readonly onDone: () => Promise<void> }) => {
  const t = useT(selectionTexts)
  const id = useId()
  const [busy, setBusy] = useState(false)
  const [isGiving, setGiving] = useState(false)
  const send = async (work: () => Promise<unknown>, done: string) => {
    setBusy(true)
    try {
      await work()
      notify('success', done)
      await onDone()
    } catch {
      // The client has said why.
    } finally {
      setBusy(false)
    }
  }
  const { call } = row
  const take = () =>
    call === null ? undefined : void send(() => api.call('POST /blade-signup/selection/answer', { callId: call.id, answer: 1 }), t('taken'))
  const second = async () => {
    if (!(await ask({ title: t('recheckAsk'), body: <p>{t('recheckBody')}</p>, okText: t('recheck') }))) return
    await send(() => api.call('POST /blade-signup/selection/askRecheck', { signupId: row.signupId }), t('rechecked'))
  }
  const isOut = row.stage === out
  const isAfter = row.stage >= medical && !isOut
  return (
    <article className="p-card p-stack" aria-labelledby={id}>
      <div className="p-row-between">
        <h2 id={id}>{row.examName}</h2>
        {isOut ? <Tag tone="neutral">{t('out')}</Tag> : <Tag tone="active">{t(`stage.${row.stage as Stage}`)}</Tag>}
      </div>
      <Steps row={row} />
      <Callout tone={isOut ? 'neutral' : call !== null || row.reviewState === 5 || row.mayAskRecheck ? 'warning' : 'active'} live>
        <strong>{t('next')}</strong>
        <div>{row.next}</div>
        {call !== null && (
          <div className="p-small">
            <Countdown until={call.deadline} />
          </div>
        )}
      </Callout>
      <Facts
        facts={[
          { name: t('post'), value: `${row.codeName} ${row.unitName}` },
          {
            name: t('rank'),
            value: row.rank !== null && (
              <>
                <span className="p-num">{t('rankOf', { rank: row.rank })}</span> {row.kind === 2 && <Tag tone="active">{t('kind2')}</Tag>}
              </>
            ),
          },
          { name: t('result'), value: isAfter && t(`result.${row.state as 0 | 1 | 2 | 3 | 4 | 5}`) },
          { name: t('remark'), value: isAfter || row.endedStage !== null ? row.remark : row.reviewRemark },
          { name: t('phone'), value: row.contactPhone },
        ]}
      />
      {(call !== null || row.mayAskRecheck || row.mayGiveUp) && (
        <div className="p-card-foot">
          {call !== null && (
            <Button look="primary" busy={busy} onClick={take}>
              {t('take')}
            </Button>
          )}
          {row.mayAskRecheck && (
            <Button look="primary" busy={busy} onClick={() => void second()}>
              {t('recheck')}
            </Button>
          )}
          {row.mayGiveUp && (
            <Button look="text" onClick={() => setGiving(true)}>
              {t('give')}
            </Button>
          )}
        </div>
      )}
      {row.files.length > 0 && !isOut && <Papers row={row} onDone={onDone} />}
      <Card title={t('history')}>
        <ol className="p-plain p-timeline">
          {row.steps.map(step => (
            <li key={`${step.time}${step.text}`}>
              {step.text} <span className="p-small p-dim p-num">{minuteOf(step.time)}</span>
            </li>
          ))}
        </ol>
      </Card>
      {isGiving && <GiveUp row={row} onClose={() => setGiving(false)} onDone={onDone} />}
    </article>
  )
}

/** From the re-review to the hire: answer a call, hand in papers, see what comes next. */
export const SelectionPage = () => {
  const t = useT(selectionTexts)
  const mine = useRead('selections', {})
  const proposals = useRead('proposals', {})
  const objections = useRead('objections', {})
  const archive = useRead('archiveCases', {})
  const onDone = async () => {
    await refresh()
    await Promise.all([mine.refetch(), proposals.refetch(), objections.refetch(), archive.refetch()])
  }
  const hearings = proposals.data ?? []
  const cases = archive.data ?? []
  const objected = objections.data ?? []
  return (
    <>
      <PageTitle back="/signup/myExam" title={t('title')} />
      <Load query={mine} skeleton={[300]}>
        {rows => (
          <div className="p-stack p-gap-l">
            {hearings.map(one => (
              <HearingCard key={one.id} kind="disqualify" of={one} onDone={onDone} />
            ))}
            {objected.map(one => (
              <HearingCard key={one.id} kind="objection" of={one} onDone={onDone} />
            ))}
            {cases.map(one => (
              <HearingCard key={one.id} kind="archive" of={one} onDone={onDone} />
            ))}
            {rows.length === 0 && hearings.length + objected.length + cases.length === 0 && (
              <Empty text={t('none')} hint={t('noneHint')}>
                <ButtonLink to="/signup/score">{t('toScore')}</ButtonLink>
              </Empty>
            )}
            {rows.map(row => (
              <SelectionCard key={row.signupId} row={row} onDone={onDone} />
            ))}
          </div>
        )}
      </Load>
    </>
  )
}
