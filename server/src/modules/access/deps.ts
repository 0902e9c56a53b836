import type { AuthModule } from '#modules/auth/index.ts'
import type { Services } from '#server/services.ts'

export interface AccessDeps {
  readonly services: Services
  readonly auth: AuthModule
}
