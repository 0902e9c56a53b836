import type { FlowInstanceEvent } from '#contract/flow/flow.state.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import type { Ctx } from '#kernel/http/context.ts'
import type { MessageModule } from '#modules/message/index.ts'
import type { Services } from '#server/services.ts'

/** What a business row learns of its process. */
export interface BusinessEvent {
  readonly businessId: string
  readonly instanceId: string
  readonly event: Exclude<FlowInstanceEvent, 'end'> | 'pass' | 'refuse'
  readonly comment: string
}

/** What a context does with its own row when its process gets somewhere, in the transaction of it. */
export type BusinessHook = (db: TenantDb, ctx: Ctx | undefined, event: BusinessEvent) => Promise<void>

export interface FlowDeps {
  readonly services: Services
  readonly message: MessageModule
  /** By the name of the table whose rows processes decide on. */
  readonly hooks: Map<string, BusinessHook>
}
