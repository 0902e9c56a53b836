import { yuanOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { Chart } from '#web/ui/chart.tsx'
import type { ChartData } from '#web/ui/chart-data.ts'
import { Facts } from '#web/ui/facts.tsx'
import { ProgressBar } from '#web/ui/progress-bar.tsx'
import { StatCard, StatCards } from '#web/ui/stat-card.tsx'
import { EmptyState, FailedState, Forbidden, PageSkeleton } from '#web/ui/states.tsx'
import { StatusTag } from '#web/ui/status-tag.tsx'
import { Stepper } from '#web/ui/stepper.tsx'
import { Timeline } from '#web/ui/timeline.tsx'
import { Block } from './block.tsx'
import { tones } from './columns.tsx'
import type { PartProps } from './parts.ts'
import { people } from './sample.ts'
import { kitTexts } from './texts.ts'

/** Everything that is only looked at. */
export const ShowPart = () => {
  const t = useT(kitTexts)
  const steps = ([1, 2, 3, 4] as const).map(step => t(`step.${step}`))
  const person = people[0]
  return (
    <div className="kit-grid">
      <Block title={t('show.tags')}>
        <div className="kit-row">
          {tones.map((tone, index) => (
            <StatusTag key={tone} tone={tone} text={t(`tone.${index as 0 | 1 | 2 | 3 | 4 | 5}`)} />
          ))}
        </div>
      </Block>
      <Block title={t('show.cards')}>
        <StatCards>
          <StatCard name={t('show.signups')} value={12_034} note={t('show.note')} />
          <StatCard name={t('show.paid')} value={yuanOf(54_153_000)} />
          <StatCard name={t('show.rate')} value="87.5%" />
          <StatCard name={t('show.waiting')} value={null} />
        </StatCards>
      </Block>
      <Block title={t('show.steps')}>
        {[0, 2, 4].map(now => (
          <Stepper key={now} steps={steps} now={now} />
        ))}
      </Block>
      <Block title={t('show.timeline')}>
        <Timeline
          entries={[
            { key: '4', time: '2026-11-20 10:05:00', title: t('event.4'), tone: 'passed' },
            { key: '3', time: '2026-11-19 18:30:00', title: t('event.3'), tone: 'active' },
            { key: '2', time: '2026-11-19 09:12:00', title: t('event.2'), detail: t('event.2.detail'), tone: 'refused' },
            { key: '1', time: '2026-11-18 21:40:00', title: t('event.1') },
          ]}
        />
      </Block>
      <Block title={t('show.facts')}>
        <Facts
          items={[
            { key: 'name', label: t('name'), value: <span lang="zh">{person?.name}</span> },
            { key: 'idCard', label: t('idCard'), value: person?.idCard },
            { key: 'post', label: t('post'), value: <span lang="zh">{people[5]?.post}</span> },
            { key: 'remark', label: t('remark'), value: '' },
          ]}
        />
      </Block>
      <Block title={t('show.progress')}>
        {[0, 45, 100].map(percent => (
          <ProgressBar key={percent} percent={percent} text={`${percent}%`} label={t('show.progress')} />
        ))}
      </Block>
    </div>
  )
}

const chartOf = (state: PartProps['state'], t: ReturnType<typeof useT<(typeof kitTexts)['zh']>>): ChartData => {
  const categories = ['A01', 'A02', 'A03', 'B01', 'B02', 'C01']
  const series = [
    { name: t('chart.a'), values: [120, 86, 45, 210, 33, 61] },
    { name: t('chart.b'), values: [80, 60, 41, null, 20, 58] },
  ]
  switch (state) {
    case 'stack':
      return { kind: 'bar', categories, series, stacked: true, lying: true }
    case 'line':
      return { kind: 'line', categories, series, mark: { at: 'B01', label: t('chart.deadline') } }
    case 'pie':
      return { kind: 'pie', categories, series: series.slice(0, 1), centre: { value: '555', label: t('chart.centre') } }
    case 'empty':
      return { kind: 'bar', categories: [], series: [] }
    default:
      return { kind: 'bar', categories, series }
  }
}

/** A chart with its table twin. */
export const ChartPart = ({ state }: PartProps) => {
  const t = useT(kitTexts)
  return <Chart title={t('chart.title')} data={chartOf(state, t)} />
}

/** What a page shows when it has nothing to show. */
export const StatePart = ({ state }: PartProps) => {
  const t = useT(kitTexts)
  const again = () => notify('info', t('retried'))
  if (state === 'empty')
    return (
      <div className="card">
        <EmptyState
          action={
            <button type="button" className="button button-primary" onClick={again}>
              {t('action.add')}
            </button>
          }
        />
      </div>
    )
  if (state === 'error')
    return (
      <div className="card">
        <FailedState onRetry={again} />
      </div>
    )
  if (state === 'forbidden')
    return (
      <div className="card">
        <Forbidden inside />
      </div>
    )
  return <PageSkeleton />
}
