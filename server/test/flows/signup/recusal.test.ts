import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RawBuilder, sql } from '#kernel/db/sql.ts'
import { type Person, startTestApp, type TestApp, type TestTenant, testStart } from '../../support/app.ts'
import { type BuiltExam, buildExam } from '../../support/factories.ts'
import { reviewWorld } from '../../support/reviewing.ts'
import { insertSignups, type SignupRef } from '../../support/sign-up-rows.ts'
import { answersOf, submit, uploadAll } from '../../support/signing.ts'

let t: TestApp
let second: TestApp
beforeAll(async () => {
  t = await startTestApp()
  second = await t.beside()
})
afterAll(() => t.close())

const base = '/blade-exam/examination'
const review = '/blade-signup/examine'
interface World {
  readonly tenant: TestTenant
  readonly exam: BuiltExam
  readonly officer: Person
  readonly r1: Person
  readonly r2: Person
  readonly people: SignupRef[]
}
const world = async (mode: number, levels = 1): Promise<World> => {
  t.clock.set(testStart)
  const tenant = await t.tenant()
  const exam = await buildExam(tenant, { exam: { allot_mode: mode, examine_levels: levels } })
  const w = {
    tenant,
    exam,
    officer: await tenant.staff('exam_admin', { realName: '考务丁' }),
    r1: await tenant.staff('reviewer1', { realName: '初审甲' }),
    r2: await tenant.staff('reviewer1', { realName: '初审乙' }),
  }
  const people = await insertSignups(
    tenant,
    exam.examId,
    [
      ['张一', 'A001', 'H01'],
      ['李二', 'B001', 'H01'],
      ['王三', 'A002', 'H02'],
    ].map(([name, code, unit]) => ({ name: name ?? '', code: code ?? '', type: code?.[0] ?? '', unit: unit ?? '', examine: 'waiting' })),
  )
  return { ...w, people }
}
const idOf = (w: World, name: string): string => w.people.find(one => one.name === name)?.id ?? ''
const list = (w: World, users: readonly object[]) => w.officer.post(`${base}/saveCheck`, { json: { examId: w.exam.examId, list: users } })
const both = (w: World) =>
  list(
    w,
    [w.r1, w.r2].map(one => ({ userId: one.userId, level: 1 })),
  )
const holders = async (w: World): Promise<Record<string, string>> =>
  Object.fromEntries(
    (
      await w.tenant.rows(sql<{ name: string; who: string }>`
        select s.name, a.reviewer_name as who from signup s join examine_allot a on a.signup_id = s.id and a.state < 2 order by s.name`)
    ).map(row => [row.name, row.who]),
  )
const open = async (who: Person, signUpId: string) => (await who.post(`${review}/open`, { json: { signUpId } })).body.data
const examine = (who: Person, signUpId: string) => who.post(`${review}/examine`, { json: { signUpId, examineResult: 1, signVersion: 1 } })
const trail = (w: World, action: string) =>
  w.tenant.rows(sql<Record<string, unknown>>`
    select user_id::text as who, entity_id::text as about, before_value as before, after_value as after, reason from audit_log where action = ${action} order by id`)

describe('recusal (domain 3.9, scenario 7)', () => {
  test('[S7.42] a reviewer who declares a conflict loses the sign-up at once to somebody else, and gets it never again', async () => {
    const w = await world(3)
    await list(w, [{ userId: w.r1.userId, level: 1 }])
    await t.runTasks()
    await list(w, [{ userId: w.r2.userId, level: 1 }])
    const id = idOf(w, '张一')
    expect((await open(w.r1, id)).mayDecide).toBe(true)
    expect((await w.r1.post(`${review}/recuse`, { json: { signUpId: id, reason: '' } })).status).toBe(400)
    const said = await w.r1.post(`${review}/recuse`, { json: { signUpId: id, reason: '表姐' } })
    expect(said.body.data).toEqual({ id: expect.any(String), nextId: expect.any(String) })
    expect(await holders(w)).toEqual({ 张一: '初审乙', 李二: '初审甲', 王三: '初审甲' })
    expect(await trail(w, 'recusal.added')).toEqual([
      {
        who: w.r1.userId,
        about: id,
        before: null,
        after: { recusalId: said.body.data.id, reviewerId: w.r1.userId, unit: null, returned: 1 },
        reason: '表姐',
      },
    ])
    // Theirs no more: neither read nor decided, and no rebalance brings it back.
    expect((await w.r1.post(`${review}/open`, { json: { signUpId: id } })).status).toBe(404)
    await w.officer.post(`${base}/allotCheck`, { json: { examId: w.exam.examId, scope: 'rebalance' } })
    expect((await holders(w))['张一']).toBe('初审乙')
    const officer = await w.tenant.staff(['exam_admin', 'reviewer1'], { realName: '考务兼审' })
    await officer.post(`${review}/recuse`, { json: { signUpId: id, reason: '同学' } })
    const shut = await officer.post(`${review}/open`, { json: { signUpId: id } })
    expect([shut.status, shut.body.reason]).toEqual([403, 'signup/recused'])
    expect((await examine(officer, id)).body).toMatchObject({ code: 2204 })
    expect((await w.officer.get(`${base}/getRecusals`, { query: { examId: w.exam.examId } })).body.data.records).toEqual([
      expect.objectContaining({ reviewerName: '考务兼审', name: '张一', reason: '同学', isOwn: true }),
      {
        id: said.body.data.id,
        userId: w.r1.userId,
        reviewerName: '初审甲',
        signUpId: id,
        signNo: expect.any(String),
        name: '张一',
        unit: null,
        unitName: null,
        reason: '表姐',
        isOwn: true,
        createTime: '2026-03-17 10:00:00',
      },
    ])
  })

  test('what the office records of a unit returns all of that unit; taken back, the reviewer is given it again', async () => {
    const w = await world(3)
    await list(w, [{ userId: w.r1.userId, level: 1 }])
    await t.runTasks()
    const save = (json: object, by = w.officer) =>
      by.post(`${base}/saveRecusal`, { json: { examId: w.exam.examId, userId: w.r1.userId, reason: '配偶在该院', ...json } })
    expect((await save({})).body).toMatchObject({ reason: 'recusal/of-what' })
    expect((await save({ unit: 'H01', signUpId: idOf(w, '张一') })).body).toMatchObject({ reason: 'recusal/of-what' })
    expect((await save({ unit: 'H99' })).body).toMatchObject({ reason: 'recusal/unknown-unit', msg: expect.stringContaining('H99') })
    expect((await save({ unit: 'H01', userId: w.r2.userId })).body).toMatchObject({ reason: 'allot/not-listed' })
    const saved = await save({ unit: 'H01' })
    expect(saved.body.data).toEqual({ id: expect.any(String), returned: 2 })
    expect(await holders(w)).toEqual({ 王三: '初审甲' })
    expect((await save({ unit: 'H01' })).body).toMatchObject({ reason: 'recusal/known' })
    const plan = await w.officer.post(`${base}/allotCheck`, { json: { examId: w.exam.examId, dryRun: 1 } })
    expect(plan.body.data).toMatchObject({ placed: 0, unplacedCount: 2, unplaced: [{ reason: '负责的审核人员均需回避或已做过初审' }, {}] })
    // Another tenant's officer finds nothing of it.
    const stranger = await world(3)
    expect((await save({ unit: 'H01' }, stranger.officer)).status).toBe(404)
    expect((await stranger.officer.post(`${base}/removeRecusal`, { json: { id: saved.body.data.id, reason: 'x' } })).status).toBe(404)
    expect((await w.r1.post(`${base}/removeRecusal`, { json: { id: saved.body.data.id, reason: 'x' } })).status).toBe(403)
    const lifted = await w.officer.post(`${base}/removeRecusal`, { json: { id: saved.body.data.id, reason: '登记有误' } })
    expect(lifted.body.data).toEqual({ id: saved.body.data.id })
    expect((await w.officer.post(`${base}/allotCheck`, { json: { examId: w.exam.examId } })).body.data).toMatchObject({ placed: 2 })
    expect((await trail(w, 'recusal.removed')).map(line => [line['about'], line['reason']])).toEqual([[w.exam.examId, '登记有误']])
  })

  test('[27.1] what somebody must not decide on says so in their list, and is not what they go on with, however long it waits', async () => {
    const w = await world(0, 2)
    await w.tenant.rows(
      sql`update signup set relatives = ${JSON.stringify([{ name: '初审甲', unit: '区人民医院', relation: '姐妹' }])} where id = ${idOf(w, '张一')}`,
    )
    await w.tenant.rows(
      sql`update signup set sign_version = 1, submit_time = submit_time - interval '2 days' where id = ${idOf(w, '张一')}`,
    )
    const second = await w.tenant.staff(['reviewer1', 'reviewer2'], { realName: '两级审' })
    const said = async (who: Person) =>
      Object.fromEntries(
        (await who.get(`${review}/getExamineList`, { query: { examId: w.exam.examId, order: 'wait' } })).body.data.records.map(
          (row: { name: string; recusal: string | null }) => [row.name, row.recusal],
        ),
      )
    expect(await said(w.r1)).toEqual({ 张一: '考生申报其为亲属', 李二: null, 王三: null })
    expect(await said(w.r2)).toEqual({ 张一: null, 李二: null, 王三: null })
    // Whoever decides on nothing has nothing to keep from.
    expect(await said(w.officer)).toEqual({ 张一: null, 李二: null, 王三: null })
    await open(w.r1, idOf(w, '李二'))
    expect((await examine(w.r1, idOf(w, '李二'))).body.data).toMatchObject({ nextId: idOf(w, '王三') })
    await open(w.r1, idOf(w, '王三'))
    expect((await examine(w.r1, idOf(w, '王三'))).body.data).toMatchObject({ nextId: null })
    await open(second, idOf(w, '张一'))
    expect((await examine(second, idOf(w, '张一'))).body.code).toBe(200)
    expect(await said(second)).toEqual({ 张一: '您已做过初审，不能再复核', 李二: null, 王三: null })
  })

  test('what a list says of it is kept no longer than it holds: here at once, in another process when it hears', async () => {
    const w = await world(0)
    const elsewhere = await world(0)
    await w.tenant.rows(sql`update signup set relatives = ${JSON.stringify([{ name: '改名戊' }])} where id = ${idOf(w, '张一')}`)
    const said = async (from: TestApp, { tenant, exam, r1 }: World) => {
      const asked = { query: { examId: exam.examId, order: 'wait' }, headers: { 'blade-auth': `bearer ${r1.token}` } }
      const rows: readonly { readonly name: string; readonly recusal: string | null }[] = (
        await from.anonymous(tenant.tenantId).get(`${review}/getExamineList`, asked)
      ).body.data.records
      return Object.fromEntries(rows.flatMap(row => (row.recusal === null ? [] : [[row.name, row.recusal]])))
    }
    const everywhere = async (): Promise<object[]> => {
      const here = await said(t, w)
      await Promise.all([t.app.catchUp(), second.app.catchUp()])
      return [here, await said(t, w), await said(second, w), await said(second, elsewhere)]
    }
    const all = (names: object): object[] => [names, names, names, {}]
    expect(await everywhere()).toEqual(all({}))
    await both(w)
    const saved = await w.officer.post(`${base}/saveRecusal`, {
      json: { examId: w.exam.examId, userId: w.r1.userId, unit: 'H01', reason: '配偶在该院' },
    })
    expect(await everywhere()).toEqual(all({ 张一: '已登记回避', 李二: '已登记回避' }))
    await w.officer.post(`${base}/removeRecusal`, { json: { id: saved.body.data.id, reason: '登记有误' } })
    expect(await everywhere()).toEqual(all({}))
    // Told by the database alone: of the account, of the departments and of what their names are.
    const change = async (statement: RawBuilder<unknown>): Promise<object[]> => {
      await w.tenant.rows(statement)
      await t.app.catchUp()
      return everywhere()
    }
    expect(await change(sql`update account set real_name = '改名戊' where id = ${w.r1.userId}`)).toEqual(all({ 张一: '考生申报其为亲属' }))
    expect(await change(sql`update account set real_name = '初审甲' where id = ${w.r1.userId}`)).toEqual(all({}))
    await w.tenant.rows(sql`update signup set content = '{"workUnit": "市三院"}' where id = ${idOf(w, '王三')}`)
    await w.tenant.rows(
      sql`insert into dept (tenant_id, id, dept_name, full_name, dept_category, sort) values (${w.tenant.tenantId}, 78, '三院', '三院', 1, 1)`,
    )
    expect(await change(sql`update account set dept_id = '78' where id = ${w.r1.userId}`)).toEqual(all({}))
    expect(await change(sql`update dept set full_name = '市三院' where id = 78`)).toEqual(all({ 王三: '与考生在同一单位工作' }))
  })

  test('relatives named in the form, one’s own sign-up and a shared workplace are conflicts without anybody declaring them', async () => {
    const w = await reviewWorld(t, { exam: { allot_mode: 3, examine_levels: 1 } })
    const named = await w.tenant.staff('reviewer1', { realName: '阿依·买买提' })
    const other = await w.tenant.candidate({ idCard: '330106198811205058', phone: '16000000002', realName: '陈八' })
    const { body } = await submit(other, w.exam.examId, {
      content: answersOf('330106198811205058', '16000000002', {
        name: '陈八',
        hasRelative: '1',
        relativeInfo: [{ name: '阿依·买买提', unit: '区人民医院', relation: '姐妹' }],
      }),
      fileIds: await uploadAll(other),
    })
    expect(body.code).toBe(200)
    const rows = () => w.tenant.rows(sql<{ relatives: unknown }>`select relatives from signup where id = ${body.data.id}`)
    expect(await rows()).toEqual([{ relatives: [{ name: '阿依·买买提', unit: '区人民医院', relation: '姐妹' }] }])
    const check = async () =>
      (await w.officer.post(`${base}/allotCheck`, { json: { examId: w.exam.examId, scope: 'rebalance', dryRun: 1 } })).body.data
    await w.officer.post(`${base}/saveCheck`, { json: { examId: w.exam.examId, list: [{ userId: named.userId, level: 1 }] } })
    expect(await check()).toMatchObject({ placed: 1, unplaced: [{ signUpId: body.data.id }] })
    // Whoever runs the examination opens everything, but decides on nothing of their own.
    const self = await w.tenant.staff(['exam_admin', 'reviewer1'])
    expect(await open(self, w.id)).toMatchObject({ mayDecide: true })
    await self.post(`${review}/release`, { query: { signUpId: w.id } })
    await w.tenant.rows(sql`update account set id_card_index = (select id_card_index from signup where id = ${w.id}), user_type = 1
      where id = ${self.userId}`)
    expect(await open(self, w.id)).toMatchObject({ mayDecide: false, readOnlyReason: '您与该考生存在回避关系' })
    await w.tenant.rows(
      sql`insert into dept (tenant_id, id, dept_name, full_name, dept_category, sort) values (${w.tenant.tenantId}, 77, '区人民医院', '杭州某区人民医院', 1, 1)`,
    )
    await w.tenant.rows(sql`update account set dept_id = '77' where id = ${named.userId}`)
    await w.tenant.rows(sql`update signup set content = jsonb_set(content, '{workUnit}', '"杭州某区人民医院"') where id = ${w.id}`)
    expect(await check()).toMatchObject({ placed: 0, unplacedCount: 2 })
  })
})

describe('moving one sign-up, and the reviewers as a service of their own', () => {
  test('[S7.42] one waiting sign-up goes to another reviewer with a reason, under the rules of the allotment', async () => {
    const w = await world(3)
    await list(w, [{ userId: w.r1.userId, level: 1 }])
    await t.runTasks()
    await both(w)
    const id = idOf(w, '张一')
    const move = (json: object = {}, by = w.officer) =>
      by.post(`${base}/transferAllot`, { json: { signUpId: id, userId: w.r2.userId, reason: '休假', ...json } })
    expect((await move({ reason: '' })).status).toBe(400)
    expect((await move({ userId: w.officer.userId })).body).toMatchObject({ reason: 'allot/not-listed' })
    expect((await move({ userId: w.r1.userId })).body).toMatchObject({ reason: 'allot/same-holder', msg: '该报名已在初审甲处' })
    expect((await move({ level: 2 })).body).toMatchObject({ reason: 'allot/not-waiting' })
    await list(w, [{ userId: w.r2.userId, level: 1, units: ['H02'] }])
    expect((await move()).body).toMatchObject({ reason: 'allot/outside' })
    await list(w, [{ userId: w.r2.userId, level: 1, units: [], quota: 1 }])
    await w.tenant.rows(sql`
      insert into recuse (tenant_id, exam_id, reviewer_id, signup_id, reason) values (${w.tenant.tenantId}, ${w.exam.examId}, ${w.r2.userId}, ${id}, '亲属')`)
    expect((await move()).body).toMatchObject({ code: 2204, reason: 'allot/conflict', msg: '初审乙须回避该考生：已登记回避' })
    await w.tenant.rows(sql`delete from recuse`)
    await open(w.r1, id)
    expect((await move()).body).toMatchObject({ code: 2202, reason: 'allot/open', msg: '初审甲 正在审核该报名，请稍后再转交' })
    await w.r1.post(`${review}/release`, { query: { signUpId: id } })
    const stranger = await world(3)
    expect((await move({}, stranger.officer)).status).toBe(404)
    expect((await move({}, w.r1)).status).toBe(403)
    expect((await move()).body.data).toEqual({ from: '初审甲', to: '初审乙' })
    expect(await holders(w)).toEqual({ 张一: '初审乙', 李二: '初审甲', 王三: '初审甲' })
    expect((await move({ signUpId: idOf(w, '李二') })).body).toMatchObject({ reason: 'allot/full' })
    expect(await trail(w, 'signup.transferred')).toEqual([
      {
        who: w.officer.userId,
        about: id,
        before: { reviewerId: w.r1.userId },
        after: { reviewerId: w.r2.userId, level: 1 },
        reason: '休假',
      },
    ])
    const page = async (query: Record<string, string>) =>
      (await w.officer.get(`${base}/getAllotted`, { query: { examId: w.exam.examId, ...query } })).body.data
    expect(await page({ userId: w.r2.userId })).toEqual({
      records: [
        {
          signUpId: id,
          signNo: expect.any(String),
          name: '张一',
          unit: 'H01',
          unitName: '区人民医院',
          code: 'A001',
          codeName: '内科医师',
          userId: w.r2.userId,
          reviewerName: '初审乙',
          allotTime: '2026-03-17 10:00:00',
          reason: '休假',
          waitMinutes: 0,
          isOverdue: false,
          isOpen: false,
        },
      ],
      total: 1,
      size: 10,
      current: 1,
      pages: 1,
    })
    expect(await page({ keyword: '李' })).toMatchObject({ total: 1, records: [{ name: '李二' }] })
    expect(await page({ userId: '0' })).toMatchObject({ total: 0 })
    t.clock.set('2026-03-19T10:00:00+08:00')
    expect(await page({ overdue: '1' })).toMatchObject({ total: 3, records: [{ isOverdue: true }, {}, {}] })
    const figures = (await w.officer.get(`${base}/getExamAllot`, { query: { examId: w.exam.examId } })).body.data
    expect(
      figures.reviewers.map((row: { name: string; waiting: number; overdue: number }) => [row.name, row.waiting, row.overdue]),
    ).toEqual([
      ['初审甲', 2, 2],
      ['初审乙', 1, 1],
    ])
  })

  test('[S7.61] examuser lists, shows, adds, changes and removes reviewers by the rules of saveCheck', async () => {
    const w = await world(3)
    const at = '/blade-examUser/examuser'
    const submitUser = (json: object, by = w.officer) => by.post(`${at}/submit`, { json })
    for (const [json, field] of [
      [{ userId: w.r1.userId, level: 1 }, 'examId'],
      [{ examId: w.exam.examId, level: 1 }, 'userId'],
      [{ examId: w.exam.examId, userId: w.r1.userId }, 'level'],
    ] as const)
      expect((await submitUser(json)).body.data.fields).toEqual([{ field, msg: expect.any(String) }])
    const added = await submitUser({ examId: w.exam.examId, userId: w.r1.userId, level: 1, units: ['H01'], quota: 20 })
    const { id } = added.body.data
    const row = {
      id,
      userId: w.r1.userId,
      name: '初审甲',
      account: expect.any(String),
      level: 1,
      units: ['H01'],
      codes: [],
      quota: 20,
      state: 1,
      version: 0,
    }
    expect((await w.officer.get(`${at}/list`, { query: { examId: w.exam.examId } })).body.data).toEqual({
      records: [row],
      total: 1,
      size: 10,
      current: 1,
      pages: 1,
    })
    expect((await w.officer.get(`${at}/detail`, { query: { id } })).body.data).toEqual(row)
    await t.runTasks()
    expect(await holders(w)).toEqual({ 张一: '初审甲', 李二: '初审甲' })
    expect((await submitUser({ id, version: 7, state: 0 })).body).toMatchObject({ code: 2002 })
    expect((await submitUser({ id, version: 0, quota: 30 })).body.data).toEqual({ id })
    expect((await w.officer.get(`${at}/detail`, { query: { id } })).body.data).toEqual({ ...row, quota: 30, version: 1 })
    const finance = await w.tenant.staff('finance')
    expect((await submitUser({ examId: w.exam.examId, userId: finance.userId, level: 1 })).body).toMatchObject({
      reason: 'examine/no-reviewer',
    })
    const stranger = await world(3)
    expect((await stranger.officer.get(`${at}/detail`, { query: { id } })).status).toBe(404)
    expect((await stranger.officer.get(`${at}/list`, { query: { examId: w.exam.examId } })).status).toBe(404)
    expect((await submitUser({ id, state: 0 }, stranger.officer)).status).toBe(404)
    expect((await stranger.officer.post(`${at}/remove`, { json: { ids: id } })).status).toBe(404)
    expect((await w.officer.post(`${at}/remove`, { json: { ids: id } })).body.data).toEqual({ removed: 1, returned: 2 })
    expect(await holders(w)).toEqual({})
  })
})
