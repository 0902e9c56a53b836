import { type Label, label } from '#contract/kernel/label.ts'

/** Where a text stops to be JSON, counted from one, and what is wrong there. */
export interface JsonFault {
  readonly line: number
  readonly column: number
  readonly what: Label
}

class Fault extends Error {
  readonly at: number
  readonly what: Label

  constructor(at: number, what: Label) {
    super(what.en)
    this.at = at
    this.what = what
  }
}

const space = /[ \t\r\n]*/y
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const word = /true|false|null/y
const letters = /[\p{L}_$][\p{L}\p{N}_$]*/uy

const ends = label('内容在这里中断，缺少后面的部分', 'the text ends here although more must follow')
const quote = label('文本和名称要用双引号 " 括起来', 'texts and names stand in double quotes "')

/**
 * Finds the first place at which a text is no JSON. The built-in parser says what it met in words that change with its version, often without a
 * place, and in English only.
 *
 * @returns undefined for a text that is JSON
 */
export const jsonFaultOf = (source: string): JsonFault | undefined => {
  let at = 0
  const take = (rule: RegExp): string | undefined => {
    rule.lastIndex = at
    const found = rule.exec(source)?.[0]
    if (found !== undefined) at += found.length
    return found
  }
  const fail = (what: Label): never => {
    throw new Fault(at, at >= source.length ? ends : what)
  }
  const string = (): void => {
    const from = at
    at += 1
    for (;;) {
      const sign = source[at]
      if (sign === undefined) throw new Fault(from, label('文本缺少结尾的双引号 "', 'this text has no closing quote "'))
      if (sign === '"') break
      if (sign < ' ')
        fail(label('文本中不能直接换行或含控制字符，请写成 \\n 等', 'a text holds a line break or a control character; write it as \\n'))
      if (sign === '\\' && !/^(["\\/bfnrt]|u[\da-fA-F]{4})/.test(source.slice(at + 1, at + 6)))
        fail(
          label(
            '反斜线 \\ 后的写法不正确；反斜线本身写成 \\\\',
            'what follows the backslash \\ is not known; a backslash itself is written \\\\',
          ),
        )
      at += sign === '\\' ? 2 : 1
    }
    at += 1
  }
  const value = (): void => {
    take(space)
    const sign = source[at]
    if (sign === '{') many('}', member)
    else if (sign === '[') many(']', value)
    else if (sign === '"') string()
    else if (take(word) === undefined && take(number) === undefined) {
      letters.lastIndex = at
      const isBareText = letters.test(source) || sign === "'" || sign === '“' || sign === '”'
      fail(isBareText ? quote : label('这里应为一个值', 'a value must stand here'))
    }
  }
  const member = (): void => {
    take(space)
    if (source[at] !== '"') fail(quote)
    string()
    take(space)
    if (source[at] !== ':') fail(label('名称后面应为冒号 :', 'a colon : must follow the name'))
    at += 1
    value()
  }
  const many = (close: '}' | ']', one: () => void): void => {
    at += 1
    take(space)
    if (source[at] === close) {
      at += 1
      return
    }
    for (;;) {
      one()
      take(space)
      const sign = source[at]
      if (sign === close) break
      if (sign !== ',') fail(label(`这里应为逗号 , 或 ${close}`, `a comma , or ${close} must stand here`))
      const comma = at
      at += 1
      take(space)
      if (source[at] === close) throw new Fault(comma, label('最后一项后面多了逗号', 'there is a comma after the last entry'))
    }
    at += 1
  }
  try {
    value()
    take(space)
    if (at < source.length) fail(label('JSON 在这之前已经结束，后面多了内容', 'the JSON has ended before this; something follows it'))
    return undefined
  } catch (error) {
    if (error instanceof RangeError) return { line: 1, column: 1, what: label('嵌套过深', 'it is nested too deeply') }
    if (!(error instanceof Fault)) throw error
    const before = source.slice(0, error.at).split('\n')
    return { line: before.length, column: (before.at(-1) ?? '').length + 1, what: error.what }
  }
}
