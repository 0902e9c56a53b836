// Photographs every page of console, portal and login at 390 and 1440 px, in both languages and three themes, against the demo:
// node tools/screens.ts --out <folder> [--only <part of a path>] [--url <running demo> --data <its folder>]
// [--screen desktop|phone] [--lang zh|en] [--theme theme-bule|dark|white] [--who nobody|staff|auditor|candidate]. A tool to look with, no test.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Page } from 'playwright-core'
import { settle } from '../e2e/support/axe.ts'
import { launchBrowser } from '../e2e/support/browser.ts'
import { freePort, newDataDir, removeData, startServer } from '../e2e/support/server.ts'
import { openTour, type Stop, tell, travellers, whole } from '../e2e/support/tour.ts'
import { lookOf } from '../web/src/kernel/theme/look.ts'
import { build } from './install.mjs'

const { values: wish } = parseArgs({
  options: {
    out: { type: 'string' },
    only: { type: 'string' },
    url: { type: 'string' },
    data: { type: 'string' },
    screen: { type: 'string' },
    lang: { type: 'string' },
    theme: { type: 'string' },
    who: { type: 'string' },
  },
})
if (wish.out === undefined) throw new Error('Say where the pictures go: --out <folder>')
const { out, only } = wish

/** All of them, or the one wished for; a name that does not exist is told, not photographed as nothing. */
const wished = <T extends string>(option: 'screen' | 'lang' | 'theme' | 'who', all: readonly T[]): readonly T[] => {
  const one = wish[option]
  if (one === undefined) return all
  const found = all.filter(each => each === one)
  if (found.length === 0) throw new Error(`--${option} is one of ${all.join(', ')}, not ${one}`)
  return found
}

const themes = wished('theme', ['theme-bule', 'dark', 'white'])
const languages = wished('lang', ['zh', 'en'])
const people = wished('who', travellers)
const screens = wished('screen', ['desktop', 'phone'])
const widths = { desktop: 1440, phone: 390 } as const

const nameOf = (stop: Stop): string => `${stop.who}${stop.pattern.replaceAll(/[/:]+/g, '-')}`.replace(/-$/, '')

/** A picture of the page that is open in each language and theme. */
const photograph = async (page: Page, name: string, width: number): Promise<void> => {
  for (const lang of languages) {
    await tell(page, { lang })
    await whole(page)
    for (const theme of themes) {
      await tell(page, { look: lookOf(theme, null, true) })
      await settle(page)
      const folder = join(out, String(width), `${theme}-${lang}`)
      mkdirSync(folder, { recursive: true })
      await page.screenshot({ path: join(folder, `${name}.jpg`), type: 'jpeg', quality: 80, fullPage: width === widths.phone })
    }
  }
}

const own =
  wish.url !== undefined && wish.data !== undefined
    ? { url: wish.url, dataDir: wish.data, stop: async () => {} }
    : await (async () => {
        await build(process.execPath)
        const dataDir = await newDataDir()
        const server = await startServer({ dataDir, port: await freePort(), env: { KAOPU_PROFILE: 'demo' } })
        return {
          url: server.url,
          dataDir,
          stop: async () => {
            await server.stop()
            await removeData(dataDir)
          },
        }
      })()
const browser = await launchBrowser()
try {
  for (const screen of screens) {
    const tour = await openTour(browser, own, screen)
    for (const stop of tour.stops.filter(one => people.includes(one.who) && (only === undefined || one.pattern.includes(only)))) {
      const page = await tour.open(stop)
      await photograph(page, nameOf(stop), widths[screen])
      console.log(`${widths[screen]} ${stop.pattern}`)
    }
    for (const { context } of Object.values(tour.people)) await context.close()
  }
} finally {
  await browser.close()
  await own.stop()
}
