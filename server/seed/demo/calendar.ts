import { fromWireTime, toWireDay } from '#contract/kernel/when.ts'

const dayMs = 24 * 3_600_000

/** `yyyy-MM-dd HH:mm:ss` of Asia/Shanghai. @throws for a text that is no instant */
export const at = (text: string): Date => {
  const instant = fromWireTime(text)
  if (!instant) throw new Error(`${text} is no instant`)
  return instant
}

/** The given time of day so many days after `day` (Asia/Shanghai). */
export const dayAt = (day: Date, days: number, time: string): Date => at(`${toWireDay(new Date(day.getTime() + days * dayMs))} ${time}`)

/** Columns of `examination` that hold its windows. */
export interface Windows {
  readonly sign_begin: Date
  readonly sign_end: Date
  readonly modify_end: Date
  readonly examine_begin: Date
  readonly examine_end: Date
  readonly appeal_end: Date
  readonly pay_begin: Date
  readonly pay_end: Date
  readonly ticket_begin: Date
  readonly ticket_end: Date
  readonly ms_ticket_begin: Date
  readonly ms_ticket_end: Date
}

/** Windows around the day on which sign-up begins; with `begin` three days before the first start they are those of decision 1.6. */
export const windowsFrom = (today: Date, begin: number): Windows => ({
  sign_begin: dayAt(today, begin, '09:00:00'),
  sign_end: dayAt(today, begin + 17, '17:00:00'),
  modify_end: dayAt(today, begin + 18, '12:00:00'),
  examine_begin: dayAt(today, begin, '09:00:00'),
  examine_end: dayAt(today, begin + 18, '17:00:00'),
  appeal_end: dayAt(today, begin + 18, '17:00:00'),
  pay_begin: dayAt(today, begin, '09:00:00'),
  pay_end: dayAt(today, begin + 19, '17:00:00'),
  ticket_begin: dayAt(today, begin + 23, '09:00:00'),
  ticket_end: dayAt(today, begin + 28, '09:00:00'),
  ms_ticket_begin: dayAt(today, begin + 40, '09:00:00'),
  ms_ticket_end: dayAt(today, begin + 45, '08:00:00'),
})
/** Days after `begin` of the written papers and of the interview. */
export const writtenDay = 28
export const interviewDay = 45

/**
 * Instants at which people do things: the hours from 8 to 23 between two instants. `at(0)` is the first of them, `at(1)` the last, so that
 * a story told in fractions keeps its order and nobody signs up at four in the morning.
 */
export const wakingHours = (from: Date, to: Date): ((fraction: number) => Date) => {
  const stretches: { from: number; length: number }[] = []
  for (let day = 0; ; day += 1) {
    const start = Math.max(from.getTime(), dayAt(from, day, '08:00:00').getTime())
    const end = Math.min(to.getTime(), dayAt(from, day, '23:00:00').getTime())
    if (end > start) stretches.push({ from: start, length: end - start })
    if (dayAt(from, day + 1, '00:00:00') >= to) break
  }
  const total = stretches.reduce((sum, stretch) => sum + stretch.length, 0)
  if (total === 0) throw new Error('nobody was awake between the two instants')
  return fraction => {
    let left = Math.min(Math.max(fraction, 0), 1) * total
    for (const stretch of stretches) {
      if (left <= stretch.length) return new Date(Math.floor((stretch.from + left) / 1000) * 1000)
      left -= stretch.length
    }
    return to
  }
}
