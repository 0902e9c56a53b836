import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { type Answer, type Person, startTestApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { drawing, expr, line, straight, task, variable } from '../../support/drawing.ts'

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
  ;[tenant, other] = [await t.tenant(), await t.tenant()]
  admin = await tenant.staff('admin', { realName: '管理员' })
  clerk = await tenant.staff('exam_admin', { realName: '经办人' })
  one = await tenant.staff('reviewer1', { realName: '审批甲' })
  two = await tenant.staff('reviewer1', { realName: '审批乙' })
  stranger = await other.staff('admin', { realName: '外人' })
})
afterAll(() => t.close())

const assignee = (name: string): string => `flowable:assignee="${expr(name)}"`
const ok = (answer: Answer) => {
  expect([answer.status, answer.body?.msg]).toEqual([200, expect.anything()])
  return answer.body.data
}
const refusal = ({ status, body }: Answer) => [status, body.reason]
const deploy = async (xml: string, by = admin): Promise<string> => {
  const { id } = ok(await by.post('/blade-flow/model/submit', { json: { modelEditorXml: xml } }))
  const { definitions } = ok(await by.post('/blade-flow/model/deploy', { json: { modelId: id, category: 'flow_4' } }))
  return definitions[0].id
}
const start = async (id: string, values: object = {}, title = '采购申请', by = clerk): Promise<string> =>
  ok(await by.post('/blade-flow/work/start-process', { json: { processDefinitionId: id, title, values } })).processInstanceId
const list = async (kind: string, by: Person, of: string): Promise<readonly Record<string, unknown>[]> =>
  ok(await by.get(`/blade-flow/work/${kind}-list`, { query: { size: 200 } })).records.filter(
    (row: { processInstanceId: string }) => row.processInstanceId === of,
  )
const todo = async (by: Person, of: string): Promise<string> => String((await list('todo', by, of))[0]?.['taskId'] ?? '')
const act = (by: Person, call: string, json: object) => by.post(`/blade-flow/work/${call}`, { json })
const complete = (by: Person, taskId: string, flag: string | undefined, comment = '') =>
  act(by, 'complete-task', { taskId, comment, ...(flag ? { flag } : {}) })
const stateOf = async (id: string): Promise<readonly unknown[]> => {
  const { state, passed, processIsFinished, taskName } = ok(
    await admin.get('/blade-flow/work/instance-detail', { query: { processInstanceId: id } }),
  )
  return [state, passed, processIsFinished, taskName]
}
const happened = async (id: string): Promise<readonly string[]> =>
  ok(await clerk.get('/blade-flow/process/history-flow-list', { query: { processInstanceId: id } })).map((row: Record<string, string>) =>
    `${row['historyActivityName'] || row['historyActivityType']} ${row['action']} ${row['assigneeName']} ${row['comment']}`.trim(),
  )

describe('[S7.32] [S7.33] work on processes', () => {
  test('drawn, deployed, started, claimed, agreed: whole rows, the trail and the notices', async () => {
    const definition = await deploy(
      straight(
        'buy',
        [
          ['a', 'flowable:candidateGroups="role:reviewer1"'],
          ['b', assignee('head')],
        ],
        variable('head', 'user', true),
      ),
    )
    const startable = ok(await clerk.get('/blade-flow/work/start-list', { query: { name: 'buy' } }))
    expect(startable.records).toEqual([
      {
        ...{
          id: definition,
          tenantId: tenant.tenantId,
          name: '流程 buy',
          key: 'buy',
          description: '',
          category: 'flow_4',
          categoryName: '通用审批',
        },
        ...{
          route: 'general',
          version: 1,
          deploymentId: expect.any(String),
          suspensionState: 1,
          deploymentTime: expect.any(String),
          startBy: 'form',
        },
      },
    ])
    const id = await start(definition, { head: admin.userId })
    expect((await list('claim', one, id)).map(row => row['taskName'])).toEqual(['步骤 a'])
    expect([await list('claim', clerk, id), await list('todo', one, id)]).toEqual([[], []])
    const [{ taskId }] = (await list('claim', two, id)) as [{ taskId: string }]
    expect(refusal(await complete(one, taskId, 'ok'))).toEqual([409, 'flow/not-claimed'])
    expect(refusal(await act(clerk, 'claim-task', { taskId }))).toEqual([403, 'flow/not-candidate'])
    expect(ok(await act(one, 'claim-task', { taskId }))).toEqual({ processInstanceId: id, state: 0 })
    expect(await list('claim', two, id)).toEqual([])
    const late = await act(two, 'claim-task', { taskId })
    expect([...refusal(late), late.body.msg]).toEqual([409, 'flow/claimed', '该任务已被审批甲签收'])
    expect(refusal(await complete(two, taskId, 'ok'))).toEqual([404, 'kernel/not-found'])
    ok(await complete(one, taskId, 'ok', '同意采购'))
    const over = await complete(one, taskId, 'ok')
    expect([...refusal(over), over.body.msg]).toEqual([409, 'flow/task-over', '该任务已由审批甲处理或已关闭，请刷新后查看'])
    ok(await complete(admin, await todo(admin, id), 'ok'))
    expect(await stateOf(id)).toEqual([2, true, 'finished', ''])
    expect(await happened(id)).toEqual([
      'startEvent start 经办人',
      '步骤 a claim 审批甲',
      '步骤 a ok 审批甲 同意采购',
      '步骤 b ok 管理员',
      'endEvent  管理员',
    ])
    expect((await list('done', one, id)).map(({ taskName, outcome, comment }) => [taskName, outcome, comment])).toEqual([
      ['步骤 a', 'ok', '同意采购'],
    ])
    expect(
      await tenant.rows(
        sql`select action, reason from audit_log where action like 'flow-%' and (entity_id = ${id} or after_value->>'process' = ${id}) order by id`,
      ),
    ).toEqual([
      { action: 'flow-instance.started', reason: null },
      { action: 'flow-task.claimed', reason: null },
      { action: 'flow-task.completed', reason: '同意采购' },
      { action: 'flow-task.completed', reason: null },
      { action: 'flow-instance.ended', reason: null },
    ])
    expect(
      await tenant.rows(
        sql`select title_zh as title from notify where user_id = ${clerk.userId} and link = '/work/send' and event_key like ${`flow-${id}-%`}`,
      ),
    ).toEqual([{ title: '您的申请已办结' }])
    // Another tenant knows nothing of it.
    for (const answer of [
      await stranger.get('/blade-flow/work/task-detail', { query: { taskId } }),
      await stranger.get('/blade-flow/process/history-flow-list', { query: { processInstanceId: id } }),
      await stranger.get('/blade-flow/process/model-view', { query: { processDefinitionId: definition } }),
      await act(stranger, 'claim-task', { taskId }),
      await complete(stranger, taskId, 'ok'),
      await act(stranger, 'start-process', { processDefinitionId: definition, title: 'x' }),
      await stranger.post('/blade-flow/follow/delete-process-instance', { json: { processInstanceId: id, deleteReason: 'x' } }),
      await stranger.post('/blade-flow/manager/change-state', { json: { processId: definition, state: 'suspend' } }),
    ])
      expect(refusal(answer)).toEqual([404, 'kernel/not-found'])
  })

  test('[S4.09] the picture: done, active, not claimed, and the lines that were taken', async () => {
    const id = await start(
      await deploy(
        straight('look', [
          ['a', assignee('starter')],
          ['b', 'flowable:candidateGroups="reviewer1"'],
        ]),
      ),
    )
    ok(await complete(clerk, await todo(clerk, id), 'ok'))
    const { xml, flow } = ok(await clerk.get('/blade-flow/process/model-view', { query: { processInstanceId: id } }))
    expect(xml).toContain('<process id="look"')
    expect(
      flow.map((row: Record<string, string>) => [row['historyActivityId'], row['historyActivityType'], row['endTime'] !== '']),
    ).toEqual([
      ['s', 'startEvent', true],
      ['f0', 'sequenceFlow', true],
      ['a', 'userTask', true],
      ['f1', 'sequenceFlow', true],
      ['b', 'candidate', false],
    ])
  })

  test('a refusal goes where the drawing says, and without a way back to the applicant, who mends it and sends it again', async () => {
    const back = await start(
      await deploy(straight('back', [['a', assignee('head')]], variable('head', 'user', true) + variable('sum', 'number'))),
      { head: one.userId, sum: 5 },
    )
    const taskId = await todo(one, back)
    expect((await complete(one, taskId, undefined)).body.data.fields).toEqual([{ field: 'comment', msg: '请填写意见' }])
    expect(ok(await complete(one, taskId, undefined, '金额不对')).state).toBe(1)
    expect(await stateOf(back)).toEqual([1, null, 'unfinished', '申请人修改'])
    const mend = await todo(clerk, back)
    expect(
      ok(await act(clerk, 'complete-task', { taskId: mend, flag: 'ok', title: '改过的申请', values: { head: two.userId, sum: 6 } })).state,
    ).toBe(0)
    expect((await list('todo', two, back)).map(row => row['title'])).toEqual(['改过的申请'])
    ok(await complete(two, await todo(two, back), 'ok'))
    expect(await stateOf(back)).toEqual([2, true, 'finished', ''])
    const drawn = await start(
      await deploy(
        drawing(
          'ways',
          `<startEvent id="s"/>${task('a', assignee('starter'))}<exclusiveGateway id="x" default="f3"/><endEvent id="e"/>${task('m', 'flowable:candidateGroups="role:reviewer1"')}${line('f1', 's', 'a')}${line('f2', 'a', 'x')}${line('f3', 'x', 'e')}${line('f4', 'x', 'm', expr('pass == false'))}${line('f5', 'm', 'e')}`,
        ),
      ),
    )
    ok(await complete(clerk, await todo(clerk, drawn), undefined, '不同意'))
    expect(await stateOf(drawn)).toEqual([0, null, 'unfinished', '步骤 m'])
  })

  test('two branches that are finished at once are joined once', async () => {
    const id = await start(
      await deploy(
        drawing(
          'fork',
          `<startEvent id="s"/><parallelGateway id="p"/>${task('a', assignee('l'))}${task('b', assignee('r'))}<parallelGateway id="j"/>${task('c', assignee('starter'))}<endEvent id="e"/>${line('f1', 's', 'p')}${line('f2', 'p', 'a')}${line('f3', 'p', 'b')}${line('f4', 'a', 'j')}${line('f5', 'b', 'j')}${line('f6', 'j', 'c')}${line('f7', 'c', 'e')}`,
          variable('l', 'user') + variable('r', 'user'),
        ),
      ),
      { l: one.userId, r: two.userId },
    )
    const [a, b] = [await todo(one, id), await todo(two, id)]
    const answers = await Promise.all([complete(one, a, 'ok'), complete(two, b, 'ok'), complete(one, a, 'ok'), complete(two, b, 'ok')])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 409, 409])
    expect(await tenant.rows(sql`select node, state from flow_task where instance_id = ${id} order by id`)).toEqual([
      { node: 'a', state: 'done' },
      { node: 'b', state: 'done' },
      { node: 'c', state: 'open' },
    ])
    // A step before the fork can be returned to from within, and takes the other branch along; a step of the other branch cannot.
    ok(await complete(clerk, await todo(clerk, id), 'ok'))
    expect(await stateOf(id)).toEqual([2, true, 'finished', ''])
  })

  test('of 40 who claim at once one wins, and the others learn who has it', async () => {
    const id = await start(await deploy(straight('race', [['a', 'flowable:candidateGroups="role:reviewer1"']])))
    const [{ taskId }] = (await list('claim', one, id)) as [{ taskId: string }]
    const answers = await Promise.all(Array.from({ length: 40 }, (_, at) => act(at % 2 ? one : two, 'claim-task', { taskId })))
    const won = answers.filter(({ status }) => status === 200)
    expect(won).toHaveLength(1)
    const [{ name }] = (await tenant.rows(
      sql<{ name: string }>`select a.real_name as name from flow_task k join account a on a.id = k.assignee where k.id = ${taskId}`,
    )) as [{ name: string }]
    expect([...new Set(answers.filter(({ status }) => status !== 200).map(({ body }) => body.msg))]).toEqual([`该任务已被${name}签收`])
  })

  test('countersigned: all, one, a share; others can be asked to sign, a task handed on or lent', async () => {
    const both = (sign: string) => `flowable:candidateUsers="${one.userId},${two.userId}" kaopu:sign="${sign}"`
    const all = await start(await deploy(straight('all', [['a', both('all')]])))
    ok(await complete(one, await todo(one, all), 'ok'))
    expect(await stateOf(all)).toEqual([0, null, 'unfinished', '步骤 a'])
    ok(await complete(two, await todo(two, all), 'ok'))
    expect((await stateOf(all))[1]).toBe(true)
    const any = await start(await deploy(straight('any', [['a', both('any')]])))
    ok(await complete(one, await todo(one, any), undefined, '不行'))
    ok(await complete(two, await todo(two, any), 'ok'))
    expect((await stateOf(any))[1]).toBe(true)
    const added = await start(await deploy(straight('added', [['a', assignee('head')]], variable('head', 'user'))), { head: one.userId })
    const taskId = await todo(one, added)
    ok(await act(one, 'add-sign', { taskId, userIds: two.userId, comment: '请会签' }))
    ok(await complete(one, taskId, 'ok'))
    expect(await stateOf(added)).toEqual([0, null, 'unfinished', '步骤 a'])
    const lent = await todo(two, added)
    ok(await act(two, 'delegate-task', { taskId: lent, userId: admin.userId }))
    expect(refusal(await complete(two, lent, 'ok'))).toEqual([403, 'flow/not-yours'])
    ok(await complete(admin, lent, 'ok', '可以'))
    expect(await todo(two, added)).toBe(lent)
    expect(refusal(await act(two, 'transfer-task', { taskId: lent, userId: stranger.userId }))).toEqual([400, 'flow/no-person'])
    ok(await act(two, 'transfer-task', { taskId: lent, userId: admin.userId }))
    ok(await complete(admin, lent, 'ok'))
    expect((await stateOf(added))[1]).toBe(true)
    expect(await happened(added)).toEqual([
      ...[
        'startEvent start 经办人',
        '步骤 a addSign 审批甲 请会签',
        '步骤 a ok 审批甲',
        '步骤 a delegate 审批乙',
        '步骤 a resolve 管理员 可以',
      ],
      ...['步骤 a transfer 审批乙', '步骤 a ok 管理员', 'endEvent  管理员'],
    ])
  })

  test('returned to a step that was passed, withdrawn before anybody decided, cancelled with a reason', async () => {
    const definition = await deploy(
      straight(
        'steps',
        [
          ['a', assignee('l')],
          ['b', assignee('r')],
        ],
        variable('l', 'user') + variable('r', 'user'),
      ),
    )
    const people = { l: one.userId, r: two.userId }
    const id = await start(definition, people)
    ok(await complete(one, await todo(one, id), 'ok'))
    const taskId = await todo(two, id)
    const detail = ok(await two.get('/blade-flow/work/task-detail', { query: { taskId } }))
    expect([detail.returnTargets, detail.actions]).toEqual([
      [
        { key: 'applicant', name: '申请人' },
        { key: 'a', name: '步骤 a' },
      ],
      ['complete', 'return', 'transfer', 'delegate', 'addSign', 'copy'],
    ])
    expect(refusal(await act(two, 'return-task', { taskId, to: 'b', comment: '?' }))).toEqual([400, 'flow/return-target'])
    ok(await act(two, 'return-task', { taskId, to: 'a', comment: '再看一下' }))
    expect(await stateOf(id)).toEqual([0, null, 'unfinished', '步骤 a'])
    const late = await act(clerk, 'withdraw-process', { processInstanceId: id })
    expect([...refusal(late), late.body.msg]).toEqual([409, 'flow/withdraw-late', '审批甲已审批，不能再撤回；可请当前办理人退回'])
    ok(await clerk.post('/blade-flow/work/remind', { json: { processInstanceId: id } }))
    expect(refusal(await clerk.post('/blade-flow/work/remind', { json: { processInstanceId: id } }))).toEqual([429, 'flow/reminded'])
    ok(await admin.post('/blade-flow/follow/delete-process-instance', { json: { processInstanceId: id, deleteReason: '不再需要' } }))
    expect(await stateOf(id)).toEqual([3, null, 'finished', ''])
    const early = await start(definition, people)
    expect(refusal(await act(one, 'withdraw-process', { processInstanceId: early }))).toEqual([403, 'flow/not-starter'])
    ok(await act(clerk, 'withdraw-process', { processInstanceId: early, reason: '写错了' }))
    expect([(await stateOf(early))[0], await todo(one, early)]).toEqual([4, ''])
    expect(refusal(await act(clerk, 'withdraw-process', { processInstanceId: early }))).toEqual([409, 'flow/not-running'])
  })

  test('a called process runs as a child and lets its caller go on', async () => {
    await deploy(straight('child', [['c', assignee('starter')]]))
    const id = await start(
      await deploy(
        drawing(
          'parent',
          `<startEvent id="s"/><callActivity id="k" name="子流程" calledElement="child"/>${task('a', assignee('starter'))}<endEvent id="e"/>${line('f1', 's', 'k')}${line('f2', 'k', 'a')}${line('f3', 'a', 'e')}`,
        ),
      ),
    )
    const [child] = (await tenant.rows(sql<{ id: string }>`select id::text as id from flow_instance where parent_id = ${id}`)) as [
      { id: string },
    ]
    ok(await complete(clerk, await todo(clerk, child.id), 'ok'))
    expect(await stateOf(child.id)).toEqual([2, true, 'finished', ''])
    ok(await complete(clerk, await todo(clerk, id), 'ok'))
    expect(await stateOf(id)).toEqual([2, true, 'finished', ''])
  })

  test('a step whose time is up goes on by its timer, once', async () => {
    const id = await start(
      await deploy(
        drawing(
          'slow',
          `<startEvent id="s"/>${task('a', assignee('starter'))}<boundaryEvent id="t" attachedToRef="a"><timerEventDefinition><timeDuration xsi:type="tFormalExpression">PT1H</timeDuration></timerEventDefinition></boundaryEvent>${task('b', assignee('starter'))}<endEvent id="e"/>${line('f1', 's', 'a')}${line('f2', 'a', 'e')}${line('f3', 't', 'b')}${line('f4', 'b', 'e')}`,
        ),
      ),
    )
    const stale = await todo(clerk, id)
    t.clock.advance(3_700_000)
    expect((await t.runTasks()).filter(name => name === 'flow.timer').length).toBeGreaterThan(0)
    expect((await list('todo', clerk, id)).map(row => row['taskName'])).toEqual(['步骤 b'])
    expect(refusal(await complete(clerk, stale, 'ok'))).toEqual([409, 'flow/task-over'])
  })

  test('a suspended definition starts nothing, what runs goes on; a new version leaves it alone; a deletion names what runs', async () => {
    const xml = straight('life', [['a', assignee('starter')]])
    const first = await deploy(xml)
    const id = await start(first, {}, '在办的')
    const state = (processId: string, to: string) => admin.post('/blade-flow/manager/change-state', { json: { processId, state: to } })
    expect(ok(await state(first, 'suspend'))).toEqual({ suspensionState: 2 })
    const refused = await act(clerk, 'start-process', { processDefinitionId: first, title: 'x' })
    expect([...refusal(refused), refused.body.msg]).toEqual([
      409,
      'flow/suspended',
      '流程“流程 life”已挂起，暂不能发起；已发起的流程不受影响',
    ])
    ok(await state(first, 'active'))
    await deploy(xml)
    expect(refusal(await act(clerk, 'start-process', { processDefinitionId: first, title: 'x' }))).toEqual([409, 'flow/outdated'])
    const [{ deploymentId }] = ok(await admin.get('/blade-flow/manager/list', { query: { key: 'life' } })).records.filter(
      (row: { id: string }) => row.id === first,
    )
    const remove = (confirm?: number) =>
      admin.post('/blade-flow/manager/delete-deployment', { json: { deploymentIds: deploymentId, ...(confirm ? { confirm } : {}) } })
    const named = await remove()
    expect([...refusal(named), named.body.data]).toEqual([
      409,
      'flow/running-instances',
      { instances: [{ processInstanceId: id, title: '在办的' }] },
    ])
    expect(ok(await remove(1))).toEqual({ removed: 1, cancelled: 1 })
    expect((await stateOf(id))[0]).toBe(3)
  })

  test('the platform deploys for all and for named tenants, a tenant for itself alone', async () => {
    const platform = await t.platform().staff('administrator')
    const { id } = ok(
      await platform.post('/blade-flow/model/submit', { json: { modelEditorXml: straight('shared', [['a', assignee('starter')]]) } }),
    )
    const put = (tenantIds: string) => platform.post('/blade-flow/model/deploy', { json: { modelId: id, category: 'flow_2', tenantIds } })
    expect(ok(await put('')).definitions.map((one: { tenantId: string }) => one.tenantId)).toEqual([''])
    expect(ok(await put(other.tenantId)).definitions.map((one: { tenantId: string }) => one.tenantId)).toEqual([other.tenantId])
    expect(refusal(await put('999999'))).toEqual([404, 'kernel/not-found'])
    const startable = async (by: Person) =>
      ok(await by.get('/blade-flow/work/start-list', { query: { name: 'shared' } })).records.map(
        (row: { tenantId: string }) => row.tenantId,
      )
    expect([await startable(clerk), (await startable(stranger)).sort()]).toEqual([[''], ['', other.tenantId].sort()])
    const { id: own } = ok(
      await admin.post('/blade-flow/model/submit', { json: { modelEditorXml: straight('mine', [['a', assignee('starter')]]) } }),
    )
    const away = await admin.post('/blade-flow/model/deploy', { json: { modelId: own, category: 'flow_2', tenantIds: other.tenantId } })
    expect(refusal(away)).toEqual([403, 'flow/other-tenant'])
    const [{ id: common }] = ok(await clerk.get('/blade-flow/work/start-list', { query: { name: 'shared' } })).records
    expect((await stateOf(await start(common)))[0]).toBe(0)
    expect(refusal(await admin.post('/blade-flow/manager/change-state', { json: { processId: common, state: 'suspend' } }))).toEqual([
      404,
      'kernel/not-found',
    ])
  })

  test('bad input is refused in words and changes nothing', async () => {
    const before = await tenant.rows(
      sql`select (select count(*) from flow_task) as tasks, (select count(*) from flow_model) as models, (select count(*) from flow_definition) as definitions`,
    )
    const model = (modelEditorXml: string) => admin.post('/blade-flow/model/submit', { json: { modelEditorXml } })
    for (const xml of ['', 'hello', '<!DOCTYPE a>', '<a/>']) expect(refusal(await model(xml))).toEqual([400, 'flow/model-invalid'])
    const upload = (name: string, bytes: string) =>
      admin.post('/blade-flow/manager/deploy-upload', {
        multipart: { fields: { category: 'flow_4' }, files: [{ part: 'files', name, bytes: Buffer.from(bytes) }] },
      })
    expect(refusal(await upload('a.txt', 'x'))).toEqual([400, 'flow/file-name'])
    const many = await upload('a.bpmn', drawing('big', Array.from({ length: 10_000 }, (_, at) => `<userTask id="t${at}"/>`).join('')))
    expect([...refusal(many), many.body.data.problems[0].reason]).toEqual([400, 'flow/model-invalid', 'tooMany'])
    const id = await start(await deploy(straight('input', [['a', assignee('starter')]])))
    const taskId = await todo(clerk, id)
    expect((await complete(clerk, taskId, 'ok', '长'.repeat(100_000))).status).toBe(400)
    expect(refusal(await complete(clerk, '1', 'ok'))).toEqual([404, 'kernel/not-found'])
    const definition = (await list('send', clerk, id))[0]?.['processDefinitionId']
    expect(refusal(await act(clerk, 'start-process', { processDefinitionId: definition, title: 'x', values: { nobody: 1 } }))).toEqual([
      400,
      'flow/unknown-variable',
    ])
    expect(await todo(clerk, id)).toBe(taskId)
    expect(before).toHaveLength(1)
    expect(refusal(await admin.post('/blade-flow/model/deploy', { json: { modelId: '1', category: 'flow_4' } }))).toEqual([
      404,
      'kernel/not-found',
    ])
  })
})
