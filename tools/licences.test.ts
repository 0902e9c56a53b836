import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

interface LockEntry {
  readonly version?: string
  readonly license?: string
  readonly resolved?: string
  readonly integrity?: string
}

const lock = JSON.parse(readFileSync(join(import.meta.dirname, '..', 'package-lock.json'), 'utf8')) as {
  readonly packages: Readonly<Record<string, LockEntry>>
}
const packages = Object.entries(lock.packages).filter(([path]) => path !== '')

/** Licences that ask for no more than notice; anything else needs a look and a line here. */
const accepted = new Set(
  ['MIT', 'MIT-0', 'ISC', 'BSD', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'Apache-2.0', 'BlueOak-1.0.0', 'CC0-1.0', 'CC-BY-4.0']
    .concat(['Python-2.0', 'Zlib', 'Unlicense', 'WTFPL', 'OFL-1.1', 'PostgreSQL', 'MPL-2.0'])
    // sharp's prebuilt libvips: used as a separate shared library that anybody can replace.
    .concat(['LGPL-3.0-or-later']),
)

/** Packages whose manifest names no licence but that carry the text of one; how it reads. */
const byText = new Map([
  ['node_modules/png-js', { licence: 'MIT', reads: /^MIT License/ }],
  // MIT with one clause more: its watermark stays in view. e2e/shell-header.test.ts sees it there.
  [
    'node_modules/bpmn-js',
    { licence: 'MIT', reads: /Permission is hereby granted, free of charge[\s\S]+the watermark must stay fully visible/ },
  ],
])

/** `A OR B` lets us choose; `A AND B` binds us to both. */
const isAccepted = (expression: string): boolean =>
  expression
    .replace(/[()]/g, '')
    .split(/ OR /)
    .some(choice => choice.split(/ AND | WITH /).every(one => accepted.has(one.trim())))

test('licences › every package has one that we may use', () => {
  const refused = packages.filter(([path, entry]) => !isAccepted(byText.get(path)?.licence ?? entry.license ?? 'unknown'))

  expect(refused.map(([path, { license }]) => `${path}: ${license ?? 'unknown'}`)).toEqual([])
})

test.each([...byText])('licences › %s carries the text it is listed with', (path, { reads }) => {
  expect(readFileSync(join(import.meta.dirname, '..', path, 'LICENSE'), 'utf8')).toMatch(reads)
})

test.each(['GPL-2.0', 'GPL-3.0-or-later', 'AGPL-3.0-only', 'UNKNOWN', 'SEE LICENSE IN LICENSE', 'MIT AND GPL-2.0'])(
  'licences › refuse %s',
  license => {
    expect(isAccepted(license)).toBe(false)
  },
)

test.each(['MIT', '(MIT OR GPL-3.0)', 'Apache-2.0 AND MIT', '(BSD-2-Clause OR MIT OR Apache-2.0)'])('licences › accept %s', license => {
  expect(isAccepted(license)).toBe(true)
})

test('lock file › names no registry host and has a digest for every package', () => {
  const wrong = packages.filter(([, entry]) => entry.resolved !== undefined || !entry.integrity?.startsWith('sha512-'))

  expect(wrong.map(([path, { resolved, integrity }]) => `${path} ${resolved ?? ''} ${integrity ?? 'no digest'}`)).toEqual([])
})
