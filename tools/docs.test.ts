import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { errorsText, errorTables } from './errors.ts'
import { statePages, statesText } from './states.ts'
import { thirdPartyText } from './third-party.ts'

const root = join(import.meta.dirname, '..')
const textOf = (path: string): string => readFileSync(join(root, path), 'utf8')

const contractFiles = readdirSync(join(root, 'contract/src'), { recursive: true, encoding: 'utf8' })
  .map(name => `contract/src/${name.replaceAll('\\', '/')}`)
  .filter(path => path.endsWith('.ts') && !path.endsWith('.test.ts'))

test.each(statePages.map(one => [one.page, one] as const))('docs › docs/states/%s.md is what the machine says', (name, page) => {
  expect(textOf(`docs/states/${name}.md`)).toBe(statesText(page))
})

test('docs › there is a page for every machine, and none for one that is gone', () => {
  const machines = contractFiles.flatMap(path =>
    [...textOf(path).matchAll(/export const (\w+) = defineMachine</g)].map(([, name]) => `${name} ${path}`),
  )

  expect(statePages.map(one => one.source.join(' ')).sort()).toEqual(machines.sort())
  expect(readdirSync(join(root, 'docs/states')).sort()).toEqual(statePages.map(one => `${one.page}.md`).sort())
})

test('docs › docs/errors.md is what the error tables say', () => {
  expect(textOf('docs/errors.md')).toBe(errorsText())
})

test('docs › every error table is in docs/errors.md', () => {
  const tables = contractFiles.filter(path => /export const \w+ = defineErrors\(/.test(textOf(path)))

  expect(Object.keys(errorTables).sort()).toEqual(tables.sort())
})

test('docs › THIRD-PARTY.md is what package-lock.json says', () => {
  expect(textOf('THIRD-PARTY.md')).toBe(thirdPartyText())
  expect(thirdPartyText()).not.toContain('| unknown |')
})
