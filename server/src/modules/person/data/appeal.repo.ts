import type { AppealKind } from '#contract/person/appeal.routes.ts'
import type { AppealState } from '#contract/person/appeal.state.ts'
import { nameWords } from '#contract/person/person-name.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { codeHolds, wordsLike } from '#kernel/db/search.ts'
import { allOf, type RawBuilder, sql } from '#kernel/db/sql.ts'
import { insistOnGate, joinLiveAct } from '#kernel/two-persons.ts'

export interface AppealRow {
  readonly id: string
  readonly no: string
  readonly kind: AppealKind
  readonly userId: string | null
  readonly name: string
  readonly idCard: Buffer
  readonly idCardIndex: string
  readonly idCardMask: string
  readonly phone: Buffer
  readonly phoneIndex: string
  readonly phoneMask: string
  readonly reason: string
  readonly proofFileIds: readonly string[]
  readonly state: AppealState
  readonly remark: string
  readonly createdAt: Date
  readonly checkTime: Date | null
  readonly checkUser: string | null
  /** Who agreed first, while another person's word or the waiting time is still to come. */
  readonly firstUser: string | null
  readonly applyAt: Date | null
}

const columns = sql`
  p.id::text as id, p.appeal_no as no, p.kind, p.user_id::text as "userId", p.name, p.id_card_sealed as "idCard",
  p.id_card_index as "idCardIndex", p.id_card_mask as "idCardMask", p.phone_sealed as phone, p.phone_index as "phoneIndex", p.phone_mask as "phoneMask",
  p.reason, p.proof_file_ids as "proofFileIds", p.state, p.remark, p.created_at as "createdAt", p.check_time as "checkTime", k.real_name as "checkUser",
  act.began_name as "firstUser", act.apply_at as "applyAt"`
const joined = sql`
  identity_appeal p left join account k on k.tenant_id = p.tenant_id and k.id = p.check_user_id ${joinLiveAct('appeal', sql`p.id`)}`

const find = (db: TenantDb, which: RawBuilder<unknown>): Promise<AppealRow | undefined> =>
  db.maybe(sql<AppealRow>`select ${columns} from ${joined} where ${which}`)

export const findAppealByNo = (db: TenantDb, no: string): Promise<AppealRow | undefined> => find(db, sql`p.appeal_no = ${no}`)
export const findAppeal = (db: TenantDb, id: string): Promise<AppealRow | undefined> => find(db, sql`p.id = ${id}`)
/** Waits for everybody else who sends or decides the same. */
export const lockAppeal = async (db: TenantDb, id: string): Promise<AppealRow | undefined> => {
  await db.maybe(sql`select 1 from identity_appeal where id = ${id} for update`)
  return findAppeal(db, id)
}

export interface AppealFilter {
  readonly state?: AppealState | undefined
  readonly kind?: AppealKind | undefined
  /** Part of the name or of the number of the appeal. */
  readonly keyword?: string | undefined
}
/** Those that were sent. */
export const pageAppeals = async (
  db: TenantDb,
  { state, kind, keyword }: AppealFilter,
  limit: number,
  offset: number,
): Promise<{ rows: AppealRow[]; total: number }> => {
  const where = allOf([
    sql`p.state <> 'begun'`,
    state !== undefined && sql`p.state = ${state}`,
    kind !== undefined && sql`p.kind = ${kind}`,
    keyword !== undefined && sql`(${wordsLike(sql`p.name`, nameWords(keyword))} or ${codeHolds(sql`p.appeal_no`, keyword)})`,
  ])
  const rows = await db.all(sql<AppealRow>`
    select ${columns} from ${joined} where ${where}
    order by p.state = 'waiting' desc, case when p.state = 'waiting' then p.id end, p.id desc limit ${limit} offset ${offset}`)
  const { total } = await db.one(sql<{ total: number }>`select count(*)::int as total from identity_appeal p where ${where}`)
  return { rows, total }
}

/** @returns false when it was sent already */
export const storeSent = async (
  db: TenantDb,
  id: string,
  sent: { readonly name: string; readonly reason: string; readonly proofFileIds: readonly string[] },
): Promise<boolean> =>
  (await db.run(sql`
    update identity_appeal set state = 'waiting', name = ${sent.name}, reason = ${sent.reason}, proof_file_ids = ${JSON.stringify(sent.proofFileIds)},
      created_at = app_now(), updated_at = app_now(), version = version + 1
    where id = ${id} and state = 'begun'`)) === 1

export const storeDecision = async (
  db: TenantDb,
  decision: { readonly id: string; readonly to: AppealState; readonly userId: string; readonly remark: string },
): Promise<boolean> =>
  (await db.run(sql`
    update identity_appeal set state = ${decision.to}, remark = ${decision.remark}, check_user_id = ${decision.userId}, check_time = app_now(),
      updated_at = app_now(), version = version + 1
    where id = ${decision.id} and state = 'waiting'`)) === 1

/** A candidate's account that has one of the numbers of an appeal. */
export interface Holder {
  readonly userId: string
  readonly account: string
  readonly realName: string
  readonly idCardMask: string | null
  readonly phoneMask: string | null
  readonly hasIdCard: boolean
  readonly hasPhone: boolean
  readonly createdAt: Date
}
export const listHolders = (db: TenantDb, { idCardIndex, phoneIndex }: Pick<AppealRow, 'idCardIndex' | 'phoneIndex'>): Promise<Holder[]> =>
  db.all(sql<Holder>`
    select id::text as "userId", account, real_name as "realName", id_card_mask as "idCardMask", phone_mask as "phoneMask",
      coalesce(id_card_index = ${idCardIndex}, false) as "hasIdCard", coalesce(phone_index = ${phoneIndex}, false) as "hasPhone", created_at as "createdAt"
    from account where user_type = 2 and not is_deleted and status <> 3 and (id_card_index = ${idCardIndex} or phone_index = ${phoneIndex})
    order by id for update`)

export interface HeldSignup {
  readonly signNo: string
  readonly examName: string
  readonly realName: string
}
/** Sign-ups of others with this id number that are not over. */
export const listHeldSignups = (db: TenantDb, idCardIndex: string, ownerId: string | null): Promise<HeldSignup[]> =>
  db.all(sql<HeldSignup>`
    select coalesce(s.sign_no, '') as "signNo", e.exam_name as "examName", coalesce(s.name, '') as "realName"
    from signup s join examination e on e.tenant_id = s.tenant_id and e.id = s.exam_id
    where s.id_card_index = ${idCardIndex} and s.user_id is distinct from ${ownerId}::bigint and not s.is_deleted
      and s.examine not in ('draft', 'refused', 'withdrawn') order by s.id`)

/** The account no longer has the phone: whoever has it now has proven it. */
export const takePhoneAway = async (db: TenantDb, userId: string): Promise<void> => {
  insistOnGate(db, 'appeal')
  await db.run(sql`
    update account set phone_sealed = null, phone_index = null, phone_mask = null, phone_verified_at = null, updated_at = app_now(), version = version + 1
    where id = ${userId}`)
}
/** The account no longer has an id number. */
export const takeIdCardAway = async (db: TenantDb, userId: string): Promise<void> => {
  insistOnGate(db, 'appeal')
  await db.run(sql`
    update account set id_card_sealed = null, id_card_index = null, id_card_mask = null, id_card_type = null, nationality = null, updated_at = app_now(), version = version + 1
    where id = ${userId}`)
}
/** A code has proven the phone of the account. */
export const markPhoneProven = async (db: TenantDb, userId: string): Promise<void> => {
  await db.run(sql`update account set phone_verified_at = app_now() where id = ${userId}`)
}
