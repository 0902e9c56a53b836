import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { type Answer, type Person, startTestApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { drawing, expr, line, straight, task, variable } from '../../support/drawing.ts'
import { dataOf, deployDrawing, finishTask, refusalOf, startDrawing, todoOf, workOf } from '../../support/flow.ts'

let t: TestApp
let tenant: TestTenant
let admin: Person
let clerk: Person
let peer: Person
let head: Person
let chief: Person
let section = ''
const dept = async (name: string, leader: string, parent = '0'): Promise<string> =>
  (
    (await tenant.rows(sql<{ id: string }>`
      insert into dept (tenant_id, parent_id, ancestor_ids, dept_name, full_name, dept_category, leader_id, sort)
      values (${tenant.tenantId}, ${parent}::bigint, case when ${parent} = '0' then '{}' else array[${parent}::bigint] end, ${name}, ${name}, 1, ${leader}, 1)
      returning id::text as id`)) as [{ id: string }]
  )[0].id
beforeAll(async () => {
  t = await startTestApp()
  tenant = await t.tenant()
  admin = await tenant.staff('admin', { realName: '管理员' })
  chief = await tenant.staff('exam_admin', { realName: '局长' })
  const office = await dept('卫健局', chief.userId)
  head = await tenant.staff('exam_admin', { realName: '科长' })
  section = await dept('监督科', head.userId, office)
  await tenant.rows(sql`update account set dept_id = ${section} where id = ${head.userId}`)
  clerk = await tenant.staff('reviewer1', { realName: '经办人', deptId: section })
  peer = await tenant.staff('reviewer1', { realName: '同事', deptId: section })
})
afterAll(() => t.close())

const assignee = (name: string): string => `flowable:assignee="${expr(name)}"`
const groups = (of: string): string => `flowable:candidateGroups="${of}"`
const holders = async (id: string) =>
  (
    await tenant.rows(sql<{ node: string; who: string }>`
      select k.node, coalesce(a.real_name, '') as who from flow_task k left join account a on a.id = k.assignee where k.instance_id = ${id} and k.state = 'open' order by k.id`)
  ).map(({ node, who }) => `${node} ${who}`.trim())

describe('[S7.32] who gets a step', () => {
  test('the superior on record, else the leader of the department, else of the one above it', async () => {
    const definition = await deployDrawing(admin, straight('up', [['a', assignee('manager')]]))
    expect(await holders(await startDrawing(clerk, definition))).toEqual(['a 科长'])
    // The leader of the department is nobody's superior in it but the one above is.
    expect(await holders(await startDrawing(head, definition))).toEqual(['a 局长'])
    await tenant.rows(sql`update account set leader_id = ${peer.userId} where id = ${clerk.userId}`)
    expect(await holders(await startDrawing(clerk, definition))).toEqual(['a 同事'])
    await tenant.rows(sql`update account set leader_id = null where id = ${clerk.userId}`)
    const alone = await admin.post('/blade-flow/work/start-process', { json: { processDefinitionId: definition, title: 'x' } })
    expect([...refusalOf(alone), alone.body.msg]).toEqual([
      409,
      'flow/nobody',
      '步骤“步骤 a”找不到办理人：申请人没有登记上级，所在部门和上级部门也没有负责人，请管理员在“用户管理”或“部门管理”中登记后再办理',
    ])
  })

  test('nobody decides on their own request: not as a candidate, not by being given it', async () => {
    const id = await startDrawing(clerk, await deployDrawing(admin, straight('role', [['a', groups('role:reviewer1')]])))
    expect([(await workOf('claim', clerk, id)).length, (await workOf('claim', peer, id)).length]).toEqual([0, 1])
    expect(dataOf(await clerk.get('/blade-flow/work/counts')).claim).toBe(0)
    const [{ taskId }] = (await workOf('claim', peer, id)) as [{ taskId: string }]
    const claim = (by: Person) => by.post('/blade-flow/work/claim-task', { json: { taskId } })
    const own = await claim(clerk)
    expect([...refusalOf(own), own.body.msg]).toEqual([403, 'flow/own-request', '申请人不能审批自己的申请，请由其他人办理'])
    expect(dataOf(await clerk.get('/blade-flow/work/task-detail', { query: { taskId } })).actions).toEqual(['withdraw', 'remind', 'copy'])
    dataOf(await claim(peer))
    for (const [path, json] of [
      ['/blade-flow/work/transfer-task', { taskId, userId: clerk.userId }],
      ['/blade-flow/work/delegate-task', { taskId, userId: clerk.userId }],
      ['/blade-flow/work/add-sign', { taskId, userIds: clerk.userId }],
    ] as const)
      expect(refusalOf(await peer.post(path, { json }))).toEqual([403, 'flow/own-request'])
    const given = await admin.post('/blade-flow/follow/assign-task', { json: { taskId, userId: clerk.userId } })
    expect(refusalOf(given)).toEqual([403, 'flow/own-request'])
    dataOf(await finishTask(peer, taskId, 'ok'))
  })

  test('signed by all of a role the applicant is none of them; where they alone are left their superior decides', async () => {
    const all = await deployDrawing(admin, straight('all', [['a', `${groups('role:reviewer1')} kaopu:sign="all"`]]))
    const id = await startDrawing(clerk, all)
    expect(await holders(id)).toEqual(['a 同事'])
    dataOf(await finishTask(peer, await todoOf(peer, id), 'ok'))
    expect(await holders(id)).toEqual([])
    const alone = await deployDrawing(admin, straight('alone', [['a', `flowable:candidateUsers="${clerk.userId}"`]]))
    expect(await holders(await startDrawing(clerk, alone))).toEqual(['a 科长'])
    const signed = await deployDrawing(admin, straight('signed', [['a', `flowable:candidateUsers="${clerk.userId}" kaopu:sign="all"`]]))
    const one = await startDrawing(clerk, signed)
    expect(await holders(one)).toEqual(['a 科长'])
    dataOf(await finishTask(head, await todoOf(head, one), 'ok'))
    expect(await holders(one)).toEqual([])
    // What the drawing gives to the applicant is theirs.
    const mine = await deployDrawing(admin, straight('mine', [['a', assignee('starter')]]))
    expect(await holders(await startDrawing(clerk, mine))).toEqual(['a 经办人'])
  })

  test('who is chosen in the form cannot be the applicant, also when it is sent again', async () => {
    const definition = await deployDrawing(admin, straight('form', [['a', assignee('head')]], variable('head', 'user')))
    const ask = (head: string) =>
      clerk.post('/blade-flow/work/start-process', { json: { processDefinitionId: definition, title: 'x', values: { head } } })
    const own = await ask(clerk.userId)
    expect([own.status, own.body.data.fields]).toEqual([400, [{ field: 'head', msg: '字段 head不能选择自己' }]])
    const id = dataOf(await ask(peer.userId)).processInstanceId
    dataOf(await finishTask(peer, await todoOf(peer, id), undefined, '换个人'))
    const again = await clerk.post('/blade-flow/work/complete-task', {
      json: { taskId: await todoOf(clerk, id), flag: 'ok', values: { head: clerk.userId } },
    })
    expect([again.status, again.body.data.fields]).toEqual([400, [{ field: 'head', msg: '字段 head不能选择自己' }]])
  })

  test('a tenant may allow it', async () => {
    const other = await t.tenant()
    const [boss, one] = [await other.staff('admin'), await other.staff('reviewer1')]
    await other.rows(sql`update param set param_value = '1' where param_key = 'flow.ownRequests'`)
    const id = await startDrawing(one, await deployDrawing(boss, straight('self', [['a', groups('role:reviewer1')]])))
    const [{ taskId }] = (await workOf('claim', one, id)) as [{ taskId: string }]
    dataOf(await one.post('/blade-flow/work/claim-task', { json: { taskId } }))
    dataOf(await finishTask(one, taskId, 'ok'))
  })
})

describe('a step that wants another person than before', () => {
  const other = `${groups('role:reviewer1')} kaopu:other="true"`
  const refusedFor = (name: string): unknown[] => [403, 'flow/decided-before', `该步骤须由另一人办理：${name}已在本申请的其他步骤作出决定`]
  const words = (answer: Answer): unknown[] => [...refusalOf(answer), answer.body.msg]

  test('is not for whoever has decided: not to claim, not by being given it, not as a further signer', async () => {
    const third = await tenant.staff('reviewer1', { realName: '第三人' })
    const definition = await deployDrawing(
      admin,
      straight('four-eyes', [
        ['a', `flowable:assignee="${peer.userId}"`],
        ['b', other],
      ]),
    )
    const id = await startDrawing(clerk, definition)
    dataOf(await finishTask(peer, await todoOf(peer, id), 'ok'))
    expect([(await workOf('claim', peer, id)).length, (await workOf('claim', third, id)).length]).toEqual([0, 1])
    const [{ taskId }] = (await workOf('claim', third, id)) as [{ taskId: string }]
    expect(dataOf(await peer.get('/blade-flow/work/counts')).claim).toBe(0)
    expect(dataOf(await peer.get('/blade-flow/work/task-detail', { query: { taskId } })).actions).toEqual(['copy'])
    const claim = (by: Person) => by.post('/blade-flow/work/claim-task', { json: { taskId } })
    expect(words(await claim(peer))).toEqual(refusedFor('同事'))
    dataOf(await claim(third))
    for (const [by, path, json] of [
      [third, '/blade-flow/work/transfer-task', { taskId, userId: peer.userId }],
      [third, '/blade-flow/work/delegate-task', { taskId, userId: peer.userId }],
      [third, '/blade-flow/work/add-sign', { taskId, userIds: peer.userId }],
      [admin, '/blade-flow/follow/assign-task', { taskId, userId: peer.userId }],
    ] as const)
      expect(words(await by.post(path, { json }))).toEqual(refusedFor('同事'))
    dataOf(await finishTask(third, taskId, 'ok'))
    await tenant.rows(sql`delete from account_role where user_id = ${third.userId}`)
  })

  test('signed by several they are none of them; where nobody is left the superior of the applicant decides, or it stops with the reason', async () => {
    const steps = (sign: string) =>
      [
        ['a', `flowable:assignee="${peer.userId}"`],
        ['b', `flowable:candidateUsers="${peer.userId},${chief.userId}" kaopu:other="true" ${sign}`],
      ] as const
    const signed = await startDrawing(clerk, await deployDrawing(admin, straight('signed-other', steps('kaopu:sign="all"'))))
    dataOf(await finishTask(peer, await todoOf(peer, signed), 'ok'))
    expect(await holders(signed)).toEqual(['b 局长'])
    const same = (who: Person) =>
      straight('same-person', [
        ['a', `flowable:assignee="${who.userId}"`],
        ['b', `flowable:assignee="${who.userId}" kaopu:other="true"`],
      ])
    const id = await startDrawing(clerk, await deployDrawing(admin, same(peer)))
    dataOf(await finishTask(peer, await todoOf(peer, id), 'ok'))
    expect(await holders(id)).toEqual(['b 科长'])
    const stuck = await startDrawing(clerk, await deployDrawing(admin, same(head)))
    expect(words(await finishTask(head, await todoOf(head, stuck), 'ok'))).toEqual([
      409,
      'flow/nobody',
      '步骤“步骤 b”找不到办理人：该步骤须由另一人办理，可以办理的人都已在本申请的其他步骤作出决定，或是申请人本人',
    ])
    expect(await holders(stuck)).toEqual(['a 科长'])
  })

  test('of two branches that run beside each other one person decides one', async () => {
    const both = `flowable:assignee="${peer.userId}"`
    const id = await startDrawing(
      clerk,
      await deployDrawing(
        admin,
        drawing(
          'branches',
          `<startEvent id="s"/><parallelGateway id="p"/><parallelGateway id="j"/><endEvent id="e"/>${task('a', both)}${task('b', `${both} kaopu:other="true"`)}${line('f1', 's', 'p')}${line('f2', 'p', 'a')}${line('f3', 'p', 'b')}${line('f4', 'a', 'j')}${line('f5', 'b', 'j')}${line('f6', 'j', 'e')}`,
        ),
      ),
    )
    const [a, b] = ((await workOf('todo', peer, id)) as { taskId: string; taskName: string }[])
      .toSorted((x, y) => x.taskName.localeCompare(y.taskName))
      .map(({ taskId }) => taskId) as [string, string]
    dataOf(await finishTask(peer, a, 'ok'))
    expect(words(await finishTask(peer, b, 'ok'))).toEqual(refusedFor('同事'))
    dataOf(await peer.post('/blade-flow/work/transfer-task', { json: { taskId: b, userId: chief.userId } }))
    dataOf(await finishTask(chief, b, 'ok'))
    expect(await tenant.rows(sql`select state from flow_instance where id = ${id}`)).toEqual([{ state: 'finished' }])
  })
})

describe('[S7.33] steps that nobody could take', () => {
  test('are named with the reason before it is deployed, and again before it is started', async () => {
    const empty = await dept('空科室', '')
    const xml = straight(
      'hollow',
      [
        ['a', groups('role:reviewer1')],
        ['b', groups(`role:finance,dept:${empty}`)],
        ['c', assignee('manager')],
        ['d', `flowable:assignee="${clerk.userId}"`],
      ],
      '',
    )
    const hollow = { element: 'b', elementName: '步骤 b', text: '角色“财务”、部门“空科室”没有在岗的工作人员' }
    const check = dataOf(await admin.post('/blade-flow/model/check', { json: { modelEditorXml: xml } }))
    expect(check).toEqual({ problems: [], warnings: [hollow] })
    const { id } = dataOf(await admin.post('/blade-flow/model/submit', { json: { modelEditorXml: xml } }))
    expect(dataOf(await admin.get('/blade-flow/model/detail', { query: { id } })).warnings).toEqual([hollow])
    const definition = await deployDrawing(admin, xml)
    const form = async (by: Person) =>
      dataOf(await by.get('/blade-flow/work/start-form', { query: { processDefinitionId: definition } })).warnings
    expect(await form(clerk)).toEqual([hollow])
    // The administrator has no superior.
    expect((await form(admin)).map(({ element }: { element: string }) => element)).toEqual(['b', 'c'])
    const stranger = await (await t.tenant()).staff('admin')
    const away = dataOf(await stranger.post('/blade-flow/model/check', { json: { modelEditorXml: xml } })).warnings
    expect(away.map((one: { element: string }) => one.element)).toEqual(['a', 'b', 'd'])
  })

  test('stop the process when it comes to them, with whom the drawing names', async () => {
    const id = await startDrawing(
      clerk,
      await deployDrawing(
        admin,
        straight('stops', [
          ['a', assignee('starter')],
          ['b', groups('role:finance')],
        ]),
      ),
    )
    const stopped = await finishTask(clerk, await todoOf(clerk, id), 'ok')
    expect([...refusalOf(stopped), stopped.body.msg]).toEqual([
      409,
      'flow/nobody',
      '步骤“步骤 b”找不到办理人：角色“财务”没有在岗的工作人员',
    ])
    expect(await holders(id)).toEqual(['a 经办人'])
  })
})

describe('[S7.32] before somebody refuses', () => {
  const way = async (xml: string, values: object = {}) => {
    const id = await startDrawing(clerk, await deployDrawing(admin, xml), values)
    const { refusalTo, refusalSteps } = dataOf(
      await peer.get('/blade-flow/work/task-detail', { query: { taskId: await todoOf(peer, id) } }),
    )
    return [refusalTo, refusalSteps]
  }
  const who = () => `flowable:assignee="${peer.userId}"`
  const branch = (key: string, to: string) =>
    drawing(
      key,
      `<startEvent id="s"/>${task('a', who())}<exclusiveGateway id="x" default="f3"/><endEvent id="e"/>${task('m', who())}${line('f1', 's', 'a')}${line('f2', 'a', 'x')}${line('f3', 'x', 'e')}${line('f4', 'x', 'm', expr(to))}${line('f5', 'm', 'e')}`,
    )
  test('it is said where that leads', async () => {
    expect(await way(straight('r1', [['a', who()]]))).toEqual(['applicant', []])
    expect(await way(branch('r2', 'pass == false'))).toEqual(['step', ['步骤 m']])
    expect(await way(branch('r3', 'pass == true'))).toEqual(['end', []])
  })

  test('who returned it and why stands with what is to be mended and in the notice', async () => {
    const id = await startDrawing(clerk, await deployDrawing(admin, straight('r4', [['a', who()]])), {}, '采购血压计')
    const taskId = await todoOf(peer, id)
    dataOf(await peer.post('/blade-flow/work/return-task', { json: { taskId, to: 'applicant', comment: '数量不对' } }))
    const mend = dataOf(await clerk.get('/blade-flow/work/task-detail', { query: { taskId: await todoOf(clerk, id) } }))
    expect([mend.returnedByName, mend.returnReason, mend.refusalTo]).toEqual(['同事', '数量不对', ''])
    const notice = () =>
      tenant.rows(
        sql`select title_zh as title, content_zh as content, content_en as en from notify where user_id = ${clerk.userId} and event_key like ${`flow-${id}-%`} order by id`,
      )
    expect(await notice()).toEqual([{ title: '您的申请被退回', content: '采购血压计：数量不对', en: '采购血压计: 数量不对' }])
  })
})

test('[S7.32] people are found by name, initials, account and department, within the tenant', async () => {
  await (await t.tenant()).staff('reviewer1', { realName: '同事' })
  const found = async (keyword: string) =>
    dataOf(await admin.get('/blade-flow/work/people', { query: { keyword } })).map((row: Record<string, string>) => row['realName'])
  expect([await found('同'), await found('ts'), await found('jdk'), await found('监督'), await found('没有')]).toEqual([
    ...[['同事'], ['同事'], ['同事', '科长', '经办人'], ['同事', '科长', '经办人'], []],
  ])
})
