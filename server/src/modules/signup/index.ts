import type { PayState } from '#contract/pay/order.state.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import type { Handler } from '#kernel/http/context.ts'
import type { Task } from '#kernel/queue/outbox.ts'
import type { Services } from '#server/services.ts'
import { storePayState } from './data/signup.repo.ts'
import type { SignupDeps } from './deps.ts'
import { signupHandlers } from './http.ts'

export type { SignupDeps }

export interface SignupModule {
  readonly handlers: readonly Handler[]
  readonly tasks: readonly Task[]
  /** News from the money: the mirror of a due on its sign-up, in the transaction of the due. */
  readonly mirrorPayState: (db: TenantDb, signupId: string, state: PayState) => Promise<void>
}

export const createSignupModule = (services: Services, deps: SignupDeps): SignupModule => ({
  handlers: signupHandlers({ services, ...deps }),
  tasks: [],
  mirrorPayState: storePayState,
})
