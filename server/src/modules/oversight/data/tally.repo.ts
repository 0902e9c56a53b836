import type { Measure } from '#contract/oversight/measure.ts'
import type { PlatformDb, TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'
import type { Tally, TrailLine } from '../domain/tally.ts'
import { mostAmount, type OfficeHours, type Volume } from '../domain/volume.ts'

/** Tenants whose trail or logs have lines that are not counted yet: one look into an index for each tenant. */
export const tenantsWithNews = async (db: PlatformDb): Promise<readonly string[]> => {
  const rows = await db.all(sql<{ tenantId: string }>`
    select t.tenant_id as "tenantId" from tenant t left join watch_mark m on m.tenant_id = t.tenant_id
    where exists (select 1 from audit_seal s where s.tenant_id = t.tenant_id and s.seq > coalesce(m.audit_seq, 0))
      or exists (select 1 from watch_pending p where p.tenant_id = t.tenant_id)
    order by t.tenant_id`)
  return rows.map(row => row.tenantId)
}

export interface Mark {
  readonly auditSeq: string
  readonly quietSeq: string
}
/** How far this tenant is counted, held until the commit; undefined while another process counts it. */
export const takeMark = async (db: TenantDb): Promise<Mark | undefined> => {
  await db.run(sql`insert into watch_mark (tenant_id) values (${db.actor.tenantId}) on conflict do nothing`)
  return db.maybe(sql<Mark>`
    select audit_seq::text as "auditSeq", quiet_seq::text as "quietSeq" from watch_mark where tenant_id = ${db.actor.tenantId} for update skip locked`)
}

export interface SealedLine extends TrailLine {
  readonly seq: string
}
/**
 * The next lines in the order of the chain, which one sealer writes: no line appears before one that was read already. Each line is looked up by itself:
 * while little is known of a growing trail, the planner would read all people of the tenant for a handful of lines.
 */
export const readTrail = (db: TenantDb, after: string, limit: number): Promise<SealedLine[]> => {
  db.planOnce('by index')
  return db.all(sql<SealedLine>`
    select s.seq::text as seq, l.user_id::text as "userId", l.action, l.created_at as at,
      (select a.user_type from account a where a.tenant_id = l.tenant_id and a.id = l.user_id) as "userType",
      case when jsonb_typeof(coalesce(l.after_value->'rows', l.after_value->'people')) = 'number'
        then least(coalesce(l.after_value->'rows', l.after_value->'people')::numeric, ${mostAmount})::int end as rows
    from (select tenant_id, seq, audit_id from audit_seal where tenant_id = ${db.actor.tenantId} and seq > ${after} order by seq limit ${limit}) s
      cross join lateral (select * from audit_log where tenant_id = s.tenant_id and id = s.audit_id offset 0) l
    order by s.seq`)
}
export const moveMark = (db: TenantDb, seq: string): Promise<number> => db.run(sql`update watch_mark set audit_seq = ${seq}`)

/** Takes failed log-ins and refused calls away to count them: with a rollback they are there again. */
export const takePending = async (db: TenantDb, limit: number): Promise<readonly Tally[]> =>
  db.all(sql<Tally>`
    with taken as (
      delete from watch_pending where id in (select id from watch_pending order by id limit ${limit} for update skip locked)
      returning measure, user_id, happened_at)
    select measure, user_id::text as "userId", date_trunc('hour', happened_at, 'UTC') as hour, count(*)::int as amount from taken group by 1, 2, 3`)

export const addTallies = async (db: TenantDb, tallies: readonly Tally[]): Promise<void> => {
  await db.run(sql`
    insert into watch_tally (tenant_id, measure, user_id, hour, amount)
    select ${db.actor.tenantId}, t.measure, t.user_id, t.hour, least(t.amount, ${mostAmount})::int from unnest(${tallies.map(t => t.measure)}::text[], ${tallies.map(t => t.userId)}::bigint[], ${tallies.map(t => t.hour)}::timestamptz[],
      ${tallies.map(t => t.amount)}::bigint[]) as t(measure, user_id, hour, amount)
    on conflict (tenant_id, measure, user_id, hour) do update set amount = least(watch_tally.amount::bigint + excluded.amount, ${mostAmount})::int`)
}

/** Once a day; what is usual looks a month back. */
export const sweepTallies = async (db: TenantDb, before: Date): Promise<void> => {
  const due = await db.run(
    sql`update watch_mark set swept_at = app_now() where swept_at is null or swept_at < app_now() - interval '1 day'`,
  )
  if (due > 0) await db.run(sql`delete from watch_tally where hour < ${before}`)
}

export interface KeyedVolume extends Volume {
  readonly measure: Measure
  /** Id of the person, alias of the role, or empty for the tenant. */
  readonly key: string
}
/** Volumes of people since an instant, by hour. */
export const volumesOfPeople = (db: TenantDb, measures: readonly Measure[], people: readonly string[], since: Date) =>
  db.all(sql<KeyedVolume>`
    select measure, user_id::text as key, hour, amount from watch_tally
    where measure = any(${[...measures]}) and user_id = any(${[...people]}::bigint[]) and hour >= ${since} order by hour`)
/** The same of all holders of a role together. */
export const volumesOfRoles = (db: TenantDb, measures: readonly Measure[], aliases: readonly string[], since: Date) =>
  db.all(sql<KeyedVolume>`
    select t.measure, r.role_alias as key, t.hour, least(sum(t.amount), ${mostAmount})::int as amount
    from watch_tally t join account_role ar on ar.tenant_id = t.tenant_id and ar.user_id = t.user_id
      join role r on r.tenant_id = ar.tenant_id and r.id = ar.role_id and not r.is_deleted
    where t.measure = any(${[...measures]}) and r.role_alias = any(${[...aliases]}) and t.hour >= ${since} group by 1, 2, 3 order by 3`)
/** The same of everybody. */
export const volumesOfTenant = (db: TenantDb, measures: readonly Measure[], since: Date) =>
  db.all(sql<KeyedVolume>`
    select measure, '' as key, hour, least(sum(amount), ${mostAmount})::int as amount from watch_tally
    where measure = any(${[...measures]}) and hour >= ${since} group by measure, hour order by hour`)

/** Roles of people. */
export const rolesOf = async (db: TenantDb, people: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> => {
  const rows = await db.all(sql<{ userId: string; aliases: string[] }>`
    select ar.user_id::text as "userId", json_agg(r.role_alias) as aliases
    from account_role ar join role r on r.tenant_id = ar.tenant_id and r.id = ar.role_id and not r.is_deleted
    where ar.user_id = any(${[...people]}::bigint[]) group by ar.user_id`)
  return new Map(rows.map(row => [row.userId, row.aliases]))
}

const usualOffice: OfficeHours = { from: 8, to: 18, days: 5, daysOff: new Set(), workDays: new Set() }
type StoredOffice = Omit<OfficeHours, 'daysOff' | 'workDays'> & {
  readonly daysOff: readonly string[]
  readonly workDays: readonly string[]
}
export const readOffice = async (db: TenantDb): Promise<OfficeHours> => {
  const row = await db.maybe(sql<StoredOffice>`
    select from_hour as from, to_hour as to, days, days_off as "daysOff", work_days as "workDays" from watch_office`)
  return row ? { ...row, daysOff: new Set(row.daysOff), workDays: new Set(row.workDays) } : usualOffice
}
export const saveOfficeHours = async (db: TenantDb, office: OfficeHours): Promise<void> => {
  await db.run(sql`
    insert into watch_office (tenant_id, from_hour, to_hour, days, days_off, work_days, updated_by)
    values (${db.actor.tenantId}, ${office.from}, ${office.to}, ${office.days}, ${JSON.stringify([...office.daysOff])}, ${JSON.stringify([...office.workDays])}, ${db.actor.userId})
    on conflict (tenant_id) do update set from_hour = excluded.from_hour, to_hour = excluded.to_hour, days = excluded.days,
      days_off = excluded.days_off, work_days = excluded.work_days,
      updated_by = excluded.updated_by, updated_at = app_now()`)
}
