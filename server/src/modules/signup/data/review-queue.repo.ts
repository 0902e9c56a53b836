import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'
import type { ReviewQueue } from '../domain/review-queue.ts'

/** Of a longer queue not everybody is marked: a place in it is said to some hundredths. */
const mostMarks = 1_000

/** The queues of the first review, by examination. Needs a scope that sees all sign-ups. */
export const readQueues = async (db: TenantDb, examIds: readonly string[]): Promise<ReadonlyMap<string, ReviewQueue>> => {
  const ids = sql`any(${[...examIds]}::bigint[])`
  const [marked, paces] = await Promise.all([
    db.all(sql<{ examId: string; waiting: number; step: number; marks: number[] }>`
      with waiting as (
        select exam_id, submit_time, row_number() over queue - 1 as place, count(*) over (partition by exam_id) as total from signup
        where exam_id = ${ids} and examine = 'waiting' and examine <> 'draft' and not is_deleted
        window queue as (partition by exam_id order by submit_time, id)),
      stepped as (select *, greatest(1, ceil(total / ${mostMarks}::float8))::int as step from waiting)
      select exam_id::text as "examId", max(total)::int as waiting, max(step) as step,
        array_agg(floor(extract(epoch from submit_time) * 1000)::float8 order by place) as marks
      from stepped where place % step = 0 group by exam_id`),
    db.all(sql<{ examId: string; reviewers: number; medianMs: number | null; decided: number; since: Date }>`
      select exam_id::text as "examId", count(distinct examiner_id) filter (where created_at > ${db.now}::timestamptz - interval '1 hour')::int as reviewers,
        percentile_cont(0.5) within group (order by duration_ms) filter (where duration_ms > 0 and created_at > ${db.now}::timestamptz - interval '1 hour') as "medianMs",
        count(*)::int as decided, min(created_at) as since
      from examine_record
      where exam_id = ${ids} and level = 1 and not undone and created_at > ${db.now}::timestamptz - interval '7 days' and created_at <= ${db.now}
      group by exam_id`),
  ])
  return new Map(
    examIds.map(examId => {
      const queue = marked.find(row => row.examId === examId)
      const pace = paces.find(row => row.examId === examId)
      return [
        examId,
        {
          waiting: queue?.waiting ?? 0,
          marks: queue?.marks ?? [],
          step: queue?.step ?? 1,
          pace: {
            reviewers: pace?.reviewers ?? 0,
            medianMs: pace?.medianMs ?? null,
            decided: pace?.decided ?? 0,
            since: pace ? pace.since.getTime() : null,
          },
        },
      ]
    }),
  )
}
