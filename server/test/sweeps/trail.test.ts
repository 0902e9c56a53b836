import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { maskIdCard } from '#contract/kernel/mask.ts'
import type { Route } from '#contract/kernel/route.ts'
import { sql } from '#kernel/db/sql.ts'
import { type Answer, type Person, startTestApp, type TestApp, type TestTenant } from '../support/app.ts'
import { callRoute, requiredInput } from '../support/route-calls.ts'
import { isWhole, sweptRoutes } from '../support/swept-routes.ts'
import { canaryIdCard, canaryTicketNo, everyRight, plantVictim } from '../support/victim.ts'

let t: TestApp
let owner: pg.Client
let tenant: TestTenant
let known: Readonly<Record<string, readonly string[]>>
let staff: Person
let operator: Person
beforeAll(async () => {
  t = await startTestApp()
  owner = await t.owner()
  const planted = await plantVictim(t, owner)
  tenant = planted.tenant
  const ids: string[] = []
  for (const table of about) {
    const column = table === 'account' ? 'id' : 'user_id'
    const { rows } = await owner.query<{ id: string }>(
      `select id::text as id from ${table} where tenant_id = $1 and ${column} = $2 order by id limit 1`,
      [tenant.tenantId, planted.candidate.userId],
    )
    ids.push(...rows.map(row => row.id))
  }
  known = { ...planted.known, id: ids, ids }
  for (const one of [tenant, t.platform()]) await everyRight(one)
  staff = await tenant.staff(['admin', 'exam_admin'])
  operator = await t.platform().staff(['administrator', 'exam_admin'])
})
afterAll(() => t.close())

/** Tables whose rows are about one candidate. */
const about = ['account', 'signup', 'ticket', 'result', 'exam_pay', 'pay_order', 'stored_file', 'verified_change', 'notify']
const forStaff = (route: Route): boolean => 'staff' in route.access || 'signedIn' in route.access
/** What is asked and changes nothing, so that one call leaves the next its rows. */
const asks = (route: Route): boolean =>
  (route.method === 'GET' && !route.path.endsWith('/logout')) ||
  route.answer === 'file' ||
  /\/(get|find|query|check|view|reveal|export)[A-Za-z]*$/.test(route.path)
/** What no schema tells: whose rights are looked at, which template. */
const special: Readonly<Record<string, () => Record<string, unknown>>> = {
  '/blade-system/role/exportViewAs': () => ({ userId: staff.userId }),
  '/blade-system/role/viewAs': () => ({ userId: staff.userId }),
  '/blade-exam/examination/importTemplate': () => ({ kind: 'T6', examId: known['examId']?.[0], itemId: known['itemId']?.[0] }),
}
/** Each call once per id that could be meant. */
const inputsOf = (route: Route): Record<string, unknown>[] => {
  const base = { ...requiredInput(route, known), ...special[route.path]?.() }
  const many = ['id', 'ids'].find(name => name in base)
  return many ? (known[many] ?? []).map(id => ({ ...base, [many]: id })) : [base]
}
const lines = async (): Promise<number> => {
  const count = sql<{ n: number }>`select count(*)::int as n from audit_log`
  return ((await tenant.rows(count))[0]?.n ?? 0) + ((await t.platform().rows(count))[0]?.n ?? 0)
}
/** How a candidate's own data shows, masked or not. */
const marks = [canaryIdCard, maskIdCard(canaryIdCard), '16000000001', '160****0001', canaryTicketNo]
const isPage = ({ body }: Answer): boolean => Array.isArray(body?.data?.records)
const isOfOnePerson = (answer: Answer): boolean => {
  const text = answer.raw.toString('utf8')
  return !isPage(answer) && marks.some(mark => text.includes(mark))
}
const isFile = (answer: Answer): boolean => !String(answer.headers['content-type']).includes('json')

/** A table to fill in holds nobody's data. */
const isEmptyForm = (route: string): boolean => route.endsWith('/export-template')
/** Lists in the shape of something else. */
const lists: Readonly<Record<string, string>> = {}

const left = async (route: Route): Promise<{ answered: number; silent: string[] }> => {
  const silent: string[] = []
  let answered = 0
  for (const input of inputsOf(route)) {
    const before = await lines()
    const answer = await callRoute('platform' in route.access ? operator : staff, route, input, known)
    if (answer.status !== 200) continue
    const counts = route.answer === 'file' ? isFile(answer) : isOfOnePerson(answer)
    if (!counts) continue
    answered += 1
    if ((await lines()) === before) silent.push(`${route.method} ${route.path}`)
  }
  return { answered, silent: [...new Set(silent)] }
}

describe('[security 3.8] the trail has every export and every read of personal detail, swept over every route', () => {
  test('a workbook, a document or a picture that staff get leaves a line', async () => {
    const routes = sweptRoutes.filter(route => forStaff(route) && route.answer === 'file')
    const silent: string[] = []
    const heard: string[] = []
    for (const route of routes) {
      const found = await left(route)
      silent.push(...found.silent)
      if (found.answered > 0) heard.push(`${route.method} ${route.path}`)
    }
    console.log(
      `trail sweep: ${routes.length} routes of files, ${heard.length} answered`,
      routes.map(r => `${r.method} ${r.path}`).filter(r => !heard.includes(r)),
    )
    expect(silent.filter(route => !isEmptyForm(route))).toEqual([])
    if (isWhole) expect(heard.length).toBeGreaterThan(10)
  }, 300_000)

  test('an answer about one candidate leaves a line', async () => {
    const routes = sweptRoutes.filter(route => forStaff(route) && route.answer !== 'file' && asks(route))
    const silent: string[] = []
    const heard: string[] = []
    for (const route of routes) {
      const found = await left(route)
      silent.push(...found.silent)
      if (found.answered > 0) heard.push(`${route.method} ${route.path}`)
    }
    console.log(`trail sweep: ${routes.length} asking routes, about a candidate`, heard)
    expect(silent.filter(route => lists[route] === undefined)).toEqual([])
    if (isWhole) expect(heard.length).toBeGreaterThan(3)
  }, 300_000)
})
