import type { PlatformDb, TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'
import { type Rights, rightsColumns } from './rights.repo.ts'

export interface NewSession {
  readonly userId: string
  readonly userType: number
  readonly clientId: string
  readonly accessHash: string
  readonly accessUntil: Date
  readonly refreshHash: string
  readonly refreshUntil: Date
  readonly fingerprint: string
  readonly roleIds: readonly string[]
  readonly deptId: string | null
  readonly isNarrowed: boolean
  readonly socialId: string | null
  /** The grant that opened it. */
  readonly openedBy: string
  readonly ip: string
  readonly userAgent: string
}

const insertSession = async (db: TenantDb, s: NewSession, now: Date): Promise<string> => {
  const row = await db.one(sql<{ id: string }>`
    insert into session (tenant_id, user_id, user_type, client_id, access_hash, access_until, refresh_hash, refresh_until, fingerprint, role_ids, dept_id, is_narrowed, social_id, opened_by, ip, user_agent, created_at, active_at)
    values (${db.actor.tenantId}, ${s.userId}, ${s.userType}, ${s.clientId}, ${s.accessHash}, ${s.accessUntil}, ${s.refreshHash}, ${s.refreshUntil},
      ${s.fingerprint}, ${JSON.stringify(s.roleIds)}, ${s.deptId}, ${s.isNarrowed}, ${s.socialId}, ${s.openedBy}, ${s.ip}, ${s.userAgent}, ${now}, ${now})
    returning id::text as id`)
  return row.id
}

/** Whether this session was opened by that grant since then. */
export const isOpenedBy = async (db: TenantDb, id: string, grant: string, since: Date): Promise<boolean> =>
  (await db.maybe(sql`select 1 from session where id = ${id} and opened_by = ${grant} and created_at >= ${since} and ended_at is null`)) !==
  undefined

/** Ends all but the newest `keep` sessions of a person. */
const endOldest = async (db: TenantDb, userId: string, keep: number, now: Date): Promise<void> => {
  await db.run(sql`
    update session set ended_at = ${now}, end_reason = 'too-many'
    where user_id = ${userId} and ended_at is null and id not in (
      select id from session where user_id = ${userId} and ended_at is null order by id desc limit ${keep})`)
}
/**
 * Opens a session and ends all but the newest `keep` of its owner.
 *
 * @param closing - what else is written where this ends the transaction: the commit leaves with it
 * @returns its id
 */
export const writeSession = async (
  db: TenantDb,
  session: NewSession,
  keep: number,
  now: Date,
  closing?: () => Promise<void>,
): Promise<string> => {
  const write = () => Promise.all([insertSession(db, session, now), endOldest(db, session.userId, keep, now), closing?.()])
  const [id] = await (closing ? db.last(write) : write())
  return id
}
export const endSession = async (db: TenantDb, id: string, reason: string, now: Date): Promise<void> => {
  await db.run(sql`update session set ended_at = ${now}, end_reason = ${reason} where id = ${id} and ended_at is null`)
}
export const endSessionsOf = async (
  db: TenantDb,
  userId: string,
  reason: string,
  now: Date,
  exceptId: string | null = null,
): Promise<void> => {
  await db.run(sql`
    update session set ended_at = ${now}, end_reason = ${reason}
    where user_id = ${userId} and ended_at is null and (${exceptId}::bigint is null or id <> ${exceptId}::bigint)`)
}

/**
 * Open sessions follow what their owners hold now. One that was narrowed keeps what is left of its choice, and is as wide as its owner again
 * when nothing is. The trigger on role_ids tells every process.
 */
export const regrantSessions = async (db: TenantDb, userIds: readonly string[]): Promise<void> => {
  const theirs = sql`user_id = any(${[...userIds]}::bigint[]) and ended_at is null`
  const held = sql`select 1 from account_role ar join role r on r.id = ar.role_id and not r.is_deleted where ar.user_id = session.user_id`
  await db.run(sql`
    update session set is_narrowed = false where ${theirs} and is_narrowed and not exists (${held} and session.role_ids ? r.id::text)`)
  await db.run(sql`
    update session set
      role_ids = coalesce((select jsonb_agg(r.id::text order by r.sort, r.id) from account_role ar join role r on r.id = ar.role_id and not r.is_deleted
        where ar.user_id = session.user_id and (not session.is_narrowed or session.role_ids ? r.id::text)), '[]'),
      dept_id = case when is_narrowed then dept_id else (select a.dept_id from account a where a.id = session.user_id) end
    where ${theirs}`)
}

export interface LiveSession extends Rights {
  readonly id: string
  readonly tenantId: string
  readonly userId: string
  readonly userType: 1 | 2 | 3
  readonly accessUntil: Date
  readonly activeAt: Date
  readonly lockedAt: Date | null
  readonly account: string
  readonly nickName: string
  readonly realName: string
  readonly userCode: string | null
  readonly userCodes: readonly string[]
  readonly deptId: string | null
  readonly roleIds: readonly string[]
  readonly socialId: string | null
  readonly mustChangePassword: boolean
  /** As its client is set. */
  readonly ignoresUnknownConditions: boolean
}

/** As the policy package_cap, which the platform's eyes do not pass through. */
const withinPackage = sql`(t.package_id is null or m.created_by is not null
  or exists (select 1 from tenant_package_menu p where p.package_id = t.package_id and p.code = m.code))`

/**
 * Everything that requests need to know of their callers, in one statement; rights are gathered once for all who have the same roles. The session is looked up before anything is joined to it: when people stream
 * in, the counts the database plans by are a minute old, and by those it once went through all accounts for each session. For the same reason nothing
 * but the token is asked of it there, and the kind of account is named: whatever index is taken leads to the one row. For the same reason each is
 * looked up by itself: a list of tokens, or people joined to it, would be sought by going through all of them.
 */
export const listByAccessHash = (
  db: PlatformDb,
  accessHashes: readonly string[],
): Promise<(LiveSession & { readonly accessHash: string })[]> => {
  // Planning takes ten times as long as running it, and its way hangs on no parameter.
  db.planOnce()
  return db.all(sql<LiveSession & { accessHash: string }>`
    with s as materialized (
      select one.* from unnest(${[...accessHashes]}::char(64)[]) as asked(hash)
      cross join lateral (select * from session where access_hash = asked.hash offset 0) one),
    g as materialized (
      select k.tenant_id, k.role_ids, ${rightsColumns(sql`k.tenant_id`, id => sql`k.role_ids ? ${id}::text`, withinPackage)}
      from (select distinct tenant_id, role_ids from s) k join tenant t on t.tenant_id = k.tenant_id)
    select s.access_hash as "accessHash", s.id::text as id, s.tenant_id as "tenantId", s.user_id::text as "userId", s.user_type as "userType", s.access_until as "accessUntil",
      s.active_at as "activeAt", s.locked_at as "lockedAt", a.account, a.nick_name as "nickName", a.real_name as "realName",
      a.user_code as "userCode", a.user_code_ids as "userCodes", a.must_change_password as "mustChangePassword", s.dept_id as "deptId", s.role_ids as "roleIds", s.social_id::text as "socialId",
      c.ignores_unknown_conditions = 1 as "ignoresUnknownConditions", g."roleAliases", g.permissions, g."rowRules", g."wideResources", g."closedCalls", g.sights
    from s join g on g.tenant_id = s.tenant_id and g.role_ids = s.role_ids
    cross join lateral (select * from account where tenant_id = s.tenant_id and user_type = s.user_type and id = s.user_id offset 0) a
    join tenant t on t.tenant_id = s.tenant_id
    join oauth_client c on c.client_id = s.client_id and c.is_open = 1 and not c.is_deleted
    where s.ended_at is null and a.status = 1 and not a.is_deleted and t.status = 1 and not t.is_deleted
      and (t.expire_time is null or t.expire_time > app_now())`)
}

/** The token, hashed, of the session in which somebody was active last, among those that may call now. */
export const findOpenHash = async (db: TenantDb, sessionId: string, now: Date): Promise<string | undefined> =>
  (
    await db.maybe(sql<{ hash: string }>`
      select access_hash as hash from session where id = ${sessionId} and ended_at is null and access_until > ${now} and locked_at is null`)
  )?.hash

/** Notes that people were active; in the order of ids, so that two processes do not wait for each other. */
export const touch = async (db: PlatformDb, ids: readonly string[], now: Date): Promise<void> => {
  await db.run(sql`
    update session set active_at = ${now} where id in (select id from session where id = any(${[...ids]}::bigint[]) order by id for update)`)
}

export interface RefreshRow {
  readonly id: string
  readonly userId: string
  readonly userType: number
  readonly clientId: string
  readonly refreshUntil: Date
  readonly fingerprint: string
  readonly rotatedAt: Date | null
  /** Of the token that is good now. */
  readonly refreshHash: string
  readonly isPrevious: boolean
  /** Used up before the last change already. */
  readonly isSpent: boolean
  readonly endedAt: Date | null
  readonly createdAt: Date
  readonly socialId: string | null
  readonly roleIds: readonly string[]
  readonly deptId: string | null
  readonly isNarrowed: boolean
}
/** `isPrevious` of a token that was used up, by the last change or any before it. */
export const lockByRefreshHash = (db: TenantDb, refreshHash: string): Promise<RefreshRow | undefined> =>
  db.maybe(sql<RefreshRow>`
    select id::text as id, user_id::text as "userId", user_type as "userType", client_id as "clientId", refresh_until as "refreshUntil", fingerprint,
      rotated_at as "rotatedAt", refresh_hash as "refreshHash", refresh_hash <> ${refreshHash} as "isPrevious", (previous_refresh_hash is distinct from ${refreshHash} and refresh_hash <> ${refreshHash}) as "isSpent", ended_at as "endedAt", created_at as "createdAt", social_id::text as "socialId", role_ids as "roleIds", dept_id as "deptId", is_narrowed as "isNarrowed"
    from session where refresh_hash = ${refreshHash} or previous_refresh_hash = ${refreshHash}
      or id = (select session_id from session_spent_refresh where refresh_hash = ${refreshHash}) for update`)

/** What a session goes on with; every process hears of it. */
export const storeChoice = async (
  db: TenantDb,
  id: string,
  choice: { readonly roleIds: readonly string[]; readonly deptIds: readonly string[]; readonly isNarrowed: boolean },
): Promise<void> => {
  await db.run(sql`
    update session set role_ids = ${JSON.stringify(choice.roleIds)}, dept_id = ${choice.deptIds.join(',') || null}, is_narrowed = ${choice.isNarrowed} where id = ${id}`)
}

export const rotate = async (
  db: TenantDb,
  id: string,
  next: { accessHash: string; accessUntil: Date; refreshHash: string },
  now: Date,
): Promise<void> => {
  await db.run(sql`
    with spent as (
      insert into session_spent_refresh (tenant_id, refresh_hash, session_id)
      select tenant_id, previous_refresh_hash, id from session where id = ${id} and previous_refresh_hash is not null
    )
    update session set previous_refresh_hash = refresh_hash, rotated_at = ${now}, refresh_hash = ${next.refreshHash},
      access_hash = ${next.accessHash}, access_until = ${next.accessUntil} where id = ${id}`)
}

export const storeLock = async (db: TenantDb, id: string, lockHash: string, now: Date): Promise<void> => {
  await db.run(sql`update session set lock_hash = ${lockHash}, locked_at = ${now} where id = ${id}`)
}
/** Undefined for a session that has ended. `lockHash` is null unless somebody locked it. */
export const findLock = (db: TenantDb, id: string): Promise<{ lockHash: string | null } | undefined> =>
  db.maybe(sql<{ lockHash: string | null }>`select lock_hash as "lockHash" from session where id = ${id} and ended_at is null`)
export const clearLock = async (db: TenantDb, id: string, now: Date): Promise<void> => {
  await db.run(sql`update session set lock_hash = null, locked_at = null, active_at = ${now} where id = ${id}`)
}
