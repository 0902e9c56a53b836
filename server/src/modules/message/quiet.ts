import { fromWireTime, toWireDay, toWireTime } from '#contract/kernel/when.ts'

const dayMs = 86_400_000
/** From 22:00 to 8:00 nobody gets a text message that can wait. */
const [quietFrom, quietUntil] = ['22:00:00', '08:00:00']

/** The instant itself by day, else the next morning. */
export const byDay = (now: Date): Date => {
  const time = toWireTime(now).slice(11)
  if (time >= quietUntil && time < quietFrom) return now
  const day = toWireDay(time < quietUntil ? now : new Date(now.getTime() + dayMs))
  return fromWireTime(`${day} ${quietUntil}`) ?? now
}
