import { type KeyboardEvent, lazy, type MouseEvent, type ReactNode, Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { useT } from '../kernel/i18n/index.ts'
import { type Density, useTheme } from '../kernel/theme/theme.ts'
import type { Column } from './columns.ts'
import { MemoRow, type RowAction, SkeletonRows, splitActions } from './data-table-row.tsx'
import { TableTools, useColumnChoice } from './data-table-tools.tsx'
import { FloatingPanel, MenuItems } from './menu-button.tsx'
import { useMoreBeside } from './more-beside.ts'
import { countText, Pager } from './pager.tsx'
import { EmptyState, FailedState } from './states.tsx'
import { uiTexts } from './texts.ts'
import { type TreeRow, treeMove } from './tree.ts'
import './data-table.css'

export type { Column } from './columns.ts'
export type { RowAction } from './data-table-row.tsx'

export interface Sort {
  readonly by: string
  readonly way: 'asc' | 'desc'
}
export interface Selection {
  readonly ids: ReadonlySet<string>
  readonly onChange: (ids: ReadonlySet<string>) => void
}

/** What makes the table a tree. */
export interface TreeParts<Row> {
  readonly rowOf: (row: Row) => TreeRow<unknown>
  readonly onToggle: (id: string) => void
}

interface Props<Row> {
  /** Read out as the table's name. */
  readonly caption: string
  /** Undefined while the first rows are on the way. */
  readonly rows: readonly Row[] | undefined
  readonly rowId: (row: Row) => string
  /** What a row is called in labels and questions. */
  readonly rowName: (row: Row) => string
  readonly columns: readonly Column<Row>[]
  /** Keep it the same function between renders (`useCallback`): rows are drawn again when it changes. */
  readonly rowActions?: ((row: Row) => readonly RowAction[]) | undefined
  readonly selection?: Selection | undefined
  readonly sort?: Sort | null
  readonly onSort?: (sort: Sort | null) => void
  readonly page?: {
    readonly current: number
    readonly size: number
    readonly total: number
    readonly onChange: (current: number, size: number) => void
    /** Given where there are more than `total`: counts them all. */
    readonly onCountAll?: (() => void) | undefined
  }
  /** Other rows are on the way; the old ones stay, dimmed. */
  readonly busy?: boolean
  readonly error?: { readonly message?: string | undefined; readonly onRetry: () => void } | null
  readonly empty?: ReactNode
  readonly onRefresh?: () => void
  /** Left of the tool bar. */
  readonly toolbar?: ReactNode
  /** The row whose details stand beside the table; a click anywhere in a row then chooses it. */
  readonly current?: { readonly id: string | null; readonly onChange: (id: string) => void } | undefined
  readonly tree?: TreeParts<Row> | undefined
  /** Under which the chosen columns are kept. */
  readonly name: string
}

const VirtualRows = lazy(async () => ({ default: (await import('./virtual-rows.tsx')).VirtualRows }))
/** Above this only the rows in view are drawn; pages of a list never are so long. */
const drawnRows = 300
const rowPx: Record<Density, number> = { compact: 36, default: 44, loose: 52 }

const useRevealed = <Row,>(columns: readonly Column<Row>[]) => {
  const [revealed, setRevealed] = useState<ReadonlyMap<string, Readonly<Record<string, string>>>>(new Map())
  const put = (id: string, key: string, text: string | undefined) =>
    setRevealed(before => {
      const { [key]: _former, ...rest } = before.get(id) ?? {}
      return new Map(before).set(id, text === undefined ? rest : { ...rest, [key]: text })
    })
  const toggle = async (id: string, row: Row, key: string) => {
    if (revealed.get(id)?.[key] !== undefined) return put(id, key, undefined)
    try {
      const text = await columns.find(column => column.key === key)?.reveal?.(row)
      if (text !== undefined) put(id, key, text)
    } catch {
      // The api client has said why: no right, or asked too often.
    }
  }
  return { revealed, toggle }
}

/**
 * The list of the console: a real table with memoised rows, sticky head and actions, selection over pages, columns, row height,
 * full screen, sorting, paging, and the states of waiting, emptiness and failure.
 */
export const DataTable = <Row,>(props: Props<Row>) => {
  const { caption, rows, rowId, rowName, columns, rowActions, selection, sort, onSort, page, busy, error, name, current, tree } = props
  const t = useT(uiTexts)
  const density = useTheme(state => state.density)
  const { shown, choice, change } = useColumnChoice(name, columns)
  const [full, setFull] = useState(false)
  const [menu, setMenu] = useState<{ readonly row: Row; readonly id: string; readonly anchor: HTMLElement } | null>(null)
  const { revealed, toggle: toggleReveal } = useRevealed(columns)
  const scroller = useRef<HTMLDivElement>(null)
  useMoreBeside(scroller)
  const ids = useMemo(() => (rows ?? []).map(rowId), [rows, rowId])
  const all = selection !== undefined && ids.length > 0 && ids.every(id => selection.ids.has(id))
  const some = selection !== undefined && !all && ids.some(id => selection.ids.has(id))
  const select = (hit: readonly string[], into: boolean) => {
    const next = new Set(selection?.ids)
    for (const id of hit) {
      if (into) next.add(id)
      else next.delete(id)
    }
    selection?.onChange(next)
  }
  // A page that is turned starts at its top, not where the last one was left.
  const pageKey = page === undefined ? '' : `${page.current} ${page.size}`
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when another page is shown
  useEffect(() => {
    scroller.current?.scrollTo({ top: 0 })
  }, [pageKey])
  const actionsOf = rowActions ?? null

  /** One listener for all rows: a row says by its attributes what was hit. */
  const onBodyClick = (event: MouseEvent<HTMLElement>) => {
    const target = event.target as HTMLElement
    const id = target.closest<HTMLElement>('tr[data-row]')?.dataset.row
    const row = id === undefined ? undefined : rows?.[ids.indexOf(id)]
    if (id === undefined || row === undefined) return
    if (target.matches('.cell-check input')) return select([id], !selection?.ids.has(id))
    const button = target.closest<HTMLElement>('button, a')
    if (button?.dataset.act !== undefined)
      return actionsOf?.(row)
        .find(action => action.key === button.dataset.act)
        ?.onRun()
    if (button?.dataset.toggle !== undefined) return tree?.onToggle(id)
    if (button?.dataset.more !== undefined) return setMenu(menu?.id === id ? null : { row, id, anchor: button })
    if (button?.dataset.reveal !== undefined) return void toggleReveal(id, row, button.dataset.reveal)
    if ((button === null || button.dataset.choose !== undefined) && current !== undefined && !target.closest('input, label'))
      current.onChange(id)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && full) setFull(false)
  }
  const [walked, setWalked] = useState<string | null>(null)
  const focusable = tree === undefined ? null : walked !== null && ids.includes(walked) ? walked : ids[0]
  /** Arrow keys on a row of a tree; keys in its buttons are the buttons'. */
  const onTreeKey = (event: KeyboardEvent<HTMLElement>) => {
    const on = event.target as HTMLElement
    const id = on.matches('tr[data-row]') ? on.dataset.row : undefined
    if (tree === undefined || rows === undefined || id === undefined) return
    const move = treeMove(rows.map(tree.rowOf), id, event.key)
    if (move === null) {
      if (event.key === 'Enter') on.querySelector<HTMLElement>('[data-choose], [data-toggle], [data-act]')?.click()
      return
    }
    event.preventDefault()
    if (move.kind === 'toggle') return tree.onToggle(move.id)
    setWalked(move.id)
    scroller.current?.querySelector<HTMLElement>(`tr[data-row="${CSS.escape(move.id)}"]`)?.focus()
  }
  const turn = (by: string) => onSort?.(sort?.by !== by ? { by, way: 'asc' } : sort.way === 'asc' ? { by, way: 'desc' } : null)
  const width = shown.length + (selection ? 1 : 0) + (rowActions ? 1 : 0)
  const isLong = (rows?.length ?? 0) > drawnRows
  const rowAt = (index: number) => {
    const row = rows?.[index]
    const id = ids[index]
    return row === undefined || id === undefined ? null : (
      <MemoRow
        key={id}
        row={row}
        id={id}
        name={rowName(row)}
        index={isLong ? index + 2 : undefined}
        columns={shown}
        actionsOf={actionsOf}
        selected={selection?.ids.has(id)}
        isCurrent={current === undefined ? undefined : current.id === id}
        menuOpen={menu?.id === id}
        tree={tree?.rowOf(row)}
        tabIndex={tree === undefined ? undefined : focusable === id ? 0 : -1}
        revealed={revealed.get(id)}
        t={t}
      />
    )
  }
  return (
    <section
      className="card data-table"
      aria-label={caption}
      aria-busy={busy || rows === undefined}
      data-table={name}
      data-full={full}
      onKeyDown={onKeyDown}
    >
      <div className="table-tools">
        <div className="table-tools-left">
          {props.toolbar}
          {selection !== undefined && selection.ids.size > 0 ? (
            <span className="table-selected">
              {t('table.selected', { count: selection.ids.size })}
              <button type="button" className="link-button" onClick={() => selection.onChange(new Set())}>
                {t('table.clear')}
              </button>
            </span>
          ) : null}
        </div>
        <TableTools
          columns={columns}
          choice={choice}
          onChoice={change}
          onRefresh={props.onRefresh}
          full={full}
          onFull={() => setFull(!full)}
        />
      </div>
      {/* biome-ignore-start lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      {/* biome-ignore-start lint/a11y/useSemanticElements: a fieldset is for controls */}
      <div ref={scroller} className="table-scroll" role="group" aria-label={caption} tabIndex={0} data-busy={busy}>
        {/* biome-ignore-end lint/a11y/noNoninteractiveTabindex: as above */}
        {/* biome-ignore-end lint/a11y/useSemanticElements: as above */}
        <table role={tree === undefined ? undefined : 'treegrid'} aria-rowcount={isLong ? ids.length + 1 : undefined}>
          <caption className="visually-hidden">{caption}</caption>
          <thead>
            <tr>
              {selection === undefined ? null : (
                <th scope="col" className="cell-check">
                  <input
                    type="checkbox"
                    aria-label={t('table.selectAll')}
                    checked={all}
                    ref={box => {
                      if (box !== null) box.indeterminate = some
                    }}
                    onChange={() => select(ids, !all)}
                  />
                </th>
              )}
              {shown.map(column => (
                <ColumnHead key={column.key} column={column} sort={sort} onTurn={onSort === undefined ? undefined : turn} />
              ))}
              {rowActions === undefined ? null : (
                <th scope="col" className="cell-actions">
                  {t('table.actions')}
                </th>
              )}
            </tr>
          </thead>
          <tbody onClick={onBodyClick} onKeyDown={tree === undefined ? undefined : onTreeKey} data-choosable={current !== undefined}>
            {rows === undefined ? (
              error ? null : (
                <SkeletonRows columns={width} />
              )
            ) : isLong ? (
              <Suspense fallback={<SkeletonRows columns={width} />}>
                <VirtualRows count={rows.length} scroller={scroller} rowPx={rowPx[density]} columns={width} row={rowAt} />
              </Suspense>
            ) : (
              rows.map((_, index) => rowAt(index))
            )}
          </tbody>
        </table>
        {error && rows === undefined ? <FailedState text={error.message} onRetry={error.onRetry} /> : null}
        {rows?.length === 0 && !error ? (props.empty ?? <EmptyState />) : null}
      </div>
      {error && rows !== undefined ? (
        <p className="table-error" role="alert">
          {error.message ?? t('state.failed')}
          <button type="button" className="link-button" onClick={error.onRetry}>
            {t('action.retry')}
          </button>
        </p>
      ) : null}
      <p className="visually-hidden" role="status">
        {rows === undefined || page === undefined
          ? ''
          : t('table.results', { total: countText(page.total, page.onCountAll !== undefined), current: page.current })}
      </p>
      {page === undefined || page.total === 0 ? null : <Pager of={caption} {...page} />}
      {menu === null || actionsOf === null ? null : (
        <FloatingPanel
          anchor={menu.anchor}
          label={t('table.moreOf', { name: rowName(menu.row) })}
          popup="menu"
          onClose={back => {
            if (back) menu.anchor.focus()
            setMenu(null)
          }}
        >
          <MenuItems
            items={splitActions(actionsOf(menu.row)).rest.map(action => ({ ...action, onChoose: action.onRun }))}
            close={() => {
              menu.anchor.focus()
              setMenu(null)
            }}
          />
        </FloatingPanel>
      )}
    </section>
  )
}

const ColumnHead = <Row,>({
  column,
  sort,
  onTurn,
}: {
  readonly column: Column<Row>
  readonly sort: Sort | null | undefined
  readonly onTurn: ((by: string) => void) | undefined
}) => {
  const t = useT(uiTexts)
  const by = column.sortBy
  const way = by !== undefined && sort?.by === by ? sort.way : undefined
  return (
    <th
      scope="col"
      data-align={column.align}
      style={column.width === undefined ? undefined : { width: column.width, minWidth: column.width }}
      aria-sort={way === undefined ? undefined : way === 'asc' ? 'ascending' : 'descending'}
    >
      {by === undefined || onTurn === undefined ? (
        column.title
      ) : (
        <button type="button" className="sort-button" title={t('table.sort', { title: column.title })} onClick={() => onTurn(by)}>
          {column.title}
          <span aria-hidden="true" data-way={way} />
        </button>
      )}
    </th>
  )
}
