import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { type Answer, type Person, startTestApp, type TestApp, type TestTenant } from '../../support/app.ts'

let t: TestApp
let tenant: TestTenant
let admin: Person
let clerk: Person
let head: Person
let stranger: Person
let definition: string
const ok = (answer: Answer) => {
  expect([answer.status, answer.body?.msg]).toEqual([200, expect.anything()])
  return answer.body.data
}
beforeAll(async () => {
  t = await startTestApp()
  tenant = await t.tenant()
  admin = await tenant.staff('admin', { realName: '管理员' })
  clerk = await tenant.staff('exam_admin', { realName: '经办人' })
  head = await tenant.staff('reviewer1', { realName: '科长' })
  stranger = await (await t.tenant()).staff('admin')
  const { records } = ok(await clerk.get('/blade-flow/work/start-list', { query: { category: 'flow_1' } }))
  definition = records[0].id
  expect(records.map((row: Record<string, unknown>) => [row['key'], row['tenantId'], row['route'], row['startBy']])).toEqual([
    ['leave', '', 'leave', 'own'],
  ])
})
afterAll(() => t.close())

const form = (endTime: string, extra: object = {}) => ({
  ...{ processDefinitionId: definition, taskUser: head.userId, startTime: '2026-12-01 09:00:00', endTime, reason: '探亲' },
  ...extra,
})
const ask = (json: object, by = clerk) => by.post('/blade-desk/process/leave/start-process', { json })
const detail = (businessId: string, by = clerk) => by.get('/blade-desk/process/leave/detail', { query: { businessId } })
const todo = async (by: Person, of: string): Promise<string> =>
  ok(await by.get('/blade-flow/work/todo-list')).records.find((row: { processInstanceId: string }) => row.processInstanceId === of)
    ?.taskId ?? ''
const complete = (by: Person, taskId: string, flag?: string, comment = '') =>
  by.post('/blade-flow/work/complete-task', { json: { taskId, comment, ...(flag ? { flag } : {}) } })

describe('[S7.36] [S7.37] the leave', () => {
  test('of a time that is unlikely is asked about, and taken once that is confirmed; of one that cannot be it is refused', async () => {
    const of = (startTime: string, endTime: string, sure?: string) =>
      ask(form(endTime, { startTime, ...(sure === undefined ? {} : { sure }) }))
    const old = await of('2020-06-01 09:00:00', '2020-06-02 18:00:00', 'leaveBegin.early.now')
    expect([old.status, old.body.data.fields]).toEqual([400, [{ field: 'startTime', msg: '请假开始时间不能早于两年前' }]])
    const asked = await of('2025-03-03 09:00:00', '2025-03-04 18:00:00')
    expect([asked.status, asked.body.reason, asked.body.msg, asked.body.data.asks]).toEqual([
      409,
      'kernel/asks',
      '请假开始时间早于三个月前。如确实如此，请确认后再提交',
      [{ id: 'leaveBegin.early.now', field: 'startTime', msg: '请假开始时间早于三个月前' }],
    ])
    expect((await of('2025-03-03 09:00:00', '2025-03-04 18:00:00', 'another.doubt')).status).toBe(409)
    expect((await of('2025-03-03 09:00:00', '2025-03-04 18:00:00', 'leaveBegin.early.now')).body.code).toBe(200)
  })

  test('asked for, returned, mended, granted by both: the leave follows its process', async () => {
    const { businessId, processInstanceId, state } = ok(await ask(form('2026-12-05 18:00:00')))
    expect(state).toBe(0)
    expect(ok(await detail(businessId))).toEqual({
      ...{
        id: businessId,
        startTime: '2026-12-01 09:00:00',
        endTime: '2026-12-05 18:00:00',
        // Tuesday to Saturday: four working days.
        days: 4,
        reason: '探亲',
        taskUser: head.userId,
      },
      ...{ taskUserName: '科长', processDefinitionId: definition, processInstanceId, status: 0, applyTime: expect.any(String) },
      flow: { assignee: clerk.userId, assigneeName: '经办人' },
    })
    expect((await detail(businessId, stranger)).status).toBe(404)
    expect((await detail(businessId, await tenant.staff('reviewer2'))).status).toBe(404)
    ok(await complete(head, await todo(head, processInstanceId), undefined, '改到月底'))
    expect(ok(await detail(businessId)).status).toBe(1)
    const mend = {
      taskId: await todo(clerk, processInstanceId),
      taskUser: head.userId,
      startTime: '2026-12-26 09:00:00',
      endTime: '2026-12-31 18:00:00',
      reason: '探亲',
    }
    expect(
      (await clerk.post('/blade-desk/process/leave/resubmit', { json: { ...mend, endTime: '2026-12-26 08:00:00' } })).body.data.fields,
    ).toEqual([{ field: 'endTime', msg: '结束时间须晚于开始时间' }])
    ok(await clerk.post('/blade-desk/process/leave/resubmit', { json: mend }))
    ok(await complete(head, await todo(head, processInstanceId), 'ok'))
    const [{ taskId }] = ok(await admin.get('/blade-flow/work/claim-list')).records
    ok(await admin.post('/blade-flow/work/claim-task', { json: { taskId } }))
    ok(await complete(admin, taskId, 'ok', '准假'))
    const after = ok(await detail(businessId))
    expect([after.status, after.days, after.startTime]).toEqual([2, 4, '2026-12-26 09:00:00'])
    expect(
      await tenant.rows(sql`select action, reason from audit_log where entity = 'leave_request' and entity_id = ${businessId} order by id`),
    ).toEqual([
      { action: 'leave.requested', reason: '探亲' },
      { action: 'leave.updated', reason: '探亲' },
    ])
  })

  test('whoever has granted it does not confirm it as well', async () => {
    const both = await tenant.staff('admin', { realName: '分管' })
    const { processInstanceId } = ok(await ask(form('2026-12-09 18:00:00', { taskUser: both.userId })))
    ok(await complete(both, await todo(both, processInstanceId), 'ok'))
    const claims = async (by: Person): Promise<string[]> =>
      ok(await by.get('/blade-flow/work/claim-list')).records.map((row: { taskId: string }) => row.taskId)
    expect(await claims(both)).toEqual([])
    const [taskId] = await claims(admin)
    const again = await both.post('/blade-flow/work/claim-task', { json: { taskId } })
    expect([again.status, again.body.msg]).toEqual([403, '该步骤须由另一人办理：分管已在本申请的其他步骤作出决定'])
    ok(await admin.post('/blade-flow/work/claim-task', { json: { taskId } }))
    ok(await complete(admin, taskId ?? '', 'ok'))
  })

  test('three days are the head’s alone; withdrawn and cancelled it says so', async () => {
    const short = ok(await ask(form('2026-12-01 18:00:00')))
    ok(await complete(head, await todo(head, short.processInstanceId), 'ok'))
    expect(ok(await detail(short.businessId)).status).toBe(2)
    const back = ok(await ask(form('2026-12-01 18:00:00')))
    ok(await clerk.post('/blade-flow/work/withdraw-process', { json: { processInstanceId: back.processInstanceId } }))
    expect(ok(await detail(back.businessId)).status).toBe(4)
    const gone = ok(await ask(form('2026-12-01 18:00:00')))
    ok(
      await admin.post('/blade-flow/follow/delete-process-instance', {
        json: { processInstanceId: gone.processInstanceId, deleteReason: '重复' },
      }),
    )
    expect(ok(await detail(gone.businessId)).status).toBe(5)
  })

  test.each([
    [{ endTime: '2026-12-01 09:00:00' }, 'endTime'],
    [{ startTime: '2026-12-05 09:00:00', endTime: '2026-12-06 18:00:00' }, 'endTime'],
    [{ endTime: '2028-12-01 09:00:00' }, 'endTime'],
    [{ startTime: '2026-02-30 09:00:00' }, 'startTime'],
    [{ reason: ' ' }, 'reason'],
    [{ taskUser: '1' }, 'taskUser'],
  ])('%j is refused at its field', async (wrong, field) => {
    const answer = await ask(form('2026-12-01 18:00:00', wrong))
    expect([answer.status, answer.body.data.fields.map((one: { field: string }) => one.field)]).toEqual([400, [field]])
  })
})
