import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useCallback, useEffect, useMemo } from 'react'
import { figureOfStage } from '#contract/signup/figures.ts'
import { type ExamRow, releasedOf } from '#web/resource/exam-rows.ts'
import { useExamRows } from '#web/resource/exams.ts'
import { yuanOf } from '../../../kernel/format.ts'
import { useLabel, useLang, useT } from '../../../kernel/i18n/index.ts'
import { useCan, usePermissionStore } from '../../../kernel/permission.ts'
import { useCall } from '../../../kernel/query.ts'
import { useChoice } from '../../../resource/choice.tsx'
import { usePage } from '../../../shell/page-context.tsx'
import { Chart, ChartCard, prepareCharts } from '../../../ui/chart.tsx'
import type { ChartData } from '../../../ui/chart-data.ts'
import { StatCard, StatCards } from '../../../ui/stat-card.tsx'
import { EmptyState, FailedState, Loaded, PageSkeleton } from '../../../ui/states.tsx'
import { statisticsTexts } from '../texts.ts'
import {
  funnelData,
  type Grain,
  type LineStat,
  lineData,
  moneyOf,
  type PayStat,
  type PlanStat,
  payData,
  planData,
  type RankingStat,
  rankingData,
  type StageStat,
  type TypeStat,
  typeData,
} from './figures.ts'
import { inputOf, type Scope, stagesQuery } from './stages.ts'
import './dashboard.css'

/** The server keeps a figure for 30 seconds; while somebody looks it is asked for again. */
const refreshMs = 60_000
const often = { quiet: true, refetchEveryMs: refreshMs, keepPrevious: true } as const

interface LoadOf<T> {
  readonly data: T | undefined
  readonly isError: boolean
  readonly error: unknown
  readonly refetch: () => unknown
}

/** A chart, or the card in its place while its figures are on the way, missing or none. */
const Figure = <T,>({
  title,
  query,
  data,
  none,
  ...rest
}: {
  readonly title: string
  readonly query: LoadOf<T>
  readonly data: (value: T) => ChartData
  readonly none: string
  readonly heightPx?: number
}) => {
  const value = query.data
  const drawn = useMemo(() => (value === undefined ? null : data(value)), [value, data])
  const isNone = drawn?.series.every(series => series.values.every(each => each === null || each === 0))
  if (drawn !== null && !isNone) return <Chart title={title} data={drawn} {...rest} />
  return (
    <ChartCard title={title} {...rest}>
      {drawn !== null ? (
        <EmptyState text={none} />
      ) : query.isError ? (
        <FailedState text={query.error instanceof Error ? query.error.message : undefined} onRetry={() => void query.refetch()} />
      ) : (
        <PageSkeleton rows={6} />
      )}
    </ChartCard>
  )
}

const useStages = (scope: Scope) => useQuery({ ...stagesQuery(scope, useLang()), refetchInterval: refreshMs })

const SignupCards = ({ scope, children }: { readonly scope: Scope; readonly children?: ReactNode }) => {
  const t = useT(statisticsTexts)
  const label = useLabel()
  const stages = useStages(scope)
  if (stages.isError && stages.data === undefined)
    return (
      <section className="card">
        <FailedState text={stages.error.message} onRetry={() => void stages.refetch()} />
      </section>
    )
  return (
    <StatCards>
      {Object.entries(figureOfStage).map(([stage, { label: name, means }]) => {
        const row = stages.data?.find(each => each.stage === stage)
        const note = stage === 'waiting' ? t('kpi.waitingToday', { n: row?.today ?? 0 }) : t('kpi.today', { n: row?.today ?? 0 })
        return (
          <StatCard
            key={stage}
            name={label(name)}
            value={row?.num ?? null}
            means={label(means)}
            note={row === undefined ? '…' : <span data-fresh={row.today > 0}>{note}</span>}
          />
        )
      })}
      {children}
    </StatCards>
  )
}

/** Posts that nobody has chosen, while there is time to do something about it. */
const EmptyPosts = ({ query }: { readonly query: LoadOf<RankingStat> }) => {
  const t = useT(statisticsTexts)
  return (
    <ChartCard
      title={query.data === undefined ? t('empty.title') : t('empty.count', { count: query.data.emptyCount, total: query.data.postCount })}
    >
      <Loaded query={query} skeletonRows={6}>
        {({ empty, emptyCount }) =>
          empty.length === 0 ? (
            <EmptyState text={t('empty.none')} />
          ) : (
            <>
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard has to reach it */}
              <section className="dashboard-posts" aria-label={t('empty.title')} tabIndex={0}>
                <ul>
                  {empty.map(row => (
                    <li key={row.code}>
                      <b>{row.code}</b> {row.codeName} <small>{t('empty.post', { unit: row.unitName, count: row.curNum })}</small>
                    </li>
                  ))}
                </ul>
              </section>
              {emptyCount > empty.length ? <p className="dashboard-note">{t('empty.more', { count: emptyCount - empty.length })}</p> : null}
            </>
          )
        }
      </Loaded>
    </ChartCard>
  )
}

const SignupFigures = ({ scope, grain, exam }: { readonly scope: Scope; readonly grain: Grain; readonly exam: ExamRow | undefined }) => {
  const t = useT(statisticsTexts)
  const input = inputOf(scope)
  const line = useCall('GET /blade-signup/statistics/getNumToLine', { examId: scope.examId, grain }, often)
  const plan = useCall('GET /blade-signup/statistics/getZpjhForType', input, often)
  const signed = useCall('GET /blade-signup/statistics/getBmrsForType', input, often)
  const passed = useCall('GET /blade-signup/statistics/getShtgrsByType', input, often)
  const waiting = useCall('GET /blade-signup/statistics/getWshrsByType', input, often)
  const ranking = useCall('GET /blade-signup/statistics/getPostRanking', input, often)
  const stages = useStages(scope)
  const failed = [plan, signed, passed].find(query => query.isError && query.data === undefined)
  const three: LoadOf<readonly [PlanStat, TypeStat, TypeStat]> = {
    data: useMemo(
      () => (plan.data && signed.data && passed.data ? ([plan.data, signed.data, passed.data] as const) : undefined),
      [plan.data, signed.data, passed.data],
    ),
    isError: failed !== undefined,
    error: failed?.error,
    refetch: () => Promise.all([plan, signed, passed].map(query => query.refetch())),
  }
  const deadline = exam?.signEnd
  const lineTitle = scope.unit === null ? t('line.title') : t('allUnits', { title: t('line.title') })
  return (
    <>
      <div className="dashboard-wide">
        <Figure
          title={lineTitle}
          query={line}
          none={t('none.signup')}
          data={useCallback(
            (value: LineStat) =>
              lineData(value, grain, deadline, {
                submitted: t('line.submitted'),
                passed: t('line.passed'),
                paid: t('line.paid'),
                deadline: t('line.deadline'),
                axis: [
                  t(grain === 'day' ? 'axis.day' : 'axis.hour'),
                  ...(value.outside > 0 ? [t('line.outside', { n: value.outside })] : []),
                ].join(' · '),
              }),
            [grain, deadline, t],
          )}
        />
      </div>
      <div className="dashboard-wide">
        <Figure
          title={t('plan.title')}
          query={three}
          none={t('none.signup')}
          data={useCallback(
            ([plans, signups, passes]: readonly [PlanStat, TypeStat, TypeStat]) =>
              planData(plans, signups, passes, {
                plan: t('plan.plan'),
                signed: t('plan.signed'),
                passed: t('plan.passed'),
                axis: t('axis.type'),
              }),
            [t],
          )}
        />
      </div>
      <Figure
        title={t('waiting.title')}
        query={waiting}
        none={t('waiting.none')}
        data={useCallback((value: TypeStat) => typeData(value, t('waiting.name'), t('axis.type')), [t])}
      />
      <Figure
        title={t('ranking.title')}
        query={ranking}
        none={t('none.signup')}
        data={useCallback(
          (value: RankingStat) => rankingData(value, { num: t('funnel.num'), places: t('ranking.places'), axis: t('ranking.axis') }),
          [t],
        )}
      />
      <EmptyPosts query={ranking} />
      <Figure
        title={t('funnel.title')}
        query={stages}
        none={t('none.signup')}
        data={useCallback((value: StageStat) => funnelData(value, t('funnel.num'), t('axis.stage')), [t])}
      />
    </>
  )
}

const usePay = (examId: string) => useCall('GET /blade-signup/statistics/getPayByState', { examId }, often)

const PayFigure = ({ scope }: { readonly scope: Scope }) => {
  const t = useT(statisticsTexts)
  const pay = usePay(scope.examId)
  const title = scope.unit === null ? t('pay.title') : t('allUnits', { title: t('pay.title') })
  return (
    <Figure
      title={title}
      query={pay}
      none={t('pay.none')}
      data={useCallback(
        (value: PayStat) =>
          payData(
            value,
            { num: t('pay.num'), amount: t('pay.amount'), axis: t('axis.state') },
            { value: yuanOf(moneyOf(value).paidFen), label: t('pay.centre') },
          ),
        [t],
      )}
    />
  )
}

/** For those who see money only (domain 2.2): the same row of cards out of the dues. */
const PayCards = ({ examId }: { readonly examId: string }) => {
  const t = useT(statisticsTexts)
  const { data } = usePay(examId)
  const money = data === undefined ? null : moneyOf(data)
  return (
    <StatCards>
      <StatCard name={t('kpi.due')} value={money?.dueNum ?? null} />
      <StatCard name={t('kpi.paid')} value={money?.paidNum ?? null} />
      <StatCard name={t('kpi.dueAmount')} value={money === null ? null : yuanOf(money.dueFen)} means={t('kpi.dueAmount.means')} />
      <StatCard name={t('kpi.paidAmount')} value={money === null ? null : yuanOf(money.paidFen)} means={t('kpi.paidAmount.means')} />
    </StatCards>
  )
}

const UnitSelect = ({
  examId,
  unit,
  onUnit,
}: {
  readonly examId: string
  readonly unit: string | null
  readonly onUnit: (unit: string | null) => void
}) => {
  const t = useT(statisticsTexts)
  const tree = useCall('GET /blade-signup/statistics/getExamUnitAndCode', { examId }, { quiet: true })
  const units = tree.data ?? []
  if (units.length < 2 && unit === null) return null
  return (
    <label>
      <span>{t('unit')}</span>
      <select className="input" value={unit ?? ''} onChange={event => onUnit(event.target.value || null)}>
        <option value="">{t('unit.all')}</option>
        {units.map(each => (
          <option key={each.value} value={each.value}>
            {each.label}
          </option>
        ))}
      </select>
    </label>
  )
}

/** S2.08: the figures of one examination (domain 6.2). */
export const Page = () => {
  const t = useT(statisticsTexts)
  const { search, setSearch, fixed } = usePage()
  const can = useCan()
  const isGranted = usePermissionStore(state => state.granted !== null)
  const exams = useExamRows()
  useEffect(prepareCharts, [])
  const listed = useMemo(() => exams.data && releasedOf(exams.data.records), [exams.data])
  const options = useMemo(() => listed?.map(exam => ({ value: exam.id, label: exam.examName })), [listed])
  const { value: examId, choose } = useChoice('examId', options)
  const unit = search.get('unit')
  const grain: Grain = search.get('grain') === 'hour' ? 'hour' : 'day'
  const change = (part: Readonly<Record<string, string | null>>) => setSearch({ ...Object.fromEntries(search), ...part })
  if (exams.isError && exams.data === undefined) return <FailedState text={exams.error.message} onRetry={() => void exams.refetch()} />
  if (options === undefined || !isGranted) return <PageSkeleton />
  if (examId === null) return <EmptyState text={t('exam.none')} />
  const signup = can('dashboard_signup')
  const pay = can('dashboard_pay')
  const scope: Scope = { examId, unit }
  return (
    <div className="dashboard">
      <div className="page-head">
        <h1>{t('title')}</h1>
        <span className="dashboard-note">{signup ? `${t('updated')} · ${t('counted')}` : t('updated')}</span>
      </div>
      <div className="card dashboard-filter">
        {fixed.examId === undefined ? (
          <label className="dashboard-exam">
            <span>{t('exam')}</span>
            <select className="input" value={examId} onChange={event => choose(event.target.value)}>
              {options.map(option => (
                <option key={option.value} value={option.value}>
                  {option.label}
                </option>
              ))}
            </select>
          </label>
        ) : null}
        {signup ? (
          <>
            <UnitSelect examId={examId} unit={unit} onUnit={next => change({ unit: next })} />
            <label>
              <span>{t('grain')}</span>
              <select className="input" value={grain} onChange={event => change({ grain: event.target.value === 'hour' ? 'hour' : null })}>
                <option value="day">{t('grain.day')}</option>
                <option value="hour">{t('grain.hour')}</option>
              </select>
            </label>
          </>
        ) : null}
      </div>
      {!signup && !pay ? <EmptyState text={t('forbidden')} /> : null}
      {signup ? <SignupCards scope={scope} /> : pay ? <PayCards examId={examId} /> : null}
      <div className="dashboard-charts">
        {signup ? <SignupFigures scope={scope} grain={grain} exam={listed?.find(exam => exam.id === examId)} /> : null}
        {pay ? <PayFigure scope={scope} /> : null}
      </div>
    </div>
  )
}
