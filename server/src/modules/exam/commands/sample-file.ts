import { isFor } from '#contract/file/file-use.ts'
import { refuse } from '#contract/kernel/errors.ts'
import type { Refusal } from '#contract/kernel/refusal.ts'
import type { Row } from '#kernel/crud/rows.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import type { Ctx } from '#kernel/http/context.ts'
import type { FileModule } from '#modules/file/index.ts'

const owner = 'sample'

/**
 * What a form shows everybody must have been put there to be shown: a file just uploaded by whoever saves, or the sample of another form.
 * Anything else, as somebody's identity card, is answered like a file that does not exist.
 */
export const takeSample = async (
  file: FileModule,
  { ctx, db, input, before }: { ctx: Ctx; db: TenantDb; input: Row; before: Row | undefined },
): Promise<Refusal | undefined> => {
  const id = input['sampleFileId']
  if (!id || id === before?.['sampleFileId']) return undefined
  const row = await file.find(db, String(id))
  if (row?.ownerKind === owner) return undefined
  const userId = ctx.session?.userId ?? '0'
  const isFresh = row?.ownerKind === null && isFor('formSample', row, { userId })
  return row && isFresh && (await file.attach(db, [row.id], userId, owner, '0')) === 1 ? undefined : refuse('kernel/not-found', {})
}

/** A row of required files with the link of its sample, for its reader. */
export const withSample =
  (file: FileModule) =>
  (ctx: Ctx, row: Row): Row => ({
    ...row,
    sampleLink: row['sampleFileId']
      ? file.linkFor({ tenantId: ctx.tenantId, userId: ctx.session?.userId ?? '0' }, String(row['sampleFileId']), ctx.arrivedAt)
      : null,
  })
