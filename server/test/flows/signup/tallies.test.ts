import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { SignupState } from '#contract/signup/signup.state.ts'
import { systemOf, type TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'
import { gatherTallies, mendTallies } from '#modules/signup/data/tally.repo.ts'
import { type Person, startTestApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { buildExam, makeDept } from '../../support/factories.ts'
import { doWork } from '../../support/own-work.ts'
import { decide, openReview, reviewWorld } from '../../support/reviewing.ts'

let t: TestApp
let tenant: TestTenant
let examId: string
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())
beforeEach(async () => {
  tenant = await t.tenant()
  examId = (await buildExam(tenant)).examId
})

const gather = () => t.app.services.scopes.asPlatform('a test', t.app.services.clock.now(), gatherTallies)

/** What is kept, and the same counted from the rows. */
const kept = (db: TenantDb) =>
  db.all(sql<{ cell: string; n: number }>`
    select cell, sum(n)::int as n from (
      select concat_ws(' ', examine, unit, code, type, nullif(pay_state, 'none')) as cell, n from signup_tally where exam_id = ${examId}
      union all select concat_ws(' ', event, unit, to_char(at at time zone 'Asia/Shanghai', 'DD HH24:MI')), n from signup_hour where exam_id = ${examId}) k
    group by cell having sum(n) <> 0 order by cell`)
const counted = (db: TenantDb) =>
  db.all(sql<{ cell: string; n: number }>`
    with s as (select * from signup where exam_id = ${examId} and not is_deleted and examine <> 'draft')
    select cell, count(*)::int as n from (
      select concat_ws(' ', examine, coalesce(unit, ''), coalesce(code, ''), coalesce(type, ''), nullif(pay_state, 'none')) as cell from s
      union all select concat_ws(' ', 'submitted', coalesce(unit, ''), to_char(first_submit_time at time zone 'Asia/Shanghai', 'DD HH24:00')) from s
        where examine <> 'withdrawn' and first_submit_time is not null
      union all select concat_ws(' ', 'waiting', coalesce(unit, ''), to_char(submit_time at time zone 'Asia/Shanghai', 'DD HH24:00')) from s
        where examine in ('waiting', 'second') and submit_time is not null
      union all select concat_ws(' ', 'passed', coalesce(unit, ''), to_char(examine_time at time zone 'Asia/Shanghai', 'DD HH24:00')) from s
        where examine = 'passed' and examine_time is not null
      union all select concat_ws(' ', 'paid', coalesce(unit, ''), to_char(first.at at time zone 'Asia/Shanghai', 'DD HH24:00')) from s
        join (select signup_id, min(paid_time) as at from exam_pay where state = 'paid' and not is_deleted group by 1) first on first.signup_id = s.id
        where examine <> 'withdrawn') c
    group by cell order by cell`)
const cellsNow = async () => {
  const [is, should] = await tenant.db(async db => [await kept(db), await counted(db)] as const)
  expect(is).toEqual(should)
  return Object.fromEntries(is.map(({ cell, n }) => [cell, n]))
}

const insert = async (examine: SignupState, more: { first?: string; decided?: string } = {}): Promise<Person> => {
  const person = await tenant.candidate()
  await tenant.rows(sql`
    insert into signup (tenant_id, exam_id, user_id, code, type, unit, examine, submit_time, first_submit_time, examine_time)
    values (${tenant.tenantId}, ${examId}, ${person.userId}, 'B001', 'B', 'H01', ${examine}, ${more.first ?? '2026-03-16T09:30:00+08'}, ${more.first ?? '2026-03-16T09:30:00+08'},
      ${more.decided ?? null}) returning 1 as one`)
  return person
}
const change = (person: Person, set: ReturnType<typeof sql>) =>
  tenant.rows(sql`update signup set ${set} where exam_id = ${examId} and user_id = ${person.userId} returning 1 as one`)

test('from each state into each other the sums equal the count, gathered or not', async () => {
  const states: readonly SignupState[] = ['draft', 'waiting', 'second', 'returned', 'refused', 'passed', 'withdrawn', 'disqualified']
  const person = await insert('draft')
  expect(await cellsNow()).toEqual({})
  for (const from of states)
    for (const to of states) {
      await change(person, sql`examine = ${from}, examine_time = null`)
      await cellsNow()
      await change(person, sql`examine = ${to}, examine_time = '2026-03-17T10:59:00+08'`)
      await cellsNow()
    }
  await gather()
  await change(person, sql`examine = 'passed'`)
  expect(await cellsNow()).toEqual({ 'passed H01 17 10:00': 1, 'passed H01 B001 B': 1, 'submitted H01 16 09:00': 1 })
})

test('what moves to another post, is sent anew, removed, brought back or erased is counted where it is', async () => {
  const [one, two] = [await insert('waiting'), await insert('passed', { decided: '2026-03-16T11:00:00+08' })]
  await change(one, sql`unit = 'H02', code = 'A002', type = 'A'`)
  await change(one, sql`submit_time = '2026-03-18T00:00:00+08'`)
  expect(await cellsNow()).toEqual({
    'waiting H02 A002 A': 1,
    'passed H01 B001 B': 1,
    'submitted H01 16 09:00': 1,
    'submitted H02 16 09:00': 1,
    'waiting H02 18 00:00': 1,
    'passed H01 16 11:00': 1,
  })
  await change(two, sql`is_deleted = true`)
  await gather()
  expect(await cellsNow()).toEqual({ 'waiting H02 A002 A': 1, 'submitted H02 16 09:00': 1, 'waiting H02 18 00:00': 1 })
  await change(two, sql`is_deleted = false, unit = null, code = null, type = null`)
  expect(await cellsNow()).toMatchObject({ 'passed   ': 1, 'passed  16 11:00': 1 })
  await change(two, sql`content = '{"name": "x"}', pay_state = 'due'`)
  await cellsNow()
  const owner = await t.owner()
  await owner.query('delete from signup where exam_id = $1', [examId])
  expect(await cellsNow()).toEqual({})
})

test('whoever has paid is counted once, by the first payment that stands, where they are', async () => {
  const person = await insert('passed', { decided: '2026-03-16T11:00:00+08' })
  const due = (name: string, at: string) =>
    tenant.rows(sql`
      insert into exam_pay (tenant_id, exam_id, signup_id, user_id, pay_name, amount_fen, state, deadline)
      select tenant_id, exam_id, id, user_id, ${name}, 100, 'due', ${at} from signup where exam_id = ${examId} and user_id = ${person.userId} returning 1 as one`)
  const pay = (name: string, set: ReturnType<typeof sql>) =>
    tenant.rows(sql`update exam_pay set ${set} where exam_id = ${examId} and pay_name = ${name} returning 1 as one`)
  const paid = async () => Object.entries(await cellsNow()).filter(([cell]) => cell.startsWith('paid'))
  for (const name of ['one', 'two']) await due(name, '2026-03-20T12:00:00+08')
  expect(await paid()).toEqual([])
  await Promise.all([
    pay('one', sql`state = 'paid', paid_time = '2026-03-18T12:30:00+08'`),
    pay('two', sql`state = 'paid', paid_time = '2026-03-18T10:30:00+08'`),
  ])
  expect(await paid()).toEqual([['paid H01 18 10:00', 1]])
  await gather()
  await change(person, sql`unit = 'H02', code = 'A002'`)
  expect(await paid()).toEqual([['paid H02 18 10:00', 1]])
  await pay('two', sql`state = 'refunding'`)
  expect(await paid()).toEqual([['paid H02 18 12:00', 1]])
  await change(person, sql`examine = 'withdrawn'`)
  expect(await paid()).toEqual([])
  await change(person, sql`examine = 'waiting'`)
  await tenant.rows(sql`update exam_pay set state = 'paid' where exam_id = ${examId} returning 1 as one`)
  expect(await paid()).toEqual([['paid H02 18 10:00', 1]])
  await tenant.rows(sql`update exam_pay set is_deleted = true where exam_id = ${examId} returning 1 as one`)
  expect(await paid()).toEqual([])
  expect(await tenant.db(db => mendTallies(db, examId))).toBe(0)
})

test('a journey by the calls of the program, and what the lists and figures say of it', async () => {
  const w = await reviewWorld(t)
  tenant = w.tenant
  examId = w.exam.examId
  const seen = async () => {
    await cellsNow()
    const total = async (query: Record<string, string | number>): Promise<number> =>
      (await w.officer.get('/blade-signup/examine/getExamineList', { query: { examId, ...query } })).body.data.total
    const [unit] = (await w.officer.get('/blade-signup/examine/getExamUnits', { query: { examId } })).body.data
    return [
      await total({}),
      await total({ level: 1 }),
      await total({ unit: 'h01', code: 'b001' }),
      await total({ unit: 'H02', count: 'capped' }),
      [unit.total, unit.waiting, unit.passed],
    ]
  }
  expect(await seen()).toEqual([1, 1, 1, 0, [1, 1, 0]])
  await openReview(w.r1, w.id)
  await decide(w.r1, w.id, { examineResult: 1 })
  expect(await seen()).toEqual([1, 0, 1, 0, [1, 1, 0]])
  await openReview(w.r2, w.id)
  await decide(w.r2, w.id, { examineResult: 1 })
  expect(await seen()).toEqual([1, 0, 1, 0, [1, 0, 1]])
  expect((await w.candidate.post('/blade-signup/signup/remove', { json: { ids: w.id } })).body.data).toEqual({ withdrawn: 1 })
  await gather()
  expect(await seen()).toEqual([1, 0, 1, 0, [0, 0, 0]])
})

test('the sums belong to the rows that a transaction sees, whatever others do and gather meanwhile', async () => {
  const person = await insert('waiting')
  const both = async (db: TenantDb) => [await kept(db), await counted(db)] as const
  await tenant.db(async db => {
    await db.run(sql`update signup set examine = 'second' where exam_id = ${examId} and user_id = ${person.userId}`)
    await insert('waiting')
    await gather()
    const [is, should] = await both(db)
    expect(is).toEqual(should)
    expect(is.map(({ cell, n }) => [cell, n])).toEqual([
      ['second H01 B001 B', 1],
      ['submitted H01 16 09:00', 2],
      ['waiting H01 16 09:00', 2],
      ['waiting H01 B001 B', 1],
    ])
  })
  const undone = tenant.db(async db => {
    await db.run(sql`update signup set examine = 'passed' where exam_id = ${examId}`)
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  await cellsNow()
  const people = await Promise.all(Array.from({ length: 6 }, () => insert('waiting')))
  await Promise.all(
    people.flatMap(one => [
      change(one, sql`examine = 'passed', examine_time = '2026-03-17T10:00:00+08'`),
      gather(),
      change(one, sql`unit = 'H02'`),
      gather(),
    ]),
  )
  await gather()
  await cellsNow()
  const lines = await tenant.rows(sql`select 1 as one from signup_tally where exam_id = ${examId} and id <> 0`)
  expect(lines).toEqual([])
})

test('what somebody beside the program left wrong is set right at night, with a line in the trail', async () => {
  await insert('waiting')
  await gather()
  const owner = await t.owner()
  await owner.query('update signup_tally set n = 5 where exam_id = $1', [examId])
  await owner.query(`delete from signup_hour where exam_id = $1 and event = 'submitted'`, [examId])
  expect((await doWork(t, 'signup.check-tallies', tenant.tenantId)).result).toEqual({
    zh: '改正报名合计 2 个，详见日志',
    en: '2 sums set right; the log names them',
  })
  expect(await cellsNow()).toEqual({ 'waiting H01 B001 B': 1, 'submitted H01 16 09:00': 1, 'waiting H01 16 09:00': 1 })
  expect(await tenant.db(db => mendTallies(db, examId))).toBe(0)
  expect(
    await tenant.rows(
      sql`select action, entity_id as id, after_value as after from audit_log where action = 'examination.recounted' and tenant_id = ${tenant.tenantId}`,
    ),
  ).toEqual([{ action: 'examination.recounted', id: examId, after: { sums: 2 } }])
})

test('another tenant and whoever does not reach the examination read no line; candidates neither', async () => {
  await insert('waiting')
  const dept = await makeDept(tenant, '人事科')
  await tenant.rows(sql`update examination set dept_id = ${dept} where id = ${examId} returning 1 as one`)
  const lines = async (tenantId: string, departments: readonly string[] | null) =>
    t.app.services.scopes.tx({ kind: 'staff', tenantId, userId: '0', departments }, t.app.services.clock.now(), async db =>
      (await kept(db)).map(({ n }) => n),
    )
  const other = await t.tenant()
  expect([
    await lines(tenant.tenantId, null),
    await lines(tenant.tenantId, [dept]),
    await lines(tenant.tenantId, ['1']),
    await lines(other.tenantId, null),
  ]).toEqual([[1, 1, 1], [1, 1, 1], [], []])
  const asCandidate = t.app.services.scopes.tx(
    { kind: 'candidate', tenantId: tenant.tenantId, userId: '1' },
    t.app.services.clock.now(),
    kept,
  )
  await expect(asCandidate).rejects.toThrow('permission denied')
  expect(await t.app.services.scopes.tx(systemOf(other.tenantId), t.app.services.clock.now(), db => mendTallies(db, examId))).toBe(0)
})
