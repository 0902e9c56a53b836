import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Route } from '#contract/kernel/route.ts'
import { allRoutes } from '#contract/registry.ts'
import { sql } from '#kernel/db/sql.ts'
import { type Person, startTestApp, type TestApp, type TestTenant } from '../support/app.ts'
import { type Known, requiredInput } from '../support/route-calls.ts'
import { fuzzTimeoutMs, type Random, runTrials } from '../support/trials.ts'
import { canaryIdCard, canaryTicketNo, everyRight, plantVictim, type Victim } from '../support/victim.ts'

let t: TestApp
let owner: pg.Client
let victim: Victim
let tenant: TestTenant
/** Codes of the reviewer's role as it is seeded. */
let reviewerCodes: ReadonlySet<string>
beforeAll(async () => {
  t = await startTestApp()
  owner = await t.owner()
  victim = await plantVictim(t, owner)
  tenant = await t.tenant()
  for (const one of [tenant, t.platform()]) await everyRight(one)
  reviewerCodes = new Set(
    (
      await tenant.rows(sql<{ code: string }>`
        select m.code from role r join role_menu rm on rm.role_id = r.id join menu m on m.id = rm.menu_id where r.role_alias = 'reviewer1'`)
    ).map(row => row.code),
  )
})
afterAll(() => t.close())

const codesOf = (route: Route): readonly string[] =>
  'staff' in route.access ? (typeof route.access.staff === 'string' ? [route.access.staff] : route.access.staff) : []
const open = (route: Route): boolean => 'public' in route.access || 'signedIn' in route.access
type Decision = 'in' | 401 | 403
interface Actor {
  readonly name: string
  readonly make: () => Promise<Pick<Person, 'get' | 'post'>>
  /** What the declaration of a route says of this actor. */
  readonly decide: (route: Route) => Decision
}
const forCandidate = (route: Route): Decision =>
  open(route) || ('candidate' in route.access && route.access.candidate === 'own') ? 'in' : 403
const actors: readonly Actor[] = [
  { name: 'anonymous', make: async () => t.anonymous(tenant.tenantId), decide: route => ('public' in route.access ? 'in' : 401) },
  {
    name: 'ended session',
    make: async () => {
      const person = await tenant.staff('exam_admin')
      await tenant.db(db => db.run(sql`update session set ended_at = app_now() where user_id = ${person.userId}`))
      return person
    },
    decide: route => ('public' in route.access ? 'in' : 401),
  },
  { name: 'candidate', make: () => tenant.candidate(), decide: forCandidate },
  { name: 'candidate of the other tenant', make: () => victim.tenant.candidate(), decide: forCandidate },
  { name: 'staff without rights', make: () => tenant.staff([]), decide: route => (open(route) ? 'in' : 403) },
  {
    name: 'reviewer',
    make: () => tenant.staff('reviewer1'),
    decide: route => (open(route) || (!('platform' in route.access) && codesOf(route).some(code => reviewerCodes.has(code))) ? 'in' : 403),
  },
  {
    name: 'administrator of a tenant',
    make: () => tenant.staff('exam_admin'),
    decide: route => (open(route) || ('staff' in route.access && !('platform' in route.access)) ? 'in' : 403),
  },
  {
    name: 'platform',
    make: () => t.platform().staff(['administrator', 'exam_admin']),
    decide: route => (open(route) || 'staff' in route.access ? 'in' : 403),
  },
]

/** Refusals behind the gate: of this one row, and of an act on a whole by somebody whose departments narrow them (ADR 0054). */
const stillIn = ['kernel/forbidden', 'kernel/whole-needed']

/** Other spellings of an address, which gates of other programs have taken for another one. */
const disguises: readonly ((path: string) => { path: string; headers?: Record<string, string> })[] = [
  path => ({ path }),
  path => ({ path }),
  path => ({ path }),
  path => ({ path: `${path}/` }),
  path => ({ path: path.toUpperCase() }),
  path => ({ path: path.replaceAll('/', '//') }),
  path => ({ path: path.replace(/\/(?=[^/]*$)/, '%2f') }),
  path => ({ path: `${path};x=1` }),
  path => ({ path: `${path}%00` }),
  path => ({ path: `/blade-auth/oauth/../..${path}` }),
  path => ({ path: `/blade-auth/oauth/captcha/..%2f..%2f..${path}` }),
  path => ({ path, headers: { 'x-http-method-override': 'GET', 'x-original-url': '/api/blade-auth/oauth/captcha' } }),
  path => ({ path, headers: { 'x-rewrite-url': '/api/blade-auth/oauth/captcha', 'x-forwarded-for': '127.0.0.1' } }),
]
const routes = allRoutes().filter(
  route =>
    !route.path.endsWith('/logout') &&
    !/\/(notify|refundNotify)\/:tenantId$/.test(route.path) &&
    !route.path.startsWith('/blade-auth/oauth/'),
)
const idsOf = (random: Random): Known => {
  const foreign = victim.known
  const missing = { id: ['999999999999'], ids: ['999999999999'], examId: ['999999999999'] }
  const malformed = { id: ["1' or 1=1"], ids: ['../1'], examId: ['\u0000'], signUpId: ['{}'] }
  return random.pick([foreign, foreign, missing, malformed, {}])
}

describe('V1: who may call what', () => {
  test(
    'every route, actor, kind of id and spelling of the address: the outcome is the declared one',
    async () => {
      const people = new Map<string, Pick<Person, 'get' | 'post'>>()
      const personOf = async (actor: Actor, anew = false): Promise<Pick<Person, 'get' | 'post'>> => {
        const known = people.get(actor.name)
        if (known && !anew) return known
        const made = await actor.make()
        people.set(actor.name, made)
        return made
      }
      const failures = await runTrials('V1 route matrix', { quick: 1_500, long: 300_000 }, async random => {
        const route = random.pick(routes)
        const actor = random.pick(actors)
        const known = idsOf(random)
        const input = requiredInput(route, known)
        const plain = route.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(input[name] ?? known[name]?.[0] ?? '1')))
        const { path, headers = {} } = random.pick(disguises)(plain)
        const isPlain = path === plain
        const ask = async (anew: boolean) => {
          const person = await personOf(actor, anew)
          const query = Object.fromEntries(
            Object.entries(input).map(([key, value]) => [key, typeof value === 'object' ? JSON.stringify(value) : String(value)]),
          )
          return route.method === 'GET' ? person.get(path, { query, headers }) : person.post(path, { json: input, headers })
        }
        let answer = await ask(false)
        const expected = actor.decide(route)
        // A call of an earlier trial may have ended or locked this session, or taken its rights: a new person has them.
        if (expected === 'in' && [401, 403, 423].includes(answer.status)) answer = await ask(true)
        const wrong = (why: string) =>
          `${why}: ${actor.name} ${route.method} ${path} ${JSON.stringify(input).slice(0, 200)} → ${answer.status} ${answer.body?.reason ?? ''}`
        if (answer.status >= 500) return wrong('broke')
        const isTold = answer.raw.includes('金丝雀') || answer.raw.includes(canaryIdCard) || answer.raw.includes(canaryTicketNo)
        if (isTold && actor.name !== 'platform' && actor.name !== 'candidate of the other tenant') return wrong('told')
        if (expected === 'in')
          return answer.status === 401 || (answer.status === 403 && !stillIn.includes(answer.body?.reason)) ? wrong('kept out') : undefined
        if (isPlain) return answer.status === expected ? undefined : wrong(`expected ${expected}`)
        return [expected, 400, 404, 405, 414].includes(answer.status) ? undefined : wrong('passed in disguise')
      })
      expect(failures).toEqual([])
    },
    fuzzTimeoutMs,
  )
})

describe('V3: the rows without the walls before them', () => {
  test(
    'statements of every kind in the name of another tenant, and of another candidate of the same one, find and change nothing',
    async () => {
      const columns = (
        await owner.query<{ table: string; column: string; type: string }>(`
          select c.table_name as table, c.column_name as column, c.data_type as type from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
          where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and exists (
            select 1 from information_schema.columns x where x.table_schema = 'public' and x.table_name = c.table_name and x.column_name = 'tenant_id') order by 1, 2`)
      ).rows
      const tables = [...new Set(columns.map(one => one.table))]
      expect(tables.length).toBeGreaterThan(40)
      const digest = async () => {
        const found: Record<string, string | undefined> = {}
        for (const table of tables)
          found[table] = (
            await owner.query<{ md5: string }>(
              `select md5(coalesce(string_agg(r::text, '|' order by r::text), '')) as md5 from "${table}" r where tenant_id = $1`,
              [victim.tenant.tenantId],
            )
          ).rows[0]?.md5
        return found
      }
      const attackers = {
        staff: await tenant.staff('exam_admin'),
        candidate: await tenant.candidate(),
        system: { userId: '0', tenantId: tenant.tenantId },
      }
      const neighbour = await victim.tenant.candidate()
      const personal = [
        'signup',
        'ticket',
        'result',
        'exam_pay',
        'pay_order',
        'stored_file',
        'notify',
        'verified_change',
        'examine_record',
        'session',
        'login_log',
        'audit_log',
        'reveal_log',
        'sms_message',
      ]
      const before = await digest()
      const { scopes } = t.app.services
      const failures = await runTrials('V3 rows without walls', { quick: 1_200, long: 200_000 }, async random => {
        const table = random.pick(tables)
        const own = columns.filter(one => one.table === table)
        const column = random.pick(own)
        const kind = random.pick(['staff', 'candidate', 'system', 'neighbour'] as const)
        const who = kind === 'neighbour' ? neighbour : attackers[kind]
        const role = kind === 'neighbour' ? 'candidate' : kind
        const their = victim.tenant.tenantId
        const statement = random.pick([
          sql`select to_jsonb(r)::text as text from ${sql.ref(table)} r`,
          sql`select to_jsonb(r)::text as text from ${sql.ref(table)} r where tenant_id = ${their}`,
          sql`select to_jsonb(r)::text as text from ${sql.ref(table)} r where tenant_id = ${their} or true`,
          sql`select count(*)::text as text from ${sql.ref(table)} where tenant_id = ${their}`,
          sql`select to_jsonb(r)::text as text from tenant left join ${sql.ref(table)} r on r.tenant_id = ${their}`,
          sql`select max(${sql.ref(column.column)}::text) as text from ${sql.ref(table)} where tenant_id = ${their}`,
          sql`with x as (select * from ${sql.ref(table)} where tenant_id = ${their}) select to_jsonb(x)::text as text from x`,
          sql`update ${sql.ref(table)} set ${sql.ref(column.column)} = ${sql.ref(column.column)} where tenant_id = ${their} returning to_jsonb(${sql.ref(table)})::text as text`,
          sql`update ${sql.ref(table)} set tenant_id = ${their} where tenant_id = ${who.tenantId} returning tenant_id as text`,
          sql`delete from ${sql.ref(table)} where tenant_id = ${their} returning to_jsonb(${sql.ref(table)})::text as text`,
          sql`insert into ${sql.ref(table)} (tenant_id) values (${their}) returning tenant_id as text`,
        ])
        const rows = await scopes
          .tx({ kind: role, tenantId: who.tenantId, userId: who.userId, departments: null }, t.clock.now(), async db => {
            const found = await db.all(statement as ReturnType<typeof sql<{ text: string | null }>>)
            // What an own row may suffer is undone, whatever it was.
            throw Object.assign(new Error('undone'), { found })
          })
          .catch((error: { found?: { text: string | null }[]; code?: string }) => {
            if (error.found) return error.found
            // Refused by the database: no right, another tenant's row, a reference, a missing value.
            if (/^(42501|23\d{3}|22\w{3}|428C9|42804|0A000|P0001|55000|KP\d{3})$/.test(error.code ?? '')) return []
            throw error
          })
        const text = rows.map(row => row.text ?? '').join('\n')
        if (kind !== 'neighbour') {
          const counted = rows.length === 1 && /^\d+$/.test(text) && text !== '0' && /count\(/.test(JSON.stringify(statement))
          return text.includes('金丝雀') || text.includes(`"tenant_id": "${their}"`) || counted
            ? `${kind} ${table} ${column.column}: ${text.slice(0, 200)}`
            : undefined
        }
        const foreign =
          personal.includes(table) && rows.some(row => row.text?.startsWith('{') && row.text.includes(victim.candidate.userId))
        return foreign ? `neighbour ${table}: ${text.slice(0, 200)}` : undefined
      })
      expect(failures).toEqual([])
      expect(await digest()).toEqual(before)
    },
    fuzzTimeoutMs,
  )
})
