import type { ExamRow } from './wire.ts'

const keys = [
  ...(['signBegin', 'signEnd', 'modifyEnd', 'examineEnd', 'payBegin', 'payEnd'] as const),
  ...(['adjustEnd', 'ticketBegin', 'ticketEnd', 'msTicketBegin', 'msTicketEnd'] as const),
]
export type NextDateKey = (typeof keys)[number]

/** The nearest date of an examination that is still to come. Times on the wire compare as texts. */
export const nextDateOf = (
  row: Readonly<Partial<Record<NextDateKey, string | null>>> & Pick<ExamRow, 'id'>,
  now: string,
): { readonly key: NextDateKey; readonly time: string } | null =>
  keys
    .flatMap(key => {
      const time = row[key]
      return time !== null && time !== undefined && time > now ? { key, time } : []
    })
    .sort((a, b) => a.time.localeCompare(b.time))[0] ?? null
