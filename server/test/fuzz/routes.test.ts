import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Route } from '#contract/kernel/route.ts'
import { allRoutes } from '#contract/registry.ts'
import { sql } from '#kernel/db/sql.ts'
import { type Answer, type Person, startTestApp, type TestApp, type TestTenant } from '../support/app.ts'
import { callRoute, type Known, requiredInput, type Schema } from '../support/route-calls.ts'
import { fuzzTimeoutMs, type Random, runTrials } from '../support/trials.ts'
import { canaryIdCard, canaryTicketNo, everyRight, plantVictim, type Victim } from '../support/victim.ts'

let t: TestApp
let owner: pg.Client
let victim: Victim
let attackers: TestTenant
/** Live sessions of the attacker's tenant: one that may do everything, and a candidate. */
let sessions: readonly Person[]
beforeAll(async () => {
  t = await startTestApp()
  owner = await t.owner()
  victim = await plantVictim(t, owner)
  attackers = await t.tenant()
  await everyRight(attackers)
  sessions = await newSessions()
})
afterAll(() => t.close())

const newSessions = (): Promise<readonly Person[]> => Promise.all([attackers.staff('exam_admin'), attackers.candidate()])
/** A call may lock or end the session it came with: the next one has a new one. */
const attack = async (
  random: Random,
  route: Route,
  input: Readonly<Record<string, unknown>>,
  known: Known,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> => {
  const answer = await callRoute(random.pick(sessions), route, input, known, headers)
  if (answer.status === 401 || answer.status === 423) sessions = await newSessions()
  return answer
}

const routes = allRoutes().filter(
  route =>
    !route.path.endsWith('/logout') &&
    !/\/(notify|refundNotify)\/:tenantId$/.test(route.path) &&
    !route.path.startsWith('/blade-auth/oauth/token'),
)
const propertiesOf = (route: Route): Readonly<Record<string, Schema>> =>
  (route.input as unknown as { properties?: Record<string, Schema> }).properties ?? {}

const payloads = [
  ...[
    "'",
    "' or '1'='1",
    "'; drop table account; --",
    '1) union select null,password_hash from account--',
    '1;select pg_sleep(3)--',
    "'||pg_sleep(3)||'",
  ],
  ...[
    '$1',
    '$$',
    '{{7*7}}',
    '$'.concat('{7*7}'),
    '#{7*7}',
    '%27%20or%201=1',
    '\\',
    "\\'",
    '"',
    '`',
    '\u0000',
    '\r\nX-Injected: 1',
    '../../../../etc/passwd',
    '..%2f..%2f',
  ],
  ...[
    '[',
    '{"$gt":""}',
    'null',
    'NaN',
    '-1',
    '1e400',
    '99999999999999999999',
    '2026-02-30',
    'a'.repeat(5_000),
    '\u202e\u2066',
    '\ud800',
    '😀'.repeat(300),
  ],
  ...[
    '__proto__',
    'constructor',
    'toString',
    'id desc; select 1',
    'tenant_id',
    '=HYPERLINK("http://a.example")',
    '<img src=x onerror=alert(1)>',
  ],
] as const
const suffixes = ['', '_like', '_equal', '_ge', '_lt', '_dateequal', '_notequal', '_null', "_like'--", '[]', '[0]', '.x']
const headerNames = [
  'tenant-id',
  'role-id',
  'dept-id',
  'accept-language',
  'user-agent',
  'x-request-id',
  'idempotency-key',
  'x-forwarded-for',
  'authorization',
]
/** What a database or a run time says when it is surprised; nobody outside may read it. */
const surprised =
  /syntax error|SQLSTATE|relation ".*" does not|column ".*" does not|node:internal|\bat \S+ \(.*:\d+:\d+\)|PrivilegedError|pg_catalog/i

describe('V5: nothing that is sent reaches an interpreter', () => {
  test(
    'hostile values, names of parameters, sorts and headers are refused or taken as text',
    async () => {
      const failures = await runTrials('V5 injection', { quick: 600, long: 200_000 }, async random => {
        const route = random.pick(routes)
        const names = Object.keys(propertiesOf(route))
        const input: Record<string, unknown> = random.oneIn(3) ? {} : requiredInput(route, victim.known)
        for (let i = 0; i <= random.int(3); i += 1) {
          const name = names.length > 0 && !random.oneIn(5) ? random.pick(names) : random.pick(['ascs', 'descs', 'size', 'current', 'x'])
          input[name + (random.oneIn(3) ? random.pick(suffixes) : '')] = random.oneIn(6) ? [random.pick(payloads)] : random.pick(payloads)
        }
        const header = random.pick(headerNames)
        // A header cannot carry every byte; what can be sent is sent.
        const value = random.pick(payloads).replace(/[^\x20-\x7e]/g, '')
        const answer = await attack(random, route, input, {}, random.oneIn(3) ? { [header]: value } : {})
        const text = answer.raw.toString('utf8')
        const found = surprised.exec(text)?.[0]
        if (answer.status < 500 && found === undefined && answer.headers['x-injected'] === undefined) return undefined
        return `${route.method} ${route.path} ${JSON.stringify(input).slice(0, 300)} ${header}: ${value.slice(0, 60)} → ${answer.status} ${found ?? text.slice(0, 200)}`
      })
      expect(failures).toEqual([])
    },
    fuzzTimeoutMs,
  )
})

describe('V2: nothing of another tenant comes back', () => {
  test(
    'its ids in every place of a call show none of its texts and change none of its rows',
    async () => {
      const rows = async () =>
        (
          await owner.query<{ n: string }>(
            `select sum(n)::text as n from (select count(*) as n from signup where tenant_id = $1 union all select count(*) from examine_record where tenant_id = $1 union all select count(*) from audit_log where tenant_id = $1 union all select sum(version) from examination where tenant_id = $1) x`,
            [victim.tenant.tenantId],
          )
        ).rows[0]?.n
      const before = await rows()
      // Ids of the other tenant, and none of the texts that are looked for: typed into one's own name, those would come back as one's own.
      const ids = Object.values(victim.known)
        .flat()
        .filter(id => id !== canaryTicketNo && id !== canaryIdCard)
      const failures = await runTrials('V2 canary', { quick: 600, long: 200_000 }, async random => {
        const route = random.pick(routes)
        const input: Record<string, unknown> = requiredInput(route, victim.known)
        for (const name of Object.keys(propertiesOf(route))) {
          if (!random.oneIn(3) || name === 'tenantId') continue
          const id = random.pick(ids)
          input[name] = random.pick([id, `${id},${random.pick(ids)}`, [id], { id }, `["${id}"]`])
        }
        const headers = random.oneIn(2)
          ? { [random.pick(['tenant-id', 'role-id', 'dept-id'])]: random.pick([victim.tenant.tenantId, random.pick(ids)]) }
          : {}
        const answer = await attack(random, route, input, victim.known, headers)
        const text = answer.raw.toString('utf8') + JSON.stringify(answer.headers)
        const leaked = ['金丝雀', encodeURIComponent('金丝雀'), canaryIdCard, canaryTicketNo].find(word => text.includes(word))
        if (leaked === undefined && answer.status < 500) return undefined
        return `${route.method} ${route.path} ${JSON.stringify(input).slice(0, 300)} → ${answer.status} ${leaked} ${text.slice(0, 160)}`
      })
      expect(failures).toEqual([])
      expect(await rows()).toBe(before)
    },
    fuzzTimeoutMs,
  )
})

describe('V4: nobody writes a column that the route does not offer', () => {
  test(
    'names of all columns as further fields are refused by name or never stored',
    async () => {
      const mark = 'mark4ed'
      const columns = (
        await attackers.rows(
          sql<{ name: string }>`select distinct column_name as name from information_schema.columns where table_schema = 'public'`,
        )
      ).map(({ name }) => name)
      const camel = (name: string): string => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
      const writes = routes.filter(route => route.method === 'POST')
      const failures = await runTrials('V4 mass assignment', { quick: 400, long: 100_000 }, async random => {
        const route = random.pick(writes)
        const offered = propertiesOf(route)
        const extra = Array.from({ length: 1 + random.int(3) }, () => random.pick(columns))
          .map(name => (random.oneIn(2) ? name : camel(name)))
          .filter(name => offered[name] === undefined)
        const further = Object.fromEntries(extra.map(name => [name, mark]))
        const answer = await attack(random, route, { ...requiredInput(route, {}), ...further }, {})
        return answer.status >= 500 ? `${route.path} ${JSON.stringify(further)} → ${answer.status}` : undefined
      })
      expect(failures).toEqual([])
      const tables = (
        await owner.query<{ name: string }>(
          `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by 1`,
        )
      ).rows
      const stored: string[] = []
      for (const { name } of tables) {
        const { rowCount } = await owner.query(`select 1 from "${name}" r where to_jsonb(r)::text like $1 limit 1`, [`%${mark}%`])
        if (rowCount) stored.push(name)
      }
      expect(stored).toEqual([])
    },
    fuzzTimeoutMs,
  )
})
