import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

// Medium tests: the real server on a real PostgreSQL. One cluster a run, one cloned database a test file, new tenants a test.
export default defineConfig({
  test: {
    root: fileURLToPath(new URL('../..', import.meta.url)),
    include: ['server/test/**/*.test.ts'],
    globalSetup: ['server/test/support/cluster.ts'],
    setupFiles: ['server/test/support/each-file.ts'],
    environment: 'node',
    pool: 'forks',
    // On two cores too: each waits for the database a part of its time (390 s with two, 352 with three).
    maxWorkers: 3,
    // Three processes take all files: the program is loaded and warmed up three times, not a hundred. What files must not share, `each-file.ts` sets back.
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
})
