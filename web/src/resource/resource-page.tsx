import { useQueryClient } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useCallback, useMemo, useState } from 'react'
import { importKindOf } from '#contract/kernel/import-kind.ts'
import { inSentence } from '#contract/kernel/label.ts'
import { type CrudAction, permissionOf } from '#contract/kernel/permission.ts'
import { type Resource, refNameOf } from '#contract/kernel/resource.ts'
import type { FailedRow } from '#contract/kernel/route.ts'
import { api } from '../kernel/api.ts'
import { isApiError } from '../kernel/api-error.ts'
import { yuanOf } from '../kernel/format.ts'
import { useLabel, useT } from '../kernel/i18n/index.ts'
import { notify } from '../kernel/notify.ts'
import { useCan, useFieldLevels } from '../kernel/permission.ts'
import type { Column, RowAction } from '../ui/data-table.tsx'
import { confirm, namesAndCount } from '../ui/dialog.tsx'
import { keepDialogKit } from '../ui/dialog-host.tsx'
import { EmptyState } from '../ui/states.tsx'
import { TickedButton } from '../ui/ticked-button.tsx'
import { type CrudContext, CrudPage, type ListQuery, listKey } from './crud-page.tsx'
import { refTarget } from './declared.ts'
import { ExportButtons } from './export-buttons.tsx'
import { startExport } from './export-jobs.ts'
import { FieldText } from './field-text.tsx'
import { alignOf, isWord, listFields, type Row, rowNameOf, searchFields, setValueOf, textOf } from './fields.ts'
import { useNounActions } from './noun-actions.tsx'
import type { PageOf } from './page-of.ts'
import type { BeforeSave, Cells, Opened } from './row-dialog.tsx'
import type { InputSlots } from './schema-form.tsx'
import type { SearchField } from './search-row.tsx'
import { resourceTexts } from './texts.ts'
import { type Option, useDicts } from './use-dict.ts'
import { whenIdle } from './when-idle.ts'

interface Props {
  readonly resource: Resource
  /** Cells that differ from the plain text, by field name. */
  readonly cells?: Cells
  /** Columns whose own cells still are numbers below each other. Keep it the same array between renders. */
  readonly figures?: readonly string[]
  /** Controls that differ from the usual ones, by field name. */
  readonly inputs?: InputSlots
  /** Columns that are shown when somebody chooses them. Keep it the same array between renders. */
  readonly hidden?: readonly string[]
  /** What a condition is chosen from, by field name, where no dictionary tells. */
  readonly searchOptions?: SearchOptions
  /** Actions of a row beside view, edit and delete. Keep it the same function between renders. */
  readonly rowActions?: (row: Row) => readonly RowAction[]
  /** Why a row cannot be removed; undefined for one that can. Keep it the same function between renders. */
  readonly keeps?: (row: Row) => string | undefined
  /** Whether a row can be changed; without it all can. Keep it the same function between renders. */
  readonly isOpen?: (row: Row) => boolean
  /** Asks before a changed row is saved. */
  readonly beforeSave?: BeforeSave
  /** Opens the page of a row, where it has one, instead of a window. Keep it the same function between renders. */
  readonly onView?: (row: Row) => void
  /** A dialog of the caller's for additions. */
  readonly onAdd?: () => void
  /** Buttons beside add, delete and export. */
  readonly toolbar?: (context: CrudContext) => ReactNode
  /** Actions this screen does not have, as S6.05's view. */
  readonly without?: readonly CrudAction[]
  /** Rows are chosen for something else than to be deleted: the buttons of `toolbar`. */
  readonly selectable?: boolean
  /** As for `CrudPage`. */
  readonly isSelectable?: (row: Row) => boolean
  readonly above?: ReactNode
  /** The list has an export of its own, as for `CrudPage`. */
  readonly onExport?: ((query: ListQuery) => void) | undefined
  /** As for `CrudPage`. */
  readonly fixed?: ListQuery | undefined
  /** What is said where there is no row yet: where rows come from that nobody adds here. */
  readonly empty?: string
}

const loadRowDialog = () => import('./row-dialog.tsx')
const ImportRun = lazy(async () => ({ default: (await import('./import-run.tsx')).ImportRun }))
const RowDialog = lazy(async () => ({ default: (await loadRowDialog()).RowDialog }))
let isPrepared = false
/** The dialog comes with the controls of the kit; when the rows are there both are made ready before somebody asks, once for all lists. */
const prepareDialog = () => {
  if (isPrepared) return
  isPrepared = true
  whenIdle(() =>
    loadRowDialog().then(
      ({ DialogKit }) => whenIdle(() => keepDialogKit(DialogKit)),
      () => {
        isPrepared = false
      },
    ),
  )
}

const useColumns = ({
  resource,
  cells,
  figures,
  hidden,
}: Pick<Props, 'resource' | 'cells' | 'figures' | 'hidden'>): readonly Column<Row>[] => {
  const t = useT(resourceTexts)
  const label = useLabel()
  const levelOf = useFieldLevels(resource.permission)
  return useMemo(
    () =>
      listFields(resource.fields).map(({ name, field }) => ({
        key: name,
        field: `${resource.permission}.${name}`,
        title: field.kind === 'money' ? t('col.yuan', { label: label(field.label) }) : label(field.label),
        width: field.width,
        ...(hidden?.includes(name) ? { hidden: true } : {}),
        // A number that is written as a word stands like one.
        align: field.kind === 'int' && cells?.[name] !== undefined && !figures?.includes(name) ? 'left' : alignOf(field),
        // What is not seen in full tells nothing by its order either.
        ...(levelOf(name) === 'full' ? { sortBy: name } : {}),
        cell: (row: Row) => {
          const drawn = cells?.[name]?.(row)
          if (drawn !== undefined) return drawn
          if (field.ref !== undefined) return String(row[refNameOf(name)] ?? '')
          const value = setValueOf(resource, field, row[name])
          return isWord(field) ? <FieldText field={field} value={value} /> : textOf(field, value, t('form.yes'), t('form.no'))
        },
      })),
    [resource, cells, figures, hidden, label, t, levelOf],
  )
}

/** Why rows stay, as the declaration says. */
const useKeeps = ({ keeps }: Resource): ((row: Row) => string | undefined) | undefined => {
  const label = useLabel()
  return useMemo(
    () =>
      keeps === undefined
        ? undefined
        : row => {
            const value = String(row[keeps.field])
            return keeps.values.includes(value) ? label(keeps.why).replace('{value}', value) : undefined
          },
    [keeps, label],
  )
}

/** What the whole search comes to; an amount that the reader does not see has no sum either. */
const Sums = ({ of, sums }: { readonly of: Resource; readonly sums: NonNullable<PageOf<Row>['sums']> }) => {
  const label = useLabel()
  return (of.sums ?? []).map(({ key, label: words }) => {
    const fen = sums[key]
    return fen === undefined || fen === null ? null : (
      <span key={key} className="pager-sum">
        {label(words)} <b>¥{yuanOf(fen)}</b>
      </span>
    )
  })
}

export type SearchOptions = Readonly<Record<string, readonly Option[]>>

const useSearch = (resource: Resource, choices: SearchOptions | undefined): readonly SearchField[] => {
  const t = useT(resourceTexts)
  const label = useLabel()
  const can = useCan()
  // Ids of other rows are for programs: nobody types one. It is chosen by its name where the list shows that, or where the page brings the choices.
  const fields = searchFields(resource.fields).filter(
    ({ name, field }) =>
      field.ref === undefined || choices?.[name] !== undefined || (field.list !== false && can(refTarget(field.ref)?.view ?? '')),
  )
  const options = useDicts(fields.map(({ field }) => field.dict))
  return fields.map(({ name, field }, index): SearchField => {
    const part = { key: name, label: label(field.label), field: `${resource.permission}.${name}` }
    const chosen = choices?.[name]
    if (chosen !== undefined) return { ...part, kind: 'select', options: chosen, ...(field.ref === undefined ? {} : { of: field }) }
    if (field.search === 'range') {
      const of = field.kind === 'instant' ? 'instant' : field.kind === 'date' ? 'date' : 'number'
      const [from, to] = of === 'instant' ? ['_datege', '_datele'] : ['_ge', '_le']
      return { ...part, kind: 'range', from: name + from, to: name + to, of }
    }
    if (field.ref !== undefined) return { ...part, kind: 'ref', of: field }
    if (field.dict !== undefined && field.words === undefined) return { ...part, kind: 'select', options: options[index] ?? [] }
    if (field.words !== undefined)
      return { ...part, kind: 'select', options: Object.entries(field.words).map(([value, word]) => ({ value, label: label(word) })) }
    if (field.kind === 'bool' || field.widget === 'switch')
      return {
        ...part,
        kind: 'select',
        options: [
          { value: '1', label: t('form.yes') },
          { value: '0', label: t('form.no') },
        ],
      }
    return { ...part, kind: 'text' }
  })
}

/**
 * The screen of a plain noun out of its declaration: conditions, list, add, edit, view, delete, bulk delete and export, each
 * behind its button code. What differs comes in by `cells`, `inputs`, `rowActions`, `toolbar` and `without`.
 */
export const ResourcePage = ({
  resource,
  cells,
  inputs,
  figures,
  hidden,
  searchOptions,
  rowActions,
  beforeSave,
  keeps,
  isOpen,
  onView,
  onAdd,
  toolbar,
  without = [],
  selectable = false,
  isSelectable,
  above,
  onExport,
  fixed,
  empty,
}: Props) => {
  const t = useT(resourceTexts)
  const label = useLabel()
  const can = useCan()
  const [opened, setOpened] = useState<Opened | null>(null)
  const [names] = useState(() => new Map<string, string>())
  const [kept] = useState(() => new Map<string, string>())
  const columns = useColumns({ resource, cells, figures, hidden })
  const search = useSearch(resource, searchOptions)
  const { basePath, fields, name, verbs } = resource
  const own = useNounActions(resource)
  const declaredKeeps = useKeeps(resource)
  const whyKept = keeps ?? declaredKeeps
  const may = (action: CrudAction) => !without.includes(action) && can(permissionOf(resource.permission, action))
  const mayAdd = may('add') && verbs.includes('submit')
  const mayEdit = may('edit') && verbs.includes('submit')
  const mayDelete = may('delete') && verbs.includes('remove')
  const mayView = may('view') && verbs.includes('detail')
  const importKind = importKindOf(resource)
  const mayImport = may('import') && importKind !== undefined
  const inText = (of: Resource['label']) => label({ ...of, en: inSentence(of.en) })
  const importTitle = t('dialog.import', { label: inText(resource.label) })
  const [importing, setImporting] = useState(false)
  const mayExport = may('export') && verbs.includes('export')

  const load = useCallback(
    async (query: ListQuery, signal: AbortSignal) => {
      const verb = verbs.includes('page') ? 'page' : 'list'
      const page = await api.request<PageOf<Row>>({ method: 'GET', path: `${basePath}/${verb}`, query, signal, quiet: true })
      for (const row of page.records) {
        names.set(row.id, rowNameOf(fields, row))
        const why = whyKept?.(row)
        if (why !== undefined) kept.set(row.id, why)
      }
      prepareDialog()
      return page
    },
    [basePath, verbs, fields, names, whyKept, kept],
  )
  const remove = useCallback(
    async (ids: readonly string[]): Promise<boolean> => {
      const why = ids.map(id => kept.get(id)).find(text => text !== undefined)
      if (why !== undefined) {
        notify('warning', why)
        return false
      }
      const what = namesAndCount(ids.map(id => names.get(id) ?? id))
      const yes = await confirm({ title: t('action.delete'), text: `${t('bulk.confirm')}\n${what}`, ok: t('action.delete'), danger: true })
      if (!yes) return false
      const sayFailed = (failed: readonly FailedRow[] | undefined): void => {
        if (failed === undefined || failed.length === 0 || ids.length === 1) return
        notify(
          'warning',
          t('bulk.failed', { rows: failed.map(({ id, msg }) => t('bulk.failed.row', { name: names.get(id) ?? id, why: msg })).join('\n') }),
        )
      }
      try {
        const done = await api.request<{ readonly failed?: readonly FailedRow[] }>({
          method: 'POST',
          path: `${basePath}/remove`,
          query: { ids: ids.join(',') },
        })
        if ((done.failed ?? []).length < ids.length) notify('success', t('done.deleted'))
        sayFailed(done.failed)
      } catch (error) {
        // The api client has said why; here, of which row.
        if (isApiError(error)) sayFailed((error.data as { readonly failed?: readonly FailedRow[] } | null)?.failed)
        return false
      }
      return true
    },
    [basePath, names, kept, t],
  )
  const client = useQueryClient()
  const removeOne = useCallback(
    async (id: string) => {
      if (await remove([id])) await client.invalidateQueries({ queryKey: listKey(name) })
    },
    [remove, client, name],
  )
  const actions = useCallback(
    (row: Row): readonly RowAction[] => [
      ...(mayView
        ? [
            {
              key: 'view',
              label: t('action.view'),
              onRun: () => (onView === undefined ? setOpened({ kind: 'view', id: row.id }) : onView(row)),
            },
          ]
        : []),
      ...(mayEdit && isOpen?.(row) !== false
        ? [{ key: 'edit', label: t('action.edit'), onRun: () => setOpened({ kind: 'edit', id: row.id }) }]
        : []),
      ...own.ofRow(row),
      ...(rowActions?.(row) ?? []),
      ...(mayDelete && whyKept?.(row) === undefined
        ? [
            {
              key: 'delete',
              label: t('action.delete'),
              danger: true,
              onRun: () => void removeOne(row.id),
            },
          ]
        : []),
    ],
    [mayView, mayEdit, isOpen, onView, mayDelete, own.ofRow, rowActions, whyKept, removeOne, t],
  )
  const removeSelected = async ({ selected, clearSelection, reload }: CrudContext) => {
    if (selected.size === 0) return notify('warning', t('bulk.none'))
    if (await remove([...selected])) {
      clearSelection()
      reload()
    }
  }
  const download = async (query: ListQuery) => {
    const { current: _current, size: _size, ...filters } = query
    await startExport({ method: 'GET', path: `${basePath}/export`, query: filters }, label(resource.label))
  }
  return (
    <>
      <CrudPage<Row>
        name={name}
        title={label(resource.label)}
        columns={columns}
        search={search}
        load={load}
        rowId={rowIdOf}
        rowName={row => rowNameOf(fields, row)}
        rowActions={mayView || mayEdit || mayDelete || own.hasSome || rowActions !== undefined ? actions : undefined}
        selectable={mayDelete || selectable}
        isSelectable={isSelectable}
        above={above ?? (resource.lead === undefined ? undefined : <p className="page-lead">{label(resource.lead)}</p>)}
        fixed={fixed}
        empty={<EmptyState text={empty ?? t(mayAdd ? 'empty.add' : 'empty.none', { label: inText(resource.label) })} />}
        onExport={onExport ?? (mayExport ? query => void download(query) : undefined)}
        sums={sums => <Sums of={resource} sums={sums} />}
        toolbar={context => (
          <>
            {mayAdd ? (
              <button type="button" className="button button-primary" onClick={onAdd ?? (() => setOpened({ kind: 'add' }))}>
                {t('action.add')}
              </button>
            ) : null}
            {mayDelete ? (
              <TickedButton count={context.selected.size} onClick={() => void removeSelected(context)}>
                {t('action.batchDelete')}
              </TickedButton>
            ) : null}
            {mayImport ? (
              <button type="button" className="button" onClick={() => setImporting(true)}>
                {importTitle}
              </button>
            ) : null}
            {mayExport ? <ExportButtons onExport={() => download(context.query)} /> : null}
            {own.toolbar}
            {toolbar?.(context)}
          </>
        )}
      />
      {importing && importKind !== undefined ? (
        <Suspense>
          <ImportRun
            title={importTitle}
            of={importKind}
            fields={{}}
            onClose={() => setImporting(false)}
            onDone={() => void client.invalidateQueries({ queryKey: listKey(name) })}
          />
        </Suspense>
      ) : null}
      {own.dialog}
      {opened === null ? null : (
        <Suspense>
          <RowDialog
            resource={resource}
            opened={opened}
            onClose={() => setOpened(null)}
            inputs={inputs}
            cells={cells}
            beforeSave={beforeSave}
          />
        </Suspense>
      )}
    </>
  )
}

const rowIdOf = (row: Row): string => row.id
