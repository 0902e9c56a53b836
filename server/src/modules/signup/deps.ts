import type { PayState } from '#contract/pay/order.state.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import type { Ctx } from '#kernel/http/context.ts'
import type { PdfPool } from '#kernel/pdf/pool.ts'
import type { ExamModule } from '#modules/exam/index.ts'
import type { FileModule } from '#modules/file/index.ts'
import type { MessageModule } from '#modules/message/index.ts'
import type { PayModule } from '#modules/pay/index.ts'
import type { SchoolModule } from '#modules/school/index.ts'
import type { TransferModule } from '#modules/transfer/index.ts'
import type { Services } from '#server/services.ts'
import type { KeptConflicts } from './commands/conflict-of.ts'
import type { SelectionStep } from './domain/next-action.ts'
import type { KnownForms } from './known-form.ts'
import type { PaperJob } from './templates/papers.ts'
import type { ReviewQueues } from './wait-hint.ts'

export interface SignupDeps {
  readonly exam: ExamModule
  readonly pay: PayModule
  readonly file: FileModule
  readonly message: MessageModule
  readonly school: SchoolModule
  readonly transfer: TransferModule
  /** News for whoever moves people off cancelled posts, in the transaction of the decision; bound by the application because that stands on sign-up. */
  readonly reviewed: (db: TenantDb, ctx: Ctx, signup: ReviewedSignup) => Promise<PayState | undefined>
  /** Proposes to disqualify a sign-up that has passed; bound by the application because what follows concerns tickets, ranks and substitution. */
  readonly proposeDisqualifying: (
    db: TenantDb,
    ctx: Ctx,
    signup: { readonly id: string; readonly examId: string },
    reason: string,
  ) => Promise<void>
  /** Until when each of these sign-ups has to choose another post or its money back. */
  readonly choiceEnds: (db: TenantDb, signupIds: readonly string[]) => Promise<ReadonlyMap<string, Date>>
  /** What each of these sign-ups has to do after the results, where something waits for them. */
  readonly selectionSteps: (db: TenantDb, signupIds: readonly string[]) => Promise<ReadonlyMap<string, SelectionStep>>
}
/** A sign-up that a reviewer has passed or refused. */
export interface ReviewedSignup {
  readonly id: string
  readonly examId: string
  readonly userId: string
  readonly code: string | null
  readonly to: 'passed' | 'refused'
  /** As the reviewer found it. */
  readonly reductionState: number
  readonly remark: string
}
/** What the commands of this module are made with. */
export interface SignupContext extends SignupDeps {
  readonly services: Services
  readonly queues: ReviewQueues
  readonly forms: KnownForms
  readonly conflicts: KeptConflicts
  /** Made when first needed: a process that renders nothing starts no thread. */
  readonly papers: () => PdfPool<PaperJob>
}
