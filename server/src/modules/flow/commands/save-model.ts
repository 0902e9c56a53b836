import type { FlowProblem } from '#contract/flow/flow-problems.ts'
import type { submitModel } from '#contract/flow/model.routes.ts'
import { refuse } from '#contract/kernel/errors.ts'
import type { InputOf } from '#contract/kernel/route.ts'
import { audit } from '#kernel/audit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, Refused, sessionOf } from '#kernel/http/context.ts'
import { findModel, insertModel, type ModelRow, removeModels, updateModel } from '../data/definition.repo.ts'
import { readModel, refuseModel } from './deploy.ts'

/** What makes a draft unusable as a draft: without these there is nothing to open again. */
const fatal: readonly string[] = ['unreadable', 'doctype', 'tooLong', 'noProcess', 'severalProcesses', 'key', 'name', 'description']

/**
 * Key, name and description are those of the process in the drawing. Refusals: flow/model-invalid where it cannot be kept, kernel/forbidden,
 * kernel/not-found, kernel/changed-meanwhile.
 */
export const saveModel = async (
  db: TenantDb,
  ctx: Ctx,
  input: InputOf<typeof submitModel>,
): Promise<{ row: ModelRow; problems: readonly FlowProblem[] }> => {
  const { permissions } = sessionOf(ctx)
  if (!permissions.has(input.id === undefined ? 'flow_model_create' : 'flow_model_update'))
    throw new Refused(refuse('kernel/forbidden', {}))
  const { problems, key, name, description } = await readModel(input.modelEditorXml)
  const stopping = problems.filter(({ reason }) => fatal.includes(reason))
  if (stopping.length > 0 || key === '') throw refuseModel(problems)
  const text = { modelKey: key, name, description, xml: input.modelEditorXml }
  if (input.id === undefined) {
    const row = await insertModel(db, text)
    await audit(db, ctx, { action: 'flow-model.created', entity: 'flow_model', entityId: row.id, after: { key, name } })
    return { row, problems }
  }
  const before = await findModel(db, input.id)
  if (!before) throw new Refused(refuse('kernel/not-found', {}))
  const row = await updateModel(db, input.id, input.version, text)
  if (!row) throw new Refused(refuse('kernel/changed-meanwhile', {}))
  await audit(db, ctx, {
    action: 'flow-model.updated',
    entity: 'flow_model',
    entityId: row.id,
    before: { key: before.modelKey, name: before.name, version: before.version },
    after: { key, name, version: row.version },
  })
  return { row, problems }
}

/** All of them or none. */
export const removeModelsNow = async (db: TenantDb, ctx: Ctx, ids: readonly string[]): Promise<number> => {
  const removed = await removeModels(db, ids)
  if (removed.length !== ids.length) throw new Refused(refuse('kernel/not-found', {}))
  for (const { id } of removed) await audit(db, ctx, { action: 'flow-model.removed', entity: 'flow_model', entityId: id })
  return removed.length
}
