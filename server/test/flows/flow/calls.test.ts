import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { type Answer, type Person, startTestApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { drawing, expr, line, straight, task, variable } from '../../support/drawing.ts'
import { dataOf, deployDrawing, finishTask, refusalOf, startDrawing, todoOf, workOf } from '../../support/flow.ts'

let t: TestApp
let tenant: TestTenant
let other: TestTenant
let admin: Person
let clerk: Person
let one: Person
let two: Person
let stranger: Person
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())
/** Both tenants have people of the same roles and the same process. */
beforeEach(async () => {
  ;[tenant, other] = [await t.tenant(), await t.tenant()]
  admin = await tenant.staff('admin', { realName: '管理员' })
  clerk = await tenant.staff('exam_admin', { realName: '经办人' })
  one = await tenant.staff('reviewer1', { realName: '审批甲' })
  two = await tenant.staff('reviewer1', { realName: '审批乙' })
  stranger = await other.staff(['admin', 'reviewer1'], { realName: '外人' })
})

const groups = 'flowable:candidateGroups="role:reviewer1"'
const user = (who: Person): string => `flowable:assignee="${who.userId}"`
const notices = (of: TestTenant, who: Person) =>
  of.rows(sql<{ title: string; content: string; link: string }>`
    select title_zh as title, content_zh as content, link from notify where user_id = ${who.userId} order by id`)
const trail = (action: string) =>
  tenant.rows(sql`select user_id::text as "userId", reason, after_value as after from audit_log where action = ${action} order by id`)
const post = (by: Person, path: string, json: object): Promise<Answer> => by.post(path, { json })
const counts = async (by: Person) => dataOf(await by.get('/blade-flow/work/counts'))

describe('[S7.33] copies, assignment, counts', () => {
  test('copies let others look and are told once; whoever is elsewhere gets none', async () => {
    const id = await startDrawing(clerk, await deployDrawing(admin, straight('copied', [['a', user(one)]])), {}, '采购血压计')
    const copy = (by: Person, userIds: string, comment?: string) =>
      post(by, '/blade-flow/work/copy-to', { processInstanceId: id, userIds, ...(comment ? { comment } : {}) })
    expect(refusalOf(await copy(stranger, stranger.userId))).toEqual([404, 'kernel/not-found'])
    expect(refusalOf(await copy(two, two.userId))).toEqual([404, 'kernel/not-found'])
    expect(refusalOf(await copy(clerk, stranger.userId))).toEqual([400, 'flow/no-person'])
    expect(await workOf('copy', two, id)).toEqual([])
    expect(dataOf(await copy(clerk, `${two.userId},${admin.userId}`, '请知悉'))).toEqual({ copied: 2 })
    expect(dataOf(await copy(clerk, two.userId))).toEqual({ copied: 0 })
    expect(
      (await workOf('copy', two, id)).map(({ title, taskName, assigneeName, state }) => [title, taskName, assigneeName, state]),
    ).toEqual([['采购血压计', '步骤 a', '审批甲', 0]])
    expect(await notices(tenant, two)).toEqual([{ title: '抄送给您', content: '采购血压计', link: '/work/done' }])
    expect(await trail('flow-instance.copied')).toEqual([
      { userId: clerk.userId, reason: '请知悉', after: { title: '采购血压计', to: ['审批乙', '管理员'] } },
    ])
    const detail = dataOf(await two.get('/blade-flow/work/instance-detail', { query: { processInstanceId: id } }))
    expect([detail.title, detail.actions]).toEqual(['采购血压计', ['copy']])
    // They may look and no more.
    expect(refusalOf(await finishTask(two, String(detail.taskId), 'ok'))).toEqual([403, 'flow/not-yours'])
  })

  test('whoever has no part in a process is told of its tasks what their page tells: there is none, and no name', async () => {
    const id = await startDrawing(clerk, await deployDrawing(admin, straight('closed', [['a', user(one)]])), {}, '采购')
    const taskId = await todoOf(one, id)
    const calls = [
      await finishTask(two, taskId, 'ok'),
      await post(two, '/blade-flow/work/transfer-task', { taskId, userId: two.userId }),
      await post(two, '/blade-flow/work/claim-task', { taskId }),
    ]
    for (const answer of calls) expect([...refusalOf(answer), answer.body.msg]).toEqual([404, 'kernel/not-found', '记录不存在'])
    expect(refusalOf(await two.get('/blade-flow/work/task-detail', { query: { taskId } }))).toEqual([404, 'kernel/not-found'])
    dataOf(await finishTask(one, taskId, 'ok'))
    expect(refusalOf(await finishTask(two, taskId, 'ok'))).toEqual([404, 'kernel/not-found'])
  })

  test('to assign a task to oneself takes a reason, which the trail keeps', async () => {
    const id = await startDrawing(clerk, await deployDrawing(admin, straight('selfish', [['a', user(one)]])), {}, '采购')
    const taskId = await todoOf(one, id)
    const assign = (comment?: string) =>
      post(admin, '/blade-flow/follow/assign-task', { taskId, userId: admin.userId, ...(comment === undefined ? {} : { comment }) })
    for (const comment of [undefined, '', '  ']) {
      const refused = await assign(comment)
      expect([refused.status, refused.body.data?.fields?.[0]?.field]).toEqual([400, 'comment'])
    }
    dataOf(await assign('甲离职，暂由我办理'))
    expect(await trail('flow-task.assigned')).toMatchObject([{ userId: admin.userId, reason: '甲离职，暂由我办理' }])
  })

  test('an administrator gives a task to somebody; the old one has it no longer, another tenant’s cannot', async () => {
    const id = await startDrawing(clerk, await deployDrawing(admin, straight('given', [['a', groups]])), {}, '采购')
    const [{ taskId }] = (await workOf('claim', one, id)) as [{ taskId: string }]
    const assign = (by: Person, userId: string, comment?: string) =>
      post(by, '/blade-flow/follow/assign-task', { taskId, userId, ...(comment ? { comment } : {}) })
    expect(refusalOf(await assign(stranger, stranger.userId))).toEqual([404, 'kernel/not-found'])
    expect(refusalOf(await assign(admin, stranger.userId))).toEqual([400, 'flow/no-person'])
    expect((await assign(clerk, two.userId)).status).toBe(403)
    expect(dataOf(await assign(admin, two.userId, '甲休假'))).toEqual({ processInstanceId: id, state: 0 })
    expect([(await workOf('claim', one, id)).length, await todoOf(two, id)]).toEqual([0, taskId])
    expect(refusalOf(await assign(admin, two.userId))).toEqual([400, 'flow/same-person'])
    dataOf(await assign(admin, one.userId))
    expect([await todoOf(two, id), await todoOf(one, id)]).toEqual(['', taskId])
    expect((await notices(tenant, two)).map(({ title }) => title)).toEqual(['待签：步骤 a', '待办：步骤 a'])
    expect(await trail('flow-task.assigned')).toEqual([
      { userId: admin.userId, reason: '甲休假', after: { process: id, step: '步骤 a', to: '审批乙' } },
      { userId: admin.userId, reason: null, after: { process: id, step: '步骤 a', to: '审批甲' } },
    ])
    dataOf(await finishTask(one, taskId, 'ok'))
    expect(refusalOf(await assign(admin, two.userId))).toEqual([409, 'flow/task-over'])
  })

  test('counts are of the caller’s own tasks: to claim, to do, and late ones', async () => {
    const xml = straight('counted', [
      ['a', groups],
      ['b', `${user(one)} flowable:dueDate="PT1H"`],
    ])
    const away = straight('counted', [['a', groups]])
    await startDrawing(await other.staff('exam_admin'), await deployDrawing(stranger, away))
    const definition = await deployDrawing(admin, xml)
    const [first] = [await startDrawing(clerk, definition), await startDrawing(clerk, definition)]
    expect([await counts(one), await counts(two), await counts(clerk), await counts(stranger)]).toEqual([
      { claim: 2, todo: 0, overdue: 0 },
      { claim: 2, todo: 0, overdue: 0 },
      { claim: 0, todo: 0, overdue: 0 },
      { claim: 1, todo: 0, overdue: 0 },
    ])
    const [{ taskId }] = (await workOf('claim', two, first)) as [{ taskId: string }]
    dataOf(await post(two, '/blade-flow/work/claim-task', { taskId }))
    expect([await counts(one), await counts(two)]).toEqual([
      { claim: 1, todo: 0, overdue: 0 },
      { claim: 1, todo: 1, overdue: 0 },
    ])
    dataOf(await finishTask(two, taskId, 'ok'))
    t.clock.advance(3_601_000)
    expect(await counts(one)).toEqual({ claim: 1, todo: 1, overdue: 1 })
  })
})

describe('[S7.34] models and files', () => {
  test('models are removed together or not at all; what was deployed from them stays', async () => {
    const xml = straight('gone', [['a', user(one)]])
    const definition = await deployDrawing(admin, xml)
    const list = async (by: Person) => dataOf(await by.get('/blade-flow/model/list', { query: { modelKey: 'gone' } })).records
    const { id: theirs } = dataOf(await post(stranger, '/blade-flow/model/submit', { modelEditorXml: xml }))
    const [{ id }] = await list(admin)
    const remove = (by: Person, ids: string) => post(by, '/blade-flow/model/remove', { ids })
    for (const [by, ids] of [
      [admin, `${id},${theirs}`],
      [stranger, id],
      [admin, '1'],
    ] as const)
      expect(refusalOf(await remove(by, ids))).toEqual([404, 'kernel/not-found'])
    expect([(await list(admin)).length, (await list(stranger)).length]).toEqual([1, 1])
    expect(dataOf(await remove(admin, id))).toEqual({ removed: 1 })
    expect([(await list(admin)).length, (await list(stranger)).length]).toEqual([0, 1])
    expect(refusalOf(await remove(admin, id))).toEqual([404, 'kernel/not-found'])
    expect(refusalOf(await admin.get('/blade-flow/model/detail', { query: { id } }))).toEqual([404, 'kernel/not-found'])
    expect(await tenant.rows(sql`select action, entity_id as id from audit_log where action = 'flow-model.removed'`)).toEqual([
      { action: 'flow-model.removed', id },
    ])
    await startDrawing(clerk, definition)
  })

  test('an uploaded file is checked before it is deployed: its problems, what it is, and whom it lacks here', async () => {
    const check = (by: Person, name: string, text: string) =>
      by.post('/blade-flow/manager/check-upload', { multipart: { files: [{ part: 'file', name, bytes: Buffer.from(text) }] } })
    const xml = straight('sent', [['a', 'flowable:candidateGroups="role:finance"']])
    const lacks = { element: 'a', elementName: '步骤 a', text: '角色“财务”没有在岗的工作人员' }
    expect(dataOf(await check(admin, 'a.bpmn', xml))).toEqual({ problems: [], warnings: [lacks], key: 'sent', name: '流程 sent' })
    await other.staff('finance')
    expect(dataOf(await check(stranger, 'a.bpmn20.xml', xml)).warnings).toEqual([])
    expect(dataOf(await check(admin, 'a.bpmn', straight('sent', [['a', '']])))).toEqual({
      problems: [{ element: 'a', elementName: '步骤 a', reason: 'people', text: '请指定办理人或候选人' }],
      warnings: [],
      key: 'sent',
      name: '流程 sent',
    })
    expect(refusalOf(await check(admin, 'a.docx', xml))).toEqual([400, 'flow/file-name'])
    expect(refusalOf(await admin.post('/blade-flow/manager/check-upload', { multipart: {} }))).toEqual([400, 'flow/no-file'])
    expect((await check(clerk, 'a.bpmn', xml)).status).toBe(403)
    // To check is not to deploy.
    expect(await tenant.rows(sql`select 1 from flow_definition where flow_key = 'sent'`)).toEqual([])
  })
})

describe('[S7.32] times', () => {
  const timer = (hours: number) =>
    `<timerEventDefinition><timeDuration xsi:type="tFormalExpression">PT${hours}H</timeDuration></timerEventDefinition>`
  const timed = (key: string) =>
    drawing(
      key,
      `<startEvent id="s">${timer(2)}</startEvent>${task('a', groups)}<endEvent id="e"/>${line('f1', 's', 'a')}${line('f2', 'a', 'e')}`,
    )
  const started = (of: TestTenant) =>
    of.rows(sql`select title, start_user::text as "startUser", state from flow_instance where flow_key = 'timed' order by id`)

  test('a timer starts a process once, in the tenant it was deployed to; a suspended one starts nothing', async () => {
    await deployDrawing(admin, timed('timed'))
    const suspended = await deployDrawing(stranger, timed('timed'))
    dataOf(await post(stranger, '/blade-flow/manager/change-state', { processId: suspended, state: 'suspend' }))
    t.clock.advance(7_100_000)
    await t.runTasks()
    expect([await started(tenant), await started(other)]).toEqual([[], []])
    t.clock.advance(200_000)
    await t.runTasks()
    await t.runTasks()
    expect([await started(tenant), await started(other)]).toEqual([
      [{ title: '流程 timed', startUser: admin.userId, state: 'running' }],
      [],
    ])
    expect([(await counts(one)).claim, (await counts(stranger)).claim]).toEqual([1, 0])
    // For all tenants at once there would be no one to start it for.
    const platform = await t.platform().staff('administrator')
    const { id } = dataOf(await post(platform, '/blade-flow/model/submit', { modelEditorXml: timed('timed') }))
    const common = await post(platform, '/blade-flow/model/deploy', { modelId: id, category: 'flow_4', tenantIds: '' })
    expect(refusalOf(common)).toEqual([400, 'flow/timer-common'])
  })

  test('a step has its due time; its holder is reminded and told when it is due, and not when it is done before', async () => {
    const definition = await deployDrawing(
      admin,
      straight('due', [['a', `flowable:assignee="${expr('who')}" flowable:dueDate="P1D" kaopu:remind="PT6H"`]], variable('who', 'user')),
    )
    const [late, early] = [
      await startDrawing(clerk, definition, { who: one.userId }, '晚办的'),
      await startDrawing(clerk, definition, { who: two.userId }, '早办的'),
    ]
    const [row] = await workOf('todo', one, late)
    expect([Date.parse(`${row?.['dueTime']}`) - Date.parse(`${row?.['createTime']}`), row?.['isOverdue']]).toEqual([86_400_000, false])
    dataOf(await finishTask(two, await todoOf(two, early), 'ok'))
    t.clock.advance(6 * 3_600_000 + 1000)
    await t.runTasks()
    const said = [{ title: '待办：步骤 a', content: '晚办的', link: '/work/todo' }]
    expect(await notices(tenant, one)).toEqual([...said, { title: '请及时办理：步骤 a', content: '晚办的', link: '/work/todo' }])
    t.clock.advance(18 * 3_600_000)
    await t.runTasks()
    await t.runTasks()
    expect((await notices(tenant, one)).map(({ title }) => title)).toEqual(['待办：步骤 a', '请及时办理：步骤 a', '已到办理时限：步骤 a'])
    expect((await notices(tenant, two)).map(({ title }) => title)).toEqual(['待办：步骤 a'])
    expect((await workOf('todo', one, late))[0]?.['isOverdue']).toBe(true)
    expect(await notices(other, stranger)).toEqual([])
  })
})

describe('[S7.32] signed by a share', () => {
  const shared = async (share: number) => {
    const three = await tenant.staff('reviewer1', { realName: '审批丙' })
    const people = [one, two, three]
    const who = `flowable:candidateUsers="${people.map(({ userId }) => userId).join(',')}" kaopu:sign="share" kaopu:share="${share}"`
    return { people, id: await startDrawing(clerk, await deployDrawing(admin, straight(`share${share}`, [['a', who]]))) }
  }
  const rows = (id: string) =>
    tenant.rows(sql`select state, outcome from flow_task where instance_id = ${id} and node = 'a' order by assignee`)
  const state = async (id: string) => {
    const found = dataOf(await clerk.get('/blade-flow/work/instance-detail', { query: { processInstanceId: id } }))
    return [found.state, found.passed]
  }

  test('60 of 100 of three are two: it moves on with the second, and the third has nothing left to do', async () => {
    const { people, id } = await shared(60)
    const [first, second, third] = people as [Person, Person, Person]
    const detail = dataOf(await first.get('/blade-flow/work/task-detail', { query: { taskId: await todoOf(first, id) } }))
    expect([
      detail.sign,
      detail.signShare,
      detail.signers.map(({ assigneeName, outcome }: Record<string, string>) => [assigneeName, outcome]),
    ]).toEqual([
      'share',
      60,
      [
        ['审批甲', ''],
        ['审批乙', ''],
        ['审批丙', ''],
      ],
    ])
    dataOf(await finishTask(first, await todoOf(first, id), 'ok'))
    expect(await state(id)).toEqual([0, null])
    const left = await todoOf(third, id)
    expect(dataOf(await finishTask(second, await todoOf(second, id), 'ok'))).toEqual({ processInstanceId: id, state: 2 })
    expect(await state(id)).toEqual([2, true])
    expect(await rows(id)).toEqual([
      { state: 'done', outcome: 'ok' },
      { state: 'done', outcome: 'ok' },
      { state: 'closed', outcome: null },
    ])
    expect(refusalOf(await finishTask(third, left, 'ok'))).toEqual([409, 'flow/task-over'])
    expect(refusalOf(await finishTask(stranger, left, 'ok'))).toEqual([404, 'kernel/not-found'])
  })

  test('it is refused as soon as those who are left cannot make it up', async () => {
    const { people, id } = await shared(60)
    const [first, second, third] = people as [Person, Person, Person]
    dataOf(await finishTask(first, await todoOf(first, id), undefined, '不行'))
    expect(await state(id)).toEqual([0, null])
    dataOf(await finishTask(second, await todoOf(second, id), undefined, '也不行'))
    expect(await state(id)).toEqual([1, null])
    expect(await todoOf(third, id)).toBe('')
    expect((await workOf('todo', clerk, id)).map(({ taskName }) => taskName)).toEqual(['申请人修改'])
  })
})

describe('[22.6] bad input', () => {
  test('is refused in words, and nothing is changed', async () => {
    const definition = await deployDrawing(admin, straight('input', [['a', user(one)]]))
    const id = await startDrawing(clerk, definition)
    const taskId = await todoOf(one, id)
    const over = await startDrawing(clerk, definition)
    const done = await todoOf(one, over)
    dataOf(await finishTask(one, done, 'ok'))
    const away = await startDrawing(
      await other.staff('exam_admin'),
      await deployDrawing(stranger, straight('input', [['a', user(stranger)]])),
    )
    const foreign = await todoOf(stranger, away)
    const suspended = await deployDrawing(admin, straight('still', [['a', user(one)]]))
    dataOf(await post(admin, '/blade-flow/manager/change-state', { processId: suspended, state: 'suspend' }))
    const everything = () =>
      tenant.rows(sql`
        select (select count(*)::int from flow_model) as models, (select count(*)::int from flow_definition) as definitions,
          (select count(*)::int from flow_instance) as instances, (select count(*)::int from flow_history) as lines, (select count(*)::int from audit_log) as trail,
          (select count(*)::int from notify) as notices, (select jsonb_agg(jsonb_build_array(id, state, assignee) order by id) from flow_task) as tasks`)
    const old = await everything()
    const upload = (xml: string) =>
      admin.post('/blade-flow/manager/deploy-upload', {
        multipart: { fields: { category: 'flow_4' }, files: [{ part: 'files', name: 'a.bpmn', bytes: Buffer.from(xml) }] },
      })
    const good = straight('bad', [['a', user(one)]])
    const branch = (condition: string) =>
      drawing(
        'bad',
        `<startEvent id="s"/><exclusiveGateway id="x" default="f3"/>${task('a', user(one))}<endEvent id="e"/>${line('f1', 's', 'x')}${line('f2', 'x', 'a', condition)}${line('f3', 'x', 'e')}${line('f4', 'a', 'e')}`,
      )
    const files: readonly (readonly [string, string, string])[] = [
      ['broken', good.slice(0, -30), 'unreadable'],
      ['a DTD', good.replace('<definitions', '<!DOCTYPE d [<!ENTITY x SYSTEM "file:///etc/passwd">]><definitions'), 'doctype'],
      ['10,000 elements', drawing('bad', Array.from({ length: 10_000 }, (_, at) => `<userTask id="t${at}"/>`).join('')), 'tooMany'],
      ['an id twice', good.replace('</process>', '<task id="a"/></process>'), 'duplicateId'],
      ['an unknown expression', branch(expr("T(java.lang.Runtime).getRuntime().exec('id')")), 'condition'],
      ['a variable nobody declared', branch(expr('amount > 3')), 'condition'],
    ]
    for (const [, xml, reason] of files) {
      const answer = await upload(xml)
      expect([answer.status, answer.body.reason, answer.body.data.problems[0].reason]).toEqual([400, 'flow/model-invalid', reason])
    }
    expect(refusalOf(await finishTask(one, foreign, 'ok'))).toEqual([404, 'kernel/not-found'])
    expect(refusalOf(await post(one, '/blade-flow/work/claim-task', { taskId: foreign }))).toEqual([404, 'kernel/not-found'])
    expect(refusalOf(await finishTask(one, done, 'ok'))).toEqual([409, 'flow/task-over'])
    const start = await post(clerk, '/blade-flow/work/start-process', { processDefinitionId: suspended, title: 'x' })
    expect(refusalOf(start)).toEqual([409, 'flow/suspended'])
    const long = await finishTask(one, taskId, 'ok', '长'.repeat(100_000))
    expect([long.status, long.body.data.fields.map(({ field }: { field: string }) => field)]).toEqual([400, ['comment']])
    expect(await everything()).toEqual(old)
    expect(await todoOf(one, id)).toBe(taskId)
  })
})
