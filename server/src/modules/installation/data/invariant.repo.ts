import type { PlatformDb, TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'
import type { BrokenRow, SqlInvariant } from '#kernel/invariant.ts'

/** Rows that are kept of one check in one tenant: more of them are a failure of the program, and the first show which. */
export const mostRows = 200
const textLimit = 200

/**
 * From here on the transaction reads only, and no statement of it takes longer than this: a check must never stand in anybody's way. Its plans are
 * made for its own parameters, and not kept.
 */
export const readCarefully = async (db: TenantDb, statementMs: number): Promise<void> => {
  db.planAnew()
  await db.run(sql`select set_config('statement_timeout', ${String(statementMs)}, true), set_config('transaction_read_only', 'on', true)`)
}

/** What PostgreSQL says when a statement took too long. */
export const isTimeOut = (error: unknown): boolean => (error as { code?: string }).code === '57014'

export const listExams = async (db: TenantDb): Promise<string[]> =>
  (await db.all(sql<{ id: string }>`select id::text as id from examination where not is_deleted order by id`)).map(({ id }) => id)

/** The rows that do not agree, at most one more than are kept. */
export const listBrokenRows = (db: TenantDb, { broken }: SqlInvariant, examId: string, most: number): Promise<BrokenRow[]> =>
  db.all(sql<BrokenRow>`
    select b.id::text as id, left(b.name::text, ${textLimit}) as name, left(b.found::text, ${textLimit}) as found, left(b.expected::text, ${textLimit}) as expected
    from (${broken({ examId, now: db.now })}) b limit ${most}`)

export interface RunRow {
  readonly id: string
  readonly tenantId: string
  readonly state: number
  readonly total: number
  readonly done: number
  readonly found: number
  readonly stopWanted: boolean
  readonly startedBy: string
  readonly startedAt: Date
  readonly endedAt: Date | null
  readonly problem: string
}
const runColumns = sql`
  r.id::text as id, r.tenant_id as "tenantId", r.state, r.total, r.done, r.found, r.stop_wanted as "stopWanted",
  coalesce((select a.account from account a where a.tenant_id = r.tenant_id and a.id = r.started_by), '') as "startedBy",
  r.started_at as "startedAt", r.ended_at as "endedAt", r.problem`

/** @returns undefined while another run of the tenant goes on */
export const insertRun = async (db: TenantDb, startedBy: string | null): Promise<string | undefined> =>
  (
    await db.maybe(sql<{ id: string }>`
      insert into invariant_run (tenant_id, started_by) values (${db.actor.tenantId}, ${startedBy}) on conflict do nothing returning id::text as id`)
  )?.id

/** A run that waits in the queue for so long was lost with it. */
const lostAfter = sql.lit('15 minutes')
/** Ends a run whose process is no more: its lock is free. */
export const giveUpDead = async (db: TenantDb): Promise<void> => {
  const going = await db.maybe(sql<{ id: string; runner: string | null; isLost: boolean }>`
    select id::text as id, runner::text as runner, started_at < app_now() - ${lostAfter}::interval as "isLost" from invariant_run where state = 1`)
  if (!going) return
  const isDead =
    going.runner === null
      ? going.isLost
      : (await db.one(sql<{ isDead: boolean }>`select pg_try_advisory_xact_lock(${going.runner}::bigint) as "isDead"`)).isDead
  if (isDead)
    await db.run(sql`
      update invariant_run set state = 4, ended_at = app_now(), problem = 'the process that ran it has ended' where id = ${going.id} and state = 1`)
}

export const takeRun = async (db: TenantDb, id: string, runner: string): Promise<boolean> =>
  (await db.run(sql`update invariant_run set runner = ${runner} where id = ${id} and state = 1 and runner is null`)) === 1
export const setTotal = async (db: TenantDb, id: string, total: number): Promise<void> => {
  await db.run(sql`update invariant_run set total = ${total} where id = ${id}`)
}
/** @returns whether somebody wants it to stop, or has ended it */
export const noteProgress = async (db: TenantDb, id: string, of: { readonly done: number; readonly found: number }): Promise<boolean> =>
  (
    await db.maybe(sql<{ ends: boolean }>`
      update invariant_run set done = ${of.done}, found = ${of.found} where id = ${id} returning stop_wanted or state <> 1 as ends`)
  )?.ends ?? true
export const endRun = async (db: TenantDb, id: string, state: number, problem: string): Promise<void> => {
  await db.run(sql`
    update invariant_run set state = ${state}, ended_at = app_now(), problem = ${problem.slice(0, 300)} where id = ${id} and state = 1`)
}
/** @returns the id of the run that is to stop; one that no process has taken yet ends here */
export const wantStop = async (db: TenantDb): Promise<string | undefined> =>
  (
    await db.maybe(sql<{ id: string }>`
      update invariant_run set stop_wanted = true, state = case when runner is null then 3 else state end, ended_at = case when runner is null then app_now() end
      where state = 1 returning id::text as id`)
  )?.id
/** The newest run of the transaction's tenant. */
export const findLastRun = (db: TenantDb): Promise<RunRow | undefined> =>
  db.maybe(sql<RunRow>`select ${runColumns} from invariant_run r order by r.id desc limit 1`)
/** Runs are kept for so long. */
export const purgeRuns = (db: PlatformDb, before: Date): Promise<number> =>
  db.run(sql`delete from invariant_run where ended_at < ${before}`)

export interface Outcome {
  readonly rows: readonly (BrokenRow & { readonly examId: string | null })[]
  readonly isMore: boolean
  readonly tookMs: number
}

/** Keeps what a check has found in the place of what it had found before. @returns whether it held until now and does not any more */
export const keepOutcome = async (db: TenantDb, name: string, { rows, isMore, tookMs }: Outcome): Promise<boolean> => {
  const { tenantId } = db.actor
  await db.run(sql`insert into invariant_state (tenant_id, name) values (${tenantId}, ${name}) on conflict do nothing`)
  const { wasOpen } = await db.one(sql<{ wasOpen: boolean }>`
    select opened_at is not null as "wasOpen" from invariant_state where name = ${name} for update`)
  await db.run(sql`delete from invariant_finding where name = ${name} and row_id <> all(${rows.map(({ id }) => id)})`)
  await db.run(sql`
    insert into invariant_finding (tenant_id, name, row_id, exam_id, row_name, found, expected)
    select ${tenantId}, ${name}, r.* from unnest(${rows.map(({ id }) => id)}::text[], ${rows.map(({ examId }) => examId)}::bigint[],
      ${rows.map(row => row.name)}::text[], ${rows.map(({ found }) => found)}::text[], ${rows.map(({ expected }) => expected)}::text[]) as r (row_id, exam_id, row_name, found, expected)
    on conflict (tenant_id, name, row_id) do update
      set row_name = excluded.row_name, found = excluded.found, expected = excluded.expected, exam_id = excluded.exam_id, last_at = app_now()`)
  await db.run(sql`
    update invariant_state set found = ${rows.length}, is_more = ${isMore}, took_ms = ${tookMs}, checked_at = app_now(), problem_zh = '', problem_en = '',
      opened_at = ${rows.length === 0 ? sql`null` : sql`coalesce(opened_at, app_now())`} where name = ${name}`)
  return !wasOpen && rows.length > 0
}

/** A check that could not be made: what it had found stays. @returns whether this is new */
export const keepProblem = async (db: TenantDb, name: string, problem: { readonly zh: string; readonly en: string }): Promise<boolean> => {
  await db.run(sql`insert into invariant_state (tenant_id, name) values (${db.actor.tenantId}, ${name}) on conflict do nothing`)
  const { had } = await db.one(sql<{ had: boolean }>`select problem_en <> '' as had from invariant_state where name = ${name} for update`)
  await db.run(sql`
    update invariant_state set problem_zh = ${problem.zh.slice(0, 300)}, problem_en = ${problem.en.slice(0, 300)}, checked_at = app_now() where name = ${name}`)
  return !had
}

export interface StateRow {
  readonly name: string
  readonly found: number
  readonly isMore: boolean
  readonly checkedAt: Date
  readonly tookMs: number
  readonly problemZh: string
  readonly problemEn: string
}
/** What stands of each check, of all tenants that the transaction sees together. */
export const listStates = (db: TenantDb | PlatformDb): Promise<StateRow[]> =>
  db.all(sql<StateRow>`
    select name, sum(found)::int as found, bool_or(is_more) as "isMore", min(checked_at) as "checkedAt", max(took_ms) as "tookMs",
      max(problem_zh) as "problemZh", max(problem_en) as "problemEn" from invariant_state group by name`)

export interface FindingRow {
  readonly id: string
  readonly name: string
  readonly tenantId: string
  readonly tenantName: string
  readonly rowId: string
  readonly examId: string | null
  readonly rowName: string
  readonly found: string
  readonly expected: string
  readonly firstAt: Date
  readonly lastAt: Date
}
export const pageFindings = async (
  db: TenantDb | PlatformDb,
  names: readonly string[],
  size: number,
  offset: number,
): Promise<{ readonly total: number; readonly rows: readonly FindingRow[] }> => ({
  total: (await db.one(sql<{ n: number }>`select count(*)::int as n from invariant_finding where name = any(${[...names]})`)).n,
  rows: await db.all(sql<FindingRow>`
    select f.id::text as id, f.name, f.tenant_id as "tenantId", t.tenant_name as "tenantName", f.row_id as "rowId", f.exam_id::text as "examId", f.row_name as "rowName",
      f.found, f.expected, f.first_at as "firstAt", f.last_at as "lastAt"
    from invariant_finding f join tenant t on t.tenant_id = f.tenant_id where f.name = any(${[...names]}) order by f.first_at, f.id limit ${size} offset ${offset}`),
})

export const listToHeal = (
  db: TenantDb | PlatformDb,
  name: string,
  id: string | undefined,
): Promise<{ tenantId: string; rowId: string }[]> =>
  db.all(sql<{ tenantId: string; rowId: string }>`
    select tenant_id as "tenantId", row_id as "rowId" from invariant_finding where name = ${name} and (${id ?? null}::bigint is null or id = ${id ?? null}::bigint) order by id`)

/** Whom the state of a tenant's data concerns: its administrators. */
export const listAdministrators = async (db: TenantDb, aliases: readonly string[]): Promise<string[]> =>
  (
    await db.all(sql<{ id: string }>`
      select distinct a.user_id::text as id from account_role a join role r on r.tenant_id = a.tenant_id and r.id = a.role_id
      where r.role_alias = any(${[...aliases]}) and not r.is_deleted order by 1`)
  ).map(({ id }) => id)
