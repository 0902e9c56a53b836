import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkAccess, rulesOfLanguage } from './support/axe.ts'
import { launchBrowser } from './support/browser.ts'
import { checkContrast } from './support/colours.ts'
import type { Measured } from './support/contrast.ts'
import { clippedTexts, controlsOutside, foreignTexts, plainEnglish, sameEverywhere, speakPseudo } from './support/pseudo.ts'
import { freePort, newDataDir, type RunningServer, removeData, startServer } from './support/server.ts'
import { openTour, type Stop, type Tour, tell, type Who, whole } from './support/tour.ts'

/** The show of components fills its tables with people that it makes up itself. */
const showcase = '/test/index'

/**
 * One page of each kind: a door, lists, a tree, steps of a form, the workbench, charts, a page between others, and the portal's. Each other page is made
 * of the same parts, which stand on the show of components in all their states (`kit.test.ts`, `kit-parts.test.ts`); `npm run test:long` walks every page.
 */
const ofEachKind: ReadonlySet<string> = new Set([
  '/login',
  '/system/param',
  '/system/menu',
  '/exam/edit/:id',
  '/examine/work/:signupId',
  '/wel/dashboard',
  '/monitor/audit',
  '/403',
  '/',
  '/signup/form/:examId',
  '/info/index',
])
const isWalked = ({ pattern }: Stop): boolean => process.env['KAOPU_LONG'] !== undefined || ofEachKind.has(pattern)

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
    await context.addInitScript(`localStorage.setItem('kaopu-lang', '"en"')`)
  }
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
    const lines = [
      ...(await clippedTexts(page)),
      ...(await controlsOutside(page)),
      // Only here are most pages longer than their window.
      ...(await checkAccess(page, { only: ['scrollable-region-focusable'] })),
    ]
    found.push(...lines.map(line => `at ${size.width} px: ${line}`))
  }
  if (usual !== null) await page.setViewportSize(usual)
  return found
}

/** Lists some of whose columns lie under the actions or beyond the end, of those that are shown from the start. */
const columnsOutOfSight = async (page: Page): Promise<string[]> =>
  (page.viewportSize()?.width ?? 0) < 1440
    ? []
    : page.evaluate<string[]>(`[...document.querySelectorAll('.table-scroll[data-more=true]')]
        .filter(box => box.checkVisibility())
        .map(box => 'columns out of sight in ' + box.getAttribute('aria-label'))`)

/** Texts that come from no dictionary, and those that a longer one would cut off. */
const wordsAmiss = async (page: Page, pattern: string): Promise<string[]> => {
  const lines = [
    // A page without a marked text would prove nothing.
    ...((await page.locator('body').innerText()).includes('⟦') ? [] : ['no text of ours']),
    ...(await foreignTexts(page, sameEverywhere)),
    ...(await clippedTexts(page)),
  ]
  return lines.filter(line => !(pattern === showcase && /“\p{Script=Han}+” in (title of )?tr > td$/u.test(line)))
}

describe(
  process.env['KAOPU_LONG'] ? 'every page, in both languages and three themes' : 'a page of each kind, in both languages and three themes',
  () => {
    test('[S1.07][S2.34][S2.35][S9.17] keeps nobody out: axe finds nothing serious or critical, every text is from a dictionary, none is cut off where it is longer, at 200 % and at 320 px, and lists show their columns at 1440 px', {
      timeout: 900_000,
    }, async () => {
      const found: string[] = []
      const cut: string[] = []
      const words: string[] = []
      const measured: Measured = new Map()
      const walk = async (who: Who) => {
        for (const stop of tour.stops.filter(one => one.who === who && isWalked(one))) {
          const named = (lines: readonly string[]) => lines.map(line => `${stop.pattern} ${line}`)
          // First in a language nobody speaks, which stands for English.
          const page = await tour.open(stop)
          words.push(...named(await wordsAmiss(page, stop.pattern)))
          found.push(...named(await checkAccess(page, { only: rulesOfLanguage })).map(line => `en ${line}`))
          await plainEnglish(page)
          // Lists hear of their new width with the next frame.
          await whole(page)
          cut.push(...named(await columnsOutOfSight(page)))
          cut.push(...named(await cutWhenNarrow(page)))
          await tell(page, { lang: 'zh' })
          await page.locator('html[lang^=zh]').waitFor()
          await whole(page)
          cut.push(...named(await columnsOutOfSight(page)))
          found.push(...named(await checkAccess(page, { colours: false })).map(line => `zh ${line}`))
          // Only colours depend on the theme, and they alone do not depend on the language.
          found.push(...named(await checkContrast(page, measured)))
        }
      }
      await Promise.all([
        walk('nobody')
          .then(() => walk('candidate'))
          .then(() => walk('auditor')),
        walk('staff'),
      ])
      // A page that has gone elsewhere would be looked at by nobody.
      expect([...ofEachKind].filter(pattern => !tour.stops.some(stop => stop.pattern === pattern))).toEqual([])
      expect({ found, cut, words }).toEqual({ found: [], cut: [], words: [] })
    })
  },
)
