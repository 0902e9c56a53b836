import type { LeaveState } from '#contract/flow/leave.state.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'

export interface LeaveForm {
  readonly taskUser: string
  readonly startAt: Date
  readonly endAt: Date
  readonly reason: string
}
export interface LeaveRow extends LeaveForm {
  readonly id: string
  readonly userId: string
  readonly userName: string | null
  readonly taskUserName: string | null
  readonly definitionId: string
  readonly instanceId: string | null
  readonly state: LeaveState
  readonly createdAt: Date
}
export const insertLeave = async (db: TenantDb, form: LeaveForm, definitionId: string): Promise<string> =>
  (
    await db.one(sql<{ id: string }>`
      insert into leave_request (tenant_id, user_id, task_user, start_at, end_at, reason, definition_id, created_by, updated_by)
      values (${db.actor.tenantId}, ${db.actor.userId}, ${form.taskUser}, ${form.startAt}, ${form.endAt}, ${form.reason}, ${definitionId}, ${db.actor.userId}, ${db.actor.userId})
      returning id::text as id`)
  ).id
export const linkLeave = async (db: TenantDb, id: string, instanceId: string): Promise<void> => {
  await db.run(sql`update leave_request set instance_id = ${instanceId} where id = ${id}`)
}
export const rewriteLeave = async (db: TenantDb, id: string, form: LeaveForm): Promise<void> => {
  await db.run(sql`
    update leave_request set task_user = ${form.taskUser}, start_at = ${form.startAt}, end_at = ${form.endAt}, reason = ${form.reason}, updated_at = app_now(),
      updated_by = ${db.actor.userId}, version = version + 1
    where id = ${id}`)
}
export const findLeave = (db: TenantDb, id: string): Promise<LeaveRow | undefined> =>
  db.maybe(sql<LeaveRow>`
    select l.id::text as id, l.user_id::text as "userId", u.real_name as "userName", l.task_user::text as "taskUser", t.real_name as "taskUserName", l.start_at as "startAt",
      l.end_at as "endAt", l.reason, l.definition_id::text as "definitionId", l.instance_id::text as "instanceId", l.state, l.created_at as "createdAt"
    from leave_request l left join account u on u.tenant_id = l.tenant_id and u.id = l.user_id left join account t on t.tenant_id = l.tenant_id and t.id = l.task_user
    where l.id = ${id}`)
