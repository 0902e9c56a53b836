import type { TenantDb } from '#kernel/db/scope.ts'
import { type RawBuilder, sql } from '#kernel/db/sql.ts'
import { insistOnGate } from '#kernel/two-persons.ts'

/** An account that somebody is about to change. */
export interface Target {
  readonly id: string
  readonly account: string
  readonly userType: number
  readonly status: number
  readonly phoneIndex: string | null
  readonly passwordChangedAt: Date | null
  readonly isShut: boolean
  /** Its owner has opened it once: nobody else changes what it is opened with any more without the owner being told. */
  readonly isOwned: boolean
  /** Somebody has ordered a lock that has not begun. */
  readonly isLockPlanned: boolean
  readonly lockBegin: Date | null
  readonly lockEnd: Date | null
  readonly lockReason: string | null
}
/** Its owner has opened it once: chosen a password, now or before a reset, proven a phone or tied it to a provider. Until then an account is its office's. */
const isOwned = sql`(password_hash is not null and not must_change_password or password_changed_at is not null or phone_verified_at is not null
  or exists (select 1 from social_account s where s.tenant_id = account.tenant_id and s.user_id = account.id))`

/** Holds the rows until the transaction ends, in the order of their ids. */
export const lockTargets = (db: TenantDb, ids: readonly string[], scope: RawBuilder<unknown> = sql`true`): Promise<Target[]> =>
  db.all(sql<Target>`
    select id::text as id, account, user_type as "userType", status, phone_index as "phoneIndex", password_changed_at as "passwordChangedAt", ${isOwned} as "isOwned", (locked_until is not null or fail_count > 0
      or exists (select 1 from device_try d where d.tenant_id = account.tenant_id and d.user_id = account.id and d.fail_count > 0)) as "isShut",
      status = 1 and coalesce(lock_begin > ${db.now}, false) as "isLockPlanned", lock_begin as "lockBegin", lock_end as "lockEnd", lock_reason as "lockReason"
    from account where id = any(${[...ids]}::bigint[]) and not is_deleted and ${scope} order by id for update`)

/** Replaces the roles of these people. */
export const setRoles = async (db: TenantDb, userIds: readonly string[], roleIds: readonly string[]): Promise<void> => {
  await db.run(
    sql`delete from account_role where user_id = any(${[...userIds]}::bigint[]) and not role_id = any(${[...roleIds]}::bigint[])`,
  )
  await db.run(sql`
    insert into account_role (tenant_id, user_id, role_id)
    select ${db.actor.tenantId}, u, r from unnest(${[...userIds]}::bigint[]) u cross join unnest(${[...roleIds]}::bigint[]) r on conflict do nothing`)
}

/** What wrong tries have shut opens again, for strangers and for the browsers that the owner is known by. */
const forgetDeviceTries = async (db: TenantDb, userId: string): Promise<void> => {
  await db.run(sql`delete from device_try where user_id = ${userId}`)
}

const touched = (db: TenantDb) => sql`updated_at = app_now(), updated_by = ${db.actor.userId}, version = version + 1`

export const setOneTimePassword = async (db: TenantDb, id: string, hash: string, until: Date): Promise<void> => {
  insistOnGate(db, 'passwordReset')
  await db.run(sql`
    update account set password_hash = ${hash}, must_change_password = true, one_time_until = ${until}, fail_count = 0, fail_since = null, lock_level = 0,
      locked_until = null, ${touched(db)} where id = ${id}`)
  await forgetDeviceTries(db, id)
}
export const openAgain = async (db: TenantDb, id: string, reason: string): Promise<void> => {
  await db.run(sql`
    update account set status = case when status = 4 then 1 else status end, lock_reason = null, lock_begin = null, lock_end = null, fail_count = 0,
      fail_since = null, lock_level = 0, locked_until = null, unlock_reason = ${reason}, unlocked_at = app_now(), ${touched(db)} where id = ${id}`)
  await forgetDeviceTries(db, id)
}
/** Keeps a lock that begins later. */
export const planLock = async (
  db: TenantDb,
  id: string,
  { reason, begin, end }: { readonly reason: string; readonly begin: Date; readonly end: Date | undefined },
): Promise<void> => {
  await db.run(sql`
    update account set lock_reason = ${reason}, lock_begin = ${begin}, lock_end = ${end ?? null}, unlock_reason = null, unlocked_at = null, ${touched(db)}
    where id = ${id}`)
}
export const markRemoved = async (db: TenantDb, id: string): Promise<void> => {
  await db.run(sql`update account set is_deleted = true, ${touched(db)} where id = ${id}`)
}

export type AccountColumns = Readonly<Record<string, unknown>>
const assignments = (set: AccountColumns): RawBuilder<unknown>[] =>
  Object.entries(set).map(([column, value]) => sql`${sql.ref(column)} = ${value}`)

/** What says whose account it is and opens it: of somebody else's account it changes behind the gate alone. */
const openingColumns = ['real_name', 'phone_sealed', 'phone_index', 'phone_mask', 'phone_verified_at'] as const

export const updateAccount = async (db: TenantDb, id: string, set: AccountColumns): Promise<void> => {
  if (db.actor.userId !== id && openingColumns.some(column => column in set)) insistOnGate(db, 'accountChange')
  await db.run(sql`update account set ${sql.join([...assignments(set), touched(db)])} where id = ${id}`)
}
/** What an account is opened with, changed by others. */
export const writeOpening = (db: TenantDb, id: string, set: AccountColumns): Promise<void> => {
  insistOnGate(db, 'accountChange')
  return updateAccount(db, id, set)
}
/** Adds an account; its roles and sealed columns, whose key is the id, follow by themselves. */
export const insertAccount = async (db: TenantDb, set: AccountColumns): Promise<void> => {
  const all: AccountColumns = { tenant_id: db.actor.tenantId, created_by: db.actor.userId, updated_by: db.actor.userId, ...set }
  await db.run(sql`
    insert into account (${sql.join(Object.keys(all).map(column => sql.ref(column)))}) values (${sql.join(Object.values(all))})`)
}
/** Of these departments, posts and unit codes, the ones that the tenant has and the writer may name. */
export const knownPlaces = (
  db: TenantDb,
  of: { readonly deptIds: readonly string[]; readonly postIds: readonly string[]; readonly userCode: string },
  scope: Readonly<Record<'dept' | 'post' | 'userCode', RawBuilder<unknown>>>,
): Promise<{ depts: number; posts: number; hasCode: boolean }> =>
  db.one(sql<{ depts: number; posts: number; hasCode: boolean }>`
    select (select count(*)::int from dept where id = any(${[...of.deptIds]}::bigint[]) and not is_deleted and ${scope.dept}) as depts,
      (select count(*)::int from post where id = any(${[...of.postIds]}::bigint[]) and not is_deleted and ${scope.post}) as posts,
      exists (select 1 from user_code where code = ${of.userCode} and not is_deleted and ${scope.userCode}) as "hasCode"`)

const isLivingStaff = sql`user_type = 1 and not is_deleted`
/** Members of staff who can act, by their accounts as they are spelled. */
export const staffByAccount = (db: TenantDb, accounts: readonly string[]): Promise<{ id: string; account: string }[]> =>
  db.all(sql<{ id: string; account: string }>`
    select id::text as id, account from account where account = any(${[...accounts]}) and status = 1 and ${isLivingStaff}`)
/** Accounts of living members of staff by id. */
export const accountsOfStaff = (db: TenantDb, ids: readonly string[]): Promise<{ id: string; account: string }[]> =>
  db.all(sql<{ id: string; account: string }>`
    select id::text as id, account from account where id = any(${[...ids]}::bigint[]) and ${isLivingStaff}`)

/** Which kind of account it is, and what its platform keeps beside it. */
export const findPlatformOf = (
  db: TenantDb,
  id: string,
  scope: RawBuilder<unknown> = sql`true`,
): Promise<{ id: string; userType: number; userExt: string } | undefined> =>
  db.maybe(sql<{ id: string; userType: number; userExt: string }>`
    select id::text as id, user_type as "userType", user_ext as "userExt" from account where id = ${id} and not is_deleted and ${scope}`)

const mostPosts = 1_000
/** Duty posts that an account can have. */
export const listPostChoices = (
  db: TenantDb,
  scope: RawBuilder<unknown> = sql`true`,
): Promise<{ id: string; postName: string; postCode: string }[]> =>
  db.all(sql<{ id: string; postName: string; postCode: string }>`
    select id::text as id, post_name as "postName", post_code as "postCode" from post where not is_deleted and ${scope}
    order by sort, id limit ${mostPosts}`)

/** Of these account names, in the spelling that is compared, the ones that somebody has. */
export const takenAccounts = async (db: TenantDb, keys: readonly string[]): Promise<ReadonlySet<string>> =>
  new Set(
    (
      await db.all(sql<{ key: string }>`
        select account_key as key from account where account_key = any(${[...keys]}) and not is_deleted and status <> 3`)
    ).map(row => row.key),
  )
export const isAccountTaken = async (db: TenantDb, key: string): Promise<boolean> => (await takenAccounts(db, [key])).size > 0

/** Departments, posts and unit codes as a workbook names them. */
export const placesByName = async (
  db: TenantDb,
): Promise<{
  readonly depts: readonly { readonly id: string; readonly name: string; readonly full: string }[]
  readonly posts: readonly { readonly id: string; readonly name: string }[]
  readonly unitCodes: readonly string[]
}> => {
  const depts = await db.all(sql<{ id: string; name: string; full: string }>`
    select id::text as id, dept_name as name, full_name as full from dept where not is_deleted`)
  const posts = await db.all(sql<{ id: string; name: string }>`select id::text as id, post_name as name from post where not is_deleted`)
  const codes = await db.all(sql<{ code: string }>`select code from user_code where not is_deleted`)
  return { depts, posts, unitCodes: codes.map(row => row.code) }
}

/** An account as somebody is about to change it; `row` has the columns that a form may change. */
export interface HeldStaff {
  readonly account: string
  readonly userType: number
  readonly version: number
  readonly realName: string
  readonly phoneIndex: string | null
  readonly phoneMask: string | null
  readonly isOwned: boolean
  readonly row: Readonly<Record<string, unknown>>
}
export const lockStaff = (db: TenantDb, id: string, scope: RawBuilder<unknown> = sql`true`): Promise<HeldStaff | undefined> =>
  db.maybe(sql<HeldStaff>`
    select account, user_type as "userType", version, real_name as "realName", phone_index as "phoneIndex", phone_mask as "phoneMask", ${isOwned} as "isOwned", json_build_object('real_name', real_name, 'nick_name', nick_name, 'email', email, 'sex', sex, 'birthday', birthday,
      'code', code, 'user_code', user_code, 'dept_id', dept_id, 'post_id', post_id, 'leader_id', leader_id, 'is_leader', is_leader) as row
    from account where id = ${id} and not is_deleted and ${scope} for update`)
/** A member of staff or a service whose account is there, held. */
export interface LivingAccount {
  readonly id: string
  readonly account: string
  readonly realName: string
  readonly phoneIndex: string | null
  readonly phoneMask: string | null
}
export const findLiving = (db: TenantDb, id: string): Promise<LivingAccount | undefined> =>
  db.maybe(sql<LivingAccount>`
    select id::text as id, account, real_name as "realName", phone_index as "phoneIndex", phone_mask as "phoneMask"
    from account where id = ${id} and user_type <> 2 and not is_deleted for update`)
export const isWithin = async (db: TenantDb, id: string, scope: RawBuilder<unknown>): Promise<boolean> =>
  (await db.maybe(sql`select 1 from account where id = ${id} and ${scope}`)) !== undefined
export const findIsLeader = async (db: TenantDb, id: string): Promise<boolean> =>
  (await db.one(sql<{ isLeader: boolean }>`select is_leader as "isLeader" from account where id = ${id}`)).isLeader

/** Accounts of staff that the tenant has, and how many it may have; candidates are not counted. */
export const staffQuota = (db: TenantDb): Promise<{ limit: number; used: number }> =>
  db.one(sql<{ limit: number; used: number }>`
    select (select account_number from tenant where tenant_id = ${db.actor.tenantId}) as limit,
      (select count(*)::int from account where user_type = 1 and status in (1, 2, 4) and not is_deleted) as used`)

/** An account that its owner asked for: nobody of the tenant has made it, and it has no role. */
export const insertWaitingStaff = async (
  db: TenantDb,
  one: {
    readonly account: string
    readonly accountKey: string
    readonly passwordHash: string
    readonly realName: string
    readonly status: number
  },
): Promise<string> =>
  (
    await db.one(sql<{ id: string }>`
      insert into account (tenant_id, account, account_key, password_hash, user_type, nick_name, real_name, status, password_changed_at)
      values (${db.actor.tenantId}, ${one.account}, ${one.accountKey}, ${one.passwordHash}, 1, ${one.realName}, ${one.realName}, ${one.status}, app_now())
      returning id::text as id`)
  ).id

/** Members of staff whose registration waits to be decided. */
export const countWaitingStaff = async (db: TenantDb): Promise<number> =>
  (await db.one(sql<{ n: number }>`select count(*)::int as n from account where user_type = 1 and status = 0 and not is_deleted`)).n

/** People who may log in and hold one of these roles. */
export const holdersOfRoles = async (db: TenantDb, aliases: readonly string[]): Promise<readonly string[]> =>
  (
    await db.all(sql<{ id: string }>`
      select distinct a.id::text as id from role r join account_role ar on ar.role_id = r.id join account a on a.id = ar.user_id and a.status = 1 and not a.is_deleted
      where r.role_alias = any(${[...aliases]}) and not r.is_deleted order by 1`)
  ).map(row => row.id)

/** People who may log in and whose roles have this menu or button. */
export const holdersOfMenu = async (db: TenantDb, code: string): Promise<readonly string[]> =>
  (
    await db.all(sql<{ id: string }>`
      select distinct a.id::text as id from menu m join role_menu rm on rm.menu_id = m.id join role r on r.id = rm.role_id and not r.is_deleted
        join account_role ar on ar.role_id = rm.role_id join account a on a.id = ar.user_id and a.status = 1 and not a.is_deleted
      where m.code = ${code} and not m.is_deleted`)
  ).map(row => row.id)
