import { refuse } from '#contract/kernel/errors.ts'
import { isRefusal, type Refusal } from '#contract/kernel/refusal.ts'
import type { ScoreView } from '#contract/result/result.shapes.ts'
import { systemOf } from '#kernel/db/scope.ts'
import type { Ctx, Session } from '#kernel/http/context.ts'
import { KeptAnswer } from '#kernel/http/written-answer.ts'
import { readTogether } from '#kernel/together.ts'
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

export const createKeptScores = ({ scopes, clock }: Pick<Services, 'scopes' | 'clock'>): KeptScores => {
  const exams = new Map<string, Map<string, Page>>()
  let pages = 0

  /** The readers of examinations that were asked about; there are few of them. */
  const readers = new Map<string, ReturnType<typeof readTogether<ScoreFacts>>>()
  const read = (key: string, tenantId: string, examId: string, userId: string): Promise<ScoreFacts | undefined> => {
    const reader =
      readers.get(key) ??
      readTogether(together, userIds =>
        scopes.tx(systemOf(tenantId), clock.now(), async db => readScoreFacts(db, await listSignupsForScore(db, examId, userIds))),
      )
    readers.set(key, reader)
    return reader(userId)
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
