import { lazy, Suspense, useState } from 'react'
import { type ApiOutput, api } from '#web/kernel/api.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useCan } from '#web/kernel/permission.ts'
import { useCall } from '#web/kernel/query.ts'
import { ExamMissing } from '#web/resource/exam-missing.tsx'
import { useExamChoice } from '#web/resource/within.tsx'
import { confirm } from '#web/ui/dialog.tsx'
import { StatCard, StatCards } from '#web/ui/stat-card.tsx'
import { Loaded } from '#web/ui/states.tsx'
import { StatusTag } from '#web/ui/status-tag.tsx'
import { Recusals } from './recusals.tsx'
import { type Level, type Reviewer, useFresh } from './reviewers.ts'
import { allotTexts } from './texts.ts'
import { Waiting } from './waiting.tsx'
import './allot.css'

const PlanTable = lazy(async () => ({ default: (await import('./plan-table.tsx')).PlanTable }))
const ReviewerDialog = lazy(async () => ({ default: (await import('./reviewer-dialog.tsx')).ReviewerDialog }))

type Plan = ApiOutput<'POST /blade-exam/examination/allotCheck'>
type Mode = 0 | 1 | 2 | 3 | 4
type Scope = 'unallotted' | 'rebalance'
const modes: readonly Mode[] = [0, 1, 2, 3, 4]
/** Handing out two hundred thousand takes longer than an ordinary call may. */
const allotMs = 300_000

const Run = ({
  examId,
  level,
  own,
  waiting,
  isStaffed,
  unitNames,
}: {
  readonly examId: string
  readonly level: Level
  readonly own: Mode
  readonly waiting: number
  /** Somebody is enabled. */
  readonly isStaffed: boolean
  readonly unitNames: ReadonlyMap<string, string>
}) => {
  const t = useT(allotTexts)
  const refresh = useFresh()
  const [mode, setMode] = useState<Mode | null>(null)
  const [scope, setScope] = useState<Scope>('unallotted')
  const [plan, setPlan] = useState<Plan | null>(null)
  const [busy, setBusy] = useState(false)
  // Where the examination lets reviewers take from a pool, whoever comes here to share out wants to share out.
  const chosen = mode ?? (own === 0 ? 3 : own)
  const send = async (dryRun: 0 | 1) => {
    setBusy(true)
    try {
      return await api.call(
        'POST /blade-exam/examination/allotCheck',
        { examId, level, mode: chosen, scope, dryRun },
        { timeoutMs: allotMs },
      )
    } catch {
      return null // The api client has said why.
    } finally {
      setBusy(false)
    }
  }
  const commit = async () => {
    const text =
      chosen === 0 ? t('commit.release', { count: waiting }) : t('commit.ask', { placed: plan?.placed ?? 0, mode: t(`mode.${chosen}`) })
    if (!(await confirm({ title: t(chosen === 0 ? 'commit.back' : 'commit'), text }))) return
    const done = await send(0)
    if (done === null) return
    setPlan(null)
    notify('success', t('commit.done', { placed: done.placed, released: done.released }))
    await refresh()
  }
  return (
    <section className="card">
      <h2>{t('run.title')}</h2>
      <div className="allot-bar">
        <label>
          <span>{t('mode')}</span>
          <select
            className="input"
            value={chosen}
            onChange={event => {
              setMode(Number(event.target.value) as Mode)
              setPlan(null)
            }}
          >
            {modes.map(each => (
              <option key={each} value={each}>
                {each === own ? t('mode.own', { mode: t(`mode.${each}`) }) : t(`mode.${each}`)}
              </option>
            ))}
          </select>
        </label>
        <label>
          <span>{t('scope')}</span>
          <select
            className="input"
            value={scope}
            disabled={chosen === 0}
            onChange={event => {
              setScope(event.target.value as Scope)
              setPlan(null)
            }}
          >
            <option value="unallotted">{t('scope.unallotted')}</option>
            <option value="rebalance">{t('scope.rebalance')}</option>
          </select>
        </label>
        <button type="button" className="button" disabled={busy || chosen === 0} onClick={async () => setPlan(await send(1))}>
          {t('try')}
        </button>
        <button
          type="button"
          className="button button-primary"
          disabled={busy || (chosen === 0 ? waiting === 0 : plan === null || plan.placed === 0)}
          onClick={() => void commit()}
        >
          {t(chosen === 0 ? 'commit.back' : 'commit')}
        </button>
      </div>
      <p className="allot-hint">{t(`mode.hint.${chosen}`)}</p>
      {/* Why the button above cannot be pressed. */}
      {chosen !== 0 && plan === null ? <p>{t('try.first')}</p> : null}
      {chosen === 0 && waiting === 0 ? <p>{t('run.none')}</p> : null}
      {plan === null ? null : (
        <>
          {plan.placed === 0 && !isStaffed ? <p role="alert">{t('try.nobody')}</p> : null}
          {plan.placed === 0 && plan.unplacedCount === 0 ? <p>{t('try.nothing')}</p> : null}
          {plan.placed === 0 && plan.unplacedCount > 0 && isStaffed ? <p>{t('run.zero')}</p> : null}
          <Suspense>
            <PlanTable plan={plan} unitNames={unitNames} />
          </Suspense>
        </>
      )}
    </section>
  )
}

const Reviewers = ({
  examId,
  level,
  reviewers,
  unitNames,
}: {
  readonly examId: string
  readonly level: Level
  readonly reviewers: readonly Reviewer[]
  readonly unitNames: ReadonlyMap<string, string>
}) => {
  const t = useT(allotTexts)
  const can = useCan()
  const refresh = useFresh()
  const users = useCall('GET /blade-exam/examination/getExamUsers', { examId, level }, { quiet: true })
  const [edited, setEdited] = useState<Reviewer | null>(null)
  const candidates = users.data?.candidates ?? []
  // Whoever has reviewed here without being on the list is shown with their figures, and is added before anything else.
  const isListed = (row: Reviewer): boolean => users.data === undefined || users.data.users.some(user => user.userId === row.userId)
  const save = async (entry: object) => {
    await api.request({ method: 'POST', path: '/blade-exam/examination/saveCheck', body: { examId, list: [entry] } })
    notify('success', t('saved'))
    await refresh()
  }
  const remove = async (row: Reviewer) => {
    if (await confirm({ title: t('remove'), text: t('remove.ask', { name: row.name }), danger: true }))
      await save({ userId: row.userId, level, remove: 1 }).catch(() => {})
  }
  const mayEdit = can('examine_allot')
  return (
    <section className="card">
      <h2>{t('reviewers')}</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section className="plain-table" aria-label={t('reviewers')} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t('name')}</th>
              <th scope="col">{t('units')}</th>
              <th scope="col">{t('codes')}</th>
              {(['quota', 'waiting', 'overdue', 'done', 'avg'] as const).map(key => (
                <th key={key} scope="col" data-align="right">
                  {t(key)}
                </th>
              ))}
              <th scope="col">{t('state')}</th>
              {mayEdit ? <td /> : null}
            </tr>
          </thead>
          <tbody>
            {reviewers.map(row => (
              <tr key={row.userId}>
                <th scope="row">{row.name}</th>
                <td>{row.units.length === 0 ? t('all') : row.units.map(unit => unitNames.get(unit) ?? unit).join('、')}</td>
                <td>{row.codes.length === 0 ? t('all') : row.codes.join('、')}</td>
                <td data-align="right">{row.quota === 0 ? t('quota.none') : row.quota}</td>
                <td data-align="right">{row.waiting}</td>
                <td data-align="right" className={row.overdue > 0 ? 'allot-late' : undefined}>
                  {row.overdue}
                </td>
                <td data-align="right">{row.done}</td>
                <td data-align="right">{row.avgMinutes ?? '-'}</td>
                <td>
                  <StatusTag
                    tone={row.state === 1 ? 'passed' : 'closed'}
                    text={t(!isListed(row) ? 'reviews.gone' : row.state === 1 ? 'reviews.on' : 'reviews.off')}
                  />
                </td>
                {mayEdit ? (
                  <td>
                    {isListed(row) ? (
                      <>
                        {' '}
                        <button
                          type="button"
                          className="link-button"
                          aria-label={`${t('edit')} ${row.name}`}
                          onClick={() => setEdited(row)}
                        >
                          {t('edit')}
                        </button>{' '}
                        <button
                          type="button"
                          className="link-button"
                          data-danger="true"
                          aria-label={`${t('remove')} ${row.name}`}
                          onClick={() => void remove(row)}
                        >
                          {t('remove')}
                        </button>
                      </>
                    ) : candidates.some(one => one.userId === row.userId) ? (
                      <button
                        type="button"
                        className="link-button"
                        aria-label={`${t('add.one')} ${row.name}`}
                        onClick={() => void save({ userId: row.userId, level }).catch(() => {})}
                      >
                        {t('add.one')}
                      </button>
                    ) : null}
                  </td>
                ) : null}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {!mayEdit ? null : candidates.length === 0 && users.data !== undefined ? (
        <p>{t(reviewers.length === 0 ? 'add.none' : 'add.all')}</p>
      ) : (
        <div className="allot-bar">
          <label>
            <span>{t('add')}</span>
            <select
              className="input"
              value=""
              onChange={event => {
                if (event.target.value !== '') void save({ userId: event.target.value, level }).catch(() => {})
              }}
            >
              <option value="" />
              {candidates.map(one => (
                <option key={one.userId} value={one.userId}>
                  {one.name}（{one.account}）
                </option>
              ))}
            </select>
          </label>
        </div>
      )}
      {edited === null ? null : (
        <Suspense>
          <ReviewerDialog
            examId={examId}
            reviewer={edited}
            unitNames={unitNames}
            onClose={() => setEdited(null)}
            onSave={entry => save({ userId: edited.userId, level, ...entry })}
          />
        </Suspense>
      )}
    </section>
  )
}

const Allotment = ({ examId, level }: { readonly examId: string; readonly level: Level }) => {
  const t = useT(allotTexts)
  const can = useCan()
  const allot = useCall('GET /blade-exam/examination/getExamAllot', { examId, level }, { keepPrevious: true, refetchEveryMs: 60_000 })
  const units = useCall('GET /blade-signup/examine/getExamUnits', { examId }, { quiet: true })
  const unitNames = new Map((units.data ?? []).map(row => [row.unit, row.unitName]))
  return (
    <Loaded query={allot} skeletonRows={8}>
      {({ pool, allotted, done, overdue, mode, reviewers }) => (
        <>
          <StatCards>
            <StatCard name={t('pool')} value={pool} />
            <StatCard name={t('allotted')} value={allotted} />
            <StatCard name={t('done')} value={done} />
            <StatCard name={t('overdue.all')} value={overdue} />
          </StatCards>
          <Reviewers examId={examId} level={level} reviewers={reviewers} unitNames={unitNames} />
          {can('examine_allot') ? (
            <Run
              key={`${examId} ${level}`}
              examId={examId}
              level={level}
              own={mode as Mode}
              waiting={allotted}
              isStaffed={reviewers.some(row => row.state === 1)}
              unitNames={unitNames}
            />
          ) : null}
          <Waiting examId={examId} level={level} reviewers={reviewers} />
          <Recusals examId={examId} reviewers={reviewers} unitNames={unitNames} />
        </>
      )}
    </Loaded>
  )
}

/** Who reviews what of an examination (domain 5.5): reviewers with their load, handing out, moving one, recusals. */
export const Page = () => {
  const t = useT(allotTexts)
  const { examId, bar, none } = useExamChoice(true)
  const [level, setLevel] = useState<Level>(1)
  if (none || examId === null) return <ExamMissing text={t('none')} />
  return (
    <div className="allot">
      <div className="page-head">
        <h1>{t('title')}</h1>
      </div>
      {bar}
      <fieldset className="segmented" aria-label={t('level')}>
        {([1, 2] as const).map(each => (
          <button key={each} type="button" aria-pressed={level === each} onClick={() => setLevel(each)}>
            {t(`level.${each}`)}
          </button>
        ))}
      </fieldset>
      <Allotment examId={examId} level={level} />
    </div>
  )
}
