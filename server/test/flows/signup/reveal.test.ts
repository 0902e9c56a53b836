import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { type Person, startTestApp, type TestApp, testStart } from '../../support/app.ts'
import { buildExam } from '../../support/factories.ts'
import { answersOf, submit, uploadAll } from '../../support/signing.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())

const wang = { idCard: '330106199806301023', phone: '16000000001', realName: '王·测' }
const world = async () => {
  t.clock.set(testStart)
  const tenant = await t.tenant()
  const exam = await buildExam(tenant)
  const candidate = await tenant.candidate(wang)
  const { body } = await submit(candidate, exam.examId, {
    content: answersOf(wang.idCard, wang.phone),
    fileIds: await uploadAll(candidate),
  })
  const id: string = body.data.id
  const ask = (who: Person, field: 'idCard' | 'phone' = 'idCard', of = id) =>
    who.post('/blade-signup/signup/reveal', { json: { id: of, field, purpose: 1 } })
  return { tenant, candidate, id, ask }
}

test('scenario 22: a reviewer sees the full number with a purpose, one line that its owner may read, one audit line', async () => {
  const { tenant, candidate, id, ask } = await world()
  const reviewer = await tenant.staff('reviewer1', { realName: '初审甲' })
  expect((await ask(reviewer)).body.data).toEqual({ value: wang.idCard })
  expect((await ask(reviewer, 'phone')).body.data).toEqual({ value: wang.phone })
  expect(
    await tenant.rows(sql<object>`
      select viewer_name as who, owner_id::text as owner, signup_id::text as signup, field, purpose, is_blocked as blocked from reveal_log order by id`),
  ).toEqual([
    { who: '初审甲', owner: candidate.userId, signup: id, field: 'idCard', purpose: 1, blocked: false },
    { who: '初审甲', owner: candidate.userId, signup: id, field: 'phone', purpose: 1, blocked: false },
  ])
  const lines = await tenant.rows(sql<{ entity: string; after: unknown }>`
    select entity_id::text as entity, after_value as after from audit_log where action = 'signup.revealed' order by id`)
  expect(lines).toEqual([
    { entity: id, after: { field: 'idCard', purpose: 1 } },
    { entity: id, after: { field: 'phone', purpose: 1 } },
  ])
})

test('scenario 22: the limit of the hour holds per person, its first refusal is kept, an hour later it is free again', async () => {
  const { tenant, ask } = await world()
  const reviewer = await tenant.staff('reviewer1')
  await tenant.db(db =>
    db.run(sql`
      insert into param (tenant_id, param_name, param_key, param_value) values (${tenant.tenantId}, '每小时查看次数', 'reveal.perHour', '2')
      on conflict do nothing`),
  )
  await tenant.db(db => db.run(sql`update param set param_value = '2' where param_key = 'reveal.perHour'`))
  const codes = []
  for (let turn = 0; turn < 4; turn += 1) codes.push((await ask(reviewer)).body.code)
  expect(codes).toEqual([200, 200, 2801, 2801])
  expect((await ask(await tenant.staff('reviewer1'))).body.code).toBe(200)
  expect(await tenant.rows(sql<object>`select count(*)::int as lines from audit_log where action = 'signup.reveal-blocked'`)).toEqual([
    { lines: 1 },
  ])
  t.clock.advance(61 * 60_000)
  expect((await ask(reviewer)).body.code).toBe(200)
})

test('auditor and finance have no right to it; another tenant’s sign-up and another unit’s are not found', async () => {
  const { tenant, ask } = await world()
  for (const role of ['auditor', 'finance'] as const) expect((await ask(await tenant.staff(role))).status, role).toBe(403)
  const other = await world()
  expect((await ask(await other.tenant.staff('reviewer1'))).status).toBe(404)
  expect((await ask(await tenant.staff('unit_hr', { userCode: 'H99' }))).status).toBe(404)
})
