import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Route } from '#contract/kernel/route.ts'
import { allRoutes } from '#contract/registry.ts'
import { newToken } from '#kernel/crypto/token.ts'
import { sql } from '#kernel/db/sql.ts'
import { type Person, startTestApp, type TestApp, type TestTenant } from '../support/app.ts'
import { sweptRoutes } from '../support/swept-routes.ts'

let t: TestApp
let holder: Person
/** The same rights as the platform's administrator. */
let operator: Person
let candidate: Person
let bare: Person
let ended: Person

/** A member of staff whose role holds exactly these codes. */
const grant = async (codes: readonly string[], tenant: TestTenant, alias: 'school' | 'administrator' = 'school'): Promise<Person> => {
  await tenant.db(async db => {
    await db.run(sql`delete from role_menu where role_id = (select id from role where role_alias = ${alias})`)
    await db.run(sql`
      insert into role_menu (tenant_id, role_id, menu_id)
      select ${tenant.tenantId}, r.id, m.id from role r join menu m on m.code = any(${[...codes]}) where r.role_alias = ${alias}`)
  })
  return tenant.staff(alias)
}
const isPlatform = (route: Route): boolean => 'platform' in route.access
const codesOf = (route: Route): readonly string[] =>
  'staff' in route.access ? (typeof route.access.staff === 'string' ? [route.access.staff] : route.access.staff) : []

beforeAll(async () => {
  t = await startTestApp()
  const all = [...new Set(allRoutes().flatMap(codesOf))]
  const elsewhere = await t.tenant()
  // A menu that a tenant makes under the name of the platform's right opens nothing either.
  await elsewhere.db(db =>
    db.run(sql`
      insert into menu (tenant_id, code, name, name_en, category) select ${elsewhere.tenantId}, c, c, c, 2 from unnest(${all}::text[]) c
      where not exists (select 1 from menu where code = c)`),
  )
  holder = await grant(all, elsewhere)
  operator = await grant(all, t.platform(), 'administrator')
  bare = await grant([], await t.tenant())
  const tenant = await t.tenant()
  candidate = await tenant.candidate()
  ended = await tenant.staff('admin')
  await tenant.db(db => db.run(sql`update session set ended_at = app_now() where user_id = ${ended.userId}`))
})
afterAll(() => t.close())

const status = async (caller: Pick<Person, 'get' | 'post'>, route: Route): Promise<number> => {
  const path = route.path.replace(/:\w+/g, '1')
  return (await (route.method === 'GET' ? caller.get(path) : caller.post(path, { json: {} }))).status
}
/** What the gate lets through may still be refused for its input or its state, never with 401 or 403. */
const passed = (code: number): boolean => code !== 401 && code !== 403
/** Signed by the provider: a forged notice is answered with its own 401, whoever sends it. */
const isNotice = (route: Route): boolean => /\/(notify|refundNotify)\/:tenantId$/.test(route.path)

describe('access of every route', () => {
  test('every permission code that a route asks for can be granted', async () => {
    const grantable = async (tenant: TestTenant) =>
      new Set((await tenant.rows(sql<{ code: string }>`select code from menu where category = 2`)).map(row => row.code))
    const [here, above] = [await grantable(await t.tenant()), await grantable(t.platform())]
    const missing = (route: Route) => codesOf(route).filter(code => !(isPlatform(route) ? above : here).has(code))
    expect(allRoutes().flatMap(missing)).toEqual([])
  })

  test.each(sweptRoutes.map(route => [`${route.method} ${route.path}`, route] as const))('[S6.03] %s', async (_name, route) => {
    const isPublic = 'public' in route.access
    const forCandidates = 'signedIn' in route.access || isPublic || ('candidate' in route.access && route.access.candidate === 'own')
    const forHolders = 'signedIn' in route.access || isPublic || ('staff' in route.access && !isPlatform(route))
    const forAnybodySignedIn = 'signedIn' in route.access || isPublic
    const unknown = t.anonymous()
    const withToken = (token: string) => ({
      get: (path: string) => unknown.get(path, { headers: { 'blade-auth': `bearer ${token}` } }),
      post: (path: string) => unknown.post(path, { json: {}, headers: { 'blade-auth': `bearer ${token}` } }),
    })
    const isLogout = route.path.endsWith('/logout')
    const seen = {
      anonymous: await status(unknown, route),
      forged: await status(withToken(newToken()), route),
      ended: await status(ended, route),
      ...(isLogout
        ? {}
        : {
            bare: await status(bare, route),
            candidate: await status(candidate, route),
            holder: await status(holder, route),
            operator: await status(operator, route),
          }),
    }
    if (!isPublic)
      expect({ anonymous: seen.anonymous, forged: seen.forged, ended: seen.ended }).toEqual({ anonymous: 401, forged: 401, ended: 401 })
    if (isLogout || isNotice(route)) return
    expect({
      bare: passed(seen.bare ?? 0),
      candidate: passed(seen.candidate ?? 0),
      holder: passed(seen.holder ?? 0),
      operator: passed(seen.operator ?? 0),
    }).toEqual({
      bare: forAnybodySignedIn,
      candidate: forCandidates,
      holder: forHolders,
      operator: forHolders || isPlatform(route),
    })
  })
})
