import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { type Person, startTestApp, type TestApp, type TestTenant } from '../../support/app.ts'

let t: TestApp
let tenant: TestTenant
let office: Person
let reviewer: Person
let colleague: Person
let stranger: Person
beforeAll(async () => {
  t = await startTestApp()
  tenant = await t.tenant()
  office = await tenant.staff('exam_admin')
  reviewer = await tenant.staff('reviewer1')
  colleague = await tenant.staff('reviewer2')
  stranger = await (await t.tenant()).staff('reviewer1')
})
afterAll(() => t.close())

const at = '/blade-examineTip/examinetip'
const add = async (who: Person, more: Record<string, unknown>) =>
  who.post(`${at}/submit`, { json: { title: '照片', content: '照片不清晰', kind: 2, ...more } })
const idsOf = async (who: Person, path: string): Promise<string[]> => {
  const { data } = (await who.get(`${at}/${path}`)).body
  return (Array.isArray(data) ? data : data.records).map((one: { id: string }) => one.id)
}

test('[27.1][S7.26] a text of one’s own is seen by nobody else; one of all by every reviewer of the tenant, the most used first', async () => {
  const own = (await add(reviewer, { fieldKey: 'photo' })).body.data.id
  const ofAll = (await add(office, { content: '不符合学历要求', kind: 3, scope: 2 })).body.data.id
  for (const path of ['list', 'page', 'offered']) {
    expect([path, (await idsOf(reviewer, path)).sort()]).toEqual([path, [own, ofAll].sort()])
    expect([path, await idsOf(colleague, path)]).toEqual([path, [ofAll]])
    expect([path, await idsOf(stranger, path)]).toEqual([path, []])
  }
  expect((await colleague.get(`${at}/detail`, { query: { id: own } })).status).toBe(404)
  for (const who of [colleague, stranger, office]) {
    expect((await who.post(`${at}/use`, { json: { id: own } })).status).toBe(404)
    expect((await who.post(`${at}/submit`, { json: { id: own, content: '改写' } })).status).toBe(404)
    expect((await who.post(`${at}/remove`, { json: { ids: own } })).status).toBe(404)
  }
  for (const id of [ofAll, own, own]) expect((await reviewer.post(`${at}/use`, { json: { id } })).body.data).toEqual({ id })
  expect((await reviewer.get(`${at}/offered`)).body.data).toEqual([
    { id: own, title: '照片', content: '照片不清晰', kind: 2, fieldKey: 'photo', scope: 1 },
    { id: ofAll, title: '照片', content: '不符合学历要求', kind: 3, fieldKey: null, scope: 2 },
  ])
  const counted = await tenant.rows(sql<{ n: number }>`select use_count as n from examine_tip order by use_count`)
  expect(counted.map(({ n }) => n)).toEqual([1, 2])
})

test('[27.1] texts of all are written, changed and removed by whoever holds the right only, and a text does not become one of all by a change', async () => {
  const refused = await add(reviewer, { scope: 2 })
  expect([refused.status, refused.body.reason, refused.body.msg]).toEqual([
    403,
    'tip/of-all',
    '全员提示语由考务管理员维护；可以另存为个人的',
  ])
  const own = (await add(reviewer, {})).body.data.id
  const ofAll = (await add(office, { scope: 2 })).body.data.id
  for (const json of [
    { id: own, scope: 2 },
    { id: ofAll, content: '改写' },
    { id: ofAll, scope: 1 },
  ])
    expect([json, (await reviewer.post(`${at}/submit`, { json })).body.reason]).toEqual([json, 'tip/of-all'])
  expect((await reviewer.post(`${at}/remove`, { json: { ids: `${own},${ofAll}` } })).body.reason).toBe('tip/of-all')
  const rows = await tenant.rows(
    sql<{
      content: string
      scope: number
    }>`select content, scope from examine_tip where id = any(${[own, ofAll]}) and not is_deleted order by scope`,
  )
  expect(rows).toEqual([
    { content: '照片不清晰', scope: 1 },
    { content: '照片不清晰', scope: 2 },
  ])
  expect((await office.post(`${at}/remove`, { json: { ids: ofAll } })).body.data).toEqual({ removed: 1 })
  const finance = await tenant.staff('finance')
  for (const path of ['list', 'offered']) expect((await finance.get(`${at}/${path}`)).status).toBe(403)
})

test('[27.1] a text is for a field or file that there is, for the post, or for all of them', async () => {
  const wrong = await add(reviewer, { fieldKey: 'noSuchField' })
  expect([wrong.status, wrong.body.data.fields]).toEqual([
    400,
    [{ field: 'fieldKey', msg: expect.stringContaining('没有代码为“noSuchField”的报名项或材料') }],
  ])
  for (const fieldKey of ['photo', 'code', 'signup.region', '', null])
    expect([fieldKey, (await add(reviewer, { fieldKey })).status]).toEqual([fieldKey, 200])
})
