import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launchBrowser } from './support/browser.ts'
import { clippedTexts, foreignTexts, sameEverywhere, speakPseudo } from './support/pseudo.ts'
import { freePort, newDataDir, type RunningServer, removeData, startServer } from './support/server.ts'
import { openTour, type Tour, tell, type Who, whole } from './support/tour.ts'

/** The show of components fills its tables with people that it makes up itself. */
const showcase = '/test/index'

let server: RunningServer
let browser: Browser
let tour: Tour

beforeAll(async () => {
  const dataDir = await newDataDir('demo')
  server = await startServer({ dataDir, port: await freePort(), env: { KAOPU_PROFILE: 'demo' } })
  browser = await launchBrowser()
  tour = await openTour(browser, server)
  for (const { context } of Object.values(tour.people)) await speakPseudo(context)
})
afterAll(async () => {
  await browser?.close()
  await server?.stop()
  if (server) await removeData(server.dataDir)
})

describe('every page in a language that nobody speaks', () => {
  test('[S1.07][S2.34] has every text from a dictionary, and none is cut off by a longer one', { timeout: 900_000 }, async () => {
    const found: string[] = []
    const walk = async (who: Who) => {
      for (const stop of tour.stops.filter(one => one.who === who)) {
        const page = await tour.open(stop)
        if ((await page.locator('html').getAttribute('lang')) !== 'en') {
          await tell(page, { lang: 'en' })
          await page.reload()
          await whole(page)
        }
        // A page without a marked text would prove nothing.
        const lines = [
          ...((await page.locator('body').innerText()).includes('⟦') ? [] : ['no text of ours']),
          ...(await foreignTexts(page, sameEverywhere)),
          ...(await clippedTexts(page)),
        ]
        found.push(
          ...lines
            .filter(line => !(stop.pattern === showcase && /“\p{Script=Han}+” in (title of )?tr > td$/u.test(line)))
            .map(line => `${stop.pattern}: ${line}`),
        )
      }
    }
    await Promise.all([
      walk('nobody')
        .then(() => walk('candidate'))
        .then(() => walk('auditor')),
      walk('staff'),
    ])
    expect(found).toEqual([])
  })
})
