import { searchWords } from '#contract/kernel/search-fold.ts'
import { nameWords } from '#contract/person/person-name.ts'
import { isInvitation, type SealedIdCard, type SealedNumber } from '#kernel/db/person-columns.ts'
import { keptCount } from '#kernel/db/row-count.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { wordsLike } from '#kernel/db/search.ts'
import { holdsPart, partLookup } from '#kernel/db/search-part.ts'
import { allOf, byPinyin, type RawBuilder, sql } from '#kernel/db/sql.ts'

export interface UserRow {
  readonly id: string
  readonly tenantId: string
  readonly account: string
  readonly userType: number
  readonly name: string
  readonly realName: string
  readonly avatarFileId: string | null
  readonly email: string | null
  readonly phoneMask: string | null
  readonly idCardMask: string | null
  readonly sex: number | null
  readonly birthday: string | null
  readonly code: string | null
  readonly userCode: string | null
  readonly roleId: string | null
  readonly roleName: string | null
  readonly roleNameEn: string | null
  readonly deptId: string | null
  readonly postId: string | null
  readonly status: number
  readonly createdAt: Date
  readonly isLeader: boolean
  readonly passwordDue: boolean
  readonly lockedUntil: Date | null
  readonly lockReason: string | null
  readonly version: number
  readonly deptName: string | null
  readonly postName: string | null
  readonly tenantName: string
  readonly sexName: string | null
  readonly sexNameEn: string | null
  readonly leaderId: string | null
  readonly leaderName: string | null
  readonly secondFactor: boolean
}

const userColumns = sql`
  a.id::text as id, a.tenant_id as "tenantId", a.account, a.user_type as "userType", a.nick_name as name, a.real_name as "realName",
  a.avatar_file_id::text as "avatarFileId", a.email, a.phone_mask as "phoneMask", a.id_card_mask as "idCardMask", a.sex, a.birthday, a.code,
  a.user_code as "userCode", a.dept_id as "deptId", a.post_id as "postId", a.status, a.created_at as "createdAt", r.ids as "roleId", r.names as "roleName", r.names_en as "roleNameEn",
  (select t.tenant_name from tenant t where t.tenant_id = a.tenant_id) as "tenantName", x.zh as "sexName", x.en as "sexNameEn", a.leader_id as "leaderId",
  a.is_leader as "isLeader", a.must_change_password as "passwordDue", a.locked_until as "lockedUntil", a.lock_reason as "lockReason", a.version`
const staffColumns = sql`
  (select string_agg(d.dept_name, ',' order by array_position(a.dept_ids, d.id)) from dept d where d.id = any(a.dept_ids)) as "deptName",
  (select string_agg(l.real_name, ',' order by array_position(string_to_array(a.leader_id, ',')::bigint[], l.id)) from account l
    where l.id = any(string_to_array(nullif(a.leader_id, ''), ',')::bigint[]) and not l.is_deleted) as "leaderName",
  (select string_agg(p.post_name, ',' order by p.sort, p.id) from post p where p.id = any(string_to_array(nullif(a.post_id, ''), ',')::bigint[])) as "postName",
  exists (select 1 from second_factor f where f.tenant_id = a.tenant_id and f.user_id = a.id and f.confirmed_at is not null) as "secondFactor"`
/** Departments, posts and second factors are nothing a candidate's own transaction may read. */
const noStaffColumns = sql`null as "deptName", null as "postName", null as "leaderName", false as "secondFactor"`
const namesJoin = sql`
  left join lateral (select d.dict_value as zh, coalesce(nullif(d.dict_value_en, ''), d.dict_value) as en
    from dict_biz d where d.tenant_id = a.tenant_id and d.code = 'sex' and d.dict_key = a.sex::text and not d.is_deleted) x on true
  left join lateral (select string_agg(r.id::text, ',' order by r.sort) as ids, string_agg(r.role_name, ',' order by r.sort) as names,
    string_agg(coalesce(nullif(r.role_name_en, ''), r.role_name), ', ' order by r.sort) as names_en
    from account_role ar join role r on r.tenant_id = ar.tenant_id and r.id = ar.role_id where ar.user_id = a.id and not r.is_deleted) r on true`

export const findUser = (db: TenantDb, id: string, scope: RawBuilder<unknown> = sql`true`): Promise<UserRow | undefined> =>
  db.maybe(sql<UserRow>`
    select ${userColumns}, ${db.actor.kind === 'candidate' ? noStaffColumns : staffColumns} from account a ${namesJoin} where a.id = ${id} and not a.is_deleted and ${scope}`)

export interface UserFilter {
  readonly account?: string | undefined
  readonly realName?: string | undefined
  readonly userType?: number | undefined
  readonly status?: number | undefined
  /** A department with everything below it. */
  readonly deptId?: string | undefined
  readonly roleId?: string | undefined
  /** Staff who have no password yet. */
  readonly withoutPassword?: 1 | undefined
}
/** What data scopes leave, over `a`. */
export type UserScope = RawBuilder<unknown> | undefined

const staff = 1
/** People looked for by what their names or accounts hold are found in one index in the order of a page, whichever the word (ADR 0084). */
const planSearch = (db: TenantDb, { realName, account, deptId, roleId }: UserFilter): void => {
  if ((realName || account) && !deptId && !roleId) db.planOnce()
}
/** What an index answers below row-level security, each a table `k` with people in the order of their ids; and what is left to compare. */
const soughtBy = (filter: UserFilter): { readonly keys: readonly RawBuilder<unknown>[]; readonly rest: readonly RawBuilder<unknown>[] } => {
  const { userType, status, deptId, roleId } = filter
  const keys: RawBuilder<unknown>[] = []
  const rest: RawBuilder<unknown>[] = []
  const ofStaff = userType === staff
  let tellsType = userType === undefined
  for (const [field, column, word] of [
    [ofStaff ? 'staffName' : 'realName', sql`a.real_name`, filter.realName],
    [ofStaff ? 'staffAccount' : 'account', sql`a.account`, filter.account],
  ] as const) {
    if (!word) continue
    for (const one of searchWords(word)) {
      const lookup = partLookup(field, one)
      if (lookup) keys.push(sql`select k.row_id as user_id from search_part k where ${lookup.where}`)
      if (lookup && ofStaff) tellsType = true
      if (!lookup?.isWhole) rest.push(holdsPart(field, column, one))
    }
    if (searchWords(word).length === 0) rest.push(sql`false`)
  }
  if (deptId) {
    const ofType = tellsType ? sql`true` : sql`k.user_type = ${userType}`
    keys.push(sql`select k.user_id from account_dept k where k.dept_id = ${deptId} and ${ofType}`)
    tellsType = true
  }
  if (roleId) keys.push(sql`select k.user_id from account_role k where k.role_id = ${roleId}`)
  if (!tellsType) rest.push(sql`a.user_type = ${userType}`)
  if (status !== undefined) rest.push(sql`a.status = ${status}`)
  if (filter.withoutPassword === 1) rest.push(sql`a.user_type = ${staff} and a.password_hash is null`)
  return { keys, rest }
}
/** The ids that fit, as `from … where …`; accounts are looked at only for what the keys do not tell. */
const sought = (filter: UserFilter, scope: UserScope): { readonly id: RawBuilder<unknown>; readonly from: RawBuilder<unknown> } => {
  const { keys, rest } = soughtBy(filter)
  const [first, ...others] = keys
  if (!first) return { id: sql`a.id`, from: sql`account a where ${allOf([sql`not a.is_deleted`, scope, ...rest])}` }
  const joined = sql.join(
    [sql`(${first}) found`, ...others.map((key, at) => sql`(${key}) also${sql.raw(String(at))} using (user_id)`)],
    sql` join `,
  )
  if (!scope && rest.length === 0) return { id: sql`user_id`, from: joined }
  return { id: sql`user_id`, from: sql`${joined} join account a on a.id = user_id where ${allOf([sql`not a.is_deleted`, scope, ...rest])}` }
}

export const listUsers = (db: TenantDb, filter: UserFilter, scope: UserScope, limit: number, offset: number): Promise<UserRow[]> => {
  const { id, from } = sought(filter, scope)
  planSearch(db, filter)
  return db.all(sql<UserRow>`
    select ${userColumns}, ${staffColumns} from (select ${id} as id from ${from} order by 1 desc limit ${limit} offset ${offset}) page
    join account a on a.id = page.id ${namesJoin} order by a.id desc`)
}
/** Whether nothing but the kind is asked for. */
const isByKind = ({ userType: _, ...rest }: UserFilter): boolean => Object.values(rest).every(value => value === undefined || value === '')
const kinds = [1, 2, 3] as const
/** @param cap - counts no further than one beyond it */
export const countUsers = async (db: TenantDb, filter: UserFilter, scope: UserScope, cap?: number): Promise<number> => {
  if (!scope && isByKind(filter)) {
    const { userType } = filter
    const kept = await keptCount(
      db,
      kinds.filter(kind => userType === undefined || userType === kind).map(kind => `account ${kind}` as const),
    )
    if (kept !== undefined) return kept
  }
  const { from } = sought(filter, scope)
  planSearch(db, filter)
  const counted = cap === undefined ? from : sql`(select 1 from ${from} limit ${cap + 1}) counted`
  return (await db.one(sql<{ total: number }>`select count(*)::int as total from ${counted}`)).total
}

const mostLeaders = 200
/** Active members of staff with the mark of a leader, by name. */
export const leadersNamed = (db: TenantDb, name: string | undefined, scope: UserScope): Promise<{ id: string; realName: string }[]> =>
  db.all(sql<{ id: string; realName: string }>`
    select a.id::text as id, a.real_name as "realName" from account a
    where ${allOf([
      sql`a.is_leader and not a.is_deleted and a.user_type = ${staff} and a.status = 1`,
      scope,
      name ? wordsLike(sql`a.real_name`, nameWords(name)) : undefined,
    ])} order by ${byPinyin(sql`a.real_name`)}, a.id limit ${mostLeaders}`)

export interface NewCandidate {
  readonly id: string
  readonly account: string
  readonly accountKey: string
  readonly passwordHash: string
  readonly realName: string
  readonly phone: SealedNumber
  readonly idCard: SealedIdCard
  readonly userCode: string
  readonly status: number
  readonly consentVersion: string
}

/** Which unique key an insert ran into, so that the caller can say it. */
export const insertCandidate = async (db: TenantDb, c: NewCandidate): Promise<void> => {
  await db.run(sql`
    insert into account (tenant_id, id, account, account_key, password_hash, user_type, nick_name, real_name, user_code, phone_sealed, phone_index, phone_mask,
      id_card_sealed, id_card_index, id_card_mask, id_card_type, sex, birthday, nationality, status, password_changed_at, consent_version, consent_at)
    values (${db.actor.tenantId}, ${c.id}, ${c.account}, ${c.accountKey}, ${c.passwordHash}, 2, ${c.realName}, ${c.realName}, ${c.userCode}, ${c.phone.sealed}, ${c.phone.index},
      ${c.phone.mask}, ${c.idCard.sealed}, ${c.idCard.index}, ${c.idCard.mask}, ${c.idCard.type}, ${c.idCard.sex}, ${c.idCard.birthday}, ${c.idCard.nationality}, ${c.status}, app_now(), ${c.consentVersion}, app_now())`)
  await db.run(sql`
    insert into account_role (tenant_id, user_id, role_id)
    select ${db.actor.tenantId}, ${c.id}, id from role where role_alias = 'candidate' and not is_deleted`)
}

/** Accounts that stand in for people whom somebody has invited, and hold one of these numbers; locked. @returns their ids */
export const lockInvitations = async (db: TenantDb, keys: { phoneIndex: string; idCardIndex: string }): Promise<string[]> =>
  (
    await db.all(sql<{ id: string }>`
      select a.id::text as id from account a
      where not a.is_deleted and a.status <> 3 and (a.phone_index = ${keys.phoneIndex} or a.id_card_index = ${keys.idCardIndex}) and ${isInvitation} order by a.id for update`)
  ).map(row => row.id)

/** What an invitation says of numbers that are somebody else's: nothing any more. */
export const freeNumbers = async (db: TenantDb, id: string, keys: { phoneIndex: string; idCardIndex: string }): Promise<void> => {
  await db.run(sql`
    update account set phone_sealed = null, phone_mask = null, phone_index = null, updated_at = app_now(), version = version + 1
    where id = ${id} and phone_index = ${keys.phoneIndex}`)
  await db.run(sql`
    update account set id_card_sealed = null, id_card_mask = null, id_card_type = null, nationality = null, id_card_index = null, updated_at = app_now(), version = version + 1
    where id = ${id} and id_card_index = ${keys.idCardIndex}`)
}

export interface TakenKeys {
  readonly account: boolean
  readonly phone: boolean
  readonly idCard: boolean
}
export const findTaken = (
  db: TenantDb,
  keys: { accountKey: string; phoneIndex: string; idCardIndex: string },
  exceptId?: string,
): Promise<TakenKeys> =>
  db.one(sql<TakenKeys>`
    select coalesce(bool_or(account_key = ${keys.accountKey}), false) as account,
      coalesce(bool_or(user_type = 2 and phone_index = ${keys.phoneIndex}), false) as phone,
      coalesce(bool_or(user_type = 2 and id_card_index = ${keys.idCardIndex}), false) as "idCard"
    from account where not is_deleted and status <> 3 and id is distinct from ${exceptId ?? null}::bigint and (account_key = ${keys.accountKey} or phone_index = ${keys.phoneIndex} or id_card_index = ${keys.idCardIndex})`)

/** `K` and ten digits, unique in the tenant (domain 3.6). */
export const nextCandidateNumber = async (db: TenantDb): Promise<string> => {
  const { n } = await db.one(
    sql<{
      n: string
    }>`select coalesce((select substr(user_code, 2)::bigint from account where user_type = 2 and user_code ~ '^K[0-9]{10}$' order by user_code desc limit 1), 0) + 1 as n`,
  )
  return `K${n.padStart(10, '0')}`
}
