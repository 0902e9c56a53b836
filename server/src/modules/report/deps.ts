import type { PdfPool } from '#kernel/pdf/pool.ts'
import type { AuthModule } from '#modules/auth/index.ts'
import type { MessageModule } from '#modules/message/index.ts'
import type { Services } from '#server/services.ts'
import type { ReportSheet } from './templates/report-pdf.ts'

export interface ReportDeps {
  readonly services: Services
  readonly auth: Pick<AuthModule, 'sessionOfUser'>
  readonly message: Pick<MessageModule, 'notify'>
}
export interface ReportKit extends ReportDeps {
  readonly pool: () => PdfPool<ReportSheet>
}
