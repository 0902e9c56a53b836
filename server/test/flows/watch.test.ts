import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createSealer } from '#kernel/audit-chain/seal.ts'
import { sql } from '#kernel/db/sql.ts'
import { createLog } from '#kernel/log.ts'
import { type Person, startTestApp, type TestApp, type TestTenant } from '../support/app.ts'

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

const seal = async (): Promise<void> => {
  const { pools, secrets } = t.app.services
  const sealer = createSealer({
    pool: pools.kaopu_platform,
    key: secrets.auditKey,
    clock: t.clock,
    log: createLog('silent'),
    isTicking: false,
  })
  await sealer.sealNow()
  await sealer.stop()
}
/** Seals what is committed and counts it. @returns alerts raised, of every tenant */
const look = async (): Promise<number> => {
  await seal()
  return t.app.modules.watch.count()
}
/** So many lines of the trail in somebody's name, an hour and more ago where it says so. */
const act = (who: Person, action: string, times: number, of: { tenant?: TestTenant; hoursAgo?: number; rows?: number } = {}) =>
  (of.tenant ?? tenant).db(db =>
    db.run(sql`
      insert into audit_log (tenant_id, user_id, actor_kind, action, entity, after_value, created_at)
      select ${who.tenantId}, ${who.userId}, 'staff', ${action}, 'x', ${of.rows === undefined ? null : JSON.stringify({ rows: of.rows })}::jsonb,
        app_now() - make_interval(hours => ${of.hoursAgo ?? 0}) from generate_series(1, ${times})`),
  )
/** What somebody did on days before, at nine in the morning. */
const habit = (who: Person, measure: string, days: readonly string[], amount: number) =>
  tenant.db(db =>
    db.run(sql`
      insert into watch_tally (tenant_id, measure, user_id, hour, amount)
      select ${tenant.tenantId}, ${measure}, ${who.userId}, (d || 'T09:00:00+08:00')::timestamptz, ${amount} from unnest(${[...days]}::text[]) d`),
  )
const alerts = async (by: Person, query: Readonly<Record<string, string | number>> = {}) =>
  (await by.get('/blade-watch/alert/list', { query: { size: 100, ...query } })).body.data.records
const detail = async (by: Person, id: string) => (await by.get('/blade-watch/alert/detail', { query: { id } })).body
const stored = (of = tenant) =>
  of.rows(sql<{ code: string; userId: string }>`
    select r.code, w.user_id::text as "userId", w.role_alias as "roleAlias", w.amount, w.limit_amount as "limit", w.usual::float8 as usual, w.state
    from watch_alert w join watch_rule r on r.id = w.rule_id order by r.sort, w.id`)
const ruleOf = async (code: string) =>
  (await tenant.rows(sql<{ id: string }>`select id::text as id from watch_rule where code = ${code}`))[0]?.id ?? ''
const trail = (action: string) =>
  tenant.rows(
    sql<{
      by: string
      reason: string | null
    }>`select user_id::text as by, entity_id as id, reason, after_value as after from audit_log where action like ${action} order by id`,
  )
const workingDays = [
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
      await tenant.rows(sql<object>`select user_id::text as to, link, title_zh, content_zh, event_key from notify order by user_id`),
    ).toEqual(
      [auditor.userId, secadmin.userId].sort().map(to => ({
        to,
        link: `/monitor/alert?alert.id=${alert.id}`,
        title_zh: '告警：一小时内大量查看个人信息',
        content_zh: '审核甲自 2026-03-17 10:00:00 起一小时内“查看个人信息”达 120，限值 120，平常 0。',
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
        select ${tenant.tenantId}, 0, 'x', 'password', r from unnest(array_fill('auth/invalid-grant'::text, array[60]) || array_fill('ok'::text, array[99])) r`),
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
      await Promise.all(Array.from({ length: 6 }, (_, at) => (at % 2 === 0 ? t : two).app.modules.watch.count()))
    }
    expect(await tenant.rows(sql<object>`select amount from watch_tally where measure = 'reads'`)).toEqual([{ amount: lines }])
    expect((await stored()).map(row => row.code)).toEqual(['reads-hour', 'reads-day'])
    expect(await tenant.rows(sql<object>`select user_id from notify`)).toHaveLength(4)
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
    expect([await stored(), await tenant.rows(sql`select 1 from watch_tally`), await tenant.rows(sql`select 1 from notify`)]).toEqual([
      [],
      [],
      [],
    ])
    await owner.query('drop trigger died on watch_alert_step; drop function died()')
    await owner.end()
    expect(await two.app.modules.watch.count()).toBe(1)
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

describe('[security 3.8] an alert is handled', () => {
  const raise = async (who: Person): Promise<string> => {
    await act(who, 'audit.read', 60)
    await look()
    const [{ id } = { id: '' }] = await tenant.rows(
      sql<{ id: string }>`select id::text as id from watch_alert where user_id = ${who.userId}`,
    )
    return id
  }

  test('by somebody who looks at it and says what it was; each step has its author, its words and its line; closed is closed', async () => {
    const id = await raise(reviewer)
    const call = (what: 'take' | 'close', by: Person, json: object) => by.post(`/blade-watch/alert/${what}`, { json: { id, ...json } })
    expect((await call('take', auditor, { version: 0, words: '先问本人' })).body.data).toEqual({ id, state: 1 })
    expect((await call('take', secadmin, {})).body.reason).toBe('watch/handled')
    expect((await call('close', auditor, { outcome: 'finding', version: 0, words: '旧页面' })).body.reason).toBe('kernel/changed-meanwhile')
    expect((await call('close', auditor, { outcome: 'finding', words: '' })).status).toBe(400)
    t.clock.advance(60_000)
    expect((await call('close', secadmin, { outcome: 'falseAlarm', words: '集中审核日', version: 1 })).body.data).toEqual({ id, state: 3 })
    expect((await call('close', auditor, { outcome: 'finding', words: '再改' })).body.reason).toBe('watch/handled')
    expect(
      (await detail(auditor, id)).data.steps.map((one: { event: string; words: string; by: string }) => [one.event, one.words, one.by]),
    ).toEqual([
      ['raise', '', ''],
      ['take', '先问本人', '审计甲'],
      ['dismiss', '集中审核日', '安全甲'],
    ])
    expect((await trail('alert.%')).slice(1)).toEqual([
      { by: auditor.userId, id, reason: '先问本人', after: { state: 'looking' } },
      { by: secadmin.userId, id, reason: '集中审核日', after: { state: 'falseAlarm' } },
    ])
    const asked = [{ open: 1 }, { state: 3 }, { state: 0 }, { account: '审核甲' }, { account: '没有' }, { from: '2026-03-18 00:00:00' }]
    expect(await Promise.all(asked.map(async query => (await alerts(auditor, query)).length))).toEqual([0, 1, 0, 1, 0, 0])
    expect((await auditor.get('/me/home')).body.data.todos).toContainEqual(expect.objectContaining({ key: 'alerts', count: 0 }))
  })

  test('far over the limit exports stop for that person alone: every door, a prepared file and one that is being written; until it is called false', async () => {
    const office = await tenant.staff(['admin', 'exam_admin'], { realName: '考务甲' })
    const colleague = await tenant.staff('admin')
    const posts = (by: Person) => by.get('/blade-system/post/export')
    const order = async () => (await office.get('/blade-system/role/list')).status
    await tenant.rows(sql`update param set param_value = '1' where param_key = 'export.asyncRows'`)
    await tenant.db(db =>
      db.run(
        sql`insert into post (tenant_id, category, post_code, post_name, sort) select ${tenant.tenantId}, 1, 'p' || n, 'p' || n, n from generate_series(1, 3) n`,
      ),
    )
    const prepared = (await posts(office)).body.data.id
    const waiting = (await posts(office)).body.data.id
    const runWaiting = async (id: string) => {
      const task = t.app.modules.tasks.find(one => one.name === 'file.export')
      await task?.run({ tenantId: tenant.tenantId, id } as never, { attempt: 1, now: t.clock.now() })
    }
    await runWaiting(prepared)
    const link: string = (await office.get('/blade-exam/exportjob/detail', { query: { id: prepared } })).body.data.fileUrl
    expect((await office.get(link)).status).toBe(200)
    await act(office, 'signup.exported', 47)
    expect([await look(), (await alerts(auditor))[0].stoppedTime, (await posts(office)).status]).toEqual([2, null, 200])
    expect(await look()).toBe(0)
    const [byHour] = (await alerts(auditor)).filter((one: { span: string; isOffHours: boolean }) => one.span === 'hour')
    expect([byHour.amount, byHour.stoppedTime]).toEqual([50, byHour.raisedTime])

    const before = (await trail('%')).length
    const stopped = await posts(office)
    expect([stopped.status, stopped.body.code, stopped.body.reason]).toEqual([429, 2801, 'kernel/exports-stopped'])
    const doors = [
      () => office.get('/blade-system/user/export-user'),
      () => office.get('/blade-system/dict-biz/export-dict'),
      () => office.get('/blade-exam/exportjob/download', { query: { id: prepared } }),
      () => office.get(link),
      () => office.get('/blade-system/role/exportViewAs', { query: { userId: reviewer.userId } }),
    ]
    for (const door of doors) expect((await door()).body.reason).toBe('kernel/exports-stopped')
    expect((await trail('%')).length).toBe(before)
    // What is being written ends as well; whoever else exports and whatever else they do goes on.
    await runWaiting(waiting)
    expect((await office.get('/blade-exam/exportjob/detail', { query: { id: waiting } })).body.data).toMatchObject({
      state: 5,
      problem: '您近期的导出远超平常，已暂停导出，请联系审计员或安全管理员',
    })
    expect([(await posts(colleague)).status, await order()]).toEqual([200, 200])

    expect((await detail(auditor, byHour.id)).data.steps.map((one: { event: string }) => one.event)).toEqual(['raise', 'stop'])
    expect(await trail('alert.exports-stopped')).toEqual([
      {
        by: '0',
        id: byHour.id,
        reason: null,
        after: { rule: '一小时内多次导出', userId: office.userId, amount: 50, limit: 10, told: 2 },
      },
    ])
    expect(
      await tenant.rows(
        sql<object>`select user_id::text as to, title_zh from notify where event_key = ${`alert-stopped:${byHour.id}`} order by user_id`,
      ),
    ).toEqual([auditor.userId, secadmin.userId].sort().map(to => ({ to, title_zh: '已暂停导出：一小时内多次导出' })))

    const close = (outcome: string) => secadmin.post('/blade-watch/alert/close', { json: { id: byHour.id, outcome, words: '换届统计' } })
    expect((await close('falseAlarm')).status).toBe(200)
    expect((await posts(office)).status).toBe(200)
    await act(office, 'signup.exported', 25)
    await look()
    expect((await posts(office)).status).toBe(200)
  })

  test('a stop is said once, however much more comes to light, and not at all after the alert was called false', async () => {
    const [office, cleared] = [await tenant.staff('admin'), await tenant.staff('admin')]
    const hourOf = async (who: Person) =>
      (await alerts(auditor)).find((one: { span: string; userId: string }) => one.span === 'hour' && one.userId === who.userId)
    const eventsOf = async (who: Person) =>
      (await detail(auditor, (await hourOf(who)).id)).data.steps.map(({ event }: { event: string }) => event)
    /** Lines that were on their way when the exports stopped: the trail takes no new ones. */
    const late = (who: Person, times: number) =>
      tenant.db(db =>
        db.run(sql`
          insert into audit_log (tenant_id, user_id, actor_kind, action, entity)
          select ${tenant.tenantId}, ${who.userId}, 'candidate', 'signup.exported', 'x' from generate_series(1, ${times})`),
      )
    await act(office, 'signup.exported', 60)
    await act(cleared, 'signup.exported', 12)
    await look()
    await auditor.post('/blade-watch/alert/close', { json: { id: (await hourOf(cleared)).id, outcome: 'falseAlarm', words: '已核实' } })
    await late(office, 5)
    await late(cleared, 60)
    await look()
    expect([await eventsOf(office), await eventsOf(cleared)]).toEqual([
      ['raise', 'stop'],
      ['raise', 'dismiss'],
    ])
    expect([(await hourOf(office)).amount, (await hourOf(cleared)).amount]).toEqual([65, 72])
  })

  test('a workbook that is being written when exports stop is not finished', async () => {
    const office = await tenant.staff('admin')
    await tenant.rows(sql`update param set param_value = '1' where param_key = 'export.asyncRows'`)
    await tenant.db(db =>
      db.run(
        sql`insert into post (tenant_id, category, post_code, post_name, sort) select ${tenant.tenantId}, 1, 'p' || n, 'p' || n, n from generate_series(1, 3) n`,
      ),
    )
    const { id } = (await office.get('/blade-system/post/export')).body.data
    await act(office, 'signup.exported', 20)
    await look()
    const owner = await t.owner()
    await owner.query(`create function stop_now() returns trigger language plpgsql as $$ begin update watch_alert set stopped_at = app_now(); return null; end $$;
      create trigger stop_now after update of done on export_job for each row when (new.done > 0) execute function stop_now()`)
    await t.runTasks()
    await owner.query('drop trigger stop_now on export_job; drop function stop_now()')
    expect((await office.get('/blade-exam/exportjob/detail', { query: { id } })).body.data).toMatchObject({ state: 5, fileUrl: null })
    expect(await tenant.rows(sql`select 1 from stored_file where owner_kind = 'export_job'`)).toEqual([])
  })

  test('what is stopped goes on when the window has ended, and a finding keeps it stopped till then', async () => {
    const office = await tenant.staff('admin')
    const posts = () => office.get('/blade-system/post/export')
    await act(office, 'signup.exported', 60)
    await look()
    const [byHour] = (await alerts(auditor)).filter((one: { span: string }) => one.span === 'hour')
    expect((await posts()).status).toBe(429)
    expect((await auditor.post('/blade-watch/alert/close', { json: { id: byHour.id, outcome: 'finding', words: '待约谈' } })).status).toBe(
      200,
    )
    expect((await posts()).status).toBe(429)
    await tenant.db(db => db.run(sql`update watch_alert set window_end = app_now() where id = ${byHour.id}`))
    expect((await posts()).status).toBe(200)
  })

  test('never by the person it is about, who neither sees nor hears of it; nor by who has no right to', async () => {
    const id = await raise(auditor)
    expect(id).not.toBe('')
    const admin = await tenant.staff('admin')
    const close = { json: { id, outcome: 'falseAlarm', words: '没什么' } }
    expect([
      (await alerts(auditor)).length,
      (await detail(auditor, id)).code,
      (await auditor.post('/blade-watch/alert/take', { json: { id } })).status,
      (await auditor.post('/blade-watch/alert/close', close)).status,
      (await auditor.get('/me/home')).body.data.todos.find((one: { key: string }) => one.key === 'alerts').count,
      (await admin.get('/blade-watch/alert/list')).status,
      (await admin.post('/blade-watch/alert/close', close)).status,
    ]).toEqual([0, 404, 404, 404, 0, 403, 403])
    expect(await tenant.rows(sql<object>`select user_id::text as to from notify`)).toEqual([{ to: secadmin.userId }])
    expect((await secadmin.post('/blade-watch/alert/close', close)).body.data).toEqual({ id, state: 3 })
    const foreign = await (await t.tenant()).staff('auditor')
    expect((await foreign.post('/blade-watch/alert/close', close)).status).toBe(404)
  })

  test('an alert about an operator of the platform reaches the other operators', async () => {
    const platform = t.platform()
    const [operator, fellow] = [await platform.staff('administrator'), await platform.staff('administrator')]
    await act(operator, 'account.password-reset', 10, { tenant: platform })
    await look()
    const told = await platform.rows(
      sql<{ to: string; link: string }>`select user_id::text as to, link from notify where event_key like 'alert:%'`,
    )
    expect(told).toContainEqual({ to: fellow.userId, link: '' })
    expect(told.map(one => one.to)).not.toContain(operator.userId)
  })
})

describe('[security 3.8] the rules', () => {
  const submit = (by: Person, json: object) => by.post('/blade-watch/rule/submit', { json })
  const turn = (by: Person, json: object) => by.post('/blade-watch/rule/switch', { json })

  test('are changed by the security administrator with a reason; each change is in the trail and an alert of its own', async () => {
    const id = await ruleOf('exports-hour')
    expect((await submit(secadmin, { id, threshold: 3 })).status).toBe(400)
    expect((await submit(secadmin, { id, reason: '无' })).body.reason).toBe('watch/no-limit')
    expect((await submit(secadmin, { id, threshold: 3, version: 0, roles: ['finance'], reason: '导出很少' })).body.data).toEqual({ id })
    expect((await submit(secadmin, { id, threshold: 4, version: 0, reason: '旧页面' })).body.reason).toBe('kernel/changed-meanwhile')
    expect((await turn(secadmin, { id, isOn: false })).status).toBe(400)
    expect((await turn(secadmin, { id, isOn: false, reason: '演练' })).body.data).toEqual({ id })
    const rule = (await auditor.get('/blade-watch/rule/list')).body.data.rules.find((one: { id: string }) => one.id === id)
    expect([rule.threshold, rule.factor, rule.floor, rule.roles, rule.isOn, rule.reason, rule.updateUser, rule.version]).toEqual([
      3,
      null,
      1,
      ['finance'],
      false,
      '演练',
      '安全甲',
      2,
    ])
    expect((await trail('watch-rule.%')).map(({ by, reason }) => [by, reason])).toEqual([
      [secadmin.userId, '导出很少'],
      [secadmin.userId, '演练'],
    ])
    await act(await tenant.staff('finance'), 'signup.exported', 5)
    expect(await look()).toBe(1)
    expect(await stored()).toEqual([{ code: 'rules', userId: secadmin.userId, roleAlias: '', amount: 2, limit: 1, usual: 0, state: 'new' }])
    expect(await tenant.rows(sql<object>`select user_id::text as to from notify`)).toEqual([{ to: auditor.userId }])
    expect((await turn(secadmin, { id, isOn: true, reason: '演练结束' })).status).toBe(200)
    await act(await tenant.staff('finance'), 'signup.exported', 3)
    await look()
    expect((await stored()).map(row => row.code)).toEqual(['exports-hour', 'rules'])
  })

  test('the one that watches the rules is changed by nobody; others by nobody without the right, and not from elsewhere', async () => {
    const fixed = await ruleOf('rules')
    const id = await ruleOf('exports-hour')
    const [admin, foreign] = [await tenant.staff('admin'), await (await t.tenant()).staff('secadmin')]
    const off = { isOn: false, reason: '关掉' }
    expect([
      (await turn(secadmin, { id: fixed, ...off })).body.reason,
      (await submit(secadmin, { id: fixed, threshold: 9_999_999, reason: '关掉' })).body.reason,
      (await turn(admin, { id, ...off })).status,
      (await turn(auditor, { id, ...off })).status,
      (await turn(foreign, { id, ...off })).status,
    ]).toEqual(['watch/fixed-rule', 'watch/fixed-rule', 403, 403, 404])
    expect(await tenant.rows(sql`select 1 from watch_rule where not is_on or version > 0`)).toEqual([])
    expect(await trail('watch-rule.%')).toEqual([])
  })

  test('a tenant adds rules of its own, renames, limits and removes them; each is watched, and its alerts stay', async () => {
    const own = {
      nameZh: '大量删除岗位',
      nameEn: 'Many posts removed',
      measure: 'deletions',
      span: 'hour',
      subject: 'person',
      threshold: 5,
      reason: '专项检查',
    }
    const rules = async () => (await auditor.get('/blade-watch/rule/list')).body.data.rules
    const many = (await rules()).length
    for (const name of ['nameZh', 'nameEn', 'measure', 'span', 'subject'])
      expect((await submit(secadmin, { ...own, [name]: undefined })).body.reason).toBe('watch/incomplete')
    expect([
      (await submit(secadmin, { ...own, threshold: undefined })).body.reason,
      (await submit(secadmin, { ...own, brake: 3 })).body.reason,
      (await submit(secadmin, { ...own, measure: 'exports', subject: 'tenant', brake: 3 })).body.reason,
      (await submit(auditor, own)).status,
    ]).toEqual(['watch/no-limit', 'watch/brake', 'watch/brake', 403])
    const { id } = (await submit(secadmin, { ...own, id: '' })).body.data
    expect((await rules()).at(-1)).toMatchObject({
      ...{ id, name: '大量删除岗位', nameEn: 'Many posts removed', measure: 'deletions', span: 'hour', subject: 'person', threshold: 5 },
      ...{ factor: null, floor: 1, brake: null, isOn: true, isOwn: true, isFixed: false, reason: '专项检查' },
    })
    await act(reviewer, 'type-code.removed', 5)
    await look()
    expect(
      (await alerts(auditor, { measure: 'deletions' })).map((one: { ruleId: string; amount: number }) => [one.ruleId, one.amount]),
    ).toEqual([[id, 5]])
    expect((await submit(secadmin, { id, version: 0, nameZh: '删除岗位过多', threshold: 9, reason: '放宽' })).body.data).toEqual({ id })
    expect((await rules()).at(-1)).toMatchObject({ name: '删除岗位过多', nameEn: 'Many posts removed', threshold: 9, version: 1 })
    const remove = (by: Person, ruleId: string, reason = '专项结束') =>
      by.post('/blade-watch/rule/remove', { json: { id: ruleId, reason } })
    const seeded = await ruleOf('exports-hour')
    expect([
      (await remove(secadmin, seeded)).body.reason,
      (await submit(secadmin, { id: seeded, nameZh: '别名', threshold: 3, reason: '改名' })).body.reason,
      (await remove(secadmin, await ruleOf('rules'))).body.reason,
      (await remove(secadmin, id, '')).status,
      (await remove(auditor, id)).status,
      (await remove(await (await t.tenant()).staff('secadmin'), id)).status,
      (await rules()).length,
    ]).toEqual(['watch/not-own', 'watch/not-own', 'watch/fixed-rule', 400, 403, 404, many + 1])
    expect((await remove(secadmin, id)).body.data).toEqual({ id })
    expect([
      (await rules()).length,
      (await remove(secadmin, id)).status,
      (await turn(secadmin, { id, isOn: true, reason: 'x' })).status,
    ]).toEqual([many, 404, 404])
    await act(await tenant.staff('finance'), 'type-code.removed', 20)
    await look()
    expect((await alerts(auditor, { measure: 'deletions' })).map((one: { ruleName: string }) => one.ruleName)).toEqual(['大量删除岗位'])
    expect((await trail('watch-rule.%')).map(({ by, reason }) => [by, reason])).toEqual([
      [secadmin.userId, '专项检查'],
      [secadmin.userId, '放宽'],
      [secadmin.userId, '专项结束'],
    ])
    await tenant.db(db =>
      db.run(sql`
        insert into watch_rule (tenant_id, code, name_zh, name_en, measure, span, subject, threshold, is_own, sort)
        select ${tenant.tenantId}, 'own-' || n, 'n', 'n', 'work', 'day', 'person', 10000, true, 1000 from generate_series(1, 40) n`),
    )
    expect((await submit(secadmin, own)).body.reason).toBe('watch/too-many-rules')
  })

  test('holidays and worked weekends are the tenant’s own days; what is done on a holiday is outside office hours', async () => {
    const office = (json: object) =>
      secadmin.post('/blade-watch/rule/office', { json: { from: 8, to: 18, days: 5, reason: '放假', ...json } })
    const usual = { from: 8, to: 18, days: 5 }
    expect((await office({ daysOff: ['2026-03-17'], workDays: ['2026-03-17'] })).body.reason).toBe('watch/day-twice')
    expect((await office({ daysOff: ['2026-02-30'] })).status).toBe(400)
    await act(reviewer, 'region.exported', 3)
    expect(await look()).toBe(0)
    expect((await office({ daysOff: ['2026-03-17', '2026-03-16'], workDays: ['2026-03-14'] })).body.data).toEqual({
      ...usual,
      daysOff: ['2026-03-16', '2026-03-17'],
      workDays: ['2026-03-14'],
    })
    // Hours alone leave the days as they are.
    expect((await office({ to: 17 })).body.data).toEqual({
      ...usual,
      to: 17,
      daysOff: ['2026-03-16', '2026-03-17'],
      workDays: ['2026-03-14'],
    })
    expect((await auditor.get('/blade-watch/rule/list')).body.data.office).toMatchObject({ daysOff: ['2026-03-16', '2026-03-17'] })
    await act(reviewer, 'region.exported', 1)
    await look()
    expect((await stored()).map(row => [row.code, row.userId])).toEqual([
      ['exports-off', reviewer.userId],
      ['rules', secadmin.userId],
    ])
    const [alert] = await alerts(auditor, { measure: 'exports' })
    expect((await detail(auditor, alert.id)).data.series.slice(-4)).toEqual([
      { at: '2026-03-14 00:00:00', amount: 0, isOff: false },
      { at: '2026-03-15 00:00:00', amount: 0, isOff: true },
      { at: '2026-03-16 00:00:00', amount: 0, isOff: true },
      { at: '2026-03-17 00:00:00', amount: 4, isOff: true },
    ])
  })

  test('office hours are the tenant’s own; to stretch them is watched like a change of the rules', async () => {
    const office = (json: object) => secadmin.post('/blade-watch/rule/office', { json: { days: 5, reason: '夏令', ...json } })
    expect((await office({ from: 18, to: 9 })).body.reason).toBe('watch/office-hours')
    const wide = { from: 7, to: 23, days: 5, daysOff: [], workDays: [] }
    expect((await office({ from: 7, to: 23 })).body.data).toEqual(wide)
    expect((await auditor.get('/blade-watch/rule/list')).body.data.office).toEqual(wide)
    // 22:00 is inside now, 6:00 is not.
    await act(reviewer, 'region.exported', 3, { hoursAgo: 12 })
    await act(auditor, 'region.exported', 3, { hoursAgo: 4 })
    await look()
    expect((await stored()).map(row => [row.code, row.userId])).toEqual([
      ['exports-off', auditor.userId],
      ['rules', secadmin.userId],
    ])
  })
})
