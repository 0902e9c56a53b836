import { createFigureCache, type FigureCache } from '#kernel/figure-cache.ts'
import type { Ctx } from '#kernel/http/context.ts'
import type { Log } from '#kernel/log.ts'
import type { OwnState } from './data/exam-card.repo.ts'
import { readQueues } from './data/review-queue.repo.ts'
import { type ReviewQueue, waitHint } from './domain/review-queue.ts'

/** Queues of examinations, kept for a minute by each process: thousands look at their place, and it moves slowly. */
export type ReviewQueues = FigureCache<Promise<ReviewQueue | undefined>>
const keptQueues = 500
const keepMs = 60_000
export const createReviewQueues = (): ReviewQueues => createFigureCache(keptQueues)

const because = 'how many others wait before a candidate, who sees no row of theirs'

/** Whoever asks while a queue is read waits for the same reading. */
const queuesOf = (queues: ReviewQueues, ctx: Ctx, examIds: readonly string[]): Promise<(ReviewQueue | undefined)[]> => {
  const nowMs = ctx.arrivedAt.getTime()
  const keyOf = (examId: string): string => `${ctx.tenantId} ${examId}`
  const unknown = examIds.filter(examId => queues.get(keyOf(examId), nowMs) === undefined)
  if (unknown.length > 0) {
    const reading = ctx.asSystem(because, db => readQueues(db, unknown))
    for (const examId of unknown) {
      const queue = reading.then(read => read.get(examId))
      queues.put(keyOf(examId), queue, nowMs, keepMs)
      // What could not be read is asked for anew by the next one.
      queue.catch(() => queues.put(keyOf(examId), queue, nowMs, 0))
    }
  }
  return Promise.all(examIds.map(examId => queues.get(keyOf(examId), nowMs)))
}

/** What the waiting ones among these sign-ups are told about their place, by id (domain 4.2). Nobody's list fails because it cannot be told. */
export const waitHints = async (
  { queues, services: { log } }: { readonly queues: ReviewQueues; readonly services: { readonly log: Log } },
  ctx: Ctx,
  rows: readonly Pick<OwnState, 'signupId' | 'examId' | 'state' | 'submitTime'>[],
): Promise<ReadonlyMap<string, string>> => {
  const waiting = rows.filter(row => row.state === 'waiting')
  const examIds = [...new Set(waiting.map(row => row.examId))]
  const read = await queuesOf(queues, ctx, examIds).catch((error: unknown) => {
    log.error({ err: error instanceof Error ? error.message : String(error) }, 'the queue of a review could not be read')
    return []
  })
  return new Map(
    waiting.flatMap(({ signupId, examId, submitTime }) => {
      const queue = read[examIds.indexOf(examId)]
      if (queue === undefined || submitTime === null) return []
      return [[signupId, ctx.say(waitHint(queue, submitTime.getTime(), ctx.arrivedAt.getTime()))] as const]
    }),
  )
}
