import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { type TwoPersonKind, twoPersonActs } from '#contract/kernel/two-persons.ts'
import { allRoutes } from '#contract/registry.ts'

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
