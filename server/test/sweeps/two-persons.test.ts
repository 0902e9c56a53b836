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
      expect([effect, path, /twoPersonsOn\(|refuseSamePerson\(|takeDueAct\(/.test(text)]).toEqual([effect, path, true])
  }
})

test.each(kinds)('%s: a flow tries it by one person alone', kind => {
  const named = [...flows.values()].some(text =>
    [...text.matchAll(/two persons: ([\w, ]+)\]/g)].some(([, list]) => list?.split(', ').includes(kind)),
  )
  expect([kind, named]).toEqual([kind, true])
})
