/** What a cell of a table may hold: whatever is typed on one line or chosen from a dictionary. */
export const cellTypes = ['text', 'number', 'date', 'month', 'select', 'phone', 'idcard'] as const
export type CellType = (typeof cellTypes)[number]
