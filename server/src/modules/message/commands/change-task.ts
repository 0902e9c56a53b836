import { refuse } from '#contract/kernel/errors.ts'
import { isRefusal, type Refusal } from '#contract/kernel/refusal.ts'
import { fromWireTime } from '#contract/kernel/when.ts'
import { refuseSend } from '#contract/message/send.errors.ts'
import { sendStates } from '#contract/message/send.state.ts'
import { audit } from '#kernel/audit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, Refused, sessionOf } from '#kernel/http/context.ts'
import { refuseSamePerson } from '#kernel/two-persons.ts'
import { freezeParts, readBalance, settleRows } from '../data/balance.repo.ts'
import { insertNotice } from '../data/notify.repo.ts'
import {
  cancelWaiting,
  countRows,
  deleteRows,
  deleteRowsById,
  findTask,
  findTemplate,
  finishTask,
  hasWaiting,
  type LockedTask,
  listRoleHolders,
  lockTask,
  notePart,
  removeTask,
  renewFailed,
  setTask,
  setWaitReason,
  signWaiting,
  tasksOfMessages,
  waitingParts,
} from '../data/send.repo.ts'
import type { MessageKit } from '../deps.ts'
import { quietUntil } from '../domain/quiet.ts'
import { signOf } from './make-draft.ts'
import { orderRun } from './run-send.ts'
import { reachedTask } from './view-task.ts'

const soonestMs = 5 * 60_000
const latestMs = 30 * 24 * 3_600_000

/** @throws Refused where the task is none of the caller's, or not in one of these states */
const lockIn = async (ctx: Ctx, db: TenantDb, id: string, states: readonly number[]): Promise<LockedTask> => {
  await reachedTask(ctx, db, id)
  const task = await lockTask(db, id)
  if (!task) throw new Refused(refuse('kernel/not-found', {}))
  if (!states.includes(task.state)) throw new Refused(refuseSend('send/state', { state: sendStates[task.state] ?? '' }))
  return task
}

/** Promises the parts to the task and lets it run. @throws Refused 2701 */
const start = async (
  kit: MessageKit,
  ctx: Ctx,
  db: TenantDb,
  task: LockedTask,
  scheduleTime: Date | null,
  approveUser?: string,
): Promise<void> => {
  const parts = await waitingParts(db, task.id)
  if (!(await freezeParts(db, task.id, parts))) {
    const { balance, frozen } = await readBalance(db)
    throw new Refused(refuseSend('send/balance', { needed: parts, left: balance - frozen }))
  }
  const at = scheduleTime && scheduleTime > db.now ? scheduleTime : null
  const isQuiet =
    at === null && task.channel !== 2 && quietUntil((await kit.deps.parametersOf(db, ['sms.quiet']))['sms.quiet'], db.now) !== undefined
  await setTask(db, task.id, {
    state: 2,
    scheduleTime: at,
    waitReason: isQuiet ? 'quiet' : null,
    ...(approveUser === undefined ? {} : { approveUser }),
  })
  await orderRun(db, task.id, at ?? undefined)
  await audit(db, ctx, {
    action: 'send.started',
    entity: 'send',
    entityId: task.id,
    after: { parts, scheduleTime: at?.toISOString() ?? null },
  })
}

const scheduleOf = (text: string | undefined, now: Date): Date | null | Refusal => {
  if (text === undefined || text === '') return null
  const at = fromWireTime(text)
  const ahead = at ? at.getTime() - now.getTime() : 0
  return at && ahead >= soonestMs && ahead <= latestMs ? at : refuseSend('send/schedule', {})
}

/** Sends a draft, now or later; where a second person has to agree it waits for that. */
export const submitTask = async (kit: MessageKit, ctx: Ctx, db: TenantDb, id: string, scheduleTime: string | undefined): Promise<void> => {
  const at = scheduleOf(scheduleTime, db.now)
  if (isRefusal(at)) throw new Refused({ ...at, data: { fields: [{ field: 'scheduleTime', msg: at.text[ctx.language] }] } })
  const task = await lockIn(ctx, db, id, [0])
  const { total } = await countRows(db, id)
  if (total === 0) throw new Refused(refuseSend('send/nobody', { why: '' }))
  if (!task.needsApproval) return start(kit, ctx, db, task, at)
  await notePart(db, id)
  await setTask(db, id, { state: 1, scheduleTime: at })
  await audit(db, ctx, { action: 'send.submitted', entity: 'send', entityId: id, after: { total } })
  const shown = await findTask(db, id)
  for (const userId of await listRoleHolders(db, ['admin', 'exam_admin']))
    if (userId !== ctx.session?.userId)
      await insertNotice(db, {
        userId,
        examId: null,
        kind: 7,
        title: { zh: '短信发送待审批', en: 'A task of messages waits for approval' },
        content: {
          zh: `“${shown?.title ?? ''}”拟发送 ${total} 人，请审批。`,
          en: `“${shown?.title ?? ''}” is to be sent to ${total} people; please decide.`,
        },
        link: '/send/send',
        eventKey: `send-approve:${id}:${db.now.getTime()}`,
      })
}

/** The second person's word. */
export const approveTask = async (kit: MessageKit, ctx: Ctx, db: TenantDb, id: string, pass: boolean, reason: string): Promise<void> => {
  const task = await lockIn(ctx, db, id, [1])
  if (task.createdBy === ctx.session?.userId) throw new Refused(refuseSend('send/same-person', {}))
  await refuseSamePerson(db, 'outsideMessage', sessionOf(ctx).userId, [task.createdBy, ...task.tookPart])
  if (pass) {
    await audit(db, ctx, { action: 'send.approved', entity: 'send', entityId: id })
    return start(kit, ctx, db, task, task.scheduleTime, ctx.session?.userId)
  }
  await setTask(db, id, { state: 0, rejectReason: reason || null, approveUser: ctx.session?.userId ?? '0' })
  await audit(db, ctx, { action: 'send.rejected', entity: 'send', entityId: id, reason })
  const shown = await findTask(db, id)
  await insertNotice(db, {
    userId: task.createdBy,
    examId: null,
    kind: 7,
    title: { zh: '短信发送未获同意', en: 'Your task of messages was not approved' },
    content: { zh: `“${shown?.title ?? ''}”：${reason || '未说明原因'}`, en: `“${shown?.title ?? ''}”: ${reason || 'no reason given'}` },
    link: '/send/send',
    eventKey: `send-rejected:${id}:${db.now.getTime()}`,
  })
}

/** Cancels what nobody has been given yet: a task that waits for approval goes back to a draft, one that is sent ends. */
export const cancelTask = async (ctx: Ctx, db: TenantDb, id: string): Promise<void> => {
  const task = await lockIn(ctx, db, id, [1, 2])
  if (task.state === 1) await setTask(db, id, { state: 0 })
  else {
    const stopped = await cancelWaiting(db, id)
    await settleRows(db, id, stopped)
    await setTask(db, id, { state: 5, isEnded: true })
  }
  await audit(db, ctx, { action: 'send.cancelled', entity: 'send', entityId: id })
}

/** What is not sent yet goes out under the signature that holds now: it may be what was mended. */
const signAnew = async (kit: MessageKit, db: TenantDb, id: string): Promise<void> => {
  const task = await findTask(db, id)
  const template = task && (await findTemplate(db, task.templateId))
  if (template) await signWaiting(db, id, await signOf(kit, db, template))
}

/** Sends failed messages again, their parts promised anew; a task that is paused goes on. */
export const resendTask = async (kit: MessageKit, ctx: Ctx, db: TenantDb, id: string): Promise<void> => {
  const task = await lockIn(ctx, db, id, [2, 3, 4, 5])
  if (task.state === 2) {
    if (task.waitReason !== 'problem') throw new Refused(refuseSend('send/state', { state: sendStates[2] ?? '' }))
    await signAnew(kit, db, id)
    await setWaitReason(db, id, null)
    await orderRun(db, id)
    await audit(db, ctx, { action: 'send.resumed', entity: 'send', entityId: id })
    return
  }
  const { n, parts } = await renewFailed(db, id)
  if (n === 0) throw new Refused(refuseSend('send/nobody', { why: { zh: '：没有失败的消息', en: ': no message has failed' } }))
  if (!(await freezeParts(db, id, parts))) {
    const { balance, frozen } = await readBalance(db)
    throw new Refused(refuseSend('send/balance', { needed: parts, left: balance - frozen }))
  }
  await signAnew(kit, db, id)
  await setTask(db, id, { state: 2, scheduleTime: null })
  await orderRun(db, id)
  await audit(db, ctx, { action: 'send.resent', entity: 'send', entityId: id, after: { messages: n, parts } })
}

/** Removes messages of drafts, and failed ones. @throws Refused where one is no message of a task that the caller sees: then none goes */
export const removeMessages = async (ctx: Ctx, db: TenantDb, ids: readonly string[]): Promise<{ removed: number }> => {
  const known = await tasksOfMessages(db, ids)
  if (known.length < new Set(ids).size) throw new Refused(refuse('kernel/not-found', {}))
  for (const sendId of new Set(known.map(row => row.sendId))) await reachedTask(ctx, db, sendId)
  const gone = await deleteRowsById(db, ids)
  for (const sendId of new Set(gone.map(row => row.sendId))) {
    await countRows(db, sendId)
    await audit(db, ctx, {
      action: 'send.messages-removed',
      entity: 'send',
      entityId: sendId,
      after: { removed: gone.filter(row => row.sendId === sendId).length },
    })
  }
  return { removed: gone.length }
}

/** The same of all of a task; a draft goes with them. */
export const removeAll = async (ctx: Ctx, db: TenantDb, id: string): Promise<{ removed: number }> => {
  const task = await lockIn(ctx, db, id, [0, 3, 4, 5])
  const removed = await deleteRows(db, id)
  if (task.state === 0) await removeTask(db, id)
  else await countRows(db, id)
  if (!(await hasWaiting(db, id))) await finishTask(db, id)
  await audit(db, ctx, {
    action: task.state === 0 ? 'send.removed' : 'send.messages-removed',
    entity: 'send',
    entityId: id,
    after: { removed },
  })
  return { removed }
}
