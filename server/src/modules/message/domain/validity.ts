import { fromWireTime, toWireDay } from '#contract/kernel/when.ts'

const dayMs = 24 * 3_600_000
const startOfDay = (at: Date): number => (fromWireTime(`${toWireDay(at)} 00:00:00`) ?? at).getTime()

/** The last second of the last day on which parts are valid: the day they are credited does not count. */
export const lastSecond = (credited: Date, validDays: number): Date => new Date(startOfDay(credited) + (validDays + 1) * dayMs - 1_000)

/** Days before the end at which people are told. */
const told = [30, 7, 1] as const
export const firstTold = told[0]

/** Which of those days has come; undefined while none has, or where the parts were not valid longer than that to begin with. */
export const warningDay = (now: Date, expireTime: Date, validDays: number): number | undefined => {
  const left = Math.round((startOfDay(expireTime) - startOfDay(now)) / dayMs)
  return told.filter(days => left <= days && days < validDays).at(-1)
}
