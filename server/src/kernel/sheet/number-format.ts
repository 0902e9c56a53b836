/**
 * What a spreadsheet shows for a number (ECMA-376 part 1, 18.8.31). Formats that cannot be shown here for certain say why instead: a wrong
 * guess would be another code than the one its author sees.
 */
export type Unshown =
  /** Digits are hidden behind a power of ten. */
  | 'scientific'
  /** A format that is not known here, or one that differs by the language of the program. */
  | 'format'
  /** The format hides the value. */
  | 'nothing'

/** What stands in a cell: its text, or why that is not known. */
export type Shown = { readonly text: string } | { readonly unshown: Unshown }

/** Which parts of a date a format shows. */
export type DateParts = 'whole' | 'time' | 'part'

/** The smallest unit of time that a format of dates shows; what is smaller is in the cell and on nobody's screen. */
export type DateUnit = 'day' | 'hour' | 'minute' | 'second'

/** Formats that files name by number only, as Chinese programs show them; the rest differ by language or are not used for codes. */
const builtin: Readonly<Record<number, string>> = {
  0: 'General',
  1: '0',
  2: '0.00',
  3: '#,##0',
  4: '#,##0.00',
  9: '0%',
  10: '0.00%',
  11: '0.00E+00',
  12: '# ?/?',
  13: '# ??/??',
  20: 'h:mm',
  21: 'h:mm:ss',
  37: '#,##0_);(#,##0)',
  38: '#,##0_);(#,##0)',
  39: '#,##0.00_);(#,##0.00)',
  40: '#,##0.00_);(#,##0.00)',
  48: '##0.0E+0',
  49: '@',
}
/** Dates by number; each is shown in another order and other words from language to language. */
const builtinDates: Readonly<Record<number, DateParts>> = {
  ...{ 14: 'whole', 15: 'whole', 16: 'part', 17: 'part', 22: 'whole' },
  ...{ 18: 'time', 19: 'time', 20: 'time', 21: 'time', 45: 'time', 46: 'time', 47: 'time', 32: 'time', 33: 'time', 34: 'time', 35: 'time' },
  ...{ 27: 'part', 28: 'part', 29: 'part', 30: 'part', 31: 'whole', 36: 'part' },
  ...{ 50: 'part', 51: 'part', 52: 'part', 53: 'part', 54: 'part', 55: 'part', 56: 'part', 57: 'part', 58: 'part' },
}

type Token =
  | { readonly kind: 'literal' | 'digit' | 'date'; readonly text: string }
  | { readonly kind: 'point' | 'comma' | 'percent' | 'general' | 'text' }
  | { readonly kind: 'scientific' | 'unknown' }

interface Section {
  readonly tokens: readonly Token[]
}

/** A format as read once; a sheet has few of them and many cells. */
export interface NumberFormat {
  readonly code: string
  readonly sections: readonly Section[]
  /** Of a format of dates. */
  readonly date: DateParts | undefined
  /** Of a format of dates. */
  readonly unit: DateUnit | undefined
  /** Differs by the language of the program that shows it. */
  readonly isLocal: boolean
}

const literal = (text: string): Token => ({ kind: 'literal', text })

/** Bracketed parts: colours and languages change no text, `[$¥-804]` is its sign; conditions and counting words are not known here. */
const bracketed = (inside: string): Token | undefined => {
  if (/^(?:black|blue|cyan|green|magenta|red|white|yellow|color\s*\d+|黑色|蓝色|青色|绿色|洋红|红色|白色|黄色|颜色\s*\d+)$/i.test(inside))
    return undefined
  const currency = /^\$([^-]*)(?:-[0-9A-Fa-f]+)?$/.exec(inside)
  if (currency) return currency[1] ? literal(currency[1]) : undefined
  if (/^(?:h+|m+|s+)$/i.test(inside)) return { kind: 'date', text: `[${inside}]` }
  return { kind: 'unknown' }
}

const readSection = (code: string): Section => {
  const tokens: Token[] = []
  for (let at = 0; at < code.length; ) {
    const rest = code.slice(at)
    const [whole = '', quoted] = /^"([^"]*)"/.exec(rest) ?? []
    const bracket = /^\[([^\]]*)\]/.exec(rest)
    const date = /^(?:AM\/PM|A\/P|上午\/下午|y+|m+|d+|h+|s+|e+(?![+-])|g+|a{3,4}|b{2,4})/i.exec(rest)
    const char = String.fromCodePoint(rest.codePointAt(0) ?? 0)
    let length = char.length
    if (whole !== '') {
      tokens.push(literal(quoted ?? ''))
      length = whole.length
    } else if (char === '\\' || char === '!') {
      const next = String.fromCodePoint(code.codePointAt(at + 1) ?? 32)
      tokens.push(literal(next))
      length += next.length
    } else if (char === '_') {
      tokens.push(literal(' '))
      length += 1
    } else if (char === '*') length += 1
    else if (bracket) {
      const token = bracketed(bracket[1] ?? '')
      if (token) tokens.push(token)
      length = bracket[0].length
    } else if (/^(?:General|G\/通用格式)/i.test(rest)) {
      tokens.push({ kind: 'general' })
      length = /^(?:General|G\/通用格式)/i.exec(rest)?.[0].length ?? 1
    } else if (/^E[+-]/i.test(rest)) {
      tokens.push({ kind: 'scientific' })
      length = 2
    } else if (date) {
      tokens.push({ kind: 'date', text: date[0] })
      length = date[0].length
    } else if ('0#?'.includes(char)) tokens.push({ kind: 'digit', text: char })
    else if (char === '.') tokens.push({ kind: 'point' })
    else if (char === ',') tokens.push({ kind: 'comma' })
    else if (char === '%') tokens.push({ kind: 'percent' })
    else if (char === '@') tokens.push({ kind: 'text' })
    else if (/[A-Za-z"[\]/]/.test(char) && !(char === '/' && tokens.some(token => token.kind === 'date'))) tokens.push({ kind: 'unknown' })
    else tokens.push(literal(char))
    at += length
  }
  return { tokens }
}

/** Divides at semicolons that are no literals. */
const sectionsOf = (code: string): readonly string[] => {
  const found = ['']
  for (const [part] of code.matchAll(/"[^"]*"|\\.|\[[^\]]*\]|[\s\S]/gu))
    if (part === ';') found.push('')
    else found[found.length - 1] += part
  return found
}

const datePartsOf = ({ tokens }: Section): DateParts | undefined => {
  const letters = tokens.flatMap(token => (token.kind === 'date' ? [token.text.toLowerCase()] : []))
  if (letters.length === 0) return undefined
  const has = (first: string) => letters.some(text => text.startsWith(first))
  if ((has('y') || has('e')) && has('d') && has('m')) return 'whole'
  return has('y') || has('d') || has('e') || has('g') || has('a') || (has('m') && !has('h') && !has('s') && !has('[')) ? 'part' : 'time'
}

const unitOf = ({ tokens }: Section): DateUnit => {
  const letters = tokens.flatMap(token => (token.kind === 'date' ? [token.text.toLowerCase().replace('[', '')] : []))
  if (letters.some(text => text.startsWith('s'))) return 'second'
  const hour = letters.findIndex(text => text.startsWith('h'))
  if (hour < 0) return 'day'
  return letters[hour + 1]?.startsWith('m') ? 'minute' : 'hour'
}

/** Of the dates that differ by language; only these show a time beside the day. */
const builtinMinutes = new Set([22])

export const readFormat = (id: number, custom: string | undefined): NumberFormat => {
  const isLocal = custom === undefined && Object.hasOwn(builtinDates, id) && builtin[id] === undefined
  const code = custom ?? builtin[id] ?? (isLocal ? '' : id === 0 ? 'General' : '?unknown')
  const sections = sectionsOf(code).map(readSection)
  const [first] = sections
  return {
    code,
    sections,
    date: isLocal ? builtinDates[id] : first && datePartsOf(first),
    unit: isLocal ? (builtinMinutes.has(id) ? 'minute' : 'day') : first && unitOf(first),
    // The long date of whoever looks at it, and times likewise.
    isLocal: isLocal || /\[\$-(?:F800|F400|x-sys)/i.test(code),
  }
}

export const GENERAL: NumberFormat = readFormat(0, undefined)

/** Above this a number has lost digits already. */
const safeInteger = 1e15
/** Characters of a number that is shown without a format. */
const generalChars = 11

/** The digits of a number as they were typed, as far as a file keeps them. */
export const plainDigits = (value: number): string =>
  Math.abs(value) >= safeInteger ? value.toExponential() : expanded(Number(value.toPrecision(15)))

/** Never with a power of ten: 0.0000001 instead of 1e-7. */
const expanded = (value: number): string => {
  const text = String(value)
  return text.includes('e') ? value.toFixed(20).replace(/0+$/, '') : text
}

const general = (value: number): Shown => {
  if (Math.abs(value) >= safeInteger) return { unshown: 'scientific' }
  const plain = plainDigits(value)
  if (Number.isInteger(Number(plain)) || plain.replace('-', '').length <= generalChars) return { text: plain }
  if (Math.abs(value) < 1e-4) return { unshown: 'scientific' }
  const decimals = Math.max(0, generalChars - 1 - plain.replace('-', '').indexOf('.'))
  return { text: String(Number(value.toFixed(decimals))) }
}

const grouped = (digits: string): string => digits.replace(/\B(?=(?:\d{3})+$)/g, ',')

/** Half a unit goes away from zero, by the digits that are shown and not by the binary fraction behind them. */
const roundedDigits = (value: number, decimals: number): string => {
  const [whole = '0', fraction = ''] = plainDigits(value).split('.')
  if (fraction.length <= decimals) return decimals === 0 ? whole : `${whole}.${fraction.padEnd(decimals, '0')}`
  const kept = BigInt(whole + fraction.slice(0, decimals)) + (Number(fraction[decimals]) >= 5 ? 1n : 0n)
  const text = String(kept).padStart(decimals + 1, '0')
  return decimals === 0 ? text : `${text.slice(0, -decimals)}.${text.slice(-decimals)}`
}

const numberText = (value: number, { tokens }: Section): Shown => {
  if (tokens.some(token => token.kind === 'scientific')) return { unshown: 'scientific' }
  const isPlain = (token: Token) => token.kind === 'general' || token.kind === 'text'
  if (tokens.some(isPlain)) {
    const inside = general(value)
    if ('unshown' in inside) return inside
    return { text: tokens.map(token => (isPlain(token) ? inside.text : token.kind === 'literal' ? token.text : '')).join('') }
  }
  const points = tokens.filter(token => token.kind === 'point')
  if (points.length > 1) return { unshown: 'format' }
  const firstDigit = tokens.findIndex(token => token.kind === 'digit')
  const lastDigit = tokens.findLastIndex(token => token.kind === 'digit')
  if (firstDigit < 0) return { text: tokens.map(token => (token.kind === 'literal' ? token.text : '')).join('') }
  const point = tokens.findIndex(token => token.kind === 'point')
  const wholeEnd = point < 0 ? tokens.length : point
  const places = tokens.slice(0, wholeEnd).filter(token => token.kind === 'digit').length
  const decimalsOf = tokens.slice(wholeEnd).flatMap(token => (token.kind === 'digit' ? [token.text] : []))
  const lastWhole = point < 0 ? lastDigit : tokens.findLastIndex((token, at) => at < point && token.kind === 'digit')
  const commas = tokens.flatMap((token, at) => (token.kind === 'comma' ? [at] : []))
  const isGrouped = commas.some(at => at > firstDigit && at < lastWhole)
  const thousands = commas.filter(at => at > lastWhole).length
  const percents = tokens.filter(token => token.kind === 'percent').length
  const scaled = Number((value * 100 ** percents * 0.001 ** thousands).toPrecision(15))
  if (Math.abs(scaled) >= safeInteger) return { unshown: 'scientific' }
  const [whole = '0', fraction = ''] = roundedDigits(scaled, decimalsOf.length).split('.')
  // Grouping and literals between digits at once are too rare to be worth a rule.
  const between = tokens.some((token, at) => token.kind === 'literal' && at > firstDigit && at < lastDigit)
  if (isGrouped && between) return { unshown: 'format' }
  const zeros = tokens.slice(0, wholeEnd).filter(token => token.kind === 'digit' && token.text === '0').length
  const digits = (whole === '0' && zeros === 0 ? '' : whole).padStart(zeros, '0')
  // The digits behind the point, those of `#` only as far as they say anything.
  let decimals = fraction
  for (let at = decimalsOf.length - 1; at >= 0 && decimalsOf[at] !== '0' && decimals[at] === '0'; at--) decimals = decimals.slice(0, at)
  let used = 0
  let place = 0
  let shown = ''
  for (const [at, token] of tokens.entries()) {
    if (token.kind === 'literal') shown += token.text
    else if (token.kind === 'percent') shown += '%'
    else if (token.kind === 'point') shown += `.${decimals}`
    else if (token.kind === 'digit' && at < wholeEnd) {
      const left = places - place
      if (isGrouped) shown += place === 0 ? grouped(digits) : ''
      else {
        const take = place === 0 ? Math.max(0, digits.length - places + 1) : Number(digits.length - used >= left)
        shown += digits.slice(used, used + take) || (token.text === '?' ? ' ' : '')
        used += take
      }
      place += 1
    }
  }
  return { text: shown }
}

/** A number as its format shows it. */
export const showNumber = (value: number, format: NumberFormat): Shown => {
  if (format === GENERAL) return general(value)
  const { sections } = format
  const [positive, negative, zero] = sections
  if (!positive) return general(value)
  // A condition in any of them decides which one counts.
  if (sections.length > 4 || sections.slice(0, 3).some(({ tokens }) => tokens.some(token => token.kind === 'unknown')))
    return { unshown: 'format' }
  // One section is for all numbers, and so is one before that of texts.
  const isOwn = value < 0 && sections.length >= 2 && negative
  const section = isOwn ? negative : value === 0 && sections.length >= 3 && zero ? zero : positive
  const shown = numberText(Math.abs(value), section)
  if ('unshown' in shown) return shown
  const text = (value < 0 && !isOwn && /[1-9]/.test(shown.text) ? `-${shown.text}` : shown.text).trim()
  return text === '' ? { unshown: 'nothing' } : { text }
}

/** A text as the last section of its format shows it. */
export const showText = (text: string, { sections }: NumberFormat): Shown => {
  const section =
    sections.length >= 4
      ? sections[3]
      : sections.length === 1 && sections[0]?.tokens.some(token => token.kind === 'text')
        ? sections[0]
        : undefined
  // `;;;` shows nothing at all, texts too.
  if (sections.length < 4 && !section) return { text }
  if (!section || section.tokens.some(token => token.kind === 'unknown')) return { unshown: 'format' }
  const shown = section.tokens.map(token => (token.kind === 'text' ? text : token.kind === 'literal' ? token.text : '')).join('')
  return shown.trim() === '' && text.trim() !== '' ? { unshown: 'nothing' } : { text: shown }
}

/** A date as its format shows it, by its parts in UTC; words for months and days of the week differ by language. */
export const showDate = (date: Date, { sections, isLocal }: NumberFormat): Shown => {
  const tokens = sections[0]?.tokens ?? []
  if (isLocal || tokens.length === 0) return { unshown: 'format' }
  const two = (value: number) => String(value).padStart(2, '0')
  const isTimeAt = (at: number): boolean => {
    const dates = tokens.flatMap((token, index) => (token.kind === 'date' ? [[token.text.toLowerCase(), index] as const] : []))
    const own = dates.findIndex(([, index]) => index === at)
    return (dates[own - 1]?.[0] ?? '').replace('[', '').startsWith('h') || (dates[own + 1]?.[0] ?? '').startsWith('s')
  }
  const parts: string[] = []
  for (const [at, token] of tokens.entries()) {
    if (token.kind === 'literal') parts.push(token.text)
    else if (token.kind === 'point') parts.push('.')
    else if (token.kind === 'comma') parts.push(',')
    else if (token.kind !== 'date') return { unshown: 'format' }
    else {
      const values: Readonly<Record<string, string>> = {
        yyyy: String(date.getUTCFullYear()),
        yy: two(date.getUTCFullYear() % 100),
        ...(isTimeAt(at)
          ? { m: String(date.getUTCMinutes()), mm: two(date.getUTCMinutes()) }
          : { m: String(date.getUTCMonth() + 1), mm: two(date.getUTCMonth() + 1) }),
        d: String(date.getUTCDate()),
        dd: two(date.getUTCDate()),
        h: String(date.getUTCHours()),
        hh: two(date.getUTCHours()),
        s: String(date.getUTCSeconds()),
        ss: two(date.getUTCSeconds()),
      }
      const text = values[token.text.toLowerCase()]
      if (text === undefined || tokens.some(one => one.kind === 'date' && /^a|^上午/i.test(one.text))) return { unshown: 'format' }
      parts.push(text)
    }
  }
  return { text: parts.join('').trim() }
}
