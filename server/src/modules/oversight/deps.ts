import type { AuthModule } from '#modules/auth/index.ts'
import type { MessageModule } from '#modules/message/index.ts'
import type { OrganisationModule } from '#modules/organisation/index.ts'
import type { Services } from '#server/services.ts'

export interface OversightDeps {
  readonly services: Services
  readonly auth: AuthModule
  readonly message: Pick<MessageModule, 'notify'>
  readonly organisation: OrganisationModule
}
/** What counting and telling of the unusual needs. */
export type WatchDeps = Pick<OversightDeps, 'services' | 'message'>
