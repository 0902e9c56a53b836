import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { type DataSet, dataSetOf } from '#contract/report/data-sets.ts'
import {
  byLabels,
  type ChartKind,
  chartKinds,
  chartWords,
  type Design,
  type DesignPart,
  designProblems,
  maxDimensions,
  maxMeasures,
  type TotalKind,
  totalKinds,
  totalWords,
} from '#contract/report/design.ts'
import { type ApiOutput, api } from '#web/kernel/api.ts'
import { isApiError } from '#web/kernel/api-error.ts'
import { useLabel, useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useCall } from '#web/kernel/query.ts'
import { listKey } from '#web/resource/crud-page.tsx'
import { goTo } from '#web/shell/go.ts'
import { moveOn } from '#web/shell/move-on.ts'
import { usePage, useTabTitle } from '#web/shell/page-context.tsx'
import { prepareCharts } from '#web/ui/chart.tsx'
import { confirm } from '#web/ui/dialog.tsx'
import { Check, LabelledInput, LabelledSelect } from '#web/ui/labelled.tsx'
import { EmptyState, Loaded, PageSkeleton } from '#web/ui/states.tsx'
import { useUnsaved } from '#web/ui/unsaved.ts'
import { GridChart, GridFeet, GridNotes, GridTable } from '../grid-table.tsx'
import { reportTexts } from '../texts.ts'
import { FiltersInput } from './filters-input.tsx'
import { NamesInput } from './names-input.tsx'
import '../report.css'

type Sets = ApiOutput<'GET /blade-report/report/datasets'>
type Detail = ApiOutput<'GET /blade-report/report/detail'>

/** The preview follows a moment after somebody stopped choosing. */
const restMs = 350
const previewRows = 50

const useRested = <T,>(value: T): T => {
  const [rested, setRested] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), restMs)
    return () => clearTimeout(timer)
  }, [value])
  return rested
}

const freshDesign = (dataSet: string): Design => {
  const set = dataSetOf(dataSet)
  return {
    dataSet,
    rows: Object.keys(set?.dimensions ?? {}).slice(0, 1),
    columns: [],
    measures: Object.keys(set?.measures ?? {}).slice(0, 1),
    filters: [],
    order: { by: byLabels, descending: false },
    totals: 'rows',
    chart: 'none',
  }
}

const Preview = ({ design, isSound }: { readonly design: Design; readonly isSound: boolean }) => {
  const t = useT(reportTexts)
  const asked = useRested(design)
  const query = useQuery({
    queryKey: ['report-preview', asked],
    queryFn: ({ signal }) =>
      api.call('POST /blade-report/report/preview', { design: asked, firstRows: previewRows }, { signal, quiet: true }),
    enabled: isSound && designProblems(asked).length === 0,
    placeholderData: keepPreviousData,
    retry: false,
  })
  const grid = query.data
  return (
    <section className="card report-preview" aria-label={t('design.preview')} aria-busy={query.isFetching}>
      <div className="report-bar">
        <h2>{t('design.preview')}</h2>
        <span className="report-hint" role="status">
          {query.isFetching ? t('design.preview.wait') : ''}
        </span>
      </div>
      {!isSound ? (
        <EmptyState text={t('design.preview.fix')} />
      ) : query.isError ? (
        <EmptyState text={query.error.message} />
      ) : grid === undefined ? (
        <PageSkeleton rows={5} />
      ) : (
        <>
          <GridNotes grid={grid} />
          <GridTable grid={grid} />
          <GridFeet grid={grid} />
          {grid.totalRows > grid.rows.length ? (
            <p className="report-hint">{t('design.preview.part', { shown: grid.rows.length, total: grid.totalRows })}</p>
          ) : null}
          <GridChart grid={grid} />
        </>
      )}
    </section>
  )
}

interface EditorProps {
  readonly sets: Sets
  readonly saved: Detail | null
  /** A report of somebody else, or another one, that this begins as. */
  readonly from: Detail | null
}

const Editor = ({ sets, saved, from }: EditorProps) => {
  const t = useT(reportTexts)
  const label = useLabel()
  const client = useQueryClient()
  const { path } = usePage()
  const start = saved ?? from
  const [design, setDesign] = useState<Design>(start?.design ?? freshDesign(sets[0]?.dataSet ?? ''))
  const [reportName, setReportName] = useState(saved?.reportName ?? '')
  const [roleIds, setRoleIds] = useState<readonly string[]>(saved?.roleIds ?? [])
  const [isChanged, setChanged] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [nameError, setNameError] = useState<string | undefined>()
  const choices = useCall(
    'GET /blade-report/report/choices',
    { dataSet: design.dataSet },
    { quiet: true, enabled: dataSetOf(design.dataSet) !== undefined },
  )
  const choicesBox = useRef<HTMLDivElement>(null)
  useUnsaved(path, () => isChanged)
  // The result of a report has its bare name.
  useTabTitle(reportName === '' ? null : { zh: `设计：${reportName}`, en: `Design: ${reportName}` })
  useEffect(prepareCharts, [])
  const change = (part: Partial<Design>) => {
    setDesign({ ...design, ...part })
    setChanged(true)
  }
  const changeSet = async (dataSet: string) => {
    const isFresh = JSON.stringify(design) === JSON.stringify(freshDesign(design.dataSet))
    if (!isFresh && !(await confirm({ title: t('design.set.change'), text: t('design.set.change.ask') }))) return
    change(freshDesign(dataSet))
    setRoleIds([])
  }
  const set: DataSet | undefined = dataSetOf(design.dataSet)
  const closed = new Set(sets.find(one => one.dataSet === design.dataSet)?.closed)
  const problems = designProblems(design)
  const errorAt = (at: DesignPart): string | undefined => {
    const found = problems.find(problem => problem.at === at && (at !== 'filters' || problem.name === undefined))
    return found && label(found.text)
  }
  const used = new Set([...design.rows, ...design.columns])
  const room = maxDimensions - design.rows.length - design.columns.length
  const dimensions = Object.entries(set?.dimensions ?? {})
    .filter(([name]) => !closed.has(name))
    .map(([name, one]) => ({ value: name, label: label(one.label) }))
  const measures = Object.entries(set?.measures ?? {})
    .filter(([name]) => !closed.has(name))
    .map(([name, one]) => ({ value: name, label: label(one.label) }))
  const nameIn = (list: Readonly<Record<string, { readonly label: { zh: string; en: string } }>> | undefined) => (name: string) => {
    const one = list && Object.hasOwn(list, name) ? list[name] : undefined
    return one && label(one.label)
  }
  const save = async () => {
    if (isBusy) return
    if (reportName.trim() === '') {
      setNameError(t('design.name.missing'))
      choicesBox.current?.querySelector('input')?.focus()
      return
    }
    setBusy(true)
    try {
      const { id } = await api.call('POST /blade-report/report/submit', {
        ...(saved === null ? {} : { id: saved.id }),
        reportName: reportName.trim(),
        design,
        roleIds: [...roleIds],
      })
      setChanged(false)
      notify('success', t('design.saved'))
      await client.invalidateQueries({ queryKey: listKey('reports') })
      await client.invalidateQueries({ queryKey: ['GET /blade-report/report/detail'] })
      if (saved === null) moveOn(path, `/stat/report/design/${id}`)
    } catch (error) {
      if (!isApiError(error)) throw error // The api client has said why.
    } finally {
      setBusy(false)
    }
  }
  const run = async (id: string) => {
    const made = await api.call('POST /blade-report/report/run', { id }).catch(() => null) // The api client has said why.
    if (made !== null) goTo(`/stat/report/open?id=${made.id}`)
  }
  return (
    <>
      <div className="page-head report-bar">
        <h1>{reportName === '' ? t('design.title') : reportName}</h1>
        <button type="button" className="button" onClick={() => goTo('/stat/report')}>
          {t('view.back')}
        </button>
        <button type="button" className="button button-primary" aria-disabled={isBusy} onClick={() => void save()}>
          {t('design.save')}
        </button>
        {saved === null || saved.needsMending || isChanged ? null : (
          <button type="button" className="button" onClick={() => void run(saved.id)}>
            {t('list.run')}
          </button>
        )}
      </div>
      <div className="report-design">
        <div ref={choicesBox} className="card report-choices">
          {saved?.needsMending ? (
            <div className="field-error" role="alert">
              <strong>{t('design.problems')}</strong>
              <ul>
                {saved.problems.map(problem => (
                  <li key={`${problem.at}${problem.about}`}>{problem.text}</li>
                ))}
              </ul>
            </div>
          ) : null}
          <LabelledInput
            label={t('design.name')}
            error={nameError}
            value={reportName}
            maxLength={100}
            onChange={value => {
              setReportName(value)
              setNameError(undefined)
              setChanged(true)
            }}
          />
          <LabelledSelect
            label={t('design.set')}
            error={errorAt('dataSet')}
            value={design.dataSet}
            options={[
              ...(sets.some(one => one.dataSet === design.dataSet)
                ? []
                : [{ value: design.dataSet, label: set ? label(set.label) : t('design.gone', { name: design.dataSet }) }]),
              ...sets.flatMap(({ dataSet }) => {
                const one = dataSetOf(dataSet)
                return one ? [{ value: dataSet, label: label(one.label) }] : []
              }),
            ]}
            onChange={dataSet => void changeSet(dataSet)}
          />
          {set === undefined ? null : (
            <>
              <p className="report-hint">{label(set.help)}</p>
              <p className="report-hint">{t('design.limits', { dimensions: maxDimensions, measures: maxMeasures })}</p>
              <NamesInput
                legend={t('design.rows')}
                chosen={design.rows}
                offered={dimensions.filter(({ value }) => !used.has(value))}
                labelOf={nameIn(set.dimensions)}
                most={design.rows.length + room}
                error={errorAt('rows')}
                onChange={rows => change({ rows: [...rows] })}
              />
              <NamesInput
                legend={t('design.columns')}
                chosen={design.columns}
                offered={dimensions.filter(({ value }) => !used.has(value))}
                labelOf={nameIn(set.dimensions)}
                most={design.columns.length + room}
                error={errorAt('columns')}
                onChange={columns => change({ columns: [...columns] })}
              />
              <NamesInput
                legend={t('design.measures')}
                chosen={design.measures}
                offered={measures.filter(({ value }) => !design.measures.includes(value))}
                labelOf={nameIn(set.measures)}
                most={maxMeasures}
                error={errorAt('measures')}
                onChange={chosen =>
                  change({
                    measures: [...chosen],
                    ...(design.chartMeasure === undefined || chosen.includes(design.chartMeasure) ? {} : { chartMeasure: chosen[0] ?? '' }),
                    ...(design.order.by === byLabels || chosen.includes(design.order.by)
                      ? {}
                      : { order: { ...design.order, by: byLabels } }),
                  })
                }
              />
              <FiltersInput
                dataSet={design.dataSet}
                set={set}
                filters={design.filters}
                offered={dimensions.filter(({ value }) => !design.filters.some(one => one.dimension === value))}
                errorOf={name => {
                  const found = problems.find(problem => problem.at === 'filters' && problem.name === name)
                  return found && label(found.text)
                }}
                onChange={filters => change({ filters })}
              />
              <div className="report-part">
                <LabelledSelect
                  label={t('design.order')}
                  error={errorAt('order')}
                  value={design.order.by}
                  options={[
                    { value: byLabels, label: t('design.order.labels') },
                    ...design.measures.map(name => ({ value: name, label: nameIn(set.measures)(name) ?? name })),
                  ]}
                  onChange={by => change({ order: { ...design.order, by } })}
                />
                <Check
                  label={t('design.order.descending')}
                  on={design.order.descending}
                  onChange={descending => change({ order: { ...design.order, descending } })}
                />
              </div>
              <LabelledSelect<TotalKind>
                label={t('design.totals')}
                error={errorAt('totals')}
                value={design.totals as TotalKind}
                options={totalKinds.map(value => ({ value, label: label(totalWords[value]) }))}
                onChange={totals => change({ totals })}
              />
              <LabelledSelect<ChartKind>
                label={t('design.chart')}
                error={errorAt('chart')}
                value={design.chart as ChartKind}
                options={chartKinds.map(value => ({ value, label: label(chartWords[value]) }))}
                onChange={chart => change({ chart })}
              />
              {design.chart === 'none' ? null : (
                <LabelledSelect
                  label={t('design.chart.measure')}
                  value={design.chartMeasure ?? design.measures[0] ?? ''}
                  options={design.measures.map(name => ({ value: name, label: nameIn(set.measures)(name) ?? name }))}
                  onChange={chartMeasure => change({ chartMeasure })}
                />
              )}
              {design.chart === 'pie' && used.size > 1 ? <p className="report-hint">{t('design.chart.pie')}</p> : null}
              <fieldset className="report-part">
                <legend>{t('design.roles')}</legend>
                <p className="report-hint">{t('design.roles.hint')}</p>
                <div className="report-values">
                  {choices.data?.roles.map(role => (
                    <Check
                      key={role.id}
                      label={role.label}
                      on={roleIds.includes(role.id)}
                      onChange={isOn => {
                        setRoleIds(isOn ? [...roleIds, role.id] : roleIds.filter(other => other !== role.id))
                        setChanged(true)
                      }}
                    />
                  ))}
                </div>
              </fieldset>
            </>
          )}
        </div>
        <Preview design={design} isSound={problems.length === 0} />
      </div>
    </>
  )
}

/** A report is put together by choosing, with what it says beside it. */
export const Page = () => {
  const t = useT(reportTexts)
  const { params, search } = usePage()
  const id = params.id ?? 'new'
  const from = search.get('from')
  const sets = useCall('GET /blade-report/report/datasets')
  const other = id === 'new' ? from : id
  const detail = useCall('GET /blade-report/report/detail', { id: other ?? '0' }, { quiet: true, enabled: other !== null, staleTimeMs: 0 })
  if (other !== null && detail.data === undefined) return <Loaded query={detail}>{() => null}</Loaded>
  return (
    <Loaded query={sets}>
      {offered =>
        offered.length === 0 ? (
          <EmptyState text={t('design.closed')} />
        ) : (
          <Editor
            key={`${id}${from}`}
            sets={offered}
            saved={id === 'new' ? null : (detail.data ?? null)}
            from={id === 'new' ? (detail.data ?? null) : null}
          />
        )
      }
    </Loaded>
  )
}
