import { examMachine } from '#contract/exam/exam.state.ts'
import { type ExamPhase, phaseTones } from '#contract/exam/window.ts'
import type { StepKey } from '#contract/statistics/overview.routes.ts'
import { workspacePath } from '#web/console/page-entry.ts'
import type { ApiOutput } from '#web/kernel/api.ts'
import { grouped, minuteOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { useCall } from '#web/kernel/query.ts'
import { yuanOf } from '#web/kernel/yuan.ts'
import { NavLink } from '#web/shell/nav-link.tsx'
import { Loaded } from '#web/ui/states.tsx'
import { StatusTag } from '#web/ui/status-tag.tsx'
import { comingOf, type Place, placeOfNext, placeOfProblem, placeOfStep, placeOfWarning, whenOf } from './places.ts'
import { workspaceTexts } from './texts.ts'
import { hrefTo, type Part } from './use-parts.ts'

type Facts = ApiOutput<'GET /blade-exam/examination/overview'>
interface Frame {
  readonly facts: Facts
  readonly to: (place: Place | null) => string | null
}

const useStretchName = () => {
  const t = useT(workspaceTexts)
  return ({ key, paper }: Facts['timeline'][number]): string => t(`line.${key}`, { name: paper })
}

/** Pages of work that is not done within the examination. */
const outside: Readonly<Record<string, string>> = { close: '/exam/examination', approvals: '/examine/export' }

const Next = ({ facts, to }: Frame) => {
  const t = useT(workspaceTexts)
  const nameOf = useStretchName()
  const { next, timeline, serverTime } = facts
  const href = to(placeOfNext(facts)) ?? outside[next.key] ?? null
  const coming = comingOf(timeline, serverTime)
  return (
    <section className="card workspace-next">
      <h2>{t('next.title')}</h2>
      {href === null || next.key === 'none' ? (
        <p>{t('next.none')}</p>
      ) : (
        <NavLink to={href} className="button button-primary workspace-do">
          {t(`next.${next.key}`, { count: next.count })}
        </NavLink>
      )}
      {coming === null ? null : (
        <p className="workspace-quiet">
          {t('next.until', {
            what: t(coming.isEnd ? 'line.ends' : 'line.begins', { what: nameOf(coming.stretch) }),
            time: minuteOf(coming.time),
          })}
        </p>
      )}
    </section>
  )
}

const Timeline = ({ facts }: { readonly facts: Facts }) => {
  const t = useT(workspaceTexts)
  const nameOf = useStretchName()
  return (
    <section className="card">
      <h2>{t('line.title')}</h2>
      {facts.timeline.length === 0 ? <p className="workspace-quiet">{t('line.empty')}</p> : null}
      <ol className="workspace-line">
        {facts.timeline.map(stretch => {
          const when = whenOf(stretch, facts.serverTime)
          return (
            <li
              key={`${stretch.key} ${stretch.paper} ${stretch.begin}`}
              data-when={when}
              aria-current={when === 'now' ? 'step' : undefined}
            >
              <strong>
                {nameOf(stretch)}
                {when === 'now' ? <em>{t('line.here')}</em> : null}
              </strong>
              <span>
                {stretch.begin === null ? '' : minuteOf(stretch.begin)}
                {stretch.end === null ? '' : ` – ${minuteOf(stretch.end)}`}
              </span>
            </li>
          )
        })}
      </ol>
    </section>
  )
}

const Readiness = ({ facts, to }: Frame) => {
  const t = useT(workspaceTexts)
  const { problems, notices, next } = facts
  if (facts.state !== 0 || (problems.length === 0 && next.key !== 'release')) return null
  return (
    <section className="card workspace-ready" data-done={problems.length === 0}>
      <h2>{problems.length === 0 ? t('ready.done') : t('ready.title', { count: problems.length })}</h2>
      <ul>
        {problems.map(({ path, msg }) => {
          const href = to(placeOfProblem(path))
          return <li key={`${path} ${msg}`}>{href === null ? msg : <NavLink to={href}>{msg}</NavLink>}</li>
        })}
      </ul>
      {notices.length === 0 ? null : (
        <>
          <h3>{t('ready.notices')}</h3>
          <ul>
            {notices.map(({ path, msg }) => (
              <li key={`${path} ${msg}`}>{msg}</li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

/** Steps in which somebody waits: of the others nothing is old. */
const waits: ReadonlySet<StepKey> = new Set<StepKey>(['waiting', 'second', 'returned', 'due', 'refunds', 'postings', 'corrections'])

const Steps = ({ facts, to }: Frame) => {
  const t = useT(workspaceTexts)
  if (facts.steps.length === 0) return null
  return (
    <section>
      <h2>{t('steps.title')}</h2>
      <ul className="workspace-steps">
        {facts.steps.map(({ key, count, oldestTime }) => {
          const href = count === 0 ? null : to(placeOfStep[key])
          const inner = (
            <>
              <span className="workspace-count">{grouped(count)}</span>
              <span>{t(`step.${key}`)}</span>
              {count > 0 && oldestTime !== null && waits.has(key) ? (
                <small>{t('steps.since', { time: minuteOf(oldestTime) })}</small>
              ) : null}
            </>
          )
          return (
            <li key={key} data-empty={count === 0}>
              {href === null ? (
                <div className="card">{inner}</div>
              ) : (
                <NavLink to={href} className="card">
                  {inner}
                </NavLink>
              )}
            </li>
          )
        })}
      </ul>
    </section>
  )
}

const Money = ({ facts: { money } }: { readonly facts: Facts }) => {
  const t = useT(workspaceTexts)
  if (money === null) return null
  const rows = [
    ['paid', money.paidFen],
    ['due', money.dueFen],
    ['refunded', money.refundedFen],
  ] as const
  return (
    <section className="card">
      <h2>{t('money.title')}</h2>
      <dl className="workspace-money">
        {rows.map(([key, fen]) => (
          <div key={key}>
            <dt>{t(`money.${key}`)}</dt>
            <dd>{t('money.yuan', { amount: yuanOf(fen) })}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

const Warnings = ({ facts, to }: Frame) => {
  const t = useT(workspaceTexts)
  if (facts.warnings.length === 0) return null
  return (
    <section className="card workspace-warn">
      <h2>{t('warn.title')}</h2>
      <ul>
        {facts.warnings.map(({ key, count }) => {
          const href = to(placeOfWarning[key]) ?? outside[key] ?? null
          const text = t(`warn.${key}`, { count })
          return <li key={key}>{href === null ? text : <NavLink to={href}>{text}</NavLink>}</li>
        })}
      </ul>
    </section>
  )
}

const Changes = ({ facts }: { readonly facts: Facts }) => {
  const t = useT(workspaceTexts)
  return (
    <section className="card">
      <h2>{t('changes.title')}</h2>
      {facts.changes.length === 0 ? <p className="workspace-quiet">{t('changes.none')}</p> : null}
      <ul className="workspace-changes">
        {facts.changes.map(change => (
          <li key={change.id}>
            <span>
              {change.what} {change.about}
            </span>
            <small>
              {change.who || t('changes.system')} · {minuteOf(change.time)}
            </small>
          </li>
        ))}
      </ul>
      {facts.changes.length === 0 ? null : <NavLink to={workspacePath(facts.examId, 'history')}>{t('changes.all')}</NavLink>}
    </section>
  )
}

/** The examination at a glance: what it needs, where it stands, what is missing, who waits, what was changed. */
export const Overview = ({ examId, parts }: { readonly examId: string; readonly parts: readonly Part[] }) => {
  const query = useCall('GET /blade-exam/examination/overview', { examId }, { quiet: true })
  return (
    <Loaded query={query}>
      {facts => {
        const to = (place: Place | null) => place && hrefTo(parts, examId, place)
        return (
          <div className="workspace-overview">
            <div className="page-head">
              <h1>{facts.examName}</h1>
              <StatusTag
                tone={facts.state === examMachine.wire.draft ? examMachine.tone.draft : (phaseTones[facts.phase as ExamPhase] ?? 'draft')}
                text={facts.phaseLabel}
              />
            </div>
            <div className="workspace-columns">
              <div>
                <Next facts={facts} to={to} />
                <Readiness facts={facts} to={to} />
                <Warnings facts={facts} to={to} />
                <Steps facts={facts} to={to} />
              </div>
              <div>
                <Timeline facts={facts} />
                <Money facts={facts} />
                <Changes facts={facts} />
              </div>
            </div>
          </div>
        )
      }}
    </Loaded>
  )
}
