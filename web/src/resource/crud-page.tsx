import { keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useCallback, useEffect, useMemo, useState } from 'react'
import { useLabel, useT } from '../kernel/i18n/index.ts'
import { seenParts, usePermissionStore } from '../kernel/permission.ts'
import { usePage } from '../shell/page-context.tsx'
import { type Column, DataTable, type RowAction } from '../ui/data-table.tsx'
import { EmptyState } from '../ui/states.tsx'
import { uiTexts } from '../ui/texts.ts'
import { type ListState, toQuery, useListState } from './list-state.ts'
import type { PageOf } from './page-of.ts'
import { usePrintWhole } from './print-whole.tsx'
import { hasConditions, type SearchField, SearchRow } from './search-row.tsx'
import { useFind } from './use-find.ts'
import './crud-page.css'

export type ListQuery = Readonly<Record<string, string | number>>

export interface CrudContext {
  readonly selected: ReadonlySet<string>
  /** Those of the page, of the type of the list. */
  readonly rows: readonly unknown[]
  readonly clearSelection: () => void
  /** Asks for the rows anew, as after a change. */
  readonly reload: () => void
  /** The conditions of the list as the server gets them, for an export of the same rows. */
  readonly query: ListQuery
}

interface Props<Row> {
  /** Under which columns and query are kept; one name per screen. */
  readonly name: string
  /** Where lists of the same kind share their columns but not their rows: the name that the columns are kept under. */
  readonly table?: string
  readonly title: string
  readonly columns: readonly Column<Row>[]
  readonly search?: readonly SearchField[]
  readonly load: (query: ListQuery, signal: AbortSignal) => Promise<PageOf<Row>>
  readonly rowId: (row: Row) => string
  readonly rowName: (row: Row) => string
  /** Keep it the same function between renders. */
  readonly rowActions?: ((row: Row) => readonly RowAction[]) | undefined
  readonly toolbar?: ((context: CrudContext) => ReactNode) | undefined
  readonly selectable?: boolean
  /** Whether a row can be chosen; without it all can. Keep it the same function between renders. */
  readonly isSelectable?: ((row: Row) => boolean) | undefined
  readonly empty?: ReactNode
  /** Where the conditions find nothing and there is more to say than that. */
  readonly emptySearch?: ReactNode
  /** Between the title and the conditions: statistics, an examination to choose. */
  readonly above?: ReactNode
  /**
   * Conditions that hold whatever is searched for, such as the examination chosen above. They may stand in the address too (`useChoice`):
   * as it begins without them and loses them by a reset, they are asked with, not taken from it.
   */
  readonly fixed?: ListQuery | undefined
  /** Of the second list of a page, `child.`: its state stands in the address beside the first one's. */
  readonly prefix?: string
  /** The list may hold very many rows: they are counted up to a thousand, and to the end when somebody asks. The server must know `count`. */
  readonly isLong?: boolean
  /** 2 below a page's own title, and for second lists. */
  readonly heading?: 1 | 2
  /** Exports the search: offered where it has more rows than are printed. */
  readonly onExport?: ((query: ListQuery) => void) | undefined
  /** What the count of all rows holds, where other pages count otherwise: said as long as nothing is searched for. */
  readonly counted?: string
  /** What is said of a page's sums beside the count. */
  readonly sums?: ((sums: NonNullable<PageOf<Row>['sums']>) => ReactNode) | undefined
  /** The row whose details stand beside this list. */
  readonly current?: { readonly id: string | null; readonly onChange: (id: string) => void } | undefined
}

/** Query key of a list page; `invalidateQueries({ queryKey: listKey(name) })` draws it anew from anywhere. */
export const listKey = (name: string, query?: ListQuery): readonly unknown[] =>
  query === undefined ? ['list', name] : ['list', name, query]

/** A list with conditions, tools and paging whose state is in the address. What a row is and does is the caller's. */
export const CrudPage = <Row,>(props: Props<Row>) => {
  const { name, title, load, rowId, rowName, rowActions, toolbar, selectable = false, empty, above } = props
  const { prefix = '', heading = prefix === '' ? 1 : 2, current } = props
  const t = useT(uiTexts)
  const label = useLabel()
  const page = usePage()
  const ruled = usePermissionStore(store => store.ruled)
  const columns = useMemo(() => seenParts(ruled, props.columns, 'masked'), [ruled, props.columns])
  const search = seenParts(ruled, props.search ?? [], 'full').filter(field => !(field.key in page.fixed))
  const { state, change: changeState } = useListState(prefix)
  const queryOf = (of: ListState): ListQuery => ({ ...toQuery(of), ...props.fixed })
  // All are counted for the conditions somebody asked it for; other conditions are another question. Those that hold anyhow are among
  // them whether the address has them already or not.
  const conditionsOf = (of: ListState) => JSON.stringify(Object.entries({ ...of.filters, ...props.fixed }).sort())
  const [countedFor, setCountedFor] = useState<string | null>(null)
  const rowsOf = (of: ListState) => {
    const query = queryOf(of)
    const asked: ListQuery = props.isLong ? { ...query, count: countedFor === conditionsOf(of) ? 'exact' : 'capped' } : query
    return queryOptions({ queryKey: listKey(name, asked), queryFn: ({ signal }) => load(asked, signal) })
  }
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const result = useQuery({ ...rowsOf(state), placeholderData: keepPreviousData })
  const client = useQueryClient()
  /** The rows are asked for at once: the address, and with it the page, changes a moment later. */
  const change = (of: Partial<ListState>) => {
    void client.prefetchQuery(rowsOf({ ...state, ...of }))
    changeState(of)
  }
  const { refetch } = result
  const total = result.data?.total ?? 0
  const isPastEnd = result.data !== undefined && !result.isPlaceholderData && result.data.records.length === 0 && state.current > 1
  useEffect(() => {
    if (isPastEnd) changeState({ current: Math.max(1, Math.ceil(total / state.size)) })
  }, [isPastEnd, changeState, total, state.size])
  const reload = useCallback(() => void refetch(), [refetch])
  const find = useFind(name, state.current === 1 ? state.filters : null, filters => change({ filters, current: 1 }))
  const printing = usePrintWhole({
    name: title,
    load,
    query: props.isLong ? { ...queryOf(state), count: 'exact' } : queryOf(state),
    rowId,
    hasMore: total > (result.data?.records.length ?? 0) || result.data?.atLeast === true,
    isMeant: () => prefix === '' && page.isActive(),
    onExport: props.onExport === undefined ? undefined : () => props.onExport?.(queryOf(state)),
  })
  const hasFilters = hasConditions(search, state.filters)
  return (
    <div className="crud-page">
      <div className="page-head">
        {heading === 1 ? <h1>{page.title === null || prefix !== '' ? title : label(page.title)}</h1> : <h2>{title}</h2>}
      </div>
      {above}
      <SearchRow fields={search} values={state.filters} onSearch={find} />
      <DataTable
        name={props.table ?? name}
        caption={title}
        rows={printing.rows ?? result.data?.records}
        isWhole={printing.rows !== null}
        rowId={rowId}
        rowName={rowName}
        columns={columns}
        rowActions={rowActions}
        isSelectable={props.isSelectable}
        selection={selectable ? { ids: selected, onChange: setSelected } : undefined}
        sort={state.sort}
        onSort={sort => change({ sort, current: 1 })}
        busy={result.isFetching && result.data !== undefined}
        error={result.isError ? { message: result.error.message, onRetry: reload } : null}
        empty={hasFilters ? (props.emptySearch ?? <EmptyState text={t('state.emptySearch')} />) : empty}
        onRefresh={reload}
        onPrint={printing.print}
        current={current}
        toolbar={toolbar?.({
          selected,
          rows: result.data?.records ?? [],
          clearSelection: () => setSelected(new Set()),
          reload,
          query: queryOf(state),
        })}
        page={{
          current: state.current,
          size: state.size,
          total,
          onChange: (current, size) => change({ current, size }),
          beside:
            result.data?.sums !== undefined
              ? props.sums?.(result.data.sums)
              : hasFilters || total === 0
                ? null
                : props.counted && <span>{props.counted}</span>,
          ...(result.data?.atLeast ? { onCountAll: () => setCountedFor(conditionsOf(state)) } : {}),
        }}
      />
      {printing.window}
    </div>
  )
}
