import { mkdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { expect, TestRunner } from 'vitest'
import { checkAccess, settle } from './axe.ts'
import { calm, countTraffic } from './calm.ts'
import { checkContrastNow, type Measured } from './contrast.ts'
import { staffPassword } from './people.ts'
import { testCaptcha } from './server.ts'
import { openSession } from './session.ts'

const shots = join(fileURLToPath(new URL('../..', import.meta.url)), 'test-results')

/**
 * A page of a test lives for seconds, and whatever is compiled goes with it: functions are compiled when they have run ten times as often as
 * usual, which takes a fifth off the processor time of opening pages. Loops that compute (the login without a picture) are compiled as ever.
 */
const compileLate = '--js-flags=--invocation-count-for-maglev=4000 --invocation-count-for-turbofan=12000'

const start = (more: readonly string[] = []): Promise<Browser> => {
  const { CHROME_PATH: executablePath = '/usr/bin/chromium', CHROME_ARGS: args = '["--no-sandbox"]' } = process.env
  // Under a locale of plain ASCII, a browser cannot write the Chinese name of a download.
  return chromium.launch({
    executablePath,
    args: [...(JSON.parse(args) as string[]), compileLate, ...more],
    env: { ...process.env, LC_ALL: 'C.UTF-8' },
  })
}

/** A browser of its own whose camera sees a film. */
export const launchWithCamera = (film: string): Promise<Browser> =>
  start(['--use-fake-ui-for-media-stream', '--use-fake-device-for-media-stream', `--use-file-for-fake-video-capture=${film}`])

const launch = async (): Promise<Browser> => {
  const browser = await start()
  // The next file goes on with it; it ends with the worker.
  browser.close = async () => {
    rested.clear()
    await Promise.all(browser.contexts().map(context => context.close()))
  }
  return browser
}

let launched: Promise<Browser> | undefined

/** The browser of this worker. Each visitor of a file has a context of their own in it, and closing it closes these. */
export const launchBrowser = async (): Promise<Browser> => {
  const browser = await launched
  if (browser?.isConnected()) return browser
  launched = launch()
  return launched
}

export interface Visitor {
  readonly name: string
  readonly page: Page
  readonly context: BrowserContext
  /** Is gone when the test is over. Somebody who looks the same may sit down at the same browser then, and finds nothing of this one. */
  leave(): Promise<void>
  /** Goes to a path of the application. */
  open(path: string): Promise<void>
  /** Reads from the server as this person: what the screen shows must also be stored. */
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape -- parsing border
  ask(path: string, query?: Readonly<Record<string, string | number>>): Promise<any>
  /** The same with a body. */
  tell(path: string, json: Readonly<Record<string, unknown>>): Promise<unknown>
  /** How well everybody can use what is on the screen; with KAOPU_SHOTS=1 also a picture of it. */
  look(name: string): Promise<void>
  /** The application's text of a refusal that a step provokes, as part of the browser's error line. */
  expectRefusal(status: number): void
  /** A picture of what was on the screen when a step failed, and its words: of the window on top, or of the page. */
  fail(): Promise<string>
  /** What went wrong behind the screen since the last call. */
  troubles(): readonly string[]
}

/**
 * Chinese on an English page: what is drawn, without the rows of tables, what is marked as Chinese, and the names that people gave.
 * Server data has the language of whoever typed it.
 */
export const chineseTexts = async (page: Page, names: readonly string[] = []): Promise<string[]> => {
  const texts = await page.evaluate<string[]>(`(() => {
    const found = []
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (walk.nextNode()) {
      const { parentElement, data } = walk.currentNode
      if (/\\p{Script=Han}/u.test(data) && parentElement.checkVisibility() && !parentElement.closest('tbody, [lang^=zh], option')) found.push(data.trim())
    }
    return found
  })()`)
  const without = (text: string) => [...names].sort((a, b) => b.length - a.length).reduce((rest, name) => rest.replaceAll(name, ''), text)
  return texts.map(without).filter(text => /\p{Script=Han}/u.test(text))
}

const isLong = process.env['KAOPU_LONG'] !== undefined
/** Colours that somebody has looked at in this worker; `npm run test:long` measures every text of every look. */
const measured: Measured = new Map()

let pictures = 0
/** Of each part of a screen on which a step failed, in characters. */
const shownWords = 600

const screens = {
  desktop: { viewport: { width: 1440, height: 900 } },
  laptop: { viewport: { width: 1024, height: 768 } },
  tablet: { viewport: { width: 768, height: 1024 }, hasTouch: true },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 },
  inApp: {
    viewport: { width: 390, height: 780 },
    hasTouch: true,
    isMobile: true,
    deviceScaleFactor: 2,
    userAgent:
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 MicroMessenger/8.0.49(0x18003137) NetType/WIFI Language/zh_CN',
  },
} as const

export type Screen = keyof typeof screens

/** Those whose browsers are open, with what saves their traces. */
const recorded = new Map<BrowserContext, () => Promise<void>>()

/** Photographs and measurements (tools/screens.ts, bench/web) use these visitors too; they have no test to record. */
const isTest = process.env['VITEST'] !== undefined
const isFailing = (): boolean => isTest && TestRunner.getCurrentTest()?.result?.state === 'fail'

/**
 * Records what somebody does and sees. Of a test that fails it is saved as `test-results/<file>.<name>.zip`; otherwise it is never written down.
 * A context that is shut by the hooks of its file saves its own, the others are saved by `saveTraces`.
 */
const record = async (context: BrowserContext, name: string): Promise<void> => {
  if (!isTest) return
  // Pictures of the page would need scripts in it, which some pages of ours forbid.
  const options = { snapshots: false, screenshots: false } as const
  const { testPath = 'unknown' } = expect.getState()
  const path = join(shots, `${basename(testPath).replace(/\.test\.ts$/, '')}.${name.replaceAll(/[^\p{L}\p{N}-]/gu, '_')}.zip`)
  await context.tracing.start(options)
  const save = async () => {
    await context.tracing.stop({ path })
    await context.tracing.start(options)
  }
  const close = context.close.bind(context)
  context.close = async reason => {
    // Once only: whoever fails later would save an empty one over it.
    if (recorded.delete(context) && isFailing()) await context.tracing.stop({ path })
    await close(reason)
  }
  recorded.set(context, save)
  context.on('close', () => recorded.delete(context))
}

/** Saves the traces of everybody whose browser is still open; for a test that has failed (`each-file.ts`). */
export const saveTraces = async (): Promise<void> => {
  for (const save of recorded.values()) await save()
}

/** Contexts that visitors of a file have left: what they kept is cleared, the programs of the pages are still at hand. By what the visitors looked like. */
const rested = new Map<string, BrowserContext[]>()

/** Contexts in which something was changed that no clearing takes back. */
const altered = new WeakSet<BrowserContext>()

const altering = [
  'addInitScript',
  'route',
  'routeWebSocket',
  'exposeBinding',
  'exposeFunction',
  'grantPermissions',
  'setOffline',
  'setGeolocation',
] as const

/** Remembers that a context was altered. */
const watchAltering = (context: BrowserContext): void => {
  const watched = <T extends object>(of: T, names: readonly (keyof T)[]) => {
    for (const name of names) {
      const method = of[name] as (...all: unknown[]) => unknown
      Object.assign(of, {
        [name]: (...all: unknown[]) => {
          altered.add(context)
          return method.apply(of, all)
        },
      })
    }
  }
  watched(context, altering)
  watched(context.clock, ['install', 'pauseAt', 'setFixedTime', 'setSystemTime'])
}

/**
 * What a call of the program's own pages carries. Each goes by a connection of its own: one that rested may be closed by the server at the moment
 * the next call is sent, and unlike a browser whoever asks here does not try again.
 */
const ownHeaders = async (context: BrowserContext): Promise<Record<string, string>> => {
  const token = (await context.cookies()).find(cookie => cookie.name === 'kaopu-access-token')?.value ?? ''
  return {
    Connection: 'close',
    Authorization: `Basic ${Buffer.from('kaopu-web:kaopu-web').toString('base64')}`,
    'Blade-Auth': `bearer ${decodeURIComponent(token)}`,
  }
}

const open = async (browser: Browser, url: string, screen: Screen, language: 'zh' | 'en'): Promise<BrowserContext> => {
  const context = await browser.newContext({
    ...screens[screen],
    baseURL: url,
    locale: language === 'zh' ? 'zh-CN' : 'en-GB',
    timezoneId: 'Asia/Shanghai',
    reducedMotion: 'reduce',
  })
  context.setDefaultTimeout(15_000)
  watchAltering(context)
  return context
}

/** A person with a browser of their own; everything that goes wrong behind the screen is kept. */
export const visit = async (
  browser: Browser,
  url: string,
  options: { readonly name: string; readonly screen: Screen; readonly language?: 'zh' | 'en' },
): Promise<Visitor> => {
  const { name, screen, language = 'zh' } = options
  const looks = `${url} ${screen} ${language}`
  const again = rested.get(looks)?.pop()
  const context = again ?? (await open(browser, url, screen, language))
  let found: string[] = []
  let allowed: number[] = []
  const { host } = new URL(url)
  const watch = (page: Page) => {
    page.on('console', message => {
      if (message.type() !== 'error') return
      const status = Number(/status of (\d{3})/.exec(message.text())?.[1])
      const at = allowed.indexOf(status)
      if (at >= 0) allowed = allowed.toSpliced(at, 1)
      else found.push(`console: ${message.text()} ${message.location().url}`)
    })
    page.on('pageerror', error => found.push(`error: ${error.stack ?? error.message}`))
    page.on('request', request => {
      const target = new URL(request.url())
      if (/^https?:$/.test(target.protocol) && target.host !== host) found.push(`foreign host: ${request.url()}`)
    })
    page.on('response', response => {
      if (response.status() >= 500) found.push(`${response.status()} ${response.request().method()} ${response.url()}`)
    })
  }
  context.on('page', watch)
  countTraffic(context)
  await record(context, name)
  const page = await context.newPage()
  if (again !== undefined) {
    const session = await context.newCDPSession(page)
    await session.send('Storage.clearDataForOrigin', { origin: new URL(url).origin, storageTypes: 'all' })
    await session.detach()
  }

  return {
    name,
    page,
    context,
    open: async path => void (await page.goto(path)),
    leave: async () => {
      if (altered.has(context) || isFailing()) return context.close()
      if (recorded.delete(context)) await context.tracing.stop()
      for (const one of context.pages()) await one.close()
      for (const event of ['page', 'request', 'requestfinished', 'requestfailed', 'response'] as const) context.removeAllListeners(event)
      await context.clearCookies()
      rested.set(looks, [...(rested.get(looks) ?? []), context])
    },
    ask: async (path, query = {}) => {
      const response = await context.request.get(`/api${path}`, { params: query, headers: await ownHeaders(context) })
      const body = await response.json()
      expect(body, `GET ${path}`).toMatchObject({ success: true })
      return body.data
    },
    tell: async (path, json) => {
      const response = await context.request.post(`/api${path}`, { data: json, headers: await ownHeaders(context) })
      const body = await response.json()
      expect(body, `POST ${path}`).toMatchObject({ success: true })
      return body.data
    },
    look: async shot => {
      await settle(page)
      if (process.env['KAOPU_SHOTS']) {
        pictures += 1
        mkdirSync(shots, { recursive: true })
        await page.screenshot({ path: join(shots, `${String(pictures).padStart(2, '0')}-${shot}.png`), fullPage: screen === 'phone' })
      }
      const lines = await checkAccess(page, { colours: isLong })
      if (!isLong) lines.push(...(await checkContrastNow(page, measured)))
      expect(lines, `axe on ${shot} (${page.url()})`).toEqual([])
      const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth')
      expect(overflow, `${shot} scrolls sideways`).toBeLessThanOrEqual(0)
    },
    expectRefusal: status => void allowed.push(status),
    fail: async () => {
      mkdirSync(shots, { recursive: true })
      const words = page.locator('[role=dialog]:visible, .toast:visible, main').allInnerTexts()
      await page.screenshot({ path: join(shots, `failed-${name}.png`) }).catch(() => {})
      const text = (await words.catch(() => ['the page does not answer'])).map(part => part.replace(/\s+/g, ' ').slice(0, shownWords))
      return `${name} at ${page.url()} saw:\n  ${text.join('\n  ')}`
    },
    troubles: () => {
      const now = found
      found = []
      return now
    },
  }
}

/** Fills the login page and sends it; what comes of it is the caller's to see. */
export const typeLogin = async (page: Page, account: string, password = staffPassword): Promise<void> => {
  await page.locator('[name=username]').fill(account)
  await page.locator('[name=password]').fill(password)
  await page.locator('[name=captcha]').fill(testCaptcha)
  await page.locator('.captcha img').waitFor()
  await page.locator('.login-submit').click()
}

/** Logs in on the login page, as a person does. */
export const logIn = async (visitor: Visitor, account: string, password = staffPassword): Promise<void> => {
  const { page } = visitor
  await visitor.open('/login')
  await typeLogin(page, account, password)
  await page.waitForURL(target => target.pathname !== '/login')
}

/**
 * Somebody who logged in before the test begins, on the first page that is theirs. The session is one that the server gave for the
 * password; only the login page was left out, which has its own tests.
 */
export const comeIn = async (visitor: Visitor, account: string, password = staffPassword, path = '/'): Promise<void> => {
  await openSession(visitor.context, account, password)
  await visitor.open(path)
  await calm(visitor.page)
}
