import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkAccess, launchBrowser } from './support/browser.ts'
import { checkContrast, type Measured } from './support/colours.ts'
import { clippedTexts, foreignTexts, sameEverywhere, speakPseudo } from './support/pseudo.ts'
import { freePort, newDataDir, type RunningServer, removeData, startServer } from './support/server.ts'
import { openTour, type Stop, type Tour, tell, type Who, whole } from './support/tour.ts'
import { prepareWalk, walkWindows } from './support/windows.ts'

const measured: Measured = new Map()

/** Its windows are the kit's own examples, and each of them stands on a real page. */
const showcase = '/test/index'

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
  test('[S1.07][S2.34][S2.35] keeps nobody out and has every text from a dictionary', { timeout: 900_000 }, async () => {
    const found: string[] = []
    const opened: Record<Who, number> = { nobody: 0, staff: 0, auditor: 0, candidate: 0 }
    const known = new Set<string>()
    const walk = async (who: Who, stops: readonly Stop[]) => {
      const { page } = tour.people[who]
      for (const stop of stops) {
        await tour.open(stop)
        if ((await page.locator('html').getAttribute('lang')) !== 'en') {
          await tell(page, { lang: 'en' })
          await page.reload()
          await whole(page)
        }
        await walkWindows(page, {
          known,
          root: '#main',
          reopen: async () => void (await tour.open(stop)),
          look: async (way, within) => {
            opened[who] += 1
            found.push(...(await faultsOf(stop, within)).map(fault => `${stop.pattern} › ${way}: ${fault}`))
          },
        })
      }
    }
    const of = (who: Who) => tour.stops.filter(stop => stop.who === who && stop.pattern !== showcase)
    await Promise.all([
      walk('staff', of('staff')),
      walk('candidate', of('candidate'))
        .then(() => walk('auditor', of('auditor')))
        .then(() => walk('nobody', of('nobody'))),
    ])
    expect(found).toEqual([])
    // A walk that opens nothing would find nothing wrong.
    expect(opened).toMatchObject({ staff: expect.toSatisfy(count => count > 100), candidate: expect.toSatisfy(count => count > 5) })
  })
})
