import { examLabel } from '#contract/exam/exam.labels.ts'
import { formatInstant } from '#contract/exam/window.ts'
import type { Label } from '#contract/kernel/label.ts'

/** Candidates relied on these when they signed up. */
const frozen = new Set(
  (
    'examCode examNo year examType feeMode feeFen payWhen promise examineLevels allowSecond openRatio ratioBasis shortlistRatio ' +
    'writtenWeight interviewWeight scoreScale tieBreak regionLabel needSignature'
  ).split(' '),
)
const ends = new Set(['signEnd', 'modifyEnd', 'examineEnd', 'appealEnd', 'payEnd', 'adjustEnd', 'ticketEnd', 'msTicketEnd'])
const begins = new Set(['signBegin', 'examineBegin', 'payBegin', 'adjustBegin', 'ticketBegin', 'msTicketBegin', 'scoreBegin'])
/** How the office works is nobody else's business. */
const internal = new Set(['managers', 'deptId', 'allotMode', 'allowSameReviewer', 'payLimitMinutes'])

/** A shortened window must leave people this long. */
const noticeMs = 24 * 3_600_000

export interface ReleasedEdit {
  readonly frozen: readonly Label[]
  readonly shortened: readonly Label[]
  /** Lines of the public change record. */
  readonly changes: readonly Label[]
}

const value = (raw: unknown): unknown => (raw instanceof Date ? raw.getTime() : (raw ?? null))
const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(value(a)) === JSON.stringify(value(b))
const shown = (raw: unknown): Label =>
  raw instanceof Date ? { zh: formatInstant(raw.getTime()), en: formatInstant(raw.getTime()) } : { zh: '未设置', en: 'not set' }

/**
 * Judges a change of a released examination (domain 4.1): windows may be extended freely, shortened only if the new end is more
 * than 24 hours away, and a window that has begun keeps its beginning.
 */
export function judgeReleasedEdit(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
  nowMs: number,
): ReleasedEdit {
  const changed = Object.keys(after).filter(field => !isSame(before[field], after[field]))
  const isShortened = (field: string): boolean => {
    const [old, next] = [before[field], after[field]]
    if (!(old instanceof Date)) return false
    if (!(next instanceof Date)) return true
    return next < old && next.getTime() <= nowMs + noticeMs
  }
  const hasBegun = (field: string): boolean => {
    const [old, next] = [before[field], after[field]]
    return old instanceof Date && old.getTime() <= nowMs && !(next instanceof Date && next < old)
  }
  return {
    frozen: changed.filter(field => frozen.has(field) || (begins.has(field) && hasBegun(field))).map(examLabel),
    shortened: changed.filter(field => ends.has(field) && isShortened(field)).map(examLabel),
    changes: changed
      .filter(field => !internal.has(field))
      .map(field => {
        const name = examLabel(field)
        if (!ends.has(field) && !begins.has(field)) return { zh: `修改了${name.zh}`, en: `Changed: ${name.en}` }
        const [old, next] = [shown(before[field]), shown(after[field])]
        return { zh: `${name.zh}由 ${old.zh} 调整为 ${next.zh}`, en: `${name.en}: ${old.en} → ${next.en}` }
      }),
  }
}
