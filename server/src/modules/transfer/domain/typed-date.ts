import { foldWidth } from '#contract/kernel/fold-width.ts'
import type { Label } from '#contract/kernel/label.ts'
import { isCalendarDate } from '#contract/person/id-card.ts'
import { type CellReading, type ImportCell, readAsText } from './sheet-cell.ts'

/** A day as people type it: 2026-3-5, 2026/03/05, 2026.3.5, 20260305, 2026年3月5日; the same sign twice. */
const dayForm = /^(\d{4})(?:([-/.])(\d{1,2})\2(\d{1,2})|(\d\d)(\d\d)|年(\d{1,2})月(\d{1,2})[日号])$/
const timeForm = /^(\d{1,2})(?::(\d{2})(?::(\d{2}))?|[时点](?:(\d{1,2})分?(?:(\d{1,2})秒)?)?)$/

const two = (part = '0'): string => part.padStart(2, '0')

/** @returns the text as `2026-03-05` or `2026-03-05 17:00:00`; 'impossible' for one that has the form and is no time; undefined for another form */
export const typedDate = (typed: string): string | 'impossible' | undefined => {
  const text = foldWidth(typed)
    .replace(/[\s\u3000]+/g, ' ')
    .replace(/ ?([年月日号时点分秒]) ?/g, '$1')
    .replace(/ ?([-/.:]) ?/g, '$1')
    .replace(/[\u2010-\u2013\u2212]/g, '-')
    .trim()
  const [whole, dayText = '', timeText] = /^(\d{4}年\d{1,2}月\d{1,2}[日号]|[\d./-]+)(?:[ T]?(.+))?$/.exec(text) ?? []
  const day = whole === undefined ? null : dayForm.exec(dayText)
  const time = timeText === undefined ? undefined : timeForm.exec(timeText)
  if (!day || time === null) return undefined
  const date = `${day[1]}-${two(day[3] ?? day[5] ?? day[7])}-${two(day[4] ?? day[6] ?? day[8])}`
  if (!isCalendarDate(date)) return 'impossible'
  if (!time) return date
  const [hour, minute, second] = [two(time[1]), two(time[2] ?? time[4]), two(time[3] ?? time[5])]
  // The end of a day, as people write it.
  if (hour === '24' && minute === '00' && second === '00') return `${date} 24:00:00`
  return Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59 ? 'impossible' : `${date} ${hour}:${minute}:${second}`
}

interface Problem {
  readonly code: string
  readonly reason: Label
}

const noSuch = (name: string, typed: string, kind: 'day' | 'moment'): Problem => ({
  code: 'date',
  reason:
    kind === 'day'
      ? { zh: `日期不存在: ${typed}`, en: `There is no such day: ${typed}` }
      : { zh: `${name}不存在: ${typed}，请按 2026-03-01 17:00 填写`, en: `${typed} is no time; write it as 2026-03-01 17:00` },
})
const noDate = (name: string, typed: string, kind: 'day' | 'moment'): Problem => ({
  code: 'date-format',
  reason:
    kind === 'day'
      ? { zh: '日期格式错误,应为 YYYY-MM-DD', en: 'Write the date as YYYY-MM-DD' }
      : { zh: `${name}不是时间: ${typed}，请按 2026-03-01 17:00 填写`, en: `${typed} is no time; write it as 2026-03-01 17:00` },
})

/** A column of days gives `2026-03-05`, one of times that or `2026-03-05 17:00:00`; an empty cell gives an empty text. */
export const readAsDate = (name: string, cell: ImportCell, kind: 'day' | 'moment'): CellReading => {
  const stored = typeof cell === 'string' ? undefined : cell
  if (stored?.isPartial)
    return {
      code: 'date-format',
      reason: {
        zh: `${name}的单元格只显示日期的一部分: ${stored.shown}，请填写完整日期，如 2026-03-05`,
        en: `The cell of ${name} shows only a part of a date: ${stored.shown}; write it whole, as 2026-03-05`,
      },
    }
  const read = stored?.date === undefined ? readAsText(name, cell) : { text: stored.date }
  if ('code' in read || read.text.trim() === '') return read
  const typed = read.text.trim()
  const found = typedDate(typed)
  if (found === 'impossible') return noSuch(name, typed, kind)
  if (found === undefined) return noDate(name, typed, kind)
  // A stored date has a time of midnight that nobody typed.
  const text = kind === 'day' || stored?.date !== undefined ? found.replace(/ 00:00:00$/, '') : found
  return kind === 'day' && text.length > 10 ? noDate(name, typed, kind) : { text }
}
