import type { FlowValue, FlowValues } from '#contract/flow/condition.ts'
import { refuseFlow } from '#contract/flow/flow.errors.ts'
import { flowInstanceMachine } from '#contract/flow/flow.state.ts'
import { maxSigners } from '#contract/flow/flow-limits.ts'
import { applicantStep, type FlowVariable, type ProcessGraph } from '#contract/flow/process-graph.ts'
import { refuse, refuseField } from '#contract/kernel/errors.ts'
import { idsOf } from '#contract/kernel/ids.ts'
import type { Label } from '#contract/kernel/label.ts'
import { fromWireTime, toWireTime } from '#contract/kernel/when.ts'
import { audit } from '#kernel/audit.ts'
import { newId } from '#kernel/db/new-id.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, Refused, sessionOf } from '#kernel/http/context.ts'
import { readParameters } from '#modules/tenancy/index.ts'
import { findDefinition, graphOf, isNewestVersion } from '../data/definition.repo.ts'
import {
  barredFrom,
  claimOpenTask,
  closeTasks,
  findTask,
  finishTask,
  giveTask,
  insertCopies,
  insertTask,
  lockInstance,
  lockInstanceOfTask,
  noteReminder,
  readInstance,
  signTogether,
  type TaskRow,
  tasksOf,
} from '../data/instance.repo.ts'
import { isNamed, membersOf, nameOf } from '../data/people.repo.ts'
import { mayClaim, mayLook } from '../data/work.repo.ts'
import type { FlowDeps } from '../deps.ts'
import { goBack, returnTargets, sendAgain } from '../domain/engine.ts'
import { decide } from '../domain/votes.ts'
import { beginInstance, decideAt, isOver, moveTo, note, openWork, poolOf, save, stop, toApplicant, type Work } from './move.ts'
import { type StepWithoutPeople, stepsWithoutPeople } from './people-left.ts'

/** A process belongs to all who take part in it, in whatever department they are: its commands see the whole tenant, in the caller's name. */
export const inFlow = <T>(deps: FlowDeps, ctx: Ctx, run: (db: TenantDb) => Promise<T>): Promise<T> =>
  deps.services.scopes.tx({ kind: 'system', tenantId: ctx.tenantId, userId: sessionOf(ctx).userId }, ctx.arrivedAt, run)

/** Whom a candidate row can mean: ids and aliases of the caller's roles. */
export const rolesOf = (ctx: Ctx): readonly string[] => {
  const session = sessionOf(ctx)
  return [...session.roleIds, ...session.roleAliases]
}
export interface Done {
  readonly processInstanceId: string
  readonly state: number
}
/** As it stands now: what it called may have moved it on. */
const done = async ({ db, now: { id, state }, endedChildren }: Work): Promise<Done> => ({
  processInstanceId: id,
  state: flowInstanceMachine.wire[endedChildren.length === 0 ? state : ((await readInstance(db, id))?.state ?? state)],
})

const refuseValue = (variable: FlowVariable, zh: string, en: string): Refused =>
  new Refused({
    ...refuseFlow('flow/variable', { label: variable.label, problem: { zh, en } }),
    data: { fields: [{ field: variable.name, msg: { zh: `${variable.label}${zh}`, en: `${variable.label} ${en}` } }] },
  })

/** What a page of its own offers, as far as the drawing asks for it. */
const declared = (variables: readonly FlowVariable[], offered: Readonly<Record<string, FlowValue>>): Readonly<Record<string, FlowValue>> =>
  Object.fromEntries(Object.entries(offered).filter(([name]) => variables.some(variable => variable.name === name)))

/** The form of the declared variables as it was filled in. */
const readValues = async (
  db: TenantDb,
  variables: readonly FlowVariable[],
  given: Readonly<Record<string, FlowValue>>,
): Promise<FlowValues> => {
  const unknown = Object.keys(given).find(name => !variables.some(variable => variable.name === name))
  if (unknown !== undefined) throw new Refused(refuseFlow('flow/unknown-variable', { name: unknown.slice(0, 60) }))
  const values: Record<string, FlowValue> = {}
  for (const variable of variables) {
    const raw = Object.hasOwn(given, variable.name) ? (given[variable.name] ?? null) : null
    const value = typeof raw === 'string' ? raw.trim() || null : raw
    if (value === null) {
      if (variable.required) throw refuseValue(variable, '必填', 'is required')
      values[variable.name] = null
      continue
    }
    const isRight =
      variable.type === 'number'
        ? typeof value === 'number' && Number.isFinite(value) && Math.abs(value) < 1e15
        : variable.type === 'boolean'
          ? typeof value === 'boolean'
          : typeof value === 'string' &&
            (variable.type !== 'day' || fromWireTime(`${value} 00:00:00`) !== undefined) &&
            (variable.type !== 'user' || /^\d{1,18}$/.test(value))
    if (!isRight) throw refuseValue(variable, '的值不正确', 'does not have a right value')
    if (variable.type === 'user' && (await membersOf(db, [{ kind: 'user', ref: String(value) }], 1)).length === 0)
      throw refuseValue(variable, '：所选人员不存在、已停用或不是本租户的工作人员', 'is not an active member of staff')
    values[variable.name] = value
  }
  return values
}

const ownRequests = 'flow.ownRequests'
/** Whether the tenant lets applicants decide on what they asked for. */
const mayDecideOwn = async (db: TenantDb): Promise<boolean> => (await readParameters(db, [ownRequests]))[ownRequests] === '1'
/** The field in which the applicant has named themself to decide. */
const chosenSelf = (graph: ProcessGraph, values: FlowValues, startUser: string): FlowVariable | undefined => {
  const rules = Object.values(graph.nodes).flatMap(({ task }) => (task ? [task.assignee, ...task.candidates] : []))
  return graph.variables.find(
    ({ name }) => values[name] === startUser && rules.some(rule => rule?.kind === 'variable' && rule.ref === name),
  )
}

export interface Start {
  readonly processDefinitionId: string
  readonly title: string
  readonly values: Readonly<Record<string, FlowValue>>
  readonly businessTable: string
  readonly businessId: string | null
  readonly startUser: string
  readonly canReturn: boolean
}
/** Refusals: kernel/not-found, flow/suspended, flow/outdated, flow/variable, flow/unknown-variable, flow/nobody, flow/no-definition. */
export const startProcess = async (
  deps: FlowDeps,
  db: TenantDb,
  ctx: Ctx | undefined,
  start: Start,
): Promise<{ id: string; state: number }> => {
  const definition = await findDefinition(db, start.processDefinitionId)
  if (!definition || definition.isDeleted) throw new Refused(refuse('kernel/not-found', {}))
  if (definition.state === 'suspended') throw new Refused(refuseFlow('flow/suspended', { name: definition.name }))
  if (!(await isNewestVersion(db, definition.id))) throw new Refused(refuseFlow('flow/outdated', { name: definition.name }))
  const graph = await graphOf(db, definition.id)
  // What a timer starts is nobody's request.
  const decidesOwn = ctx === undefined || (await mayDecideOwn(db))
  const values = await readValues(db, graph.variables, start.businessTable === '' ? start.values : declared(graph.variables, start.values))
  const own = decidesOwn ? undefined : chosenSelf(graph, values, start.startUser)
  if (own) throw refuseValue(own, '不能选择自己', 'cannot be yourself')
  const id = await beginInstance(deps, db, ctx, {
    ...{ definition, businessTable: start.businessTable, businessId: start.businessId, title: start.title, startUser: start.startUser },
    ...{ vars: { ...values, starter: start.startUser }, canReturn: start.canReturn, decidesOwn },
    ...{ place: { seq: 0, tokens: [] }, parent: undefined, parentToken: null },
  })
  return { id, state: flowInstanceMachine.wire[(await readInstance(db, id))?.state ?? 'running'] }
}

/** Steps that nobody could take if the caller started it now. */
export const warningsAtStart = (deps: FlowDeps, ctx: Ctx, graph: ProcessGraph): Promise<readonly StepWithoutPeople[]> =>
  inFlow(deps, ctx, async db => stepsWithoutPeople(db, graph, db.actor.userId, await mayDecideOwn(db)))

const overBy = async (db: TenantDb, task: TaskRow): Promise<Refused> =>
  new Refused(refuseFlow('flow/task-over', { name: (await nameOf(db, task.endedBy)) || '—' }))

/** Whether somebody may look at a process: who takes part, and who watches over processes. */
export const maySee = async (ctx: Ctx, db: TenantDb, instanceId: string): Promise<boolean> =>
  ['flow_follow_view', 'flow_follow_assign'].some(code => sessionOf(ctx).permissions.has(code)) ||
  (await mayLook(db, instanceId, rolesOf(ctx)))

/**
 * A task with its process, held until the end of the transaction. Tasks of other tenants are not there, nor, as on their page, those of processes that the
 * caller may not look at. `also` lets others know of it.
 */
const holdTask = async (
  deps: FlowDeps,
  db: TenantDb,
  ctx: Ctx,
  taskId: string,
  also: (work: Work, task: TaskRow) => Promise<boolean> = async () => false,
): Promise<{ work: Work; task: TaskRow }> => {
  const row = await lockInstanceOfTask(db, taskId)
  const task = row && (await findTask(db, taskId))
  if (!task) throw new Refused(refuse('kernel/not-found', {}))
  const work = await openWork(deps, db, ctx, row)
  if (!(await maySee(ctx, db, task.instanceId)) && !(await also(work, task))) throw new Refused(refuse('kernel/not-found', {}))
  if (task.state !== 'open') throw await overBy(db, task)
  return { work, task }
}
/** The same for whoever has it. */
const holdOwn = async (deps: FlowDeps, db: TenantDb, ctx: Ctx, taskId: string): Promise<{ work: Work; task: TaskRow }> => {
  const held = await holdTask(deps, db, ctx, taskId)
  const { assignee } = held.task
  if (assignee === null) throw new Refused(refuseFlow('flow/not-claimed', {}))
  if (assignee !== db.actor.userId) throw new Refused(refuseFlow('flow/not-yours', { name: await nameOf(db, assignee) }))
  return held
}
const line = (task: TaskRow, action: string, more: { readonly comment?: string; readonly target?: string } = {}) => ({
  ...{ node: task.node, name: task.name, type: 'userTask', action, taskId: task.id, assignee: task.assignee, startedAt: task.createdAt },
  ...more,
})
const trail = (work: Work, task: TaskRow, action: string, comment: string, after: Readonly<Record<string, unknown>> = {}): Promise<void> =>
  audit(work.db, work.ctx, {
    action: `flow-task.${action}`,
    entity: 'flow_task',
    entityId: task.id,
    after: { process: work.now.id, step: task.name, ...after },
    ...(comment === '' ? {} : { reason: comment }),
  })

const refuseBarred = async (db: TenantDb, task: TaskRow, userId: string): Promise<void> => {
  if (task.notFor === userId) throw new Refused(refuseFlow('flow/own-request', {}))
  if ((await barredFrom(db, task)).has(userId)) throw new Refused(refuseFlow('flow/decided-before', { name: await nameOf(db, userId) }))
}
/** One update decides who gets it. Refusals: kernel/not-found, flow/task-over, flow/claimed (with who has it), flow/not-candidate, flow/own-request, flow/decided-before. */
export const claim = (deps: FlowDeps, ctx: Ctx, taskId: string): Promise<Done> =>
  inFlow(deps, ctx, async db => {
    // Whom the drawing lets claim it learns who was quicker.
    const { work, task } = await holdTask(deps, db, ctx, taskId, async (one, { node }) =>
      isNamed(db, await poolOf(one, node), rolesOf(ctx)),
    )
    if (task.assignee !== null) throw new Refused(refuseFlow('flow/claimed', { name: await nameOf(db, task.assignee) }))
    if (!(await mayClaim(db, task.id, rolesOf(ctx)))) throw new Refused(refuseFlow('flow/not-candidate', {}))
    await refuseBarred(db, task, db.actor.userId)
    if (!(await claimOpenTask(db, task.id))) throw new Refused(refuse('kernel/changed-meanwhile', {}))
    note(work, line({ ...task, assignee: db.actor.userId }, 'claim'))
    await trail(work, task, 'claimed', '')
    await save(work, undefined)
    return done(work)
  })

/** What is open of a step that moves on without it. */
export const closeOpen = async (work: Work, token: number): Promise<void> => {
  const left = (await tasksOf(work.db, work.now.id)).filter(task => task.state === 'open' && task.token === token)
  closeTasks(
    work.db,
    left.map(({ id }) => id),
  )
  for (const one of left) note(work, line(one, 'closed'))
}

/** Of whoever has a task: agreed or refused. */
const finish = async (work: Work, task: TaskRow, isAgreed: boolean, comment: string): Promise<void> => {
  const { db } = work
  if (!(await finishTask(db, task.id, isAgreed ? 'ok' : 'reject', comment))) throw await overBy(db, task)
  note(work, line(task, isAgreed ? 'ok' : 'reject', { comment }))
  await trail(work, task, 'completed', comment, { outcome: isAgreed ? 'ok' : 'reject' })
  work.reason = comment
  work.now = { ...work.now, decidedBy: work.now.decidedBy ?? db.actor.userId }
  if (task.sign === null) return decideAt(work, task.node, task.token, isAgreed)
  const together = (await tasksOf(db, work.now.id)).filter(({ token, state }) => token === task.token && state !== 'closed')
  const stands = decide(task.sign, task.share, {
    members: together.length,
    agreed: together.filter(({ outcome }) => outcome === 'ok').length,
    refused: together.filter(({ outcome }) => outcome === 'reject').length,
  })
  if (stands === 'open') return save(work, undefined)
  await closeOpen(work, task.token)
  return decideAt(work, task.node, task.token, stands === 'agreed')
}

const needOwnReason: Label = {
  zh: '将任务指派给自己须填写理由，理由记入审计',
  en: 'To assign a task to yourself, say why: the trail keeps it',
}
const needComment: Label = { zh: '请填写意见', en: 'Please say why' }
export interface Completion {
  readonly taskId: string
  readonly processInstanceId?: string | undefined
  readonly flag?: string | undefined
  readonly comment?: string | undefined
  readonly title?: string | undefined
  readonly values?: Readonly<Record<string, FlowValue>> | undefined
}
/** As part of a transaction: what `complete` does, and what pages of their own do with the tasks of their process. */
export const completeWithin = async (deps: FlowDeps, db: TenantDb, ctx: Ctx, input: Completion): Promise<Done> => {
  const { work, task } = await holdOwn(deps, db, ctx, input.taskId)
  if (input.processInstanceId !== undefined && input.processInstanceId !== task.instanceId)
    throw new Refused(refuse('kernel/not-found', {}))
  const comment = (input.comment ?? '').trim()
  const isAgreed = input.flag === 'ok'
  if (task.node === applicantStep) {
    const { variables } = work.graph
    const given = input.values ?? {}
    const values =
      input.values === undefined ? {} : await readValues(db, variables, work.now.businessTable === '' ? given : declared(variables, given))
    const self = work.now.decidesOwn ? undefined : chosenSelf(work.graph, { ...work.now.vars, ...values }, work.now.startUser)
    if (self) throw refuseValue(self, '不能选择自己', 'cannot be yourself')
    const title = input.title?.trim() || work.now.title
    work.now = { ...work.now, title, vars: { ...work.now.vars, ...values }, decidedBy: null }
    if (!(await finishTask(db, task.id, 'ok', comment))) throw await overBy(db, task)
    note(work, line(task, 'resubmit', { comment }))
    await trail(work, task, 'resubmitted', comment)
    await moveTo(work, sendAgain(work.graph, work.now.place, work.now.vars), 'resubmit')
    return done(work)
  }
  if (!isAgreed && comment === '') throw new Refused(refuseField('comment', needComment))
  if (task.owner !== null) {
    await giveTask(db, task.id, task.owner, null)
    note(work, line(task, 'resolve', { comment, target: await nameOf(db, task.owner) }))
    await trail(work, task, 'resolved', comment, { outcome: isAgreed ? 'ok' : 'reject' })
    await save(work, undefined)
    return done(work)
  }
  // Whoever got it first and has decided beside it since leaves it to another.
  await refuseBarred(db, task, db.actor.userId)
  await finish(work, task, isAgreed, comment)
  return done(work)
}
/** Refusals: kernel/not-found, kernel/invalid-input with fields, flow/task-over, flow/not-claimed, flow/not-yours, flow/nobody, flow/no-definition. */
export const complete = (deps: FlowDeps, ctx: Ctx, input: Completion): Promise<Done> =>
  inFlow(deps, ctx, db => completeWithin(deps, db, ctx, input))

/** Refusals: as `complete`, and flow/return-target, flow/no-applicant. */
export const returnTask = (deps: FlowDeps, ctx: Ctx, input: { taskId: string; to: string; comment: string }): Promise<Done> =>
  inFlow(deps, ctx, async db => {
    const { work, task } = await holdOwn(deps, db, ctx, input.taskId)
    if (task.node === applicantStep) throw new Refused(refuseFlow('flow/return-target', {}))
    const comment = input.comment.trim()
    if (comment === '') throw new Refused(refuseField('comment', needComment))
    const passed = new Set(
      (await tasksOf(db, work.now.id)).filter(({ outcome }) => outcome === 'ok' || outcome === 'reject').map(({ node }) => node),
    )
    const target = returnTargets(work.graph, task.node, passed).find(({ id }) => id === input.to)
    const isApplicantHere = input.to !== applicantStep || (await membersOf(db, [{ kind: 'user', ref: work.now.startUser }], 1)).length > 0
    if (input.to === applicantStep && !(work.now.canReturn && isApplicantHere)) throw new Refused(refuseFlow('flow/no-applicant', {}))
    if (input.to !== applicantStep && !target) throw new Refused(refuseFlow('flow/return-target', {}))
    if (!(await finishTask(db, task.id, 'return', comment))) throw await overBy(db, task)
    note(work, line(task, 'return', { comment, target: target?.name ?? applicantStep }))
    await trail(work, task, 'returned', comment, { to: target?.name ?? applicantStep })
    work.reason = comment
    work.now = { ...work.now, decidedBy: work.now.decidedBy ?? db.actor.userId }
    if (target) await moveTo(work, goBack(work.graph, work.now.place, target.id, work.now.vars))
    else await toApplicant(work)
    return done(work)
  })

const personFor = async (db: TenantDb, userId: string): Promise<string> => {
  const [person] = await membersOf(db, [{ kind: 'user', ref: userId }], 1)
  if (person === undefined) throw new Refused(refuseFlow('flow/no-person', {}))
  return person
}
const refuseSame = async (db: TenantDb, task: TaskRow, userId: string): Promise<void> => {
  const isIn = (await tasksOf(db, task.instanceId)).some(
    ({ state, token, assignee, owner }) => state === 'open' && token === task.token && (assignee === userId || owner === userId),
  )
  if (isIn) throw new Refused(refuseFlow('flow/same-person', { name: await nameOf(db, userId) }))
}
const tellOfTask = (deps: FlowDeps, work: Work, task: TaskRow, userId: string): void =>
  deps.message.sendNotice(work.db, {
    ...{ userId, examId: null, kind: 7, link: '/work/todo', title: { zh: `待办：${task.name}`, en: `To do: ${task.name}` } },
    content: { zh: work.now.title, en: work.now.title },
    eventKey: `flow-task-${task.id}-${work.before.seq}`,
  })

type Giving = { readonly taskId: string; readonly userId: string; readonly comment?: string | undefined }
const give = async (
  deps: FlowDeps,
  work: Work,
  task: TaskRow,
  { userId, comment = '' }: Giving,
  how: 'transfer' | 'delegate' | 'assign',
): Promise<Done> => {
  const { db } = work
  const person = await personFor(db, userId)
  await refuseBarred(db, task, person)
  await refuseSame(db, task, person)
  if (how === 'delegate' && task.owner !== null) throw new Refused(refuseFlow('flow/delegated', {}))
  await giveTask(db, task.id, person, how === 'delegate' ? task.assignee : how === 'transfer' ? task.owner : null)
  const target = await nameOf(db, person)
  note(work, line(task, how, { comment: comment.trim(), target }))
  await trail(work, task, { transfer: 'transferred', delegate: 'delegated', assign: 'assigned' }[how], comment.trim(), { to: target })
  tellOfTask(deps, work, task, person)
  await save(work, undefined)
  return done(work)
}
/** Refusals: as `complete`, and flow/no-person, flow/same-person, flow/delegated. */
export const passOn = (deps: FlowDeps, ctx: Ctx, input: Giving, how: 'transfer' | 'delegate'): Promise<Done> =>
  inFlow(deps, ctx, async db => {
    const { work, task } = await holdOwn(deps, db, ctx, input.taskId)
    if (task.node === applicantStep) throw new Refused(refuseFlow('flow/no-person', {}))
    return give(deps, work, task, input, how)
  })
/** Whoever watches over processes gives a task to somebody. */
export const assign = (deps: FlowDeps, ctx: Ctx, input: Giving): Promise<Done> =>
  inFlow(deps, ctx, async db => {
    const { work, task } = await holdTask(deps, db, ctx, input.taskId)
    // Whoever watches over processes and takes a task of others decides in it: the trail says why.
    if (input.userId === db.actor.userId && (input.comment ?? '').trim() === '') throw new Refused(refuseField('comment', needOwnReason))
    return give(deps, work, task, input, 'assign')
  })

/** Refusals: as `complete`, and flow/no-person, flow/same-person, flow/too-many-signers. */
export const addSigners = (
  deps: FlowDeps,
  ctx: Ctx,
  input: { taskId: string; userIds: string; comment?: string | undefined },
): Promise<Done> =>
  inFlow(deps, ctx, async db => {
    const { work, task } = await holdOwn(deps, db, ctx, input.taskId)
    if (task.node === applicantStep) throw new Refused(refuseFlow('flow/no-person', {}))
    const people: string[] = []
    for (const userId of idsOf(input.userIds)) {
      const person = await personFor(db, userId)
      await refuseBarred(db, task, person)
      await refuseSame(db, task, person)
      people.push(person)
    }
    const members = (await tasksOf(db, work.now.id)).filter(({ token, state }) => token === task.token && state !== 'closed').length
    if (members + people.length > maxSigners) throw new Refused(refuseFlow('flow/too-many-signers', { step: task.name, limit: maxSigners }))
    await signTogether(db, work.now.id, task.token)
    const names: string[] = []
    for (const assignee of people) {
      const id = await newId(db)
      insertTask(db, { ...task, id, instanceId: work.now.id, assignee, sign: task.sign ?? 'all', dueAt: null })
      tellOfTask(deps, work, { ...task, id }, assignee)
      names.push(await nameOf(db, assignee))
    }
    const target = names.join('、').slice(0, 255)
    note(work, line(task, 'addSign', { comment: (input.comment ?? '').trim(), target }))
    await trail(work, task, 'signer-added', (input.comment ?? '').trim(), { to: target })
    await save(work, undefined)
    return done(work)
  })

const holdInstance = async (deps: FlowDeps, db: TenantDb, ctx: Ctx, id: string): Promise<Work> => {
  const row = await lockInstance(db, id)
  if (!row) throw new Refused(refuse('kernel/not-found', {}))
  return openWork(deps, db, ctx, row)
}
const mustRun = ({ now }: Work): void => {
  if (isOver(now)) throw new Refused(refuseFlow('flow/not-running', { state: flowInstanceMachine.label[now.state] }))
}
const trailOfInstance = (work: Work, action: string, reason: string, after: object): Promise<void> =>
  audit(work.db, work.ctx, {
    action: `flow-instance.${action}`,
    entity: 'flow_instance',
    entityId: work.now.id,
    after: { title: work.now.title, ...after },
    ...(reason === '' ? {} : { reason }),
  })

/** Refusals: kernel/not-found, flow/not-starter, flow/not-running, flow/withdraw-late with who decided. */
export const withdraw = (deps: FlowDeps, ctx: Ctx, input: { processInstanceId: string; reason?: string | undefined }): Promise<Done> =>
  inFlow(deps, ctx, async db => {
    const work = await holdInstance(deps, db, ctx, input.processInstanceId)
    if (!(await mayLook(db, work.now.id))) throw new Refused(refuse('kernel/not-found', {}))
    if (work.now.startUser !== db.actor.userId || work.now.parentId !== null) throw new Refused(refuseFlow('flow/not-starter', {}))
    mustRun(work)
    if (work.now.state === 'running' && work.now.decidedBy !== null)
      throw new Refused(refuseFlow('flow/withdraw-late', { name: await nameOf(db, work.now.decidedBy) }))
    const reason = (input.reason ?? '').trim()
    await trailOfInstance(work, 'withdrawn', reason, {})
    await stop(work, 'withdraw', reason)
    return done(work)
  })
/** As part of a transaction: the row that it decides on was taken back by whoever asked. */
export const withdrawWithin = async (deps: FlowDeps, db: TenantDb, ctx: Ctx, id: string): Promise<void> => {
  const work = await holdInstance(deps, db, ctx, id)
  if (work.now.startUser !== db.actor.userId || isOver(work.now)) return
  await trailOfInstance(work, 'withdrawn', '', {})
  await stop(work, 'withdraw', '')
}
/** Refusals: kernel/not-found, flow/not-running. A process that another has called ends with that one. */
export const cancel = (deps: FlowDeps, ctx: Ctx, input: { processInstanceId: string; deleteReason: string }): Promise<Done> =>
  inFlow(deps, ctx, db => cancelWithin(deps, db, ctx, input.processInstanceId, input.deleteReason.trim()))
export const cancelWithin = async (deps: FlowDeps, db: TenantDb, ctx: Ctx, id: string, reason: string): Promise<Done> => {
  const found = await holdInstance(deps, db, ctx, id)
  const work = found.now.parentId === null ? found : await holdInstance(deps, db, ctx, found.now.rootId)
  mustRun(work)
  await trailOfInstance(work, 'cancelled', reason, {})
  await stop(work, 'cancel', reason)
  return done(work)
}

const instanceLine = (work: Work, action: string, comment: string, target: string) => ({
  ...{ node: '', name: '', type: 'userTask', action, comment, target, assignee: work.db.actor.userId },
})
/** Whoever takes part lets others look. */
export const copy = (
  deps: FlowDeps,
  ctx: Ctx,
  input: { processInstanceId: string; userIds: string; comment?: string | undefined },
): Promise<{ copied: number }> =>
  inFlow(deps, ctx, async db => {
    const work = await holdInstance(deps, db, ctx, input.processInstanceId)
    if (!(await mayLook(db, work.now.id))) throw new Refused(refuse('kernel/not-found', {}))
    const comment = (input.comment ?? '').trim()
    const people: string[] = []
    for (const userId of idsOf(input.userIds)) people.push(await personFor(db, userId))
    const fresh = await insertCopies(db, work.now.id, people, comment)
    if (fresh.length === 0) return { copied: 0 }
    const names: string[] = []
    for (const userId of fresh) {
      names.push(await nameOf(db, userId))
      deps.message.sendNotice(db, {
        ...{ userId, examId: null, kind: 7, link: '/work/done', title: { zh: '抄送给您', en: 'A copy for you' } },
        content: { zh: work.now.title, en: work.now.title },
        eventKey: `flow-copy-${work.now.id}`,
      })
    }
    note(work, instanceLine(work, 'copy', comment, names.join('、').slice(0, 255)))
    await trailOfInstance(work, 'copied', comment, { to: names })
    await save(work, undefined)
    return { copied: fresh.length }
  })

const hourMs = 3_600_000
/** Refusals: kernel/not-found, flow/not-starter, flow/not-running, flow/reminded, flow/nothing-open. */
export const remind = (deps: FlowDeps, ctx: Ctx, id: string): Promise<{ reminded: number }> =>
  inFlow(deps, ctx, async db => {
    const work = await holdInstance(deps, db, ctx, id)
    if (!(await mayLook(db, work.now.id))) throw new Refused(refuse('kernel/not-found', {}))
    if (work.now.startUser !== db.actor.userId) throw new Refused(refuseFlow('flow/not-starter', {}))
    mustRun(work)
    const { remindedAt } = work.now
    if (remindedAt && db.now.getTime() - remindedAt.getTime() < hourMs)
      throw new Refused(refuseFlow('flow/reminded', { until: toWireTime(new Date(remindedAt.getTime() + hourMs)) }))
    const open = (await tasksOf(db, work.now.id)).filter(
      ({ state, assignee }) => state === 'open' && assignee !== null && assignee !== db.actor.userId,
    )
    if (open.length === 0) throw new Refused(refuseFlow('flow/nothing-open', {}))
    for (const task of open)
      deps.message.sendNotice(db, {
        ...{
          userId: task.assignee ?? '',
          examId: null,
          kind: 7,
          link: '/work/todo',
          title: { zh: `催办：${task.name}`, en: `Please deal with: ${task.name}` },
        },
        content: { zh: work.now.title, en: work.now.title },
        eventKey: `flow-remind-${task.id}-${work.before.seq}`,
      })
    await noteReminder(db, work.now.id)
    note(work, instanceLine(work, 'remind', '', ''))
    await trailOfInstance(work, 'reminded', '', { tasks: open.length })
    await save(work, undefined)
    return { reminded: open.length }
  })
