import { isInvitation } from '#kernel/db/person-columns.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type RawBuilder, sql } from '#kernel/db/sql.ts'
import { thisServer } from '#kernel/this-server.ts'

export interface AccountRow {
  readonly id: string
  readonly account: string
  readonly passwordHash: string | null
  readonly userType: 1 | 2 | 3
  readonly nickName: string
  readonly realName: string
  readonly userCode: string | null
  readonly deptId: string | null
  readonly postId: string | null
  readonly avatarFileId: string | null
  readonly status: number
  readonly failCount: number
  readonly lockLevel: number
  readonly lockedUntil: Date | null
  /** When a password made by an administrator stops opening; null for one's own. */
  readonly oneTimeUntil: Date | null
  /** The password was not chosen by its owner, who changes it before anything else. */
  readonly passwordDue: boolean
  /** An authenticator app is set up and confirmed: the password alone opens nothing. */
  readonly hasSecondFactor: boolean
}

const accountColumns = sql`
  id::text as id, account, password_hash as "passwordHash", user_type as "userType", nick_name as "nickName", real_name as "realName",
  user_code as "userCode", dept_id as "deptId", post_id as "postId", avatar_file_id::text as "avatarFileId", status,
  fail_count as "failCount", lock_level as "lockLevel", locked_until as "lockedUntil",
  case when must_change_password then one_time_until end as "oneTimeUntil", must_change_password as "passwordDue",
  exists (select 1 from second_factor f where f.tenant_id = account.tenant_id and f.user_id = account.id and f.confirmed_at is not null) as "hasSecondFactor"`

/** By account name, or by mobile number for candidates. */
export const findAccount = (db: TenantDb, key: string, phoneIndex: string | null): Promise<AccountRow | undefined> =>
  db.maybe(sql<AccountRow>`
    select ${accountColumns} from account
    where not is_deleted and ${phoneIndex === null ? sql`account_key = ${key}` : sql`(account_key = ${key} or (user_type = 2 and phone_index = ${phoneIndex}))`}
    order by (status = 3), (account_key = ${key}) desc, id desc limit 1`)

/** Whose login a code sent to this phone is: a candidate's who has made the account their own, or that of the member of staff who has proven the phone. */
export const findByPhone = (
  db: TenantDb,
  phoneIndex: string,
  allowed: { readonly candidate: boolean; readonly staff: boolean },
): Promise<AccountRow | undefined> =>
  db.maybe(sql<AccountRow>`
    select ${accountColumns} from account
    where not is_deleted and status <> 3 and phone_index = ${phoneIndex}
      and ((${allowed.candidate} and user_type = 2 and not exists (select 1 from account a where a.tenant_id = account.tenant_id and a.id = account.id and ${isInvitation})) or (${allowed.staff} and user_type = 1 and phone_verified_at is not null))
    order by user_type desc limit 1`)

/** Whether this is the phone that somebody wrote down for a person who has not come yet. */
export const isInvited = async (db: TenantDb, phoneIndex: string): Promise<boolean> =>
  (await db.maybe(
    sql`select 1 from signup w join account a on a.tenant_id = w.tenant_id and a.id = w.user_id
      where w.phone_index = ${phoneIndex} and not w.is_deleted and not a.is_deleted and a.status <> 3 and ${isInvitation} limit 1`,
  )) !== undefined

export const findAccountById = (db: TenantDb, id: string): Promise<AccountRow | undefined> =>
  db.maybe(sql<AccountRow>`select ${accountColumns} from account where id = ${id} and not is_deleted`)

/** Whether this is the account's id number. */
/** @param idCardIndexes - of a passport one for each country that may have issued it */
export const hasIdCard = async (db: TenantDb, id: string, idCardIndexes: readonly string[]): Promise<boolean> =>
  (await db.maybe(
    sql`select 1 from account where id = ${id} and id_card_index = any(${[...idCardIndexes]}::bpchar[]) and not is_deleted`,
  )) !== undefined

/** Where wrong tries are counted: on the account, for a browser its owner is known by, or beside it when nobody has the name. */
export type TryPlace = { readonly accountId: string; readonly deviceHash?: string } | { readonly unknownKey: string }
const keyLength = 60
const rowOf = (place: TryPlace): { table: RawBuilder<unknown>; row: RawBuilder<unknown> } => {
  if ('unknownKey' in place) return { table: sql`login_try`, row: sql`account_key = ${place.unknownKey.slice(0, keyLength)}` }
  if (place.deviceHash === undefined) return { table: sql`account`, row: sql`id = ${place.accountId}` }
  return { table: sql`device_try`, row: sql`user_id = ${place.accountId} and device_hash = ${place.deviceHash}` }
}
/** Names that nobody has and browsers get a row with their first try. */
const insertRow = (db: TenantDb, place: TryPlace): void => {
  if ('unknownKey' in place)
    db.send(sql`
      insert into login_try (tenant_id, account_key) values (${db.actor.tenantId}, ${place.unknownKey.slice(0, keyLength)}) on conflict do nothing`)
  else if (place.deviceHash !== undefined)
    db.send(sql`
      insert into device_try (tenant_id, user_id, device_hash) values (${db.actor.tenantId}, ${place.accountId}, ${place.deviceHash}) on conflict do nothing`)
}

interface Tries {
  readonly failCount: number
  readonly lockLevel: number
  readonly lockedUntil: Date | null
}

/** A log-in asks and writes by keys alone, from its first statement to its last: planning that anew would take longer than it does. */
export const lookUpByKeys = (db: TenantDb): void => db.planOnce('by index')

/**
 * Counts a try before the password is looked at; `isReserved` is false when the name is locked or the window's tries are used up,
 * so parallel guesses cannot slip in between. It is the last of its transaction.
 */
export const reserveTry = async (
  db: TenantDb,
  place: TryPlace,
  now: Date,
  windowStart: Date,
  limit: number,
): Promise<Tries & { readonly isReserved: boolean }> => {
  const { table, row } = rowOf(place)
  const [reserved, found] = await db.last(() => {
    insertRow(db, place)
    const reserving = db.maybe(sql<Tries>`
    update ${table} set
      fail_count = case when fail_since is null or fail_since < ${windowStart} or (locked_until is not null and locked_until <= ${now}) then 1 else fail_count + 1 end,
      fail_since = case when fail_since is null or fail_since < ${windowStart} or (locked_until is not null and locked_until <= ${now}) then ${now} else fail_since end,
      locked_until = null
    where ${row} and (locked_until is null or locked_until <= ${now})
      and (fail_since is null or fail_since < ${windowStart} or fail_count < ${limit} or (locked_until is not null and locked_until <= ${now}))
    returning fail_count as "failCount", lock_level as "lockLevel", locked_until as "lockedUntil"`)
    return Promise.all([
      reserving,
      db.one(
        sql<Tries>`select fail_count as "failCount", lock_level as "lockLevel", locked_until as "lockedUntil" from ${table} where ${row}`,
      ),
    ])
  })
  return { ...found, isReserved: reserved !== undefined }
}

/** @returns false when it is locked already */
export const startLock = async (db: TenantDb, place: TryPlace, until: Date): Promise<boolean> => {
  const { table, row } = rowOf(place)
  return (
    (await db.run(sql`update ${table} set locked_until = ${until}, lock_level = lock_level + 1 where ${row} and locked_until is null`)) > 0
  )
}
export const clearTries = async (db: TenantDb, place: TryPlace): Promise<void> => {
  const { table, row } = rowOf(place)
  await db.run(sql`update ${table} set fail_count = 0, fail_since = null, lock_level = 0, locked_until = null where ${row}`)
}
/** Takes back the try of a right password that is only the first of two proofs: wrong codes go on being counted. */
export const releaseTry = async (db: TenantDb, place: TryPlace): Promise<void> => {
  const { table, row } = rowOf(place)
  await db.run(sql`update ${table} set fail_count = greatest(fail_count - 1, 0) where ${row}`)
}
export const storePassword = async (db: TenantDb, id: string, hash: string): Promise<void> => {
  await db.run(
    sql`update account set password_hash = ${hash}, password_changed_at = app_now(), updated_at = app_now(), version = version + 1 where id = ${id}`,
  )
}

/** Nobody waits for the line: a transaction in which it fails is not committed. */
export const writeLoginLog = async (
  db: TenantDb,
  entry: { userId: string; accountKey: string; grant: string; result: string; ip: string; userAgent: string },
): Promise<void> => {
  db.send(sql`
    insert into login_log (tenant_id, user_id, account_key, grant_type, result, ip, user_agent, server_host, server_ip)
    values (${db.actor.tenantId}, ${entry.userId}, ${entry.accountKey.slice(0, 60)}, ${entry.grant}, ${entry.result}, ${entry.ip}, ${entry.userAgent},
      ${thisServer.host}, ${thisServer.ip})`)
}
export interface RoleRow {
  readonly id: string
  readonly roleName: string
  readonly roleAlias: string
}
export const rolesOf = (db: TenantDb, userId: string): Promise<RoleRow[]> =>
  db.all(sql<RoleRow>`
    select r.id::text as id, r.role_name as "roleName", r.role_alias as "roleAlias"
    from account_role ar join role r on r.tenant_id = ar.tenant_id and r.id = ar.role_id
    where ar.user_id = ${userId} and not r.is_deleted order by r.sort, r.id`)

/** The roles and departments that somebody holds, named in a language. */
export const heldOf = (db: TenantDb, userId: string, language: 'zh' | 'en') =>
  db.one(sql<{ roles: { id: string; name: string }[]; departments: { id: string; name: string }[] }>`
    select
      coalesce((select json_agg(json_build_object('id', r.id::text, 'name', case when ${language} = 'en' and r.role_name_en <> '' then r.role_name_en else r.role_name end) order by r.sort, r.id)
        from account_role ar join role r on r.tenant_id = ar.tenant_id and r.id = ar.role_id and not r.is_deleted where ar.user_id = a.id), '[]') as roles,
      coalesce((select json_agg(json_build_object('id', d.id::text, 'name', d.dept_name) order by array_position(a.dept_ids, d.id))
        from dept d where d.tenant_id = a.tenant_id and d.id = any(a.dept_ids) and not d.is_deleted), '[]') as departments
    from account a where a.id = ${userId}`)

const isLive = (now: Date): RawBuilder<unknown> =>
  sql`t.status = 1 and not t.is_deleted and (t.expire_time is null or t.expire_time > ${now})`
/** Whether a member of staff is among as many as the tenant may have; those who came first keep their place. */
const placeOf = (accountId: string): RawBuilder<unknown> => sql`(t.account_number <= 0 or t.account_number >=
  (select count(*) from account where user_type = 1 and status in (1, 2, 4) and not is_deleted and id <= ${accountId}))`

export const isTenantLive = async (db: TenantDb): Promise<boolean> => (await tenantDoor(db, undefined)).isLive

/**
 * Whether the tenant of this transaction may be entered, and whether there is a place for this member of staff.
 *
 * @param staffId - undefined for whoever needs no place
 */
export const tenantDoor = async (
  db: TenantDb,
  staffId: string | undefined,
): Promise<{ readonly isLive: boolean; readonly hasPlace: boolean }> => {
  const found = await db.maybe(sql<{ hasPlace: boolean }>`
    select ${staffId === undefined ? sql`true` : placeOf(staffId)} as "hasPlace" from tenant t where t.tenant_id = ${db.actor.tenantId} and ${isLive(db.now)}`)
  return { isLive: found !== undefined, hasPlace: found?.hasPlace ?? false }
}
