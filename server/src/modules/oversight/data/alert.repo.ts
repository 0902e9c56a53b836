import { platformTenant } from '#contract/kernel/platform.ts'
import type { AlertEvent, AlertState } from '#contract/oversight/alert.state.ts'
import type { Measure, Span, SubjectKind } from '#contract/oversight/measure.ts'
import { nameWords } from '#contract/person/person-name.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { codeHolds, wordsLike } from '#kernel/db/search.ts'
import { allOf, sql } from '#kernel/db/sql.ts'
import type { Window } from '../domain/volume.ts'
import type { RuleRow } from './rule.repo.ts'

/** Whom a rule is about in one case. */
export interface Subject {
  readonly kind: SubjectKind
  /** `0` for a role or the tenant. */
  readonly userId: string
  /** Empty for a person or the tenant. */
  readonly roleAlias: string
}
export const findRoleNames = (db: TenantDb, alias: string): Promise<{ zh: string; en: string } | undefined> =>
  db.maybe(sql<{ zh: string; en: string }>`
    select role_name as zh, role_name_en as en from role where role_alias = ${alias} and not is_deleted`)
export const findPersonName = async (db: TenantDb, userId: string): Promise<string | undefined> =>
  (await db.maybe(sql<{ name: string }>`select coalesce(nullif(real_name, ''), account) as name from account where id = ${userId}`))?.name

export interface Raised {
  readonly rule: RuleRow
  readonly subject: Subject
  readonly window: Window
  readonly amount: number
}

/** What was raised before grows with what is counted; who was told is not told again. @returns those that were there */
export const growAlerts = async (db: TenantDb, found: readonly Raised[]): Promise<readonly Raised[]> => {
  const rows = await db.all(sql<{ at: number }>`
    with found as (
      select * from unnest(${found.map((_, at) => at)}::int[], ${found.map(one => one.rule.id)}::bigint[], ${found.map(one => one.subject.userId)}::bigint[],
        ${found.map(one => one.subject.roleAlias)}::text[], ${found.map(one => one.window.start)}::timestamptz[], ${found.map(one => one.amount)}::int[])
        as f(at, rule_id, user_id, role_alias, window_start, amount))
    update watch_alert w set amount = greatest(w.amount, f.amount), last_at = case when f.amount > w.amount then app_now() else w.last_at end
    from found f where w.rule_id = f.rule_id and w.user_id = f.user_id and w.role_alias = f.role_alias and w.window_start = f.window_start
    returning f.at`)
  return rows.flatMap(({ at }) => found[at] ?? [])
}

/** @returns the id of the alert; undefined when the rule has spoken about this subject and window already */
export const insertAlert = async (
  db: TenantDb,
  { rule, subject, window, amount }: Raised,
  limit: number,
  usual: number,
): Promise<string | undefined> =>
  (
    await db.maybe(sql<{ id: string }>`
      insert into watch_alert (tenant_id, rule_id, name_zh, name_en, measure, span, is_off_hours, threshold, factor, floor, brake, subject, user_id, role_alias,
        window_start, window_end, amount, limit_amount, usual, last_at)
      values (${db.actor.tenantId}, ${rule.id}, ${rule.nameZh}, ${rule.nameEn}, ${rule.measure}, ${rule.span}, ${rule.isOffHours}, ${rule.threshold}, ${rule.factor},
        ${rule.floor}, ${rule.brake}, ${subject.kind}, ${subject.userId}, ${subject.roleAlias}, ${window.start}, ${window.end}, ${amount}, ${limit}, ${usual}, app_now())
      on conflict (tenant_id, rule_id, subject, user_id, role_alias, window_start) do nothing returning id::text as id`)
  )?.id

export interface StoppedAlert {
  readonly id: string
  readonly nameZh: string
  readonly nameEn: string
  readonly userId: string
  readonly amount: number
  readonly limit: number
}
/** Stops the exports of whoever is so many times over the limit as the rule says, once an alert; never after it was called false. */
export const stopFarOver = (db: TenantDb, found: readonly Raised[]): Promise<StoppedAlert[]> =>
  db.all(sql<StoppedAlert>`
    update watch_alert set stopped_at = app_now()
    where rule_id = any(${found.map(one => one.rule.id)}::bigint[]) and subject = 'person' and user_id = any(${found.map(one => one.subject.userId)}::bigint[])
      and stopped_at is null and state <> 'falseAlarm' and window_end > app_now() and amount >= limit_amount::bigint * brake
    returning id::text as id, name_zh as "nameZh", name_en as "nameEn", user_id::text as "userId", amount, limit_amount as "limit"`)

export const insertStep = async (
  db: TenantDb,
  alertId: string,
  event: AlertEvent | 'raise' | 'stop' | 'release',
  words: string,
): Promise<void> => {
  await db.run(sql`
    insert into watch_alert_step (tenant_id, alert_id, event, words, user_id) values (${db.actor.tenantId}, ${alertId}, ${event}, ${words}, ${db.actor.userId})`)
}

/** Whoever may handle it: never the person it is about, nor a holder of the role it is about. */
export const handlersOf = async (db: TenantDb, subject: Subject): Promise<readonly string[]> => {
  const rows = await db.all(sql<{ id: string }>`
    select distinct a.id::text as id from account a
      join account_role ar on ar.tenant_id = a.tenant_id and ar.user_id = a.id
      join role r on r.tenant_id = ar.tenant_id and r.id = ar.role_id and not r.is_deleted
      join role_menu rm on rm.tenant_id = r.tenant_id and rm.role_id = r.id
      join menu m on m.tenant_id = rm.tenant_id and m.id = rm.menu_id and m.code = 'alert_handle' and not m.is_deleted
    where a.user_type = 1 and a.status = 1 and not a.is_deleted and a.id <> ${subject.userId}
      and not exists (select 1 from account_role o join role x on x.tenant_id = o.tenant_id and x.id = o.role_id and not x.is_deleted
        where o.user_id = a.id and x.role_alias = nullif(${subject.roleAlias}, ''))
    order by 1`)
  return rows.map(row => row.id)
}
/** The other operators of the platform, where the person is one; nobody otherwise. */
export const fellowOperators = async (db: TenantDb, userId: string): Promise<readonly string[]> => {
  if (db.actor.tenantId !== platformTenant || userId === '0') return []
  const rows = await db.all(sql<{ id: string }>`
    with operator as (
      select distinct ar.user_id from account_role ar join role r on r.tenant_id = ar.tenant_id and r.id = ar.role_id and not r.is_deleted
      where r.role_alias = 'administrator')
    select a.id::text as id from operator o join account a on a.id = o.user_id
    where a.status = 1 and not a.is_deleted and a.id <> ${userId} and exists (select 1 from operator where user_id = ${userId}) order by 1`)
  return rows.map(row => row.id)
}

export interface AlertRow {
  readonly id: string
  readonly ruleId: string
  readonly nameZh: string
  readonly nameEn: string
  readonly measure: Measure
  readonly span: Span
  readonly subject: SubjectKind
  readonly userId: string
  readonly account: string | null
  readonly realName: string | null
  readonly roleAlias: string
  readonly roleZh: string | null
  readonly roleEn: string | null
  readonly isOffHours: boolean
  readonly threshold: number | null
  readonly factor: number | null
  readonly floor: number
  readonly windowStart: Date
  readonly windowEnd: Date
  readonly amount: number
  readonly limit: number
  readonly usual: number
  readonly state: AlertState
  readonly createdAt: Date
  readonly lastAt: Date
  readonly stoppedAt: Date | null
  readonly handler: string | null
  readonly handledAt: Date | null
  readonly version: number
}
const select = sql`
  w.id::text as id, w.rule_id::text as "ruleId", w.name_zh as "nameZh", w.name_en as "nameEn", w.measure, w.span, w.subject, w.user_id::text as "userId",
  a.account, a.real_name as "realName", w.role_alias as "roleAlias", r.role_name as "roleZh", r.role_name_en as "roleEn", w.is_off_hours as "isOffHours", w.threshold, w.factor::float8 as factor, w.floor,
  w.window_start as "windowStart", w.window_end as "windowEnd", w.amount, w.limit_amount as "limit", w.usual::float8 as usual, w.state,
  w.created_at as "createdAt", w.last_at as "lastAt", w.stopped_at as "stoppedAt", h.real_name as handler, w.handled_at as "handledAt", w.version`
const from = sql`watch_alert w left join account a on a.id = w.user_id left join account h on h.id = w.handler_id
  left join role r on w.role_alias <> '' and r.role_alias = w.role_alias and not r.is_deleted`
/** Nobody reads an alert about themselves. */
const notOwn = (db: TenantDb) => sql`w.user_id <> ${db.actor.userId}`

export interface AlertFilter {
  readonly state?: AlertState
  readonly isOpen?: boolean
  readonly measure?: Measure
  readonly account?: string
  readonly from?: Date | undefined
  readonly to?: Date | undefined
}
export const pageAlerts = async (db: TenantDb, filter: AlertFilter, limit: number, offset: number) => {
  const where = allOf([
    notOwn(db),
    filter.state && sql`w.state = ${filter.state}`,
    filter.isOpen === true && sql`w.state in ('new', 'looking')`,
    filter.measure && sql`w.measure = ${filter.measure}`,
    filter.account
      ? sql`(${codeHolds(sql`a.account`, filter.account)} or ${wordsLike(sql`a.real_name`, nameWords(filter.account))})`
      : undefined,
    filter.from && sql`w.window_end > ${filter.from}`,
    filter.to && sql`w.window_start <= ${filter.to}`,
  ])
  const rows = await db.all(sql<AlertRow>`select ${select} from ${from} where ${where} order by w.id desc limit ${limit} offset ${offset}`)
  const { total } = await db.one(sql<{ total: number }>`select count(*)::int as total from ${from} where ${where}`)
  return { rows, total }
}
export const findAlert = (db: TenantDb, id: string): Promise<AlertRow | undefined> =>
  db.maybe(sql<AlertRow>`select ${select} from ${from} where w.id = ${id} and ${notOwn(db)}`)
export const lockAlert = async (db: TenantDb, id: string): Promise<AlertRow | undefined> => {
  await db.run(sql`select 1 from watch_alert where id = ${id} for update`)
  return findAlert(db, id)
}

export interface StepRow {
  readonly id: string
  readonly event: AlertEvent | 'raise' | 'stop' | 'release'
  readonly words: string
  readonly by: string
  readonly createdAt: Date
}
export const stepsOf = (db: TenantDb, alertId: string): Promise<StepRow[]> =>
  db.all(sql<StepRow>`
    select s.id::text as id, s.event, s.words, coalesce(a.real_name, '') as by, s.created_at as "createdAt"
    from watch_alert_step s left join account a on a.id = s.user_id where s.alert_id = ${alertId} order by s.id`)
