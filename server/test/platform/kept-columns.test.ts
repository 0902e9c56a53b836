import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { startTestApp, type TestApp, type TestTenant } from '../support/app.ts'
import { buildExam } from '../support/factories.ts'

let t: TestApp
let tenant: TestTenant
let owner: pg.Client
beforeAll(async () => {
  t = await startTestApp()
  tenant = await t.tenant()
  owner = await t.owner()
})
afterAll(() => t?.close())

test('a place that is counted does not work out the pinyin of the post; a new name does', async () => {
  const { examId } = await buildExam(tenant, {})
  const key = async (): Promise<string> =>
    (await tenant.rows(sql<{ key: string }>`select search_key as key from type_code where exam_id = ${examId} and code = 'B001'`))[0]
      ?.key ?? ''
  const before = await key()
  expect(before).not.toBe('')
  // Whoever computes it now fails.
  const { rows } = await owner.query<{ of: string }>(`select pg_get_functiondef('search_key(text)'::regprocedure) as of`)
  await owner.query(`create or replace function search_key(word text) returns text language plpgsql immutable parallel safe as
    $$ begin raise exception 'computed'; end $$`)
  const change = (set: string) => tenant.rows(sql`update type_code set ${sql.raw(set)} where exam_id = ${examId} and code = 'B001'`)
  await change('used_sign = used_sign + 1')
  await expect(change(`code_name = '检验技师'`)).rejects.toThrow('computed')
  await owner.query(rows[0]?.of ?? '')
  expect(await key()).toBe(before)
  await change(`code_name = '检验技师'`)
  expect(await key()).toContain('jyjs')
})

test.each(['type_code', 'school'])('a row of %s never changes its tenant', async table => {
  // Where others refer to its tenant too, they may refuse first.
  await expect(owner.query(`update ${table} set tenant_id = 'other' where ctid = (select min(ctid) from ${table})`)).rejects.toThrow(
    /a row never changes its tenant|violates foreign key/,
  )
})
