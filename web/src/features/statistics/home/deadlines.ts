import type { ExamRow } from '#web/resource/exams.ts'
import { epochOf } from '../../../kernel/format.ts'

type Kind = 'signEnd' | 'examineEnd' | 'payEnd' | 'ticketBegin'
const kinds: readonly Kind[] = ['signEnd', 'examineEnd', 'payEnd', 'ticketBegin']

export interface Deadline {
  readonly key: string
  readonly exam: string
  readonly kind: Kind
  /** `yyyy-MM-dd HH:mm:ss` */
  readonly at: string
  /** Whole days until then; 0: within 24 hours. */
  readonly days: number
}

const dayMs = 86_400_000
/** What is further away than this is no matter of today. */
const aheadDays = 30
const most = 6

/** The next dates of released examinations, the nearest first. */
export const deadlinesOf = (exams: readonly ExamRow[], nowMs: number): readonly Deadline[] =>
  exams
    .filter(exam => exam.state === 1)
    .flatMap(exam =>
      kinds.flatMap((kind): readonly Deadline[] => {
        const at = exam[kind]
        const leftMs = at ? epochOf(at) - nowMs : -1
        return at && leftMs >= 0 && leftMs < aheadDays * dayMs
          ? [{ key: `${exam.id}-${kind}`, exam: exam.examName, kind, at, days: Math.floor(leftMs / dayMs) }]
          : []
      }),
    )
    .sort((a, b) => (a.at < b.at ? -1 : 1))
    .slice(0, most)
