import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Route } from '#contract/kernel/route.ts'
import { allRoutes } from '#contract/registry.ts'
import { computedNames, detailPathOf, takesRow } from '#kernel/http/sent-back.ts'
import { type Answer, type Person, startTestApp, type TestApp } from '../support/app.ts'
import { sweptRoutes } from '../support/swept-routes.ts'
import { everyRight, plantVictim, rowsOfNouns, type Victim } from '../support/victim.ts'

let t: TestApp
let victim: Victim
let staff: Person
let operator: Person
let ids: readonly string[]
let nouns: ReadonlyMap<string, readonly string[]>
let platformNouns: ReadonlyMap<string, readonly string[]>
beforeAll(async () => {
  t = await startTestApp()
  victim = await plantVictim(t, await t.owner())
  for (const one of [victim.tenant, t.platform()]) await everyRight(one)
  staff = await victim.tenant.staff(['admin', 'exam_admin'])
  operator = await t.platform().staff(['administrator', 'exam_admin'])
  ids = [...new Set(Object.values(victim.known).flat())]
  nouns = await rowsOfNouns(victim.tenant)
  platformNouns = await rowsOfNouns(t.platform())
})
afterAll(() => t.close())

type Row = Readonly<Record<string, unknown>>
const details = new Map(allRoutes().flatMap(route => (route.method === 'GET' ? [[route.path, route] as const] : [])))
const pairs = sweptRoutes.flatMap(route => {
  const detail = takesRow(route) ? details.get(detailPathOf(route)) : undefined
  return detail && 'staff' in route.access && 'staff' in detail.access ? [{ route, detail }] : []
})
const callerOf = (route: Route): Person => ('platform' in route.access ? operator : staff)
const knownOf = (route: Route): readonly string[] => Object.keys((route.input as { properties?: object }).properties ?? {})

/** Calls that decide about a row; and rows that were planted without what their noun asks for. */
const decisions = new Set(['/blade-userupdateinfo/userupdateinfo/submit', '/blade-job/job-server/submit'])
/** A row that can be read; undefined where the victim has none. */
const readRow = async (detail: Route): Promise<Row | undefined> => {
  const base = detail.path.slice(0, detail.path.lastIndexOf('/'))
  const own = ('platform' in detail.access ? platformNouns : nouns).get(base)
  for (const id of own ?? ids) {
    const answer = await callerOf(detail).get(detail.path, { query: { id } })
    if (answer.status === 200 && answer.body.data) return answer.body.data as Row
  }
  return undefined
}
const problemsOf = ({ body }: Answer): readonly string[] =>
  (Array.isArray(body?.data?.fields) ? body.data.fields : []).map((one: { field?: string } | string) =>
    typeof one === 'string' ? one : one.field,
  )

describe('a row that was read by its detail', () => {
  test('is taken back as a whole', async () => {
    const odd: string[] = []
    let sent = 0
    for (const { route, detail } of pairs) {
      const row = await readRow(detail)
      if (row === undefined) continue
      sent += 1
      const answer = await callerOf(route).post(route.path, { json: row })
      // A decision has its time and its state; it is no form of a row.
      if (answer.status === 409 || decisions.has(route.path)) continue
      if (answer.status !== 200)
        odd.push(`${route.path} → ${answer.status} ${answer.body?.reason} ${answer.body?.msg} ${problemsOf(answer)}`)
    }
    expect(odd).toEqual([])
    expect(sent).toBeGreaterThan(Math.min(pairs.length, 30) / 2)
  })

  test('is refused by name where a computed field was changed', async () => {
    const odd: string[] = []
    for (const { route, detail } of pairs) {
      const row = await readRow(detail)
      if (row === undefined) continue
      for (const name of computedNames(knownOf(route), detail, row)) {
        if (['serverTime', 'waitMinutes'].includes(name) || Array.isArray(row[name]) || typeof row[name] === 'object') continue
        const changed = typeof row[name] === 'number' ? row[name] + 7 : typeof row[name] === 'boolean' ? !row[name] : `${row[name]}9`
        const answer = await callerOf(route).post(route.path, { json: { ...row, [name]: changed } })
        // Clients of the framework send words that they were shown, and what their forms fill.
        const isWord =
          /^\/blade-(system|develop|desk|log|resource)\//.test(route.path) && /Name$|^(level|menuId|status|hasChildren)$/.test(name)
        if (answer.status === 409 || decisions.has(route.path)) continue
        if (answer.status !== 400 || !problemsOf(answer).includes(name)) {
          if (!isWord) odd.push(`${route.path} ${name} → ${answer.status} ${answer.body?.msg}`)
        }
      }
    }
    expect(odd).toEqual([])
  })
})

test('null is an empty optional field, in every call that writes a row', async () => {
  const odd: string[] = []
  for (const { route, detail } of pairs) {
    const row = await readRow(detail)
    if (row === undefined) continue
    const { properties = {}, required = [] } = route.input as unknown as { properties?: Record<string, object>; required?: string[] }
    for (const name of Object.keys(properties)) {
      if (decisions.has(route.path)) continue
      if (required.includes(name) || name === 'id') continue
      const { status, body } = await callerOf(route).post(route.path, { json: { ...row, [name]: null } })
      const named = problemsOf({ body } as Answer).includes(name)
      // What the noun demands is asked for in words; the shape of null is no reason.
      if (status === 400 && named && /格式不正确|取值不正确|不是允许的字段/.test(String(body.msg)))
        odd.push(`${route.path} ${name} → ${body.msg}`)
    }
  }
  expect(odd).toEqual([])
})
