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
