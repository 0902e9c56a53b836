import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { type Person, startTestApp, type TestApp } from '../../support/app.ts'
import { buildExam } from '../../support/factories.ts'
import { insertSignups } from '../../support/sign-up-rows.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())

const post = { code: 'A001', type: 'A', unit: 'H01' }
const setUp = async () => {
  const tenant = await t.tenant()
  const exam = await buildExam(tenant)
  const [one, two, draft] = await insertSignups(tenant, exam.examId, [
    { ...post, name: '李晓梅', examine: 'refused' },
    { code: 'A002', type: 'A', unit: 'H02', name: '李晓兰' },
    { ...post, name: '李晓草', examine: 'draft' },
  ])
  if (!one || !two || !draft) throw new Error('three sign-ups were made')
  return { tenant, exam, one, two, draft }
}
const look = async (person: Person, text: string) => {
  const { body } = await person.get('/me/find', { query: { text } })
  expect(body).toMatchObject({ code: 200 })
  return body.data
}
const ids = (rows: readonly { id: string }[]) => rows.map(row => row.id).sort()

test('a person is found by name, sign-up number, ticket number, order number and the last four of the id number', async () => {
  const { tenant, exam, one, two } = await setUp()
  const office = await tenant.staff('exam_admin')
  const signNo = await tenant.db(db => db.one(sql<{ signNo: string }>`select sign_no as "signNo" from signup where id = ${one.id}`))
  const due = await tenant.db(db =>
    db.one(sql<{ id: string }>`
      insert into exam_pay (tenant_id, exam_id, signup_id, user_id, pay_name, amount_fen, state, deadline)
      values (${tenant.tenantId}, ${exam.examId}, ${two.id}, ${two.userId}, '报名费', 100, 'due', '2026-03-22T17:00:00+08:00') returning id::text as id`),
  )
  await tenant.db(db =>
    db.run(sql`
      insert into pay_order (tenant_id, order_no, pay_id, user_id, amount_fen, description, expire_time, mchid, appid)
      values (${tenant.tenantId}, '20260317ORDER0007', ${due.id}, ${two.userId}, 100, '报名费', '2026-03-22T17:00:00+08:00', '1', '1')`),
  )
  expect((await look(office, '晓梅')).signups).toMatchObject([
    { id: one.id, examId: exam.examId, name: '李晓梅', examine: 4, signNo: signNo.signNo, by: 'name', idCardMask: '3301**********1023' },
  ])
  expect(ids((await look(office, '李')).signups)).toEqual(ids([one, two]))
  expect((await look(office, signNo.signNo)).signups).toMatchObject([{ id: one.id, by: 'signNo' }])
  expect((await look(office, '20260317ORDER')).signups).toMatchObject([{ id: two.id, by: 'orderNo' }])
  expect(ids((await look(office, '1023')).signups)).toEqual(ids([one, two]))
  expect((await look(office, '2026年区卫生')).exams).toMatchObject([{ id: exam.examId }])
  expect((await look(office, 'hz2026')).exams).toMatchObject([{ id: exam.examId, examCode: 'HZ2026A' }])
  const lines = await tenant.db(db =>
    db.all(
      sql<{
        after: unknown
      }>`select after_value as after from audit_log where action = 'person.looked-up' and user_id = ${office.userId} order by id`,
    ),
  )
  expect(lines.map(line => line.after)).toEqual([
    { by: ['name'], signups: 1, users: 0 },
    { by: ['name'], signups: 2, users: 0 },
    { by: ['signNo'], signups: 1, users: 0 },
    { by: ['orderNo'], signups: 1, users: 0 },
    { by: ['idTail'], signups: 2, users: 0 },
  ])
})

test('[26.6] people are found by pinyin and initials of their names, examinations too', async () => {
  const { tenant, exam, one, two } = await setUp()
  const office = await tenant.staff('exam_admin')
  const admin = await tenant.staff('admin', { realName: '韩主任' })
  for (const typed of ['lixiao', 'lxm', 'LiXiaoMei', 'xiaom'])
    expect([typed, ids((await look(office, typed)).signups)]).toEqual([typed, ids(typed === 'lixiao' ? [one, two] : [one])])
  expect((await look(office, 'lixiaocao')).signups).toEqual([])
  expect((await look(office, 'weisheng')).exams).toMatchObject([{ id: exam.examId }])
  expect((await look(admin, 'hanzr')).users).toMatchObject([{ realName: '韩主任' }])
})

test('[26.6] finance finds dues by who owes them, orders and refunds by their numbers; the trail says how many', async () => {
  const { tenant, exam, one, two } = await setUp()
  const finance = await tenant.staff('finance')
  const signNo = await tenant.db(db => db.one(sql<{ signNo: string }>`select sign_no as "signNo" from signup where id = ${one.id}`))
  const rows = await tenant.db(async db => {
    const due = (signup: { id: string; userId: string }, state: string) =>
      db.one(sql<{ id: string }>`
        insert into exam_pay (tenant_id, exam_id, signup_id, user_id, pay_name, amount_fen, paid_fen, state, deadline)
        values (${tenant.tenantId}, ${exam.examId}, ${signup.id}, ${signup.userId}, '报名费', 4500, ${state === 'paid' ? 4500 : 0}, ${state}, '2026-03-22T17:00:00+08:00')
        returning id::text as id`)
    const [paid, owed] = [await due(one, 'paid'), await due(two, 'due')]
    const order = await db.one(sql<{ id: string }>`
      insert into pay_order (tenant_id, order_no, pay_id, user_id, amount_fen, paid_fen, description, state, expire_time, transaction_id, success_time, mchid, appid)
      values (${tenant.tenantId}, 'E26031700FIND', ${paid.id}, ${one.userId}, 4500, 4500, '报名费', 'paid', now(), 'TFIND', now(), '1900000001', 'wx1') returning id::text as id`)
    const refund = await db.one(sql<{ id: string }>`
      insert into pay_refund (tenant_id, refund_no, order_id, pay_id, user_id, amount_fen, reason, apply_by)
      values (${tenant.tenantId}, 'RE26031700FIND01', ${order.id}, ${paid.id}, ${one.userId}, 4500, 'mistake', 1) returning id::text as id`)
    return { paid, owed, order, refund }
  })
  const found = async (text: string) => (await look(finance, text)).money.map(({ kind, id, by }: Record<string, string>) => [kind, id, by])
  expect((await look(finance, '晓梅')).money).toEqual([
    {
      ...{
        kind: 'due',
        id: rows.paid.id,
        name: '李晓梅',
        idCardTail: '1023',
        payName: '报名费',
        examName: '2026年区卫生健康系统事业单位公开招聘',
      },
      ...{ number: signNo.signNo, stateName: '已缴', by: 'name' },
    },
  ])
  expect([await found('lxl'), await found(signNo.signNo), await found('E26031700'), await found('RE26031700FIND')]).toEqual([
    [['due', rows.owed.id, 'name']],
    [['due', rows.paid.id, 'signNo']],
    [['order', rows.order.id, 'orderNo']],
    [['refund', rows.refund.id, 'refundNo']],
  ])
  expect((await found('1023')).map(([, , by]: readonly string[]) => by)).toEqual(['idTail', 'idTail'])
  // Whoever sees sign-ups is led there; who sees no money finds none; another tenant has none of these.
  const office = await tenant.staff('exam_admin')
  const [other, site] = [await (await t.tenant()).staff('finance'), await tenant.staff('site')]
  for (const person of [office, site, other]) expect((await look(person, '李晓')).money).toEqual([])
  const lines = await tenant.db(db =>
    db.all(
      sql<{
        after: unknown
      }>`select after_value as after from audit_log where action = 'person.looked-up' and user_id = ${finance.userId} order by id limit 1`,
    ),
  )
  expect(lines).toEqual([{ after: { by: ['name'], signups: 0, money: 1, users: 0 } }])
})

test('nobody finds what they may not see', async () => {
  const { tenant, one, two } = await setUp()
  const [unit, finance, site] = [
    await tenant.staff('unit_hr', { userCode: 'H02' }),
    await tenant.staff('finance'),
    await tenant.staff('site'),
  ]
  expect(ids((await look(unit, '李晓')).signups)).toEqual([two.id])
  expect((await look(finance, '李晓')).signups).toEqual([])
  expect((await look(site, '李晓')).users).toEqual([])
  const other = await (await t.tenant()).staff('exam_admin')
  expect((await look(other, '李晓')).signups).toEqual([])
  // The course of a sign-up goes with the sign-up.
  const course = (person: Person, id: string) => person.get('/blade-signup/signup/course', { query: { id } })
  expect((await course(unit, one.id)).body.success).toBe(false)
  expect((await course(finance, two.id)).body.success).toBe(false)
  expect((await course(unit, two.id)).body).toMatchObject({ code: 200 })
})

test('a sign-up tells everything that happened to it, the newest first', async () => {
  const { tenant, exam, one } = await setUp()
  const [office, reviewer] = [await tenant.staff('exam_admin', { realName: '张考务' }), await tenant.staff('reviewer1')]
  await tenant.db(db =>
    db.run(sql`
      insert into signup_history (tenant_id, signup_id, user_id, sign_version, content, files, created_by, created_at)
      values (${tenant.tenantId}, ${one.id}, ${one.userId}, 1, '{}', '[]', ${one.userId}, '2026-03-16T10:00:00+08:00')`),
  )
  await tenant.db(db =>
    db.run(sql`
      insert into examine_record (tenant_id, signup_id, exam_id, user_id, sign_version, level, result, remark, before_state, after_state, examiner_id, examiner_name, created_at)
      values (${tenant.tenantId}, ${one.id}, ${exam.examId}, ${one.userId}, 1, 1, 3, '学历不符', 'waiting', 'refused', ${reviewer.userId}, '赵审', '2026-03-16T11:00:00+08:00')`),
  )
  await tenant.db(db =>
    db.run(sql`
      insert into exam_pay (tenant_id, exam_id, signup_id, user_id, pay_name, amount_fen, state, deadline, created_at)
      values (${tenant.tenantId}, ${exam.examId}, ${one.id}, ${one.userId}, '报名费', 4500, 'due', '2026-03-22T17:00:00+08:00', '2026-03-16T10:30:00+08:00')`),
  )
  await tenant.db(db =>
    db.run(sql`
      insert into notify (tenant_id, user_id, exam_id, kind, title_zh, title_en, content_zh, content_en, event_key, created_at, read_at)
      values (${tenant.tenantId}, ${one.userId}, ${exam.examId}, 1, '审核结果', 'Result', 'x', 'x', 'k', '2026-03-16T11:01:00+08:00', '2026-03-16T12:00:00+08:00')`),
  )
  await office.get('/blade-signup/signup/detail', { query: { id: one.id } })
  const of = async (person: Person) => {
    const { body } = await person.get('/blade-signup/signup/course', { query: { id: one.id } })
    return body.data.events.map(({ kind, who, detail, number }: Record<string, unknown>) => [kind, who, detail, number])
  }
  expect(await of(office)).toEqual([
    ['seen', '张考务', '', null],
    ['messageRead', '', '审核结果', null],
    ['message', '', '审核结果', null],
    ['refused', '赵审', '学历不符', 1],
    ['due', '', '报名费', 4500],
    ['submitted', '', '', 1],
  ])
  // A post that was cancelled is part of where somebody stands.
  const stands = async () => (await office.get('/blade-signup/signup/course', { query: { id: one.id } })).body.data.reductionState
  expect(await stands()).toBe(0)
  await tenant.db(db => db.run(sql`update signup set reduction_state = 1 where id = ${one.id}`))
  expect(await stands()).toBe(1)
  // Who sees no money is not told of dues.
  expect((await of(reviewer)).map((row: readonly unknown[]) => row[0])).not.toContain('due')
})
