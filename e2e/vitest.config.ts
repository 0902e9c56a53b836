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
  'kill-disk',
]

/** Minutes of pressing every control, and a stranger on a slow line: part of `npm run test:long`. */
const minutes = ['windows', 'windows-phone', 'portal-newcomer']

/**
 * Walks through the screens of the administration and its shell, components tried one by one, and journeys whose every step has a medium test. They are part of `npm run test:long`, and
 * of `npm test -- --context <name>` for whoever works on them.
 */
const walks = [
  'access-duties-apart',
  'access-field-rule',
  'access-menu-of-roles',
  'access-rights',
  'access-role-switch',
  'auth-second-factor',
  'clock',
  'declared-actions',
  'declared-nouns',
  'develop-screens',
  'exam-after-release',
  'exam-wizard',
  'file-screens',
  'flow-approval',
  'installation-screens',
  'job-screens',
  'kit-parts',
  'kit-states',
  'login-one-time-password',
  'message-send',
  'news-journey',
  'organisation-account-proposals',
  'organisation-screens',
  'organisation-staff-register',
  'oversight-alerts',
  'oversight-screens',
  'pay-doubts',
  'pay-office',
  'person-verified-change',
  'reduction-journey',
  'reference-screens',
  'report-designer',
  'result-proof',
  'selection-journey',
  'shell-account',
  'shell-header',
  'shell-tabs',
  'signup-group',
  'signup-office',
  'tenancy-own-address',
  'rush',
  'tenancy-screens',
  'themes',
  'ticket-help',
  'ticket-place-lost',
  'transfer-screens',
  'workspace',
  'workspace-walks',
]

const { KAOPU_LONG: isLong, KAOPU_CONTEXT: context } = process.env
const left = isLong ? [] : context ? minutes : [...minutes, ...walks]

// Browser journeys and killed processes: the built web, the real server as a process of its own, a real Chromium.
export default defineConfig({
  test: {
    root: fileURLToPath(new URL('..', import.meta.url)),
    include: ['e2e/**/*.test.ts'],
    exclude: left.map(name => `e2e/${name}.test.ts`),
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
