import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TwoPersonKind, twoPersonActs } from '#contract/kernel/two-persons.ts'
import { allRoutes } from '#contract/registry.ts'
import { parameterRules } from '#contract/tenancy/parameter-rules.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'
import type { Ctx } from '#kernel/http/context.ts'
import { refuseSamePerson, type Subject, twoPersonsOn } from '#kernel/two-persons.ts'
import { startTestApp, type TestApp, type TestTenant } from '../support/app.ts'

const textsUnder = (folder: string, test: (path: string) => boolean): ReadonlyMap<string, string> => {
  const root = fileURLToPath(new URL(folder, import.meta.url))
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(path => path.endsWith('.ts') && test(path))
  return new Map(paths.map(path => [path, readFileSync(`${root}${path}`, 'utf8')]))
}
const source = textsUnder('../../src/', path => !path.endsWith('.test.ts'))
const flows = textsUnder('../flows/', () => true)
const kinds = Object.keys(twoPersonActs) as readonly TwoPersonKind[]

/** Calls of these effects that are no act on somebody else: the owner's own, behind the owner's own proof, and where the effect is written. */
const ownActs: Readonly<Record<string, readonly string[]>> = {
  removeSecondFactor: ['modules/auth/module.ts'],
}

test.each(kinds)('%s: every path is a route that needs the second person’s right', kind => {
  const { paths, second } = twoPersonActs[kind]
  for (const path of paths) {
    const route = allRoutes().find(one => one.path === path)
    expect([path, JSON.stringify(route?.access)]).toEqual([path, expect.stringContaining(second)])
  }
})

test.each(kinds)('%s: its effect is called in files alone that pass the gate', kind => {
  for (const effect of twoPersonActs[kind].effects) {
    const call = new RegExp(`(?<![\\w.]|const |function )(?:deps\\.auth\\.)?${effect}\\(`)
    const callers = [...source].filter(([path, text]) => {
      const code = text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
      return call.test(code) && !(ownActs[effect] ?? []).includes(path)
    })
    expect([effect, callers.length > 0]).toEqual([effect, true])
    for (const [path, text] of callers)
      expect([effect, path, /twoPersonsOn\(|refuseSamePerson\(|dueActTask|passAlone\(/.test(text)]).toEqual([effect, path, true])
  }
})

/** Effects that do more than the act alone: what opens them stands where they are called. */
const partly = ['disqualifiedNotice', 'freezeParts']

test.each(kinds)('%s: its effect fails before it writes where the transaction has not passed the gate', kind => {
  for (const effect of twoPersonActs[kind].effects.filter(one => !partly.includes(one))) {
    const definition = new RegExp(`(?:const ${effect} =|\\b${effect}: \\()([\\s\\S]*?)(?:\\n}|\\n {4}},)`, 'g')
    const places = [...source.values()].flatMap(text =>
      [...text.matchAll(definition)].flatMap(([, body = '']) => (body.includes('insistOnGate(') ? [body] : [])),
    )
    expect([effect, places.length]).toEqual([effect, 1])
    const named = places.flatMap(body => [...body.matchAll(/insistOnGate\(db, ([^)]*)\)/g)].map(([, list]) => list))
    expect([effect, named]).toEqual([effect, [expect.stringContaining(`'${kind}'`)]])
  }
})

/**
 * What an act of the table changes, by table and column, and the functions that write it: those of the table, and others with the reason why they need nobody else. A
 * function that writes such a column and stands in neither list is a path around the gate.
 */
const written: readonly { readonly table: string; readonly columns: RegExp; readonly alone: Readonly<Record<string, string>> }[] = [
  {
    table: 'account',
    columns: /\b(?:phone_sealed|phone_index|id_card_sealed|id_card_index|real_name|password_hash)\s*=/,
    alone: {
      renew: 'the operator’s command, which needs the machine',
      storePassword: 'the same password, by a newer way of keeping it',
      setOwnPassword: 'the own password, by the old one or a code',
      freeNumbers: 'an invitation, which nobody owns, gives up what somebody has proven to be theirs',
      closeStandIn: 'an invitation, which nobody owns, forgets its numbers when the person has taken it over',
      eraseAccount: 'the owner has closed the account',
    },
  },
  { table: 'integrity_list', columns: /\bend_date\s*=/, alone: {} },
  { table: 'result', columns: /\breleased = \$\{/, alone: {} },
  { table: 'param', columns: /\bparam_value\s*=/, alone: {} },
  { table: 'platform_param', columns: /\bparam_value\s*=/, alone: {} },
]

test.each(written)('columns of $table that an act changes are written by its functions alone', ({ table, columns, alone }) => {
  const effects = kinds.flatMap(kind => twoPersonActs[kind].effects as readonly string[])
  const found = [...source].flatMap(([path, text]) =>
    [...text.matchAll(new RegExp(`update ${table}\\b[^\`]*\``, 'g'))].flatMap(({ 0: statement, index }) => {
      if (!columns.test(statement.split(/\bwhere\b/)[0] ?? '')) return []
      const before = [...text.slice(0, index).matchAll(/(?:const|function) (\w+)/g)].map(([, name]) => name ?? '')
      const owner = [...text.slice(0, index).matchAll(/^(?:export )?const (\w+)/gm)].at(-1)?.[1] ?? before.at(-1) ?? ''
      return [`${path.split('/').slice(-1)[0]} ${owner}`]
    }),
  )
  const strange = found.filter(one => {
    const name = one.split(' ')[1] ?? ''
    return !effects.includes(name) && !Object.hasOwn(alone, name)
  })
  expect(strange).toEqual([])
})

test.each(kinds)('%s: a flow tries it by one person alone', kind => {
  const named = [...flows.values()].some(text =>
    [...text.matchAll(/two persons: ([\w, ]+)\]/g)].some(([, list]) => list?.split(', ').includes(kind)),
  )
  expect([kind, named]).toEqual([kind, true])
})

test('a limit of an act is a parameter whose change takes two persons itself', () => {
  const limits = Object.values(twoPersonActs).flatMap(act => ('above' in act ? [act.above as string] : []))
  expect(limits.filter(key => parameterRules[key]?.weaker === undefined)).toEqual([])
  const declared = Object.entries(parameterRules).flatMap(([key, { weaker }]) => (weaker === undefined ? [] : [key]))
  expect(declared.sort()).toEqual(['account.changeWaitHours', 'flow.ownRequests', 'pay.manualDoubleCheckFen', 'sms.dailyBudget'])
})

test('what an act is begun on is never empty, and the gate is waited for', () => {
  const code = [...source].map(([path, text]) => [path, text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')] as const)
  expect(code.filter(([, text]) => /subject: (?:\(\) => \()?\{\s*\}/.test(text)).map(([path]) => path)).toEqual([])
  const calls = code.flatMap(([path, text]) => [...text.matchAll(/(\S+) refuseSamePerson\(/g)].map(([, before]) => [path, before]))
  expect(calls.length).toBeGreaterThan(10)
  expect(calls.filter(([, before]) => before !== 'await' && before !== '=>')).toEqual([])
})

let t: TestApp
let tenant: TestTenant
beforeAll(async () => {
  t = await startTestApp()
  tenant = await t.tenant()
})
afterAll(() => t.close())

/** An account that `by` adds; '0' is the program itself. */
const addedBy = (by: string): Promise<string> =>
  tenant.db(async db => {
    await db.one(sql`select set_config('app.user_id', ${by}, true)`)
    const { id } = await db.one(sql<{ id: string }>`select next_id()::text as id`)
    await db.run(sql`
      insert into account (tenant_id, id, account, account_key, user_type, nick_name, real_name) values (${tenant.tenantId}, ${id}, ${`a${id}`}, ${`a${id}`}, 1, 'x', 'x')`)
    return id
  })
const callerOf = (userId: string): Ctx => ({ tenantId: tenant.tenantId, session: { userId, realName: userId } }) as unknown as Ctx
const word = (kind: TwoPersonKind, entityId: string, userId: string, subject: Subject) =>
  tenant.db((db: TenantDb) => twoPersonsOn(db, callerOf(userId), { kind, entityId, args: {}, document: 'card', subject }))
const tied = { refusal: { reason: 'kernel/two-persons-tied' } }

test.each(kinds)('%s: accounts of which one made the other are not two persons, in either order and to any depth', async kind => {
  const maker = await addedBy('0')
  const made = await addedBy(maker)
  const deeper = await addedBy(made)
  const entity = await addedBy('0')
  for (const [first, second] of [
    [maker, made],
    [made, maker],
    [maker, deeper],
    [deeper, maker],
  ] as const) {
    await expect(tenant.db(db => refuseSamePerson(db, kind, second, [first]))).rejects.toMatchObject(tied)
    expect(await word(kind, entity, first, { of: 'this' })).toEqual({ kind: 'first' })
    await expect(word(kind, entity, second, { of: 'this' })).rejects.toMatchObject(tied)
    await tenant.rows(sql`update two_person_act set state = 'ended' where state = 'begun' returning id`)
  }
  // Two whom a third one made.
  const sister = await addedBy(maker)
  await tenant.db(db => refuseSamePerson(db, kind, sister, [made]))
})

test.each(kinds)('%s: what was begun on other content is over', async kind => {
  const [first, second, entity] = [await addedBy('0'), await addedBy('0'), await addedBy('0')]
  expect(await word(kind, entity, first, { of: 'this' })).toEqual({ kind: 'first' })
  expect(await word(kind, entity, second, { of: 'that' })).toEqual({ kind: 'first' })
  expect((await word(kind, entity, first, { of: 'that' })).kind).toBe('go')
  expect(await tenant.rows(sql`select state from two_person_act where entity_id = ${entity} order by id`)).toEqual([
    { state: 'ended' },
    { state: 'done' },
  ])
})
