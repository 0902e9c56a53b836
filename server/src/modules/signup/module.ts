import { availableParallelism } from 'node:os'
import type { PayState } from '#contract/pay/order.state.ts'
import { systemOf, type TenantDb } from '#kernel/db/scope.ts'
import type { Holding } from '#kernel/holding.ts'
import type { Ctx, Handler } from '#kernel/http/context.ts'
import type { Invariant } from '#kernel/invariant.ts'
import { createPdfPool, type PdfPool } from '#kernel/pdf/pool.ts'
import type { Task } from '#kernel/queue/outbox.ts'
import type { Processor } from '#kernel/queue/processor.ts'
import type { ExamRow, PostRow } from '#modules/exam/index.ts'
import type { Services } from '#server/services.ts'
import { allotNewcomers } from './commands/allot-signups.ts'
import { createKeptConflicts } from './commands/conflict-of.ts'
import { type Correction, correctPerson } from './commands/correct-person.ts'
import { tellGroup } from './commands/group.ts'
import { judgePosts, type TargetJudgement } from './commands/move-post.ts'
import { allotTask } from './commands/order-allotment.ts'
import { takeAllInvitations } from './commands/take-invitation.ts'
import { releaseNumber } from './commands/withdraw-signup.ts'
import { filesNamedInSignups } from './data/draft-files.repo.ts'
import { signupInvariants } from './data/invariants.repo.ts'
import { type SignupRow, storePayState } from './data/signup.repo.ts'
import type { SignupDeps } from './deps.ts'
import { signupHoldings } from './holdings.ts'
import { signupHandlers } from './http.ts'
import { allotHandlers } from './http-allot.ts'
import { groupHandlers } from './http-group.ts'
import { integrityHandlers } from './http-integrity.ts'
import { paperHandlers } from './http-papers.ts'
import { photoWallHandlers } from './http-photo-wall.ts'
import { reviewHandlers } from './http-review.ts'
import { tipHandlers } from './http-tip.ts'
import { groupImport, groupTellTask } from './imports/group-import.ts'
import { countPlacesProcessor } from './jobs/count-places.ts'
import { eraseProcessor } from './jobs/erase.ts'
import { overdueReviewsProcessor } from './jobs/overdue-reviews.ts'
import { remindProcessor } from './jobs/remind.ts'
import { checkTalliesProcessor, gatherTalliesProcessor } from './jobs/tallies.ts'
import { createKnownForms } from './known-form.ts'
import type { PaperJob } from './templates/papers.ts'
import { createReviewQueues } from './wait-hint.ts'

export interface SignupModule {
  readonly handlers: readonly Handler[]
  readonly invariants: readonly Invariant[]
  readonly holdings: readonly Holding[]
  readonly tasks: readonly Task[]
  readonly processors: readonly Processor[]
  /** News from the money: the mirror of a due on its sign-up, in the transaction of the due. */
  /** Takes back sign-ups of others that hold an id number, by the decision of staff. @returns their ids */
  readonly releaseNumber: (
    db: TenantDb,
    ctx: Ctx | undefined,
    held: { readonly idCardIndex: string; readonly ownerId: string | null },
    reason: string,
  ) => Promise<string[]>
  /** Writes what was verified of a person into their open sign-ups. @returns their ids, or undefined when somebody else has signed up with that id card */
  readonly correctPerson: (db: TenantDb, userId: string, to: Correction) => Promise<string[] | undefined>
  /** Holds a submitted sign-up against the conditions of other posts, by their codes. */
  readonly judgePosts: (
    db: TenantDb,
    exam: ExamRow,
    signup: SignupRow,
    posts: readonly PostRow[],
  ) => Promise<ReadonlyMap<string, TargetJudgement>>
  /** Gives somebody who has just registered what schools have filled in for them. @returns how many sign-ups */
  readonly takeAllInvitations: (db: TenantDb, ctx: Ctx, userId: string) => Promise<number>
  readonly mirrorPayState: (db: TenantDb, signupId: string, state: PayState) => Promise<void>
  /** Something that stands between reviewers and sign-ups may have changed. */
  readonly forget: () => void
  readonly close: () => Promise<void>
}

/** A picture of 24 megapixels takes its time on a slow machine. */
const renderTimeoutMs = 60_000

export const createSignupModule = (services: Services, deps: SignupDeps): SignupModule => {
  let pool: PdfPool<PaperJob> | undefined
  const papers = () => {
    pool ??= createPdfPool<PaperJob>({
      size: Math.max(1, Math.min(2, availableParallelism())),
      templateUrl: new URL('./templates/papers.ts', import.meta.url),
      timeoutMs: renderTimeoutMs,
    })
    return pool
  }
  // A sign-up that was begun is gone on with days later: what was uploaded for it waits.
  deps.file.spare(filesNamedInSignups)
  const conflicts = createKeptConflicts(services.clock)
  const context = { services, queues: createReviewQueues(), forms: createKnownForms(), conflicts, papers, ...deps }
  return {
    handlers: [
      ...signupHandlers(context),
      ...reviewHandlers(context),
      ...allotHandlers(context),
      ...tipHandlers(),
      ...paperHandlers(context),
      ...photoWallHandlers(context),
      ...integrityHandlers(context),
      ...groupHandlers(context, deps.transfer.createImporter(groupImport(context))),
    ],
    tasks: [
      {
        name: allotTask,
        run: async (payload: { tenantId: string; examId?: string; level?: 1 | 2 }) =>
          services.scopes.tx(systemOf(payload.tenantId), services.clock.now(), db =>
            allotNewcomers(context, db, payload.examId ?? '0', payload.level ?? 1),
          ),
      } satisfies Task<{ examId?: string; level?: 1 | 2 }> as Task,
      {
        name: groupTellTask,
        run: async (payload: { tenantId: string; importId?: string }) => {
          for (let isLeft = true; isLeft; )
            isLeft = await services.scopes.tx(systemOf(payload.tenantId), services.clock.now(), db =>
              tellGroup(context, db, payload.importId ?? '0'),
            )
        },
      } satisfies Task<{ importId?: string }> as Task,
    ],
    invariants: signupInvariants,
    holdings: signupHoldings(context),
    processors: [
      ...[countPlacesProcessor(context), eraseProcessor(context), overdueReviewsProcessor(context), remindProcessor(context)],
      ...[gatherTalliesProcessor(context), checkTalliesProcessor(context)],
    ],
    correctPerson: (db, userId, to) => correctPerson(context, db, userId, to),
    releaseNumber: (db, ctx, held, reason) => releaseNumber(context, db, ctx, held, reason),
    judgePosts: (db, exam, signup, posts) => judgePosts(context, db, exam, signup, posts),
    takeAllInvitations: (db, ctx, userId) => takeAllInvitations(context, db, ctx, userId),
    mirrorPayState: storePayState,
    forget: conflicts.forget,
    close: async () => pool?.close(),
  }
}
