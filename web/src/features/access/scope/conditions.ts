import { type ScopeCondition, type ScopeOperator, type ScopeVariable, takesValue } from '#contract/access/data-scope.ts'

/** A condition as it is typed. */
export interface DraftCondition {
  readonly field: string
  readonly operator: ScopeOperator
  /** `none`: the typed text. */
  readonly source: ScopeVariable | 'none'
  readonly text: string
}

export const isList = (operator: ScopeOperator): boolean => operator === 'in' || operator === 'notIn'

export const draftOf = (condition: ScopeCondition): DraftCondition => ({
  field: condition.field,
  operator: condition.operator,
  source: condition.variable ?? 'none',
  text: (condition.values ?? []).join(','),
})

/** What is sent: a list is split at commas of either script, a single value stays whole. */
export const conditionOf = ({ field, operator, source, text }: DraftCondition): ScopeCondition => {
  if (!takesValue(operator)) return { field, operator }
  if (source !== 'none') return { field, operator, variable: source }
  const words = isList(operator) ? text.split(/[,，]/) : [text]
  return { field, operator, values: words.map(word => word.trim()).filter(word => word !== '') }
}
