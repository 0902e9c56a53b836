import { dayMs, endOfDay, endText } from './end-text.ts'

/** The product's time zone is Asia/Shanghai, which has had no daylight saving since 1991: a fixed offset, no Intl in hot paths. */
const offsetMs = 8 * 3_600_000

/** `yyyy-MM-dd HH:mm:ss` in Asia/Shanghai. */
export const toWireTime = (instant: Date): string => new Date(instant.getTime() + offsetMs).toISOString().slice(0, 19).replace('T', ' ')
/** `yyyy-MM-dd` in Asia/Shanghai. */
export const toWireDay = (instant: Date): string => toWireTime(instant).slice(0, 10)
/** Undefined for a text that is no existing instant; no calendar, and no database, has a year 0. `24:00:00` ends the day it stands with. */
export const fromWireTime = (text: string): Date | undefined => {
  if (text.endsWith(endOfDay)) {
    const begins = fromWireTime(text.replace(endOfDay, ' 00:00:00'))
    return begins && new Date(begins.getTime() + dayMs)
  }
  if (!/^(?!0000)\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/.test(text)) return undefined
  const instant = new Date(`${text.replace(' ', 'T')}+08:00`)
  return Number.isNaN(instant.getTime()) || toWireTime(instant) !== text ? undefined : instant
}

/**
 * Where a window ends whose end somebody wrote down. Windows end before their end (domain 0); one that is written as the last second of a minute
 * (23:59:59) means that second too, so it ends with the next.
 */
export const endOfWindow = (written: Date): Date => (written.getTime() % 60_000 === 59_000 ? new Date(written.getTime() + 1_000) : written)

/** A sentence with its times as people say them: seconds only where there are some. */
export const saidTime = (text: string): string => text.replace(/(\d{4}-\d{2}-\d{2} \d{2}:\d{2}):00(?![\d:])/g, '$1')

/** The end that an instant is. */
export const toWireEnd = (instant: Date): string => endText(toWireTime(instant))
/** To the minute, for sentences. */
export const toEndMinute = (instant: Date): string => toWireEnd(instant).slice(0, 16)
/** Where something from one instant to another ends: the time alone where both are of one day, 24:00 included. */
export const endBeside = (begin: string, end: string): string => {
  const minute = endText(end).slice(0, 16)
  return minute.slice(0, 10) === begin.slice(0, 10) ? minute.slice(11) : minute
}
