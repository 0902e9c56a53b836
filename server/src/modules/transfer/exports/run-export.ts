import { PassThrough } from 'node:stream'
import { refuse } from '#contract/kernel/errors.ts'
import { mediaTypes } from '#contract/kernel/media-types.ts'
import { isRefusal } from '#contract/kernel/refusal.ts'
import { systemOf, type TenantDb } from '#kernel/db/scope.ts'
import { backgroundCtx } from '#kernel/http/background.ts'
import { type ExportPlan, type Handler, Refused } from '#kernel/http/context.ts'
import { failureOf } from '#kernel/http/failure.ts'
import { enqueue, type Task } from '#kernel/queue/outbox.ts'
import { type SheetBook, type SheetLine, writeSheet } from '#kernel/sheet/write-sheet.ts'
import { writeZip } from '#kernel/zip.ts'
import { insertFile, removeFile } from '#modules/file/index.ts'
import type { Services } from '#server/services.ts'
import {
  beat,
  claimExport,
  type ExportJobRow,
  endExport,
  expireExport,
  finishExport,
  isActive,
  mayGoOn,
  requeueExport,
} from '../data/export-job.repo.ts'

/** A finished file can be fetched so long (domain 5.10). */
export const keptMs = 24 * 3_600_000
/** A cell is at most 32,767 characters, so that even 200,000 rows stay below. */
const maxFileBytes = 1_024 * 1_024 * 1_024
const beatRows = 1_000
/** The files of a person take longer than a row. */
const beatGroups = 5
const attempts = 3

export const runTask = 'file.export'
export const expireTask = 'file.export-expire'

/** Leaves the writing of a workbook whose job is not wanted any more. */
class Stopped extends Error {}

type Tell = (done: number) => Promise<void>
/** The same rows, telling every so many how many there are. */
async function* watchedRows<T>(rows: AsyncIterable<T> | Iterable<T>, every: number, tell: Tell, count = { done: 0 }): AsyncGenerator<T> {
  for await (const row of rows) {
    yield row
    count.done += 1
    if (count.done % every === 0) await tell(count.done)
  }
  await tell(count.done)
}
const watched = (book: SheetBook, tell: Tell): SheetBook => {
  const count = { done: 0 }
  return { ...book, sheets: book.sheets.map(sheet => ({ ...sheet, rows: watchedRows<SheetLine>(sheet.rows, beatRows, tell, count) })) }
}

/** The task that writes ordered workbooks into the file store, and the one that removes them a day later. */
export const exportTasks = (services: Services, handlerOf: (kind: string) => Handler | undefined): Task[] => {
  const { scopes, clock, files: store, log } = services
  const inTenant = <T>(tenantId: string, work: (db: TenantDb) => Promise<T>): Promise<T> => scopes.tx(systemOf(tenantId), clock.now(), work)

  const planOf = async (job: ExportJobRow): Promise<ExportPlan> => {
    const handler = handlerOf(job.kind)
    if (!handler?.plan) throw new Refused(refuse('kernel/not-supported', {}))
    const ctx = backgroundCtx(scopes, { session: job.session, language: job.language, arrivedAt: job.createdAt, route: handler.route })
    const plan = await handler.plan({ ctx, input: job.input as never })
    if (isRefusal(plan)) throw new Refused(plan)
    return plan
  }

  const write = async (tenantId: string, job: ExportJobRow): Promise<void> => {
    // Whoever may not log in any more gets nothing made either.
    if (!(await inTenant(tenantId, db => isActive(db, job.createdBy)))) throw new Refused(refuse('kernel/forbidden', {}))
    const goOn = (db: TenantDb): Promise<boolean> => mayGoOn(db, job.createdBy)
    if (!(await inTenant(tenantId, goOn))) throw new Refused(refuse('kernel/exports-stopped', {}))
    const plan = await planOf(job)
    let rows = 0
    const tell = async (done: number): Promise<void> => {
      rows = done
      const [isWanted, isAllowed] = await inTenant(tenantId, async db => [await beat(db, job.id, done), await goOn(db)] as const)
      if (!isWanted) throw new Stopped()
      if (!isAllowed) throw new Refused(refuse('kernel/exports-stopped', {}))
    }
    const pipe = new PassThrough()
    const writing =
      'book' in plan ? writeSheet(pipe, watched(plan.book, tell)) : writeZip(pipe, watchedRows(plan.archive, beatGroups, tell))
    const [written, kept] = await Promise.allSettled([writing, store.put(pipe, { tenantId, maxBytes: maxFileBytes })])
    if (written.status === 'rejected' || kept.status === 'rejected') {
      if (kept.status === 'fulfilled') await store.remove(kept.value.key)
      throw written.status === 'rejected' ? written.reason : (kept as PromiseRejectedResult).reason
    }
    const { key, sizeBytes, sha256 } = kept.value
    const expiresAt = new Date(clock.now().getTime() + keptMs)
    const isWanted = await inTenant(tenantId, async db => {
      const kind = 'book' in plan ? 'xlsx' : 'zip'
      const file = await insertFile(db, {
        userId: job.createdBy,
        purpose: 'made',
        name: plan.fileName,
        kind,
        mime: mediaTypes[kind],
        sizeBytes,
        receivedBytes: null,
        sentSha256: null,
        sha256,
        storageKey: key,
        checks: null,
        ownerKind: 'export_job',
        ownerId: job.id,
      })
      if (!(await finishExport(db, job.id, { done: rows, fileId: file.id, sizeBytes, expiresAt }))) throw new Stopped()
      await enqueue(db, expireTask, { id: job.id }, { runAt: expiresAt, jobKey: `export-${job.id}` })
      return true
    }).catch(async (error: unknown) => {
      await store.remove(key)
      throw error
    })
    log.debug({ job: job.id, rows, isWanted }, 'export written')
  }

  return [
    {
      name: runTask,
      maxAttempts: attempts,
      isNotable: true,
      run: async (payload: { tenantId: string; id?: string }, { attempt }) => {
        const { tenantId } = payload
        const job = await inTenant(tenantId, db => claimExport(db, payload.id ?? '0'))
        if (!job) return
        try {
          await write(tenantId, job)
        } catch (error) {
          if (error instanceof Stopped) return inTenant(tenantId, db => endExport(db, job.id, { state: 6 }))
          if (error instanceof Refused) return inTenant(tenantId, db => endExport(db, job.id, { state: 5, problem: error.refusal.text }))
          if (attempt < attempts) await inTenant(tenantId, db => requeueExport(db, job.id))
          else await inTenant(tenantId, db => endExport(db, job.id, { state: 5, problem: failureOf(error).refusal.text }))
          throw error
        }
      },
    } satisfies Task<{ id?: string }> as Task,
    {
      name: expireTask,
      run: async (payload: { tenantId: string; id?: string }) => {
        const key = await inTenant(payload.tenantId, async db => {
          const fileId = await expireExport(db, payload.id ?? '0')
          return fileId === undefined ? undefined : removeFile(db, fileId)
        })
        if (key !== undefined) await store.remove(key)
      },
    } satisfies Task<{ id?: string }> as Task,
  ]
}
