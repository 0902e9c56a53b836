import { toWireDay } from '#contract/kernel/when.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'

export interface NewSms {
  readonly id: string
  readonly userId: string | null
  readonly template: string
  readonly phoneSealed: Buffer
  readonly phoneMask: string
  readonly content: string
  /** How many parts the provider bills. */
  readonly segments: number
}
/** A text message that waits to be sent. */
export const insertSms = async (db: TenantDb, sms: NewSms): Promise<void> => {
  await db.run(sql`
    insert into sms_message (tenant_id, id, user_id, template, phone_sealed, phone_mask, content, segments)
    values (${db.actor.tenantId}, ${sms.id}, ${sms.userId}, ${sms.template}, ${sms.phoneSealed}, ${sms.phoneMask}, ${sms.content}, ${sms.segments})`)
}

export interface WaitingSms {
  readonly phone: Buffer
  readonly content: string
  readonly segments: number
  /** Who was asked to send it before, by a run whose end is not known. */
  readonly provider: string | null
}
/** A message that waits, held until the transaction ends; undefined when it was sent, or may not be. */
export const lockWaiting = (db: TenantDb, id: string): Promise<WaitingSms | undefined> =>
  db.maybe(sql<WaitingSms>`
    select phone_sealed as phone, content, segments, provider from sms_message where id = ${id} and state = 0 for update`)

export const giveToProvider = async (db: TenantDb, id: string, provider: string): Promise<void> => {
  await db.run(sql`update sms_message set provider = ${provider} where id = ${id}`)
}
export const failForBudget = async (db: TenantDb, id: string): Promise<void> => {
  await db.run(sql`update sms_message set state = 3, fail_reason = '当日短信额度已用完' where id = ${id}`)
}
export type SmsOutcome = { readonly ok: true; readonly id: string } | { readonly ok: false; readonly reason: string }
export const storeOutcome = async (db: TenantDb, id: string, provider: string, sent: SmsOutcome): Promise<void> => {
  await db.run(sql`
    update sms_message set state = ${sent.ok ? 1 : 3}, provider = ${provider}, provider_id = ${sent.ok ? sent.id : null},
      fail_reason = ${sent.ok ? null : sent.reason}, sent_at = app_now()
    where id = ${id} and state = 0`)
}

/**
 * Takes parts of the day's budget in one statement, so that processes sending at once never pass it together.
 *
 * @returns how many are used now; undefined when so many are not left
 */
export const takeParts = async (db: TenantDb, segments: number, budget: number): Promise<number | undefined> => {
  const day = toWireDay(db.now)
  await db.run(sql`insert into sms_day (tenant_id, day) values (${db.actor.tenantId}, ${day}) on conflict do nothing`)
  const taken = await db.maybe(sql<{ used: number }>`
    update sms_day set used = used + ${segments} where day = ${day} and used + ${segments} <= ${budget} returning used`)
  return taken?.used
}
/** Parts of the day's budget that are used or on their way. */
export const countSpoken = async (db: TenantDb): Promise<number> =>
  (
    await db.one(sql<{ spoken: number }>`
      select coalesce((select used from sms_day where day = ${toWireDay(db.now)}), 0)
        + coalesce((select sum(segments) from sms_message where state = 0), 0)::int as spoken`)
  ).spoken

/** The verified phone of an account, sealed; undefined where there is none. */
export const phoneOf = async (db: TenantDb, userId: string): Promise<Buffer | undefined> =>
  (await db.maybe(sql<{ phone: Buffer | null }>`select phone_sealed as phone from account where id = ${userId}`))?.phone ?? undefined

export const listAdministrators = async (db: TenantDb): Promise<string[]> =>
  (
    await db.all(sql<{ id: string }>`
      select distinct a.user_id::text as id from account_role a join role r on r.tenant_id = a.tenant_id and r.id = a.role_id
      where r.role_alias in ('admin', 'administrator') and not r.is_deleted`)
  ).map(row => row.id)
