import { afterAll, beforeAll, expect, test } from 'vitest'
import { isCarried, isList } from '#contract/kernel/list-condition.ts'
import type { Route } from '#contract/kernel/route.ts'
import { type Person, startTestApp, type TestApp } from '../support/app.ts'
import { callRoute, requiredInput, type Schema } from '../support/route-calls.ts'
import { isWhole, sweptRoutes } from '../support/swept-routes.ts'
import { everyRight, plantVictim, type Victim } from '../support/victim.ts'

let t: TestApp
let victim: Victim
let staff: Person
let operator: Person
beforeAll(async () => {
  t = await startTestApp()
  victim = await plantVictim(t, await t.owner())
  for (const one of [victim.tenant, t.platform()]) await everyRight(one)
  staff = await victim.tenant.staff('exam_admin')
  operator = await t.platform().staff('exam_admin')
})
afterAll(() => t.close())

const wide = (text: string): string => text.replace(/[!-~]/g, char => String.fromCharCode(char.charCodeAt(0) + 0xfee0))
/** Ways in which people write the same text. */
const spellings: readonly (readonly [string, (stored: string) => string])[] = [
  ['as it is stored', stored => stored],
  ['in capitals', stored => stored.toUpperCase()],
  ['in small letters', stored => stored.toLowerCase()],
  ['in full width', wide],
  ['with spaces around', stored => `  ${stored} `],
  ['with ideographic spaces around', stored => `\u3000${stored}\u3000`],
  ['decomposed', stored => stored.normalize('NFD')],
  ['with what cannot be seen', stored => `\u200B${stored}\uFEFF`],
]

type Row = Readonly<Record<string, unknown>>
const rowsOf = (data: unknown): readonly Row[] => {
  const top = (Array.isArray(data) ? data : ((data as { records?: Row[] } | null)?.records ?? [])) as Row[]
  // The entries of a dictionary are searched in its own list.
  return top.flatMap(row => ('dictKey' in row ? [row] : [row, ...rowsOf(row['children'])]))
}
const propertiesOf = (route: Route): Readonly<Record<string, Schema>> =>
  (route.input as unknown as { properties?: Record<string, Schema> }).properties ?? {}
/** Chosen from a list, so nobody types them. */
const keys = new Set(['unit', 'code', 'type', 'category', 'entity', 'tableName', 'action', 'siteCode', 'roomNo'])
/** Conditions that take a text as people type it. */
const typedOf = (route: Route): readonly string[] =>
  Object.entries(propertiesOf(route)).flatMap(([name, schema]) =>
    schema['type'] === 'string' &&
    schema['pattern'] === undefined &&
    !name.includes('_') &&
    !isCarried(name) &&
    !name.endsWith('Id') &&
    (route.columns !== undefined || !keys.has(name))
      ? [name]
      : [],
  )

test('every field that a list is searched by finds its own value, however it is written', async () => {
  const odd: string[] = []
  let tried = 0
  for (const route of sweptRoutes.filter(one => isList(one) && one.answer !== 'file' && 'staff' in one.access && !one.path.includes(':'))) {
    const caller = 'platform' in route.access ? operator : staff
    const sized = 'size' in propertiesOf(route) ? { size: 200 } : {}
    const ask = async (more: object) => {
      const { status, body } = await callRoute(caller, route, { ...requiredInput(route, victim.known), ...sized, ...more }, victim.known)
      return status === 200 ? rowsOf(body.data) : []
    }
    const all = await ask({})
    for (const name of typedOf(route)) {
      const texts = all
        .map(row => row[name])
        .filter((value): value is string => typeof value === 'string' && value.length > 1 && value.length < 60)
      // Letters have cases.
      const stored = texts.find(value => /[A-Za-z]/.test(value)) ?? texts[0]
      // Some conditions are numbers of a state, or keys: their rows say them otherwise.
      if (stored === undefined || /^\d{4}-\d\d-\d\d/.test(stored)) continue
      tried += 1
      for (const [what, spell] of spellings)
        if (!(await ask({ [name]: spell(stored) })).some(row => row[name] === stored)) odd.push(`${route.path} ${name}=${stored} ${what}`)
    }
  }
  expect(odd).toEqual([])
  if (isWhole) expect(tried).toBeGreaterThan(40)
})
