import { fromWireTime, toWireDay, toWireTime } from '#contract/kernel/when.ts'

const dayMs = 24 * 3_600_000
const usualQuiet = '22:00-08:00'

const form = /^(\d\d:\d\d)-(\d\d:\d\d)$/
/** The quiet hours by the tenant's parameter: the usual ones where it says nothing that can be read; empty where it is 0. */
export const quietHours = (parameter: string | undefined): string => {
  const said = parameter?.trim() ?? ''
  return said === '0' ? '' : form.test(said) ? said : usualQuiet
}

/** When the quiet hours end that this instant lies in; undefined outside of them. `0` has none. */
export const quietUntil = (parameter: string | undefined, now: Date): Date | undefined => {
  const [, from, to] = form.exec(quietHours(parameter)) ?? []
  if (from === undefined || to === undefined || from === to) return undefined
  const time = toWireTime(now).slice(11, 16)
  const isQuiet = from < to ? time >= from && time < to : time >= from || time < to
  if (!isQuiet) return undefined
  const today = fromWireTime(`${toWireDay(now)} ${to}:00`) ?? now
  return today > now ? today : new Date(today.getTime() + dayMs)
}

/** Eight in the morning of the next day, when the budget is whole again. */
export const nextMorning = (now: Date): Date => new Date((fromWireTime(`${toWireDay(now)} 08:00:00`) ?? now).getTime() + dayMs)
