import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'

/** @returns undefined where the same alarm is open already; one without an order is raised once an hour */
export const raiseOnce = (
  db: TenantDb,
  alarm: { readonly orderId: string | null; readonly kind: string; readonly detail: string },
): Promise<{ id: string } | undefined> =>
  db.maybe(sql<{ id: string }>`
    insert into pay_alarm (tenant_id, order_id, kind, detail)
    select ${db.actor.tenantId}, ${alarm.orderId}::bigint, ${alarm.kind}, ${alarm.detail}
    where not exists (
      select 1 from pay_alarm where kind = ${alarm.kind} and order_id is not distinct from ${alarm.orderId}::bigint and handled_at is null
        and (order_id is not null or created_at > app_now() - interval '1 hour'))
    returning id::text as id`)

/** Accounts that alarms are for. */
export const listFinance = (db: TenantDb): Promise<{ id: string }[]> =>
  db.all(sql<{ id: string }>`
    select distinct a.user_id::text as id from account_role a join role r on r.tenant_id = a.tenant_id and r.id = a.role_id where r.role_alias = 'finance'`)

export const lockAlarm = (db: TenantDb, id: string): Promise<{ kind: string; isHandled: boolean } | undefined> =>
  db.maybe(sql<{ kind: string; isHandled: boolean }>`
    select kind, handled_at is not null as "isHandled" from pay_alarm where id = ${id} for update`)

export const markHandled = async (db: TenantDb, id: string, remark: string): Promise<void> => {
  await db.run(sql`
    update pay_alarm set handled_by = ${db.actor.userId}, handled_at = ${db.now}, handle_remark = ${remark} where id = ${id}`)
}
