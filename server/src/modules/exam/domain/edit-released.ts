import { examLabel } from '#contract/exam/exam.labels.ts'
import { frozenOnceReleased, hasBegun, isTooShort, shortenNoticeMs, windowBegins, windowEnds } from '#contract/exam/released.ts'
import { formatInstant } from '#contract/exam/window.ts'
import { endText } from '#contract/kernel/end-text.ts'
import type { Label } from '#contract/kernel/label.ts'

/** How the office works is nobody else's business. */
const internal = new Set(['managers', 'deptId', 'allotMode', 'allowSameReviewer', 'payLimitMinutes'])

export interface ReleasedEdit {
  readonly frozen: readonly Label[]
  /** Windows that were shortened too far, each with the end it may have at the earliest. */
  readonly shortened: readonly Label[]
  /** Lines of the public change record. */
  readonly changes: readonly Label[]
}

const value = (raw: unknown): unknown => (raw instanceof Date ? raw.getTime() : (raw ?? null))
const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(value(a)) === JSON.stringify(value(b))
const shown = (field: string, raw: unknown): Label => {
  if (!(raw instanceof Date)) return { zh: '未设置', en: 'not set' }
  const text = formatInstant(raw.getTime())
  const said = windowEnds.has(field) ? endText(text) : text
  return { zh: said, en: said }
}

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
  const ms = (raw: unknown): number | null => (raw instanceof Date ? raw.getTime() : null)
  const isLateBegin = (field: string): boolean => {
    const [old, next] = [ms(before[field]), ms(after[field])]
    return hasBegun(old, nowMs) && !(old !== null && next !== null && next < old)
  }
  const earliest = endText(formatInstant(Math.ceil((nowMs + shortenNoticeMs + 1) / 60_000) * 60_000))
  return {
    frozen: changed.filter(field => frozenOnceReleased.has(field) || (windowBegins.has(field) && isLateBegin(field))).map(examLabel),
    shortened: changed
      .filter(field => windowEnds.has(field) && isTooShort(ms(before[field]), ms(after[field]), nowMs))
      .map(field => {
        const [{ zh, en }, old] = [examLabel(field), shown(field, before[field])]
        // An end that is nearer than that can only move out.
        const limit = (ms(before[field]) ?? 0) <= nowMs + shortenNoticeMs ? old.zh : earliest
        return {
          zh: `${zh}（原为 ${old.zh}，须不早于 ${limit}）`,
          en: `${en} (was ${old.en}, no earlier than ${limit})`,
        }
      }),
    changes: changed
      .filter(field => !internal.has(field))
      .map(field => {
        const name = examLabel(field)
        if (!windowEnds.has(field) && !windowBegins.has(field)) return { zh: `修改了${name.zh}`, en: `Changed: ${name.en}` }
        const [old, next] = [shown(field, before[field]), shown(field, after[field])]
        return { zh: `${name.zh}由 ${old.zh} 调整为 ${next.zh}`, en: `${name.en}: ${old.en} → ${next.en}` }
      }),
  }
}
