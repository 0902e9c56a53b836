import { likePatternsOf, type TrailMeasure } from '#contract/oversight/measure.ts'
import type { lockStatuses } from '#contract/oversight/monitor.routes.ts'
import { nameWords } from '#contract/person/person-name.ts'
import type { Printed } from '#contract/ticket/printed-words.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { codeHolds, wordsLike } from '#kernel/db/search.ts'
import { allOf, type RawBuilder, sql } from '#kernel/db/sql.ts'

export interface Part<Row> {
  readonly rows: Row[]
  readonly total: number
}
export interface Slice {
  readonly limit: number
  readonly offset: number
  /** Counts no further than one beyond it; absent: counts all. */
  readonly cap: number | undefined
}
const pageOf = async <Row>(
  db: TenantDb,
  of: {
    readonly select: RawBuilder<unknown>
    readonly from: RawBuilder<unknown>
    readonly where: RawBuilder<unknown>
    readonly order: RawBuilder<unknown>
  },
  { limit, offset, cap }: Slice,
): Promise<Part<Row>> => {
  const rows = await db.all(
    sql<Row>`select ${of.select} from ${of.from} where ${of.where} order by ${of.order} limit ${limit} offset ${offset}` as RawBuilder<Row>,
  )
  const all = sql`${of.from} where ${of.where}`
  const counted = cap === undefined ? all : sql`(select 1 from ${all} limit ${cap + 1}) counted`
  const { total } = await db.one(sql<{ total: number }>`select count(*)::int as total from ${counted}`)
  return { rows, total }
}
/** What the reader's data scopes leave of the accounts, over `account a`; undefined where they leave all. */
export type People = RawBuilder<unknown> | undefined
const has = (column: RawBuilder<unknown>, word: string | undefined) => (word ? codeHolds(column, word) : undefined)

export interface OnlineRow {
  readonly id: string
  readonly userId: string
  readonly account: string
  readonly realName: string
  readonly userType: number
  readonly roleName: string | null
  readonly remoteIp: string | null
  readonly userAgent: string | null
  readonly loginTime: Date
  readonly activeTime: Date
  readonly locked: boolean
}
const openSessions = (now: Date) => sql`s.ended_at is null and s.refresh_until > ${now} and a.status = 1 and not a.is_deleted`

export const pageOnline = (
  db: TenantDb,
  now: Date,
  language: 'zh' | 'en',
  filter: { readonly account?: string; readonly realName?: string; readonly userType?: number },
  people: People,
  slice: Slice,
): Promise<Part<OnlineRow>> =>
  pageOf(
    db,
    {
      select: sql`s.id::text as id, s.user_id::text as "userId", a.account, a.real_name as "realName", s.user_type as "userType", s.ip as "remoteIp", s.user_agent as "userAgent",
        s.created_at as "loginTime", s.active_at as "activeTime", s.locked_at is not null as locked,
        (select string_agg(case when ${language} = 'en' and r.role_name_en <> '' then r.role_name_en else r.role_name end, ',' order by r.sort) from role r where s.role_ids ? r.id::text and not r.is_deleted) as "roleName"`,
      from: sql`session s join account a on a.id = s.user_id`,
      where: allOf([
        openSessions(now),
        has(sql`a.account`, filter.account),
        !!filter.realName && wordsLike(sql`a.real_name`, nameWords(filter.realName)),
        filter.userType !== undefined && sql`s.user_type = ${filter.userType}`,
        people,
      ]),
      order: sql`s.active_at desc, s.id desc`,
    },
    slice,
  )

/** Open sessions by id, held until the transaction ends. */
export const lockSessions = (
  db: TenantDb,
  ids: readonly string[],
  now: Date,
  people: People,
): Promise<{ id: string; userId: string; account: string }[]> =>
  db.all(sql<{ id: string; userId: string; account: string }>`
    select s.id::text as id, s.user_id::text as "userId", a.account from session s join account a on a.id = s.user_id
    where s.id = any(${[...ids]}::bigint[]) and ${openSessions(now)} ${people === undefined ? sql`` : sql`and ${people}`} order by s.id for update of s`)

export interface LoginRow {
  readonly id: string
  readonly userId: string
  readonly account: string
  readonly realName: string | null
  readonly grantType: string
  readonly result: string
  readonly remoteIp: string | null
  readonly userAgent: string | null
  readonly serverIp: string
  readonly serverHost: string
  readonly createdAt: Date
}
interface Range {
  readonly from?: Date | undefined
  readonly to?: Date | undefined
}
const within = (column: RawBuilder<unknown>, { from, to }: Range) => [from && sql`${column} >= ${from}`, to && sql`${column} <= ${to}`]

export interface LoginFilter extends Range {
  readonly account?: string
  readonly remoteIp?: string
  readonly userId?: string
  readonly ok?: number
  readonly people?: People
}
const loginSelect = sql`l.id::text as id, l.user_id::text as "userId", coalesce(a.account, l.account_key) as account, a.real_name as "realName",
  l.grant_type as "grantType", l.result, l.ip as "remoteIp", l.user_agent as "userAgent", l.server_ip as "serverIp", l.server_host as "serverHost", l.created_at as "createdAt"`
const loginFrom = sql`login_log l left join account a on a.id = l.user_id`
const loginWhere = (filter: LoginFilter, before?: string): RawBuilder<unknown> =>
  allOf([
    filter.account ? sql`(${codeHolds(sql`l.account_key`, filter.account)} or ${codeHolds(sql`a.account`, filter.account)})` : undefined,
    has(sql`l.ip`, filter.remoteIp),
    filter.userId ? sql`l.user_id = ${filter.userId}` : undefined,
    filter.ok !== undefined && sql`(l.result = 'ok') = ${filter.ok === 1}`,
    ...within(sql`l.created_at`, filter),
    // A try that failed is nobody's; whose name was typed decides who reads it.
    filter.people && sql`exists (select 1 from account a where (a.id = l.user_id or a.account_key = l.account_key) and ${filter.people})`,
    before === undefined ? undefined : sql`l.id < ${before}`,
  ])
export const pageLogins = (db: TenantDb, filter: LoginFilter, slice: Slice): Promise<Part<LoginRow>> =>
  pageOf(db, { select: loginSelect, from: loginFrom, where: loginWhere(filter), order: sql`l.id desc` }, slice)
export const findLogin = (db: TenantDb, id: string, people: People): Promise<LoginRow | undefined> =>
  db.maybe(
    sql<LoginRow>`select ${loginSelect} from ${loginFrom} where l.id = ${id} and ${loginWhere(people === undefined ? {} : { people })}`,
  )
/** As `countAudit` and `readAudit`. */
export const countLogins = (db: TenantDb, filter: LoginFilter): Promise<{ readonly total: number; readonly end: string }> =>
  db.one(sql<{ total: number; end: string }>`
    select count(*)::int as total, (coalesce(max(l.id), 0) + 1)::text as end from ${loginFrom} where ${loginWhere(filter)}`)
export const readLogins = (db: TenantDb, filter: LoginFilter, before: string, limit: number): Promise<LoginRow[]> =>
  db.all(sql<LoginRow>`select ${loginSelect} from ${loginFrom} where ${loginWhere(filter, before)} order by l.id desc limit ${limit}`)

type LockStatus = (typeof lockStatuses)[number]
export interface LockFilter {
  readonly account?: string
  readonly lockType?: 'SYSTEM' | 'MANUAL'
  readonly lockStatus?: LockStatus
  readonly people?: People
}
export interface LockRow {
  readonly id: string
  readonly account: string
  readonly realName: string
  readonly userType: number
  readonly isManual: boolean
  readonly lockStatus: LockStatus
  readonly failCount: number
  readonly lockBegin: Date | null
  readonly lockEnd: Date | null
  readonly lockReason: string | null
  readonly unlockReason: string | null
  readonly unlockedAt: Date | null
  readonly remoteIp: string | null
  readonly userAgent: string | null
}
/** Locks as they stand now. Whoever may be among them is looked up first: nearly nobody is. */
const locksOf = (now: Date) => {
  const manual = sql`a.status = 4`
  const system = sql`a.status <> 4 and coalesce(a.locked_until, d.until) is not null and greatest(a.locked_until, d.until) > ${now}`
  const planned = sql`a.status = 1 and coalesce(a.lock_begin > ${now}, false)`
  const status = sql`case when ${manual} or (${system}) then 'LOCKED' when ${planned} then 'PRE_LOCKED' else 'UN_LOCKED' end`
  const isSystem = sql`(${system})`
  return {
    status,
    isSystem,
    some: sql`(${manual} or (${system}) or (${planned}))`,
    ended: sql`a.unlocked_at is not null and not (${manual} or (${system}) or (${planned}))`,
    select: sql`a.id::text as id, a.account, a.real_name as "realName", a.user_type as "userType", not ${isSystem} as "isManual", ${status} as "lockStatus",
      case when ${isSystem} then greatest(a.fail_count, d.fails) else 0 end as "failCount",
      case when ${isSystem} then t.created_at else a.lock_begin end as "lockBegin",
      case when ${isSystem} then greatest(a.locked_until, d.until) else a.lock_end end as "lockEnd",
      case when ${isSystem} then null else a.lock_reason end as "lockReason", a.unlock_reason as "unlockReason", a.unlocked_at as "unlockedAt",
      case when ${isSystem} then t.ip end as "remoteIp", case when ${isSystem} then t.user_agent end as "userAgent"`,
    // A browser that its owner is known by is locked for itself. Tries that failed stand under the name that was typed, as nobody's.
    from: sql`(select id from account where not is_deleted and (status = 4 or locked_until is not null or lock_begin is not null or unlocked_at is not null)
        union select user_id from device_try where locked_until > ${now}) shut join account a on a.id = shut.id
      left join lateral (select max(t.locked_until) as until, max(t.fail_count) as fails from device_try t
        where t.tenant_id = a.tenant_id and t.user_id = a.id and t.locked_until > ${now}) d on true
      left join lateral (select l.created_at, l.ip, l.user_agent from login_log l
        where l.tenant_id = a.tenant_id and l.account_key = a.account_key and l.result not in ('ok', 'auth/account-locked') order by l.id desc limit 1) t on true`,
  }
}
export const pageLocks = (db: TenantDb, now: Date, filter: LockFilter, slice: Slice): Promise<Part<LockRow>> => {
  const { select, from, status, isSystem, some, ended } = locksOf(now)
  return pageOf(
    db,
    {
      select,
      from,
      where: allOf([
        sql`not a.is_deleted`,
        filter.lockStatus === 'UN_LOCKED' ? ended : some,
        filter.lockStatus === undefined || filter.lockStatus === 'UN_LOCKED' ? undefined : sql`${status} = ${filter.lockStatus}`,
        filter.lockType === 'MANUAL' ? sql`not ${isSystem}` : filter.lockType === 'SYSTEM' ? isSystem : undefined,
        has(sql`a.account`, filter.account),
        filter.people,
      ]),
      order: sql`a.updated_at desc, a.id desc`,
    },
    slice,
  )
}
/** The lock of one account; undefined where there is and was none. */
export const findLock = (db: TenantDb, now: Date, id: string, people: People): Promise<LockRow | undefined> => {
  const { select, from, some, ended } = locksOf(now)
  return db.maybe(
    sql<LockRow>`select ${select} from ${from} where not a.is_deleted and a.id = ${id} and (${some} or (${ended})) ${people === undefined ? sql`` : sql`and ${people}`}`,
  )
}

export interface AuditRow {
  readonly id: string
  readonly userId: string
  readonly account: string | null
  readonly realName: string | null
  readonly actorKind: string
  readonly action: string
  readonly entity: string
  readonly entityId: string | null
  readonly reason: string | null
  readonly remoteIp: string | null
  readonly userAgent: string | null
  readonly traceId: string | null
  readonly createdAt: Date
  readonly before: unknown
  readonly after: unknown
  readonly printed: Printed | null
  readonly seq: string | null
  readonly sealedAt: Date | null
  readonly chainHash: string | null
}
const auditSelect = sql`l.id::text as id, l.user_id::text as "userId", a.account, a.real_name as "realName", l.actor_kind as "actorKind", l.action, l.entity, l.entity_id as "entityId",
  l.reason, l.ip as "remoteIp", l.user_agent as "userAgent", l.trace_id as "traceId", l.created_at as "createdAt", s.seq::text as seq,
  case when l.action = 'ticket.printed' then jsonb_build_object('layout', l.after_value->>'layout', 'paper', l.after_value->>'paper',
    'roomNo', l.after_value->>'roomNo', 'people', l.after_value->'people') end as printed`
const auditFrom = sql`audit_log l left join account a on a.id = l.user_id left join audit_seal s on s.audit_id = l.id`

export interface AuditFilter extends Range {
  readonly account?: string | undefined
  readonly userId?: string | undefined
  readonly action?: string | undefined
  readonly deed?: string | undefined
  readonly entity?: string | undefined
  readonly entityId?: string | undefined
  readonly remoteIp?: string | undefined
  readonly traceId?: string | undefined
  readonly keyword?: string | undefined
  readonly measure?: TrailMeasure
  readonly changes?: number
  /** A reader who does not see names in full finds people by their account alone. */
  readonly withoutNames?: boolean
  /** A reader to whom fields are masked finds by the reason alone: values would be told by searching for them. */
  readonly withoutValues?: boolean
}
const auditWhere = (filter: AuditFilter, before?: string): RawBuilder<unknown> =>
  allOf([
    filter.account
      ? sql`(${codeHolds(sql`a.account`, filter.account)}${filter.withoutNames ? sql`` : sql` or ${wordsLike(sql`a.real_name`, nameWords(filter.account))}`})`
      : undefined,
    filter.userId ? sql`l.user_id = ${filter.userId}` : undefined,
    has(sql`l.action`, filter.action),
    filter.deed ? sql`split_part(l.action, '.', 2) = ${filter.deed}` : undefined,
    has(sql`l.ip`, filter.remoteIp),
    has(filter.withoutValues ? sql`l.reason` : sql`concat_ws(' ', l.reason, l.before_value, l.after_value)`, filter.keyword),
    filter.measure ? sql`l.action like any(${[...likePatternsOf(filter.measure)]})` : undefined,
    filter.entity ? sql`l.entity = ${filter.entity}` : undefined,
    filter.entityId ? sql`l.entity_id = ${filter.entityId}` : undefined,
    filter.traceId ? sql`l.trace_id = ${filter.traceId}` : undefined,
    filter.changes === 1 && sql`(l.before_value is not null or l.after_value is not null)`,
    ...within(sql`l.created_at`, filter),
    before === undefined ? undefined : sql`l.id < ${before}`,
  ])
export const pageAudit = (db: TenantDb, filter: AuditFilter, slice: Slice): Promise<Part<AuditRow>> =>
  pageOf(db, { select: auditSelect, from: auditFrom, where: auditWhere(filter), order: sql`l.id desc` }, slice)
/** How many lines there are now, and the number after the newest: what is written later is not among them. */
export const countAudit = (db: TenantDb, filter: AuditFilter): Promise<{ readonly total: number; readonly end: string }> =>
  db.one(sql<{ total: number; end: string }>`
    select count(*)::int as total, (coalesce(max(l.id), 0) + 1)::text as end from ${auditFrom} where ${auditWhere(filter)}`)
/** How far the tenant's chain has come, as `npm run audit:verify -- --head` takes it; undefined before its first seal. */
export const headOfTrail = async (db: TenantDb): Promise<string | undefined> =>
  (
    await db.maybe(sql<{ head: string }>`
      select tenant_id || ':' || seq || ':' || chain_hash as head from audit_seal where tenant_id = ${db.actor.tenantId} order by seq desc limit 1`)
  )?.head
/** The lines before one of them, the newest first. */
export const readAudit = (db: TenantDb, filter: AuditFilter, before: string, limit: number): Promise<AuditRow[]> =>
  db.all(sql<AuditRow>`select ${auditSelect} from ${auditFrom} where ${auditWhere(filter, before)} order by l.id desc limit ${limit}`)
export const findAudit = (db: TenantDb, id: string): Promise<AuditRow | undefined> =>
  db.maybe(sql<AuditRow>`
    select ${auditSelect}, l.before_value as before, l.after_value as after, s.sealed_at as "sealedAt", s.chain_hash as "chainHash" from ${auditFrom} where l.id = ${id}`)
