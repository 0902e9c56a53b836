import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { expect, test } from 'vitest'
import { resources } from '#contract/nouns.ts'
import { allRoutes } from '#contract/registry.ts'
import { describeConfig, loadConfig } from '#server/config.ts'
import { moduleOrder } from './boundaries.ts'
import { errorsText, errorTables } from './errors.ts'
import { glossaryText } from './glossary.ts'
import { houseSvg } from './house.ts'
import { nounFilesText, wordFilesText } from './nouns.ts'
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

test('docs › docs/glossary.md is what the odd names of the wire mean', () => {
  expect(textOf('docs/glossary.md')).toBe(glossaryText())
})

test('docs › docs/house.svg is what the files import', () => {
  expect(textOf('docs/house.svg')).toBe(houseSvg())
})

test('nouns › contract/src/noun-files.ts names every file that declares a noun (npm run nouns)', () => {
  expect(textOf('contract/src/noun-files.ts')).toBe(nounFilesText())
  expect(textOf('contract/src/word-files.ts')).toBe(wordFilesText())
})

test('docs › every error table is in docs/errors.md', () => {
  const tables = contractFiles.filter(path => /export const \w+ = defineErrors\(/.test(textOf(path)))

  expect(Object.keys(errorTables).sort()).toEqual(tables.sort())
})

test('docs › THIRD-PARTY.md is what package-lock.json says', () => {
  expect(textOf('THIRD-PARTY.md')).toBe(thirdPartyText())
  expect(thirdPartyText()).not.toContain('| unknown |')
})

const papers = ['.', 'docs', 'docs/howto', 'docs/adr', 'web'].flatMap(folder =>
  readdirSync(join(root, folder))
    .filter(name => name.endsWith('.md'))
    .map(name => join(folder, name).replaceAll('\\', '/')),
)

/** `{a,b}` stands for two names; a paper may say where a file will be with `<context>`, `…` or `*`. */
const expand = (path: string): string[] => {
  const [, before = '', names = '', after = ''] = /^(.*?)\{([^}]*)\}(.*)$/.exec(path) ?? []
  return names === '' ? [path] : names.split(',').flatMap(name => expand(before + name + after))
}
const filesNamedIn = (text: string): string[] =>
  [...text.matchAll(/`((?:assets|contract|docs|e2e|server|tools|web)\/[^`\s]*)`/g)]
    .flatMap(([, path = '']) => expand(path))
    .filter(path => !/[<*…]|NNNN/.test(path) && !/^(web|server)\/dist\b/.test(path))

test.each(papers)('docs › %s names files that are there', paper => {
  const text = textOf(paper)
  const links = [...text.matchAll(/\]\((?!https?:)([^)#]+)\)|src="(?!https?:)([^"]+)"/g)].map(([, link, image]) =>
    join(dirname(paper), link ?? image ?? ''),
  )

  expect([...filesNamedIn(text), ...links].filter(path => !existsSync(join(root, path)))).toEqual([])
})

test('docs › README.md has every setting, and none that is gone', () => {
  const settings = describeConfig(loadConfig({})).map(line => line.slice(0, line.indexOf('=')))
  const rows = [...textOf('README.md').matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, name]) => name)

  expect(rows.sort()).toEqual(settings.sort())
})

test('docs › every command that a paper names is in package.json', () => {
  const { scripts } = JSON.parse(textOf('package.json')) as { readonly scripts: Readonly<Record<string, string>> }
  const named = papers.flatMap(paper => [...textOf(paper).matchAll(/npm run ([a-z][\w:-]*)/g)].map(([, name = '']) => name))

  expect([...new Set(named)].filter(name => scripts[name] === undefined)).toEqual([])
})

/** Rows of docs/howto/find-the-rule.md: a call and the files of the three openings. */
const findings = [...textOf('docs/howto/find-the-rule.md').matchAll(/^\| `(GET|POST) (\S+)` \| `(\S+)` \| `(\S+)` \| `(\S+)` \|$/gm)].map(
  ([, method = '', url = '', declared = '', handled = '', decided = '']) => ({ method, url, declared, handled, decided }),
)

test('docs › the way to a rule is shown for ten calls and more', () => {
  expect(new Set(findings.map(({ method, url }) => `${method} ${url}`)).size).toBeGreaterThanOrEqual(10)
})

/** A relative or # import of the file, whatever stands before its last two names. */
const names = (from: string, to: string): boolean => {
  const alias = to.replace(/^contract\/src\//, '#contract/').replace(/^server\/src\/(kernel|modules)\//, '#$1/')
  const relative = posix.relative(posix.dirname(from), to)
  return [alias, relative, `./${relative}`].some(path => textOf(from).includes(`'${path}'`))
}

test.each(findings)('docs › $method $url is declared, handled and decided where docs/howto/find-the-rule.md says', finding => {
  const { method, url, declared, handled, decided } = finding
  const generated = resources.find(({ basePath }) => url.startsWith(`${basePath}/`) && textOf(declared).includes(`basePath: '${basePath}'`))

  expect(allRoutes().some(route => route.method === method && route.path === url)).toBe(true)
  expect(generated !== undefined || textOf(declared).includes(`path: '${url}'`)).toBe(true)
  // A module's factory composes what its http.ts handles.
  const handler = names(handled, declared) ? handled : posix.join(posix.dirname(handled), 'http.ts')
  expect(names(handler, declared)).toBe(true)
  expect(names(handled, decided)).toBe(true)
})

test('docs › ARCHITECTURE.md names the modules that are there, in the order in which they may use each other', () => {
  const [, line = ''] = /^Order of modules \([^)]*\): ([\s\S]*?)\./m.exec(textOf('ARCHITECTURE.md')) ?? []

  expect(line.split('·').map(name => name.trim())).toEqual([...moduleOrder])
  expect([...moduleOrder].sort()).toEqual(readdirSync(join(root, 'server/src/modules')).sort())
})
