import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const testsBelow = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true })
    .map(String)
    .filter(name => /\.test\.tsx?$/.test(name))
    .map(name => readFileSync(join(root, folder, name), 'utf8'))

/** Faults that programs of this kind really had, in the part of identity, tenants and access; each has a test that names it. */
const rows = [
  ...[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 23, 32, 33],
  ...[44, 45, 46, 47, 48, 49, 50, 53, 54, 55, 56, 57, 58, 59, 60, 61],
]

test('every known fault of peers in identity, tenants and access is named by a test', () => {
  const texts = ['contract/src', 'server/src', 'server/test', 'e2e'].flatMap(testsBelow).join('\n')
  const named = new Set(
    [...texts.matchAll(/['`][^'`\n]*?\[PF (\d+)\][^'`\n]*/g)].flatMap(([title]) =>
      [...title.matchAll(/\[PF (\d+)\]/g)].map(([, row]) => Number(row)),
    ),
  )
  expect(rows.filter(row => !named.has(row))).toEqual([])
})
