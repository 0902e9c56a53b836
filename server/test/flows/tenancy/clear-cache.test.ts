import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { buildExam } from '../../support/factories.ts'
import { insertSignups } from '../../support/sign-up-rows.ts'

/** Two processes on one database, as behind one address. */
let a: TestApp
let b: TestApp
beforeAll(async () => {
  a = await startTestApp()
  b = await a.beside()
})
afterAll(() => a.close())

const clear = '/blade-auth/oauth/clear-cache'

test('[S7.10] clear-cache of an administrator: every process reads people, figures and addresses anew at once', async () => {
  const tenant = await a.tenant()
  const exam = await buildExam(tenant)
  const admin = await tenant.staff('admin')
  const officer = await tenant.staff('exam_admin')
  const at = (app: TestApp, token: string, url: string) =>
    app.app.server.inject({ url: `/api${url}`, headers: { 'blade-auth': `bearer ${token}`, 'tenant-id': tenant.tenantId } })
  const figure = async () =>
    (await at(b, officer.token, `/blade-signup/statistics/getBmrsForType?examId=${exam.examId}`))
      .json()
      .data?.map((row: { num: number }) => row.num)
  const nameAt = async (token: string) => (await at(b, token, '/blade-auth/oauth/user-info')).json().data.nick_name
  const domainAnswer = async () => (await at(b, '', '/blade-system/tenant/info?domain=cached.test')).json().data.tenantId

  expect(await figure()).toEqual([0, 0])
  expect(await domainAnswer()).toBeUndefined()
  const before = await nameAt(officer.token)
  // Rights are heard of without a call; of names nobody tells.
  await tenant.rows(sql`update account set nick_name = '新名'`)
  await insertSignups(tenant, exam.examId, [{ code: 'B001', type: 'B', unit: 'H01', examine: 'waiting' }])
  // The clock stands still: the other process still goes by what it has read before.
  expect(await figure()).toEqual([0, 0])
  expect(await nameAt(officer.token)).toBe(before)

  expect((await at(a, admin.token, clear)).json()).toMatchObject({ code: 200, success: true, data: null })
  await b.app.catchUp()
  expect(await figure()).toEqual([0, 1])
  expect(await nameAt(officer.token)).toBe('新名')
  expect(await tenant.rows(sql`select user_id::text as who from audit_log where action = 'cache.cleared'`)).toEqual([{ who: admin.userId }])
})

test('[S7.10] clear-cache of anybody else forgets their own session only, in every process', async () => {
  const tenant = await a.tenant()
  const [one, other] = [await tenant.staff('exam_admin'), await tenant.staff('exam_admin')]
  const nameAt = async (token: string) =>
    (await b.app.server.inject({ url: '/api/blade-auth/oauth/user-info', headers: { 'blade-auth': `bearer ${token}` } })).json().data
      .nick_name
  const before = [await nameAt(one.token), await nameAt(other.token)]
  await tenant.rows(sql`update account set nick_name = '新名'`)
  expect((await one.get(clear)).status).toBe(200)
  await b.app.catchUp()
  expect([await nameAt(one.token), await nameAt(other.token)]).toEqual(['新名', before[1]])
  expect((await a.anonymous(tenant.tenantId).get(clear)).status).toBe(401)
})
