import type { PlatformDb, TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'

export interface Obstacle {
  readonly kind: 'signup' | 'order' | 'refund'
  readonly examName: string
}

/** What is under way: a sign-up of an open examination, money that has not come to rest. */
export const listObstacles = (db: TenantDb, userId: string): Promise<Obstacle[]> =>
  db.all(sql<Obstacle>`
    select 'signup' as kind, e.exam_name as "examName" from signup s join examination e on e.tenant_id = s.tenant_id and e.id = s.exam_id
      where s.user_id = ${userId} and not s.is_deleted and s.examine in ('waiting', 'second', 'returned', 'passed') and e.state = 'released'
    union select 'order', e.exam_name from pay_order o join exam_pay p on p.tenant_id = o.tenant_id and p.id = o.pay_id
      join examination e on e.tenant_id = p.tenant_id and e.id = p.exam_id where o.user_id = ${userId} and o.state in ('created', 'pending', 'abnormal')
    union select 'refund', e.exam_name from pay_refund r join exam_pay p on p.tenant_id = r.tenant_id and p.id = r.pay_id
      join examination e on e.tenant_id = p.tenant_id and e.id = p.exam_id where r.user_id = ${userId} and r.state in ('requested', 'submitted', 'abnormal')
    order by 1 desc, 2`)

export interface ClosingRow {
  readonly state: 'waiting' | 'cancelled' | 'done'
  readonly requestedAt: Date
}
export const findClosing = (db: TenantDb, userId: string): Promise<ClosingRow | undefined> =>
  db.maybe(sql<ClosingRow>`select state, requested_at as "requestedAt" from account_closing where user_id = ${userId}`)

/** Requests of all tenants that wait, the oldest first. */
export const listWaitingClosings = (db: PlatformDb): Promise<{ tenantId: string; userId: string }[]> =>
  db.all(sql<{ tenantId: string; userId: string }>`
    select tenant_id as "tenantId", user_id::text as "userId" from account_closing where state = 'waiting' order by requested_at limit 1000`)

export const requestClosing = async (db: TenantDb, userId: string): Promise<void> => {
  await db.run(sql`
    insert into account_closing (tenant_id, user_id, state, requested_at) values (${db.actor.tenantId}, ${userId}, 'waiting', ${db.now})
    on conflict (tenant_id, user_id) do update set requested_at = case when account_closing.state = 'waiting' then account_closing.requested_at else excluded.requested_at end,
      state = 'waiting', ended_at = null`)
}
export const endClosing = async (db: TenantDb, userId: string, state: 'cancelled' | 'done'): Promise<boolean> =>
  (await db.run(sql`update account_closing set state = ${state}, ended_at = ${db.now} where user_id = ${userId} and state = 'waiting'`)) ===
  1

/** What may be forgotten at once goes; what a law keeps (sign-ups, payments, results) stays with the sign-up until its time (domain P9). */
export const eraseAccount = async (db: TenantDb, userId: string): Promise<void> => {
  await db.run(sql`
    update account set status = 5, account = 'closed-' || id, account_key = 'closed:' || id, password_hash = null, nick_name = '已注销', real_name = '已注销',
      email = null, phone_sealed = null, phone_index = null, phone_mask = null, id_card_sealed = null, id_card_index = null, id_card_mask = null,
      sex = null, birthday = null, nationality = null, avatar_file_id = null, card_front_file_id = null, card_back_file_id = null,
      updated_at = app_now(), version = version + 1
    where id = ${userId}`)
  await db.run(sql`update stored_file set owner_kind = null, owner_id = null where owner_kind = 'account' and owner_id = ${userId}`)
  await db.run(sql`
    update verified_change set old_mask = '', new_mask = '', new_sealed = null, is_deleted = true, updated_at = app_now(), version = version + 1
    where user_id = ${userId}`)
  await db.run(sql`delete from signup_draft where user_id = ${userId}`)
  await db.run(sql`delete from exam_subscription where user_id = ${userId}`)
  await db.run(sql`delete from user_setting where user_id = ${userId}`)
}
