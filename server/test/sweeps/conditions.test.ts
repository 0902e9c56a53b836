import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { comparable } from '#contract/kernel/crud-routes.ts'
import { conditionSuffixes, isList, rowFieldsOf } from '#contract/kernel/list-condition.ts'
import type { Route } from '#contract/kernel/route.ts'
import { resources } from '#contract/nouns.ts'
import { sql } from '#kernel/db/sql.ts'
import { type Person, startTestApp, type TestApp } from '../support/app.ts'
import { callRoute, requiredInput } from '../support/route-calls.ts'
import { isWhole, sweptRoutes } from '../support/swept-routes.ts'
import { everyRight, plantVictim, type Victim } from '../support/victim.ts'

const isLong = Boolean(process.env['KAOPU_LONG'])

let t: TestApp
let victim: Victim
let staff: Person
let operator: Person
let candidate: Person
/** The same people by a client of the framework, whose row has unknown conditions left out. */
let foreign: { readonly staff: Person; readonly operator: Person; readonly candidate: Person }
beforeAll(async () => {
  t = await startTestApp()
  victim = await plantVictim(t, await t.owner())
  for (const one of [victim.tenant, t.platform()]) await everyRight(one)
  staff = await victim.tenant.staff('exam_admin')
  operator = await t.platform().staff(['administrator', 'exam_admin'])
  candidate = victim.candidate
  await t.platform().db(db =>
    db.run(sql`
      insert into oauth_client (tenant_id, client_id, client_name, authorized_grant_types, access_token_validity, refresh_token_validity)
      values ('000000', 'saber-sweep', 'saber', 'password', 3600, 604800)`),
  )
  const byForeign = async (tenant: Victim['tenant'], person: Person): Promise<Person> => {
    await tenant.db(db => db.run(sql`update session set client_id = 'saber-sweep' where user_id = ${person.userId}`))
    return person
  }
  foreign = {
    staff: await byForeign(victim.tenant, await victim.tenant.staff('exam_admin')),
    operator: await byForeign(t.platform(), await t.platform().staff(['administrator', 'exam_admin'])),
    candidate: await byForeign(victim.tenant, await victim.tenant.candidate()),
  }
})
afterAll(() => t.close())

type People = typeof foreign
const callerOf = (route: Route, people: People): Person =>
  'candidate' in route.access && !('staff' in route.access) ? people.candidate : 'platform' in route.access ? people.operator : people.staff
const lists = sweptRoutes.filter(route => isList(route) && !route.path.includes(':') && !('guest' in route.access))
const own = (): People => ({ staff, operator, candidate })
const base = (route: Route): Record<string, unknown> => requiredInput(route, victim.known)

describe('a condition that a list does not know', () => {
  test('there are lists', () => expect(!isWhole || lists.length > 100).toBe(true))

  test('is refused by its name where the web of this program asks, also beside those that it knows', async () => {
    const odd: string[] = []
    for (const route of lists)
      for (const key of ['noSuchField_equal', 'noSuchField']) {
        const { status, body } = await callRoute(callerOf(route, own()), route, { ...base(route), [key]: 'x' }, victim.known)
        const named = (body?.data?.fields ?? []).map(({ field }: { field: string }) => field)
        if (status !== 400 || !named.includes(key)) odd.push(`${route.path} ${key} → ${status} ${JSON.stringify(body).slice(0, 120)}`)
      }
    expect(odd).toEqual([])
  })

  test('is left out for a client of the framework, which is told so; a workbook is refused all the same', async () => {
    const odd: string[] = []
    for (const route of lists) {
      const ask = (more: object) => callRoute(callerOf(route, foreign), route, { ...base(route), ...more }, victim.known)
      const [plain, answer] = [await ask({}), await ask({ noSuchField_equal: 'x' })]
      const isFile = route.answer === 'file'
      const hinted = isFile
        ? answer.status === 400
        : answer.status === plain.status && (plain.status !== 200 || String(answer.body.msg).includes('noSuchField_equal'))
      if (!hinted) odd.push(`${route.path} → ${plain.status} ${answer.status} ${JSON.stringify(answer.body).slice(0, 120)}`)
    }
    expect(odd).toEqual([])
  })

  test('what is empty or ignored by the grammar is no condition', async () => {
    const odd: string[] = []
    for (const route of lists.filter(one => one.answer !== 'file')) {
      const ask = (more: object) => callRoute(callerOf(route, own()), route, { ...base(route), ...more }, victim.known)
      const [plain, answer] = [await ask({}), await ask({ noSuchField: '', other_ignore: 'x' })]
      if (answer.status !== plain.status) odd.push(`${route.path} → ${plain.status} ${answer.status}`)
    }
    expect(odd).toEqual([])
  })
})

describe('the suffixes of the search grammar', () => {
  type Row = Readonly<Record<string, unknown>>
  const rowsOf = (data: unknown): readonly Row[] => {
    const top = (Array.isArray(data) ? data : ((data as { records?: Row[] } | null)?.records ?? [])) as Row[]
    return top
  }
  const flat = (rows: readonly Row[]): readonly Row[] =>
    rows.flatMap(row => [row, ...flat(Array.isArray(row['children']) ? (row['children'] as Row[]) : [])])

  test('compare every field of the rows of every list: its own value is found, and what is not equal to it is not', async () => {
    const odd: string[] = []
    let compared = 0
    for (const route of lists.filter(one => one.answer !== 'file')) {
      const ask = (more: object) => callRoute(callerOf(route, own()), route, { ...base(route), ...more }, victim.known)
      const sized = 'size' in ((route.input as { properties?: object }).properties ?? {}) ? { size: 200 } : {}
      const first = flat(rowsOf((await ask(sized)).body?.data))
      const [row] = first
      if (row === undefined) continue
      const noun = resources.find(({ basePath, verbs }) => verbs.some(verb => `${basePath}/${verb}` === route.path))
      const names = noun ? Object.keys(comparable(noun.fields)) : [...rowFieldsOf(route)]
      for (const [at, name] of names.entries()) {
        // Every field of every list is part of `npm run test:long`; else one in six, in turns.
        if (!isLong && (at + route.path.length) % 6 > 0) continue
        // A row may be shown with other words than stand in its column.
        const value = row[name]
        if (value === null || value === undefined || value === '' || String(value).length > 60 || String(value) === '-1') continue
        const found = async (suffix: string) => {
          const { status, body } = await ask({ ...sized, [`${name}${suffix}`]: String(value) })
          if (status !== 200) return `${status} ${body?.msg}`
          // Of a tree, rows stand there too that have one below them.
          const isAbove = (one: Row): boolean => Array.isArray(one['children']) && one['children'].length > 0
          return flat(rowsOf(body.data)).some(
            one => one['id'] === row['id'] && one[name] === value && !(isAbove(one) && ['_notequal', '_lt', '_datelt'].includes(suffix)),
          )
        }
        compared += 1
        const isTime = /^\d{4}-\d\d-\d\d/.test(String(value))
        const [equal, not, like] = [await found('_equal'), await found('_notequal'), await found('_like')]
        const range = isTime ? [await found('_datege'), await found('_datelt')] : [await found('_ge'), await found('_lt')]
        if (equal !== true || not !== false || like !== true || range[0] !== true || range[1] !== false)
          odd.push(`${route.path} ${name}=${value} → ${JSON.stringify([equal, not, like, range])}`)
      }
    }
    if (isWhole) expect(compared).toBeGreaterThan(isLong ? 700 : 100)
    expect(odd).toEqual([])
  })

  test('none of them is an error at any column of a noun', async () => {
    const odd: string[] = []
    for (const route of lists.filter(one => one.columns !== undefined && one.answer !== 'file'))
      for (const name of route.columns ?? []) {
        const all = Object.fromEntries(conditionSuffixes.map(suffix => [`${name}${suffix}`, '2026-03-01']))
        const { status } = await callRoute(callerOf(route, own()), route, { ...base(route), ...all }, victim.known)
        if (status !== 200) odd.push(`${route.path} ${name} → ${status}`)
      }
    expect(odd).toEqual([])
  })
})
