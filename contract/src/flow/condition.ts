import type { Label } from '../kernel/label.ts'

// Conditions of a process: `${days > 3 && pass == true}`. A language of its own, a part of what Flowable understands, over declared variables
// alone: nothing in it can call or reach anything else.

export const variableTypes = ['text', 'number', 'boolean', 'day', 'user'] as const
export type VariableType = (typeof variableTypes)[number]
/** What a variable may hold; a day is `yyyy-MM-dd`, a user is an id. Null: nothing was entered. */
export type FlowValue = string | number | boolean | null
export type FlowValues = Readonly<Record<string, FlowValue>>

type Comparison = '==' | '!=' | '<' | '<=' | '>' | '>='
/** A variable, a value, or what comes of them; `type` is what it is worth. Each is a condition by itself where its type is `boolean`. */
export type Condition =
  | { readonly is: 'and' | 'or'; readonly left: Condition; readonly right: Condition; readonly type: 'boolean' }
  | { readonly is: 'not'; readonly of: Condition; readonly type: 'boolean' }
  | { readonly is: 'compare'; readonly by: Comparison; readonly left: Condition; readonly right: Condition; readonly type: 'boolean' }
  | { readonly is: 'value'; readonly value: string | number | boolean; readonly type: VariableType }
  | { readonly is: 'name'; readonly name: string; readonly type: VariableType }

/** Known in every process: how the last decision was, and who asked. */
export const givenVariables: Readonly<Record<string, VariableType>> = { pass: 'boolean', starter: 'user' }

interface Token {
  readonly kind: 'number' | 'text' | 'name' | 'sign' | 'end'
  readonly text: string
  /** Of its first character in the condition as it was typed, from 1. */
  readonly at: number
}
class Wrong extends Error {
  readonly label: Label
  constructor(label: Label) {
    super(label.en)
    this.label = label
  }
}
const wrong = (at: number, zh: string, en: string): Wrong => new Wrong({ zh: `第 ${at} 个字符：${zh}`, en: `Character ${at}: ${en}` })

/** Words of the language: none of them names a variable. */
const wordSigns: Readonly<Record<string, string>> = {
  and: '&&',
  or: '||',
  not: '!',
  eq: '==',
  ne: '!=',
  lt: '<',
  le: '<=',
  gt: '>',
  ge: '>=',
}
/** Words that Flowable knows and this part of its language does not. */
const otherWords: readonly string[] = ['div', 'mod', 'empty', 'instanceof', 'null']
/** Names that no variable can have, because conditions read them as something else. */
export const reservedNames: readonly string[] = [...Object.keys(wordSigns), ...otherWords, 'true', 'false', ...Object.keys(givenVariables)]

const pattern = /(\d+(?:\.\d+)?)|'([^'\\]*)'|"([^"\\]*)"|([A-Za-z_]\w*)|(&&|\|\||==|!=|<=|>=|[<>!()-])/y
/** @param before - characters that stand before `text` in the condition as it was typed */
const tokensOf = (text: string, before: number): Token[] => {
  const tokens: Token[] = []
  let next = 0
  const skip = (): void => {
    while (next < text.length && text.charAt(next).trim() === '') next += 1
  }
  for (skip(); next < text.length; skip()) {
    const at = before + next + 1
    pattern.lastIndex = next
    const found = pattern.exec(text)
    if (!found) {
      const rest = text.slice(next).trim().slice(0, 20)
      throw wrong(at, `无法识别“${rest}”`, `“${rest}” is not understood`)
    }
    const [whole, number, single, double, name, sign] = found
    next += whole.length
    if (number !== undefined) {
      if (!number.includes('.') && BigInt(number) > largestWhole) throw wrong(at, '整数过大', 'this whole number is too large')
      tokens.push({ kind: 'number', text: number, at })
    } else if (name !== undefined) {
      if (otherWords.includes(name)) throw wrong(at, `不支持“${name}”`, `“${name}” is not understood`)
      const word = Object.hasOwn(wordSigns, name) ? wordSigns[name] : undefined
      tokens.push(word === undefined ? { kind: 'name', text: name, at } : { kind: 'sign', text: word, at })
    } else if (sign !== undefined) tokens.push({ kind: 'sign', text: sign, at })
    else tokens.push({ kind: 'text', text: single ?? double ?? '', at })
  }
  return [...tokens, { kind: 'end', text: '', at: before + text.length + 1 }]
}

/** The engine reads whole numbers into 64 bits. */
const largestWhole = 2n ** 63n - 1n
/** As deep as parentheses and negations may stand in each other. */
const mostDepth = 30
const day = /^\d{4}-\d{2}-\d{2}$/
const orders: readonly string[] = ['<', '<=', '>', '>=']
const equalities: readonly string[] = ['==', '!=']

const isAlike = (left: Condition, right: Condition): boolean => {
  if (left.type === right.type) return true
  const kinds = [left.type, right.type]
  // A text in quotes may stand for a day, a user or a text.
  const literal = [left, right].find(one => one.is === 'value' && (one.type === 'text' || one.type === 'day'))
  const other = literal === left ? right : left
  return (
    literal !== undefined && !kinds.includes('number') && !kinds.includes('boolean') && (other.type !== 'day' || literal.type === 'day')
  )
}

/**
 * Recursive descent over the levels of the Jakarta expression language, of which Flowable's is one: or, and, equality, order, negation, from loose to
 * tight, each from left to right. So `!a == b` is `(!a) == b`, and `a == b < c` is `a == (b < c)`.
 */
const parse = (tokens: readonly Token[], types: Readonly<Record<string, VariableType>>): Condition => {
  const end = tokens.at(-1)
  if (end === undefined) throw new Error('no end')
  let next = 0
  const token = (): Token => tokens[next] ?? end
  const eat = (signs: readonly string[]): Token | undefined => {
    const found = token()
    if (found.kind !== 'sign' || !signs.includes(found.text)) return undefined
    next += 1
    return found
  }
  const truth = (of: Condition, at: number): Condition => {
    if (of.type !== 'boolean') throw wrong(at, '此处须为“是/否”', 'something that is yes or no is expected here')
    return of
  }
  const primary = (depth: number): Condition => {
    if (depth > mostDepth) throw wrong(token().at, '括号嵌套过深', 'there are too many parentheses in each other')
    if (eat(['('])) {
      const inner = either(depth + 1)
      if (!eat([')'])) throw wrong(token().at, '缺少右括号', 'a closing parenthesis is missing')
      return inner
    }
    const isNegative = eat(['-']) !== undefined
    const found = token()
    next += 1
    if (found.kind === 'number') return { is: 'value', value: isNegative ? -Number(found.text) : Number(found.text), type: 'number' }
    if (isNegative) throw wrong(found.at, '负号后应为数字', 'a number has to follow the minus')
    if (found.kind === 'text') return { is: 'value', value: found.text, type: day.test(found.text) ? 'day' : 'text' }
    if (found.kind === 'name') {
      if (found.text === 'true' || found.text === 'false') return { is: 'value', value: found.text === 'true', type: 'boolean' }
      const type = Object.hasOwn(types, found.text) ? types[found.text] : undefined
      if (type === undefined) throw wrong(found.at, `变量“${found.text}”没有声明`, `the variable “${found.text}” is not declared`)
      return { is: 'name', name: found.text, type }
    }
    throw found.kind === 'end'
      ? wrong(found.at, '条件不完整', 'the condition is not complete')
      : wrong(found.at, `“${found.text}”处应为变量或值`, `a variable or a value is expected at “${found.text}”`)
  }
  const negation = (depth: number): Condition => {
    if (!eat(['!'])) return primary(depth)
    const { at } = token()
    return { is: 'not', of: truth(negation(depth + 1), at), type: 'boolean' }
  }
  const compared = (signs: readonly string[], tighter: (depth: number) => Condition, depth: number): Condition => {
    let left = tighter(depth)
    for (let sign = eat(signs); sign !== undefined; sign = eat(signs)) {
      const right = tighter(depth)
      const isOrdered = [left, right].every(({ type }) => type === 'number' || type === 'day')
      if (orders.includes(sign.text) && !isOrdered)
        throw wrong(sign.at, '只有数字和日期可以比较大小', 'only numbers and days have an order')
      if (!isAlike(left, right)) throw wrong(sign.at, '比较的两边类型不同', 'the two sides are of different kinds')
      left = { is: 'compare', by: sign.text as Comparison, left, right, type: 'boolean' }
    }
    return left
  }
  const joined = (is: 'and' | 'or', sign: string, tighter: (depth: number) => Condition, depth: number): Condition => {
    let { at } = token()
    let left = tighter(depth)
    while (eat([sign])) {
      truth(left, at)
      at = token().at
      left = { is, left, right: truth(tighter(depth), at), type: 'boolean' }
    }
    return left
  }
  const ordered = (depth: number): Condition => compared(orders, negation, depth)
  const equal = (depth: number): Condition => compared(equalities, ordered, depth)
  const both = (depth: number): Condition => joined('and', '&&', equal, depth)
  const either = (depth: number): Condition => joined('or', '||', both, depth)
  const { at } = token()
  const condition = either(0)
  const rest = token()
  if (rest.kind !== 'end') throw wrong(rest.at, `“${rest.text}”多余`, `“${rest.text}” is not expected here`)
  return truth(condition, at)
}

/** @returns the condition, or what is wrong with its text and at which character */
export const readCondition = (text: string, types: Readonly<Record<string, VariableType>>): Condition | { readonly problem: Label } => {
  const [, before, inner] = /^(\s*\$\{)([\s\S]*)\}\s*$/.exec(text) ?? []
  if (before === undefined || inner === undefined)
    return { problem: { zh: '条件须以 $ 和花括号括起', en: 'a condition stands within $ and braces' } }
  if (inner.length > 1000) return { problem: { zh: '条件过长', en: 'the condition is too long' } }
  try {
    return parse(tokensOf(inner, before.length), { ...types, ...givenVariables })
  } catch (error) {
    if (error instanceof Wrong) return { problem: error.label }
    throw error
  }
}

/** What was not entered equals only what was not entered, is neither more nor less than a value, and is not true. */
const worthOf = (of: Condition, values: FlowValues): FlowValue => {
  switch (of.is) {
    case 'value':
      return of.value
    case 'name':
      return Object.hasOwn(values, of.name) ? (values[of.name] ?? null) : null
    case 'and':
      return holds(of.left, values) && holds(of.right, values)
    case 'or':
      return holds(of.left, values) || holds(of.right, values)
    case 'not':
      return !holds(of.of, values)
    default: {
      const [left, right] = [worthOf(of.left, values), worthOf(of.right, values)]
      if (of.by === '==') return left === right
      if (of.by === '!=') return left !== right
      // The expression language has two that are the same as neither less nor more, before it looks for what was not entered.
      if (left === right) return of.by === '<=' || of.by === '>='
      if (left === null || right === null) return false
      if (of.by === '<') return left < right
      if (of.by === '<=') return left <= right
      return of.by === '>' ? left > right : left >= right
    }
  }
}
export const holds = (condition: Condition, values: FlowValues): boolean => worthOf(condition, values) === true

/** Names of the variables it asks about. */
export const namesIn = (condition: Condition): readonly string[] => {
  switch (condition.is) {
    case 'value':
      return []
    case 'name':
      return [condition.name]
    case 'not':
      return namesIn(condition.of)
    default:
      return [...namesIn(condition.left), ...namesIn(condition.right)]
  }
}
