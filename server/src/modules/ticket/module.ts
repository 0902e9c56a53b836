import { availableParallelism } from 'node:os'
import { refuse } from '#contract/kernel/errors.ts'
import { audit } from '#kernel/audit.ts'
import { derivedOnce } from '#kernel/crypto/key-ring.ts'
import { createSigner } from '#kernel/crypto/signer.ts'
import type { Handler } from '#kernel/http/context.ts'
import type { PublicPage } from '#kernel/http/public-page.ts'
import type { Invariant } from '#kernel/invariant.ts'
import { createPdfPool, type PdfPool } from '#kernel/pdf/pool.ts'
import type { Task } from '#kernel/queue/outbox.ts'
import type { Processor } from '#kernel/queue/processor.ts'
import type { FileModule } from '#modules/file/index.ts'
import type { MessageModule } from '#modules/message/index.ts'
import type { TransferModule } from '#modules/transfer/index.ts'
import type { Services } from '#server/services.ts'
import { ticketCheckPage } from './check.ts'
import { ticketInvariants } from './data/invariants.repo.ts'
import type { TicketContext } from './deps.ts'
import { ticketHandlers } from './http.ts'
import { dayHandlers } from './http-day.ts'
import { holderHandlers } from './http-holder.ts'
import { interviewImport } from './imports/interview-import.ts'
import { planImport } from './imports/plan-import.ts'
import { eraseHealthProcessor } from './jobs/erase-health.ts'
import { remindProcessor } from './jobs/remind.ts'
import { ticketTasks } from './jobs/tasks.ts'
import type { DocumentJob } from './templates/documents.ts'

export interface TicketDeps {
  readonly file: FileModule
  readonly message: MessageModule
  readonly transfer: TransferModule
}
export interface TicketModule {
  readonly handlers: readonly Handler[]
  readonly invariants: readonly Invariant[]
  readonly tasks: readonly Task[]
  readonly processors: readonly Processor[]
  /** Served outside /api. */
  readonly pages: readonly PublicPage[]
  readonly close: () => Promise<void>
}

/** 300 tickets in one document take their time on a slow machine. */
const renderTimeoutMs = 120_000

export const createTicketModule = (services: Services, { file, message, transfer }: TicketDeps): TicketModule => {
  const signerOf = derivedOnce(key => createSigner(Buffer.from(key), 'room pack'))
  let pool: PdfPool<DocumentJob> | undefined
  const context: TicketContext = {
    services,
    file,
    message,
    signer: () => signerOf(services.secrets.ticketDrawKey),
    pool: () => {
      pool ??= createPdfPool<DocumentJob>({
        size: Math.max(1, Math.min(4, availableParallelism())),
        templateUrl: new URL('./templates/documents.ts', import.meta.url),
        timeoutMs: renderTimeoutMs,
      })
      return pool
    },
  }
  // Health documents leave by their links only to those who may see them, each time with a line in the trail.
  file.guard('ticket_health', async (db, ctx, ownerId) => {
    if (!ctx.session.permissions.has('ticketdown_view')) return refuse('kernel/forbidden', {})
    await audit(db, ctx, { action: 'ticket-health.read', entity: 'signup', entityId: ownerId })
    return undefined
  })
  // So do the proofs of what somebody asks for.
  file.guard('accommodation', async (db, ctx, ownerId) => {
    if (!ctx.session.permissions.has('accommodation_view')) return refuse('kernel/forbidden', {})
    await audit(db, ctx, { action: 'accommodation.read', entity: 'signup', entityId: ownerId })
    return undefined
  })
  return {
    invariants: ticketInvariants,
    handlers: [
      ...ticketHandlers(context, {
        plan: transfer.createImporter(planImport(context)),
        interview: transfer.createImporter(interviewImport(context)),
      }),
      ...holderHandlers(context),
      ...dayHandlers(context),
    ],
    tasks: ticketTasks(context),
    processors: [remindProcessor(context), eraseHealthProcessor(context)],
    pages: [ticketCheckPage(context)],
    close: async () => pool?.close(),
  }
}
