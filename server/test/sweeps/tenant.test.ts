import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Route } from '#contract/kernel/route.ts'
import { type DatabaseRole, urlFor } from '#kernel/db/pool.ts'
import { createLog } from '#kernel/log.ts'
import { type Person, startTestApp, type TestApp, type TestTenant } from '../support/app.ts'
import { callRoute, inputsOf } from '../support/route-calls.ts'
import { sweptRoutes } from '../support/swept-routes.ts'
import { canary, canaryIdCard, canaryTicketNo, everyRight, plantPlainRows, plantVictim, rowsOfNouns } from '../support/victim.ts'

let t: TestApp
let owner: pg.Client
let victim: TestTenant
/** Every id of the victim's rows that a caller could guess, by the names parameters have. */
let known: Readonly<Record<string, readonly string[]>>
/** Its rows of declared nouns, by the paths of the nouns. */
let nouns: ReadonlyMap<string, readonly string[]>
let staff: Person
let outsider: Person
let neighbour: Person
/** Lines of level 50: what somebody else owns is no defect of ours. */
const errors: unknown[] = []

beforeAll(async () => {
  const log = createLog('silent')
  log.error = (...words: unknown[]) => void errors.push(words)
  t = await startTestApp({ log })
  owner = await t.owner()
  const planted = await plantVictim(t, owner)
  victim = planted.tenant
  const ids = [...(planted.known['id'] ?? []), ...(await plantPlainRows(victim, canary, planted.known['examId']?.[0] ?? ''))]
  nouns = await rowsOfNouns(victim)
  known = { ...planted.known, id: ids, ids }
  const other = await t.tenant()
  await everyRight(other)
  staff = await other.staff('exam_admin')
  outsider = await other.candidate()
  neighbour = await victim.candidate()
})
afterAll(() => t.close())

/** A digest of everything the victim owns, table by table. */
const rowsOfVictim = async (): Promise<Record<string, string>> => {
  const { rows } = await owner.query<{ name: string }>(`
    select c.table_name as name from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and c.column_name = 'tenant_id' and t.table_type = 'BASE TABLE' and c.table_name <> 'login_challenge'`)
  const digests: Record<string, string> = {}
  for (const { name } of rows) {
    // A neighbour of the same tenant may make rows of their own; what the victim has must stay as it is.
    const { rows: found } = await owner.query<{ digest: string }>(
      `select coalesce(md5(string_agg(r::text, '|' order by r::text)), '') as digest from ${name} r where tenant_id = $1 and to_jsonb(r)->>'user_id' is distinct from $2 and to_jsonb(r)->>'created_by' is distinct from $2`,
      [victim.tenantId, neighbour.userId],
    )
    digests[name] = found[0]?.digest ?? ''
  }
  return digests
}
const skipped = (route: Route): boolean =>
  route.path.endsWith('/logout') ||
  /\/(notify|refundNotify)\/:tenantId$/.test(route.path) ||
  route.path.startsWith('/blade-auth/oauth/token')
/** What everybody may know of a released examination in its own tenant. */
const isPublished = (route: Route): boolean => !('staff' in route.access && !('candidate' in route.access))

describe('[S7.01] isolation, swept over every route with the ids of another tenant', () => {
  test('staff and candidates of another tenant get nothing of the first, and change nothing in it', async () => {
    const before = await rowsOfVictim()
    const leaks: string[] = []
    let calls = 0
    for (const route of sweptRoutes.filter(one => !skipped(one))) {
      for (const [at, input] of inputsOf(route, known, known['id'] ?? [], nouns).entries()) {
        for (const [who, person] of [
          ['staff', staff],
          ['candidate', outsider],
        ] as const) {
          // Whoever may not call at all is refused before any id is looked at; in `npm run test:long` with each of them.
          if (!process.env['KAOPU_LONG'] && at > 0 && who === 'candidate' && 'staff' in route.access && !('candidate' in route.access))
            continue
          const answer = await callRoute(person, route, input, known)
          calls += 1
          const text = answer.raw.toString('utf8')
          if (text.includes('金丝雀') || text.includes(canaryIdCard) || text.includes(canaryTicketNo) || answer.status >= 500)
            leaks.push(`${who} ${route.method} ${route.path} ${answer.status} ${text.slice(0, 200)}`)
        }
      }
    }
    console.log(`tenant sweep: ${calls} calls, ${leaks.length} leaks`)
    expect(leaks).toEqual([])
    expect(errors).toEqual([])
    expect(await rowsOfVictim()).toEqual(before)
  }, 300_000)

  test('a candidate of the same tenant reads published facts only, and changes nothing of the other', async () => {
    const before = await rowsOfVictim()
    const leaks: string[] = []
    for (const route of sweptRoutes.filter(one => !skipped(one) && isPublished(one))) {
      for (const input of inputsOf(route, known, known['id'] ?? [], nouns)) {
        const text = (await callRoute(neighbour, route, input, known)).raw.toString('utf8')
        if (
          text.includes(canaryIdCard) ||
          text.includes('160****0001') ||
          text.includes(canaryTicketNo) ||
          text.includes('"name":"金丝雀') ||
          text.includes('20260300000001')
        )
          leaks.push(`${route.method} ${route.path} ${text.slice(0, 200)}`)
      }
    }
    expect(leaks).toEqual([])
    expect(await rowsOfVictim()).toEqual(before)
  }, 300_000)

  test('the database alone, without routes and commands, hides and protects the rows', async () => {
    const tables = Object.keys(await rowsOfVictim())
    const visible = async (role: DatabaseRole, tenantId: string, userId: string): Promise<string[]> => {
      const client = new pg.Client({ connectionString: urlFor(t.databaseUrl, role, t.app.services.secrets.databasePasswords[role]) })
      await client.connect()
      await client.query(
        `begin; select set_config('app.tenant_id', '${tenantId}', true), set_config('app.user_id', '${userId}', true), set_config('app.now', '2026-03-17', true)`,
      )
      const seen: string[] = []
      for (const table of tables) {
        await client.query('savepoint one')
        const found = await client
          .query(`select to_jsonb(r)->>'user_id' as owner from ${table} r where tenant_id = $1`, [victim.tenantId])
          .catch(() => undefined)
        if (!found) await client.query('rollback to savepoint one')
        else if (found.rows.length > 0) seen.push(table)
      }
      await client.query('rollback')
      await client.end()
      return seen
    }
    expect(await visible('kaopu_staff', staff.tenantId, staff.userId)).toEqual([])
    expect(await visible('kaopu_candidate', outsider.tenantId, outsider.userId)).toEqual([])
    // Inside the tenant a candidate's role sees what is published, and rows of its own.
    const published = [
      'dict_biz',
      'exam_change',
      'exam_item',
      'examination',
      'menu',
      'param',
      'role',
      'role_menu',
      'school',
      'school_former',
      'sign_file',
      'sign_item',
      'tenant',
      'ticket_notice',
      'top_menu',
      'top_menu_menu',
      'type_code',
      'user_code',
    ]
    const own = [
      'account',
      'account_role',
      'idempotency',
      'notify',
      'person_fact',
      'search_part',
      'signup_intent',
      'stored_file',
      'user_setting',
    ]
    const inside = await visible('kaopu_candidate', victim.tenantId, neighbour.userId)
    expect(inside.filter(table => !published.includes(table) && !own.includes(table))).toEqual([])
  })
})
