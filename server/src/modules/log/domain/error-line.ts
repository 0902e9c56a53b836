import { cut, scrub } from './scrub.ts'

/** What is kept of an error of the server: never a body, never what a database quotes of a row. */
export interface ErrorFacts {
  readonly exceptionName: string
  readonly message: string
  readonly stack: string
  readonly fileName: string
  readonly lineNumber: number | null
  /** What the database says of its own: code, constraint, table. */
  readonly info: string
  /** The same for errors with one cause. */
  readonly digest: string
}

const marks = ['code', 'constraint', 'table', 'column', 'routine', 'syscall'] as const

/** Folders of the installation are nobody's business, and would give one cause two digests on two machines. */
const withoutRoot = (stack: string): string => stack.replace(/(?:file:\/\/)?\/[^\s():]*?\/((?:server|contract|node_modules)\/)/g, '$1')

/** 64 bits of FNV-1a: a name for a group, not a proof. */
const fnv = (text: string): string => {
  let hash = 0xcbf29ce484222325n
  for (const byte of Buffer.from(text)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n)
  return hash.toString(16).padStart(16, '0')
}
/** Numbers and quoted words differ from one time to the next, the cause does not. */
const withoutParticulars = (text: string): string => text.replace(/"[^"]*"|'[^']*'|\d+/g, '#')

/** Errors with one kind, message and first place of their stack have one digest. */
export const digestOf = (kind: string, message: string, stack: string): string => {
  const place = /^\s*at\s.*$/m.exec(stack)?.[0] ?? stack.split('\n', 1)[0] ?? ''
  return fnv(`${kind}|${withoutParticulars(message)}|${withoutParticulars(place).trim()}`)
}

/** A message quotes what somebody typed now and then: only names of the program's own things stay. */
const withoutQuoted = (message: string): string =>
  message
    .replace(/=\([^)]*\)/g, '=(***)')
    .replace(
      /(\b(?:constraint|relation|column|table|function|type|index|policy|schema|role|database|trigger|parameter) )?"[^"]*"/g,
      (all, named) => (named === undefined ? '"***"' : all),
    )

export const errorFacts = (error: unknown): ErrorFacts => {
  const of = error instanceof Error ? error : undefined
  const exceptionName = cut(scrub(of?.name ?? typeof error), 40)
  const message = cut(scrub(withoutQuoted(of?.message ?? String(error))), 2_000)
  const frames = of?.stack?.slice(of.stack.indexOf('\n    at ') + 1) ?? ''
  const stack = cut(withoutRoot(scrub(frames)), 6_000)
  const [, fileName = '', line = ''] = /((?:server|contract|node_modules)\/[^\s():]+):(\d+)/.exec(stack) ?? []
  const told = of as unknown as Record<string, unknown> | undefined
  const info = Object.fromEntries(marks.flatMap(key => (typeof told?.[key] === 'string' ? [[key, cut(scrub(told[key]), 100)]] : [])))
  return {
    exceptionName,
    message,
    stack: `${exceptionName}: ${message}\n${stack}`,
    fileName: cut(fileName, 200),
    lineNumber: line === '' ? null : Number(line),
    info: Object.keys(info).length === 0 ? '' : JSON.stringify(info),
    digest: digestOf(exceptionName, message, stack),
  }
}
