import type { Label } from '../kernel/label.ts'

// Conditions of a process: `${days > 3 && pass == true}`. A language of its own, a part of what Flowable understands, over declared variables
// alone: nothing in it can call or reach anything else.

export const variableTypes = ['text', 'number', 'boolean', 'day', 'user'] as const
export type VariableType = (typeof variableTypes)[number]
/** What a variable may hold; a day is `yyyy-MM-dd`, a user is an id. Null: nothing was entered. */
export type FlowValue = string | number | boolean | null
export type FlowValues = Readonly<Record<string, FlowValue>>

type Comparison = '==' | '!=' | '<' | '<=' | '>' | '>='
type Operand =
  | { readonly is: 'value'; readonly value: string | number | boolean; readonly type: VariableType }
  | { readonly is: 'name'; readonly name: string; readonly type: VariableType }
export type Condition =
  | { readonly is: 'and' | 'or'; readonly left: Condition; readonly right: Condition }
  | { readonly is: 'not'; readonly of: Condition }
  | { readonly is: 'compare'; readonly by: Comparison; readonly left: Operand; readonly right: Operand }
  | { readonly is: 'holds'; readonly of: Operand }

/** Known in every process: how the last decision was, and who asked. */
export const givenVariables: Readonly<Record<string, VariableType>> = { pass: 'boolean', starter: 'user' }

interface Token {
  readonly kind: 'number' | 'text' | 'name' | 'sign'
  readonly text: string
}
class Wrong extends Error {
  readonly label: Label
  constructor(label: Label) {
    super(label.en)
    this.label = label
  }
}
const wrong = (zh: string, en: string): Wrong => new Wrong({ zh, en })

const pattern = /\s*(?:(\d+(?:\.\d+)?)|'([^'\\]*)'|"([^"\\]*)"|([A-Za-z_]\w*)|(&&|\|\||==|!=|<=|>=|[<>!()-]))/y
const tokensOf = (text: string): Token[] => {
  const tokens: Token[] = []
  pattern.lastIndex = 0
  while (text.slice(pattern.lastIndex).trim() !== '') {
    const at = pattern.lastIndex
    const found = pattern.exec(text)
    if (!found) {
      const rest = text.slice(at).trim().slice(0, 20)
      throw wrong(`无法识别“${rest}”`, `“${rest}” is not understood`)
    }
    const [, number, single, double, name, sign] = found
    if (number !== undefined) tokens.push({ kind: 'number', text: number })
    else if (name !== undefined) tokens.push({ kind: 'name', text: name })
    else if (sign !== undefined) tokens.push({ kind: 'sign', text: sign })
    else tokens.push({ kind: 'text', text: single ?? double ?? '' })
  }
  return tokens
}

/** As deep as parentheses and negations may stand in each other. */
const mostDepth = 30
const day = /^\d{4}-\d{2}-\d{2}$/
const comparisons: readonly string[] = ['==', '!=', '<', '<=', '>', '>=']

/** Recursive descent, or first, then and, not, comparison. */
const parse = (tokens: readonly Token[], types: Readonly<Record<string, VariableType>>): Condition => {
  let at = 0
  const isSign = (text: string): boolean => tokens[at]?.kind === 'sign' && tokens[at]?.text === text
  const eat = (text: string): boolean => {
    const is = isSign(text)
    if (is) at += 1
    return is
  }
  const operand = (): Operand => {
    const isNegative = eat('-')
    const token = tokens[at]
    at += 1
    if (token?.kind === 'number') return { is: 'value', value: isNegative ? -Number(token.text) : Number(token.text), type: 'number' }
    if (isNegative) throw wrong('负号后应为数字', 'a number has to follow the minus')
    if (token?.kind === 'text') return { is: 'value', value: token.text, type: day.test(token.text) ? 'day' : 'text' }
    if (token?.kind === 'name') {
      if (token.text === 'true' || token.text === 'false') return { is: 'value', value: token.text === 'true', type: 'boolean' }
      const type = Object.hasOwn(types, token.text) ? types[token.text] : undefined
      if (type === undefined) throw wrong(`变量“${token.text}”没有声明`, `the variable “${token.text}” is not declared`)
      return { is: 'name', name: token.text, type }
    }
    throw token === undefined
      ? wrong('条件不完整', 'the condition is not complete')
      : wrong(`“${token.text}”处应为变量或值`, `a variable or a value is expected at “${token.text}”`)
  }
  const isAlike = (left: Operand, right: Operand): boolean => {
    const kinds = [left.type, right.type]
    if (left.type === right.type) return true
    // A text in quotes may stand for a day, a user or a text.
    const literal = [left, right].find(one => one.is === 'value' && (one.type === 'text' || one.type === 'day'))
    const other = literal === left ? right : left
    return (
      literal !== undefined && !kinds.includes('number') && !kinds.includes('boolean') && (other.type !== 'day' || literal.type === 'day')
    )
  }
  const comparison = (depth: number): Condition => {
    if (depth > mostDepth) throw wrong('括号嵌套过深', 'there are too many parentheses in each other')
    if (eat('!')) return { is: 'not', of: comparison(depth + 1) }
    if (eat('(')) {
      const inner = either(depth + 1)
      if (!eat(')')) throw wrong('缺少右括号', 'a closing parenthesis is missing')
      return inner
    }
    const left = operand()
    const sign = tokens[at]
    if (sign?.kind !== 'sign' || !comparisons.includes(sign.text)) {
      if (left.type !== 'boolean') throw wrong('单独使用的变量须为“是/否”类型', 'only a yes-or-no variable can stand alone')
      return { is: 'holds', of: left }
    }
    at += 1
    const right = operand()
    if (!isAlike(left, right)) throw wrong('比较的两边类型不同', 'the two sides are of different kinds')
    const isOrdered = sign.text !== '==' && sign.text !== '!='
    const ordered = (one: Operand): boolean => one.type === 'number' || one.type === 'day'
    if (isOrdered && !(ordered(left) && ordered(right))) throw wrong('只有数字和日期可以比较大小', 'only numbers and days have an order')
    return { is: 'compare', by: sign.text as Comparison, left, right }
  }
  const both = (depth: number): Condition => {
    let left = comparison(depth)
    while (eat('&&')) left = { is: 'and', left, right: comparison(depth) }
    return left
  }
  const either = (depth: number): Condition => {
    let left = both(depth)
    while (eat('||')) left = { is: 'or', left, right: both(depth) }
    return left
  }
  const condition = either(0)
  const rest = tokens[at]
  if (rest !== undefined) throw wrong(`“${rest.text}”多余`, `“${rest.text}” is not expected here`)
  return condition
}

/** @returns the condition, or what is wrong with its text */
export const readCondition = (text: string, types: Readonly<Record<string, VariableType>>): Condition | { readonly problem: Label } => {
  const inner = /^\s*\$\{([\s\S]*)\}\s*$/.exec(text)?.[1]
  if (inner === undefined) return { problem: { zh: '条件须以 $ 和花括号括起', en: 'a condition stands within $ and braces' } }
  if (inner.length > 1000) return { problem: { zh: '条件过长', en: 'the condition is too long' } }
  try {
    return parse(tokensOf(inner), { ...types, ...givenVariables })
  } catch (error) {
    if (error instanceof Wrong) return { problem: error.label }
    throw error
  }
}

const worthOf = (operand: Operand, values: FlowValues): FlowValue =>
  operand.is === 'value' ? operand.value : Object.hasOwn(values, operand.name) ? (values[operand.name] ?? null) : null

/** What was not entered equals nothing, and is neither more nor less than anything. */
export const holds = (condition: Condition, values: FlowValues): boolean => {
  switch (condition.is) {
    case 'and':
      return holds(condition.left, values) && holds(condition.right, values)
    case 'or':
      return holds(condition.left, values) || holds(condition.right, values)
    case 'not':
      return !holds(condition.of, values)
    case 'holds':
      return worthOf(condition.of, values) === true
    default: {
      const [left, right] = [worthOf(condition.left, values), worthOf(condition.right, values)]
      if (condition.by === '==') return left === right
      if (condition.by === '!=') return left !== right
      if (left === null || right === null) return false
      if (condition.by === '<') return left < right
      if (condition.by === '<=') return left <= right
      return condition.by === '>' ? left > right : left >= right
    }
  }
}
/** Names of the variables it asks about. */
export const namesIn = (condition: Condition): readonly string[] => {
  const nameOf = (operand: Operand): readonly string[] => (operand.is === 'name' ? [operand.name] : [])
  switch (condition.is) {
    case 'not':
      return namesIn(condition.of)
    case 'holds':
      return nameOf(condition.of)
    case 'compare':
      return [...nameOf(condition.left), ...nameOf(condition.right)]
    default:
      return [...namesIn(condition.left), ...namesIn(condition.right)]
  }
}
