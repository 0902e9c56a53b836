import { lazy, Suspense, useState } from 'react'
import { paperScoreStates } from '#contract/exam/exam.state.ts'
import { isExamCode } from '#contract/exam/exam-code.ts'
import { api } from '#web/kernel/api.ts'
import { isApiError } from '#web/kernel/api-error.ts'
import { fieldTexts } from '#web/kernel/field-texts.ts'
import { endMinuteOf, minuteOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useDict } from '#web/resource/use-dict.ts'
import { ActionDialog } from '#web/ui/action-dialog.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { Check, Labelled, LabelledInput } from '#web/ui/labelled.tsx'
import { useStateWord } from '#web/ui/state-tag.tsx'
import { Loaded } from '#web/ui/states.tsx'
import { type Plan, type Released, samePerson, usePlan } from './release-plan.ts'
import { resultTexts } from './texts.ts'
import './result.css'
import { useSaid } from '#web/kernel/said.ts'

const DateInput = lazy(async () => ({ default: (await import('#web/resource/date-input.tsx')).DateInput }))

interface Props {
  readonly paper: Released
  readonly onClose: () => void
  readonly onDone: () => void
}

type ReleasePlan = NonNullable<Plan['plan']>

/** Results that say something else than the room: whoever releases them looks again first. */
const Against = ({ against }: { readonly against: ReleasePlan['against'] }) => {
  const t = useT(resultTexts)
  const states = useDict('result_state')
  if (against.total === 0) return null
  const stateOf = (state: number) => states.find(option => option.value === String(state))?.label ?? String(state)
  const more = against.total - against.people.length
  return (
    <div className="result-alert" role="alert">
      <strong>{t('release.against', { count: against.total })}</strong>
      <ul className="result-against">
        {against.people.map(one => (
          <li key={`${one.itemName} ${one.ticketNo}`}>
            {t('release.against.one', {
              who: `${one.ticketNo} ${one.name}`,
              paper: one.itemName,
              room: one.room,
              result: [stateOf(one.resultState), one.score].filter(Boolean).join(' '),
            })}
          </li>
        ))}
      </ul>
      {more > 0 ? <p>{t('release.against.more', { count: more })}</p> : null}
      <p>{t('release.against.how')}</p>
    </div>
  )
}

const written = 1
/** The papers that are not out yet, and what candidates see meanwhile. */
const Rest = ({ rest }: { readonly rest: ReleasePlan['rest'] }) => {
  const t = useT(resultTexts)
  const stateWord = useStateWord()
  if (rest.length === 0) return null
  return (
    <div className="result-warning" role="note">
      <strong>{t('release.rest', { count: rest.length })}</strong>
      <ul>
        {rest.map(one => (
          <li key={one.itemName}>
            {one.itemName}: {stateWord(paperScoreStates, one.scoreState)}
          </li>
        ))}
      </ul>
      <p>{t(rest.some(one => one.itemType === written) ? 'release.rest.written' : 'release.rest.interview')}</p>
    </div>
  )
}

/** The release of a paper's results, by a second person who reads of whom it is and types which examination they mean. */
export const ReleaseDialog = ({ paper, onClose, onDone }: Props) => {
  const t = useT(resultTexts)
  const query = usePlan(paper, 1)
  const plan = query.data?.plan ?? null
  const [scoreBegin, setScoreBegin] = useState('')
  const [code, setCode] = useState('')
  const [rank, setRank] = useState(true)
  const [line, setLine] = useState(true)
  const [sms, setSms] = useState(false)
  const [wrong, setWrong] = useSaid<Readonly<Record<string, string>>>({})
  const isSame = plan?.refused?.code === samePerson
  const run = async (): Promise<boolean> => {
    if (!isExamCode(code, plan?.examCode ?? '')) {
      setWrong({ confirmCode: t('release.code.wrong') })
      return false
    }
    try {
      const answer = await api.call(
        'POST /blade-exam/examination/releaseResults',
        {
          examId: paper.examId,
          itemIds: paper.itemId,
          state: 1,
          showRank: rank ? 1 : 0,
          showLine: line ? 1 : 0,
          confirmCode: code.trim(),
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
      const fields = fieldTexts(error)
      setWrong(fields)
      if (Object.keys(fields).length === 0 && error.status !== 401 && error.status !== 423) notify('error', error.message)
      return false
    }
  }
  const isReady = plan !== null && plan.refused === null
  return (
    <ActionDialog title={t('release.title')} actions={isReady ? [{ label: t('result.release'), run }] : []} onClose={onClose}>
      <Loaded query={query} skeletonRows={4}>
        {() =>
          plan === null ? null : (
            <>
              {plan.refused === null ? null : (
                <div className="result-alert" role="alert">
                  <strong>{isSame ? t('release.same') : plan.refused.msg}</strong>
                  {isSame ? <p>{t('release.same.how')}</p> : null}
                </div>
              )}
              <p>{t('release.lead', { name: paper.itemName })}</p>
              {plan.papers.length > 1 ? (
                <>
                  <Facts
                    boxed
                    items={[
                      { key: 'exam', label: t('result.exam'), value: plan.examName },
                      { key: 'when', label: t('release.when'), value: scoreBegin === '' ? t('release.now') : minuteOf(scoreBegin) },
                    ]}
                  />
                  <ul className="result-against">
                    {plan.papers.map(one => (
                      <li key={one.itemName}>
                        <b>{one.itemName}</b> {t('release.people.of', one)}
                        {one.missing === 0 ? null : ` · ${t('release.missing.some', { count: one.missing })}`}
                      </li>
                    ))}
                  </ul>
                </>
              ) : null}
              {(plan.papers.length > 1 ? [] : plan.papers).map(one => (
                <Facts
                  key={one.itemName}
                  boxed
                  items={[
                    { key: 'exam', label: t('result.exam'), value: plan.examName },
                    { key: 'paper', label: t('result.paper'), value: one.itemName },
                    { key: 'time', label: t('release.time'), value: `${minuteOf(one.startTime)} – ${endMinuteOf(one.endTime)}` },
                    {
                      key: 'when',
                      label: t('release.when'),
                      value: scoreBegin === '' ? t('release.now') : minuteOf(scoreBegin),
                    },
                    { key: 'people', label: t('release.people'), value: t('release.people.of', one) },
                    {
                      key: 'missing',
                      label: t('release.missing'),
                      value: one.missing === 0 ? t('release.missing.none') : t('release.missing.some', { count: one.missing }),
                    },
                  ]}
                />
              ))}
              {plan.lines.length === 0 ? null : (
                <div className="result-warning" role="note">
                  <strong>{t('release.lines')}</strong>
                  <ul>
                    {plan.lines.map(one => (
                      <li key={one.name}>
                        {t('release.lines.change', {
                          name: one.name,
                          before: one.before ?? t('release.lines.none'),
                          after: one.after ?? t('release.lines.none'),
                        })}
                      </li>
                    ))}
                  </ul>
                  <p>{plan.moved === 0 ? t('release.lines.nobody') : t('release.lines.moved', { count: plan.moved })}</p>
                </div>
              )}
              <Against against={plan.against} />
              <Rest rest={plan.rest} />
              {isReady ? (
                <>
                  <Labelled label={t('release.at')} error={wrong['scoreBegin']}>
                    {id => (
                      <Suspense fallback={<span className="input" />}>
                        <DateInput
                          id={id}
                          withTime
                          value={scoreBegin}
                          onChange={next => setScoreBegin(typeof next === 'string' ? next : '')}
                        />
                      </Suspense>
                    )}
                  </Labelled>
                  <Check label={t('release.rank')} on={rank} onChange={setRank} />
                  <Check label={t('release.line')} on={line} onChange={setLine} />
                  <Check label={t('release.sms')} on={sms} onChange={setSms} />
                  <LabelledInput
                    label={t('release.code', { code: plan.examCode })}
                    value={code}
                    maxLength={20}
                    error={wrong['confirmCode']}
                    onChange={setCode}
                  />
                </>
              ) : null}
            </>
          )
        }
      </Loaded>
    </ActionDialog>
  )
}

/** Takes released results back: whoever does types which examination they mean and a reason, which is kept. */
export const WithdrawDialog = ({ paper, onClose, onDone }: Props) => {
  const t = useT(resultTexts)
  const query = usePlan(paper, 0)
  const plan = query.data?.plan ?? null
  const [reason, setReason] = useState('')
  const [code, setCode] = useState('')
  const [wrong, setWrong] = useSaid<Readonly<Record<string, string>>>({})
  const run = async (): Promise<boolean> => {
    const missing = {
      ...(reason.trim() === '' ? { reason: t('withdraw.reason.bad') } : {}),
      ...(isExamCode(code, plan?.examCode ?? '') ? {} : { confirmCode: t('release.code.wrong') }),
    }
    setWrong(missing)
    if (Object.keys(missing).length > 0) return false
    try {
      await api.call('POST /blade-exam/examination/releaseResults', {
        ...{ examId: paper.examId, itemIds: paper.itemId, state: 0 as const },
        ...{ reason: reason.trim(), confirmCode: code.trim() },
      })
      notify('success', t('withdraw.done'))
      onDone()
      return true
    } catch (error) {
      setWrong(fieldTexts(error)) // Without fields the api client has said why.
      return false
    }
  }
  const isReady = plan !== null && plan.refused === null
  return (
    <ActionDialog
      title={t('result.withdraw')}
      actions={isReady ? [{ label: t('result.withdraw'), tone: 'danger', run }] : []}
      hasChanges={() => reason !== '' || code !== ''}
      onClose={onClose}
    >
      <Loaded query={query} skeletonRows={3}>
        {() =>
          plan === null ? null : (
            <>
              <p>{t('withdraw.lead', { name: paper.itemName })}</p>
              {plan.papers.map(one => (
                <Facts
                  key={one.itemName}
                  boxed
                  items={[
                    { key: 'exam', label: t('result.exam'), value: plan.examName },
                    { key: 'paper', label: t('result.paper'), value: one.itemName },
                    { key: 'people', label: t('withdraw.people'), value: t('withdraw.people.of', { count: one.results }) },
                  ]}
                />
              ))}
              {plan.refused === null ? (
                <>
                  <LabelledInput label={t('withdraw.reason')} error={wrong['reason']} maxLength={200} value={reason} onChange={setReason} />
                  <LabelledInput
                    label={t('release.code', { code: plan.examCode })}
                    value={code}
                    maxLength={20}
                    error={wrong['confirmCode']}
                    onChange={setCode}
                  />
                </>
              ) : (
                <div className="result-alert" role="alert">
                  <strong>{plan.refused.msg}</strong>
                </div>
              )}
            </>
          )
        }
      </Loaded>
    </ActionDialog>
  )
}
