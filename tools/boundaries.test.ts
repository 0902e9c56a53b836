import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkFile } from './boundaries.ts'

const root = join(import.meta.dirname, '..')

const sources = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map(name => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter(path => /\.tsx?$/.test(path) && !/\/(dist|node_modules)\//.test(path))

/** A clone has no empty folders: `bench` is there once something is in it. */
const files = ['contract/src', 'server', 'web/src', 'tools', 'e2e', 'bench']
  .filter(folder => existsSync(join(root, folder)))
  .flatMap(sources)

test('boundaries › every file keeps its layer', () => {
  const findings = files.flatMap(path => checkFile(path, readFileSync(join(root, path), 'utf8')))

  const report = findings.map(({ path, line, found, advice }) => `${path}:${line}  ${found}\n    ${advice}`)
  expect(report.join('\n')).toBe('')
})

test('boundaries › look at every folder that has code', () => {
  for (const folder of ['contract/src/kernel/', 'server/src/kernel/', 'server/src/modules/', 'web/src/', 'tools/']) {
    expect(files.some(path => path.startsWith(folder))).toBe(true)
  }
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
  ['web/src/console/pages.ts', `import { pool } from '#kernel/db/pool.ts'`, 'web imports #kernel/db/pool.ts'],
  ['web/src/console/pages.ts', `import { readFile } from 'node:fs'`, 'web imports node:fs'],
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
  [decision, `import { fee } from '#contract/pay/fee.ts'\nimport { split } from './split.ts'`],
  [repository, `import type { TenantDb } from '#kernel/db/scope.ts'`],
  [repository, `import { sql } from '#kernel/db/sql.ts'`],
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
  ['server/src/config.ts', `import { Type } from 'typebox'\nexport const port = process.env.PORT`],
  ['vitest.config.ts', `export default {}`],
])('boundaries › in %s they allow: %s', (path, source) => {
  expect(checkFile(path, source)).toEqual([])
})
