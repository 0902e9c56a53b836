import { refuse } from '#contract/kernel/errors.ts'
import { isRefusal, type Refusal } from '#contract/kernel/refusal.ts'
import type { ScoreView } from '#contract/result/result.shapes.ts'
import { systemOf } from '#kernel/db/scope.ts'
import type { Ctx, Session } from '#kernel/http/context.ts'
import { KeptAnswer } from '#kernel/http/written-answer.ts'
import type { Services } from '#server/services.ts'
import { listSignupsForScore } from '../data/score.repo.ts'
import { readScoreFacts, type ScoreFacts, scoreView, viewScoreOf } from './view-score.ts'

/**
 * Candidates' score pages. All ask in the minutes after a release, so those who ask at the same moment are read together, as many as have come
 * while the ones before were read; and what was read is kept until the database tells that something of the examination's scores changed, for five
 * seconds at the longest.
 */
export interface KeptScores {
  /** The page of the caller in their language, for staff that of a sign-up that they name. */
  readonly view: (
    ctx: Ctx,
    session: Session,
    input: { readonly examId: string; readonly signupId?: string },
  ) => Promise<KeptAnswer | ScoreView | Refusal>
  /** All of one examination (`tenant exam`), or everything. */
  readonly forget: (which?: string) => void
}

const maxAgeMs = 5_000
/** People read by one transaction. */
const together = 500
const mostPages = 20_000

interface Page {
  readonly readAt: number
  readonly facts: Promise<ScoreFacts | undefined>
  /** By language. */
  readonly written: Map<string, KeptAnswer | Refusal>
}
type Waiting = Map<string, PromiseWithResolvers<ScoreFacts | undefined>>

export const createKeptScores = ({ scopes, clock }: Pick<Services, 'scopes' | 'clock'>): KeptScores => {
  const exams = new Map<string, Map<string, Page>>()
  let pages = 0
  const queues = new Map<string, Waiting>()

  const readAll = async (key: string, tenantId: string, examId: string, waiting: Waiting): Promise<void> => {
    while (waiting.size > 0) {
      const part = [...waiting].slice(0, together)
      for (const [userId] of part) waiting.delete(userId)
      try {
        const facts = await scopes.tx(systemOf(tenantId), clock.now(), async db =>
          readScoreFacts(
            db,
            await listSignupsForScore(
              db,
              examId,
              part.map(([userId]) => userId),
            ),
          ),
        )
        for (const [userId, { resolve }] of part) resolve(facts.get(userId))
      } catch (error) {
        for (const [, { reject }] of part) reject(error)
      }
    }
    queues.delete(key)
  }
  const read = (key: string, tenantId: string, examId: string, userId: string): Promise<ScoreFacts | undefined> => {
    const waiting = queues.get(key)
    const mine = waiting?.get(userId) ?? Promise.withResolvers<ScoreFacts | undefined>()
    if (waiting) waiting.set(userId, mine)
    else {
      const first: Waiting = new Map([[userId, mine]])
      queues.set(key, first)
      void readAll(key, tenantId, examId, first)
    }
    return mine.promise
  }
  const drop = (key: string, userId: string): void => {
    if (exams.get(key)?.delete(userId)) pages -= 1
  }
  const own = async (ctx: Ctx, examId: string, userId: string): Promise<KeptAnswer | Refusal> => {
    const key = `${ctx.tenantId} ${examId}`
    const nowMs = clock.now().getTime()
    const known = exams.get(key)?.get(userId)
    let page = known
    if (!page || Math.abs(nowMs - page.readAt) >= maxAgeMs) {
      if (known === undefined && pages >= mostPages) {
        exams.clear()
        pages = 0
      }
      // Before it is there: what is forgotten meanwhile is not kept.
      const fresh: Page = { readAt: nowMs, facts: read(key, ctx.tenantId, examId, userId), written: new Map() }
      const there = exams.get(key) ?? new Map<string, Page>()
      exams.set(key, there)
      if (!there.has(userId)) pages += 1
      there.set(userId, fresh)
      page = fresh
      // Nobody's answer is kept where there is none.
      fresh.facts.then(
        facts => facts === undefined && there.get(userId) === fresh && drop(key, userId),
        () => there.get(userId) === fresh && drop(key, userId),
      )
    }
    const facts = await page.facts
    if (!facts) return refuse('kernel/not-found', {})
    const written = page.written.get(ctx.language)
    if (written) return written
    const view = scoreView(facts, ctx.say)
    const answer = isRefusal(view) ? view : new KeptAnswer(view)
    page.written.set(ctx.language, answer)
    return answer
  }
  return {
    view: (ctx, session, input) =>
      session.userType === 2 ? own(ctx, input.examId, session.userId) : ctx.tx(db => viewScoreOf(db, ctx, session, input)),
    forget: which => {
      if (which === undefined) {
        exams.clear()
        pages = 0
        return
      }
      pages -= exams.get(which)?.size ?? 0
      exams.delete(which)
    },
  }
}
