import type { Static } from 'typebox'
import { refuse } from '#contract/kernel/errors.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import type { taskView } from '#contract/message/send.routes.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, Refused } from '#kernel/http/context.ts'
import { findTask, type TaskRow } from '../data/send.repo.ts'
import { nextMorning, quietUntil } from '../domain/quiet.ts'

const sendsForAll = ['admin', 'exam_admin', 'administrator', 'finance', 'auditor'] as const

/** Staff of a unit see what they send themselves; everybody else all tasks of the tenant. */
export const isUnitStaff = ({ session }: Ctx): boolean => !sendsForAll.some(alias => session?.roleAliases.has(alias))
export const ownTasksOnly = (ctx: Ctx): string | undefined => (isUnitStaff(ctx) ? ctx.session?.userId : undefined)

/** @param quiet the tenant's parameter of the quiet hours */
export const viewTask = (ctx: Ctx, row: TaskRow, quiet: string | undefined): Static<typeof taskView> => {
  const { scheduleTime, createdAt, endedAt, createdBy, templateId: _template, isRepeat: _repeat, params: _params, leftOut, ...rest } = row
  const may = (right: string): boolean => ctx.session?.permissions.has(`send_${right}`) === true
  const isOwn = createdBy === ctx.session?.userId
  const { state, failed, cancelled, waitReason } = row
  const until = waitReason === 'quiet' ? quietUntil(quiet, ctx.arrivedAt) : waitReason === 'budget' ? nextMorning(ctx.arrivedAt) : undefined
  return {
    ...rest,
    leftOut: leftOut as Record<string, number>,
    waitUntil: until ? toWireTime(until) : null,
    scheduleTime: scheduleTime && toWireTime(scheduleTime),
    createTime: toWireTime(createdAt),
    endTime: endedAt && toWireTime(endedAt),
    can: {
      send: state === 0 && may('add'),
      approve: state === 1 && may('approve') && !isOwn,
      cancel: (state === 1 || state === 2) && may('cancel'),
      resend: (state === 3 || state === 4 || state === 5) && failed > 0 && may('add'),
      remove: (state === 0 || failed + cancelled > 0) && may('delete') && state !== 2 && state !== 1,
      resume: state === 2 && row.waitReason === 'problem' && may('add'),
    },
  }
}

/** @throws Refused kernel/not-found: also somebody else's, where the reader sees their own only */
export const reachedTask = async (ctx: Ctx, db: TenantDb, id: string): Promise<TaskRow> => {
  const row = await findTask(db, id)
  const own = ownTasksOnly(ctx)
  if (!row || (own !== undefined && row.createdBy !== own)) throw new Refused(refuse('kernel/not-found', {}))
  return row
}
