import { memo, type ReactNode, useCallback, useEffect, useId, useMemo, useRef, useState } from 'react'
import { useT } from '../kernel/i18n/index.ts'
import { readStored, writeStored } from '../kernel/storage.ts'
import { type Density, setDensity, useTheme } from '../kernel/theme/theme.ts'
import { Icon, iconPaths } from './icon.tsx'
import { MenuButton, PopoverButton } from './menu-button.tsx'
import { Pager } from './pager.tsx'
import { EmptyState, FailedState } from './states.tsx'
import { uiTexts } from './texts.ts'
import './data-table.css'

export interface Column<Row> {
  readonly key: string
  readonly title: string
  /** Content of a cell: text, a span, a tag. No controls of a kit: they make a long list slow. */
  readonly cell: (row: Row) => ReactNode
  readonly width?: number | undefined
  readonly align?: 'left' | 'right' | 'center'
  /** Name for `ascs` and `descs` when the list can be sorted by it. */
  readonly sortBy?: string
  /** Not shown until the person asks for it. */
  readonly hidden?: boolean
}
export interface RowAction {
  readonly key: string
  readonly label: string
  readonly danger?: boolean
  readonly onRun: () => void
}
export interface Sort {
  readonly by: string
  readonly way: 'asc' | 'desc'
}
export interface Selection {
  readonly ids: ReadonlySet<string>
  readonly onChange: (ids: ReadonlySet<string>) => void
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
  }
  /** Other rows are on the way; the old ones stay, dimmed. */
  readonly busy?: boolean
  readonly error?: { readonly message?: string | undefined; readonly onRetry: () => void } | null
  readonly empty?: ReactNode
  readonly onRefresh?: () => void
  /** Left of the tool bar. */
  readonly toolbar?: ReactNode
  /** Under which the chosen columns are kept. */
  readonly name: string
}

/** More actions than these go into a menu at the end of the row. */
const shownActions = 3

interface RowProps<Row> {
  readonly row: Row
  readonly id: string
  readonly name: string
  readonly columns: readonly Column<Row>[]
  readonly actionsOf: ((row: Row) => readonly RowAction[]) | null
  readonly selected: boolean
  readonly onSelect: ((id: string) => void) | null
}

const RowView = <Row,>({ row, id, name, columns, actionsOf, selected, onSelect }: RowProps<Row>) => {
  const t = useT(uiTexts)
  const all = actionsOf?.(row) ?? []
  const first = all.length > shownActions ? all.slice(0, shownActions - 1) : all
  const rest = all.slice(first.length)
  return (
    <tr data-selected={selected}>
      {onSelect === null ? null : (
        <td className="cell-check">
          <input type="checkbox" aria-label={t('table.selectRow', { name })} checked={selected} onChange={() => onSelect(id)} />
        </td>
      )}
      {columns.map(column => {
        const content = column.cell(row)
        const text = typeof content === 'string' ? content : undefined
        return (
          <td key={column.key} data-align={column.align} title={text}>
            {content === '' || content === null || content === undefined ? '-' : content}
          </td>
        )
      })}
      {actionsOf === null ? null : (
        <td className="cell-actions">
          {first.map(action => (
            <button key={action.key} type="button" className="link-button" data-danger={action.danger} onClick={action.onRun}>
              {action.label}
            </button>
          ))}
          {rest.length === 0 ? null : (
            <MenuButton
              className="link-button"
              label={t('table.moreOf', { name })}
              items={rest.map(action => ({ key: action.key, label: action.label, danger: action.danger, onChoose: action.onRun }))}
            >
              {t('action.more')}
            </MenuButton>
          )}
        </td>
      )}
    </tr>
  )
}
const MemoRow = memo(RowView) as typeof RowView

const SkeletonRows = ({ columns }: { readonly columns: number }) =>
  Array.from({ length: 8 }, (_, row) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: rows of a skeleton have no identity
    <tr key={row} className="row-skeleton">
      {Array.from({ length: columns }, (_, cell) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: as above
        <td key={cell}>
          <i />
        </td>
      ))}
    </tr>
  ))

const densities: readonly Density[] = ['compact', 'default', 'loose']

/** Which columns are shown; the choice is kept per table. */
const useShownColumns = <Row,>(name: string, columns: readonly Column<Row>[]) => {
  const [hidden, setHidden] = useState<readonly string[]>(
    () => readStored<string[]>(`columns-${name}`) ?? columns.filter(column => column.hidden).map(column => column.key),
  )
  const shown = useMemo(() => columns.filter(column => !hidden.includes(column.key)), [columns, hidden])
  const toggle = (key: string) => {
    const next = hidden.includes(key) ? hidden.filter(each => each !== key) : [...hidden, key]
    if (next.length >= columns.length) return
    writeStored(`columns-${name}`, next)
    setHidden(next)
  }
  return { shown, hidden, toggle }
}

/**
 * The list of the console: a real table with memoised rows, sticky head and actions, selection over pages, columns, row height,
 * sorting, paging, and the states of waiting, emptiness and failure.
 */
export const DataTable = <Row,>(props: Props<Row>) => {
  const { caption, rows, rowId, rowName, columns, rowActions, selection, sort, onSort, page, busy, error, name } = props
  const t = useT(uiTexts)
  const columnsLabel = useId()
  const density = useTheme(state => state.density)
  const { shown, hidden, toggle } = useShownColumns(name, columns)
  const ids = useMemo(() => (rows ?? []).map(rowId), [rows, rowId])
  const all = selection !== undefined && ids.length > 0 && ids.every(id => selection.ids.has(id))
  const some = selection !== undefined && !all && ids.some(id => selection.ids.has(id))
  const change = (hit: readonly string[], into: boolean) => {
    const next = new Set(selection?.ids)
    for (const id of hit) {
      if (into) next.add(id)
      else next.delete(id)
    }
    selection?.onChange(next)
  }
  // One function for the life of the table, so that a tick draws one row and not two hundred.
  const latest = useRef(selection)
  useEffect(() => {
    latest.current = selection
  })
  const toggleRow = useCallback((id: string) => {
    const next = new Set(latest.current?.ids)
    if (!next.delete(id)) next.add(id)
    latest.current?.onChange(next)
  }, [])
  const turn = (by: string) => onSort?.(sort?.by !== by ? { by, way: 'asc' } : sort.way === 'asc' ? { by, way: 'desc' } : null)
  const width = shown.length + (selection ? 1 : 0) + (rowActions ? 1 : 0)
  return (
    <section className="card data-table" aria-label={caption} aria-busy={busy || rows === undefined}>
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
        <div className="table-tools-right">
          {props.onRefresh === undefined ? null : (
            <button
              type="button"
              className="tool-button"
              aria-label={t('action.refresh')}
              title={t('action.refresh')}
              onClick={props.onRefresh}
            >
              <Icon d={iconPaths.refresh} />
            </button>
          )}
          <MenuButton
            className="tool-button"
            label={t('table.density')}
            items={densities.map(each => ({
              key: each,
              label: `${density === each ? '✓ ' : '　'}${t(`table.density.${each}`)}`,
              onChoose: () => setDensity(each),
            }))}
          >
            <Icon d={iconPaths.density} />
          </MenuButton>
          <PopoverButton
            className="tool-button"
            label={t('table.columns')}
            content={() => (
              <fieldset className="table-columns" aria-labelledby={columnsLabel}>
                <legend id={columnsLabel} className="visually-hidden">
                  {t('table.columns')}
                </legend>
                {columns.map(column => (
                  <label key={column.key} className="popover-check">
                    <input type="checkbox" checked={!hidden.includes(column.key)} onChange={() => toggle(column.key)} />
                    {column.title}
                  </label>
                ))}
              </fieldset>
            )}
          >
            <Icon d={iconPaths.columns} />
          </PopoverButton>
        </div>
      </div>
      {/* biome-ignore-start lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      {/* biome-ignore-start lint/a11y/useSemanticElements: a fieldset is for controls */}
      <div className="table-scroll" role="group" aria-label={caption} tabIndex={0} data-busy={busy}>
        {/* biome-ignore-end lint/a11y/noNoninteractiveTabindex: as above */}
        {/* biome-ignore-end lint/a11y/useSemanticElements: as above */}
        <table>
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
                    onChange={() => change(ids, !all)}
                  />
                </th>
              )}
              {shown.map(column => {
                const by = column.sortBy
                const way = by !== undefined && sort?.by === by ? sort.way : undefined
                return (
                  <th
                    key={column.key}
                    scope="col"
                    data-align={column.align}
                    style={column.width === undefined ? undefined : { width: column.width, minWidth: column.width }}
                    aria-sort={way === undefined ? undefined : way === 'asc' ? 'ascending' : 'descending'}
                  >
                    {by === undefined || onSort === undefined ? (
                      column.title
                    ) : (
                      <button
                        type="button"
                        className="sort-button"
                        title={t('table.sort', { title: column.title })}
                        onClick={() => turn(by)}
                      >
                        {column.title}
                        <span aria-hidden="true" data-way={way} />
                      </button>
                    )}
                  </th>
                )
              })}
              {rowActions === undefined ? null : (
                <th scope="col" className="cell-actions">
                  {t('table.actions')}
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {rows === undefined ? (
              error ? null : (
                <SkeletonRows columns={width} />
              )
            ) : (
              rows.map((row, index) => (
                <MemoRow
                  key={ids[index]}
                  row={row}
                  id={ids[index] ?? ''}
                  name={rowName(row)}
                  columns={shown}
                  actionsOf={rowActions ?? null}
                  selected={selection?.ids.has(ids[index] ?? '') ?? false}
                  onSelect={selection === undefined ? null : toggleRow}
                />
              ))
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
        {rows === undefined || page === undefined ? '' : t('table.results', { total: page.total, current: page.current })}
      </p>
      {page === undefined || page.total === 0 ? null : <Pager {...page} />}
    </section>
  )
}
