import { toWireDay } from '#contract/kernel/when.ts'
import type { PlatformDb, TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'
import { publishSmsFailure } from '#kernel/events.ts'
import { insistOnGate } from '#kernel/two-persons.ts'
import { noteOutcome } from './told.repo.ts'

export interface NewSms {
  readonly id: string
  readonly userId: string | null
  readonly examId: string | null
  readonly template: string
  readonly phoneSealed: Buffer
  readonly phoneMask: string
  readonly content: string
  /** The text as others than its receiver read it, where it opens something. */
  readonly shown?: string | undefined
  /** How many parts the provider bills. */
  readonly segments: number
  readonly params: Readonly<Record<string, string>>
  /** Number of the template at the provider, where it does not follow from `template`. */
  readonly templateId?: string
}
/** A text message that waits to be sent. */
export const insertSms = async (db: TenantDb, sms: NewSms): Promise<void> => {
  await db.run(sql`
    insert into sms_message (tenant_id, id, user_id, exam_id, template, phone_sealed, phone_mask, content, shown, segments, params, template_id)
    values (${db.actor.tenantId}, ${sms.id}, ${sms.userId}, ${sms.examId}, ${sms.template}, ${sms.phoneSealed}, ${sms.phoneMask}, ${sms.content}, ${sms.shown ?? null}, ${sms.segments},
      ${JSON.stringify(sms.params)}, ${sms.templateId ?? null})`)
}

/** A message with words of whoever tries a template. */
export const insertTrial = (db: TenantDb, sms: NewSms): Promise<void> => {
  insistOnGate(db, 'trialMessage')
  return insertSms(db, sms)
}

export interface SmsRow {
  readonly id: string
  readonly phone: Buffer
  readonly template: string
  readonly templateId: string | null
  readonly params: Readonly<Record<string, string>>
  readonly content: string
  readonly segments: number
  readonly isCounted: boolean
  /** 0 waiting, 1 taken by the provider, 2 delivered, 3 failed. */
  readonly state: number
  /** Who has it; with state 0 it is not known whether it arrived there. */
  readonly provider: string | null
  readonly providerRowId: string | null
  readonly providerId: string | null
  readonly claimedAt: Date | null
  readonly askCount: number
  /** The task it belongs to. */
  readonly sendId: string | null
}
const smsColumns = sql`
  id::text as id, phone_sealed as phone, template, template_id as "templateId", params, content, segments, is_counted as "isCounted", state, provider,
  provider_row_id::text as "providerRowId", provider_id as "providerId", claimed_at as "claimedAt", ask_count as "askCount",
  send_id::text as "sendId"`

/** A message, held until the transaction ends. */
export const lockSms = (db: TenantDb, id: string): Promise<SmsRow | undefined> =>
  db.maybe(sql<SmsRow>`select ${smsColumns} from sms_message where id = ${id} for update`)
export const findSms = (db: TenantDb, id: string): Promise<SmsRow | undefined> =>
  db.maybe(sql<SmsRow>`select ${smsColumns} from sms_message where id = ${id}`)

export const markCounted = async (db: TenantDb, id: string): Promise<void> => {
  await db.run(sql`update sms_message set is_counted = true where id = ${id}`)
}
/** Written before the provider is called: whoever finds it there after a crash asks and does not send, and two minutes later somebody does. */
export const claimSms = async (db: TenantDb, id: string, provider: string, rowId: string | null): Promise<void> => {
  await db.run(sql`
    update sms_message set provider = ${provider}, provider_row_id = ${rowId}, claimed_at = app_now(), ask_at = app_now() + interval '2 minutes', ask_count = 0,
      fail_kind = null, fail_reason = null
    where id = ${id}`)
}
/** The provider has said that it did not send: it may be given to one again. */
export const freeSms = async (db: TenantDb, id: string): Promise<void> => {
  await db.run(
    sql`update sms_message set provider = null, provider_row_id = null, claimed_at = null, ask_at = null where id = ${id} and state = 0`,
  )
}
export const acceptSms = async (db: TenantDb, id: string, providerId: string, askAt: Date | null): Promise<void> => {
  await db.run(sql`
    update sms_message set state = 1, provider_id = ${providerId}, sent_at = app_now(), ask_at = ${askAt}, ask_count = 0 where id = ${id} and state = 0`)
  await noteOutcome(db, id)
}
export type FailKind = 'ours' | 'account' | 'person' | 'lost' | 'budget'
export const failSms = async (db: TenantDb, id: string, kind: FailKind, reason: string): Promise<void> => {
  await db.run(sql`
    update sms_message set state = 3, fail_kind = ${kind}, fail_reason = ${reason.slice(0, 200)}, sent_at = app_now(), ask_at = null where id = ${id} and state in (0, 1)`)
  await noteOutcome(db, id)
  publishSmsFailure(kind)
}
export const deliverSms = async (db: TenantDb, id: string): Promise<void> => {
  await db.run(sql`update sms_message set state = 2, ask_at = null where id = ${id} and state in (0, 1)`)
  await noteOutcome(db, id)
}
/** Nothing new was heard; `at` null: nobody asks any more. */
export const askLater = async (db: TenantDb, id: string, at: Date | null): Promise<void> => {
  await db.run(sql`update sms_message set ask_at = ${at}, ask_count = ask_count + 1 where id = ${id}`)
}
/** Messages to ask about by now, the longest due first. */
export const listToAsk = (db: TenantDb, limit: number): Promise<{ id: string }[]> =>
  db.all(sql<{ id: string }>`select id::text as id from sms_message where ask_at <= app_now() order by ask_at, id limit ${limit}`)
export const tenantsToAsk = (db: PlatformDb): Promise<{ tenantId: string }[]> =>
  db.all(sql<{ tenantId: string }>`select distinct tenant_id as "tenantId" from sms_message where ask_at <= app_now() order by 1`)

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
        + coalesce((select sum(segments) from sms_message where state = 0 and not is_counted and send_id is null), 0)::int as spoken`)
  ).spoken

/** The verified phone of an account, sealed; undefined where there is none. */
export const phoneOf = async (db: TenantDb, userId: string): Promise<Buffer | undefined> =>
  (await db.maybe(sql<{ phone: Buffer | null }>`select phone_sealed as phone from account where id = ${userId}`))?.phone ?? undefined

/** Look-up value of the phone that somebody has proven to be theirs. */
export const provenPhoneOf = async (db: TenantDb, userId: string): Promise<string | undefined> =>
  (
    await db.maybe(sql<{ index: string }>`
      select phone_index as index from account where id = ${userId} and phone_verified_at is not null and phone_index is not null`)
  )?.index
export const listAdministrators = async (db: TenantDb): Promise<string[]> =>
  (
    await db.all(sql<{ id: string }>`
      select distinct a.user_id::text as id from account_role a join role r on r.tenant_id = a.tenant_id and r.id = a.role_id
      where r.role_alias in ('admin', 'administrator') and not r.is_deleted`)
  ).map(row => row.id)
