import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { type Person, startTestApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { watching, workingDays } from '../../support/watching.ts'

let t: TestApp
/** A second process on the same database. */
let two: TestApp
let tenant: TestTenant
let auditor: Person
let secadmin: Person
let reviewer: Person
beforeAll(async () => {
  t = await startTestApp()
  two = await t.beside()
})
afterAll(() => t.close())
beforeEach(async () => {
  tenant = await t.tenant()
  auditor = await tenant.staff('auditor', { realName: '审计甲' })
  secadmin = await tenant.staff('secadmin', { realName: '安全甲' })
  reviewer = await tenant.staff('reviewer1', { realName: '审核甲' })
})

const { seal, look, act, habit, alerts, detail, stored, ruleOf, trail } = watching(() => ({ t, tenant }))

describe('[security 3.8] alerts on unusual volume', () => {
  test('from the limit on there is one alert: with who, what, how much, against what; it is in the trail and told to whoever handles it', async () => {
    const other = await t.tenant()
    const theirAuditor = await other.staff('auditor')
    const theirs = await other.staff('reviewer1')
    await act(theirs, 'signup.read', 110, { tenant: other })
    await act(reviewer, 'signup.read', 119)
    expect(await look()).toBe(0)
    await act(reviewer, 'signup.read', 1)
    expect(await look()).toBe(1)
    await act(reviewer, 'signup.read', 40)
    expect(await look()).toBe(0)
    const [alert, ...more] = await alerts(auditor)
    expect([alert, more]).toEqual([
      {
        id: expect.stringMatching(/^\d+$/),
        ruleId: await ruleOf('reads-hour'),
        ruleName: '一小时内大量查看个人信息',
        measure: 'reads',
        span: 'hour',
        subject: 'person',
        userId: reviewer.userId,
        account: expect.any(String),
        realName: '审核甲',
        roleAlias: '',
        roleName: '',
        isOffHours: false,
        windowStart: '2026-03-17 10:00:00',
        windowEnd: '2026-03-17 11:00:00',
        amount: 160,
        limit: 120,
        usual: 0,
        state: 0,
        raisedTime: '2026-03-17 10:00:00',
        lastTime: '2026-03-17 10:00:00',
        stoppedTime: null,
        handler: null,
        handledTime: null,
      },
      [],
    ])
    const shown = (await detail(auditor, alert.id)).data
    expect([shown.threshold, shown.factor, shown.floor, shown.mayHandle, shown.series.length]).toEqual([200, 5, 120, true, 24])
    expect(shown.series[10]).toEqual({ at: '2026-03-17 10:00:00', amount: 160, isOff: false })
    expect(shown.steps).toMatchObject([{ event: 'raise', words: '', time: '2026-03-17 10:00:00' }])
    expect(
      await tenant.rows(
        sql<object>`select user_id::text as to, link, title_zh, content_zh, event_key from notify where event_key not like 'apart-%' order by user_id`,
      ),
    ).toEqual(
      [auditor.userId, secadmin.userId].sort().map(to => ({
        to,
        link: `/monitor/alert?alert.id=${alert.id}`,
        title_zh: '告警：一小时内大量查看个人信息',
        content_zh: '审核甲自 2026-03-17 10:00 起一小时内“查看个人信息”达 120，限值 120，平常 0。',
        event_key: `alert:${alert.id}`,
      })),
    )
    expect(await trail('alert.%')).toEqual([
      {
        by: '0',
        id: alert.id,
        reason: null,
        after: {
          rule: '一小时内大量查看个人信息',
          measure: 'reads',
          userId: reviewer.userId,
          roleAlias: '',
          amount: 120,
          limit: 120,
          usual: 0,
          told: 2,
        },
      },
    ])
    const home = (await auditor.get('/me/home')).body.data
    expect(home.todos).toContainEqual({
      key: 'alerts',
      count: 1,
      oldestTime: '2026-03-17 10:00:00',
      examId: null,
      examName: null,
      path: '/monitor/alert',
    })
    expect([await alerts(theirAuditor), (await detail(theirAuditor, alert.id)).code]).toEqual([[], 404])
  })

  test('habit: more than so many times the median of fourteen working days, never below the floor; idle days count as nothing', async () => {
    const colleague = await tenant.staff('reviewer2', { realName: '复核甲' })
    const idle = await tenant.staff('finance')
    await tenant.db(db => db.run(sql`update watch_rule set is_on = false where not is_fixed and code <> 'reads-day'`))
    await habit(reviewer, 'reads', workingDays, 90)
    await habit(colleague, 'reads', workingDays.slice(0, 9), 80)
    for (const who of [reviewer, colleague, idle]) await act(who, 'signup.read', 299)
    expect(await look()).toBe(0)
    await act(colleague, 'signup.read', 22)
    await act(idle, 'signup.read', 1)
    await act(reviewer, 'signup.read', 61)
    expect(await look()).toBe(2)
    await act(reviewer, 'signup.read', 1)
    expect(await look()).toBe(1)
    expect(await stored()).toEqual([
      { code: 'reads-day', userId: colleague.userId, roleAlias: '', amount: 321, limit: 321, usual: 80, state: 'new' },
      { code: 'reads-day', userId: idle.userId, roleAlias: '', amount: 300, limit: 300, usual: 0, state: 'new' },
      { code: 'reads-day', userId: reviewer.userId, roleAlias: '', amount: 361, limit: 361, usual: 90, state: 'new' },
    ])
    const [last] = await alerts(auditor)
    const { series } = (await detail(auditor, last.id)).data
    expect([series.length, series[0].at, series.at(-1), series.at(-2), series.at(-3)]).toEqual([
      21,
      '2026-02-25 00:00:00',
      { at: '2026-03-17 00:00:00', amount: 361, isOff: false },
      { at: '2026-03-16 00:00:00', amount: 90, isOff: false },
      { at: '2026-03-15 00:00:00', amount: 0, isOff: true },
    ])
  })

  test('exported rows, work outside office hours, a role as a whole, failed log-ins of everybody and refused calls have rules of their own', async () => {
    const admin = await tenant.staff('admin', { realName: '管理甲' })
    const second = await tenant.staff('reviewer1')
    await tenant.db(db =>
      db.run(sql`
        insert into role_menu (tenant_id, role_id, menu_id) select ${tenant.tenantId}, r.id, m.id from role r, menu m
        where r.role_alias = 'reviewer1' and m.code in ('alert_view', 'alert_handle')`),
    )
    const insider = await tenant.staff('reviewer1')
    await act(admin, 'signup.exported', 2, { rows: 2_500 })
    // 22:00 of the day before is a working day's evening.
    await act(admin, 'param.updated', 49, { hoursAgo: 12 })
    await act(admin, 'region.exported', 1, { hoursAgo: 12 })
    await act(reviewer, 'param.updated', 60, { hoursAgo: 12 })
    await tenant.db(db => db.run(sql`update watch_rule set floor = 150 where code = 'reads-reviewers'`))
    for (const who of [reviewer, second]) await act(who, 'signup.opened-for-review', 80)
    await tenant.db(db =>
      db.run(sql`
        insert into login_log (tenant_id, user_id, account_key, grant_type, result)
        select ${tenant.tenantId}, 0, 'x', 'password', r from unnest(array_fill('auth/invalid-grant'::text, array[60]) || array_fill('ok'::text, array[99]) || array_fill('auth/invalid-captcha'::text, array[99])) r`),
    )
    await t.app.services.scopes.asPlatform('test', t.clock.now(), db =>
      db.run(sql`
        insert into api_log (tenant_id, user_id, user_type, method, path, status, duration_ms, created_at)
        select ${tenant.tenantId}, ${reviewer.userId}, 1, 'GET', '/x', s, 1, ${t.clock.now()} from unnest(array_fill(403, array[20]) || array_fill(423, array[10]) || array_fill(404, array[50])) s`),
    )
    await look()
    const at = (code: string, who: Person | undefined, amount: number, limit: number, roleAlias = '') => ({
      ...{ code, userId: who?.userId ?? '0', roleAlias, amount, limit, usual: 0, state: 'new' },
    })
    expect(await stored()).toEqual([
      at('reads-reviewers', undefined, 160, 150, 'reviewer1'),
      at('rows-day', admin, 5_000, 1_000),
      at('logins-hour', undefined, 60, 60),
      at('refusals-hour', reviewer, 30, 30),
      at('keepers-off', admin, 50, 50),
    ])
    const [wide] = await alerts(auditor, { measure: 'failedLogins' })
    expect([wide.subject, wide.userId, wide.realName]).toEqual(['tenant', '', ''])
    // Somebody of the role neither hears of it nor judges it; whoever has not may.
    const [role] = await alerts(insider, { measure: 'reads' })
    expect(
      await tenant.rows(sql<object>`select user_id::text as to from notify where event_key = ${`alert:${role.id}`} order by 1`),
    ).toEqual([auditor.userId, secadmin.userId].sort().map(to => ({ to })))
    const take = (by: Person) => by.post('/blade-watch/alert/take', { json: { id: role.id } })
    expect([(await detail(insider, role.id)).data.mayHandle, (await take(insider)).body.reason, (await take(auditor)).status]).toEqual([
      false,
      'watch/own-role',
      200,
    ])
  })

  test('two processes at once: every line is counted once, every alert raised once', async () => {
    let lines = 0
    for (let round = 0; round < 10; round += 1) {
      await act(reviewer, 'signup.read', 30)
      lines += 30
      await seal()
      await Promise.all(Array.from({ length: 6 }, (_, at) => (at % 2 === 0 ? t : two).app.modules.oversight.count()))
    }
    expect(await tenant.rows(sql<object>`select amount from watch_tally where measure = 'reads'`)).toEqual([{ amount: lines }])
    expect((await stored()).map(row => row.code)).toEqual(['reads-hour', 'reads-day'])
    expect(await tenant.rows(sql<object>`select user_id from notify where event_key not like 'apart-%'`)).toHaveLength(4)
  })

  test('a process that dies while it counts has counted nothing; the next one counts all of it', async () => {
    const owner = new pg.Client({ connectionString: t.databaseUrl })
    await owner.connect()
    await owner.query(`create function died() returns trigger language plpgsql as $$ begin raise exception 'killed'; end $$;
      create trigger died before insert on watch_alert_step for each row execute function died()`)
    await act(reviewer, 'signup.read', 130)
    await tenant.db(db =>
      db.run(
        sql`insert into login_log (tenant_id, account_key, grant_type, result) values (${tenant.tenantId}, 'x', 'password', 'auth/invalid-grant')`,
      ),
    )
    expect(await look()).toBe(0)
    expect([
      await stored(),
      await tenant.rows(sql`select 1 from watch_tally`),
      await tenant.rows(sql`select 1 from notify where event_key not like 'apart-%'`),
    ]).toEqual([[], [], []])
    await owner.query('drop trigger died on watch_alert_step; drop function died()')
    await owner.end()
    expect(await two.app.modules.oversight.count()).toBe(1)
    expect(await tenant.rows(sql<object>`select measure, amount from watch_tally order by measure`)).toEqual([
      { measure: 'failedLogins', amount: 1 },
      { measure: 'reads', amount: 130 },
      { measure: 'work', amount: 130 },
    ])
  })

  test('a line that tells of more than can be counted is counted as very much, and the next ones too', async () => {
    const admin = await tenant.staff('admin')
    for (let line = 0; line < 2; line += 1) await act(admin, 'signup.exported', 2, { rows: 9_000_000_000 })
    await act(await tenant.staff('finance'), 'signup.exported', 1, { rows: 9_000_000_000 })
    await tenant.db(db => db.run(sql`update watch_rule set subject = 'tenant', brake = null where code = 'rows-day'`))
    expect(await look()).toBe(1)
    expect(await stored()).toEqual([
      { code: 'rows-day', userId: '0', roleAlias: '', amount: 2_000_000_000, limit: 1_000, usual: 0, state: 'new' },
    ])
  })

  test('what was there before the rules is habit and raises nothing', async () => {
    await act(reviewer, 'signup.read', 1_000)
    await seal()
    await tenant.db(db =>
      db.run(
        sql`insert into watch_mark (tenant_id, quiet_seq) select ${tenant.tenantId}, max(seq) from audit_seal where tenant_id = ${tenant.tenantId}`,
      ),
    )
    expect(await look()).toBe(0)
    expect(await tenant.rows(sql<object>`select amount from watch_tally where measure = 'reads'`)).toEqual([{ amount: 1_000 }])
    await act(reviewer, 'signup.read', 1)
    expect(await look()).toBe(2)
  })
})
