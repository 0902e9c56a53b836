import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Files begin by their size. Those that last longest go before them: begun last, a core would stand idle beside them. The first two need
 * different data, so that neither waits for the other to make the template of it.
 */
const longest = ['access', 'journey', 'pseudo', 'windows', 'windows-phone']
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const turnOf = ({ moduleId }: TestSpecification): number => {
      const at = longest.indexOf(basename(moduleId, '.test.ts'))
      return at < 0 ? longest.length : at
    }
    return (await super.sort(files)).toSorted((a, b) => turnOf(a) - turnOf(b))
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
    environment: 'node',
    pool: 'forks',
    // Each file has its own server, database and browser, and waits for them half of its time: two go side by side on two cores.
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    // What the files import is loaded twice, not for each of them.
    isolate: false,
    testTimeout: 180_000,
    // The first file of a profile makes the template of its data, and another may be waiting for it.
    hookTimeout: 300_000,
    // What a screen comes to takes as long as the machine is busy; a second would fail on a slow one.
    expect: { poll: { timeout: 15_000 } },
  },
})
