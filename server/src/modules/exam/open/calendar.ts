import type { Label } from '#contract/kernel/label.ts'
import { endOfWindow } from '#contract/kernel/when.ts'
import type { OpenExam } from './board.ts'
import { words } from './words.ts'

const utc = (at: Date): string => at.toISOString().replace(/[-:]|\.\d{3}/g, '')
const text = (value: string): string => value.replace(/\\/g, '\\\\').replace(/[;,]/g, '\\$&').replace(/\r?\n/g, '\\n')

/** Lines of at most 75 bytes, as RFC 5545 asks; a character is never cut. */
const folded = (line: string): string => {
  const lines: string[] = []
  let current = ''
  for (const char of line) {
    if (Buffer.byteLength(current + char) > (lines.length === 0 ? 75 : 74)) {
      lines.push(current)
      current = ''
    }
    current += char
  }
  return [...lines, current].join('\r\n ')
}

interface Window {
  readonly key: string
  readonly name: Label
  readonly begin: Date | null
  readonly end: Date | null
}
/** What happens when, in the order of the field; what is not set is left out. */
export const windowsShown = ({ exam, papers }: Pick<OpenExam, 'exam' | 'papers'>): readonly Window[] => {
  const all: Window[] = [
    { key: 'sign', name: words.sign, begin: exam.signBegin, end: exam.signEnd },
    { key: 'modify', name: words.modify, begin: null, end: exam.modifyEnd },
    { key: 'examine', name: words.examine, begin: null, end: exam.examineEnd },
    { key: 'appeal', name: words.appeal, begin: null, end: exam.appealEnd },
    ...(exam.feeMode === 0 ? [] : [{ key: 'pay', name: words.pay, begin: exam.payBegin, end: exam.payEnd }]),
    { key: 'ticket', name: words.ticket, begin: exam.ticketBegin, end: exam.ticketEnd },
    ...papers.map(({ id, itemName, startTime, endTime }) => ({
      key: `paper-${id}`,
      name: { zh: itemName, en: itemName },
      begin: startTime,
      end: endTime,
    })),
    { key: 'score', name: words.score, begin: exam.scoreBegin, end: null },
  ]
  return all.filter(({ begin, end }) => begin !== null || end !== null)
}

/** Longer windows would cover whole weeks of a calendar: their two ends are what people must not miss. */
const longMs = 24 * 3_600_000
const momentMs = 30 * 60_000

const events = (window: Window, language: 'zh' | 'en') => {
  const name = window.name[language]
  const { begin } = window
  const end = window.end && endOfWindow(window.end)
  const one = (key: string, summary: string, from: Date, to: Date) => ({ key: `${window.key}-${key}`, summary, from, to })
  if (begin && end && end.getTime() - begin.getTime() <= longMs) return [one('whole', name, begin, end)]
  return [
    ...(begin ? [one('begin', language === 'zh' ? `${name}开始` : `${name} opens`, begin, new Date(begin.getTime() + momentMs))] : []),
    ...(end
      ? [
          one(
            'end',
            language === 'zh' ? (begin ? `${name}截止` : name) : begin ? `${name} closes` : name,
            new Date(end.getTime() - momentMs),
            end,
          ),
        ]
      : []),
  ]
}

/** A calendar to subscribe to: each date keeps its name, so that one that moves moves in the calendar too. */
export const calendarOf = (open: OpenExam, language: 'zh' | 'en', page: string): string => {
  const { exam } = open
  const lines = windowsShown(open)
    .flatMap(window => events(window, language))
    .flatMap(({ key, summary, from, to }) => [
      'BEGIN:VEVENT',
      `UID:exam-${exam.id}-${key}@kaopu`,
      `DTSTAMP:${utc(exam.updatedAt)}`,
      `LAST-MODIFIED:${utc(exam.updatedAt)}`,
      `SEQUENCE:${exam.version}`,
      `DTSTART:${utc(from)}`,
      `DTEND:${utc(to)}`,
      `SUMMARY:${text(`${summary} · ${exam.examName}`)}`,
      `DESCRIPTION:${text(`${exam.contactPhone}\n${page}`)}`,
      `URL:${page}`,
      ...(/(end|whole)$/.test(key) ? ['BEGIN:VALARM', 'ACTION:DISPLAY', 'TRIGGER:-P1D', `DESCRIPTION:${text(summary)}`, 'END:VALARM'] : []),
      'END:VEVENT',
    ])
  return [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Kaopu//Examination dates//ZH',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    `X-WR-CALNAME:${text(exam.examName)}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    'X-PUBLISHED-TTL:PT1H',
    ...lines,
    'END:VCALENDAR',
    '',
  ]
    .map(folded)
    .join('\r\n')
}
