import { memo } from 'react'
import type { Translate } from '../kernel/i18n/index.ts'
import type { Column } from './columns.ts'
import { fitsCell } from './fits.ts'
import { Icon, iconPaths } from './icon.tsx'
import type { uiTexts } from './texts.ts'
import type { TreeRow } from './tree.ts'

export interface RowAction {
  readonly key: string
  readonly label: string
  readonly danger?: boolean
  readonly onRun: () => void
}

/** More actions than these go into a menu at the end of the row. */
const shownActions = 3

/** The actions that stand in the row where there is room. */
const firstOf = (all: readonly RowAction[]): readonly RowAction[] => (all.length > shownActions ? all.slice(0, shownActions - 1) : all)

export interface RowProps<Row> {
  readonly row: Row
  readonly id: string
  readonly name: string
  /** Its number among all rows, when not all of them are in the page. */
  readonly index?: number | undefined
  readonly columns: readonly Column<Row>[]
  readonly actionsOf: ((row: Row) => readonly RowAction[]) | null
  /** Undefined: rows cannot be selected. */
  readonly selected: boolean | undefined
  /** It cannot be chosen. */
  readonly isFixed: boolean
  /** The row whose details stand beside the table; undefined when none do. */
  readonly isCurrent: boolean | undefined
  readonly menuOpen: boolean
  /** Of a tree: where the row stands, and whether Tab reaches it. */
  readonly tree: TreeRow<unknown> | undefined
  readonly tabIndex: 0 | -1 | undefined
  /** Whole values that the person asked for, by column. */
  readonly revealed: Readonly<Record<string, string>> | undefined
  readonly t: Translate<(typeof uiTexts)['zh']>
}

const Revealing = <Row,>({ column, name, open, t }: { column: Column<Row>; name: string; open: boolean; t: RowProps<Row>['t'] }) => {
  const label = t(open ? 'table.mask' : 'table.reveal', { title: column.title, name })
  return (
    <button type="button" className="reveal-button" data-reveal={column.key} aria-label={label} title={label} aria-pressed={open}>
      <Icon d={open ? iconPaths.eyeOff : iconPaths.eye} size={14} />
    </button>
  )
}

/** The place of a row in its tree: how deep it is, and the button that opens it. The keyboard opens it by its row. */
const Branch = ({ tree, name, t }: { tree: TreeRow<unknown>; name: string; t: RowProps<never>['t'] }) => (
  <span className="branch" style={{ paddingLeft: (tree.level - 1) * 20 }}>
    {tree.state === 'leaf' ? null : (
      <button
        type="button"
        className="branch-button"
        data-toggle
        data-state={tree.state}
        tabIndex={-1}
        aria-label={t(tree.state === 'closed' ? 'tree.open' : 'tree.close', { name })}
      >
        <Icon d={iconPaths.right} size={12} />
      </button>
    )}
  </span>
)

/**
 * One row: display only. What a person does in it is read by the table from `data-act`, `data-reveal` and the box, so a row has
 * neither state nor handlers and a page of two hundred stays quick.
 */
const RowView = <Row,>(props: RowProps<Row>) => {
  const { row, id, name, index, columns, actionsOf, selected, isFixed, isCurrent, menuOpen, tree, tabIndex, revealed, t } = props
  const actions = actionsOf?.(row) ?? []
  const first = firstOf(actions)
  const treeParts =
    tree === undefined
      ? {}
      : {
          'aria-level': tree.level,
          'aria-posinset': tree.place,
          'aria-setsize': tree.siblings,
          'aria-expanded': tree.state === 'leaf' ? undefined : tree.state !== 'closed',
          tabIndex,
        }
  return (
    <tr data-row={id} data-selected={selected || isCurrent} aria-current={isCurrent || undefined} aria-rowindex={index} {...treeParts}>
      {selected === undefined ? null : (
        <td className="cell-check">
          <input type="checkbox" aria-label={t('table.selectRow', { name })} checked={selected} disabled={isFixed} readOnly />
        </td>
      )}
      {columns.map((column, place) => {
        const content = revealed?.[column.key] ?? column.cell(row)
        const isEmpty = content === '' || content === null || content === undefined
        const shown = isEmpty ? '-' : content
        return (
          <td
            key={column.key}
            data-align={column.align}
            data-clip={
              isEmpty || (fitsCell(content) && column.reveal === undefined && (tree === undefined || place > 0)) ? undefined : true
            }
            title={typeof content === 'string' ? content : undefined}
          >
            {tree !== undefined && place === 0 ? <Branch tree={tree} name={name} t={t} /> : null}
            {isCurrent !== undefined && place === 0 ? (
              <button type="button" className="link-button" data-choose aria-pressed={isCurrent}>
                {shown}
              </button>
            ) : (
              shown
            )}
            {column.reveal === undefined || isEmpty ? null : (
              <Revealing column={column} name={name} open={revealed?.[column.key] !== undefined} t={t} />
            )}
          </td>
        )
      })}
      {actionsOf === null ? null : (
        <td className="cell-actions">
          {first.map(action => (
            <button key={action.key} type="button" className="link-button" data-act={action.key} data-danger={action.danger}>
              {action.label}
            </button>
          ))}
          {actions.length < 2 ? null : (
            <button
              type="button"
              className="link-button"
              data-more={first.length === actions.length ? 'folded' : 'always'}
              aria-label={t('table.moreOf', { name })}
              title={t('table.moreOf', { name })}
              aria-haspopup="menu"
              aria-expanded={menuOpen}
            >
              {t('action.more')}
            </button>
          )}
        </td>
      )}
    </tr>
  )
}
export const MemoRow = memo(RowView) as typeof RowView

export const SkeletonRows = ({ columns }: { readonly columns: number }) =>
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
