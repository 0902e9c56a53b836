import type { MessageModule } from '#modules/message/index.ts'
import type { RunImport } from '#modules/transfer/index.ts'
import type { Services } from '#server/services.ts'
import type { KeptScores } from './commands/keep-scores.ts'

export interface ResultParts {
  readonly services: Services
  readonly message: MessageModule
  /** What candidates see of their scores. */
  readonly scores: KeptScores
  readonly runImport: RunImport
}
