import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { type Person, startTestApp, type TestApp, type TestTenant, testStart } from '../../support/app.ts'
import { type BuiltExam, buildExam } from '../../support/factories.ts'
import { insertSignups, type SignupRef, type SignupSpec } from '../../support/sign-up-rows.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())
beforeEach(() => t.clock.set(testStart))

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
const person = (name: string, code: 'A001' | 'B001' | 'A002', examine = 'waiting'): SignupSpec => ({
  name,
  code,
  type: code[0] ?? '',
  unit: code === 'A002' ? 'H02' : 'H01',
  examine,
})
const crowd: readonly SignupSpec[] = [
  person('张一', 'A001'),
  person('张二', 'A001'),
  person('李三', 'B001'),
  person('李四', 'B001'),
  person('王五', 'A002'),
  person('王六', 'A002'),
]
const world = async (mode: number, people = crowd): Promise<World> => {
  const tenant = await t.tenant()
  const exam = await buildExam(tenant, { exam: { allot_mode: mode } })
  return {
    tenant,
    exam,
    officer: await tenant.staff('exam_admin', { realName: '考务丁' }),
    r1: await tenant.staff('reviewer1', { realName: '初审甲' }),
    r2: await tenant.staff('reviewer1', { realName: '初审乙' }),
    people: await insertSignups(tenant, exam.examId, people),
  }
}
const save = (w: World, list: readonly object[], by = w.officer) => by.post(`${base}/saveCheck`, { json: { examId: w.exam.examId, list } })
const listBoth = (w: World, more: object = {}) =>
  save(
    w,
    [w.r1, w.r2].map(one => ({ userId: one.userId, level: 1, ...more })),
  )
const check = (w: World, json: object = {}) => w.officer.post(`${base}/allotCheck`, { json: { examId: w.exam.examId, ...json } })
const figures = async (w: World, query: Record<string, string> = {}) =>
  (await w.officer.get(`${base}/getExamAllot`, { query: { examId: w.exam.examId, ...query } })).body.data
const open = async (who: Person, signUpId: string) => (await who.post(`${review}/open`, { json: { signUpId } })).body
const mine = async (w: World, who: Person): Promise<string[]> =>
  (await who.get(`${review}/getExamineList`, { query: { examId: w.exam.examId, level: 1 } })).body.data.records.map(
    (row: { name: string }) => row.name,
  )
const holders = (w: World) =>
  w.tenant
    .rows(sql<{ name: string; who: string }>`
      select s.name, a.reviewer_name as who from signup s join examine_allot a on a.signup_id = s.id and a.state < 2 order by s.name, a.id`)
    .then(rows => Object.fromEntries(rows.map(row => [row.name, row.who])))

/** Who would get whom by a trial. */
const heldIn = (plan: { reviewers: { name: string; people: { name: string }[] }[] }) =>
  Object.fromEntries(plan.reviewers.flatMap(share => share.people.map(one => [one.name, share.name])))

describe('allotment of reviewers (domain 3.9, 5.5)', () => {
  test('[S7.42] getExamUsers and saveCheck: who may review, with units, posts and quota; taking one off empties their list', async () => {
    const w = await world(3)
    const second = await w.tenant.staff('reviewer2', { realName: '复核丙' })
    const users = async () => (await w.officer.get(`${base}/getExamUsers`, { query: { examId: w.exam.examId } })).body.data
    expect(await users()).toEqual({
      users: [],
      candidates: expect.arrayContaining([
        { userId: w.r1.userId, name: '初审甲', account: expect.any(String), level: 1 },
        { userId: second.userId, name: '复核丙', account: expect.any(String), level: 2 },
      ]),
    })
    expect(
      (
        await save(w, [
          { userId: w.r1.userId, level: 1, units: ['H01'], codes: ['A001'], quota: 5 },
          { userId: w.r2.userId, level: 1 },
        ])
      ).body.data,
    ).toEqual({ saved: 2, removed: 0, returned: 0 })
    expect((await users()).users).toMatchObject([
      { userId: w.r1.userId, name: '初审甲', level: 1, units: ['H01'], codes: ['A001'], quota: 5, state: 1 },
      { userId: w.r2.userId, name: '初审乙', level: 1, units: [], codes: [], quota: 0, state: 1 },
    ])
    // Editing one leaves the other and what is not named alone.
    await save(w, [{ userId: w.r1.userId, level: 1, quota: 9 }])
    expect((await users()).users[0]).toMatchObject({ units: ['H01'], quota: 9 })
    await t.runTasks()
    expect(await holders(w)).toEqual({
      张一: expect.any(String),
      张二: expect.any(String),
      李三: '初审乙',
      李四: '初审乙',
      王五: '初审乙',
      王六: '初审乙',
    })
    const removed = await save(w, [{ userId: w.r2.userId, level: 1, remove: 1 }])
    expect(removed.body.data).toMatchObject({ saved: 0, removed: 1, returned: expect.any(Number) })
    expect(Object.values(await holders(w)).includes('初审乙')).toBe(false)
    expect(await w.tenant.rows(sql`select count(*)::int as n from audit_log where action = 'exam-user.saved'`)).toEqual([{ n: 3 }])

    const finance = await w.tenant.staff('finance')
    expect((await save(w, [{ userId: finance.userId, level: 1 }])).body).toMatchObject({ code: 400, reason: 'examine/no-reviewer' })
    const stranger = await world(3)
    expect((await save({ ...w, exam: stranger.exam }, [])).status).toBe(404)
    expect((await save(w, [{ userId: stranger.r1.userId, level: 1 }])).status).toBe(400)
    for (const who of [w.r1, await w.tenant.candidate()]) expect((await save(w, [], who)).status).toBe(403)
    const auditor = await w.tenant.staff('auditor')
    expect((await auditor.get(`${base}/getExamAllot`, { query: { examId: w.exam.examId } })).status).toBe(200)
    expect((await save(w, [], auditor)).status).toBe(403)
  })

  test('[S7.42] a look by GET takes no lock and says so; opening by POST does, and the look then shows it', async () => {
    const w = await world(0)
    const id = w.people[0]?.id ?? ''
    const look = async (who: Person) => {
      const { mayDecide, lockedBy, readOnlyReason, signup } = (await who.get(`${review}/getExamineInfo`, { query: { signUpId: id } })).body
        .data
      return [mayDecide, lockedBy, readOnlyReason, signup.id]
    }
    const locks = () => w.tenant.rows(sql<{ who: string }>`select reviewer_name as who from examine_allot where state = 1 order by id`)
    expect(await look(w.r1)).toEqual([false, null, '尚未打开审核，打开后才能作出决定', id])
    expect(await locks()).toEqual([])
    expect((await open(w.r1, id)).data).toMatchObject({ mayDecide: true, lockedBy: '初审甲', readOnlyReason: null })
    expect([await look(w.r1), await look(w.r2)]).toEqual([
      [true, '初审甲', null, id],
      [false, '初审甲', '初审甲 正在审核', id],
    ])
    expect(await locks()).toEqual([{ who: '初审甲' }])
  })

  test('[S7.42] saveCheck takes units and posts of this examination alone, names the unknown one, and keeps nothing of that call', async () => {
    const w = await world(3)
    const stored = () => w.tenant.rows(sql`select user_id::text as who, units, codes from exam_user order by 1`)
    expect((await save(w, [{ userId: w.r1.userId, level: 1, units: ['H01'], codes: ['A001'] }])).body.code).toBe(200)
    const before = await stored()
    const answers = []
    for (const wrong of [{ units: ['H01', 'H77'] }, { codes: ['A001', 'Z999'] }, { units: ['h01'] }]) {
      const { status, body } = await save(w, [
        { userId: w.r2.userId, level: 1 },
        { userId: w.r1.userId, level: 1, ...wrong },
      ])
      answers.push([status, body.reason, body.msg])
    }
    expect(answers).toEqual([
      [400, 'recusal/unknown-unit', '本次考试没有单位“H77”，请从岗位表的单位中选择'],
      [400, 'allot/unknown-post', '本次考试没有岗位“Z999”，请从岗位表中选择'],
      [400, 'recusal/unknown-unit', '本次考试没有单位“h01”，请从岗位表的单位中选择'],
    ])
    expect(await stored()).toEqual(before)
  })

  test('[S7.48] the units of the list count what waits for the person who looks, and only what the list shows them', async () => {
    const w = await world(0, [...crowd, person('赵七', 'A001', 'second'), person('赵八', 'A001', 'passed')])
    const second = await w.tenant.staff('reviewer2', { realName: '复核丙' })
    const auditor = await w.tenant.staff('auditor')
    const counted = async (who: Person) =>
      (await who.get(`${review}/getExamUnits`, { query: { examId: w.exam.examId } })).body.data
        .filter((unit: { total: number }) => unit.total > 0)
        .map((unit: { unit: string; total: number; waiting: number }) => [unit.unit, unit.waiting, unit.total])
    const row = (waiting: number) => [
      ['H01', waiting, 6],
      ['H02', waiting === 1 ? 0 : 2, 2],
    ]
    expect([await counted(w.r1), await counted(second)]).toEqual([row(4), row(1)])
    // Who decides on both levels, or on none, sees all that waits.
    expect([await counted(w.officer), await counted(auditor)]).toEqual([row(5), row(5)])
    await w.tenant.rows(sql`update examination set allot_mode = 1 where id = ${w.exam.examId}`)
    await w.tenant.db(db =>
      db.run(sql`
        insert into examine_allot (tenant_id, exam_id, signup_id, level, reviewer_id, reviewer_name, allotted)
        select tenant_id, exam_id, id, 1, ${w.r1.userId}, 'x', true from signup where name in ('张一', '王五')`),
    )
    expect([await mine(w, w.r1), await counted(w.r1), await counted(w.r2)]).toEqual([
      expect.toSatisfy(names => [...names].sort().join() === '张一,王五'),
      [
        ['H01', 1, 1],
        ['H02', 1, 1],
      ],
      [],
    ])
  })

  test.each([
    [2, ['张一', '张二'], ['李三', '李四']],
    [4, ['张一', '张二'], ['李三', '李四']],
  ])('[S7.42] allotCheck mode %i keeps together what belongs together', async (mode, one, other) => {
    const w = await world(0)
    await listBoth(w)
    await w.tenant.rows(sql`update examination set allot_mode = ${mode} where id = ${w.exam.examId}`)
    const plan = (await check(w, { dryRun: 1 })).body.data
    expect(plan).toMatchObject({ mode, dryRun: true, placed: 6, unplacedCount: 0 })
    type Share = { added: number; recused: number; postCount: number; posts: { count: number }[]; people: { name: string }[] }
    const shares: Share[] = plan.reviewers
    // Who gets what is seen before it happens: every person once, and what belongs together at one reviewer.
    expect(shares.flatMap(share => share.people.map(person => person.name)).toSorted()).toEqual(
      ['张一', '张二', '李三', '李四', '王五', '王六'].toSorted(),
    )
    for (const share of shares) {
      expect([share.posts.reduce((sum, post) => sum + post.count, 0), share.people.length, share.recused]).toEqual([
        share.added,
        share.added,
        0,
      ])
      expect(share.posts).toHaveLength(share.postCount)
    }
    expect(await holders(w)).toEqual({})
    const done = (await check(w)).body.data
    expect(done).toMatchObject({ mode, dryRun: false, placed: 6, released: 0, unplaced: [] })
    const held = await holders(w)
    expect(heldIn(plan)).toEqual(held)
    for (const group of [one, other]) expect(new Set(group.map(name => held[name])).size).toBe(1)
    expect(
      await w.tenant.rows(
        sql`select after_value->>'placed' as placed, length(after_value->>'key') as key from audit_log where action = 'signup.allotted'`,
      ),
    ).toEqual([{ placed: '6', key: 43 }])
  })

  test('[S7.42] allotCheck mode 1 shares a unit among all who cover it; handing out does what its trial showed, and the next draw is another', async () => {
    const people = ['H01', 'H02'].flatMap(unit =>
      Array.from({ length: unit === 'H01' ? 12 : 4 }, (_, i) => person(`${unit}${i}`, unit === 'H01' ? 'A001' : 'A002')),
    )
    const w = await world(1, people)
    const r3 = await w.tenant.staff('reviewer1', { realName: '初审丙' })
    // Listed by hand, so that the hand-out of newcomers does not go first.
    await w.tenant.rows(sql`
      insert into exam_user (tenant_id, exam_id, user_id, level, units)
      values (${w.tenant.tenantId}, ${w.exam.examId}, ${w.r1.userId}, 1, '[]'), (${w.tenant.tenantId}, ${w.exam.examId}, ${w.r2.userId}, 1, '[]'),
        (${w.tenant.tenantId}, ${w.exam.examId}, ${r3.userId}, 1, '["H02"]')`)
    const plan = (await check(w, { dryRun: 1 })).body.data
    type Share = { name: string; added: number; posts: { unit: string; count: number }[] }
    const shareOf = (name: string) => {
      const share: Share = plan.reviewers.find((row: Share) => row.name === name)
      return Object.fromEntries(share.posts.map(post => [post.unit, post.count]))
    }
    expect([shareOf('初审甲')['H01'], shareOf('初审乙')['H01'], shareOf('初审丙')['H01']]).toEqual([6, 6, undefined])
    expect(['初审甲', '初审乙', '初审丙'].map(name => shareOf(name)['H02'])).toEqual(expect.arrayContaining([1, 1, 2]))
    expect(shareOf('初审丙')).toEqual({ H02: 2 })
    expect(heldIn((await check(w, { dryRun: 1 })).body.data)).toEqual(heldIn(plan))
    expect((await check(w)).body.data.placed).toBe(16)
    expect(await holders(w)).toEqual(heldIn(plan))
    const again = (await check(w, { dryRun: 1, scope: 'rebalance' })).body.data
    expect([again.placed, heldIn(again)]).not.toEqual([16, heldIn(plan)])
  })

  test('[S7.42] allotCheck mode 3 shares evenly; getExamAllot tells pool, waiting, done and time; what is open is never moved', async () => {
    const w = await world(3)
    await save(w, [{ userId: w.r1.userId, level: 1 }])
    await t.runTasks()
    expect(await figures(w)).toMatchObject({
      level: 1,
      mode: 3,
      pool: 0,
      allotted: 6,
      done: 0,
      overdue: 0,
      reviewers: [{ name: '初审甲', waiting: 6, done: 0, avgMinutes: null }],
    })
    const [first] = w.people
    expect((await open(w.r1, first?.id ?? '')).data.mayDecide).toBe(true)
    t.clock.advance(90_000)
    await save(w, [{ userId: w.r2.userId, level: 1 }])
    expect((await check(w, { scope: 'rebalance' })).body.data).toMatchObject({ placed: 5, reviewers: [{ waiting: 3 }, { waiting: 3 }] })
    expect((await holders(w))['张一']).toBe('初审甲')
    await w.r1.post(`${review}/examine`, { json: { signUpId: first?.id, examineResult: 1, signVersion: 1 } })
    expect(await figures(w)).toMatchObject({
      pool: 0,
      allotted: 5,
      done: 1,
      reviewers: expect.arrayContaining([expect.objectContaining({ name: '初审甲', waiting: 2, done: 1, avgMinutes: 1.5 })]),
    })
    t.clock.set('2026-03-18T10:00:01+08:00')
    expect((await figures(w)).overdue).toBe(5)
  })

  test('[S7.42] allotCheck mode 0 gives everything back to the pool, and everybody of the list takes from it within their units', async () => {
    const w = await world(3)
    await listBoth(w)
    await t.runTasks()
    await w.tenant.rows(sql`update examination set allot_mode = 0 where id = ${w.exam.examId}`)
    expect((await check(w)).body.data).toMatchObject({ mode: 0, placed: 0, released: 6 })
    expect(await figures(w)).toMatchObject({ pool: 6, allotted: 0 })
    await save(w, [{ userId: w.r1.userId, level: 1, units: ['H02'] }])
    const [inH01, inH02] = [w.people[0]?.id ?? '', w.people[4]?.id ?? '']
    // What is of other units is neither decided nor read.
    expect((await open(w.r1, inH01)).code).toBe(404)
    expect((await open(w.r1, inH02)).data.mayDecide).toBe(true)
    expect((await open(w.r2, inH01)).data.mayDecide).toBe(true)
    const unlisted = await w.tenant.staff('reviewer1')
    expect((await open(unlisted, w.people[1]?.id ?? '')).code).toBe(404)
    // What somebody let go of without deciding waits for nobody again, on the cards and beside their name.
    const counted = async () => {
      const { pool, allotted, reviewers } = await figures(w)
      return { pool, allotted, ofReviewers: reviewers.reduce((sum: number, row: { waiting: number }) => sum + row.waiting, 0) }
    }
    expect(await counted()).toEqual({ pool: 4, allotted: 2, ofReviewers: 2 })
    t.clock.advance(24 * 3_600_000)
    expect(await counted()).toEqual({ pool: 6, allotted: 0, ofReviewers: 0 })
  })

  test('where the examination hands out, a reviewer sees, opens and decides what is theirs and nothing else', async () => {
    const w = await world(1)
    await save(w, [
      { userId: w.r1.userId, level: 1, units: ['H01'] },
      { userId: w.r2.userId, level: 1, units: ['H02'] },
    ])
    await t.runTasks()
    expect(await mine(w, w.r1)).toEqual(['张一', '张二', '李三', '李四'])
    expect(await mine(w, w.r2)).toEqual(['王五', '王六'])
    expect(await mine(w, w.officer)).toHaveLength(6)
    const foreign = w.people[4]?.id ?? ''
    expect((await open(w.r1, foreign)).code).toBe(404)
    expect((await w.r1.get('/blade-signup/signup/detail', { query: { id: foreign } })).status).toBe(404)
    expect((await w.r1.post(`${review}/examine`, { json: { signUpId: foreign, examineResult: 1, signVersion: 1 } })).status).toBe(404)
    // Closed without a decision it stays theirs; the next one is theirs too.
    const [first] = w.people
    await open(w.r1, first?.id ?? '')
    await w.r1.post(`${review}/release`, { query: { signUpId: first?.id } })
    expect((await holders(w))['张一']).toBe('初审甲')
    await open(w.r1, first?.id ?? '')
    const decided = await w.r1.post(`${review}/examine`, { json: { signUpId: first?.id, examineResult: 1, signVersion: 1 } })
    expect(decided.body.data).toMatchObject({ examine: 2, nextId: w.people[1]?.id })
    // Their own decision stays readable.
    expect((await w.r1.get('/blade-signup/signup/detail', { query: { id: first?.id } })).status).toBe(200)
  })

  test('recusal, the first reviewer and quota are honoured, and what stays is named with its reason', async () => {
    const w = await world(0)
    // Where reviewers take for themselves a hand-out would bind nobody: it is tried and not done.
    expect((await check(w, { mode: 3 })).body.reason).toBe('allot/takes-itself')
    await w.tenant.rows(sql`update examination set allot_mode = 3 where id = ${w.exam.examId}`)
    await w.tenant.rows(sql`
      insert into recuse (tenant_id, exam_id, reviewer_id, signup_id, reason) values (${w.tenant.tenantId}, ${w.exam.examId}, ${w.r1.userId}, ${w.people[0]?.id}, '亲属')`)
    await w.tenant.rows(sql`update signup set relatives = '[{"name":"初审乙","relation":"姐妹"}]' where id = ${w.people[0]?.id}`)
    await listBoth(w, { quota: 2 })
    const { data } = (await check(w, { mode: 3 })).body
    expect(data).toMatchObject({ placed: 4, unplacedCount: 2 })
    expect(data.unplaced).toContainEqual({
      signUpId: w.people[0]?.id,
      signNo: expect.any(String),
      reason: '负责的审核人员均需回避或已做过初审',
    })
    expect(data.unplaced.map((one: { reason: string }) => one.reason)).toContain('审核人员的待审数量已满')

    const both = await world(3, [person('张一', 'A001', 'second')])
    const second = await both.tenant.staff('reviewer2', { realName: '复核丙' })
    await both.tenant.rows(sql`update signup set reviewer1_id = ${second.userId}`)
    await save(both, [{ userId: second.userId, level: 2 }])
    expect((await check(both, { level: 2, mode: 3 })).body.data).toMatchObject({ placed: 0, unplacedCount: 1 })
    await both.tenant.rows(sql`update examination set allow_same_reviewer = true`)
    expect((await check(both, { level: 2, mode: 3 })).body.data).toMatchObject({ placed: 1, unplacedCount: 0 })
  })

  test('what reaches the second level is handed out by itself', async () => {
    const w = await world(3, [person('张一', 'A001')])
    const second = await w.tenant.staff('reviewer2', { realName: '复核丙' })
    await save(w, [
      { userId: w.r1.userId, level: 1 },
      { userId: second.userId, level: 2 },
    ])
    await t.runTasks()
    const id = w.people[0]?.id ?? ''
    await open(w.r1, id)
    await w.r1.post(`${review}/examine`, { json: { signUpId: id, examineResult: 1, signVersion: 1 } })
    expect((await open(second, id)).code).toBe(404)
    expect(await t.runTasks()).toContain('signup.allot')
    expect(await holders(w)).toEqual({ 张一: '复核丙' })
    expect((await open(second, id)).data.mayDecide).toBe(true)
  })
})
