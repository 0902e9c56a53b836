import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { carryOut, wishOf, withRoles } from '#server/admin.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp({ profile: 'production' })
})
afterAll(() => t.close())

const rolesOf = (account: string) =>
  t.platform().rows(sql<{ alias: string }>`
    select r.role_alias as alias from account a join account_role k on k.tenant_id = a.tenant_id and k.user_id = a.id
      join role r on r.tenant_id = k.tenant_id and r.id = k.role_id where a.account = ${account} order by 1`)

test('[S1.03] the first account runs the platform, the next ones a tenant; a role that is named is the one given', async () => {
  expect(await t.platform().rows(sql`select 1 from account where user_type = 1`)).toEqual([])
  const tenant = await t.tenant()
  // In another tenant nobody runs the platform.
  expect((await withRoles(t.app.services, wishOf(['create', '--account', 'a1', '--tenant', tenant.tenantId]))).roles).toEqual(['admin'])
  await carryOut(t.app.services, wishOf(['create', '--account', 'chief']))
  await carryOut(t.app.services, wishOf(['create', '--account', 'second']))
  await carryOut(t.app.services, wishOf(['create', '--account', 'third', '--role', 'auditor']))
  expect(await rolesOf('chief')).toEqual([{ alias: 'administrator' }])
  expect(await rolesOf('second')).toEqual([{ alias: 'admin' }])
  expect(await rolesOf('third')).toEqual([{ alias: 'auditor' }])
  // Where nobody is left, the next one is.
  await carryOut(t.app.services, wishOf(['remove', '--account', 'chief']))
  await carryOut(t.app.services, wishOf(['create', '--account', 'heir']))
  expect(await rolesOf('heir')).toEqual([{ alias: 'administrator' }])
})

test('the platform’s administrator sees the tenants, a tenant’s does not', async () => {
  const operator = await t.platform().staff('administrator')
  const admin = await t.platform().staff('admin')
  expect((await operator.get('/blade-system/tenant/page')).body).toMatchObject({ code: 200 })
  expect((await admin.get('/blade-system/tenant/page')).body).toMatchObject({ code: 403 })
})
