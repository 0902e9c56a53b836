import type { Field } from '#contract/kernel/field.ts'
import type { Fields } from '#contract/kernel/resource.ts'
import { fromWireTime } from '#contract/kernel/when.ts'
import { allOf, likeText, type RawBuilder, sql } from '../db/sql.ts'
import { snakeCase } from '../names.ts'

/** A condition of a rule as it is stored; checked when it was written, and believed no further than that. */
export interface StoredCondition {
  readonly field: string
  readonly operator: string
  readonly values?: readonly string[]
  readonly variable?: string
}
/** A rule that one of the caller's roles holds. */
export interface RowRule {
  readonly resource: string
  readonly type: number
  readonly conditions: readonly StoredCondition[]
}
/** What rules need to know of somebody: a session is one. */
interface Reader {
  readonly userType: 1 | 2 | 3
  readonly userId: string
  readonly account: string
  readonly userCode: string | null
  readonly userCodes: readonly string[]
  readonly deptId: string | null
  readonly rowRules: readonly RowRule[]
  readonly wideResources: readonly string[]
}

/**
 * The rules that narrow a noun for this reader; undefined when none does. They add up: a role that may see the noun and holds no rule for it,
 * or one that sees all, leaves nothing to narrow.
 */
const rulesFor = (session: Reader | undefined, resource: string): readonly RowRule[] | undefined => {
  if (!session || session.userType === 2 || session.wideResources.includes(resource)) return undefined
  const rules = session.rowRules.filter(rule => rule.resource === resource)
  return rules.length === 0 || rules.some(rule => rule.type === 1) ? undefined : rules
}

const variableValues = (session: Reader, variable: string): readonly string[] => {
  if (variable === 'userId') return [session.userId]
  if (variable === 'account') return [session.account]
  if (variable === 'userCode') return session.userCode === null ? [] : [session.userCode]
  return variable === 'userCodes' ? session.userCodes : []
}
const valuesOf = (session: Reader, condition: StoredCondition): readonly string[] =>
  condition.variable === undefined ? (condition.values ?? []) : variableValues(session, condition.variable)

const nothing = sql`false`
const comparisons: Readonly<Record<string, RawBuilder<unknown>>> = { eq: sql`=`, ne: sql`is distinct from`, ge: sql`>=`, le: sql`<=` }

/** Undefined for a day or an instant that no calendar has: the database would refuse the whole query. */
const typed = (field: Field, value: string): unknown => {
  if (field.kind === 'instant') return fromWireTime(value)
  if (field.kind === 'date') return fromWireTime(`${value} 00:00:00`) && value
  return field.kind === 'bool' ? value === '1' : value
}
const castOf = (field: Field): RawBuilder<unknown> => {
  if (field.kind === 'int' || field.kind === 'money' || field.kind === 'ref') return sql.raw('bigint')
  if (field.kind === 'decimal') return sql.raw('numeric')
  if (field.kind === 'date') return sql.raw('date')
  if (field.kind === 'instant') return sql.raw('timestamptz')
  return field.kind === 'bool' ? sql.raw('boolean') : sql.raw('text')
}

/** What cannot be read is never true: a rule that no longer fits its noun hides rows, it shows none. */
const conditionOf = (session: Reader, fields: Fields, condition: StoredCondition): RawBuilder<unknown> => {
  const field = Object.hasOwn(fields, condition.field) ? fields[condition.field] : undefined
  // What is kept sealed has no column of its name.
  if (!field || field.secret) return nothing
  const cast = castOf(field)
  const column = sql.ref(snakeCase(condition.field))
  const at = field.kind === 'bool' ? sql`(${column})::int::boolean` : column
  if (condition.operator === 'empty') return sql`(${column} is null or ${column}::text = '')`
  if (condition.operator === 'notEmpty') return sql`(${column} is not null and ${column}::text <> '')`
  const values = valuesOf(session, condition).map(value => typed(field, value))
  const [first] = values
  if (values.includes(undefined)) return nothing
  if (condition.operator === 'notIn') return sql`(${column} is null or not ${at} = any(${values}::${cast}[]))`
  if (first === undefined) return nothing
  if (condition.operator === 'in') return sql`${at} = any(${values}::${cast}[])`
  if (condition.operator === 'like') return sql`${column}::text like ${likeText(String(first))}`
  const comparison = comparisons[condition.operator]
  return comparison && values.length === 1 ? sql`${at} ${comparison} ${first}::${cast}` : nothing
}

/** What rules narrow: a noun with its fields, whose rows carry who made them. */
interface Scoped {
  readonly permission: string
  readonly fields: Fields
  /** Where a row itself belongs to a department; without it the department of who made it counts. */
  readonly inDepartments?: (departments: readonly string[], below: boolean) => RawBuilder<unknown>
}
const madeInDepartments = (departments: readonly string[], below: boolean): RawBuilder<unknown> =>
  sql`created_by in (select people_of_departments(${[...departments]}::bigint[], ${below}))`

const ruleOf = (session: Reader, { fields, inDepartments }: Scoped, rule: RowRule): RawBuilder<unknown> => {
  if (rule.type === 2) return sql`created_by = ${session.userId}`
  if (rule.type === 3 || rule.type === 4) {
    const departments = (session.deptId ?? '').split(',').filter(id => /^\d{1,18}$/.test(id))
    if (departments.length === 0) return nothing
    return (inDepartments ?? madeInDepartments)(departments, rule.type === 4)
  }
  if (rule.type !== 5 || rule.conditions.length === 0) return nothing
  return sql`(${allOf(rule.conditions.map(condition => conditionOf(session, fields, condition)))})`
}

/** Whether rules leave only a part of a noun to this reader: then acts on the whole are not theirs. */
export const isNarrowed = (session: Reader | undefined, resource: string): boolean => rulesFor(session, resource) !== undefined

/** Whether every role of this reader that sees a noun holds a rule for it. */
export const isRuled = (session: Pick<Reader, 'rowRules' | 'wideResources'>, resource: string): boolean =>
  !session.wideResources.includes(resource) && session.rowRules.some(rule => rule.resource === resource)

/** The rows of a plain noun that this reader's rules leave; undefined when they leave all. */
export const rowScopeOf = (session: Reader | undefined, resource: Scoped): RawBuilder<unknown> | undefined => {
  const rules = rulesFor(session, resource.permission)
  if (!session || !rules) return undefined
  return sql`(${sql.join(
    rules.map(rule => ruleOf(session, resource, rule)),
    sql` or `,
  )})`
}

/**
 * Of a noun whose rules name values of one field: the values that they leave, beside those that already narrow the reader. `null` is all, on
 * both sides. What a rule says of another field leaves nothing.
 */
export const valuesInScope = (
  session: Reader | undefined,
  resource: string,
  field: string,
  already: readonly string[] | null,
): readonly string[] | null => {
  const rules = rulesFor(session, resource)
  if (!session || !rules) return already
  const left = rules.flatMap(rule => {
    if (rule.type !== 5) return []
    const sets = rule.conditions.map(condition =>
      condition.field === field && (condition.operator === 'eq' || condition.operator === 'in') ? valuesOf(session, condition) : [],
    )
    const [first = [], ...rest] = sets
    return first.filter(value => rest.every(set => set.includes(value)))
  })
  const unique = [...new Set(left)]
  return already === null ? unique : unique.filter(value => already.includes(value))
}

/** What candidates make belongs to the unit that they chose: rules on these nouns name units, which the database's own wall asks for by the noun (`app_units`). */
export const nounsOfUnits = ['signup', 'ticket', 'result'] as const

/** For the database's own wall: the units that rules leave of each of these nouns that has any. */
export const unitLimits = (session: Reader): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    nounsOfUnits.flatMap(noun => {
      const units = session.rowRules.some(rule => rule.resource === noun) ? valuesInScope(session, noun, 'unit', null) : null
      return units === null ? [] : [[noun, units] as const]
    }),
  )
