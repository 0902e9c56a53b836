import type { Signer } from '#kernel/crypto/signer.ts'
import type { PdfPool } from '#kernel/pdf/pool.ts'
import type { FileModule } from '#modules/file/index.ts'
import type { MessageModule } from '#modules/message/index.ts'
import type { Services } from '#server/services.ts'
import type { DocumentJob } from './templates/documents.ts'

/** What the commands of this module work with. */
export interface TicketContext {
  readonly services: Services
  readonly file: FileModule
  readonly message: MessageModule
  /** Signs what devices keep of a room. */
  readonly signer: () => Signer
  /** Made when first needed: a process that renders nothing starts no thread. */
  readonly pool: () => PdfPool<DocumentJob>
}
