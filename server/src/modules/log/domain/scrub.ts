/** Bytes of one entry that a browser reported (framework-contract 2.9). */
const entryBytes = 8_192

/**
 * An error text without what must not stand in a log: id numbers, phones, tokens, and the values of a query (framework-contract 3.17).
 * Control characters and marks of direction would let a text write lines of its own, or look like another.
 */
export const scrub = (text: string): string =>
  text
    .replace(/[^\P{Cc}\n\t]|[\p{Cf}\p{Zl}\p{Zp}]/gu, ' ')
    .replace(/\b(bearer|basic)\s+[\w.~+/=-]+/gi, '$1 ***')
    .replace(/([?&][\w.-]+=)[^&\s"'<>)]+/g, '$1***')
    .replace(/\b((?:access_|refresh_)?token|password|pwd)(["']?\s*[:=]\s*["']?)[^\s"',;}&]+/gi, '$1$2***')
    .replace(/\d{11,}X?/gi, '***')

/** At most so many bytes of UTF-8, whole characters only. */
export const cut = (text: string, bytes: number): string => {
  const encoded = Buffer.from(text.slice(0, bytes))
  if (encoded.length <= bytes) return text.slice(0, bytes)
  return encoded
    .subarray(0, bytes)
    .toString('utf8')
    .replace(/\uFFFD+$/, '')
}

/** A text of somebody else as a part of one line: what a browser calls itself, an account, a file name. */
export const oneLine = (text: string, bytes: number): string =>
  cut(
    scrub(cut(text, bytes * 2))
      .replace(/\s+/g, ' ')
      .trim(),
    bytes,
  )

const mostRemembered = 2_000
const longestRemembered = 400

/** The same for texts that come again with every call; what was worked out once is remembered. */
export const rememberingOneLine = (): typeof oneLine => {
  const known = new Map<string, string>()
  return (text, bytes) => {
    const found = known.get(text)
    if (found !== undefined) return found
    const line = oneLine(text, bytes)
    if (text.length > longestRemembered) return line
    if (known.size >= mostRemembered) known.clear()
    known.set(text, line)
    return line
  }
}

export interface BrowserError {
  readonly type?: string
  readonly message?: string
  readonly stack?: string
  readonly info?: string
  readonly url?: string
  readonly time?: string
}

/** What is kept of an entry (S3.18): 8 KB, its message first, the end of a long stack is what gets lost. */
export const toKept = (entry: BrowserError): Required<BrowserError> => {
  const type = cut(scrub(entry.type ?? ''), 40)
  const time = cut(scrub(entry.time ?? ''), 40)
  const url = cut(scrub(entry.url ?? ''), 500)
  const message = cut(scrub(entry.message ?? ''), 2_000)
  const info = cut(scrub(entry.info ?? ''), 1_000)
  const used = [type, time, url, message, info].reduce((sum, text) => sum + Buffer.byteLength(text), 0)
  return { type, time, url, message, info, stack: cut(scrub(entry.stack ?? ''), entryBytes - used) }
}
