import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Route, severalOf } from '#contract/kernel/route.ts'
import { allRoutes } from '#contract/registry.ts'
import { roleAliases } from '../../seed/base/menus.ts'
import { type Person, startTestApp, type TestApp, type TestTenant } from '../support/app.ts'
import { callRoute, requiredInput } from '../support/route-calls.ts'
import { sweptRoutes } from '../support/swept-routes.ts'
import { canary, everyRight, plantPlainRows, plantVictim, rowsOfNouns } from '../support/victim.ts'

// A call that takes several ids decides on each as a call with that id alone would, and says what became of each.

let t: TestApp
let tenant: TestTenant
let people: readonly Person[]
let nouns: ReadonlyMap<string, readonly string[]>
beforeAll(async () => {
  t = await startTestApp()
  const planted = await plantVictim(t, await t.owner())
  tenant = planted.tenant
  await plantPlainRows(tenant, canary, planted.known['examId']?.[0] ?? '')
  await everyRight(tenant)
  nouns = await rowsOfNouns(tenant)
  people = [
    await tenant.staff(roleAliases.filter(alias => !['candidate', 'administrator', 'secadmin', 'auditor'].includes(alias))),
    await tenant.staff('secadmin'),
    await tenant.staff('auditor'),
    await tenant.candidate(),
    await t.platform().staff('administrator'),
  ]
})
afterAll(() => t.close())

const [missing, other] = ['999000111222333444', '999000111222333445']
/** What the least that a schema says is not enough for. */
const shapes: Readonly<Record<string, object>> = {
  '/blade-system/region/remove': { ids: '110198,110199' },
}
const ask = async (route: Route, input: object) => {
  let answer = await callRoute(people[0] as Person, route, input as Record<string, unknown>, {})
  for (const person of people.slice(1))
    if (answer.status === 403 && answer.body.reason === 'kernel/forbidden')
      answer = await callRoute(person, route, input as Record<string, unknown>, {})
  return answer
}
const inputOf = (route: Route, field: string, ids: string): Record<string, unknown> => {
  const known = Object.fromEntries(['examId', 'itemId', 'noticeId'].map(name => [name, [missing]]))
  return { ...requiredInput(route, known), [field]: ids, ...shapes[route.path] }
}
const several = sweptRoutes.flatMap(route => {
  const { fields: [field] = [], by } = severalOf(route) ?? {}
  return field === undefined || by === undefined ? [] : [{ route, field, by }]
})

test('every call that takes several ids names those that it has refused, and why', async () => {
  const strays: string[] = []
  for (const { route, field } of several) {
    const input = inputOf(route, field, `${missing},${other}`)
    const answer = await ask(route, input)
    const failed = (answer.body?.data?.failed ?? []) as { id: string; reason: string; msg: string }[]
    const isTold = failed.length === 2 && failed.every(row => row.reason !== '' && row.msg !== '')
    if (!isTold || answer.body.success || failed.map(row => row.id).join() !== input[field])
      strays.push(`${route.path} ${answer.status} ${JSON.stringify(answer.body)}`)
  }
  console.log(`several sweep: ${several.length} routes`)
  expect(strays).toEqual([])
})

test('a row that is there beside one that is not: nothing is removed where they go together, and only the missing one is named where each goes alone', async () => {
  const strays: string[] = []
  let met = 0
  for (const { route, field, by } of several.filter(({ route: { path } }) => path.endsWith('/remove'))) {
    const [row] = nouns.get(route.path.slice(0, -'/remove'.length)) ?? []
    if (row === undefined) continue
    met += 1
    const alone = await ask(route, inputOf(route, field, `${row},${missing}`))
    const failed = (alone.body?.data?.failed ?? []) as { id: string; reason: string }[]
    const isNamed = failed.some(one => one.id === missing)
    if (!isNamed) strays.push(`${route.path} ${by} ${alone.status} ${JSON.stringify(alone.body)}`)
    if (by === 'together' && alone.body.success) strays.push(`${route.path} did a part`)
  }
  console.log(`several sweep: ${met} nouns with rows`)
  const after = await rowsOfNouns(tenant)
  for (const [path, rows] of nouns) if (rows.some(id => !(after.get(path) ?? []).includes(id))) strays.push(`${path} lost a row`)
  expect(strays).toEqual([])
})

test('a call that takes ids otherwise says why they are no rows to decide on one by one', () => {
  const declared = allRoutes().flatMap(({ path, several: how }) => (typeof how === 'object' ? [[path, how.because] as const] : []))
  expect(declared.length).toBeGreaterThan(15)
  for (const [path, because] of declared) expect([path, because.length > 15]).toEqual([path, true])
})
