import { createSealer } from '#kernel/audit-chain/seal.ts'
import { sql } from '#kernel/db/sql.ts'
import { createLog } from '#kernel/log.ts'
import type { Person, TestApp, TestTenant } from './app.ts'

/** The fourteen before the day tests begin on. */
export const workingDays = [
  '02-25',
  '02-26',
  '02-27',
  '03-02',
  '03-03',
  '03-04',
  '03-05',
  '03-06',
  '03-09',
  '03-10',
  '03-11',
  '03-12',
  '03-13',
  '03-16',
].map(day => `2026-${day}`)

/** What is done and seen around the watch on unusual volume, in the application and tenant of the moment. */
export const watching = (of: () => { readonly t: TestApp; readonly tenant: TestTenant }) => {
  const seal = async (): Promise<void> => {
    const { pools, secrets } = of().t.app.services
    const sealer = createSealer({
      pool: pools.kaopu_platform,
      key: secrets.auditKey,
      clock: of().t.clock,
      log: createLog('silent'),
      heads: null,
      isTicking: false,
    })
    await sealer.sealNow()
    await sealer.stop()
  }
  /** Seals what is committed and counts it. @returns alerts raised, of every tenant */
  const look = async (): Promise<number> => {
    await seal()
    return of().t.app.modules.oversight.count()
  }
  /** So many lines of the trail in somebody's name, an hour and more ago where it says so. */
  const act = (who: Person, action: string, times: number, more: { tenant?: TestTenant; hoursAgo?: number; rows?: number } = {}) =>
    (more.tenant ?? of().tenant).db(db =>
      db.run(sql`
        insert into audit_log (tenant_id, user_id, actor_kind, action, entity, after_value, created_at)
        select ${who.tenantId}, ${who.userId}, 'staff', ${action}, 'x', ${more.rows === undefined ? null : JSON.stringify({ rows: more.rows })}::jsonb,
          app_now() - make_interval(hours => ${more.hoursAgo ?? 0}) from generate_series(1, ${times})`),
    )
  /** What somebody did on days before, at nine in the morning. */
  const habit = (who: Person, measure: string, days: readonly string[], amount: number) =>
    of().tenant.db(db =>
      db.run(sql`
        insert into watch_tally (tenant_id, measure, user_id, hour, amount)
        select ${of().tenant.tenantId}, ${measure}, ${who.userId}, (d || 'T09:00:00+08:00')::timestamptz, ${amount} from unnest(${[...days]}::text[]) d`),
    )
  const alerts = async (by: Person, query: Readonly<Record<string, string | number>> = {}) =>
    (await by.get('/blade-watch/alert/list', { query: { size: 100, ...query } })).body.data.records
  const detail = async (by: Person, id: string) => (await by.get('/blade-watch/alert/detail', { query: { id } })).body
  const stored = (at = of().tenant) =>
    at.rows(sql<{ code: string; userId: string }>`
      select r.code, w.user_id::text as "userId", w.role_alias as "roleAlias", w.amount, w.limit_amount as "limit", w.usual::float8 as usual, w.state
      from watch_alert w join watch_rule r on r.id = w.rule_id order by r.sort, w.id`)
  const ruleOf = async (code: string) =>
    (await of().tenant.rows(sql<{ id: string }>`select id::text as id from watch_rule where code = ${code}`))[0]?.id ?? ''
  const trail = (action: string) =>
    of().tenant.rows(
      sql<{
        by: string
        reason: string | null
      }>`select user_id::text as by, entity_id as id, reason, after_value as after from audit_log where action like ${action} order by id`,
    )
  return { seal, look, act, habit, alerts, detail, stored, ruleOf, trail }
}
