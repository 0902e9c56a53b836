import {
  type KeyboardEvent,
  lazy,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  Suspense,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useT } from '../kernel/i18n/index.ts'
import { type Density, useTheme } from '../kernel/theme/theme.ts'
import type { Column } from './columns.ts'
import { type Sort, TableHead } from './data-table-head.tsx'
import { RowMenu } from './data-table-menu.tsx'
import { MemoRow, type RowAction, SkeletonRows } from './data-table-row.tsx'
import { TableTools, useColumnChoice } from './data-table-tools.tsx'
import { useMoreBeside } from './more-beside.ts'
import { countText, Pager } from './pager.tsx'
import { pageChecks, type Selection } from './selection.ts'
import { EmptyState, FailedState } from './states.tsx'
import { uiTexts } from './texts.ts'
import { useFold } from './use-fold.ts'
import { useRevealed } from './use-revealed.ts'
import { type TreeParts, useTreeWalk } from './use-tree-walk.ts'
import './data-table.css'

export type { Column } from './columns.ts'
export type { Sort } from './data-table-head.tsx'
export type { RowAction } from './data-table-row.tsx'
export type { Selection } from './selection.ts'
export type { TreeParts } from './use-tree-walk.ts'

interface PageOfTable {
  readonly current: number
  readonly size: number
  readonly total: number
  readonly onChange: (current: number, size: number) => void
  /** Given where there are more than `total`: counts them all. */
  readonly onCountAll?: (() => void) | undefined
  /** What else is said of all rows, beside their count. */
  readonly beside?: ReactNode
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
  /** Whether a row can be chosen; without it all can. */
  readonly isSelectable?: ((row: Row) => boolean) | undefined
  readonly sort?: Sort | null
  readonly onSort?: (sort: Sort | null) => void
  readonly page?: PageOfTable
  /** Other rows are on the way; the old ones stay, dimmed. */
  readonly busy?: boolean
  readonly error?: { readonly message?: string | undefined; readonly onRetry: () => void } | null
  readonly empty?: ReactNode
  readonly onRefresh?: () => void
  readonly onPrint?: () => void
  /** All rows are drawn, however many: they are about to be printed. */
  readonly isWhole?: boolean
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

/**
 * A page that is turned starts at its top, not where the last one was left. The same page keeps its place: effects run again when its tab
 * is shown again, and to scroll there lays the whole list out at once.
 */
const useTopOfPage = (scroller: RefObject<HTMLElement | null>, page: PageOfTable | undefined) => {
  const pageKey = page === undefined ? '' : `${page.current} ${page.size}`
  const shown = useRef(pageKey)
  useEffect(() => {
    if (shown.current === pageKey) return
    shown.current = pageKey
    scroller.current?.scrollTo({ top: 0 })
  }, [scroller, pageKey])
}

/** The rows: none yet, all of them, or those in view of very many. */
const TableBody = ({
  count,
  isFailed,
  isWhole,
  width,
  scroller,
  rowAt,
}: {
  /** Undefined while the first rows are on the way. */
  readonly count: number | undefined
  readonly isFailed: boolean
  readonly isWhole: boolean
  readonly width: number
  readonly scroller: RefObject<HTMLElement | null>
  readonly rowAt: (index: number) => ReactNode
}) => {
  const density = useTheme(state => state.density)
  if (count === undefined) return isFailed ? null : <SkeletonRows columns={width} />
  if (isWhole || count <= drawnRows) return Array.from({ length: count }, (_, index) => rowAt(index))
  return (
    <Suspense fallback={<SkeletonRows columns={width} />}>
      <VirtualRows count={count} scroller={scroller} rowPx={rowPx[density]} columns={width} row={rowAt} />
    </Suspense>
  )
}

interface OpenMenu<Row> {
  readonly row: Row
  readonly id: string
  readonly anchor: HTMLElement
  /** The actions that stand in the row. */
  readonly beside: ReadonlySet<string>
}

/** What stands beside the button of a row's menu, as far as the width of the list lets it (`useFold`). */
const standing = (button: HTMLElement): ReadonlySet<string> =>
  new Set(
    [...(button.parentElement?.querySelectorAll<HTMLElement>('[data-act]') ?? [])]
      .filter(action => action.offsetWidth > 0)
      .map(action => action.dataset.act ?? ''),
  )

const SelectedCount = ({ selection }: { readonly selection: Selection | undefined }) => {
  const t = useT(uiTexts)
  if (selection === undefined || selection.ids.size === 0) return null
  return (
    <span className="table-selected">
      {t('table.selected', { count: selection.ids.size })}
      <button type="button" className="link-button" onClick={() => selection.onChange(new Set())}>
        {t('table.clear')}
      </button>
    </span>
  )
}

/** The rows of before stay under it. */
const StaleNote = ({ error }: { readonly error: NonNullable<Props<never>['error']> }) => {
  const t = useT(uiTexts)
  return (
    <p className="table-error" role="alert">
      {error.message ?? t('state.failed')}
      <button type="button" className="link-button" onClick={error.onRetry}>
        {t('action.retry')}
      </button>
    </p>
  )
}

/**
 * The list of the console: a real table with memoised rows, sticky head and actions, selection over pages, columns, row height,
 * full screen, sorting, paging, and the states of waiting, emptiness and failure.
 */
export const DataTable = <Row,>(props: Props<Row>) => {
  const { caption, rows, rowId, rowName, columns, rowActions, selection, page, busy, error, name, current, tree, isWhole = false } = props
  const t = useT(uiTexts)
  const { shown, choice, change } = useColumnChoice(name, columns)
  const [full, setFull] = useState(false)
  const [menu, setMenu] = useState<OpenMenu<Row> | null>(null)
  const { revealed, toggle: toggleReveal } = useRevealed(columns)
  const scroller = useRef<HTMLDivElement>(null)
  useMoreBeside(scroller, useFold(shown.map(({ key, title }) => key + title).join()))
  useTopOfPage(scroller, page)
  const ids = useMemo(() => (rows ?? []).map(rowId), [rows, rowId])
  const { isSelectable } = props
  const choosable = isSelectable === undefined ? ids : (rows ?? []).filter(isSelectable).map(rowId)
  const checks = selection === undefined ? undefined : pageChecks(choosable, selection)
  const walk = useTreeWalk(tree, rows, ids, scroller)
  const actionsOf = rowActions ?? null

  /** One listener for all rows: a row says by its attributes what was hit. */
  const onBodyClick = (event: MouseEvent<HTMLElement>) => {
    const target = event.target as HTMLElement
    const id = target.closest<HTMLElement>('tr[data-row]')?.dataset.row
    const row = id === undefined ? undefined : rows?.[ids.indexOf(id)]
    if (id === undefined || row === undefined) return
    if (target.matches('.cell-check input')) return checks?.select([id], !selection?.ids.has(id))
    const button = target.closest<HTMLElement>('button, a')
    if (button?.dataset.act !== undefined)
      return actionsOf?.(row)
        .find(action => action.key === button.dataset.act)
        ?.onRun()
    if (button?.dataset.toggle !== undefined) return tree?.onToggle(id)
    if (button?.dataset.more !== undefined) return setMenu(menu?.id === id ? null : { row, id, anchor: button, beside: standing(button) })
    if (button?.dataset.reveal !== undefined) return void toggleReveal(id, row, button.dataset.reveal)
    if ((button === null || button.dataset.choose !== undefined) && current !== undefined && !target.closest('input, label'))
      current.onChange(id)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && full) setFull(false)
  }
  const isLong = ids.length > drawnRows
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
        isFixed={isSelectable?.(row) === false}
        isCurrent={current === undefined ? undefined : current.id === id}
        menuOpen={menu?.id === id}
        tree={tree?.rowOf(row)}
        tabIndex={walk.tabIndexOf(id)}
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
      data-whole={isWhole}
      onKeyDown={onKeyDown}
    >
      <div className="table-tools">
        <div className="table-tools-left">
          {props.toolbar}
          <SelectedCount selection={selection} />
        </div>
        <TableTools
          columns={columns}
          choice={choice}
          onChoice={change}
          onRefresh={props.onRefresh}
          onPrint={props.onPrint}
          full={full}
          onFull={() => setFull(!full)}
        />
      </div>
      {/* biome-ignore-start lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      {/* biome-ignore-start lint/a11y/useSemanticElements: a fieldset is for controls */}
      <div
        ref={scroller}
        className="table-scroll"
        role="group"
        aria-label={caption}
        tabIndex={0}
        data-busy={busy}
        data-acts={actionsOf !== null}
      >
        {/* biome-ignore-end lint/a11y/noNoninteractiveTabindex: as above */}
        {/* biome-ignore-end lint/a11y/useSemanticElements: as above */}
        <table role={tree === undefined ? undefined : 'treegrid'} aria-rowcount={isLong ? ids.length + 1 : undefined}>
          <caption className="visually-hidden">{caption}</caption>
          <TableHead
            title={caption}
            columns={shown}
            checks={checks}
            ids={choosable}
            hasActions={actionsOf !== null}
            sort={props.sort}
            onSort={props.onSort}
          />
          <tbody onClick={onBodyClick} onKeyDown={walk.onKeyDown} data-choosable={current !== undefined}>
            <TableBody
              count={rows?.length}
              isFailed={Boolean(error)}
              isWhole={isWhole}
              width={shown.length + (checks ? 1 : 0) + (actionsOf ? 1 : 0)}
              scroller={scroller}
              rowAt={rowAt}
            />
          </tbody>
        </table>
        {error && rows === undefined ? <FailedState text={error.message} onRetry={error.onRetry} /> : null}
        {rows?.length === 0 && !error ? (props.empty ?? <EmptyState />) : null}
      </div>
      {error && rows !== undefined ? <StaleNote error={error} /> : null}
      <p className="visually-hidden" role="status">
        {rows === undefined || page === undefined
          ? ''
          : t('table.results', { total: countText(page.total, page.onCountAll !== undefined), current: page.current })}
      </p>
      {page === undefined || page.total === 0 ? null : <Pager of={caption} {...page} />}
      {menu === null || actionsOf === null ? null : (
        <RowMenu
          anchor={menu.anchor}
          name={rowName(menu.row)}
          actions={actionsOf(menu.row).filter(({ key }) => !menu.beside.has(key))}
          onClose={() => setMenu(null)}
        />
      )}
    </section>
  )
}
