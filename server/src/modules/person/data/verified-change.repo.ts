import { nameWords } from '#contract/person/person-name.ts'
import type { VerifiedChangeState, VerifiedField } from '#contract/person/verified-change.state.ts'
import { type SealedPersonNumber, setPersonNumber } from '#kernel/db/person-columns.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { codeHolds, wordsLike } from '#kernel/db/search.ts'
import { allOf, sql } from '#kernel/db/sql.ts'
import { insistOnGate, joinLiveAct } from '#kernel/two-persons.ts'

export interface VerifiedChangeRow {
  readonly id: string
  readonly userId: string
  readonly field: VerifiedField
  readonly oldMask: string
  readonly newMask: string
  readonly newSealed: Buffer | null
  readonly reason: string
  readonly proofFileIds: readonly string[]
  readonly state: VerifiedChangeState
  readonly remark: string
  readonly createdAt: Date
  readonly checkTime: Date | null
  readonly checkUser: string | null
  readonly account: string | null
  readonly realName: string | null
  readonly userCode: string | null
  /** Who agreed first, while another person's word or the waiting time is still to come. */
  readonly firstUser: string | null
  readonly applyAt: Date | null
}

const columns = sql`
  c.id::text as id, c.user_id::text as "userId", c.field, c.old_mask as "oldMask", c.new_mask as "newMask", c.new_sealed as "newSealed", c.reason,
  c.proof_file_ids as "proofFileIds", c.state, c.remark, c.created_at as "createdAt", c.check_time as "checkTime", k.real_name as "checkUser",
  a.account, a.real_name as "realName", a.user_code as "userCode",
  act.began_name as "firstUser", act.apply_at as "applyAt"`
// A candidate's own role sees no account but the own one, and nothing of who agreed: that stays empty then.
const joined = ({ actor }: TenantDb) => sql`
  verified_change c left join account a on a.tenant_id = c.tenant_id and a.id = c.user_id
  left join account k on k.tenant_id = c.tenant_id and k.id = c.check_user_id
  ${actor.kind === 'candidate' ? sql`left join (select null::text as began_name, null::timestamptz as apply_at) act on true` : joinLiveAct('verifiedChange', sql`c.id`)}`

export interface VerifiedChangeFilter {
  readonly userId?: string
  readonly state?: VerifiedChangeState
  readonly field?: VerifiedField
  /** Part of the name, the account or the candidate number. */
  readonly keyword?: string
}

export const pageVerifiedChanges = async (
  db: TenantDb,
  filter: VerifiedChangeFilter,
  limit: number,
  offset: number,
): Promise<{ rows: VerifiedChangeRow[]; total: number }> => {
  const { userId, state, field, keyword } = filter
  const where = allOf([
    sql`not c.is_deleted`,
    userId !== undefined && sql`c.user_id = ${userId}`,
    state !== undefined && sql`c.state = ${state}`,
    field !== undefined && sql`c.field = ${field}`,
    keyword !== undefined &&
      sql`(${wordsLike(sql`a.real_name`, nameWords(keyword))} or ${codeHolds(sql`a.account`, keyword)} or ${codeHolds(sql`a.user_code`, keyword)})`,
  ])
  // What waits comes first, the oldest of it on top.
  const rows = await db.all(sql<VerifiedChangeRow>`
    select ${columns} from ${joined(db)} where ${where}
    order by c.state = 'waiting' desc, case when c.state = 'waiting' then c.id end, c.id desc limit ${limit} offset ${offset}`)
  const { total } = await db.one(sql<{ total: number }>`select count(*)::int as total from ${joined(db)} where ${where}`)
  return { rows, total }
}

/** When this account was told that a number is somebody else's, since then; the latest first. */
export const listTakenAnswers = async (db: TenantDb, userId: string, action: string, since: Date): Promise<readonly Date[]> =>
  (
    await db.all(sql<{ at: Date }>`
      select created_at as at from audit_log where entity = 'account' and entity_id = ${userId} and action = ${action} and created_at > ${since}
        and after_value ? 'idCard' order by id desc`)
  ).map(row => row.at)

export const findVerifiedChange = (db: TenantDb, id: string): Promise<VerifiedChangeRow | undefined> =>
  db.maybe(sql<VerifiedChangeRow>`select ${columns} from ${joined(db)} where c.id = ${id} and not c.is_deleted`)

/** Waits for everybody else who decides on the same request. */
export const lockVerifiedChange = async (db: TenantDb, id: string): Promise<VerifiedChangeRow | undefined> => {
  await db.maybe(sql`select 1 from verified_change where id = ${id} for update`)
  return findVerifiedChange(db, id)
}

export interface NewVerifiedChange {
  readonly id: string
  readonly userId: string
  readonly field: VerifiedField
  readonly oldMask: string
  readonly newMask: string
  readonly newSealed: Buffer
  readonly reason: string
  readonly proofFileIds: readonly string[]
}

/** @returns false when a request for the same field waits already */
export const insertVerifiedChange = async (db: TenantDb, one: NewVerifiedChange): Promise<boolean> =>
  (await db.run(sql`
    insert into verified_change (tenant_id, id, user_id, field, old_mask, new_mask, new_sealed, reason, proof_file_ids, created_by, updated_by)
    values (${db.actor.tenantId}, ${one.id}, ${one.userId}, ${one.field}, ${one.oldMask}, ${one.newMask}, ${one.newSealed}, ${one.reason},
      ${JSON.stringify(one.proofFileIds)}, ${one.userId}, ${one.userId})
    on conflict do nothing`)) === 1

/** The sealed value goes with the decision: from then on the account holds what counts. */
export const decideVerifiedChange = async (
  db: TenantDb,
  decision: { readonly id: string; readonly to: VerifiedChangeState; readonly userId: string; readonly remark: string },
): Promise<boolean> =>
  (await db.run(sql`
    update verified_change set state = ${decision.to}, new_sealed = null, check_user_id = ${decision.userId}, check_time = app_now(), remark = ${decision.remark},
      updated_by = ${decision.userId}, updated_at = app_now(), version = version + 1
    where id = ${decision.id} and state = 'waiting' and not is_deleted`)) === 1

/** @returns the ids of those that still waited */
export const removeWaiting = async (db: TenantDb, userId: string, ids: readonly string[]): Promise<string[]> =>
  (
    await db.all(sql<{ id: string }>`
      update verified_change set is_deleted = true, new_sealed = null, updated_by = ${userId}, updated_at = app_now(), version = version + 1
      where id = any(${[...ids]}::bigint[]) and user_id = ${userId} and state = 'waiting' and not is_deleted returning id::text as id`)
  ).map(row => row.id)

interface AccountIdentity {
  readonly realName: string
  readonly idCardMask: string | null
  readonly phoneMask: string | null
  readonly idCardIndex: string | null
  readonly phoneIndex: string | null
}
/** The one account that a request is about, as it stands. */
export const lockAccount = (db: TenantDb, userId: string): Promise<AccountIdentity | undefined> =>
  db.maybe(sql<AccountIdentity>`
    select real_name as "realName", id_card_mask as "idCardMask", phone_mask as "phoneMask", id_card_index as "idCardIndex", phone_index as "phoneIndex"
    from account where id = ${userId} and user_type = 2 and status = 1 and not is_deleted for update`)

interface OwnNumbers {
  readonly realName: string
  readonly idCard: Buffer | null
  readonly nationality: string | null
  readonly phone: Buffer | null
}
/** The numbers of an account, sealed for its row. */
export const findOwnNumbers = (db: TenantDb, userId: string): Promise<OwnNumbers> =>
  db.one(sql<OwnNumbers>`
    select real_name as "realName", id_card_sealed as "idCard", nationality, phone_sealed as phone from account where id = ${userId}`)

/** Another candidate of the tenant has this number. */
export const isNumberTaken = async (
  db: TenantDb,
  column: 'id_card_index' | 'phone_index',
  index: string,
  userId: string,
): Promise<boolean> =>
  (await db.maybe(sql`
    select 1 from account where user_type = 2 and ${sql.ref(column)} = ${index} and not is_deleted and status <> 3 and id <> ${userId}`)) !==
  undefined

/** What an account says about who somebody is, as it is stored. */
export type Identity = { readonly field: 'name'; readonly value: string } | SealedPersonNumber

export const writeIdentity = async (db: TenantDb, userId: string, to: Identity): Promise<void> => {
  insistOnGate(db, 'verifiedChange', 'appeal')
  const set = to.field === 'name' ? [sql`real_name = ${to.value}`] : setPersonNumber(to)
  // Nobody has proven by a code that a new phone is theirs.
  if (to.field === 'phone') set.push(sql`phone_verified_at = null`)
  await db.run(sql`update account set ${sql.join([...set, sql`updated_at = app_now()`, sql`version = version + 1`])} where id = ${userId}`)
}
