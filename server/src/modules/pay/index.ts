import type { PayState } from '#contract/pay/order.state.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import type { Handler } from '#kernel/http/context.ts'
import type { Task } from '#kernel/queue/outbox.ts'
import type { ExamModule } from '#modules/exam/index.ts'
import type { FileModule } from '#modules/file/index.ts'
import type { MessageModule } from '#modules/message/index.ts'
import type { SystemModule } from '#modules/system/index.ts'
import type { Services } from '#server/services.ts'

export interface PayDeps {
  readonly exam: ExamModule
  readonly system: SystemModule
  readonly file: FileModule
  readonly message: MessageModule
  /** News for the sign-up a due belongs to, in the same transaction; bound by the application because sign-up stands on pay. */
  readonly mirrorPayState: (db: TenantDb, signupId: string, state: PayState) => Promise<void>
}
export interface PayModule {
  readonly handlers: readonly Handler[]
  readonly tasks: readonly Task[]
  /** Makes the dues of a sign-up by the examination's fee mode; none when the fee is zero. @returns the mirror state of the sign-up */
  readonly openDues: (db: TenantDb, signupId: string) => Promise<PayState>
  /** Voids what is unpaid when a sign-up is withdrawn; open orders are closed by a task. */
  readonly voidDues: (db: TenantDb, signupId: string) => Promise<void>
}
export const createPayModule = (_services: Services, _deps: PayDeps): PayModule => ({
  handlers: [],
  tasks: [],
  openDues: async () => 'none',
  voidDues: async () => undefined,
})
