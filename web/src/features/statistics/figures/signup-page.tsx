import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type ApiInput, type ApiOutput, api } from '#web/kernel/api.ts'
import { grouped } from '#web/kernel/format.ts'
import { useLang, useT } from '#web/kernel/i18n/index.ts'
import { callKey, useCall } from '#web/kernel/query.ts'
import { ExamMissing } from '#web/resource/exam-missing.tsx'
import { ExportButtons } from '#web/resource/export-buttons.tsx'
import { startExport } from '#web/resource/export-jobs.ts'
import { useExamChoice } from '#web/resource/within.tsx'
import { Chart, prepareCharts } from '#web/ui/chart.tsx'
import { EmptyState, Loaded } from '#web/ui/states.tsx'
import { funnelData } from '../dashboard/figures.ts'
import { stagesQuery } from '../dashboard/stages.ts'
import { HiddenCell } from './hidden-cell.tsx'
import { RegionMap } from './region-map.tsx'
import { figureTexts } from './texts.ts'
import './figures.css'

type Answer = ApiOutput<'POST /blade-signup/statistics/getStatisticsInfo'>
type Cross = Exclude<Answer, readonly unknown[]>
type Dim = Exclude<ApiInput<'POST /blade-signup/statistics/getStatisticsInfo'>['dims'], string>[number]
const dims: readonly Dim[] = ['unit', 'type', 'code', 'education', 'degree', 'age', 'sex', 'region', 'political', 'fresh', 'school']
const most = 3
const numbers = ['signedUp', 'submitted', 'waiting', 'returned', 'passed', 'refused', 'left', 'paid'] as const

const useCross = (examId: string, chosen: readonly Dim[], unit: string | null) => {
  const lang = useLang()
  const input = { examId, dims: [...chosen], ...(unit === null ? {} : { unit }) }
  return useQuery({
    queryKey: [...callKey('POST /blade-signup/statistics/getStatisticsInfo', input), lang],
    queryFn: async ({ signal }): Promise<Cross | null> => {
      const answer = await api.call('POST /blade-signup/statistics/getStatisticsInfo', input, { signal, quiet: true })
      return Array.isArray(answer) ? null : answer
    },
    placeholderData: before => before,
  })
}

const CrossTable = ({ table }: { readonly table: Cross }) => {
  const t = useT(figureTexts)
  if (table.rows.length === 0) return <EmptyState text={t('empty')} />
  const shown = table.totalsOnly ? (['submitted'] as const) : numbers
  const isOfPosts = table.rows.some(row => row.planNum !== null)
  const hasOpens = table.rows.some(row => row.opens !== null)
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section className="plain-table" aria-label={t('signup.title')} tabIndex={0}>
        <table>
          <thead>
            <tr>
              {table.dims.map(dim => (
                <th key={dim.name} scope="col">
                  {dim.label}
                </th>
              ))}
              {isOfPosts ? (
                <th scope="col" data-align="right">
                  {t('planNum')}
                </th>
              ) : null}
              {shown.map(name => (
                <th key={name} scope="col" data-align="right">
                  {t(name)}
                </th>
              ))}
              {isOfPosts ? (
                <th scope="col" data-align="right">
                  {t('ratio')}
                </th>
              ) : null}
              {hasOpens ? <th scope="col">{t('opens')}</th> : null}
            </tr>
          </thead>
          <tbody>
            {table.rows.map(row => (
              <tr key={`${row.level} ${row.labels.join('|')}`} className={row.level > 0 ? 'figures-sum' : undefined}>
                {table.dims.map((dim, i) => (
                  <td key={dim.name}>{row.labels[i]}</td>
                ))}
                {isOfPosts ? <td data-align="right">{row.planNum}</td> : null}
                {shown.map(name => (
                  <td key={name} data-align="right">
                    {row[name] === null ? <HiddenCell /> : grouped(row[name])}
                  </td>
                ))}
                {isOfPosts ? <td data-align="right">{row.ratio}</td> : null}
                {hasOpens ? <td>{row.opens === null ? '' : t(row.opens ? 'yes' : 'no')}</td> : null}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {table.totalsOnly ? null : <p>{t('counted')}</p>}
      {isOfPosts ? null : <p>{t('noPlan')}</p>}
      {table.hidden ? <p>{t('hidden')}</p> : null}
      {table.totalsOnly ? <p>{t('totalsOnly')}</p> : null}
    </>
  )
}

const Regions = ({ examId, unit }: { readonly examId: string; readonly unit: string | null }) => {
  const table = useCross(examId, ['region'], unit).data
  const regions = (table?.rows ?? []).filter(row => row.level === 0)
  return <RegionMap regions={regions.map(row => ({ code: row.keys[0] ?? null, name: row.labels[0] ?? '', people: row.submitted }))} />
}

const Charts = ({ examId, unit }: { readonly examId: string; readonly unit: string | null }) => {
  const t = useT(figureTexts)
  const lang = useLang()
  const stages = useQuery(stagesQuery({ examId, unit }, lang))
  const input = { examId, ...(unit === null ? {} : { unit }) }
  const sexes = useQuery({
    queryKey: [...callKey('POST /blade-signup/statistics/getSexStatisticsInfo', input), lang],
    queryFn: ({ signal }) => api.call('POST /blade-signup/statistics/getSexStatisticsInfo', input, { signal, quiet: true }),
  })
  const ages = sexes.data ?? []
  return (
    <div className="figures-charts">
      <Chart
        title={t('sex')}
        data={{
          kind: 'bar',
          stacked: true,
          lying: true,
          axis: t('dim.age'),
          categories: ages.map(row => row.name),
          series: (['male', 'female', 'unknown'] as const).map(name => ({ name: t(name), values: ages.map(row => row[name]) })),
        }}
      />
      <Chart title={t('funnel')} data={funnelData(stages.data ?? [], t('people'), t('axis'))} />
      <Regions examId={examId} unit={unit} />
    </div>
  )
}

const Figures = ({ examId }: { readonly examId: string }) => {
  const t = useT(figureTexts)
  const [chosen, setChosen] = useState<readonly Dim[]>(['unit'])
  const [unit, setUnit] = useState<string | null>(null)
  const tree = useCall('GET /blade-signup/statistics/getExamUnitAndCode', { examId }, { quiet: true })
  const table = useCross(examId, chosen, unit)
  const toggle = (dim: Dim) => {
    if (!chosen.includes(dim)) setChosen([...chosen, dim])
    else if (chosen.length > 1) setChosen(chosen.filter(one => one !== dim))
  }
  const download = () =>
    startExport(
      {
        method: 'POST',
        path: '/blade-signup/statistics/statisticsInfoExcel',
        body: { examId, dims: chosen, ...(unit === null ? {} : { unit }) },
      },
      t('signup.title'),
    )
  return (
    <>
      <div className="card figures-bar">
        <label>
          <span>{t('unit')}</span>
          <select className="input" value={unit ?? ''} onChange={event => setUnit(event.target.value || null)}>
            <option value="">{t('unit.all')}</option>
            {(tree.data ?? []).map(one => (
              <option key={one.value} value={one.value}>
                {one.label}
              </option>
            ))}
          </select>
        </label>
        <fieldset className="figures-dims">
          <legend>{t('dims')}</legend>
          {dims.map(dim => (
            <button
              key={dim}
              type="button"
              className="button"
              aria-pressed={chosen.includes(dim)}
              disabled={!chosen.includes(dim) && chosen.length >= most}
              onClick={() => toggle(dim)}
            >
              {chosen.includes(dim) ? `${chosen.indexOf(dim) + 1}. ` : ''}
              {t(`dim.${dim}`)}
            </button>
          ))}
        </fieldset>
        <ExportButtons onExport={download} label={t('export')} />
      </div>
      <Loaded query={table} skeletonRows={8}>
        {data => (data === null ? <EmptyState text={t('empty')} /> : <CrossTable table={data} />)}
      </Loaded>
      <Charts examId={examId} unit={unit} />
    </>
  )
}

/** Sign-ups by up to three dimensions, by sex and age, by region, and how far they got (domain 5.8, 6.2). */
export const Page = () => {
  const t = useT(figureTexts)
  useEffect(prepareCharts, [])
  const { examId, bar, none } = useExamChoice(true)
  if (none || examId === null) return <ExamMissing text={t('none')} />
  return (
    <div className="figures">
      <div className="page-head">
        <h1>{t('signup.title')}</h1>
      </div>
      {bar}
      <Figures key={examId} examId={examId} />
    </div>
  )
}
