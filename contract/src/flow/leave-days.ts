import { toWireDay } from '../kernel/when.ts'

/** When a tenant works: whole hours of the day, days of the week from Monday on, and the days of the calendar that differ (`yyyy-MM-dd`). */
export interface WorkingHours {
  readonly from: number
  readonly to: number
  readonly days: number
  readonly daysOff: readonly string[]
  readonly workDays: readonly string[]
}
const dayMs = 86_400_000
const hourMs = 3_600_000

const isWorked = (day: string, { days, daysOff, workDays }: WorkingHours): boolean => {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay() || 7
  return workDays.includes(day) || (weekday <= days && !daysOff.includes(day))
}

/**
 * How long a leave is, in working days of the tenant: what of its hours lies in the working hours of a working day, in half days; a begun half counts.
 * A weekend, a holiday and the time before and after work are no leave.
 */
export const leaveDays = (startAt: Date, endAt: Date, office: WorkingHours): number => {
  const { from, to } = office
  let halves = 0
  for (let at = startAt.getTime(); ; at += dayMs) {
    const day = toWireDay(new Date(at))
    const midnight = Date.parse(`${day}T00:00:00+08:00`)
    if (midnight >= endAt.getTime()) break
    if (isWorked(day, office)) {
      const [opens, closes] = [midnight + from * hourMs, midnight + to * hourMs]
      const away = Math.min(endAt.getTime(), closes) - Math.max(startAt.getTime(), opens)
      if (away > 0) halves += away * 2 > closes - opens ? 2 : 1
    }
  }
  return halves / 2
}
