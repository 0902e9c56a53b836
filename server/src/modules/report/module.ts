import type { Holding } from '#kernel/holding.ts'
import type { Handler } from '#kernel/http/context.ts'
import { createPdfPool, type PdfPool } from '#kernel/pdf/pool.ts'
import type { Task } from '#kernel/queue/outbox.ts'
import type { Processor } from '#kernel/queue/processor.ts'
import { reportTask } from './commands/run-report.ts'
import { reportHoldings } from './data/holdings.repo.ts'
import type { ReportDeps } from './deps.ts'
import { reportHandlers } from './http.ts'
import { reportProcessors } from './jobs/processors.ts'
import type { ReportSheet } from './templates/report-pdf.ts'

/** Reports that people put together out of data sets of the product. */
export interface ReportModule {
  readonly handlers: readonly Handler[]
  readonly holdings: readonly Holding[]
  readonly tasks: readonly Task[]
  readonly processors: readonly Processor[]
  readonly close: () => Promise<void>
}

/** Five hundred pages take their time on a slow machine. */
const renderTimeoutMs = 120_000

export const createReportModule = (deps: ReportDeps): ReportModule => {
  let pool: PdfPool<ReportSheet> | undefined
  const kit = {
    ...deps,
    pool: () => {
      pool ??= createPdfPool<ReportSheet>({
        size: 1,
        templateUrl: new URL('./templates/report-pdf.ts', import.meta.url),
        timeoutMs: renderTimeoutMs,
      })
      return pool
    },
  }
  return {
    handlers: reportHandlers(kit),
    holdings: reportHoldings,
    tasks: [reportTask(deps)],
    processors: reportProcessors(deps),
    close: async () => pool?.close(),
  }
}
