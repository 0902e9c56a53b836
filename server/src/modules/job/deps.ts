import type { Outbound } from '#kernel/outbound.ts'
import type { Processor } from '#kernel/queue/processor.ts'
import type { AuthModule } from '#modules/auth/index.ts'
import type { MessageModule } from '#modules/message/index.ts'
import type { Services } from '#server/services.ts'

export interface JobDeps {
  readonly services: Services
  readonly auth: Pick<AuthModule, 'openSecret'>
  readonly message: Pick<MessageModule, 'notify'>
  /** The way out to PowerJob servers, and the origins it leads to. */
  readonly outbound: Outbound
  readonly allowed: readonly string[]
}
/** What jobs may name, bound when all contexts are there. */
export interface Processors {
  readonly all: () => readonly Processor[]
  readonly find: (tenantId: string, name: string) => Processor | undefined
}
export interface JobKit extends JobDeps {
  readonly processors: Processors
}
