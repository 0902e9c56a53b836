import type { MessageModule } from '#modules/message/index.ts'
import type { RunImport } from '#modules/transfer/index.ts'
import type { Services } from '#server/services.ts'

export interface ResultParts {
  readonly services: Services
  readonly message: MessageModule
  readonly runImport: RunImport
}
