import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lookOf } from '../web/src/kernel/theme/look.ts'
import { checkAccess, launchBrowser, settle } from './support/browser.ts'
import { freePort, newDataDir, type RunningServer, removeData, startServer } from './support/server.ts'
import { openTour, type Tour, tell, type Who, whole } from './support/tour.ts'

/** The default of the console, the dark one, and the one that is nothing but white. */
const themes = ['theme-bule', 'dark', 'white'] as const
/** Only colours depend on the theme: the other rules are asked once for each language. */
const ways = (['zh', 'en'] as const).flatMap(lang =>
  themes.map(theme => ({ lang, theme, rules: theme === themes[0] ? undefined : ['color-contrast'] })),
)

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

describe('every page, in both languages and three themes', () => {
  test('[S2.34][S2.35] keeps nobody out: axe finds nothing serious or critical', { timeout: 300_000 }, async () => {
    const found: string[] = []
    const walk = async (who: Who) => {
      for (const stop of tour.stops.filter(one => one.who === who)) {
        const page = await tour.open(stop)
        for (const { theme, lang, rules } of ways) {
          await tell(page, { lang, look: lookOf(theme, null, true) })
          await page.locator(`html[lang^=${lang}][data-preset=${theme}]`).waitFor()
          await whole(page)
          await settle(page)
          found.push(...(await checkAccess(page, rules)).map(line => `${stop.pattern} ${theme} ${lang}: ${line}`))
        }
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
