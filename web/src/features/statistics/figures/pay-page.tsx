import { useEffect, useState } from 'react'
import { grouped, yuanOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { useCall } from '#web/kernel/query.ts'
import { ExamMissing } from '#web/resource/exam-missing.tsx'
import { useExamChoice } from '#web/resource/within.tsx'
import { Chart, prepareCharts } from '#web/ui/chart.tsx'
import { Pager } from '#web/ui/pager.tsx'
import { EmptyState, Loaded } from '#web/ui/states.tsx'
import { StatusTag } from '#web/ui/status-tag.tsx'
import { HiddenCell } from './hidden-cell.tsx'
import { figureTexts } from './texts.ts'
import './figures.css'

const Figures = ({ examId }: { readonly examId: string }) => {
  const t = useT(figureTexts)
  const [itemId, setItemId] = useState('')
  const [unit, setUnit] = useState('')
  const [page, setPage] = useState({ current: 1, size: 20 })
  const papers = useCall('GET /blade-signup/statistics/getExamItemByExamId', { examId }, { quiet: true })
  const tree = useCall('GET /blade-signup/statistics/getExamUnitAndCode', { examId }, { quiet: true })
  const paper = itemId === '' ? {} : { itemId }
  const top = useCall('GET /blade-signup/statistics/getPayByGW', { examId, ...paper }, { quiet: true })
  const all = useCall(
    'GET /blade-signup/statistics/getPayByGWPage',
    { examId, ...paper, ...page, ...(unit === '' ? {} : { unit }) },
    { quiet: true, keepPrevious: true },
  )
  const drawn = (top.data ?? []).filter(row => row.should !== null && row.should > 0)
  return (
    <>
      <div className="card figures-bar">
        <label>
          <span>{t('unit')}</span>
          <select
            className="input"
            value={unit}
            onChange={event => {
              setUnit(event.target.value)
              setPage({ ...page, current: 1 })
            }}
          >
            <option value="">{t('unit.all')}</option>
            {(tree.data ?? []).map(one => (
              <option key={one.value} value={one.value}>
                {one.label}
              </option>
            ))}
          </select>
        </label>
        <label>
          <span>{t('paper')}</span>
          <select className="input" value={itemId} onChange={event => setItemId(event.target.value)}>
            <option value="">{t('paper.all')}</option>
            {(papers.data ?? []).map(one => (
              <option key={one.id} value={one.id}>
                {one.itemName}
              </option>
            ))}
          </select>
        </label>
      </div>
      <Chart
        title={t('top')}
        heightPx={420}
        data={{
          kind: 'bar',
          lying: true,
          axis: t('post'),
          categories: drawn.map(row => `${row.code} ${row.codeName}`),
          series: [
            { name: t('should'), values: drawn.map(row => row.should) },
            { name: t('paidPeople'), values: drawn.map(row => row.paid) },
          ],
        }}
      />
      <Loaded query={all} skeletonRows={8}>
        {({ records, total }) =>
          records.length === 0 ? (
            <EmptyState text={t('empty')} />
          ) : (
            <>
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
              <section className="plain-table" aria-label={t('all')} tabIndex={0}>
                <table>
                  <thead>
                    <tr>
                      <th scope="col">{t('unit')}</th>
                      <th scope="col">{t('post')}</th>
                      {(['planNum', 'should', 'paidPeople', 'amount', 'payRatio'] as const).map(key => (
                        <th
                          key={key}
                          scope="col"
                          data-align="right"
                          title={key === 'planNum' || key === 'payRatio' ? undefined : t(`${key}.means`)}
                        >
                          {t(key)}
                        </th>
                      ))}
                      <td />
                    </tr>
                  </thead>
                  <tbody>
                    {records.map(row => (
                      <tr key={row.code}>
                        <td>{row.unitName}</td>
                        <th scope="row">
                          {row.code} {row.codeName}
                        </th>
                        <td data-align="right">{row.planNum}</td>
                        <td data-align="right">{row.should === null ? <HiddenCell /> : grouped(row.should)}</td>
                        <td data-align="right">{row.paid === null ? <HiddenCell /> : grouped(row.paid)}</td>
                        <td data-align="right">{row.amount === null ? <HiddenCell /> : yuanOf(row.amount)}</td>
                        <td data-align="right">{row.should === null ? <HiddenCell /> : row.ratio}</td>
                        <td>{row.below ? <StatusTag tone="waiting" text={t('below')} /> : null}</td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </section>
              <p>{t('countedDues')}</p>
              {records.some(row => row.should === null) ? <p>{t('hidden')}</p> : null}
              <Pager current={page.current} size={page.size} total={total} onChange={(current, size) => setPage({ current, size })} />
            </>
          )
        }
      </Loaded>
    </>
  )
}

/** Who owes and who has paid, by post (domain 5.8, 6.2). */
export const Page = () => {
  const t = useT(figureTexts)
  useEffect(prepareCharts, [])
  const { examId, bar, none } = useExamChoice(true)
  if (none || examId === null) return <ExamMissing text={t('none')} />
  return (
    <div className="figures">
      <div className="page-head">
        <h1>{t('pay.title')}</h1>
      </div>
      {bar}
      <Figures key={examId} examId={examId} />
    </div>
  )
}
