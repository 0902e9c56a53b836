import { type Field, type FieldKind, int, text } from '../kernel/field.ts'
import type { Label } from '../kernel/label.ts'
import type { Resource } from '../kernel/resource.ts'
import { fromWireTime } from '../kernel/when.ts'

/** 1 all, 2 made by oneself, 3 of people of one's own department, 4 of that department and below, 5 by conditions (framework-contract 4.3). */
export type ScopeType = 1 | 2 | 3 | 4 | 5
const scopeTypes: readonly ScopeType[] = [1, 2, 3, 4, 5]

const scopeOperators = ['eq', 'ne', 'in', 'notIn', 'like', 'ge', 'le', 'empty', 'notEmpty'] as const
export type ScopeOperator = (typeof scopeOperators)[number]

/** What a value may stand for, filled in for each reader. */
export const scopeVariables = ['userId', 'account', 'userCode', 'userCodes'] as const
export type ScopeVariable = (typeof scopeVariables)[number]

/** One condition; those of a rule hold together. A rule is data: no text of it ever becomes part of a query. */
export interface ScopeCondition {
  readonly field: string
  readonly operator: ScopeOperator
  readonly values?: readonly string[]
  readonly variable?: ScopeVariable
}

/** What rules may be about. */
export interface ScopeTarget {
  /** Prefix of its permission codes. */
  readonly code: string
  readonly label: Label
  readonly types: readonly ScopeType[]
  readonly fields: readonly {
    readonly name: string
    readonly label: Label
    readonly kind: FieldKind
    readonly operators: readonly ScopeOperator[]
  }[]
}

const wordOperators: readonly ScopeOperator[] = ['eq', 'ne', 'in', 'notIn', 'like', 'empty', 'notEmpty']
const orderOperators: readonly ScopeOperator[] = ['eq', 'ne', 'in', 'notIn', 'ge', 'le', 'empty', 'notEmpty']
const operatorsOf: Readonly<Record<FieldKind, readonly ScopeOperator[]>> = {
  text: wordOperators,
  dict: wordOperators,
  // Ids are for programs: nobody types one.
  ref: [],
  bool: ['eq', 'ne'],
  int: orderOperators,
  money: orderOperators,
  decimal: orderOperators,
  date: orderOperators,
  instant: ['ge', 'le', 'empty', 'notEmpty'],
  json: [],
}

/** Of a plain noun: its own declared fields, and who made the row. What is kept sealed cannot be compared. */
export const targetOf = (resource: Pick<Resource, 'permission' | 'label' | 'fields'>): ScopeTarget => ({
  code: resource.permission,
  label: resource.label,
  types: scopeTypes,
  fields: Object.entries(resource.fields).flatMap(([name, field]: [string, Field]) =>
    field.secret || operatorsOf[field.kind].length === 0
      ? []
      : [{ name, label: field.label, kind: field.kind, operators: operatorsOf[field.kind] }],
  ),
})

/** Accounts and departments, which are no plain nouns: what rules may say of them. Department rules mean the departments they belong to. */
export const scopedUser = {
  permission: 'user',
  label: { zh: '用户', en: 'Users' },
  fields: {
    account: text(60, { label: { zh: '账号', en: 'Account' } }),
    realName: text(60, { label: { zh: '姓名', en: 'Name' } }),
    userType: int({ label: { zh: '用户平台', en: 'Kind of user' } }),
    userCode: text(20, { label: { zh: '单位编码', en: 'Unit code' } }),
    status: int({ label: { zh: '状态', en: 'Status' } }),
  },
} as const
export const scopedDept = {
  permission: 'dept',
  label: { zh: '部门', en: 'Departments' },
  fields: {
    deptName: text(60, { label: { zh: '部门名称', en: 'Name' } }),
    deptCategory: int({ label: { zh: '部门类型', en: 'Kind' } }),
  },
} as const
export const organisationTargets: readonly ScopeTarget[] = [targetOf(scopedUser), targetOf(scopedDept)]

const unit: ScopeTarget['fields'] = [{ name: 'unit', label: { zh: '招聘单位', en: 'Hiring unit' }, kind: 'text', operators: ['eq', 'in'] }]
/** What candidates make belongs to the hiring unit that they chose: rules name units. */
export const unitTargets: readonly ScopeTarget[] = [
  { code: 'signup', label: { zh: '报名信息', en: 'Sign-ups' }, types: [1, 5], fields: unit },
  { code: 'ticket', label: { zh: '准考证', en: 'Tickets' }, types: [1, 5], fields: unit },
  { code: 'result', label: { zh: '成绩', en: 'Results' }, types: [1, 5], fields: unit },
]

export const maxConditions = 20
const maxValues = 200
const maxText = 200
const isWhole = /^-?\d{1,18}$/
const shapes: Partial<Readonly<Record<FieldKind, RegExp>>> = {
  int: isWhole,
  money: isWhole,
  ref: /^\d{1,18}$/,
  bool: /^[01]$/,
  decimal: /^-?\d{1,12}(\.\d{1,4})?$/,
  date: /^\d{4}-\d{2}-\d{2}$/,
  instant: /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/,
}

/** A day that no calendar has would stop every list that the rule narrows. */
const isValueOf = (kind: FieldKind, value: string): boolean => {
  if (shapes[kind]?.test(value) === false) return false
  if (kind !== 'date' && kind !== 'instant') return true
  return fromWireTime(kind === 'date' ? `${value} 00:00:00` : value) !== undefined
}

const isList = (operator: ScopeOperator): boolean => operator === 'in' || operator === 'notIn'
export const takesValue = (operator: ScopeOperator): boolean => operator !== 'empty' && operator !== 'notEmpty'

const say = (zh: string, en: string): Label => ({ zh, en })

/** What is wrong with conditions as they came; null when a rule may be made of them. */
export const conditionsProblem = (target: ScopeTarget, given: unknown): Label | null => {
  if (!Array.isArray(given) || given.length === 0) return say('请至少添加一个条件', 'Please add at least one condition')
  if (given.length > maxConditions) return say(`最多 ${maxConditions} 个条件`, `At most ${maxConditions} conditions`)
  for (const [index, one] of given.entries()) {
    const at = (zh: string, en: string): Label => say(`第 ${index + 1} 个条件：${zh}`, `Condition ${index + 1}: ${en}`)
    if (typeof one !== 'object' || one === null || Array.isArray(one)) return at('格式不正确', 'it has no form')
    const { field: name, operator, values, variable, ...rest } = one as Record<string, unknown>
    if (Object.keys(rest).length > 0) return at('格式不正确', 'it has no form')
    const field = target.fields.find(each => each.name === name)
    if (!field) return at('字段不存在', 'there is no such field')
    if (!field.operators.includes(operator as ScopeOperator)) return at('不支持的比较方式', 'this comparison is not offered')
    if (!takesValue(operator as ScopeOperator)) {
      if (values !== undefined || variable !== undefined) return at('不需要值', 'it takes no value')
      continue
    }
    if (variable !== undefined) {
      if (values !== undefined || !scopeVariables.includes(variable as ScopeVariable)) return at('变量不存在', 'there is no such variable')
      if (variable === 'userCodes' && !isList(operator as ScopeOperator))
        return at('多个编码只能用“属于”比较', 'several codes need “is one of”')
      if (field.kind !== 'text' && field.kind !== 'ref') return at('这个字段不能用变量', 'this field takes no variable')
      continue
    }
    if (!Array.isArray(values) || values.length === 0) return at('请输入值', 'please enter a value')
    if (values.length > (isList(operator as ScopeOperator) ? maxValues : 1)) return at('值太多', 'too many values')
    for (const value of values) {
      if (typeof value !== 'string' || value === '' || value.length > maxText || /\p{Cc}/u.test(value))
        return at('值不正确', 'a value has no form')
      if (!isValueOf(field.kind, value)) return at(`“${value}”不是这个字段的值`, `“${value}” is no value of this field`)
    }
  }
  return null
}
