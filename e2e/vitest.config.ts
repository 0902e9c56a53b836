import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

// Browser journeys and killed processes: the built web, the real server as a process of its own, a real Chromium.
export default defineConfig({
  test: {
    root: fileURLToPath(new URL('..', import.meta.url)),
    include: ['e2e/**/*.test.ts'],
    globalSetup: ['e2e/support/run-dir.ts'],
    environment: 'node',
    pool: 'forks',
    // Each file has its own server and database; the machine has two cores.
    fileParallelism: false,
    testTimeout: 90_000,
    hookTimeout: 120_000,
    // What a screen comes to takes as long as the machine is busy; a second would fail on a slow one.
    expect: { poll: { timeout: 15_000 } },
  },
})
