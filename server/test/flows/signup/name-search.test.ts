import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { buildExam, makeDept } from '../../support/factories.ts'
import { insertSignups } from '../../support/sign-up-rows.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())

const specs = [
  { name: '王小明', examine: 'waiting' },
  { name: '王明', examine: 'passed' },
  { name: '买买提·阿不都', examine: 'second' },
  { name: 'Li Ming', examine: 'waiting' },
  { name: '欧阳小明', examine: 'refused' },
  { name: '𠮷明', examine: 'waiting' },
  { name: '小小', examine: 'passed' },
  { name: '明小', examine: 'draft' },
].map((one, at) => ({ ...one, code: at % 2 === 0 ? 'B001' : 'A002', type: at % 2 === 0 ? 'B' : 'A', unit: at % 2 === 0 ? 'H01' : 'H02' }))

const setUp = async () => {
  const tenant = await t.tenant()
  const { examId } = await buildExam(tenant)
  const rows = await insertSignups(tenant, examId, specs)
  // Whoever came first waits longest; of two who came together the older row.
  for (const [at, { name }] of specs.entries())
    await tenant.rows(
      sql`update signup set submit_time = ${`2026-03-16T${String(9 + Math.floor(at / 2)).padStart(2, '0')}:00:00+08`} where exam_id = ${examId} and name = ${name} returning 1 as one`,
    )
  const office = await tenant.staff('exam_admin')
  const found = async (keyword: string, query: Record<string, string | number> = {}): Promise<readonly [string[], number]> => {
    const { data } = (await office.get('/blade-signup/examine/getExamineList', { query: { examId, keyword, ...query } })).body
    return [data.records.map((row: { name: string }) => row.name), data.total]
  }
  return { tenant, examId, rows, found, office }
}

test('a part of a name finds everybody who has it, those that wait first, in any case, with any dot, as one or as several words', async () => {
  const { found } = await setUp()
  const inOrder = ['王小明', '𠮷明', '王明', '欧阳小明']
  expect(await found('明')).toEqual([inOrder, 4])
  expect(await found('明', { count: 'capped' })).toEqual([inOrder, 4])
  expect(await found('小明')).toEqual([['王小明', '欧阳小明'], 2])
  expect(await found('王小明')).toEqual([['王小明'], 1])
  expect(await found('王 明')).toEqual([['王小明', '王明'], 2])
  expect(await found('买买提•阿')).toEqual([['买买提·阿不都'], 1])
  expect(await found('ming')).toEqual([['Li Ming'], 1])
  expect(await found('𠮷')).toEqual([['𠮷明'], 1])
  expect(await found('%')).toEqual([[], 0])
  expect(await found('小', { size: 1, current: 2 })).toEqual([['欧阳小明'], 3])
})

test('with states, a unit or the newest first a search finds the same people as without', async () => {
  const { found } = await setUp()
  expect(await found('明', { level: 1 })).toEqual([['王小明', '𠮷明'], 2])
  expect(await found('明', { level: 1, order: 'submit' })).toEqual([['𠮷明', '王小明'], 2])
  expect(await found('明', { order: 'submit' })).toEqual([['𠮷明', '欧阳小明', '王明', '王小明'], 4])
  expect(await found('明', { unit: 'h02' })).toEqual([['𠮷明', '王明'], 2])
})

test('a name that changes, a decision, a removal and a return are found as they are now', async () => {
  const { tenant, examId, found } = await setUp()
  const change = (name: string, set: ReturnType<typeof sql>) =>
    tenant.rows(sql`update signup set ${set} where exam_id = ${examId} and name = ${name} returning 1 as one`)
  const differs = () =>
    tenant.rows(sql`
      with should as (
        select s.exam_id, n as part, s.examine not in ('waiting', 'second') as is_over, coalesce(s.submit_time, 'infinity') as submit_time, s.id as signup_id
        from signup s, name_parts(s.name) n where s.examine <> 'draft' and not s.is_deleted),
      is_kept as (select exam_id, part, is_over, submit_time, signup_id from signup_name_part)
      (select * from should except select * from is_kept) union all (select * from is_kept except select * from should)`)
  expect(await differs()).toEqual([])
  await change('王小明', sql`name = '王大明'`)
  await change('𠮷明', sql`examine = 'passed'`)
  await change('王明', sql`is_deleted = true`)
  await change('明小', sql`examine = 'waiting', submit_time = '2026-03-16T08:00:00+08'`)
  expect(await found('明')).toEqual([['明小', '王大明', '欧阳小明', '𠮷明'], 4])
  expect(await differs()).toEqual([])
  await change('王明', sql`is_deleted = false, submit_time = null`)
  await change('王大明', sql`examine = 'draft'`)
  expect(await found('明')).toEqual([['明小', '欧阳小明', '𠮷明', '王明'], 4])
  expect(await differs()).toEqual([])
})

test('another tenant and whoever does not reach the examination read no part of a name', async () => {
  const { tenant, examId } = await setUp()
  const dept = await makeDept(tenant, '人事科')
  await tenant.rows(sql`update examination set dept_id = ${dept} where id = ${examId} returning 1 as one`)
  const other = await t.tenant()
  const parts = (tenantId: string, departments: readonly string[] | null) =>
    t.app.services.scopes.tx(
      { kind: 'staff', tenantId, userId: '0', departments },
      t.app.services.clock.now(),
      async db => (await db.all(sql<{ part: string }>`select part from signup_name_part where exam_id = ${examId} and part = '王'`)).length,
    )
  expect([
    await parts(tenant.tenantId, null),
    await parts(tenant.tenantId, [dept]),
    await parts(tenant.tenantId, ['1']),
    await parts(other.tenantId, null),
  ]).toEqual([2, 2, 0, 0])
  const candidate = t.app.services.scopes.tx(
    { kind: 'candidate', tenantId: tenant.tenantId, userId: '1' },
    t.app.services.clock.now(),
    db => db.all(sql`select 1 from signup_name_part`),
  )
  await expect(candidate).rejects.toThrow('permission denied')
})
