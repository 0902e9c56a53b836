import type { AllowedServers } from '#kernel/allowed-servers.ts'
import type { Processor } from '#kernel/queue/processor.ts'
import type { AuthModule } from '#modules/auth/index.ts'
import type { MessageModule } from '#modules/message/index.ts'
import type { Services } from '#server/services.ts'

export interface JobDeps {
  readonly services: Services
  readonly auth: Pick<AuthModule, 'openSecret'>
  readonly message: Pick<MessageModule, 'notify'>
  /** The PowerJob servers that the operator allows. */
  readonly servers: AllowedServers
}
/** What jobs may name, bound when all contexts are there. */
export interface Processors {
  readonly all: () => readonly Processor[]
  readonly find: (tenantId: string, name: string) => Processor | undefined
  /** Names of those that work on all tenants. */
  readonly ofPlatform: () => readonly string[]
}
export interface JobKit extends JobDeps {
  readonly processors: Processors
}
