import type { RunImport } from '#modules/exam/index.ts'
import type { MessageModule } from '#modules/message/index.ts'
import type { SystemModule } from '#modules/system/index.ts'
import type { Services } from '#server/services.ts'

export interface ResultParts {
  readonly services: Services
  readonly message: MessageModule
  readonly system: SystemModule
  readonly runImport: RunImport
}
