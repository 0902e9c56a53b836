import { availableParallelism } from 'node:os'
import type { Handler } from '#kernel/http/context.ts'
import type { PublicPage } from '#kernel/http/public-page.ts'
import { createPdfPool, type PdfPool } from '#kernel/pdf/pool.ts'
import type { Task } from '#kernel/queue/outbox.ts'
import type { ExamModule } from '#modules/exam/index.ts'
import type { FileModule } from '#modules/file/index.ts'
import type { MessageModule } from '#modules/message/index.ts'
import type { SignupModule } from '#modules/signup/index.ts'
import type { SystemModule } from '#modules/system/index.ts'
import type { Services } from '#server/services.ts'
import { ticketCheckPage } from './check.ts'
import type { TicketContext } from './deps.ts'
import { ticketHandlers } from './http.ts'
import { holderHandlers } from './http-holder.ts'
import { ticketTasks } from './jobs/tasks.ts'
import type { TicketJob } from './templates/ticket.ts'

export { renewTicketsOf } from './commands/change.ts'
export { dropSeatsOf } from './commands/drop-seats.ts'
export { standingOf } from './data/eligible.repo.ts'
export { lostPlace } from './domain/seat-bar.ts'

export interface TicketDeps {
  readonly exam: ExamModule
  readonly signup: SignupModule
  readonly system: SystemModule
  readonly file: FileModule
  readonly message: MessageModule
}
export interface TicketModule {
  readonly handlers: readonly Handler[]
  readonly tasks: readonly Task[]
  /** Served outside /api. */
  readonly pages: readonly PublicPage[]
  readonly close: () => Promise<void>
}

/** 300 tickets in one document take their time on a slow machine. */
const renderTimeoutMs = 120_000

export const createTicketModule = (services: Services, { system, file, message }: TicketDeps): TicketModule => {
  let pool: PdfPool<TicketJob> | undefined
  const context: TicketContext = {
    services,
    system,
    file,
    message,
    pool: () => {
      pool ??= createPdfPool<TicketJob>({
        size: Math.max(1, Math.min(4, availableParallelism())),
        templateUrl: new URL('./templates/ticket.ts', import.meta.url),
        timeoutMs: renderTimeoutMs,
      })
      return pool
    },
  }
  return {
    handlers: [...ticketHandlers(context), ...holderHandlers(context)],
    tasks: ticketTasks(context),
    pages: [ticketCheckPage(context)],
    close: async () => pool?.close(),
  }
}
