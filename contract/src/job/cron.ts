import { type Label, label } from '../kernel/label.ts'

/**
 * Times of a cron expression as Quartz and PowerJob write it: second minute hour day month weekday [year], weekdays 1–7 from Sunday on, `?`, `L`, `W`,
 * `#` and English names. It is read on the clock of Asia/Shanghai, a fixed offset: neither the zone of the machine nor its daylight saving has a
 * say. Where day and weekday are both given, a day counts that fits either.
 */
export interface Cron {
  readonly seconds: readonly number[]
  readonly minutes: readonly number[]
  readonly hours: readonly number[]
  /** Days of a month, in order; what they are hangs on the month. */
  readonly daysOf: (year: number, month: number) => readonly number[]
  readonly months: readonly number[]
  readonly isYear: (year: number) => boolean
}

const offsetMs = 8 * 3_600_000
const lastYear = 2099
const monthNames = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']
const dayNames = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT']

interface Part {
  readonly name: Label
  readonly min: number
  readonly max: number
  readonly names?: readonly string[]
}
const parts = {
  second: { name: label('秒', 'second'), min: 0, max: 59 },
  minute: { name: label('分', 'minute'), min: 0, max: 59 },
  hour: { name: label('时', 'hour'), min: 0, max: 23 },
  day: { name: label('日', 'day'), min: 1, max: 31 },
  month: { name: label('月', 'month'), min: 1, max: 12, names: monthNames },
  weekday: { name: label('周', 'weekday'), min: 1, max: 7, names: dayNames },
  year: { name: label('年', 'year'), min: 1970, max: lastYear },
} as const satisfies Record<string, Part>

/** Why a text is no cron expression. */
class Wrong extends Error {
  readonly why: Label
  constructor(why: Label) {
    super(why.en)
    this.why = why
  }
}
const wrong = (part: Part, text: string): Wrong =>
  new Wrong({
    zh: `Cron 表达式“${part.name.zh}”一段写的是“${text}”，应为 ${part.min}–${part.max}`,
    en: `The ${part.name.en} part of the cron expression says “${text}”; it takes ${part.min}–${part.max}`,
  })

const numberOf = (part: Part, text: string): number => {
  const named = part.names?.indexOf(text.toUpperCase()) ?? -1
  if (named >= 0) return named + part.min
  const value = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN
  if (!(value >= part.min && value <= part.max)) throw wrong(part, text)
  return value
}

/** Values of a list like `1-5,10/2,*`; a range may run over its end (`FRI-MON`, `22-3`), but for years. */
const valuesOf = (part: Part, text: string): readonly number[] => {
  const found = new Set<number>()
  for (const one of text.split(',')) {
    const [, range = '', step] = /^([^/]+)(?:\/(\d{1,4}))?$/.exec(one) ?? []
    if (range === '' || step === '0' || Number(step ?? 1) > part.max) throw wrong(part, one)
    const [from, to, ...more] = range.split('-')
    if (more.length > 0 || from === undefined) throw wrong(part, one)
    const begin = range === '*' ? part.min : numberOf(part, from)
    const end = range === '*' || (to === undefined && step !== undefined) ? part.max : to === undefined ? begin : numberOf(part, to)
    if (end < begin && part === parts.year) throw wrong(part, one)
    const size = part.max - part.min + 1
    const length = end < begin ? end + size - begin : end - begin
    for (let at = 0; at <= length; at += Number(step ?? 1)) found.add(((begin - part.min + at) % size) + part.min)
  }
  return [...found].sort((a, b) => a - b)
}

const lastDayOf = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate()
/** 1 is Sunday. */
const weekdayOf = (year: number, month: number, day: number): number => new Date(Date.UTC(year, month - 1, day)).getUTCDay() + 1

type Days = (year: number, month: number) => readonly number[]

/** The working day nearest to a day, within its month. */
const nearestWorkday = (year: number, month: number, wanted: number): number => {
  const last = lastDayOf(year, month)
  const day = Math.min(wanted, last)
  const weekday = weekdayOf(year, month, day)
  if (weekday === 7) return day === 1 ? 3 : day - 1
  if (weekday === 1) return day === last ? day - 2 : day + 1
  return day
}

const dayOfMonth = (text: string): Days => {
  const each = text.split(',').map((one): Days => {
    if (one === 'L') return (year, month) => [lastDayOf(year, month)]
    if (one === 'LW') return (year, month) => [nearestWorkday(year, month, 31)]
    const before = /^L-(\d{1,2})$/.exec(one)
    if (before) {
      const days = Number(before[1])
      if (days > 30) throw wrong(parts.day, one)
      return (year, month) => [lastDayOf(year, month) - days].filter(day => day > 0)
    }
    const working = /^(\d{1,2})W$/.exec(one)
    if (working) {
      const wanted = numberOf(parts.day, working[1] ?? '')
      return (year, month) => (wanted > lastDayOf(year, month) ? [] : [nearestWorkday(year, month, wanted)])
    }
    const values = valuesOf(parts.day, one)
    return (year, month) => values.filter(day => day <= lastDayOf(year, month))
  })
  return (year, month) => each.flatMap(days => days(year, month))
}

const dayOfWeek = (text: string): Days => {
  const each = text.split(',').map((one): Days => {
    const matching = (year: number, month: number, weekday: number): number[] =>
      Array.from({ length: lastDayOf(year, month) }, (_, at) => at + 1).filter(day => weekdayOf(year, month, day) === weekday)
    if (one === 'L') return (year, month) => matching(year, month, 7)
    const last = /^(\w+)L$/.exec(one)
    if (last) {
      const weekday = numberOf(parts.weekday, last[1] ?? '')
      return (year, month) => matching(year, month, weekday).slice(-1)
    }
    const nth = /^(\w+)#([1-5])$/.exec(one)
    if (nth) {
      const weekday = numberOf(parts.weekday, nth[1] ?? '')
      return (year, month) => matching(year, month, weekday).slice(Number(nth[2]) - 1, Number(nth[2]))
    }
    const values = valuesOf(parts.weekday, one)
    return (year, month) => values.flatMap(weekday => matching(year, month, weekday))
  })
  return (year, month) => each.flatMap(days => days(year, month))
}

const isAny = (text: string): boolean => text === '*' || text === '?'

/** @returns the times it stands for, or why the text is no cron expression */
export const parseCron = (text: string): Cron | { readonly why: Label } => {
  const words = text.trim().split(/\s+/)
  const [second, minute, hour, day, month, weekday, year = '*'] = words
  try {
    if (
      second === undefined ||
      minute === undefined ||
      hour === undefined ||
      day === undefined ||
      month === undefined ||
      weekday === undefined ||
      words.length > 7
    )
      throw new Wrong({
        zh: `Cron 表达式应有 6 或 7 段（秒 分 时 日 月 周 [年]），现有 ${text.trim() === '' ? 0 : words.length} 段`,
        en: `A cron expression has 6 or 7 parts (second minute hour day month weekday [year]); this has ${text.trim() === '' ? 0 : words.length}`,
      })
    const days = isAny(day) ? undefined : dayOfMonth(day.toUpperCase())
    const weekdays = isAny(weekday) ? undefined : dayOfWeek(weekday.toUpperCase())
    const years = year === '*' ? undefined : new Set(valuesOf(parts.year, year))
    const every: Days = (of, at) => Array.from({ length: lastDayOf(of, at) }, (_, n) => n + 1)
    const wanted = [days, weekdays].filter(one => one !== undefined)
    return {
      seconds: valuesOf(parts.second, second),
      minutes: valuesOf(parts.minute, minute),
      hours: valuesOf(parts.hour, hour),
      months: valuesOf(parts.month, month.toUpperCase()),
      daysOf: (of, at) => [...new Set((wanted.length === 0 ? [every] : wanted).flatMap(each => each(of, at)))].sort((a, b) => a - b),
      isYear: of => years === undefined || years.has(of),
    }
  } catch (error) {
    if (error instanceof Wrong) return { why: error.why }
    throw error
  }
}

/** The first time after an instant; undefined when there is none until the end of 2099. */
export const nextOfCron = (cron: Cron, after: Date): Date | undefined => {
  const from = (Math.floor(after.getTime() / 1000) + 1) * 1000
  const start = new Date(from + offsetMs)
  for (let year = start.getUTCFullYear(); year <= lastYear; year += 1) {
    if (!cron.isYear(year)) continue
    for (const month of cron.months)
      for (const day of cron.daysOf(year, month)) {
        if (Date.UTC(year, month - 1, day + 1) - offsetMs <= from) continue
        for (const hour of cron.hours) {
          if (Date.UTC(year, month - 1, day, hour + 1) - offsetMs <= from) continue
          for (const minute of cron.minutes)
            for (const second of cron.seconds) {
              const at = Date.UTC(year, month - 1, day, hour, minute, second) - offsetMs
              if (at >= from) return new Date(at)
            }
        }
      }
  }
  return undefined
}
