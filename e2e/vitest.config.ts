import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { longestFirst } from '../tools/longest-first.ts'

/** Walks through pages, restarted processes, imports in the background. */
const longest = [
  'windows',
  'windows-phone',
  'journey',
  'kit',
  'tenancy-screens',
  'exam-after-release',
  'reference-screens',
  'accessibility',
  'exam-wizard',
  'portal-network',
  'portal-account',
  'clock',
  'transfer-screens',
  'person-verified-change',
  'kill',
]

// Browser journeys and killed processes: the built web, the real server as a process of its own, a real Chromium.
export default defineConfig({
  test: {
    root: fileURLToPath(new URL('..', import.meta.url)),
    include: ['e2e/**/*.test.ts'],
    // Part of `npm run test:long`: minutes of pressing every control, and a stranger on a slow line.
    exclude: process.env['KAOPU_LONG'] ? [] : ['e2e/windows.test.ts', 'e2e/windows-phone.test.ts', 'e2e/portal-newcomer.test.ts'],
    globalSetup: ['e2e/support/run-dir.ts'],
    setupFiles: ['e2e/support/each-file.ts'],
    environment: 'node',
    pool: 'forks',
    // Each has a browser and a server. A test waits for one or the other much of its time: three keep two cores busy.
    maxWorkers: 3,
    sequence: { sequencer: longestFirst(longest) },
    // What the files import is loaded once for each worker, not for each of them.
    isolate: false,
    testTimeout: 180_000,
    // The first file of a profile makes the template of its data, and another may be waiting for it.
    hookTimeout: 300_000,
    // What a screen comes to takes as long as the machine is busy; a second would fail on a slow one.
    expect: { poll: { timeout: 15_000 } },
  },
})
