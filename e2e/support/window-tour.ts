import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from './browser.ts'
import { freePort, newDataDir, type RunningServer, removeData, startServer } from './server.ts'
import { openTour, planTour, type Stop, type Tour, tell, type Who, whole } from './tour.ts'
import { prepareWalk, walkWindows } from './windows.ts'

interface Options {
  /** Of the tests, with the statements that they are about. */
  readonly title: string
  readonly language: 'zh' | 'en'
  /** For all travellers; without it each has their usual one. */
  readonly screen?: 'phone'
  /** Before the first page is opened. */
  readonly prepare?: (tour: Tour) => Promise<unknown>
  /** Everything that is wrong with the window on top. */
  readonly faultsOf: (page: Page, within: string) => Promise<readonly string[]>
}

/** Its windows are the kit's own examples, and each of them stands on a real page. */
const showcase = '/test/index'
const planned = (await planTour()).filter(([, pattern]) => pattern !== showcase)

/** One test per page, in which every window that can be opened there is looked at. @returns the windows that were opened so far, by who opened them */
export const testEveryWindow = ({ title, language, screen, prepare, faultsOf }: Options): Readonly<Record<Who, readonly string[]>> => {
  /** Controls that are the same on every page are pressed on the first one that has them. */
  const known: Readonly<Record<Who, Set<string>>> = { nobody: new Set(), staff: new Set(), auditor: new Set(), candidate: new Set() }
  const opened: Record<Who, string[]> = { nobody: [], staff: [], auditor: [], candidate: [] }
  let server: RunningServer
  let browser: Browser
  let tour: Tour
  beforeAll(async () => {
    const dataDir = await newDataDir('demo')
    server = await startServer({ dataDir, port: await freePort(), env: { KAOPU_PROFILE: 'demo' } })
    browser = await launchBrowser()
    tour = await openTour(browser, server, screen)
    await prepare?.(tour)
    for (const { context } of Object.values(tour.people)) await prepareWalk(context)
  })
  afterAll(async () => {
    await browser?.close()
    await server?.stop()
    if (server) await removeData(server.dataDir)
  })
  const openIn = async (stop: Stop): Promise<Page> => {
    const page = await tour.open(stop)
    if (!(await page.locator('html').getAttribute('lang'))?.startsWith(language)) {
      await tell(page, { lang: language })
      await page.reload()
      await whole(page)
    }
    return page
  }
  test.each(planned)(title, { timeout: 300_000 }, async (who, pattern) => {
    const stop = tour.stops.find(one => one.who === who && one.pattern === pattern)
    if (stop === undefined) throw new Error(`the tour does not come to ${pattern}`)
    const found: string[] = []
    await walkWindows(await openIn(stop), {
      known: known[who],
      root: '#main',
      reopen: async () => void (await tour.open(stop)),
      look: async (way, within) => {
        opened[who].push(`${pattern} › ${way}`)
        found.push(...(await faultsOf(tour.people[who].page, within)).map(fault => `${way}: ${fault}`))
      },
    })
    expect(found).toEqual([])
  })
  return opened
}
