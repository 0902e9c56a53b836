import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { dateAnswers, dateColumns } from '#contract/date-places.ts'

const read = (path: string): string => readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8')

test('every column of a workbook that holds a date is bounded, and the import asks the table', () => {
  const root = 'src/modules/'
  const files = globSync('*/{imports,domain,commands}/**/*.ts', { cwd: fileURLToPath(new URL(`../../${root}`, import.meta.url)) })
  const found = files
    .filter(path => !path.endsWith('.test.ts'))
    .flatMap(path =>
      [...read(root + path).matchAll(/(\w+): \{ header: [^}]*kind: '(?:day|moment)'/g)].map(([, column]) => `${path} ${column}`),
    )
  expect(found.sort()).toEqual(Object.keys(dateColumns).sort())
  const bounded = Object.entries(dateColumns).flatMap(([place, fact]) => (typeof fact === 'string' ? [place.split(' ')[0] ?? ''] : []))
  const deaf = bounded.filter(path => !/(date|day|form|order)(Problem|Doubt)s?\(/.test(read(root + path)))
  expect(deaf).toEqual([])
})

test('every date that the library of forms asks for is bounded', () => {
  const found = [...read('seed/base/library.ts').matchAll(/\{ key: '(\w+)',[^}]*type: '(?:date|month)'/g)].map(([, key]) => key)
  expect(found.sort()).toEqual(Object.keys(dateAnswers).sort())
})
