import type { Label } from '#contract/kernel/label.ts'
import { toEndMinute } from '#contract/kernel/when.ts'

interface Windows {
  readonly feeMode: number
  readonly examineEnd: Date | null
  readonly payEnd: Date | null
  readonly ticketEnd: Date | null
}

/** What is over for whoever passes now. A late decision is allowed (domain 3.1: what is overdue is told and never decides itself), but nobody takes it unknowingly. */
export const lateFor = ({ feeMode, examineEnd, payEnd, ticketEnd }: Windows, now: Date): readonly Label[] => {
  const over = (end: Date | null, say: (at: string) => Label): readonly Label[] =>
    end !== null && end <= now ? [say(toEndMinute(end))] : []
  return [
    ...over(examineEnd, at => ({ zh: `审核已于 ${at} 截止`, en: `Reviews ended ${at}` })),
    ...(feeMode === 0
      ? []
      : over(payEnd, at => ({ zh: `缴费已于 ${at} 截止，通过后不能缴费`, en: `Payment ended ${at}: no fee can be paid any more` }))),
    ...over(ticketEnd, at => ({ zh: `准考证下载已于 ${at} 截止`, en: `Tickets could be downloaded until ${at}` })),
  ]
}
