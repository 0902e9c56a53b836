/** How often and when, as the builder asks it. */
export interface Builder {
  readonly every: 'minute' | 'hour' | 'day' | 'week' | 'month'
  /** Minutes between two runs. */
  readonly minutes: number
  readonly minute: number
  readonly hour: number
  /** 1 is Sunday. */
  readonly weekday: number
  /** 0 is the last day of the month. */
  readonly day: number
}

/** Steps of minutes that fill an hour. */
export const minuteSteps: readonly number[] = [1, 2, 3, 5, 10, 15, 20, 30]

/** The cron expression that says it. */
export const cronOf = ({ every, minutes, minute, hour, weekday, day }: Builder): string => {
  switch (every) {
    case 'minute':
      return `0 ${minutes === 1 ? '*' : `0/${minutes}`} * * * ?`
    case 'hour':
      return `0 ${minute} * * * ?`
    case 'day':
      return `0 ${minute} ${hour} * * ?`
    case 'week':
      return `0 ${minute} ${hour} ? * ${weekday}`
    default:
      return `0 ${minute} ${hour} ${day === 0 ? 'L' : day} * ?`
  }
}

const number = (text: string, from: number, to: number): number | undefined => {
  const value = /^\d{1,2}$/.test(text) ? Number(text) : Number.NaN
  return value >= from && value <= to ? value : undefined
}

/** What the builder would have to say for an expression; undefined for one that says more than it can ask. */
export const builderOf = (cron: string, usual: Builder): Builder | undefined => {
  const [second, minutes = '', hours = '', days = '', months, weekdays = '', ...more] = cron.trim().split(/\s+/)
  if (second !== '0' || months !== '*' || more.length > 0) return undefined
  const [minute, hour, day, weekday] = [number(minutes, 0, 59), number(hours, 0, 23), number(days, 1, 31), number(weekdays, 1, 7)]
  const step = minutes === '*' ? 1 : number(/^(?:0|\*)\/(\d{1,2})$/.exec(minutes)?.[1] ?? '', 1, 30)
  const isEveryDay = (days === '*' || days === '?') && (weekdays === '*' || weekdays === '?')
  if (hours === '*' && isEveryDay && step !== undefined && minuteSteps.includes(step)) return { ...usual, every: 'minute', minutes: step }
  if (minute === undefined) return undefined
  if (hours === '*' && isEveryDay) return { ...usual, every: 'hour', minute }
  if (hour === undefined) return undefined
  if (isEveryDay) return { ...usual, every: 'day', minute, hour }
  if ((days === '?' || days === '*') && weekday !== undefined) return { ...usual, every: 'week', minute, hour, weekday }
  if (weekdays === '?' && (day !== undefined || days === 'L')) return { ...usual, every: 'month', minute, hour, day: day ?? 0 }
  return undefined
}
