import type { FlowValues } from '#contract/flow/condition.ts'
import { refuseFlow } from '#contract/flow/flow.errors.ts'
import { type FlowInstanceEvent, flowInstanceMachine } from '#contract/flow/flow.state.ts'
import { maxCallDepth, maxSigners } from '#contract/flow/flow-limits.ts'
import { applicantStep, type FlowNode, type PeopleRule, type ProcessGraph } from '#contract/flow/process-graph.ts'
import { decidesOnPass } from '#contract/flow/read-process.ts'
import type { Label } from '#contract/kernel/label.ts'
import { step } from '#contract/kernel/machine.ts'
import { audit } from '#kernel/audit.ts'
import { newId } from '#kernel/db/new-id.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, Refused } from '#kernel/http/context.ts'
import { enqueue } from '#kernel/queue/outbox.ts'
import { findNewest, graphOf } from '../data/definition.repo.ts'
import {
  barredFrom,
  childrenOf,
  closeTasks,
  type HistoryLine,
  type InstanceRow,
  insertCandidates,
  insertHistory,
  insertInstance,
  insertTask,
  lockInstance,
  type NewInstance,
  tasksOf,
  updateInstance,
} from '../data/instance.repo.ts'
import { deptsOf, membersOf, type Named, superiorOf } from '../data/people.repo.ts'
import type { BusinessEvent, FlowDeps } from '../deps.ts'
import { begin, type FlowStep, goOn, goToApplicant, type Moved } from '../domain/engine.ts'
import { nobodyAmong, noSuperior, onlyApplicant, onlyDecided } from './people-left.ts'

/** One command on one process: what is read under its lock, and what is written at the end of it. */
export interface Work {
  readonly deps: FlowDeps
  readonly db: TenantDb
  /** Undefined: the program acts, for a time limit. */
  readonly ctx: Ctx | undefined
  readonly graph: ProcessGraph
  readonly before: InstanceRow
  now: InstanceRow
  passed: boolean | null
  reason: string
  readonly lines: HistoryLine[]
  /** Processes it has called that ended at once: it goes on when its own place is written. */
  readonly endedChildren: Work[]
}
export const openWork = async (deps: FlowDeps, db: TenantDb, ctx: Ctx | undefined, row: InstanceRow): Promise<Work> => ({
  ...{ deps, db, ctx, before: row, now: row, passed: null, reason: '', lines: [], endedChildren: [] },
  graph: await graphOf(db, row.definitionId),
})
export const isOver = ({ state }: Pick<InstanceRow, 'state'>): boolean => state !== 'running' && state !== 'returned'

export const note = (work: Work, line: Partial<HistoryLine> & Pick<HistoryLine, 'node' | 'name' | 'type'>): void => {
  work.lines.push({ action: '', taskId: null, assignee: null, target: '', comment: '', startedAt: work.db.now, ...line })
}
const nobody = (name: string, why: Label): Refused => new Refused(refuseFlow('flow/nobody', { step: name, why }))

/** A rule as it stands for this process: whom it names, by id or by what candidates are. */
const namedBy = async ({ db, now }: Work, node: FlowNode, rule: PeopleRule): Promise<readonly Named[]> => {
  const user = (ref: string): Named => ({ kind: 'user', ref })
  switch (rule.kind) {
    case 'starter':
      return [user(now.startUser)]
    case 'manager': {
      const superior = await superiorOf(db, now.startUser)
      if (superior === undefined) throw nobody(node.name, noSuperior)
      return [user(superior)]
    }
    case 'variable': {
      const value = now.vars[rule.ref]
      return typeof value === 'string' && value !== '' ? [user(value)] : []
    }
    case 'dept':
      if (rule.ref !== 'starter') return [{ kind: 'dept', ref: rule.ref }]
      return (await deptsOf(db, now.startUser)).map(ref => ({ kind: 'dept', ref }))
    default:
      return [{ kind: rule.kind, ref: rule.ref }]
  }
}

const later = (work: Work, seconds: number): Date => new Date(work.db.now.getTime() + seconds * 1000)
const tell = (work: Work, userId: string, title: Label, link: string, eventKey: string, why = ''): void => {
  if (userId === work.db.actor.userId) return
  work.deps.message.sendNotice(work.db, {
    ...{ userId, examId: null, kind: 7, link, eventKey, title },
    content: {
      zh: [work.now.title, why].filter(Boolean).join('：').slice(0, 500),
      en: [work.now.title, why].filter(Boolean).join(': ').slice(0, 500),
    },
  })
}

const openTask = async (work: Work, node: FlowNode, token: number): Promise<void> => {
  const { db } = work
  const { task } = node
  if (!task) throw new Error(`${node.id} is no task`)
  const candidates = (await Promise.all(task.candidates.map(rule => namedBy(work, node, rule)))).flat()
  const own = task.assignee ? await namedBy(work, node, task.assignee) : []
  const isSigned = task.sign !== null
  const named = isSigned || own.length === 0 ? [...own, ...candidates] : own
  const isForStarter = [task.assignee, ...task.candidates].some(rule => rule?.kind === 'starter')
  const notFor = work.now.decidesOwn || isForStarter ? null : work.now.startUser
  const otherPerson = task.otherPerson === true
  const barred = await barredFrom(db, { instanceId: work.now.id, node: node.id, notFor, otherPerson })
  const members = await membersOf(db, named, maxSigners + 1 + Math.max(1, barred.size))
  const others = members.filter(id => !barred.has(id))
  if (members.length === 0) throw nobody(node.name, await nobodyAmong(db, named))
  // Where nobody could decide but the applicant or whoever has decided before, whom the applicant answers to does.
  const above = others.length === 0 ? await superiorOf(db, work.now.startUser) : undefined
  const superior = above !== undefined && barred.has(above) ? undefined : above
  if (others.length === 0 && superior === undefined)
    throw nobody(node.name, members.every(id => id === notFor) && above === undefined ? onlyApplicant : onlyDecided)
  const people = superior === undefined ? others : [superior]
  const isShared = isSigned || (own.length === 0 && superior === undefined)
  if (isSigned && people.length > maxSigners) throw new Refused(refuseFlow('flow/too-many-signers', { step: node.name, limit: maxSigners }))
  const dueAt = task.dueSeconds === null ? null : later(work, task.dueSeconds)
  const assignees: readonly (string | null)[] = isSigned ? people : isShared ? [null] : [people[0] ?? null]
  for (const assignee of assignees) {
    const id = await newId(db)
    insertTask(db, {
      id,
      instanceId: work.now.id,
      node: node.id,
      name: node.name,
      token,
      assignee,
      sign: task.sign,
      share: task.share,
      dueAt,
      notFor,
      otherPerson,
    })
    if (assignee === null) insertCandidates(db, id, [...own, ...candidates])
    for (const person of assignee === null ? people.slice(0, maxSigners) : [assignee])
      tell(
        work,
        person,
        assignee === null
          ? { zh: `待签：${node.name}`, en: `To claim: ${node.name}` }
          : { zh: `待办：${node.name}`, en: `To do: ${node.name}` },
        assignee === null ? '/work/claim' : '/work/todo',
        `flow-task-${id}`,
      )
    if (dueAt) await enqueue(db, 'flow.timer', { kind: 'due', taskId: id }, { runAt: dueAt })
    if (task.remindSeconds !== null)
      await enqueue(db, 'flow.timer', { kind: 'remind', taskId: id }, { runAt: later(work, task.remindSeconds) })
  }
  const boundary = Object.values(work.graph.nodes).find(({ attachedTo }) => attachedTo === node.id)
  if (boundary?.timerSeconds != null)
    await enqueue(
      db,
      'flow.timer',
      { kind: 'boundary', instanceId: work.now.id, token, node: boundary.id },
      { runAt: later(work, boundary.timerSeconds) },
    )
}

/** Whom the drawing lets claim a step; nobody where it names who does it. */
export const poolOf = async (work: Work, nodeId: string): Promise<readonly Named[]> => {
  const node = work.graph.nodes[nodeId]
  if (!node?.task || node.task.sign !== null || node.task.assignee !== null) return []
  const hasSuperior = (await superiorOf(work.db, work.now.startUser)) !== undefined
  const rules = node.task.candidates.filter(({ kind }) => kind !== 'manager' || hasSuperior)
  return (await Promise.all(rules.map(rule => namedBy(work, node, rule)))).flat()
}

/** The process that a call means begins as a child, with those of its variables that have the same names. */
const callChild = async (work: Work, node: FlowNode, token: number): Promise<void> => {
  const { db, now } = work
  const key = node.calls ?? ''
  const definition = await findNewest(db, key)
  if (definition?.state !== 'active') throw new Refused(refuseFlow('flow/no-definition', { key }))
  if (now.depth + 1 >= maxCallDepth) throw new Refused(refuseFlow('flow/too-deep', { limit: maxCallDepth }))
  const graph = await graphOf(db, definition.id)
  const names = new Set([...graph.variables.map(({ name }) => name), 'starter'])
  const vars: FlowValues = Object.fromEntries(Object.entries(now.vars).filter(([name]) => names.has(name)))
  const child = await beginWork(work.deps, db, work.ctx, {
    ...{ definition, vars, businessTable: now.businessTable, businessId: now.businessId, title: now.title, startUser: now.startUser },
    ...{ canReturn: false, decidesOwn: now.decidesOwn, parent: now, parentToken: token, place: { seq: 0, tokens: [] } },
  })
  if (isOver(child.now)) work.endedChildren.push(child)
}

const services = {
  notifyStarter: (work: Work, node: FlowNode): void =>
    tell(
      work,
      work.now.startUser,
      { zh: node.name || '流程进展', en: node.name || 'News of your process' },
      '/work/send',
      `flow-${work.now.id}-${work.now.seq + work.lines.length}`,
    ),
} as const

/** What waits for a token goes with it: open tasks are closed, a process that was called is cancelled. */
const dropTokens = async (work: Work, tokens: readonly number[]): Promise<void> => {
  if (tokens.length === 0) return
  const { db, now } = work
  const open = (await tasksOf(db, now.id)).filter(({ state, token }) => state === 'open' && tokens.includes(token))
  closeTasks(
    db,
    open.map(({ id }) => id),
  )
  for (const task of open)
    note(work, {
      node: task.node,
      name: task.name,
      type: 'userTask',
      action: 'closed',
      taskId: task.id,
      assignee: task.assignee,
      startedAt: task.createdAt,
    })
  for (const child of await childrenOf(db, now.id))
    if (child.parentToken !== null && tokens.includes(child.parentToken))
      await stop(await openWork(work.deps, db, work.ctx, child), 'cancel', '')
}

const happened = async (work: Work, steps: readonly FlowStep[]): Promise<void> => {
  await dropTokens(
    work,
    steps.flatMap(one => (one.is === 'dropped' ? [one.token] : [])),
  )
  for (const one of steps) {
    if (one.is === 'line') {
      const line = work.graph.flows[one.flow]
      note(work, { node: one.flow, name: line?.name.slice(0, 100) ?? '', type: 'sequenceFlow' })
    } else if (one.is === 'task') await openTask(work, one.node, one.token)
    else if (one.is === 'call') await callChild(work, one.node, one.token)
    else if (one.is !== 'dropped') {
      note(work, { node: one.node.id, name: one.node.name, type: one.node.type })
      const service = one.is === 'service' && Object.hasOwn(services, one.node.calls ?? '') ? one.node.calls : undefined
      if (service) services[service as keyof typeof services](work, one.node)
    }
  }
}

const eventOf = (work: Work, event: FlowInstanceEvent): BusinessEvent['event'] =>
  event === 'end' ? (work.passed === false ? 'refuse' : 'pass') : event

/** Writes what has changed, and lets the business row follow. */
export const save = async (work: Work, event: FlowInstanceEvent | undefined): Promise<void> => {
  const { db, now, before, deps, ctx } = work
  insertHistory(db, now.id, before.seq, work.lines)
  if (event !== undefined) {
    const to = step(flowInstanceMachine, before.state, event)
    if (!to) throw new Refused(refuseFlow('flow/not-running', { state: flowInstanceMachine.label[before.state] }))
    work.now = { ...now, state: to }
  }
  const { state, vars, place, title, decidedBy } = work.now
  updateInstance(db, now.id, { state, vars, place, title, decidedBy, passed: work.passed, reason: work.reason })
  if (event === undefined || now.parentId !== null) return
  if (event === 'end')
    await audit(db, ctx, {
      action: 'flow-instance.ended',
      entity: 'flow_instance',
      entityId: now.id,
      after: { passed: work.passed !== false },
    })
  if (event === 'return' || event === 'end')
    tell(
      work,
      now.startUser,
      event === 'return'
        ? { zh: '您的申请被退回', en: 'Your request was returned' }
        : work.passed === false
          ? { zh: '您的申请未获同意', en: 'Your request was refused' }
          : { zh: '您的申请已办结', en: 'Your request has passed' },
      event === 'return' ? '/work/todo' : '/work/send',
      `flow-${now.id}-${event}-${before.seq}`,
      event === 'return' || work.passed === false ? work.reason : '',
    )
  const hook = deps.hooks.get(now.businessTable)
  if (hook && now.businessId !== null)
    await hook(db, ctx, { businessId: now.businessId, instanceId: now.id, event: eventOf(work, event), comment: work.reason })
}

/** Writes a move, and lets go on what it has called and what has ended already. */
const settle = async (work: Work, moved: Moved, event?: FlowInstanceEvent): Promise<void> => {
  work.now = { ...work.now, place: moved.place }
  await happened(work, moved.steps)
  if (moved.ended) {
    work.passed = work.now.vars['pass'] !== false
    return save(work, 'end')
  }
  await save(work, event)
  for (const child of work.endedChildren) await goOnAbove(child)
}
/** The same, and a process that has come to its end lets the one that called it go on. */
export const moveTo = async (work: Work, moved: Moved, event?: FlowInstanceEvent): Promise<void> => {
  await settle(work, moved, event)
  if (moved.ended) await goOnAbove(work)
}
const goOnAbove = async (work: Work): Promise<void> => {
  const { parentId, parentToken } = work.now
  if (parentId === null || parentToken === null) return
  const row = await lockInstance(work.db, parentId)
  if (!row || isOver(row)) return
  const above = await openWork(work.deps, work.db, work.ctx, row)
  const names = new Set(above.graph.variables.map(({ name }) => name))
  const told = Object.entries(work.now.vars).filter(([name]) => names.has(name))
  above.now = { ...row, vars: { ...row.vars, ...Object.fromEntries(told), pass: work.passed !== false } }
  const token = row.place.tokens.find(({ id }) => id === parentToken)
  const node = token && above.graph.nodes[token.at]
  if (!node) return
  note(above, { node: node.id, name: node.name, type: 'callActivity', startedAt: work.now.createdAt })
  await decideAt(above, node.id, parentToken, work.passed !== false)
}

/** A step is decided: it goes on; a refusal that the drawing has no way for goes back to the applicant, or ends the process. */
export const decideAt = async (work: Work, nodeId: string, token: number, isAgreed: boolean): Promise<void> => {
  work.now = { ...work.now, vars: { ...work.now.vars, pass: isAgreed } }
  if (isAgreed || decidesOnPass(work.graph, nodeId)) return moveTo(work, goOn(work.graph, work.now.place, token, work.now.vars))
  // What comes back to somebody who cannot act would wait for ever: the refusal ends it.
  if (work.now.canReturn && (await membersOf(work.db, [{ kind: 'user', ref: work.now.startUser }], 1)).length > 0) return toApplicant(work)
  const { seq, tokens } = work.now.place
  return moveTo(work, { place: { seq, tokens: [] }, steps: tokens.map(({ id }) => ({ is: 'dropped', token: id })), ended: true })
}

export const toApplicant = async (work: Work): Promise<void> => {
  const { db, now } = work
  const moved = goToApplicant(work.graph, now.place)
  work.now = { ...now, place: moved.place }
  await happened(work, moved.steps)
  const id = await newId(db)
  insertTask(db, {
    ...{
      id,
      instanceId: now.id,
      node: applicantStep,
      name: '申请人修改',
      token: moved.place.seq,
      assignee: now.startUser,
      sign: null,
      share: 100,
    },
    dueAt: null,
    notFor: null,
    otherPerson: false,
  })
  await save(work, 'return')
}

/** Ends it before its end: all that waits goes. */
export const stop = async (work: Work, event: 'cancel' | 'withdraw', reason: string): Promise<void> => {
  const { place } = work.now
  work.reason = reason
  await dropTokens(
    work,
    place.tokens.map(({ id }) => id),
  )
  note(work, { node: '', name: '', type: 'endEvent', action: event, comment: reason })
  work.now = { ...work.now, place: { seq: place.seq, tokens: [] } }
  await save(work, event)
}

/** Starts a process, or one that another calls. */
export const beginInstance = async (deps: FlowDeps, db: TenantDb, ctx: Ctx | undefined, given: NewInstance): Promise<string> =>
  (await beginWork(deps, db, ctx, given)).now.id
const beginWork = async (deps: FlowDeps, db: TenantDb, ctx: Ctx | undefined, given: NewInstance): Promise<Work> => {
  const id = await newId(db)
  const graph = await graphOf(db, given.definition.id)
  const moved = begin(graph, given.vars)
  await insertInstance(db, id, { ...given, place: moved.place })
  const row = await lockInstance(db, id)
  if (!row) throw new Error('a process is gone as soon as it was started')
  const work: Work = { ...{ deps, db, ctx, graph, before: row, now: row, passed: null, reason: '', lines: [], endedChildren: [] } }
  if (given.parent === undefined) {
    const start = graph.nodes[graph.start]
    note(work, { node: graph.start, name: start?.name ?? '', type: 'startEvent', action: 'start', assignee: given.startUser })
    await audit(db, ctx, {
      action: 'flow-instance.started',
      entity: 'flow_instance',
      entityId: id,
      after: { key: given.definition.key, version: given.definition.version, title: given.title },
    })
  }
  const [first, ...rest] = moved.steps
  // The start itself has its line already.
  await settle(work, { ...moved, steps: given.parent === undefined && first?.is === 'passed' ? rest : moved.steps })
  return work
}
