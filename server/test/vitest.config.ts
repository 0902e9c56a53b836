import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { builtChildren } from '../../tools/built-children.ts'
import { longestFirst } from '../../tools/longest-first.ts'
import { keepTempInMemory } from '../../tools/memory-temp.mjs'

keepTempInMemory()

/** Sweeps over all calls, first starts, workbooks of thousands of rows. */
const longest = [
  'invariants',
  'field-rule',
  'input',
  'start',
  'tenant',
  'access',
  'scope',
  'signup',
  'exam-import',
  'org-calls',
  'result-import',
  'export',
  'backup',
  'backup-s3',
  'rotate-secrets',
]

/** Part of `npm run test:long`: what needs Java or a service to be fetched, and upgrades of old data. */
const counterparts = [
  'server/test/platform/backup-faults.test.ts',
  'server/test/platform/embedded.test.ts',
  'server/test/platform/patroni.test.ts',
  'server/test/platform/upgrade.test.ts',
  'server/test/platform/dump-restore.test.ts',
  'server/test/flows/flow/flowable.test.ts',
  'server/test/flows/flow/flowable-conditions.test.ts',
  'server/test/flows/job/powerjob-real.test.ts',
  'server/test/flows/develop/mariadb-real.test.ts',
  'server/test/flows/file/s3-real.test.ts',
  'server/test/platform/release.test.ts',
  'server/test/platform/compose.test.ts',
  'server/test/platform/behind-nginx.test.ts',
  'server/test/platform/pgbouncer.test.ts',
  'server/test/platform/promtool.test.ts',
  'server/test/platform/own-server.test.ts',
]

/** Checks the types of the whole program once more; whoever works on the generator runs it by `npm test -- --context develop`. */
const generator = ['server/test/flows/develop/generated.test.ts']

const { KAOPU_LONG: isLong, KAOPU_CONTEXT: context } = process.env
const left = isLong ? [] : context ? counterparts : [...counterparts, ...generator]

// Medium tests: the real server on a real PostgreSQL. One cluster a run, one cloned database a test file, new tenants a test.
export default defineConfig({
  plugins: [await builtChildren()],
  test: {
    root: fileURLToPath(new URL('../..', import.meta.url)),
    include: ['server/test/**/*.test.ts'],
    exclude: left,
    globalSetup: ['server/test/support/cluster.ts'],
    setupFiles: ['server/test/support/each-file.ts'],
    environment: 'node',
    pool: 'forks',
    maxWorkers: 2,
    // What a test makes is soon gone: with more room for it, less of it is collected.
    execArgv: ['--max-semi-space-size=64'],
    sequence: { sequencer: longestFirst(longest) },
    // Two processes take all files: the program is loaded and warmed up twice, not ninety times. What files must not share, `each-file.ts` sets back.
    isolate: false,
    // Sweeps ask every call; a busy machine takes three times as long as a quiet one.
    testTimeout: 180_000,
    hookTimeout: 120_000,
  },
})
