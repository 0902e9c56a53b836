import type { Tone } from '../kernel/field.ts'
import type { Label } from '../kernel/label.ts'

/**
 * Instants are milliseconds since 1970 UTC; on the wire they are `yyyy-MM-dd HH:mm:ss` in Asia/Shanghai.
 * The zone has had the fixed offset +08:00 since 1991-09-15, so no time zone data is needed for instants of this product.
 */
const OFFSET_MS = 8 * 3600_000
const DAY_MS = 24 * 3600_000

const pad = (value: number, width: number): string => String(value).padStart(width, '0')

/** Days since 1970-01-01 of a proleptic Gregorian date, by Howard Hinnant's `days_from_civil`. */
function daysFromCivil(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year
  const era = Math.floor(y / 400)
  const yearOfEra = y - era * 400
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1
  return era * 146097 + yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear - 719468
}

function civilFromDays(days: number): { year: number; month: number; day: number } {
  const z = days + 719468
  const era = Math.floor(z / 146097)
  const dayOfEra = z - era * 146097
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36524) - Math.floor(dayOfEra / 146096)) / 365,
  )
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const mp = Math.floor((5 * dayOfYear + 2) / 153)
  const month = mp < 10 ? mp + 3 : mp - 9
  return { year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day: dayOfYear - Math.floor((153 * mp + 2) / 5) + 1 }
}

/** `yyyy-MM-dd` of the day in Asia/Shanghai. */
export function formatDay(atMs: number): string {
  const { year, month, day } = civilFromDays(Math.floor((atMs + OFFSET_MS) / DAY_MS))
  return `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`
}

/** `yyyy-MM-dd HH:mm:ss` in Asia/Shanghai; milliseconds are cut off, never rounded up. */
export function formatInstant(atMs: number): string {
  const seconds = Math.floor((atMs + OFFSET_MS) / 1000) - Math.floor((atMs + OFFSET_MS) / DAY_MS) * 86_400
  return `${formatDay(atMs)} ${pad(Math.floor(seconds / 3600), 2)}:${pad(Math.floor(seconds / 60) % 60, 2)}:${pad(seconds % 60, 2)}`
}

/** Milliseconds of `yyyy-MM-dd` (midnight) or `yyyy-MM-dd HH:mm:ss`, 24:00:00 included, in Asia/Shanghai; undefined when the text names no such moment. */
export function parseInstant(text: string): number | undefined {
  const match = /^(\d{4})-(\d\d)-(\d\d)(?: (\d\d):(\d\d):(\d\d))?$/.exec(text)
  if (!match) return undefined
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1).map(part => Number(part ?? 0))
  // 24:00 ends the day.
  const isEnd = hour === 24 && minute === 0 && second === 0
  if (month < 1 || month > 12 || day < 1 || day > 31 || (hour > 23 && !isEnd) || minute > 59 || second > 59) return undefined
  const days = daysFromCivil(year, month, day)
  if (civilFromDays(days).day !== day) return undefined
  return days * DAY_MS + ((hour * 60 + minute) * 60 + second) * 1000 - OFFSET_MS
}

/**
 * Whether a moment lies in the half-open window [begin, end) (domain 0 "Time windows"): 16:59:59.999 is inside a window that
 * ends at 17:00:00, 17:00:00.000 is not. A bound that is not set does not limit.
 * @param atMs when the server had read the request's headers (decision 4.8)
 */
export const isWithin = (atMs: number, beginMs: number | null | undefined, endMs: number | null | undefined): boolean =>
  (beginMs == null || atMs >= beginMs) && (endMs == null || atMs < endMs)

/**
 * Working days from the day of `beginMs` to the day of `endMs`, both counted: Monday to Friday without `holidays`, plus
 * `extraDays` (weekends worked in exchange). Both lists hold `yyyy-MM-dd`.
 */
export function countWorkingDays(
  beginMs: number,
  endMs: number,
  holidays: ReadonlySet<string> = new Set(),
  extraDays: ReadonlySet<string> = new Set(),
): number {
  let count = 0
  const last = Math.floor((endMs + OFFSET_MS) / DAY_MS)
  for (let day = Math.floor((beginMs + OFFSET_MS) / DAY_MS); day <= last; day++) {
    const weekday = (((day + 4) % 7) + 7) % 7
    const text = formatDay(day * DAY_MS)
    if (extraDays.has(text) || (weekday !== 0 && weekday !== 6 && !holidays.has(text))) count++
  }
  return count
}

/** The windows of an examination (domain 3.1), milliseconds; null = not set. */
export interface ExamWindows {
  readonly signBegin: number
  readonly signEnd: number
  readonly modifyEnd?: number | null
  readonly examineBegin?: number | null
  readonly examineEnd: number
  readonly appealEnd?: number | null
  readonly payBegin?: number | null
  readonly payEnd?: number | null
  readonly adjustBegin?: number | null
  readonly adjustEnd?: number | null
  readonly ticketBegin?: number | null
  readonly ticketEnd?: number | null
  readonly msTicketBegin?: number | null
  readonly msTicketEnd?: number | null
  readonly scoreBegin?: number | null
}

export interface ExamItemTimes {
  readonly itemName: string
  /** 1 written, 2 interview, 3 practical, 4 physical. */
  readonly itemType: 1 | 2 | 3 | 4
  readonly startTime: number
  readonly endTime: number
  readonly reportTime?: number | null
  /** Marks as decimals in text. */
  readonly fullScore?: string
  readonly passScore?: string | null
}

export interface WindowProblem {
  readonly field: string
  readonly message: Label
}

/** What a paper must keep between its own fields (domain 3.2); `field` is the paper's. */
export function checkPaper(paper: Omit<ExamItemTimes, 'itemName' | 'itemType'>): WindowProblem[] {
  const problems: WindowProblem[] = []
  const add = (field: string, zh: string, en: string) => problems.push({ field, message: { zh, en } })
  if (paper.startTime >= paper.endTime) add('endTime', '结束时间须晚于开始时间', 'It must end after it begins')
  if (paper.reportTime != null && paper.reportTime > paper.startTime)
    add('reportTime', '报到时间不能晚于开始时间', 'Reporting must not be later than the beginning')
  if (paper.fullScore !== undefined && paper.passScore != null && Number(paper.passScore) > Number(paper.fullScore))
    add('passScore', '合格线不能高于满分', 'The pass line must not be above the full score')
  return problems
}

const pairsOf = (windows: Partial<ExamWindows>) =>
  [
    ['sign', windows.signBegin, windows.signEnd, '报名', 'sign-up'],
    ['examine', windows.examineBegin, windows.examineEnd, '审核', 'examination of sign-ups'],
    ['pay', windows.payBegin, windows.payEnd, '缴费', 'payment'],
    ['adjust', windows.adjustBegin, windows.adjustEnd, '改报', 'transfer'],
    ['ticket', windows.ticketBegin, windows.ticketEnd, '准考证下载', 'ticket download'],
    ['msTicket', windows.msTicketBegin, windows.msTicketEnd, '面试准考证下载', 'interview ticket download'],
  ] as const

/** Windows that end before they begin: nobody means that, so not even a draft is stored with one. */
export const reversedWindows = (windows: Partial<ExamWindows>): WindowProblem[] =>
  pairsOf(windows).flatMap(([name, begin, end, zh, en]) =>
    begin != null && end != null && begin >= end
      ? [{ field: `${name}End`, message: { zh: `${zh}结束时间须晚于开始时间`, en: `The ${en} window must end after it begins` } }]
      : [],
  )

/**
 * What keeps the windows of an examination from being released (decision 1.6): every window begins before it ends,
 * signEnd <= modifyEnd, signEnd <= examineEnd <= payEnd, each item reports, begins and ends in this order. Windows may overlap.
 */
export function checkWindows(windows: ExamWindows, items: readonly ExamItemTimes[], feeMode: number): WindowProblem[] {
  const problems: WindowProblem[] = reversedWindows(windows)
  const add = (field: string, zh: string, en: string) => problems.push({ field, message: { zh, en } })
  for (const [name, begin, end, zh, en] of pairsOf(windows))
    if (begin != null && end == null) add(`${name}End`, `请设置${zh}结束时间`, `Set the end of the ${en} window`)
  if (windows.modifyEnd != null && windows.modifyEnd < windows.signEnd) {
    add('modifyEnd', '修改截止时间不能早于报名结束时间', 'Corrections must not end before sign-up ends')
  }
  if (windows.examineEnd < windows.signEnd) {
    add('examineEnd', '审核结束时间不能早于报名结束时间', 'Examination of sign-ups must not end before sign-up ends')
  }
  // A window that begins and does not end has been said above.
  if (feeMode !== 0 && windows.payBegin == null) {
    add('payBegin', '收费考试须设置缴费时间', 'An examination with a fee needs a payment window')
  }
  if (windows.payEnd != null && windows.payEnd < windows.examineEnd) {
    add('payEnd', '缴费结束时间不能早于审核结束时间', 'Payment must not end before examination of sign-ups ends')
  }
  for (const item of items)
    for (const { message } of checkPaper(item)) add('items', `${item.itemName}：${message.zh}`, `${item.itemName}: ${message.en}`)
  return problems
}

/**
 * What release only warns about (domain 3.1): regulated recruitment (type 1) wants 3 working days of sign-up, 7 of announcement; whoever
 * sits a paper needs days on which the ticket can be had.
 */
export function windowWarnings(
  exam: {
    readonly examType: number
    readonly signBegin: number
    readonly signEnd: number
    readonly announcedAt?: number | null
    readonly ticketBegin?: number | null
    readonly hasPapers?: boolean
  },
  holidays?: ReadonlySet<string>,
  extraDays?: ReadonlySet<string>,
): WindowProblem[] {
  const warnings: WindowProblem[] = []
  if (exam.hasPapers && exam.ticketBegin == null) {
    const message = {
      zh: '没有设置准考证下载时间，考生下载不到准考证',
      en: 'No ticket download window is set: candidates cannot download tickets',
    }
    warnings.push({ field: 'ticketBegin', message })
  }
  if (exam.examType !== 1 || exam.signEnd <= exam.signBegin) return warnings
  const signDays = countWorkingDays(exam.signBegin, exam.signEnd - 1, holidays, extraDays)
  if (signDays < 3) {
    const message = { zh: `报名时间仅 ${signDays} 个工作日，一般不少于 3 个`, en: `Sign-up lasts ${signDays} working days; 3 are usual` }
    warnings.push({ field: 'signEnd', message })
  }
  if (exam.announcedAt != null) {
    const announced =
      exam.announcedAt >= exam.signBegin ? 0 : countWorkingDays(exam.announcedAt, exam.signBegin - DAY_MS, holidays, extraDays)
    if (announced < 7) {
      const message = {
        zh: `公告发布距报名开始仅 ${announced} 个工作日，一般不少于 7 个`,
        en: `Announced ${announced} working days before sign-up; 7 are usual`,
      }
      warnings.push({ field: 'signBegin', message })
    }
  }
  return warnings
}

export type ExamPhase =
  | 'notStarted'
  | 'signing'
  | 'examining'
  | 'paying'
  | 'adjusting'
  | 'ticketing'
  | 'examDay'
  | 'scoring'
  | 'reviewing'
  | 'interviewing'
  | 'publicity'
  | 'finished'
  | 'closed'

export const phaseLabels: Readonly<Record<ExamPhase, Label>> = {
  notStarted: { zh: '未开始', en: 'Not started' },
  signing: { zh: '报名中', en: 'Sign-up open' },
  examining: { zh: '审核中', en: 'Under examination' },
  paying: { zh: '缴费中', en: 'Payment open' },
  adjusting: { zh: '改报中', en: 'Transfer open' },
  ticketing: { zh: '准考证下载', en: 'Tickets' },
  examDay: { zh: '考试中', en: 'Examination' },
  scoring: { zh: '成绩评定', en: 'Scoring' },
  reviewing: { zh: '资格复审', en: 'Re-review' },
  interviewing: { zh: '面试', en: 'Interview' },
  publicity: { zh: '公示', en: 'Public notice' },
  finished: { zh: '已结束', en: 'Finished' },
  closed: { zh: '已关闭', en: 'Closed' },
}
export const phaseTones: Readonly<Record<ExamPhase, Tone>> = {
  notStarted: 'waiting',
  signing: 'active',
  examining: 'active',
  paying: 'active',
  adjusting: 'active',
  ticketing: 'active',
  examDay: 'active',
  scoring: 'waiting',
  reviewing: 'active',
  interviewing: 'active',
  publicity: 'passed',
  finished: 'closed',
  closed: 'closed',
}

export interface PhaseFacts {
  /** 0 draft, 1 released, 2 closed, 3 archived. */
  readonly state: number
  readonly windows: ExamWindows
  readonly items: readonly ExamItemTimes[]
  readonly writtenReleased: boolean
  readonly interviewReleased: boolean
  /** Sign-ups that stand in stage 3 (re-review), and in stages 5 to 7 (medical check, vetting, public notice). */
  readonly hasReview: boolean
  readonly hasPublicity: boolean
}

/**
 * The phase shown for an examination (domain 3.1). Windows may overlap; then the one a candidate still has to act in, the
 * earliest in the order of the process, gives its name.
 */
export function examPhase(facts: PhaseFacts, nowMs: number): ExamPhase {
  const { windows, items } = facts
  if (facts.state >= 2) return facts.state === 2 ? 'closed' : 'finished'
  if (nowMs < windows.signBegin) return 'notStarted'
  if (nowMs < windows.signEnd) return 'signing'
  if (items.some(item => isWithin(nowMs, item.startTime, item.endTime))) {
    return items.some(item => item.itemType !== 1 && isWithin(nowMs, item.startTime, item.endTime)) ? 'interviewing' : 'examDay'
  }
  const written = items.filter(item => item.itemType === 1)
  const later = items.filter(item => item.itemType !== 1)
  const isBefore = (list: readonly ExamItemTimes[]) => list.some(item => nowMs < item.startTime)
  const hasBegun = items.some(item => nowMs >= item.startTime)
  if (!hasBegun) {
    if (nowMs < windows.examineEnd) return 'examining'
    if (windows.payEnd != null && nowMs < windows.payEnd) return 'paying'
    if (windows.adjustBegin != null && isWithin(nowMs, windows.adjustBegin, windows.adjustEnd)) return 'adjusting'
    return 'ticketing'
  }
  if (isBefore(written)) return 'examDay'
  if (written.length > 0 && !facts.writtenReleased) return 'scoring'
  if (isBefore(later)) {
    const ticketsOpen = windows.msTicketBegin != null && isWithin(nowMs, windows.msTicketBegin, windows.msTicketEnd)
    return ticketsOpen ? 'interviewing' : 'reviewing'
  }
  if (later.length > 0 && !facts.interviewReleased) return 'scoring'
  if (facts.hasPublicity) return 'publicity'
  return facts.hasReview ? 'reviewing' : 'finished'
}
