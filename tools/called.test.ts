import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync, Visitor } from 'oxc-parser'
import { expect, test } from 'vitest'
import { called } from '../server/src/kernel/called.ts'

const root = join(import.meta.dirname, '..')

/** Written for people who have the sources: how a generated module becomes part of them. */
const forDevelopers = ['server/src/modules/develop/generator/plan.ts']
/** Says it. */
const onlyPlace = 'server/src/kernel/called.ts'

const files = ['server/src', 'server/seed', 'contract/src', 'web/src'].flatMap(folder =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(name => `${folder}/${name.replaceAll('\\', '/')}`),
)

/** Texts of a source that name npm; comments may. */
const textsWithNpm = (path: string, text: string): readonly string[] => {
  const found: string[] = []
  const note = (value: unknown, at: number): void => {
    if (typeof value === 'string' && /\bnpm run\b/.test(value)) found.push(`${path}:${text.slice(0, at).split('\n').length}`)
  }
  new Visitor({
    Literal: node => note(node.value, node.start),
    TemplateElement: node => note(node.value.cooked, node.start),
    JSXText: node => note(node.value, node.start),
  }).visit(parseSync(path, text).program)
  return found
}

test('no text that an installation shows says `npm run`: a release has no npm, and called() knows how its commands are called', () => {
  const sources = files.filter(
    path => /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path) && path !== onlyPlace && !forDevelopers.includes(path),
  )
  expect(sources.length).toBeGreaterThan(2_000)
  const found = sources.flatMap(path => {
    const text = readFileSync(join(root, path), 'utf8')
    return text.includes('npm run') ? textsWithNpm(path, text) : []
  })
  expect(found).toEqual([])
})

test('such a text is found in quotes, in templates and between tags, and not in comments', () => {
  const text = "// npm run a\nconst a = 'npm run b'\nconst c = `x ${a} npm run d`\nconst e = <p>npm run f</p>"
  expect(textsWithNpm('x.tsx', text)).toEqual(['x.tsx:2', 'x.tsx:3', 'x.tsx:4'])
})

test.each([
  { inRelease: false, command: 'restore', args: 'release', line: 'npm run restore -- release' },
  { inRelease: true, command: 'restore', args: 'release', line: 'kaopu restore release' },
  { inRelease: false, command: 'audit:verify', args: '', line: 'npm run audit:verify' },
  { inRelease: true, command: 'audit:verify', args: '', line: 'kaopu audit:verify' },
])('an operator calls it $line', ({ inRelease, command, args, line }) => {
  expect(called(command, args, inRelease)).toBe(line)
})
