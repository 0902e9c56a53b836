import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkAccess, launchBrowser } from './support/browser.ts'
import { checkContrast, type Measured } from './support/colours.ts'
import { clippedTexts, controlsOutside } from './support/pseudo.ts'
import { freePort, newDataDir, type RunningServer, removeData, startServer } from './support/server.ts'
import { openTour, type Tour, tell, type Who, whole } from './support/tour.ts'

let server: RunningServer
let browser: Browser
let tour: Tour

beforeAll(async () => {
  const dataDir = await newDataDir('demo')
  server = await startServer({ dataDir, port: await freePort(), env: { KAOPU_PROFILE: 'demo' } })
  browser = await launchBrowser()
  tour = await openTour(browser, server)
})
afterAll(async () => {
  await browser?.close()
  await server?.stop()
  if (server) await removeData(server.dataDir)
})

/** A window of 1440 px at 200 %, and the narrowest that has to do without scrolling sideways (WCAG 1.4.10). */
const narrow = [
  { width: 720, height: 450 },
  { width: 320, height: 640 },
] as const

/** What is cut off, lies outside or scrolls the whole page sideways when there is little room; in English, whose words are long. */
const cutWhenNarrow = async (page: Page): Promise<string[]> => {
  const usual = page.viewportSize()
  const found: string[] = []
  for (const size of narrow) {
    await page.setViewportSize(size)
    await whole(page)
    found.push(...[...(await clippedTexts(page)), ...(await controlsOutside(page))].map(line => `at ${size.width} px: ${line}`))
  }
  if (usual !== null) await page.setViewportSize(usual)
  return found
}

describe('every page, in both languages and three themes', () => {
  test('[S2.34][S2.35][S9.17] keeps nobody out: axe finds nothing serious or critical, and at 200 % and 320 px nothing is cut off', {
    timeout: 900_000,
  }, async () => {
    const found: string[] = []
    const cut: string[] = []
    const measured: Measured = new Map()
    const walk = async (who: Who) => {
      for (const stop of tour.stops.filter(one => one.who === who)) {
        const page = await tour.open(stop)
        for (const lang of ['zh', 'en'] as const) {
          await tell(page, { lang })
          await page.locator(`html[lang^=${lang}]`).waitFor()
          await whole(page)
          const lines = await checkAccess(page, { colours: false })
          // Only colours depend on the theme, and they alone do not depend on the language.
          if (lang === 'zh') lines.push(...(await checkContrast(page, measured)))
          found.push(...lines.map(line => `${stop.pattern} ${lang}: ${line}`))
        }
        cut.push(...(await cutWhenNarrow(page)).map(line => `${stop.pattern} ${line}`))
      }
    }
    await Promise.all([
      walk('nobody')
        .then(() => walk('candidate'))
        .then(() => walk('auditor')),
      walk('staff'),
    ])
    expect({ found, cut }).toEqual({ found: [], cut: [] })
  })
})
