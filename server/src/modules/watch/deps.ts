import type { MessageModule } from '#modules/message/index.ts'
import type { Services } from '#server/services.ts'

export interface WatchDeps {
  readonly services: Services
  readonly message: Pick<MessageModule, 'notify'>
}
