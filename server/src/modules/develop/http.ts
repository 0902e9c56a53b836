import { code } from '#contract/develop/code.resource.ts'
import { develop } from '#contract/develop/develop.routes.ts'
import { dataModel } from '#contract/develop/model.resource.ts'
import { refuse } from '#contract/kernel/errors.ts'
import { idsOf } from '#contract/kernel/ids.ts'
import { isRefusal } from '#contract/kernel/refusal.ts'
import { audit } from '#kernel/audit.ts'
import { crud } from '#kernel/crud/crud.ts'
import { type Handler, handle } from '#kernel/http/context.ts'
import { generate, generateFast, previewCode, screenRoles } from './commands/generate.ts'
import { presentField, prototypeOf, refreshModel, saveFields } from './commands/model-fields.ts'
import { checkSource, readSource, readTable } from './commands/read-source.ts'
import { codeSeams, modelSeams } from './commands/write-nouns.ts'
import { copyCode, listMenus } from './data/code.repo.ts'
import { findModel } from './data/model.repo.ts'
import type { DevelopDeps } from './deps.ts'
import { constantOf, nounOf } from './generator/names.ts'

export const developHandlers = (deps: DevelopDeps): readonly Handler[] => [
  ...crud(dataModel, modelSeams),
  ...crud(code, codeSeams(deps)),
  handle(develop.checkSource, ({ ctx, input }) => checkSource(deps, ctx, input.id)),
  handle(develop.tableList, ({ ctx, input }) => readSource(deps, ctx, input.datasourceId ?? '', catalogue => catalogue.tables())),
  handle(develop.tableInfo, async ({ ctx, input }) => {
    const { modelId } = input
    const model = modelId === undefined ? undefined : await ctx.tx(db => findModel(db, modelId))
    if (modelId !== undefined && model === undefined) return refuse('kernel/not-found', {})
    const found = await readTable(deps, ctx, model?.datasourceId ?? input.datasourceId ?? '', model?.modelTable ?? input.tableName ?? '')
    if (isRefusal(found)) return found
    const constant = constantOf(nounOf(found.name) ?? 'table')
    return {
      name: found.name,
      comment: found.comment,
      entityName: constant.charAt(0).toUpperCase() + constant.slice(1),
      fields: found.fields.map(presentField(modelId ?? '')),
    }
  }),
  handle(develop.prototype, ({ ctx, input }) => prototypeOf(deps, ctx, input.modelId)),
  handle(develop.refresh, ({ ctx, input }) => refreshModel(deps, ctx, input.id)),
  handle(develop.submitList, ({ ctx, input }) => saveFields(deps, ctx, input.modelId, input.list)),
  handle(develop.copy, async ({ ctx, db, input }) => {
    const made = await copyCode(db, input.id)
    if (made === undefined) return refuse('kernel/not-found', {})
    await audit(db, ctx, { action: 'code.added', entity: code.name, entityId: made.id, after: { copyOf: input.id } })
    return made
  }),
  handle(develop.genCode, ({ ctx, input }) => generate(deps, ctx, idsOf(input.ids ?? ''))),
  handle(develop.genCodeFast, ({ ctx, input }) => generateFast(deps, ctx, input)),
  handle(develop.preview, ({ ctx, input }) => previewCode(deps, ctx, input.id)),
  handle(develop.options, async ({ ctx, db }) => ({
    contexts: deps.tree.contexts,
    roles: screenRoles,
    menus: (await listMenus(db, deps.tree.folders)).map(({ id, zh, en }) => ({ id, name: ctx.say({ zh, en }) })),
  })),
]
