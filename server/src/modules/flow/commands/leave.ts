import { refuseFlow } from '#contract/flow/flow.errors.ts'
import { leaveCategory } from '#contract/flow/flow-limits.ts'
import type { resubmitLeave, startLeave } from '#contract/flow/leave.routes.ts'
import { type LeaveEvent, leaveMachine } from '#contract/flow/leave.state.ts'
import { leaveDays, type WorkingHours } from '#contract/flow/leave-days.ts'
import { applicantStep } from '#contract/flow/process-graph.ts'
import { askAbout } from '#contract/kernel/asking.ts'
import { dateDoubts, dateProblem } from '#contract/kernel/date-facts.ts'
import { refuse, refuseField } from '#contract/kernel/errors.ts'
import { step } from '#contract/kernel/machine.ts'
import type { InputOf } from '#contract/kernel/route.ts'
import { fromWireTime, toWireDay } from '#contract/kernel/when.ts'
import { audit } from '#kernel/audit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { transition } from '#kernel/db/transition.ts'
import { type Ctx, Refused, sessionOf } from '#kernel/http/context.ts'
import { readOffice } from '#modules/oversight/index.ts'
import { findDefinition } from '../data/definition.repo.ts'
import { findTask, readInstance } from '../data/instance.repo.ts'
import { findLeave, insertLeave, type LeaveForm, linkLeave, rewriteLeave } from '../data/leave.repo.ts'
import { membersOf } from '../data/people.repo.ts'
import type { BusinessHook, FlowDeps } from '../deps.ts'
import { completeWithin, inFlow, startProcess } from './work-tasks.ts'

export const leaveTable = 'leave_request'
/** When the tenant works: its office hours and calendar, which the rules about unusual hours go by too. */
export const readHours = async (db: TenantDb): Promise<WorkingHours> => {
  const { daysOff, workDays, ...hours } = await readOffice(db)
  return { ...hours, daysOff: [...daysOff].sort(), workDays: [...workDays].sort() }
}
export const daysOf = ({ startAt, endAt }: Pick<LeaveForm, 'startAt' | 'endAt'>, hours: WorkingHours): number =>
  leaveDays(startAt, endAt, hours)

const messages = {
  time: { zh: '时间无效', en: 'This is no valid time' },
  span: { zh: '一次最多请假 366 天', en: 'A leave may last 366 days' },
  idle: {
    zh: '这段时间没有工作时间（周末、节假日或下班后），不需要请假',
    en: 'Nothing of this time is working time (a weekend, a holiday or after work): no leave is needed',
  },
  self: { zh: '审批人不能是申请人本人', en: 'You cannot decide on your own leave' },
  person: { zh: '审批人须是本租户的在岗工作人员', en: 'The approver has to be active staff of this tenant' },
}
const mostDays = 366

type Form = Pick<InputOf<typeof startLeave>, 'taskUser' | 'startTime' | 'endTime' | 'reason' | 'sure'>
const read = (ctx: Ctx, form: Form, hours: WorkingHours): LeaveForm => {
  const [startAt, endAt] = [fromWireTime(form.startTime), fromWireTime(form.endTime)]
  if (!startAt) throw new Refused(refuseField('startTime', messages.time))
  if (!endAt) throw new Refused(refuseField('endTime', messages.time))
  const anchors = { now: ctx.arrivedAt, begin: new Date(startAt.getTime() + 1_000) }
  const wrong = dateProblem('leaveBegin', startAt, anchors)
  if (wrong) throw new Refused(refuseField('startTime', wrong))
  const wrongEnd = dateProblem('leaveEnd', endAt, anchors)
  if (wrongEnd) throw new Refused(refuseField('endTime', wrongEnd))
  const reason = form.reason.trim()
  if (endAt.getTime() - startAt.getTime() > mostDays * 86_400_000) throw new Refused(refuseField('endTime', messages.span))
  if (daysOf({ startAt, endAt }, hours) === 0) throw new Refused(refuseField('endTime', messages.idle))
  if (reason === '') throw new Refused(refuseField('reason', { zh: '请填写请假事由', en: 'Please say why' }))
  if (form.taskUser === sessionOf(ctx).userId) throw new Refused(refuseField('taskUser', messages.self))
  const asked = askAbout(dateDoubts('leaveBegin', 'startTime', startAt, anchors), form.sure)
  if (asked) throw new Refused(asked)
  return { taskUser: form.taskUser, startAt, endAt, reason }
}
const valuesOf = (form: LeaveForm, hours: WorkingHours) => ({ taskUser: form.taskUser, days: daysOf(form, hours) })
const titleOf = (ctx: Ctx, form: LeaveForm, hours: WorkingHours): string =>
  `${sessionOf(ctx).realName} 请假 ${toWireDay(form.startAt)} ~ ${toWireDay(form.endAt)}（${daysOf(form, hours)} 天）`
const shownForm = (form: LeaveForm) => ({ start: form.startAt.toISOString(), end: form.endAt.toISOString(), taskUser: form.taskUser })

/** Refusals: kernel/invalid-input with fields, and those of `startProcess`. */
export const startLeaveProcess = (deps: FlowDeps, ctx: Ctx, input: InputOf<typeof startLeave>) => {
  return inFlow(deps, ctx, async db => {
    const hours = await readHours(db)
    const form = read(ctx, input, hours)
    const definition = await findDefinition(db, input.processDefinitionId)
    if (!definition || definition.isDeleted) throw new Refused(refuse('kernel/not-found', {}))
    if (definition.category !== leaveCategory) throw new Refused(refuseFlow('flow/category', { category: definition.category }))
    if ((await membersOf(db, [{ kind: 'user', ref: form.taskUser }], 1)).length === 0)
      throw new Refused(refuseField('taskUser', messages.person))
    const id = await insertLeave(db, form, definition.id)
    const started = await startProcess(deps, db, ctx, {
      ...{ processDefinitionId: definition.id, title: titleOf(ctx, form, hours), values: valuesOf(form, hours) },
      ...{ businessTable: leaveTable, businessId: id, startUser: sessionOf(ctx).userId, canReturn: true },
    })
    await linkLeave(db, id, started.id)
    await audit(db, ctx, { action: 'leave.requested', entity: 'leave_request', entityId: id, after: shownForm(form), reason: form.reason })
    return { businessId: id, processInstanceId: started.id, state: started.state }
  })
}

/** The applicant sends it again as mended. Refusals: kernel/invalid-input with fields, and those of `complete`. */
export const resubmit = (deps: FlowDeps, ctx: Ctx, input: InputOf<typeof resubmitLeave>) => {
  return inFlow(deps, ctx, async db => {
    const hours = await readHours(db)
    const form = read(ctx, input, hours)
    const task = await findTask(db, input.taskId)
    const instance = task && (await readInstance(db, task.instanceId))
    const leave =
      instance?.businessTable === leaveTable && instance.businessId !== null ? await findLeave(db, instance.businessId) : undefined
    if (!instance || !leave || task?.node !== applicantStep) throw new Refused(refuse('kernel/not-found', {}))
    if (leave.userId !== sessionOf(ctx).userId) throw new Refused(refuseFlow('flow/not-starter', {}))
    if ((await membersOf(db, [{ kind: 'user', ref: form.taskUser }], 1)).length === 0)
      throw new Refused(refuseField('taskUser', messages.person))
    const done = await completeWithin(deps, db, ctx, {
      ...{ taskId: input.taskId, flag: 'ok', comment: input.comment, title: titleOf(ctx, form, hours), values: valuesOf(form, hours) },
    })
    await rewriteLeave(db, leave.id, form)
    await audit(db, ctx, {
      action: 'leave.updated',
      entity: 'leave_request',
      entityId: leave.id,
      before: shownForm(leave),
      after: shownForm(form),
      reason: form.reason,
    })
    return { businessId: leave.id, ...done }
  })
}

/** A leave is what its process came to. */
export const leaveHook: BusinessHook = async (db, _ctx, { businessId, event }) => {
  const leave = await findLeave(db, businessId)
  const moved: LeaveEvent = event
  const to = leave && step(leaveMachine, leave.state, moved)
  if (!leave || !to || !(await transition(db, leaveTable, businessId, { from: leave.state, to })))
    throw new Error(`the leave ${businessId} does not follow its process: ${event}`)
}
