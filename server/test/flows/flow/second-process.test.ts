import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { type Answer, type Person, startTestApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { straight } from '../../support/drawing.ts'
import { testIdCard } from '../../support/id-card.ts'
import { sealFor } from '../../support/login.ts'
import { upload } from '../../support/signing.ts'
import { waitToObject } from '../../support/two-persons.ts'

let t: TestApp
let tenant: TestTenant
let admin: Person
let first: Person
let second: Person
const path = '/blade-userupdateinfo/userupdateinfo'
const picture = readFileSync(fileURLToPath(new URL('../../../seed/data/portraits/id-front-1.jpg', import.meta.url)))
const ok = (answer: Answer) => {
  expect([answer.status, answer.body?.msg]).toEqual([200, expect.anything()])
  return answer.body.data
}
beforeAll(async () => {
  t = await startTestApp()
  tenant = await t.tenant()
  admin = await tenant.staff('admin')
  first = await tenant.staff('exam_admin', { realName: '初核人' })
  second = await tenant.staff('exam_admin', { realName: '复核人' })
  const xml = straight('userupdate', [
    ['a', `flowable:candidateUsers="${first.userId}"`],
    ['b', `flowable:assignee="${second.userId}"`],
  ])
  const { id } = ok(await admin.post('/blade-flow/model/submit', { json: { modelEditorXml: xml } }))
  ok(await admin.post('/blade-flow/model/deploy', { json: { modelId: id, category: 'flow_3' } }))
  await tenant.rows(sql`update param set param_value = 'userupdate' where param_key = 'flow.verifiedChange'`)
})
afterAll(() => t.close())

let serial = 700
const ask = async (): Promise<{ person: Person; id: string }> => {
  serial += 1
  const person = await tenant.candidate({
    realName: '王测',
    idCard: testIdCard(serial),
    phone: `1602223${String(serial).padStart(4, '0')}`,
  })
  const proofFileIds = await upload(person, picture, '证明.jpg', 'image')
  const asked = await person.post(`${path}/submit`, {
    json: { field: 'name', value: sealFor(t, '王新'), reason: '登记有误', proofFileIds },
  })
  return { person, id: ok(asked).id }
}
const decide = (by: Person, id: string, state: 1 | 2, remark = '') => by.post(`${path}/submit`, { json: { id, state, remark } })
const nameOf = async (person: Person): Promise<string> =>
  (await tenant.rows(sql<{ name: string }>`select real_name as name from account where id = ${person.userId}`))[0]?.name ?? ''
const claim = async (by: Person) => {
  const [{ taskId }] = ok(await by.get('/blade-flow/work/claim-list')).records
  ok(await by.post('/blade-flow/work/claim-task', { json: { taskId } }))
}

describe('[S7.32] verified data changes on a process', () => {
  test('the same call decides, as the task of whoever has it, and the change is made once both have agreed', async () => {
    const { person, id } = await ask()
    const early = await decide(first, id, 1)
    expect([early.status, early.body.reason]).toEqual([409, 'person/change-on-process'])
    await claim(first)
    expect(ok(await decide(first, id, 1)).state).toBe(0)
    expect(await nameOf(person)).toBe('王测')
    // The end of the process is one person's word; another one says the second.
    expect(ok(await decide(second, id, 1, '材料齐全'))).toMatchObject({ state: 0, firstUser: '复核人' })
    expect((await decide(second, id, 1)).body.reason).toBe('kernel/two-persons-own')
    await t.runTasks()
    expect(ok(await decide(first, id, 1)).state).toBe(0)
    expect(await nameOf(person)).toBe('王测')
    await waitToObject(t)
    expect(await nameOf(person)).toBe('王新')
    expect(await tenant.rows(sql`select action from audit_log where entity = 'verified_change' and entity_id = ${id} order by id`)).toEqual(
      [{ action: 'verified-change.requested' }, { action: 'verified-change.passed' }],
    )
  })

  test('a refusal by either ends it as refused, with the words for the candidate', async () => {
    const { person, id } = await ask()
    await claim(first)
    expect(ok(await decide(first, id, 2, '看不清')).state).toBe(2)
    expect(await nameOf(person)).toBe('王测')
    const { records } = ok(await person.get(`${path}/list`))
    expect([records[0].state, records[0].remark]).toEqual([2, '看不清'])
    expect(ok(await second.get('/blade-flow/work/todo-list')).records).toEqual([])
  })

  test('taken back by the candidate its process ends; cancelled it is two persons’ again', async () => {
    const gone = await ask()
    ok(await gone.person.post(`${path}/remove`, { json: { ids: gone.id } }))
    expect(ok(await first.get('/blade-flow/work/claim-list')).records).toEqual([])
    const { person, id } = await ask()
    const [{ processInstanceId }] = ok(await first.get('/blade-flow/work/claim-list')).records
    ok(await admin.post('/blade-flow/follow/delete-process-instance', { json: { processInstanceId, deleteReason: '改由一人审核' } }))
    await t.runTasks()
    for (const who of [second, first]) expect(ok(await decide(who, id, 1)).state).toBe(0)
    await waitToObject(t)
    expect(await nameOf(person)).toBe('王新')
  })
})
