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

const { look, act, alerts, detail, stored, ruleOf, trail } = watching(() => ({ t, tenant }))

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
    expect(await tenant.rows(sql<object>`select user_id::text as to from notify where event_key not like 'apart-%'`)).toEqual([
      { to: auditor.userId },
    ])
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
