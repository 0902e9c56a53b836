import type { QueryClient } from '@tanstack/react-query'
import { type ExamRow, examRowsQuery } from '#web/resource/exam-rows.ts'

const most = 99

/** The next number of a year that none of these examinations has; undefined when all are taken. */
export const freeExamNo = (rows: readonly Pick<ExamRow, 'year' | 'examNo'>[], year: number): number | undefined => {
  const taken = new Set(rows.filter(row => row.year === year).map(row => row.examNo))
  const next = Math.max(0, ...taken) + 1
  return next <= most ? next : Array.from({ length: most }, (_, index) => index + 1).find(no => !taken.has(no))
}

/** The number that is offered to a new examination of a year; none where the examinations cannot be read. */
export const offeredNo = async (client: QueryClient, year: number): Promise<number | null> =>
  client.fetchQuery(examRowsQuery).then(
    rows => freeExamNo(rows.records, year) ?? null,
    () => null,
  )
