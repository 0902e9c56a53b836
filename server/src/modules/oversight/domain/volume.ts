import { fromWireTime, toWireDay, toWireTime } from '#contract/kernel/when.ts'
import type { Span } from '#contract/oversight/measure.ts'

/** When the tenant works: whole hours of the day, so many days of the week from Monday on, and the days that do not follow the week. */
export interface OfficeHours {
  readonly from: number
  readonly to: number
  readonly days: number
  /** Holidays, as `2026-10-01`. */
  readonly daysOff: ReadonlySet<string>
  /** Weekends that are worked in exchange for a holiday. */
  readonly workDays: ReadonlySet<string>
}
/** How much of a measure one subject did in one hour. */
export interface Volume {
  readonly hour: Date
  readonly amount: number
}
export interface Window {
  readonly start: Date
  readonly end: Date
}

/** As much as is counted: a line that tells of more must not keep its tenant from being counted at all. */
export const mostAmount = 2_000_000_000
const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** Working days that say what is usual, and how far back they can lie: two weeks of five days and one more for a long holiday. */
const usualDays = 14
export const usualReachMs = 30 * dayMs

export const startOfDay = (instant: Date): Date => fromWireTime(`${toWireDay(instant)} 00:00:00`) ?? instant
export const hourOf = (instant: Date): Date => new Date(Math.floor(instant.getTime() / hourMs) * hourMs)
export const windowOf = (span: Span, instant: Date): Window => {
  const start = span === 'day' ? startOfDay(instant) : hourOf(instant)
  return { start, end: new Date(start.getTime() + (span === 'day' ? dayMs : hourMs)) }
}

/** 1 Monday … 7 Sunday. */
const weekdayOf = (day: string): number => ((Math.floor(Date.parse(`${day}T00:00:00Z`) / dayMs) + 3) % 7) + 1
export const isWorkingDay = (instant: Date, { days, daysOff, workDays }: OfficeHours): boolean => {
  const day = toWireDay(instant)
  return workDays.has(day) || (weekdayOf(day) <= days && !daysOff.has(day))
}
export const isOffHours = (hour: Date, office: OfficeHours): boolean => {
  const at = Number(toWireTime(hour).slice(11, 13))
  return !isWorkingDay(hour, office) || at < office.from || at >= office.to
}

const medianOf = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length / 2
  const at = (index: number): number => sorted[index] ?? 0
  return sorted.length % 2 === 1 ? at(Math.floor(middle)) : (at(middle - 1) + at(middle)) / 2
}

/** The hours that a rule counts. */
export const counted = (volumes: readonly Volume[], isOffOnly: boolean, office: OfficeHours): readonly Volume[] =>
  isOffOnly ? volumes.filter(({ hour }) => isOffHours(hour, office)) : volumes

export const sumWithin = (volumes: readonly Volume[], { start, end }: Window): number =>
  volumes.reduce((sum, { hour, amount }) => (hour >= start && hour < end ? Math.min(sum + amount, mostAmount) : sum), 0)

/**
 * What is usual: the median over the last fourteen working days before the window's day of a day's sum, or of its busiest hour. A day on
 * which nothing was done counts as nothing.
 */
export const usualOf = (volumes: readonly Volume[], span: Span, window: Window, office: OfficeHours): number => {
  const today = startOfDay(window.start)
  const days: number[] = []
  for (let at = today.getTime() - dayMs; days.length < usualDays && at >= today.getTime() - usualReachMs; at -= dayMs) {
    const day = new Date(at)
    if (!isWorkingDay(day, office)) continue
    const hours = volumes.filter(({ hour }) => hour >= day && hour.getTime() < at + dayMs).map(({ amount }) => amount)
    days.push(span === 'day' ? hours.reduce((sum, amount) => sum + amount, 0) : Math.max(0, ...hours))
  }
  return medianOf(days)
}

export interface Limits {
  readonly threshold: number | null
  readonly factor: number | null
  readonly floor: number
}
/** From how much on a rule speaks, where so much is usual. */
export const limitOf = ({ threshold, factor, floor }: Limits, usual: number): number =>
  Math.min(
    threshold ?? Number.POSITIVE_INFINITY,
    factor === null ? Number.POSITIVE_INFINITY : Math.max(floor, Math.floor(factor * usual) + 1),
  )
/** Below it the rule cannot speak, whatever is usual. */
export const leastLimitOf = (limits: Limits): number => limitOf(limits, 0)
