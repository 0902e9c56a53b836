import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { operateBlocks } from '../server/test/support/operate-docs.ts'

const root = join(import.meta.dirname, '..')

/** Ids that some test runs: `operateCommand('id'` in a file of tests. */
const runIds = (): readonly string[] =>
  ['server/test', 'e2e'].flatMap(folder =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter(name => name.endsWith('.test.ts'))
      .flatMap(name =>
        [...readFileSync(join(root, folder, name), 'utf8').matchAll(/operateCommand\(\s*'([a-z0-9-]+)'/g)].map(([, id]) => id ?? ''),
      ),
  )

test('docs/operate › every block of commands has a name, and each name is used once', () => {
  const blocks = operateBlocks()

  expect(blocks.filter(({ id }) => id === undefined).map(({ page, text }) => `${page}: ${text}`)).toEqual([])
  expect(new Set(blocks.map(({ id }) => id)).size).toBe(blocks.length)
})

test('docs/operate › every block of commands is run by a test', () => {
  const run = new Set(runIds())

  expect(operateBlocks().flatMap(({ id, page }) => (id === undefined || run.has(id) ? [] : [`${page}: ${id}`]))).toEqual([])
})
