import { refuseFlow } from '#contract/flow/flow.errors.ts'
import { maxXmlChars } from '#contract/flow/flow-limits.ts'
import { type FlowProblem, problemOf } from '#contract/flow/flow-problems.ts'
import type { ProcessGraph } from '#contract/flow/process-graph.ts'
import { type ReadProcess, readProcess } from '#contract/flow/read-process.ts'
import { refuse } from '#contract/kernel/errors.ts'
import { idsOf } from '#contract/kernel/ids.ts'
import { type AuditEntry, audit } from '#kernel/audit.ts'
import { readBpmn } from '#kernel/bpmn.ts'
import { newId } from '#kernel/db/new-id.ts'
import { systemOf, type TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, Refused, sessionOf } from '#kernel/http/context.ts'
import { sharedAudit } from '#kernel/platform-audit.ts'
import { enqueue } from '#kernel/queue/outbox.ts'
import {
  countRunningEverywhere,
  findDefinition,
  findModel,
  hasCategory,
  insertDefinition,
  listDeployed,
  removeDeployments,
  setDefinitionState,
  tenantsAmong,
} from '../data/definition.repo.ts'
import type { FlowDeps } from '../deps.ts'
import { type StepWithoutPeople, stepsWithoutPeople } from './people-left.ts'
import { cancelWithin, inFlow } from './work-tasks.ts'

/** The process of a file, or everything that is wrong with it. */
export const readModel = async (xml: string): Promise<ReadProcess> => {
  const none = (problem: FlowProblem): ReadProcess => ({ graph: undefined, problems: [problem], key: '', name: '', description: '' })
  if (xml.length > maxXmlChars) return none(problemOf('tooLong'))
  const file = await readBpmn(xml)
  return 'problem' in file ? none(problemOf(file.problem, {}, file.what)) : readProcess(file.definitions)
}
export const presentProblems = (ctx: Ctx, problems: readonly FlowProblem[]) =>
  problems.map(({ element, where, reason, text }) => ({ element, elementName: ctx.say(where), reason, text: ctx.say(text) }))

/** The refusal of a drawing: `data.problems` has each as `presentProblems` says it. */
export const refuseModel = (problems: readonly FlowProblem[]): Refused =>
  new Refused(
    refuseFlow(
      'flow/model-invalid',
      { count: problems.length },
      { data: { problems: problems.map(({ element, where, reason, text }) => ({ element, elementName: where, reason, text })) } },
    ),
  )

const graphIn = (read: ReadProcess): ProcessGraph => {
  if (read.graph) return read.graph
  throw refuseModel(read.problems)
}

export const presentWarnings = (ctx: Ctx, warnings: readonly StepWithoutPeople[]) =>
  warnings.map(({ element, elementName, text }) => ({ element, elementName, text: ctx.say(text) }))
/** Steps of these drawings that nobody of the caller's tenant could take as things stand. */
export const warningsOf = async (deps: FlowDeps, ctx: Ctx, models: readonly ReadProcess[]): Promise<readonly StepWithoutPeople[]> =>
  inFlow(deps, ctx, async db => {
    const found: StepWithoutPeople[] = []
    for (const { graph } of models) if (graph) found.push(...(await stepsWithoutPeople(db, graph, undefined, true)))
    return found
  })

interface Deployment {
  readonly xml: string
  readonly graph: ProcessGraph
}
/** Tenants that a deployment is for; undefined: it is common. Whoever may not act for the platform deploys for the own tenant alone. */
const targetsOf = (ctx: Ctx, tenantIds: string | undefined): readonly string[] | undefined => {
  const named = idsOf(tenantIds)
  if (ctx.actsForPlatform()) return named.length === 0 ? undefined : named
  if (named.some(tenantId => tenantId !== ctx.tenantId)) throw new Refused(refuseFlow('flow/other-tenant', {}))
  return [ctx.tenantId]
}

/** A common process is every tenant's: what becomes of it stands in the trail of each. */
const auditOf = (db: TenantDb, ctx: Ctx, isCommon: boolean, entry: AuditEntry): Promise<void> =>
  isCommon ? sharedAudit(ctx, db, entry, 'all') : audit(db, ctx, entry)

const deployIn = async (
  db: TenantDb,
  ctx: Ctx,
  files: readonly Deployment[],
  category: string,
  isCommon: boolean,
): Promise<{ id: string; key: string; version: number; tenantId: string }[]> => {
  const deploymentId = await newId(db)
  const made: { id: string; key: string; version: number; tenantId: string }[] = []
  for (const { xml, graph } of files) {
    const { id, version } = await insertDefinition(db, { graph, xml, category, deploymentId, isCommon })
    made.push({ id, key: graph.key, version, tenantId: isCommon ? '' : db.actor.tenantId })
    const seconds = graph.nodes[graph.start]?.timerSeconds
    if (seconds != null)
      await enqueue(db, 'flow.timer', { kind: 'start', definitionId: id }, { runAt: new Date(db.now.getTime() + seconds * 1000) })
    await auditOf(db, ctx, isCommon, {
      action: 'flow-definition.deployed',
      entity: 'flow_definition',
      entityId: id,
      after: { key: graph.key, version, name: graph.name, category, common: isCommon },
    })
  }
  return made
}

/** A new version in each tenant that is named. Refusals: flow/category, flow/other-tenant, flow/timer-common, kernel/not-found. */
const deploy = async (deps: FlowDeps, ctx: Ctx, files: readonly Deployment[], category: string, tenantIds: string | undefined) => {
  const targets = targetsOf(ctx, tenantIds)
  const timed = files.find(({ graph }) => graph.nodes[graph.start]?.timerSeconds != null)
  if (targets === undefined && timed) throw new Refused(refuseFlow('flow/timer-common', { name: timed.graph.name }))
  await inFlow(deps, ctx, async db => {
    if (!(await hasCategory(db, category))) throw new Refused(refuseFlow('flow/category', { category }))
  })
  if (targets === undefined) return { definitions: await inFlow(deps, ctx, db => deployIn(db, ctx, files, category, true)) }
  const there = await deps.services.scopes.asPlatform('a deployment is for tenants that are there', ctx.arrivedAt, db =>
    tenantsAmong(db, targets),
  )
  if (there !== targets.length) throw new Refused(refuse('kernel/not-found', {}))
  const definitions: { id: string; key: string; version: number; tenantId: string }[] = []
  for (const tenantId of targets) {
    const actor = tenantId === ctx.tenantId ? { ...systemOf(tenantId), userId: sessionOf(ctx).userId } : systemOf(tenantId)
    definitions.push(...(await deps.services.scopes.tx(actor, ctx.arrivedAt, db => deployIn(db, ctx, files, category, false))))
  }
  return { definitions }
}

export const deployModelNow = async (
  deps: FlowDeps,
  ctx: Ctx,
  input: { modelId: string; category: string; tenantIds?: string | undefined },
) => {
  const model = await inFlow(deps, ctx, db => findModel(db, input.modelId))
  if (!model) throw new Refused(refuse('kernel/not-found', {}))
  return deploy(deps, ctx, [{ xml: model.xml, graph: graphIn(await readModel(model.xml)) }], input.category, input.tenantIds)
}

/** Uploaded files as text, checked by their names. */
export const uploadedModels = async (
  ctx: Ctx,
  read: (path: string) => Promise<string>,
): Promise<readonly { xml: string; read: ReadProcess }[]> => {
  if (ctx.files.length === 0) throw new Refused(refuseFlow('flow/no-file', {}))
  const models: { xml: string; read: ReadProcess }[] = []
  for (const file of ctx.files) {
    if (!/\.(bpmn|bpmn20\.xml|bpmn\.xml)$/i.test(file.name))
      throw new Refused(refuseFlow('flow/file-name', { name: file.name.slice(0, 100) }))
    const xml = await read(file.path)
    models.push({ xml, read: await readModel(xml) })
  }
  return models
}
export const deployFiles = async (
  deps: FlowDeps,
  ctx: Ctx,
  input: { category: string; tenantIds?: string | undefined },
  read: (path: string) => Promise<string>,
) => {
  const models = await uploadedModels(ctx, read)
  const files = models.map(model => ({ xml: model.xml, graph: graphIn(model.read) }))
  return deploy(deps, ctx, files, input.category, input.tenantIds)
}

/** Whether a definition is the caller's to change: a common one is the platform's. */
export const isTheirs = (ctx: Ctx, { tenantId, isCommon }: { readonly tenantId: string; readonly isCommon: boolean }): boolean =>
  tenantId === ctx.tenantId && (!isCommon || ctx.actsForPlatform())

/** Their own, and common ones where the caller acts for the platform. Refusals: kernel/not-found. */
export const switchState = (deps: FlowDeps, ctx: Ctx, id: string, to: 'active' | 'suspend') =>
  inFlow(deps, ctx, async db => {
    const found = await findDefinition(db, id)
    if (!found || found.isDeleted || !isTheirs(ctx, found)) throw new Refused(refuse('kernel/not-found', {}))
    const state = to === 'active' ? 'active' : 'suspended'
    if (await setDefinitionState(db, id, state))
      await auditOf(db, ctx, found.isCommon, {
        action: state === 'active' ? 'flow-definition.activated' : 'flow-definition.suspended',
        entity: 'flow_definition',
        entityId: id,
        before: { state: found.state },
        after: { state, key: found.key, version: found.version },
      })
    return { suspensionState: state === 'active' ? 1 : 2 }
  })

/**
 * What runs by them is cancelled when that is confirmed, in every tenant. Refusals: kernel/not-found, flow/running-instances with those of the own
 * tenant in `data.instances`.
 */
export const removeDeployed = async (
  deps: FlowDeps,
  ctx: Ctx,
  input: { deploymentIds: string; confirm?: number | undefined; reason?: string | undefined },
): Promise<{ removed: number; cancelled: number }> => {
  const ids = idsOf(input.deploymentIds)
  const { scopes } = deps.services
  const deployed = await inFlow(deps, ctx, db => listDeployed(db, ids))
  if (deployed.length === 0 || !deployed.every(one => isTheirs(ctx, { ...one, tenantId: ctx.tenantId })))
    throw new Refused(refuse('kernel/not-found', {}))
  const running = await scopes.asPlatform('a common process may run in every tenant', ctx.arrivedAt, db =>
    countRunningEverywhere(
      db,
      deployed.map(({ id }) => id),
    ),
  )
  if (running.length > 0 && input.confirm !== 1) {
    const instances = running.filter(({ tenantId }) => tenantId === ctx.tenantId).map(({ id, title }) => ({ processInstanceId: id, title }))
    throw new Refused(refuseFlow('flow/running-instances', { count: running.length }, { data: { instances: instances.slice(0, 100) } }))
  }
  // First nothing more can begin by them, then what runs ends.
  const removed = await inFlow(deps, ctx, async db => {
    const gone = await removeDeployments(db, ids)
    for (const { id, key, isCommon } of gone)
      await auditOf(db, ctx, isCommon, { action: 'flow-definition.removed', entity: 'flow_definition', entityId: id, before: { key } })
    return gone.length
  })
  const reason = input.reason?.trim() || ctx.say({ zh: '流程定义已删除', en: 'The definition was removed' })
  let cancelled = 0
  for (const { tenantId, id } of running) {
    const actor = tenantId === ctx.tenantId ? { ...systemOf(tenantId), userId: sessionOf(ctx).userId } : systemOf(tenantId)
    try {
      await scopes.tx(actor, ctx.arrivedAt, db => cancelWithin(deps, db, ctx, id, reason))
      cancelled += 1
    } catch (error) {
      // It ended by itself meanwhile, or with the process that had called it.
      if (!(error instanceof Refused)) throw error
    }
  }
  return { removed, cancelled }
}
