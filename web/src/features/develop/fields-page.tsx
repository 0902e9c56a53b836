import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState } from 'react'
import { components, type FieldRow, queryTypes } from '#contract/develop/develop.routes.ts'
import { api } from '#web/kernel/api.ts'
import { isApiError } from '#web/kernel/api-error.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useCan } from '#web/kernel/permission.ts'
import { callKey, useCall } from '#web/kernel/query.ts'
import { usePage, useTabTitle } from '#web/shell/page-context.tsx'
import { confirm } from '#web/ui/dialog.tsx'
import { Loaded } from '#web/ui/states.tsx'
import { useUnsaved } from '#web/ui/unsaved.ts'
import { developTexts } from './texts.ts'
import { useRowName } from './use-row.ts'
import './develop.css'

type Mark = 'isList' | 'isForm' | 'isRequired' | 'isQuery'
const marks = [
  ['isList', 'fields.list'],
  ['isForm', 'fields.form'],
  ['isRequired', 'fields.required'],
  ['isQuery', 'fields.query'],
] as const satisfies readonly (readonly [Mark, string])[]
const reasons = ['array', 'enum', 'json', 'bytes', 'generated'] as const

/** What the server said of a row, by field. */
type Faults = Readonly<Record<string, string>>
const none: Faults = {}

interface RowProps {
  readonly row: FieldRow
  readonly faults: Faults
  readonly isClosed: boolean
  readonly onChange: (change: Partial<FieldRow>) => void
}

const FieldLine = ({ row, faults, isClosed, onChange }: RowProps) => {
  const t = useT(developTexts)
  const id = useId()
  const isOut = row.leftOut !== ''
  const isOff = isClosed || isOut
  const named = (what: string) => t('fields.of', { column: row.jdbcName, what })
  const hasHint = (name: string): boolean => name === 'dictCode' && row.isNewDict === 1 && faults['dictCode'] === undefined
  const typed = (name: 'jdbcComment' | 'propertyName' | 'dictCode', what: string, maxLength: number) => (
    <td data-label={what}>
      <input
        className="input"
        aria-label={named(what)}
        autoComplete="off"
        value={row[name]}
        maxLength={maxLength}
        disabled={isOff}
        aria-invalid={faults[name] !== undefined}
        aria-describedby={faults[name] === undefined && !hasHint(name) ? undefined : `${id}${name}`}
        onChange={event => onChange({ [name]: event.target.value, ...(name === 'dictCode' ? { isNewDict: 0 } : {}) })}
      />
      {faults[name] === undefined ? null : (
        <span id={`${id}${name}`} className="field-error">
          {faults[name]}
        </span>
      )}
      {hasHint(name) ? (
        <span id={`${id}${name}`} className="develop-warning">
          {t('fields.dict.new')}
        </span>
      ) : null}
    </td>
  )
  const chosen = (
    name: 'componentType' | 'queryType',
    what: string,
    options: readonly { readonly value: string; readonly label: string }[],
  ) => (
    <td data-label={what}>
      <select
        className="input"
        aria-label={named(what)}
        value={row[name]}
        disabled={isOff}
        onChange={event => onChange({ [name]: event.target.value })}
      >
        {options.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </td>
  )
  const facts = [
    row.isKey === 1 ? t('fields.key') : '',
    row.isUnique === 1 && row.isKey !== 1 ? t('fields.unique') : '',
    row.isForeign === 1 ? t('fields.foreign') : '',
    isOut ? t('fields.leftOut', { why: t(`left.${reasons.find(one => one === row.leftOut) ?? 'other'}`) }) : '',
  ].filter(Boolean)
  return (
    <tr className={isOut ? 'develop-out' : undefined}>
      <th scope="row">
        <code>{row.jdbcName}</code>
        <span className="develop-hint">{[row.jdbcType, ...facts].join(' · ')}</span>
      </th>
      {typed('jdbcComment', t('fields.label'), 200)}
      {typed('propertyName', t('fields.property'), 40)}
      {marks.map(([name, key]) => (
        <td key={name} data-label={t(key)}>
          <input
            type="checkbox"
            aria-label={named(t(key))}
            checked={row[name] === 1}
            disabled={isOff}
            onChange={event => onChange({ [name]: event.target.checked ? 1 : 0 })}
          />
        </td>
      ))}
      {chosen(
        'queryType',
        t('fields.queryType'),
        queryTypes.map(value => ({ value, label: t(`query.${value}`) })),
      )}
      {chosen(
        'componentType',
        t('fields.component'),
        components.map(value => ({ value, label: t(`component.${value}`) })),
      )}
      {typed('dictCode', t('fields.dict'), 40)}
    </tr>
  )
}

const Grid = ({ modelId, name, start }: { readonly modelId: string; readonly name: string; readonly start: readonly FieldRow[] }) => {
  const t = useT(developTexts)
  const { path } = usePage()
  const client = useQueryClient()
  const mayEdit = useCan()('datamodel_edit')
  const [rows, setRows] = useState(start)
  const [changed, setChanged] = useState<ReadonlySet<string>>(new Set())
  const [busy, setBusy] = useState(false)
  const [faults, setFaults] = useState<Readonly<Record<string, Faults>>>({})
  const table = useRef<HTMLTableElement>(null)
  useEffect(() => {
    if (Object.keys(faults).length > 0) table.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [faults])
  useUnsaved(path, () => changed.size > 0)
  const change = (column: string, values: Partial<FieldRow>) => {
    setRows(rows.map(row => (row.jdbcName === column ? { ...row, ...values } : row)))
    setChanged(new Set([...changed, column]))
  }
  const during = async (work: () => Promise<void>) => {
    if (busy) return
    setBusy(true)
    try {
      await work()
    } catch (error) {
      if (!isApiError(error)) throw error // The api client has said why.
      const found: Record<string, Faults> = {}
      for (const { field, msg } of error.fields) {
        const [, at, name] = field.split('.')
        const column = rows[Number(at)]?.jdbcName
        if (column !== undefined && name !== undefined) found[column] = { ...found[column], [name]: msg }
      }
      setFaults(found)
    } finally {
      setBusy(false)
    }
  }
  const again = async () => {
    const next = await client.fetchQuery({
      queryKey: callKey('GET /blade-develop/model/model-prototype', { modelId }),
      queryFn: () => api.call('GET /blade-develop/model/model-prototype', { modelId }),
      staleTime: 0,
    })
    setRows(next)
    setFaults({})
    setChanged(new Set())
  }
  const save = () =>
    during(async () => {
      const list = rows.map(({ jdbcName, jdbcComment, propertyName, componentType, queryType, dictCode, ...row }) => ({
        jdbcName,
        jdbcComment,
        propertyName,
        dictCode,
        componentType: components.find(one => one === componentType) ?? ('' as const),
        queryType: queryTypes.find(one => one === queryType) ?? ('' as const),
        isList: row.isList === 1 ? (1 as const) : (0 as const),
        isForm: row.isForm === 1 ? (1 as const) : (0 as const),
        isRequired: row.isRequired === 1 ? (1 as const) : (0 as const),
        isQuery: row.isQuery === 1 ? (1 as const) : (0 as const),
      }))
      const { changed: count, newDictionaries } = await api.call('POST /blade-develop/model/submit-list', { modelId, list })
      notify('success', t('fields.saved', { count }))
      if (newDictionaries.length > 0) notify('warning', t('fields.newDict', { codes: newDictionaries.join(t('fields.and')) }))
      await again()
    })
  const refresh = () =>
    during(async () => {
      if (changed.size > 0 && !(await confirm({ title: t('fields.refresh'), text: t('fields.ask') }))) return
      const counts = await api.call('POST /blade-develop/model/refresh', { id: modelId })
      notify('success', t('fields.refreshed', counts))
      await again()
    })
  return (
    <>
      <div className="page-head">
        <h1>{t('fields.title', { name })}</h1>
        {mayEdit ? (
          <div className="develop-bar">
            <button type="button" className="button" aria-disabled={busy} onClick={() => void refresh()}>
              {t('fields.refresh')}
            </button>
            <button type="button" className="button button-primary" aria-disabled={busy} onClick={() => void save()}>
              {t('fields.save')}
            </button>
          </div>
        ) : null}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard */}
      <section className="card develop-scroll" tabIndex={0} aria-label={t('fields.table')}>
        <table ref={table} className="develop-grid">
          <thead>
            <tr>
              <th scope="col">{t('fields.column')}</th>
              <th scope="col">{t('fields.label')}</th>
              <th scope="col">{t('fields.property')}</th>
              {marks.map(([mark, key]) => (
                <th key={mark} scope="col">
                  {t(key)}
                </th>
              ))}
              <th scope="col">{t('fields.queryType')}</th>
              <th scope="col">{t('fields.component')}</th>
              <th scope="col">{t('fields.dict')}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(row => (
              <FieldLine
                key={row.jdbcName}
                row={row}
                faults={faults[row.jdbcName] ?? none}
                isClosed={!mayEdit}
                onChange={values => change(row.jdbcName, values)}
              />
            ))}
          </tbody>
        </table>
      </section>
    </>
  )
}

/** How the columns of a model are used (S7.27). */
export const Page = () => {
  const { params } = usePage()
  const modelId = params['id'] ?? ''
  const t = useT(developTexts)
  const fields = useCall('GET /blade-develop/model/model-prototype', { modelId }, { quiet: true, staleTimeMs: 0 })
  const name = useRowName('/blade-develop/model/detail', modelId, 'modelName')
  const title = t('fields.title', { name })
  useTabTitle(name === '' ? null : { zh: title, en: title })
  return <Loaded query={fields}>{rows => <Grid key={modelId} modelId={modelId} name={name} start={rows} />}</Loaded>
}
