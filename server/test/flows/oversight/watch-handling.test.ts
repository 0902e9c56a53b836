import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { type Person, startTestApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { watching } from '../../support/watching.ts'

let t: TestApp
let tenant: TestTenant
let auditor: Person
let secadmin: Person
let reviewer: Person
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())
beforeEach(async () => {
  tenant = await t.tenant()
  auditor = await tenant.staff('auditor', { realName: '审计甲' })
  secadmin = await tenant.staff('secadmin', { realName: '安全甲' })
  reviewer = await tenant.staff('reviewer1', { realName: '审核甲' })
})

const { look, act, alerts, detail, trail } = watching(() => ({ t, tenant }))

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
    expect(await tenant.rows(sql<object>`select user_id::text as to from notify where event_key not like 'apart-%'`)).toEqual([
      { to: secadmin.userId },
    ])
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
