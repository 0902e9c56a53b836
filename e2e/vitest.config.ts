import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files begin by their size. The walks through every page are short to read and last longest: begun last, a core would stand idle beside them. */
class WalksFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isWalk = (file: TestSpecification): boolean => /\/(accessibility|windows|windows-phone)\.test\.ts$/.test(file.moduleId)
    const sorted = await super.sort(files)
    return [...sorted.filter(isWalk), ...sorted.filter(file => !isWalk(file))]
  }
}

// Browser journeys and killed processes: the built web, the real server as a process of its own, a real Chromium.
export default defineConfig({
  test: {
    root: fileURLToPath(new URL('..', import.meta.url)),
    include: ['e2e/**/*.test.ts'],
    // Minutes of pressing every control: part of `npm run test:long`.
    exclude: process.env['KAOPU_LONG'] ? [] : ['e2e/windows.test.ts', 'e2e/windows-phone.test.ts'],
    globalSetup: ['e2e/support/run-dir.ts'],
    setupFiles: ['e2e/support/each-file.ts'],
    environment: 'node',
    pool: 'forks',
    // Each file has its own server, database and browser, and waits for them half of its time: two go side by side on two cores.
    maxWorkers: 2,
    sequence: { sequencer: WalksFirst },
    // What the files import is loaded twice, not for each of them.
    isolate: false,
    testTimeout: 180_000,
    // The first file of a profile makes the template of its data, and another may be waiting for it.
    hookTimeout: 300_000,
    // What a screen comes to takes as long as the machine is busy; a second would fail on a slow one.
    expect: { poll: { timeout: 15_000 } },
  },
})
