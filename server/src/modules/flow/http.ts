import { leaveDetail, resubmitLeave, startLeave, workingHours } from '#contract/flow/leave.routes.ts'
import { leaveMachine } from '#contract/flow/leave.state.ts'
import { applicantStep, type FlowVariable } from '#contract/flow/process-graph.ts'
import * as work from '#contract/flow/work.routes.ts'
import { refuse } from '#contract/kernel/errors.ts'
import { idsOf } from '#contract/kernel/ids.ts'
import { label } from '#contract/kernel/label.ts'
import { countCap, type Page, sliceOf, toCappedPage, toPage } from '#contract/kernel/page.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, type Handler, handle, Refused, sessionOf } from '#kernel/http/context.ts'
import { listedUserScope } from '#modules/access/index.ts'
import { presentWarnings } from './commands/deploy.ts'
import { daysOf, leaveTable, readHours, resubmit, startLeaveProcess } from './commands/leave.ts'
import {
  addSigners,
  assign,
  cancel,
  claim,
  complete,
  copy,
  inFlow,
  passOn,
  remind,
  returnTask,
  rolesOf,
  startProcess,
  warningsAtStart,
  withdraw,
} from './commands/work-tasks.ts'
import { findDefinition, graphOf, pageStartable, xmlOf } from './data/definition.repo.ts'
import { barredFrom, findTask, type InstanceRow, readInstance, tasksOf } from './data/instance.repo.ts'
import { findLeave } from './data/leave.repo.ts'
import { listPeople } from './data/people.repo.ts'
import {
  countWork,
  findTaskWork,
  findWork,
  historyOf,
  lastReturn,
  mayClaim,
  mayLook,
  openSteps,
  pageClaimable,
  pageCopied,
  pageDone,
  pageFollowed,
  pageSent,
  pageTodo,
  signersOf,
  type WorkRow,
} from './data/work.repo.ts'
import type { FlowDeps } from './deps.ts'
import { refusalWay, returnTargets } from './domain/engine.ts'
import { ownPages, presentDefinition, presentHistory, presentWork } from './present.ts'

type Action =
  | 'claim'
  | 'complete'
  | 'resubmit'
  | 'return'
  | 'transfer'
  | 'delegate'
  | 'addSign'
  | 'copy'
  | 'withdraw'
  | 'remind'
  | 'assign'
  | 'cancel'
const mostPeople = 20

const paged = async <Row>(
  input: { readonly current?: number; readonly size?: number; readonly count?: 'exact' | 'capped' },
  read: (slice: { size: number; offset: number; cap: number | undefined }) => Promise<{ rows: WorkRow[]; total: number }>,
  present: (row: WorkRow) => Row,
): Promise<Page<Row> & { readonly atLeast?: boolean }> => {
  const { current, size, offset } = sliceOf(input)
  const cap = input.count === 'capped' ? countCap(current, size) : undefined
  const { rows, total } = await read({ size, offset, cap })
  return toCappedPage(rows.map(present), total, cap, current, size)
}
/** A process that the caller takes part in, or watches over. */
const seen = async (ctx: Ctx, db: TenantDb, instanceId: string): Promise<InstanceRow> => {
  const row = await readInstance(db, instanceId)
  const may = row !== undefined && (sessionOf(ctx).permissions.has('flow_follow_view') || (await mayLook(db, instanceId, rolesOf(ctx))))
  if (!row || !may) throw new Refused(refuse('kernel/not-found', {}))
  return row
}
const formOf = (variables: readonly FlowVariable[], row: InstanceRow) => ({
  title: row.title,
  variables: [...variables],
  values: Object.fromEntries(variables.map(({ name }) => [name, row.vars[name] ?? null])),
})
const instanceActions = (ctx: Ctx, row: InstanceRow, userId: string): Action[] => {
  const isOpen = row.state === 'running' || row.state === 'returned'
  const isOwn = row.startUser === userId && row.parentId === null
  return [
    ...(isOpen && isOwn && (row.state === 'returned' || row.decidedBy === null) ? (['withdraw'] as const) : []),
    ...(isOpen && isOwn && row.state === 'running' ? (['remind'] as const) : []),
    'copy',
    ...(isOpen && sessionOf(ctx).permissions.has('flow_follow_delete') ? (['cancel'] as const) : []),
  ]
}

export const workHandlers = (deps: FlowDeps): Handler[] => [
  handle(work.startList, async ({ ctx, db, input }) => {
    const { current, size, offset, ...filter } = sliceOf(input)
    const { rows, total } = await pageStartable(db, filter, size, offset)
    const shown = rows.map(row => ({
      ...presentDefinition(ctx, row),
      startBy: ownPages.includes(row.category) ? ('own' as const) : ('form' as const),
    }))
    return toPage(shown, total, current, size)
  }),
  handle(work.claimList, ({ ctx, db, input }) =>
    paged(
      input,
      slice => pageClaimable(db, rolesOf(ctx), input, slice),
      row => presentWork(ctx, row),
    ),
  ),
  handle(work.todoList, ({ ctx, db, input }) =>
    paged(
      input,
      slice => pageTodo(db, input, slice),
      row => presentWork(ctx, row),
    ),
  ),
  handle(work.sendList, ({ ctx, db, input }) =>
    paged(
      input,
      slice => pageSent(db, input, slice),
      row => presentWork(ctx, row),
    ),
  ),
  handle(work.doneList, ({ ctx, db, input }) =>
    paged(
      input,
      slice => pageDone(db, input, slice),
      row => presentWork(ctx, row),
    ),
  ),
  handle(work.copyList, ({ ctx, db, input }) =>
    paged(
      input,
      slice => pageCopied(db, input, slice),
      row => presentWork(ctx, row),
    ),
  ),
  handle(work.workCounts, ({ ctx, db }) => countWork(db, rolesOf(ctx))),
  handle(work.startForm, async ({ ctx, db, input }) => {
    const found = await findDefinition(db, input.processDefinitionId)
    if (!found || found.isDeleted) return refuse('kernel/not-found', {})
    const graph = await graphOf(db, found.id)
    return {
      ...presentDefinition(ctx, found),
      variables: [...graph.variables],
      warnings: presentWarnings(ctx, await warningsAtStart(deps, ctx, graph)),
    }
  }),
  handle(work.startProcess, async ({ ctx, input }) => {
    const { id, state } = await inFlow(deps, ctx, db =>
      startProcess(deps, db, ctx, {
        ...{ processDefinitionId: input.processDefinitionId, title: input.title.trim(), values: input.values ?? {} },
        ...{ businessTable: '', businessId: null, startUser: sessionOf(ctx).userId, canReturn: true },
      }),
    )
    return { processInstanceId: id, state }
  }),
  handle(work.claimTask, ({ ctx, input }) => claim(deps, ctx, input.taskId)),
  handle(work.completeTask, ({ ctx, input }) => complete(deps, ctx, input)),
  handle(work.returnTask, ({ ctx, input }) => returnTask(deps, ctx, input)),
  handle(work.transferTask, ({ ctx, input }) => passOn(deps, ctx, input, 'transfer')),
  handle(work.delegateTask, ({ ctx, input }) => passOn(deps, ctx, input, 'delegate')),
  handle(work.addSign, ({ ctx, input }) => addSigners(deps, ctx, input)),
  handle(work.copyTo, ({ ctx, input }) => copy(deps, ctx, input)),
  handle(work.remind, ({ ctx, input }) => remind(deps, ctx, input.processInstanceId)),
  handle(work.withdraw, ({ ctx, input }) => withdraw(deps, ctx, input)),
  handle(work.deleteInstance, ({ ctx, input }) => cancel(deps, ctx, input)),
  handle(work.assignTask, ({ ctx, input }) => assign(deps, ctx, input)),
  handle(work.workPeople, ({ ctx, db, input }) =>
    listPeople(
      db,
      input.keyword?.trim(),
      input.userIds === undefined ? undefined : idsOf(input.userIds),
      listedUserScope(ctx.session),
      // Whoever is named is told, also where they are many.
      Math.max(mostPeople, idsOf(input.userIds).length),
    ),
  ),
  handle(work.taskDetail, async ({ ctx, db, input }) => {
    const { userId } = db.actor
    const [task, row] = [await findTask(db, input.taskId), await findTaskWork(db, input.taskId)]
    if (!task || !row) return refuse('kernel/not-found', {})
    const instance = await seen(ctx, db, task.instanceId)
    const graph = await graphOf(db, instance.definitionId)
    const isOwn = task.state === 'open' && task.assignee === userId
    const isStep = isOwn && task.node !== applicantStep
    const mayTake =
      task.state === 'open' &&
      task.assignee === null &&
      (await mayClaim(db, task.id, rolesOf(ctx))) &&
      !(await barredFrom(db, task)).has(userId)
    const passed = new Set(
      (await tasksOf(db, task.instanceId)).filter(({ outcome }) => outcome === 'ok' || outcome === 'reject').map(({ node }) => node),
    )
    const targets = isStep ? returnTargets(graph, task.node, passed).map(({ id, name }) => ({ key: id, name })) : []
    const applicant = { key: applicantStep, name: ctx.say(label('申请人', 'Applicant')) }
    const actions: Action[] = [
      ...(mayTake ? (['claim'] as const) : []),
      ...(isOwn && !isStep && instance.businessTable !== leaveTable ? (['complete'] as const) : []),
      ...(isOwn && !isStep ? (['resubmit'] as const) : []),
      ...(isStep ? (['complete', 'return', 'transfer', 'delegate', 'addSign'] as const) : []),
      ...(task.state === 'open' && sessionOf(ctx).permissions.has('flow_follow_assign') ? (['assign'] as const) : []),
      ...instanceActions(ctx, instance, userId),
    ]
    const isDelegated = task.owner !== null
    const refused = isStep ? refusalWay(graph, instance.place, task.token, instance.vars, instance.canReturn) : undefined
    const returned = isOwn && !isStep ? await lastReturn(db, instance.id) : undefined
    return {
      ...presentWork(ctx, row),
      ...formOf(graph.variables, instance),
      actions: isDelegated ? actions.filter(action => action !== 'delegate') : actions,
      refusalTo: refused?.to ?? '',
      refusalSteps: [...(refused?.steps ?? [])],
      returnedByName: returned?.name ?? '',
      returnReason: returned?.comment ?? '',
      returnTargets: isStep && instance.canReturn ? [applicant, ...targets] : targets,
      sign: task.sign ?? '',
      signShare: task.share,
      signers: task.sign === null ? [] : await signersOf(db, task.id),
    }
  }),
  handle(work.instanceDetail, async ({ ctx, db, input }) => {
    const instance = await seen(ctx, db, input.processInstanceId)
    const row = await findWork(db, instance.id)
    if (!row) return refuse('kernel/not-found', {})
    const { variables } = await graphOf(db, instance.definitionId)
    return {
      ...presentWork(ctx, row),
      ...formOf(variables, instance),
      actions: instanceActions(ctx, instance, db.actor.userId),
      deleteReason: row.reason,
    }
  }),
  handle(work.followList, ({ ctx, db, input }) =>
    paged(
      input,
      slice =>
        pageFollowed(
          db,
          { id: input.processInstanceId ?? input.executionId, key: input.processDefinitionKey, running: input.running !== 0 },
          { title: input.title },
          slice,
        ),
      row => ({ ...presentWork(ctx, row), id: row.instanceId, suspensionState: 1, deleteReason: row.reason }),
    ),
  ),
  handle(work.modelView, async ({ ctx, db, input }) => {
    if (input.processInstanceId !== undefined) {
      const instance = await seen(ctx, db, input.processInstanceId)
      const rows = [...(await historyOf(db, instance.id)), ...(await openSteps(db, instance.id))]
      return { xml: await xmlOf(db, instance.definitionId), flow: rows.map((row, at) => presentHistory(ctx, instance.id, row, at)) }
    }
    const found = input.processDefinitionId === undefined ? undefined : await findDefinition(db, input.processDefinitionId)
    if (!found) return refuse('kernel/not-found', {})
    return { xml: await xmlOf(db, found.id), flow: [] }
  }),
  handle(work.historyFlowList, async ({ ctx, db, input }) => {
    const instance = await seen(ctx, db, input.processInstanceId)
    const shown = new Set(['startEvent', 'endEvent', 'userTask', 'callActivity', 'boundaryEvent', 'candidate'])
    const rows = [...(await historyOf(db, instance.id)), ...(await openSteps(db, instance.id))].filter(({ type }) => shown.has(type))
    return rows.map((row, at) => presentHistory(ctx, instance.id, row, at))
  }),
  handle(startLeave, ({ ctx, input }) => startLeaveProcess(deps, ctx, input)),
  handle(resubmitLeave, ({ ctx, input }) => resubmit(deps, ctx, input)),
  handle(workingHours, async ({ db }) => {
    const { daysOff, workDays, ...hours } = await readHours(db)
    return { ...hours, daysOff: [...daysOff], workDays: [...workDays] }
  }),
  handle(leaveDetail, async ({ ctx, db, input }) => {
    const leave = await findLeave(db, input.businessId)
    if (!leave || leave.instanceId === null) return refuse('kernel/not-found', {})
    await seen(ctx, db, leave.instanceId)
    return {
      id: leave.id,
      startTime: toWireTime(leave.startAt),
      endTime: toWireTime(leave.endAt),
      days: daysOf(leave, await readHours(db)),
      reason: leave.reason,
      taskUser: leave.taskUser,
      taskUserName: leave.taskUserName ?? '',
      processDefinitionId: leave.definitionId,
      processInstanceId: leave.instanceId,
      status: leaveMachine.wire[leave.state],
      applyTime: toWireTime(leave.createdAt),
      flow: { assignee: leave.userId, assigneeName: leave.userName ?? '' },
    }
  }),
]
