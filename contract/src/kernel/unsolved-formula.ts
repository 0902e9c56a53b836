/**
 * Stands in a workbook's cell where a formula has no stored value, as programs other than a spreadsheet write them: what the cell would show is
 * not known, so it must never pass for an empty one.
 */
export const unsolvedFormula = '#FORMULA!'
