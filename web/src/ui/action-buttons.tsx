import type { RowAction } from './data-table.tsx'

/** What may be done with a thing, on its page: what comes first is what most people want. */
export const ActionButtons = ({ actions }: { readonly actions: readonly RowAction[] }) =>
  actions.map(({ key, label, onRun, danger }, at) => (
    <button
      key={key}
      type="button"
      className={danger ? 'button button-danger' : at === 0 ? 'button button-primary' : 'button'}
      onClick={() => onRun()}
    >
      {label}
    </button>
  ))
