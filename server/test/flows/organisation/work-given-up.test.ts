import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RawBuilder, sql } from '#kernel/db/sql.ts'
import { type Answer, type Person, startTestApp, type TestApp, type TestTenant, testStart } from '../../support/app.ts'
import { expr, straight, variable } from '../../support/drawing.ts'
import { type BuiltExam, buildExam } from '../../support/factories.ts'
import { deployDrawing, finishTask, startDrawing, todoOf, workOf } from '../../support/flow.ts'
import { insertSignups } from '../../support/sign-up-rows.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())

const base = '/blade-exam/examination'
const users = '/blade-system/user'
interface World {
  readonly tenant: TestTenant
  readonly exam: BuiltExam
  readonly admin: Person
  readonly officer: Person
  /** Who leaves. */
  readonly a: Person
  readonly b: Person
  /** Who takes over. */
  readonly c: Person
}
const ok = (answer: Answer) => {
  expect([answer.status, answer.body?.msg]).toEqual([200, expect.anything()])
  return answer.body.data
}
const world = async (mode = 3): Promise<World> => {
  t.clock.set(testStart)
  const tenant = await t.tenant()
  const exam = await buildExam(tenant, { exam: { allot_mode: mode, examine_levels: 1 } })
  const roles = ['reviewer1', 'exam_admin', 'finance'] as const
  const w = {
    ...{ tenant, exam },
    admin: await tenant.staff('admin', { realName: '管理员' }),
    officer: await tenant.staff('exam_admin', { realName: '考务丁' }),
    a: await tenant.staff(roles, { realName: '离任甲' }),
    b: await tenant.staff('reviewer1', { realName: '审核乙' }),
    c: await tenant.staff(roles, { realName: '接任丙' }),
  }
  await insertSignups(
    tenant,
    exam.examId,
    ['张一', '李二', '王三', '赵四'].map(name => ({ name, code: 'A001', type: 'A', unit: 'H01', examine: 'waiting' })),
  )
  return w
}
const list = (w: World, people: readonly Person[]) =>
  w.officer.post(`${base}/saveCheck`, { json: { examId: w.exam.examId, list: people.map(one => ({ userId: one.userId, level: 1 })) } })
const waiting = (w: World) =>
  w.tenant.rows(sql<{ who: string; n: number }>`
    select a.reviewer_name as who, count(*)::int as n from examine_allot a where a.state < 2 group by 1 order by 1`)
const trail = (w: World, action: string) =>
  w.tenant.rows(sql<Record<string, unknown>>`
    select user_id::text as who, entity_id::text as about, after_value as after from audit_log where action = ${action} order by id`)
const disable = (w: World, json: object = {}) => w.admin.post(`${users}/changeStatus`, { json: { id: w.a.userId, status: 2, ...json } })
const remove = (w: World, json: object = {}) => w.admin.post(`${users}/remove`, { json: { ids: w.a.userId, ...json } })

/** How a person comes to hold each kind of work, by the calls of the product where there is one. */
const given: Readonly<Record<string, (w: World) => Promise<unknown>>> = {
  'organisation.heads': w =>
    w.tenant.rows(
      sql`insert into dept (tenant_id, parent_id, dept_name, full_name, dept_category, sort, leader_id) values (${w.tenant.tenantId}, 0, '考务科', '考务科', 1, 1, ${w.a.userId})`,
    ),
  'organisation.superiors': w => w.tenant.rows(sql`update account set leader_id = ${w.a.userId} where id = ${w.b.userId}`),
  'oversight.alerts': w =>
    w.tenant.rows(sql`
      with rule as (select id from watch_rule limit 1)
      insert into watch_alert (tenant_id, rule_id, name_zh, name_en, measure, span, is_off_hours, floor, subject, user_id, role_alias, window_start, window_end, amount, limit_amount, usual, state, last_at, handler_id)
      select ${w.tenant.tenantId}, id, '大量导出', 'Many exports', 'exports', 'hour', false, 1, 'person', ${w.b.userId}, '', app_now(), app_now(), 9, 5, 1, 'looking', app_now(), ${w.a.userId} from rule`),
  'flow.tasks': async w => {
    const id = await deployDrawing(w.admin, straight('one', [['a', `flowable:assignee="${expr('head')}"`]], variable('head', 'user', true)))
    await startDrawing(w.officer, id, { head: w.a.userId })
  },
  'flow.delegated': async w => {
    const id = await deployDrawing(w.admin, straight('two', [['a', `flowable:assignee="${expr('head')}"`]], variable('head', 'user', true)))
    const process = await startDrawing(w.officer, id, { head: w.a.userId })
    const answer = await w.a.post('/blade-flow/work/delegate-task', { json: { taskId: await todoOf(w.a, process), userId: w.b.userId } })
    expect(answer.status).toBe(200)
  },
  'flow.candidates': async w => {
    const id = await deployDrawing(w.admin, straight('three', [['a', `flowable:candidateUsers="${w.a.userId}"`]], ''))
    await startDrawing(w.officer, id)
  },
  'job.alarms': w =>
    w.tenant.rows(sql`
      insert into job_info (tenant_id, job_server_id, job_name, processor_info, notify_user_ids)
      select ${w.tenant.tenantId}, id, '核对', 'try.one', ${w.a.userId} from job_server limit 1`),
  'exam.managers': w =>
    w.tenant.rows(sql`update examination set managers = jsonb_build_array(${w.a.userId}::text) where id = ${w.exam.examId}`),
  'signup.reviewers-1': w => list(w, [w.a]),
  'signup.waiting-1': w => list(w, [w.a]).then(() => t.runTasks()),
  'signup.reviewers-2': w =>
    w.tenant.rows(
      sql`insert into exam_user (tenant_id, exam_id, user_id, level) values (${w.tenant.tenantId}, ${w.exam.examId}, ${w.a.userId}, 2)`,
    ),
  'signup.waiting-2': w =>
    w.tenant.rows(sql`
      with moved as (update signup set examine = 'second' where name = '赵四' returning id)
      insert into examine_allot (tenant_id, exam_id, signup_id, level, reviewer_id, reviewer_name, state, allotted)
      select ${w.tenant.tenantId}, ${w.exam.examId}, id, 2, ${w.a.userId}, '离任甲', 0, true from moved`),
  'signup.recusals': w =>
    list(w, [w.a]).then(() =>
      w.officer.post(`${base}/saveRecusal`, { json: { examId: w.exam.examId, userId: w.a.userId, unit: 'H02', reason: '亲属' } }),
    ),
  'report.schedules': w =>
    w.tenant.rows(sql`
      insert into report (tenant_id, report_name, data_set, data_set_version, design, owner_id, cron) values (${w.tenant.tenantId}, '周报', 'signup', 1, '{}', ${w.a.userId}, '0 0 8 * * ?')`),
  'report.readers': w =>
    w.tenant.rows(sql`
      insert into report (tenant_id, report_name, data_set, data_set_version, design, owner_id, cron, people)
      values (${w.tenant.tenantId}, '日报', 'signup', 1, '{}', ${w.b.userId}, '0 0 8 * * ?', jsonb_build_array(${w.a.userId}::text))`),
}
const kinds = () => t.app.modules.organisation.allHoldings().map(({ name }) => name)
const held = (w: World, kind: string, who: Person) => {
  const holding = t.app.modules.organisation.allHoldings().find(({ name }) => name === kind)
  return w.tenant
    .rows((holding?.rows() ?? sql`select 1`) as RawBuilder<{ holder: string; id: string; count: number }>)
    .then(rows => rows.filter(row => String(row.holder) === who.userId))
}

describe('whoever leaves gives up what they hold, in the same act', () => {
  test('every kind of work has its case here', () => {
    expect(Object.keys(given).sort()).toEqual([...kinds()].sort())
  })

  test.each(Object.keys(given))('%s: nothing is left with an account that was removed', async kind => {
    const w = await world()
    await given[kind]?.(w)
    expect(await held(w, kind, w.a)).not.toEqual([])
    const shown = ok(await w.admin.get(`${users}/holdings`, { query: { userIds: w.a.userId, act: 'remove' } }))
    const [line] = shown.people[0].work.filter((one: { kind: string }) => one.kind === kind)
    expect(line).toMatchObject({ kind, ends: line.count, handedOver: 0, names: expect.any(Array) })
    const answer = ok(await remove(w))
    expect(answer).toMatchObject({ removed: 1, handedOver: 0 })
    expect(answer.returned).toBeGreaterThan(0)
    expect(await held(w, kind, w.a)).toEqual([])
    const [said] = await trail(w, 'account.work-given-up')
    expect(said).toMatchObject({
      who: w.admin.userId,
      about: w.a.userId,
      after: { because: 'remove', to: null, work: { [kind]: { back: expect.any(Array) } } },
    })
  })

  test.each(Object.keys(given))('%s: goes to who is named, as far as they may have it', async kind => {
    const w = await world()
    await given[kind]?.(w)
    const before = await held(w, kind, w.a)
    const shown = ok(await w.admin.get(`${users}/holdings`, { query: { userIds: w.a.userId, act: 'remove', handTo: w.c.userId } }))
    const [line] = shown.people[0].work.filter((one: { kind: string }) => one.kind === kind)
    const answer = ok(await remove(w, { handTo: w.c.userId }))
    expect(await held(w, kind, w.a)).toEqual([])
    const isForNobodyElse = ['oversight.alerts', 'signup.recusals', 'signup.reviewers-2', 'signup.waiting-2'].includes(kind)
    expect(line.handedOver).toBe(isForNobodyElse ? 0 : line.ends)
    expect((await held(w, kind, w.c)).map(({ count }) => count)).toEqual(isForNobodyElse ? [] : before.map(({ count }) => count))
    expect(answer.handedOver + answer.returned).toBe(shown.people[0].work.reduce((sum: number, one: { ends: number }) => sum + one.ends, 0))
  })
})

describe('each way by which somebody can do no more', () => {
  test('disabled: sign-ups go to the others at once, and later ones too; a recusal lasts', async () => {
    const w = await world()
    await given['signup.recusals']?.(w)
    await t.runTasks()
    await list(w, [w.a, w.b])
    expect(await waiting(w)).toEqual([{ who: '离任甲', n: 4 }])
    expect(ok(await disable(w, { reason: '离职' }))).toEqual({ changed: 1, handedOver: 0, returned: 5 })
    expect(await waiting(w)).toEqual([{ who: '审核乙', n: 4 }])
    expect(await held(w, 'signup.recusals', w.a)).toHaveLength(1)
    await insertSignups(w.tenant, w.exam.examId, [{ name: '钱五', code: 'A001', type: 'A', unit: 'H01', examine: 'waiting' }])
    await w.officer.post(`${base}/allotCheck`, { json: { examId: w.exam.examId } })
    expect(await waiting(w)).toEqual([{ who: '审核乙', n: 5 }])
    // Whoever cannot act is neither listed nor given one by hand.
    expect((await list(w, [w.a])).body.reason).toBe('examine/no-reviewer')
  })

  test('nothing new goes to who is listed and cannot act: locked, or without the role', async () => {
    const w = await world()
    await list(w, [w.a, w.b])
    await w.admin.post(`${users}/lock`, { json: { userIds: w.a.userId, reason: '核查' } })
    await t.runTasks()
    expect(await waiting(w)).toEqual([{ who: '审核乙', n: 4 }])
    const [{ id } = { id: '0' }] = await w.tenant.rows(sql<{ id: string }>`select id::text as id from signup where name = '张一'`)
    const moved = await w.officer.post(`${base}/transferAllot`, { json: { signUpId: id, userId: w.a.userId, reason: '换人' } })
    expect([moved.status, moved.body.reason]).toEqual([400, 'allot/not-listed'])
  })

  test('roles taken: what needs them ends, what does not stays', async () => {
    const w = await world()
    await list(w, [w.a])
    await t.runTasks()
    await given['organisation.superiors']?.(w)
    await given['exam.managers']?.(w)
    const [role] = await w.tenant.rows(
      sql<{ id: string }>`select id::text as id from role where role_alias = 'exam_admin' and not is_deleted`,
    )
    const query = { userIds: w.a.userId, act: 'roles', roleIds: role?.id }
    const shown = ok(await w.admin.get(`${users}/holdings`, { query }))
    expect(shown.people[0].work.map((one: Record<string, unknown>) => [one['kind'], one['count'], one['ends']])).toEqual([
      ['organisation.superiors', 1, 0],
      ['exam.managers', 1, 0],
      ['signup.reviewers-1', 1, 1],
      ['signup.waiting-1', 4, 4],
    ])
    const answer = ok(await w.admin.post(`${users}/grant`, { json: { userIds: w.a.userId, roleIds: role?.id, handTo: w.c.userId } }))
    expect(answer).toEqual({ changed: 1, handedOver: 5, returned: 0 })
    expect(await waiting(w)).toEqual([{ who: '接任丙', n: 4 }])
    expect(await held(w, 'exam.managers', w.a)).toHaveLength(1)
  })

  test('moved to another department: it is headed by who is there; with the form of the account too', async () => {
    const w = await world()
    await given['organisation.heads']?.(w)
    const [dept] = await w.tenant.rows(sql<{ id: string }>`select id::text as id from dept where dept_name = '考务科'`)
    await w.tenant.rows(sql`update account set dept_id = ${dept?.id} where id = ${w.a.userId}`)
    await w.tenant.rows(
      sql`insert into dept (tenant_id, parent_id, dept_name, full_name, dept_category, sort) values (${w.tenant.tenantId}, 0, '人事科', '人事科', 1, 1)`,
    )
    const [away] = await w.tenant.rows(sql<{ id: string }>`select id::text as id from dept where dept_name = '人事科'`)
    const shown = ok(await w.admin.get(`${users}/holdings`, { query: { userIds: w.a.userId, act: 'move', deptId: away?.id } }))
    expect(shown.people[0].work).toEqual([
      { kind: 'organisation.heads', label: '部门负责人', count: 1, ends: 1, handedOver: 0, pool: '不再是负责人', names: ['考务科'] },
    ])
    ok(await w.admin.post(`${users}/submit`, { json: { id: w.a.userId, deptId: away?.id, handTo: w.c.userId } }))
    expect(await w.tenant.rows(sql`select leader_id as who from dept where id = ${dept?.id}`)).toEqual([{ who: w.c.userId }])
  })

  test('who takes over is another active member of staff', async () => {
    const w = await world()
    const candidate = await w.tenant.candidate()
    for (const handTo of [w.a.userId, candidate.userId, '1']) {
      const answer = await disable(w, { handTo })
      expect([answer.status, answer.body.reason]).toEqual([409, 'user/no-successor'])
    }
    expect(await w.tenant.rows(sql`select status from account where id = ${w.a.userId}`)).toEqual([{ status: 1 }])
  })

  test('a task that several may claim goes back to them; what is returned to somebody gone ends', async () => {
    const w = await world()
    const id = await deployDrawing(w.admin, straight('claim', [['a', 'flowable:candidateGroups="role:reviewer1"']], ''))
    const process = await startDrawing(w.officer, id)
    const [open] = await workOf('claim', w.a, process)
    expect((await w.a.post('/blade-flow/work/claim-task', { json: { taskId: open?.['taskId'] } })).status).toBe(200)
    ok(await disable(w))
    expect(await workOf('claim', w.b, process)).toHaveLength(1)
    // What a disabled applicant asked for and is refused does not come back to them.
    const own = await deployDrawing(
      w.admin,
      straight('own', [['a', `flowable:assignee="${expr('head')}"`]], variable('head', 'user', true)),
    )
    const asked = await startDrawing(w.c, own, { head: w.b.userId })
    ok(await w.admin.post(`${users}/changeStatus`, { json: { id: w.c.userId, status: 2 } }))
    expect((await finishTask(w.b, await todoOf(w.b, asked), undefined, '不同意')).status).toBe(200)
    expect(await w.tenant.rows(sql`select state, passed from flow_instance where id = ${asked}`)).toEqual([
      { state: 'finished', passed: false },
    ])
  })

  test('work that lies with who cannot do it, however that came about, is found by the check of the data and given back', async () => {
    const w = await world()
    await list(w, [w.a, w.b])
    await t.runTasks()
    await w.tenant.rows(sql`update account set status = 2 where id = ${w.a.userId}`)
    const check = t.app.modules.organisation.invariants.find(({ name }) => name === 'organisation.work')
    if (check === undefined || check.by === 'installation') throw new Error('there is no such check')
    const broken = () => w.tenant.rows(check.broken({ examId: '', now: t.clock.now() }) as RawBuilder<{ id: string; found: string }>)
    expect((await broken()).map(({ id, found }) => [String(id), found])).toEqual([[w.a.userId, 'signup.reviewers-1, signup.waiting-1']])
    await w.tenant.db(async db => check.healer?.heal(db, w.a.userId))
    expect(await broken()).toEqual([])
    expect(await waiting(w)).toEqual([{ who: '审核乙', n: 4 }])
  })
})
