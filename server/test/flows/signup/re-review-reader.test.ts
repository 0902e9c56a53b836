import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { type Person, startTestApp, type TestApp } from '../../support/app.ts'
import { buildExam } from '../../support/factories.ts'
import { insertSignups } from '../../support/sign-up-rows.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())

test('[domain 2.1] a re-review officer reads and finds who is or was on the shortlist, in their own units, and nobody else', async () => {
  const tenant = await t.tenant()
  const exam = await buildExam(tenant)
  const post = { code: 'A001', type: 'A' }
  const [called, left, never, elsewhere] = await insertSignups(tenant, exam.examId, [
    { ...post, name: '钱入围', unit: 'H01' },
    { ...post, name: '钱放弃', unit: 'H01' },
    { ...post, name: '钱落选', unit: 'H01' },
    { ...post, name: '钱别处', unit: 'H02' },
  ])
  await tenant.db(async db => {
    await db.run(sql`update signup set shortlist = 1 where id in (${called?.id}, ${elsewhere?.id})`)
    await db.run(sql`update signup set shortlist = 3 where id = ${left?.id}`)
  })
  const reads = async (person: Person) =>
    Promise.all(
      [called, left, never, elsewhere].map(
        async one => (await person.get('/blade-signup/signup/detail', { query: { id: one?.id } })).status === 200,
      ),
    )
  const traces = async (person: Person) =>
    Promise.all(
      [called, left, never, elsewhere].map(
        async one => (await person.get('/blade-signup/signup/course', { query: { id: one?.id } })).status === 200,
      ),
    )
  const finds = async (person: Person) =>
    (await person.get('/me/find', { query: { text: '钱' } })).body.data.signups.map(({ name }: { name: string }) => name).sort()
  const seenBy = async (person: Person) => [await reads(person), await traces(person), await finds(person)]

  const officer = await tenant.staff('recheck', { userCode: 'H01' })
  expect(await seenBy(officer)).toEqual([
    [true, true, false, false],
    [true, true, false, false],
    ['钱入围', '钱放弃'],
  ])
  // Without a unit there is nobody; with more than this role the other one decides.
  expect(await seenBy(await tenant.staff('recheck'))).toEqual([[false, false, false, false], [false, false, false, false], []])
  expect(await reads(await tenant.staff(['recheck', 'unit_hr'], { userCode: 'H01' }))).toEqual([true, true, true, false])
  expect(await reads(await tenant.staff(['recheck', 'exam_admin']))).toEqual([true, true, true, true])
})
