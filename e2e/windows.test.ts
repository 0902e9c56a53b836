import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkAccess, launchBrowser } from './support/browser.ts'
import { checkContrast, type Measured } from './support/colours.ts'
import { clippedTexts, foreignTexts, sameEverywhere, speakPseudo } from './support/pseudo.ts'
import { freePort, newDataDir, type RunningServer, removeData, startServer } from './support/server.ts'
import { openTour, planTour, type Stop, type Tour, tell, type Who, whole } from './support/tour.ts'
import { prepareWalk, walkWindows } from './support/windows.ts'

const measured: Measured = new Map()
/** Controls that are the same on every page are pressed on the first one that has them. */
const known: Readonly<Record<Who, Set<string>>> = { nobody: new Set(), staff: new Set(), auditor: new Set(), candidate: new Set() }
const opened: Record<Who, string[]> = { nobody: [], staff: [], auditor: [], candidate: [] }

/** Its windows are the kit's own examples, and each of them stands on a real page. */
const showcase = '/test/index'
const planned = (await planTour()).filter(([, pattern]) => pattern !== showcase)

let server: RunningServer
let browser: Browser
let tour: Tour

beforeAll(async () => {
  const dataDir = await newDataDir('demo')
  server = await startServer({ dataDir, port: await freePort(), env: { KAOPU_PROFILE: 'demo' } })
  browser = await launchBrowser()
  tour = await openTour(browser, server)
  for (const { context } of Object.values(tour.people)) {
    await speakPseudo(context)
    await prepareWalk(context)
  }
})
afterAll(async () => {
  await browser?.close()
  await server?.stop()
  if (server) await removeData(server.dataDir)
})

/** Everything that is wrong with the window on top, in a language that nobody speaks. */
const faultsOf = async (stop: Stop, within: string): Promise<string[]> => {
  const { page } = tour.people[stop.who]
  return [
    ...(await foreignTexts(page, sameEverywhere)),
    ...(await clippedTexts(page)),
    ...(await checkAccess(page, { within, colours: false })),
    ...(await checkContrast(page, measured)),
  ]
}

describe('every window of every page', () => {
  test.each(planned)(
    '[S1.07][S2.34][S2.35] %s on %s: keeps nobody out and has every text from a dictionary',
    {
      timeout: 300_000,
    },
    async (who, pattern) => {
      const stop = tour.stops.find(one => one.who === who && one.pattern === pattern)
      if (stop === undefined) throw new Error(`the tour does not come to ${pattern}`)
      const found: string[] = []
      const { page } = tour.people[who]
      await tour.open(stop)
      if ((await page.locator('html').getAttribute('lang')) !== 'en') {
        await tell(page, { lang: 'en' })
        await page.reload()
        await whole(page)
      }
      await walkWindows(page, {
        known: known[who],
        root: '#main',
        reopen: async () => void (await tour.open(stop)),
        look: async (way, within) => {
          opened[who].push(`${pattern} › ${way}`)
          found.push(...(await faultsOf(stop, within)).map(fault => `${way}: ${fault}`))
        },
      })
      expect(found).toEqual([])
    },
  )

  // A walk that opens nothing would find nothing wrong.
  test('are more than a hundred of the console and these of the portal', () => {
    expect([opened.staff.length > 100, opened.candidate.map(way => way.split(' ')[0])]).toEqual([
      true,
      ['/signup/myExam', '/signup/myExam', '/signup/examPay', '/info/index'],
    ])
  })
})
