import { readFile } from 'node:fs/promises'
import {
  changeState,
  checkModel,
  checkUpload,
  definitions,
  deleteDeployment,
  deployModel,
  deployUpload,
  modelDetail,
  models,
  removeModel,
  submitModel,
} from '#contract/flow/model.routes.ts'
import { refuse } from '#contract/kernel/errors.ts'
import { idsOf } from '#contract/kernel/ids.ts'
import { sliceOf, toPage } from '#contract/kernel/page.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import { type Handler, handle } from '#kernel/http/context.ts'
import {
  deployFiles,
  deployModelNow,
  isTheirs,
  presentProblems,
  presentWarnings,
  readModel,
  removeDeployed,
  switchState,
  uploadedModels,
  warningsOf,
} from './commands/deploy.ts'
import { removeModelsNow, saveModel } from './commands/save-model.ts'
import { findModel, type ModelRow, pageDefinitions, pageModels } from './data/definition.repo.ts'
import type { FlowDeps } from './deps.ts'
import { presentDefinition } from './present.ts'

const view = ({ id, modelKey, name, description, version, createdAt, updatedAt }: ModelRow) => ({
  ...{ id, modelKey, name, description, version },
  created: toWireTime(createdAt),
  lastUpdated: toWireTime(updatedAt),
})
const text = (path: string): Promise<string> => readFile(path, 'utf8')

export const modelHandlers = (deps: FlowDeps): Handler[] => [
  handle(models, async ({ db, input }) => {
    const { current, size, offset, ...filter } = sliceOf(input)
    const { rows, total } = await pageModels(db, filter, size, offset)
    return toPage(rows.map(view), total, current, size)
  }),
  handle(modelDetail, async ({ ctx, db, input }) => {
    const found = await findModel(db, input.id)
    if (!found) return refuse('kernel/not-found', {})
    const read = await readModel(found.xml)
    return {
      ...view(found),
      modelEditorXml: found.xml,
      problems: presentProblems(ctx, read.problems),
      warnings: presentWarnings(ctx, await warningsOf(deps, ctx, [read])),
    }
  }),
  handle(submitModel, async ({ ctx, db, input }) => {
    const { row, problems } = await saveModel(db, ctx, input)
    return { ...view(row), problems: presentProblems(ctx, problems) }
  }),
  handle(checkModel, async ({ ctx, input }) => {
    const read = await readModel(input.modelEditorXml)
    return { problems: presentProblems(ctx, read.problems), warnings: presentWarnings(ctx, await warningsOf(deps, ctx, [read])) }
  }),
  handle(removeModel, async ({ ctx, db, input }) => ({ removed: await removeModelsNow(db, ctx, idsOf(input.ids)) })),
  handle(deployModel, ({ ctx, input }) => deployModelNow(deps, ctx, input)),
  handle(definitions, async ({ ctx, db, input }) => {
    const { current, size, offset, latest, ...filter } = sliceOf(input)
    const { rows, total } = await pageDefinitions(db, { ...filter, latest: latest === 1 }, size, offset)
    const shown = rows.map(row => ({
      ...presentDefinition(ctx, row),
      runningCount: row.running,
      isOwn: isTheirs(ctx, row),
    }))
    return toPage(shown, total, current, size)
  }),
  handle(changeState, ({ ctx, input }) => switchState(deps, ctx, input.processId, input.state)),
  handle(checkUpload, async ({ ctx }) => {
    const read = (await uploadedModels(ctx, text)).map(model => model.read)
    return {
      problems: presentProblems(
        ctx,
        read.flatMap(({ problems }) => problems),
      ),
      warnings: presentWarnings(ctx, await warningsOf(deps, ctx, read)),
      key: read[0]?.key ?? '',
      name: read[0]?.name ?? '',
    }
  }),
  handle(deployUpload, ({ ctx, input }) => deployFiles(deps, ctx, input, text)),
  handle(deleteDeployment, ({ ctx, input }) => removeDeployed(deps, ctx, input)),
]
