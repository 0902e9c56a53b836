import { fromWireTime, toWireDay, toWireTime } from '#contract/kernel/when.ts'

const dayMs = 24 * 3_600_000
export const usualQuiet = '22:00-08:00'

/** When the quiet hours end that this instant lies in; undefined outside of them. `0` has none. */
export const quietUntil = (hours: string | undefined, now: Date): Date | undefined => {
  const [, from, to] = /^(\d\d:\d\d)-(\d\d:\d\d)$/.exec(hours ?? usualQuiet) ?? []
  if (from === undefined || to === undefined || from === to) return undefined
  const time = toWireTime(now).slice(11, 16)
  const isQuiet = from < to ? time >= from && time < to : time >= from || time < to
  if (!isQuiet) return undefined
  const today = fromWireTime(`${toWireDay(now)} ${to}:00`) ?? now
  return today > now ? today : new Date(today.getTime() + dayMs)
}

/** Eight in the morning of the next day, when the budget is whole again. */
export const nextMorning = (now: Date): Date => new Date((fromWireTime(`${toWireDay(now)} 08:00:00`) ?? now).getTime() + dayMs)
