import type { PayState } from '#contract/pay/order.state.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import type { Handler } from '#kernel/http/context.ts'
import type { Task } from '#kernel/queue/outbox.ts'
import type { ExamModule } from '#modules/exam/index.ts'
import type { FileModule } from '#modules/file/index.ts'
import type { MessageModule } from '#modules/message/index.ts'
import type { PayModule } from '#modules/pay/index.ts'
import type { SystemModule } from '#modules/system/index.ts'
import type { Services } from '#server/services.ts'

export interface SignupDeps {
  readonly exam: ExamModule
  readonly pay: PayModule
  readonly system: SystemModule
  readonly file: FileModule
  readonly message: MessageModule
}
export interface SignupModule {
  readonly handlers: readonly Handler[]
  readonly tasks: readonly Task[]
  readonly mirrorPayState: (db: TenantDb, signupId: string, state: PayState) => Promise<void>
}
export const createSignupModule = (_services: Services, _deps: SignupDeps): SignupModule => ({
  handlers: [],
  tasks: [],
  mirrorPayState: async () => undefined,
})
