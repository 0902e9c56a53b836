import type { CSSProperties } from 'react'
import { useT } from '../kernel/i18n/index.ts'
import type { Column } from './columns.ts'
import type { PageChecks } from './selection.ts'
import { uiTexts } from './texts.ts'

export interface Sort {
  readonly by: string
  readonly way: 'asc' | 'desc'
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
      data-wide={column.width === undefined ? undefined : true}
      style={column.width === undefined ? undefined : ({ '--column': `${column.width}px` } as CSSProperties)}
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

/** Titles, the box for all rows of the page, and sorting: up, down, not at all. */
export const TableHead = <Row,>({
  title,
  columns,
  checks,
  ids,
  hasActions,
  sort,
  onSort,
}: {
  /** Of the list: on paper it stands on every sheet. */
  readonly title: string
  readonly columns: readonly Column<Row>[]
  /** Undefined: rows cannot be selected. */
  readonly checks: PageChecks | undefined
  readonly ids: readonly string[]
  readonly hasActions: boolean
  readonly sort: Sort | null | undefined
  readonly onSort: ((sort: Sort | null) => void) | undefined
}) => {
  const t = useT(uiTexts)
  const turn = (by: string) => onSort?.(sort?.by !== by ? { by, way: 'asc' } : sort.way === 'asc' ? { by, way: 'desc' } : null)
  return (
    <thead style={{ '--print-title': JSON.stringify(title) } as CSSProperties}>
      <tr>
        {checks === undefined ? null : (
          <th scope="col" className="cell-check">
            <input
              type="checkbox"
              aria-label={t('table.selectAll')}
              checked={checks.all}
              ref={box => {
                if (box !== null) box.indeterminate = checks.some
              }}
              onChange={() => checks.select(ids, !checks.all)}
            />
          </th>
        )}
        {columns.map(column => (
          <ColumnHead key={column.key} column={column} sort={sort} onTurn={onSort === undefined ? undefined : turn} />
        ))}
        {hasActions ? (
          <th scope="col" className="cell-actions">
            {t('table.actions')}
          </th>
        ) : null}
      </tr>
    </thead>
  )
}
