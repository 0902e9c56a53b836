import { refuseExam } from '#contract/exam/exam.errors.ts'
import { refuse } from '#contract/kernel/errors.ts'
import { isRefusal } from '#contract/kernel/refusal.ts'
import { cancelImport, importJob, importTemplate } from '#contract/transfer/import.routes.ts'
import { audit } from '#kernel/audit.ts'
import { fileName } from '#kernel/crud/export.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, type Handler, handle } from '#kernel/http/context.ts'
import { refuseUntold } from '#kernel/http/field-rule.ts'
import { giveUpDead, updateJob } from '../data/import-job.repo.ts'
import { bookBytes } from './error-book.ts'
import { type ImportJobs, ownJob } from './import-jobs.ts'
import type { ImportDefinition } from './run-import.ts'

type Template = NonNullable<ImportDefinition<unknown>['template']>

/** The workbook that is filled in. One that is filled in already tells of people: taking it is an export. */
const fillTemplate = async (
  ctx: Ctx,
  db: TenantDb,
  template: Template,
  { kind, examId, itemId }: { readonly kind: string; readonly examId?: string; readonly itemId?: string },
): Promise<Awaited<ReturnType<Template>>> => {
  const made = await template(db, { examId, itemId, ctx })
  const rows = isRefusal(made) ? undefined : made.sheets[0]?.rows
  if (Array.isArray(rows) && rows.length > 0)
    await audit(db, ctx, {
      action: 'import.exported',
      entity: 'import',
      entityId: examId ?? null,
      after: { kind, itemId: itemId ?? null, rows: rows.length },
    })
  return made
}

/** What every kind of import shares: how far a run is, its end, the workbook to begin with. */
export const importHandlers = (
  { viewFor }: ImportJobs,
  definitions: ReadonlyMap<string, ImportDefinition<unknown>>,
): readonly Handler[] => [
  handle(importJob, async ({ ctx, db, input }) => {
    const job = await ownJob(ctx, db, input.id)
    if (job.state !== 0 && job.state !== 1 && job.state !== 3) return viewFor(ctx, job)
    await giveUpDead(db, job.kind, job.examId)
    return viewFor(ctx, await ownJob(ctx, db, input.id))
  }),
  handle(cancelImport, async ({ ctx, db, input }) => {
    const job = await ownJob(ctx, db, input.id)
    if (job.state >= 4) return refuseExam('import/ended', {})
    const state = job.state === 2 || job.state === 0 ? 6 : job.state
    await updateJob(db, job.id, { cancelAsked: true, state })
    await audit(db, ctx, { action: 'import.cancelled', entity: 'import_job', entityId: job.id })
    return { id: job.id, state }
  }),
  handle(importTemplate, async ({ ctx, input }) => {
    const definition = definitions.get(input.kind)
    const { template } = definition ?? {}
    if (!definition || !template) return refuse('kernel/not-found', {})
    if (!ctx.session?.permissions.has(definition.permission)) return refuse('kernel/forbidden', {})
    const book = await ctx.tx(db => fillTemplate(ctx, db, template, input))
    if (isRefusal(book)) return book
    // A template that is filled in already has to be filled in wholly.
    const untold = refuseUntold(
      ctx,
      book.sheets.flatMap(sheet => sheet.columns.flatMap(({ field }) => (field === undefined || field === 'none' ? [] : field))),
    )
    if (untold) return untold
    return {
      body: await bookBytes(book),
      mime: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      name: fileName(...(book.of ?? [input.kind]), ctx.say(definition.label)),
    }
  }),
]
