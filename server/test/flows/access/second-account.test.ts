import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { administering, base } from '../../support/administering.ts'
import { type Person, startTestApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { sealFor, staffWithPassword } from '../../support/login.ts'
import { document } from '../../support/two-persons.ts'

let t: TestApp
let tenant: TestTenant
let admin: Person
let colleague: Person
let owner: Person
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())
/** The role `school` may keep accounts here, which an administrator may give to others. */
beforeEach(async () => {
  tenant = await t.tenant()
  await tenant.db(async db => {
    await db.run(sql`delete from role_menu where role_id = (select id from role where role_alias = 'school')`)
    await db.run(sql`
      insert into role_menu (tenant_id, role_id, menu_id) select ${tenant.tenantId}, r.id, m.id from role r join menu m on m.code like 'user%' where r.role_alias = 'school'`)
  })
  admin = await tenant.staff('admin')
  colleague = await tenant.staff('admin', { realName: '旁人' })
  // Of no role: whoever keeps accounts manages it.
  owner = await staffWithPassword(t, tenant, [])
})
const { roleId, submit, logIn } = administering(() => ({ t, two: t, tenant, admin }))

const reset = (by: Person, of = owner.userId) => by.post(`${base}/reset-password`, { json: { userIds: of, document } })
/** Whoever holds the account chooses its password, as the owner would. */
const takenOver = async (userId: string): Promise<Person> => {
  await tenant.rows(
    sql`update account set must_change_password = false, one_time_until = null, password_changed_at = app_now() where id = ${userId} returning id`,
  )
  return tenant.session(userId)
}
const tied = { reason: 'kernel/two-persons-tied', msg: expect.stringContaining('可由旁人办理') }
const passwordOf = async (id = owner.userId) =>
  (await tenant.rows(sql<{ hash: string }>`select password_hash as hash from account where id = ${id}`))[0]?.hash

test('[two persons: passwordReset] an account that one made is not the second person, nor the first, nor one that it made in turn', async () => {
  const before = await passwordOf()
  const school = await roleId('school')
  const made = await submit({ account: 'puppet1', realName: '虚构一', password: sealFor(t, 'Quiet-Harbour-71'), roleId: school })
  const puppet = await takenOver(made.body.data.id)
  const deeper = await submit({ account: 'puppet2', realName: '虚构二', password: sealFor(t, 'Quiet-Harbour-72'), roleId: school }, puppet)
  const second = await takenOver(deeper.body.data.id)
  expect((await logIn('puppet2', 'Quiet-Harbour-72')).status).toBe(200)

  expect((await reset(admin)).body.data).toMatchObject([{ password: '', waiting: expect.stringContaining('另一人') }])
  for (const who of [puppet, second]) expect((await reset(who)).body).toMatchObject(tied)
  await tenant.rows(sql`update two_person_act set state = 'ended' where state = 'begun' returning id`)
  expect((await reset(second)).body.data).toMatchObject([{ password: '' }])
  for (const who of [puppet, admin]) expect((await reset(who)).body).toMatchObject(tied)
  expect(await passwordOf()).toBe(before)
  expect((await reset(colleague)).body.data).toMatchObject([{ password: expect.stringMatching(/.{8}/) }])
})

test('[two persons: passwordReset] a colleague to whom one gave the right, or whose password one has reset, is not the second person while it is fresh; later it is', async () => {
  const lent = await staffWithPassword(t, tenant, 'finance')
  const school = await roleId('school')
  expect((await admin.post(`${base}/grant`, { query: { userIds: lent.userId, roleIds: school } })).body.code).toBe(200)
  expect((await reset(admin)).body.data).toMatchObject([{ password: '' }])
  const holder = await tenant.session(lent.userId)
  expect((await reset(holder)).body).toMatchObject(tied)
  // Another right than the one in question ties nobody.
  t.clock.advance(91 * 24 * 3_600_000)
  await tenant.rows(sql`update account set password_changed_at = app_now() where id = ${lent.userId} returning id`)
  expect((await reset(admin)).body.data).toMatchObject([{ password: '' }])
  expect((await reset(holder)).body.data).toMatchObject([{ password: expect.stringMatching(/.{8}/) }])
  // Both have set what the owner's account is opened with.
  expect(await tenant.rows(sql`select by_id::text as by, how from account_hand where account_id = ${owner.userId} order by by_id`)).toEqual(
    [admin.userId, lent.userId].sort((a, b) => Number(BigInt(a) - BigInt(b))).map(by => ({ by, how: 'opening' })),
  )
})

test('[two persons: passwordReset] two whom a third one made are two persons; where nobody is left the refusal names the command of the operator', async () => {
  const school = await roleId('school')
  const make = async (account: string) => takenOver((await submit({ account, realName: account, roleId: school })).body.data.id)
  const [one, other] = [await make('clerk-one'), await make('clerk-two')]
  await tenant.rows(sql`update account set status = 2 where id = ${colleague.userId} returning id`)
  await reset(admin)
  await tenant.rows(sql`delete from account_role where user_id = ${other.userId} returning role_id`)
  expect((await reset(one)).body.msg).toContain('admin create')
  await tenant.rows(sql`update two_person_act set state = 'ended' where state = 'begun' returning id`)
  await tenant.rows(
    sql`insert into account_role (tenant_id, user_id, role_id) values (${tenant.tenantId}, ${other.userId}, ${school}) returning role_id`,
  )
  expect((await reset(one)).body.data).toMatchObject([{ password: '' }])
  expect((await reset(await tenant.session(other.userId))).body.data).toMatchObject([{ password: expect.stringMatching(/.{8}/) }])
})

test('[two persons: passwordReset] an owner who has chosen another password since has ended what was begun', async () => {
  await reset(admin)
  await tenant.rows(sql`update account set password_changed_at = app_now() + interval '1 second' where id = ${owner.userId} returning id`)
  expect((await reset(colleague)).body.data).toMatchObject([{ password: '', waiting: expect.stringContaining('另一人') }])
  expect(await tenant.rows(sql`select began_by::text as by, state, end_reason as why from two_person_act order by id`)).toEqual([
    { by: admin.userId, state: 'ended', why: 'what it was begun on has changed' },
    { by: colleague.userId, state: 'begun', why: null },
  ])
})
