import type { PayState } from '#contract/pay/order.state.ts'
import { systemOf, type TenantDb } from '#kernel/db/scope.ts'
import type { Ctx, Handler } from '#kernel/http/context.ts'
import type { Task } from '#kernel/queue/outbox.ts'
import type { Processor } from '#kernel/queue/processor.ts'
import type { ReviewedSignup } from '#modules/signup/index.ts'
import { followRefund, followReview } from './commands/follow.ts'
import { sendTexts, tellTask } from './commands/tell.ts'
import { choiceEndsOf } from './data/name.repo.ts'
import type { ReductionDeps } from './deps.ts'
import { reductionHandlers } from './http.ts'
import { closeChoicesProcessor } from './jobs/close-choices.ts'

export interface ReductionModule {
  readonly handlers: readonly Handler[]
  readonly tasks: readonly Task[]
  readonly processors: readonly Processor[]
  /** A reviewer has passed or refused a sign-up, in the same transaction. */
  readonly followReview: (db: TenantDb, ctx: Ctx, signup: ReviewedSignup) => Promise<PayState | undefined>
  /** All that was paid for a sign-up has gone back, in the same transaction. */
  readonly followRefund: (db: TenantDb, signupId: string) => Promise<void>
  /** Until when each of these sign-ups has to choose another post or its money back. */
  readonly choiceEnds: (db: TenantDb, signupIds: readonly string[]) => Promise<ReadonlyMap<string, Date>>
}

export const createReductionModule = (deps: ReductionDeps): ReductionModule => ({
  handlers: reductionHandlers(deps),
  tasks: [
    {
      name: tellTask,
      run: async (payload: { tenantId: string; reductionId?: string }) => {
        const { scopes, clock } = deps.services
        await scopes.tx(systemOf(payload.tenantId), clock.now(), db => sendTexts(deps, db, payload.reductionId ?? '0'))
      },
    } satisfies Task<{ reductionId?: string }> as Task,
  ],
  processors: [closeChoicesProcessor(deps)],
  followReview: (db, ctx, signup) => followReview(deps, db, ctx, signup),
  followRefund,
  choiceEnds: choiceEndsOf,
})
