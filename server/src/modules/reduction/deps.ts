import type { TenantDb } from '#kernel/db/scope.ts'
import type { FileModule } from '#modules/file/index.ts'
import type { MessageModule } from '#modules/message/index.ts'
import type { PayModule } from '#modules/pay/index.ts'
import type { SignupModule } from '#modules/signup/index.ts'
import type { Services } from '#server/services.ts'

export interface ReductionDeps {
  readonly services: Services
  readonly file: FileModule
  readonly message: MessageModule
  readonly pay: PayModule
  readonly signup: SignupModule
  /** A place that is lost frees the seat; bound by the application because tickets stand on reductions. */
  readonly dropSeats: (db: TenantDb, signupId: string) => Promise<unknown>
}
