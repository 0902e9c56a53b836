import type { PdfPool } from '#kernel/pdf/pool.ts'
import type { ExamModule } from '#modules/exam/index.ts'
import type { FileModule } from '#modules/file/index.ts'
import type { MessageModule } from '#modules/message/index.ts'
import type { PayModule } from '#modules/pay/index.ts'
import type { SchoolModule } from '#modules/school/index.ts'
import type { Services } from '#server/services.ts'
import type { KnownForms } from './known-form.ts'
import type { PaperJob } from './templates/papers.ts'
import type { ReviewQueues } from './wait-hint.ts'

export interface SignupDeps {
  readonly exam: ExamModule
  readonly pay: PayModule
  readonly file: FileModule
  readonly message: MessageModule
  readonly school: SchoolModule
}
/** What the commands of this module are made with. */
export interface SignupContext extends SignupDeps {
  readonly services: Services
  readonly queues: ReviewQueues
  readonly forms: KnownForms
  /** Made when first needed: a process that renders nothing starts no thread. */
  readonly papers: () => PdfPool<PaperJob>
}
