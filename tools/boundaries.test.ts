import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { resources } from '#contract/nouns.ts'
import { allRoutes, contexts, routes as declaredRoutes } from '#contract/registry.ts'
import { checkFile, findCircles, moduleOrder } from './boundaries.ts'

const root = join(import.meta.dirname, '..')

const sources = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map(name => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter(path => /\.tsx?$/.test(path) && !/\/(dist|node_modules)\//.test(path))

/** A clone has no empty folders: `bench` is there once something is in it. */
const files = ['contract/src', 'server', 'web/src', 'tools', 'e2e', 'bench']
  .filter(folder => existsSync(join(root, folder)))
  .flatMap(sources)

const textOf = (path: string): string => readFileSync(join(root, path), 'utf8')

test('boundaries › every file keeps its layer', () => {
  const findings = files.flatMap(path => checkFile(path, textOf(path)))

  const report = findings.map(({ path, line, found, advice }) => `${path}:${line}  ${found}\n    ${advice}`)
  expect(report.join('\n')).toBe('')
})

test('boundaries › look at every folder that has code', () => {
  for (const folder of ['contract/src/kernel/', 'server/src/kernel/', 'server/src/modules/', 'web/src/', 'tools/']) {
    expect(files.some(path => path.startsWith(folder))).toBe(true)
  }
})

test('boundaries › no files import each other, neither by types nor later', () => {
  expect(
    findCircles(new Map(files.map(path => [path, textOf(path)])))
      .map(circle => circle.join('\n    '))
      .join('\n'),
  ).toBe('')
})

test.each<[string, string, string]>([
  ['a value', `import { b } from './b.ts'`, `import { a } from './a.ts'`],
  ['a type', `import type { B } from './b.ts'`, `export type { A } from '#web/ui/a.ts'`],
  ['a type in its place', `type B = typeof import('./b.ts')`, `import './a.ts'`],
  ['a pattern', `const all = import.meta.glob('../*/b.ts', { eager: true })`, `import './a.ts'`],
  ['a later import', `const b = () => import('./b.ts')`, `import { a } from '#web/ui/a.ts'`],
])('boundaries › two files that import each other are found: %s', (_, a, b) => {
  const files = new Map([
    ['web/src/ui/a.ts', a],
    ['web/src/ui/b.ts', b],
    ['web/src/ui/c.ts', `import './a.ts'`],
  ])
  expect(findCircles(files)).toEqual([['web/src/ui/a.ts imports web/src/ui/b.ts', 'web/src/ui/b.ts imports web/src/ui/a.ts']])
})

test('boundaries › a circle is found around a third file, and every circle by itself', () => {
  const circle = (folder: string): [string, string][] => [
    [`web/src/${folder}/a.ts`, `import './b.ts'`],
    [`web/src/${folder}/b.ts`, `import './c.ts'`],
    [`web/src/${folder}/c.ts`, `import './a.ts'\nimport '#web/${folder === 'ui' ? 'kernel' : 'none'}/a.ts'`],
  ]
  expect(findCircles(new Map([...circle('ui'), ...circle('kernel'), ['web/src/kernel/alone.ts', `import './a.ts'`]]))).toEqual(
    ['kernel', 'ui'].map(folder => [...'abc'].map((name, at) => `web/src/${folder}/${name}.ts imports web/src/${folder}/${'bca'[at]}.ts`)),
  )
  expect(findCircles(new Map([['web/src/ui/self.ts', `import './self.ts'`]]))).toHaveLength(1)
})

test('boundaries › a search for a URL finds its declaration', () => {
  const contract = files
    .filter(path => path.startsWith('contract/src/') && !path.endsWith('.test.ts'))
    .map(path => readFileSync(join(root, path), 'utf8'))
    .join('\n')
  const written = (text: string) => contract.includes(`'${text}'`)

  expect(declaredRoutes.flatMap(route => [route.path, ...(route.also ?? [])]).filter(url => !written(url))).toEqual([])
  // A generated call is found by the words before its last one.
  expect(resources.filter(({ basePath }) => !contract.includes(`basePath: '${basePath}'`)).map(({ name }) => name)).toEqual([])
  const declared = new Set<unknown>(declaredRoutes)
  expect(
    allRoutes()
      .filter(route => !declared.has(route) && !written(route.path))
      .map(({ path }) => path.slice(0, path.lastIndexOf('/')))
      .filter(base => !resources.some(({ basePath }) => basePath === base)),
  ).toEqual([])
})

const command = 'server/src/modules/pay/commands/open-order.ts'
const decision = 'server/src/modules/pay/domain/order.ts'
const routes = 'server/src/modules/pay/http-review.ts'
const repository = 'server/src/modules/pay/data/order.repo.ts'

/** Violations planted in text: a rule that stops firing is seen here. */
test.each<[string, string, string]>([
  ['contract/src/kernel/field.ts', `import { fee } from '../pay/fee.ts'`, 'contract/kernel imports ../pay/fee.ts'],
  ['contract/src/pay/fee.ts', `import { createHash } from 'node:crypto'`, 'contract imports node:crypto'],
  ['contract/src/pay/fee.ts', `import { z } from 'zod'`, 'contract imports zod'],
  ['contract/src/pay/fee.ts', `export const at = Date.now()`, 'Date.now()'],
  ['contract/src/pay/pay.routes.ts', `export const a = defineRoute({ method, path: \`\${exam}/getMyPay\` })`, 'a URL put together'],
  ['contract/src/pay/pay.routes.ts', `export const a = defineRoute({ method, path: exam + '/getMyPay' })`, 'a URL put together'],
  ['contract/src/pay/pay.routes.ts', `export const a = defineRoute({ method, path: place('getMyPay') })`, 'a URL put together'],
  ['contract/src/pay/pay.routes.ts', `export const a = defineRoute({ path, also: [\`GET \${exam}/getMyPay\`] })`, 'a URL put together'],
  ['contract/src/pay/pay.routes.ts', `export const a = defineRoute({ path, also: alias('getMyPay') })`, 'a URL put together'],
  [
    'server/src/kernel/audit.ts',
    `import { findUser } from '#modules/organisation/index.ts'`,
    'server/kernel imports #modules/organisation/index.ts',
  ],
  ['server/src/kernel/audit.ts', `import { fee } from '#contract/pay/fee.ts'`, 'server/kernel imports #contract/pay/fee.ts'],
  [decision, `import { now } from '#kernel/clock.ts'`, 'modules/*/domain imports #kernel/clock.ts'],
  [decision, `import { randomBytes } from 'node:crypto'`, 'modules/*/domain imports node:crypto'],
  [decision, `import { find } from '../data/order.repo.ts'`, 'modules/*/domain imports ../data/order.repo.ts'],
  [decision, `export const decide = async () => 1`, 'a promise in domain'],
  [decision, `export const decide = () => Promise.resolve(1)`, 'a promise in domain'],
  [repository, `import { openPools } from '#kernel/db/pool.ts'`, 'modules/*/data imports #kernel/db/pool.ts'],
  [repository, `import { send } from '../commands/open-order.ts'`, 'modules/*/data imports ../commands/open-order.ts'],
  [command, `import { Pool } from 'pg'`, 'modules imports pg'],
  [command, `import type { FastifyRequest } from 'fastify'`, 'modules imports fastify'],
  [command, `const sharp = await import('sharp')`, 'modules imports sharp'],
  [command, `export * from 'kysely'`, 'modules imports kysely'],
  [command, `import { routes } from '../http.ts'`, 'modules imports ../http.ts'],
  [command, `import { routes } from '../order.http.ts'`, 'modules imports ../order.http.ts'],
  [routes, `import { sql } from '#kernel/db/sql.ts'`, 'modules/*/http.ts imports #kernel/db/sql.ts'],
  ['server/src/modules/pay/order.http.ts', `import { sql } from '#kernel/db/sql.ts'`, 'modules/*/http.ts imports #kernel/db/sql.ts'],
  [command, `import { sql } from '#kernel/db/sql.ts'`, 'modules imports #kernel/db/sql.ts'],
  [command, `import { allOf, sql as text } from '#kernel/db/sql.ts'`, 'modules imports #kernel/db/sql.ts'],
  [command, `import * as db from '#kernel/db/sql.ts'`, 'modules imports #kernel/db/sql.ts'],
  [command, `export * from '#kernel/db/sql.ts'`, 'modules imports #kernel/db/sql.ts'],
  [command, `const { sql } = await import('#kernel/db/sql.ts')`, 'modules imports #kernel/db/sql.ts'],
  ['server/src/modules/ticket/jobs/tasks.ts', `import { sql } from '#kernel/db/sql.ts'`, 'modules imports #kernel/db/sql.ts'],
  ['server/src/modules/ticket/index.ts', `import { sql } from '#kernel/db/sql.ts'`, 'modules/*/index.ts imports #kernel/db/sql.ts'],
  ['server/src/modules/pay/index.ts', `import { Pool } from 'pg'`, 'modules/*/index.ts imports pg'],
  [command, `import { find } from '#modules/organisation/data/user.repo.ts'`, 'modules imports #modules/organisation/data/user.repo.ts'],
  [command, `import { findUser } from '../../system/index.ts'`, 'modules imports ../../system/index.ts'],
  [command, `import { submit } from '#modules/signup/index.ts'`, 'modules imports #modules/signup/index.ts'],
  [command, `export const host = process.env.HOST`, 'process.env'],
  [command, `export const host = process['env'].HOST`, 'process.env'],
  [command, `export const at = new Date()`, 'new Date()'],
  [command, `export const at = Date()`, 'new Date()'],
  [command, `export const at = Date.now()`, 'Date.now()'],
  [command, `export const dice = Math.random()`, 'Math.random()'],
  [command, `export const list = (db: TenantDb) => db.last(() => pageOrders(db))`, 'a hint to the pipeline'],
  [command, `db.planOnce('by index')`, 'a hint to the pipeline'],
  [routes, `db.leave(insertOrder(db))`, 'a hint to the pipeline'],
  ['server/src/modules/signup/http-own.ts', `handle(examList, ({ db }) => { return listExams(db) })`, 'a route with a body'],
  ['server/src/modules/signup/http.ts', `handle(examList, async ({ db }) => listExams(db))`, 'a route with a body'],
  [command, `export default 1`, 'export default'],
  [command, `// @ts-ignore\nexport const a = 1`, '@ts-ignore'],
  [command, `// @ts-expect-error\nexport const a = 1`, '@ts-expect-error'],
  [command, `// biome-ignore lint/style/useConst\nexport const a = 1`, 'biome-ignore lint/style/useConst'],
  ['server/src/app.ts', `import fastify from 'fastify'`, 'server imports fastify'],
  [
    'server/src/app.ts',
    `import { submit } from '#modules/signup/commands/submit-signup.ts'`,
    'server imports #modules/signup/commands/submit-signup.ts',
  ],
  ['web/src/ui/table.tsx', `import { exam } from '#contract/exam/exam.resource.ts'`, 'web/ui imports #contract/exam/exam.resource.ts'],
  ['web/src/portal/form/notices.tsx', `useEffect(() => place.current?.scrollIntoView(), [])`, 'an effect that gives something back'],
  ['web/src/portal/form/wizard.tsx', `useLayoutEffect(() => onStore(made), [made])`, 'an effect that gives something back'],
  ['web/src/portal/home/home.tsx', `import { Button } from 'antd'`, 'web/portal imports antd'],
  ['web/src/console/pages.ts', `import { pool } from '#kernel/db/pool.ts'`, 'web/console imports #kernel/db/pool.ts'],
  ['web/src/console/pages.ts', `import { readFile } from 'node:fs'`, 'web/console imports node:fs'],
  ['web/src/console/pages.ts', `const page = () => import('../features/exam/page.tsx')`, 'web/console imports ../features/exam/page.tsx'],
  ['web/src/console/entry.tsx', `import { Home } from '#web/portal/entry.tsx'`, 'web/console imports #web/portal/entry.tsx'],
  ['web/src/console/entry.tsx', `import { Field } from '../login/field.tsx'`, 'web/console imports ../login/field.tsx'],
  ['web/src/portal/home/home.tsx', `import { goTo } from '#web/shell/go.ts'`, 'web/portal imports #web/shell/go.ts'],
  ['web/src/portal/home/home.tsx', `import { pages } from '#web/console/pages.ts'`, 'web/portal imports #web/console/pages.ts'],
  ['web/src/portal/home/home.tsx', `import type { Row } from '#web/features/pay/wire.ts'`, 'web/portal imports #web/features/pay/wire.ts'],
  ['web/src/portal/home/home.tsx', `import { Icon } from '#web/ui/icon.tsx'`, 'web/portal imports #web/ui/icon.tsx'],
  ['web/src/kernel/api.ts', `import { Icon } from '../ui/icon.tsx'`, 'web/kernel imports ../ui/icon.tsx'],
  ['web/src/kernel/api.ts', `type Pages = typeof import('#web/console/pages.ts')`, 'web/kernel imports #web/console/pages.ts'],
  ['web/src/resource/crud-page.tsx', `import { x } from '#web/features/pay/page.tsx'`, 'web/resource imports #web/features/pay/page.tsx'],
  ['web/src/resource/crud-page.tsx', `import { goTo } from '../shell/go.ts'`, 'web/resource imports ../shell/go.ts'],
  ['web/src/shell/sider.tsx', `import { x } from '#web/features/pay/page.tsx'`, 'web/shell imports #web/features/pay/page.tsx'],
  ['web/src/shell/sider.tsx', `import { CrudPage } from '../resource/crud-page.tsx'`, 'web/shell imports ../resource/crud-page.tsx'],
  ['web/src/shell/sider.tsx', `import { routes } from '../console/routes.tsx'`, 'web/shell imports ../console/routes.tsx'],
  ['web/src/login/login-page.tsx', `import { pages } from '../console/pages.ts'`, 'web/login imports ../console/pages.ts'],
  ['web/src/login/login-page.tsx', `import { read } from '../portal/calls.ts'`, 'web/login imports ../portal/calls.ts'],
  ['web/src/login/login-page.tsx', `import { Sider } from '../shell/sider.tsx'`, 'web/login imports ../shell/sider.tsx'],
  ['web/src/features/pay/page.tsx', `import { read } from '#web/portal/calls.ts'`, 'web/features imports #web/portal/calls.ts'],
  ['web/src/features/pay/page.tsx', `import { Field } from '#web/login/field.tsx'`, 'web/features imports #web/login/field.tsx'],
  ['web/src/features/pay/page.tsx', `import { resolvePage } from '#web/console/pages.ts'`, 'web/features imports #web/console/pages.ts'],
  ['web/src/boot/main.ts', `import { read } from '../portal/calls.ts'`, 'web/boot imports ../portal/calls.ts'],
  ['web/src/boot/main.ts', `import { Icon } from '../ui/icon.tsx'`, 'web/boot imports ../ui/icon.tsx'],
  ['web/src/new/part.ts', `import { api } from '../kernel/api.ts'`, 'web imports ../kernel/api.ts'],
  [
    'web/src/features/exam/exam/page.tsx',
    `import { x } from '#web/features/pay/order/page.tsx'`,
    'web/features imports #web/features/pay/order/page.tsx',
  ],
])('boundaries › in %s they refuse: %s', (path, source, found) => {
  const findings = checkFile(path, source)

  expect(findings.map(one => one.found)).toEqual([found])
  expect(findings[0]?.advice).toMatch(/\w{4}/)
})

test.each<[string, string]>([
  ['contract/src/pay/fee.ts', `import { Type } from 'typebox'\nexport const at = new Date('2026-01-01T00:00:00Z')`],
  ['server/src/kernel/clock.ts', `import pg from 'pg'\nexport const now = () => new Date()`],
  ['contract/src/pay/pay.routes.ts', `export const a = defineRoute({ path: '/blade-pay/a', also: ['GET /blade-pay/b'] })`],
  ['contract/src/pay/pay.routes.ts', `export const of = (path: string) => defineRoute({ path })`],
  ['contract/src/pay/pay.routes.ts', `export const of = (paths: Paths) => defineRoute({ path: paths.run })`],
  [decision, `import { fee } from '#contract/pay/fee.ts'\nimport { split } from './split.ts'`],
  [repository, `import type { TenantDb } from '#kernel/db/scope.ts'`],
  [repository, `import { sql } from '#kernel/db/sql.ts'`],
  [repository, `export const write = (db: TenantDb): void => db.send(sql\`select 1\`)`],
  ['server/src/modules/signup/http.ts', `handle(examList, ({ db }) => listExams(db))`],
  [command, `import { allOf, type RawBuilder } from '#kernel/db/sql.ts'`],
  [routes, `import { open } from './commands/open-order.ts'\nimport { find } from './data/order.repo.ts'`],
  [
    command,
    `import { findUser } from '#modules/organisation/index.ts'\nimport { find } from '../data/order.repo.ts'\nimport { createHash } from 'node:crypto'`,
  ],
  [
    'web/src/portal/form/notices.tsx',
    `useEffect(() => void place.current?.scrollIntoView(), [])
useEffect(() => () => queue.dispose(), [queue])`,
  ],
  [
    'web/src/shell/tabs.tsx',
    `useEffect(() => guardTab(path, hasChanges), [])
useEffect(() => store.subscribe(draw), [])`,
  ],
  [command, `// biome-ignore lint/style/useConst: shown to be needed by the emulator\nexport const a = 1`],
  ['web/src/console/pages.ts', `import { firstCallsOfConsole } from '../boot/first-calls.ts'\nimport { matchPath } from './page-entry.ts'`],
  ['web/src/login/login-page.tsx', `const ahead = () => import('../portal/entry.tsx')\nimport { Status } from '../shell/status-pages.tsx'`],
  ['web/src/shell/sider.tsx', `import { preloadPage } from '../console/pages.ts'`],
  ['web/src/resource/crud-page.tsx', `import { usePage } from '../shell/page-context.tsx'\nimport { Icon } from '../ui/icon.tsx'`],
  [
    'web/src/features/pay/pages.ts',
    `import { definePages } from '#web/console/page-entry.ts'\nimport { NavLink } from '#web/shell/nav-link.tsx'`,
  ],
  ['server/src/config.ts', `import { Type } from 'typebox'\nexport const port = process.env.PORT`],
  ['vitest.config.ts', `export default {}`],
])('boundaries › in %s they allow: %s', (path, source) => {
  expect(checkFile(path, source)).toEqual([])
})

/** What a browser test may be about beside a context: a program, what all screens share, or the installation. */
const apart = [
  'accessibility',
  'budget',
  'clock',
  'declared',
  'journey',
  'keyboard',
  'kill',
  'kit',
  'login',
  'portal',
  'processes',
  'rush',
  'shell',
  'start',
  'themes',
  'windows',
  'workspace',
]

/** Folders of features that are no context: the components, and the frame around everything about one examination. */
const frames: readonly string[] = ['kit', 'workspace']

test('boundaries › a context has one name in contract, server, web and tests', () => {
  const foldersOf = (path: string) =>
    readdirSync(join(root, path), { withFileTypes: true }).flatMap(one => (one.isDirectory() ? [one.name] : []))
  const contexts = foldersOf('server/src/modules').sort()
  expect([...moduleOrder].sort()).toEqual(contexts)
  expect(
    foldersOf('contract/src')
      .filter(name => name !== 'kernel')
      .sort(),
  ).toEqual(contexts)
  expect(foldersOf('web/src/features').filter(name => !frames.includes(name) && !contexts.includes(name))).toEqual([])
  expect(foldersOf('server/test/flows').filter(name => !contexts.includes(name))).toEqual([])
  expect(readdirSync(join(root, 'server/test/flows')).filter(name => name.endsWith('.test.ts'))).toEqual([])
  const about = readdirSync(join(root, 'e2e')).flatMap(name => (name.endsWith('.test.ts') ? [name.split(/[-.]/)[0] ?? ''] : []))
  expect([...new Set(about)].filter(word => !contexts.includes(word) && !apart.includes(word))).toEqual([])
})

test('boundaries › every context is in the registry, and what it declares is handled by its own module', () => {
  expect(contexts.map(({ name }) => name).sort()).toEqual([...moduleOrder].sort())
  const handled = files.filter(
    path => /^server\/src\/modules\/.*\.ts$/.test(path) && !path.endsWith('.test.ts') && /\bhandle(Export)?\(/.test(textOf(path)),
  )
  const strays = handled.flatMap(path => {
    const [, own] = /^server\/src\/modules\/([^/]+)\//.exec(path) ?? []
    return [...textOf(path).matchAll(/^import (?!type )(?:[^;]*?) from '#contract\/([^/]+)\/[\w-]+\.routes\.ts'/gm)].flatMap(([, other]) =>
      other === own ? [] : [`${path} handles what ${other} declares`],
    )
  })
  expect(strays).toEqual([])
})

test('boundaries › a surface is small: the submit of a form loads fewer than 120 files of the program', () => {
  const count = `
    import { registerHooks } from 'node:module'
    const loaded = new Set()
    registerHooks({ load(url, context, next) {
      if (/^file:.*\\/(contract|server)\\//.test(url) && !url.includes('/node_modules/')) loaded.add(url)
      return next(url, context)
    } })
    await import(${JSON.stringify(pathToFileURL(join(root, 'server/src/modules/signup/commands/submit-signup.ts')).href)})
    console.log(loaded.size)`
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', count], { encoding: 'utf8' })
  expect(stderr).toBe('')
  expect(Number(stdout)).toBeGreaterThan(50)
  expect(Number(stdout)).toBeLessThan(120)
})
