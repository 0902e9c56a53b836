import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContext } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { firstCallsOfConsole } from '../web/src/boot/first-calls.ts'
import { launchBrowser } from './support/browser.ts'
import { calm, countTraffic } from './support/calm.ts'
import { freePort, newDataDir, type RunningServer, removeData, startServer } from './support/server.ts'
import { openTour, type Tour, type Who } from './support/tour.ts'

let server: RunningServer
let browser: Browser
let tour: Tour

beforeAll(async () => {
  server = await startServer({ dataDir: await newDataDir('demo'), port: await freePort(), env: { KAOPU_PROFILE: 'demo' } })
  browser = await launchBrowser()
  tour = await openTour(browser, server)
})
afterAll(async () => {
  await browser?.close()
  await server?.stop()
  if (server) await removeData(server.dataDir)
})

const manifestPath = join(import.meta.dirname, '..', 'web', 'dist', '.vite', 'manifest.json')
/** The file of the build that a module begins. */
const fileOf = (module: string): string => {
  const manifest: Readonly<Record<string, { readonly file: string }>> = JSON.parse(readFileSync(manifestPath, 'utf8'))
  const file = manifest[module]?.file
  if (file === undefined) throw new Error(`no file of the build begins ${module}`)
  return file
}

/** What an earlier page of the tour began is another page's. */
const freshContext = async (who: Who): Promise<BrowserContext> =>
  browser.newContext({
    baseURL: server.url,
    locale: 'zh-CN',
    serviceWorkers: 'block',
    storageState: await tour.people[who].context.storageState(),
  })

const waiting = `Object.keys(globalThis.kaopuAhead ?? {})`

describe('a page asks for all it needs at once (ADR 0080)', () => {
  test.each([
    ['nobody', '/login', '.login-submit', ['/blade-auth/oauth/captcha']],
    ['staff', '/system/param', '.data-table tbody tr:not(.row-skeleton)', ['/blade-system/param/page?current=1&size=10']],
    ['staff', '/pay/examPay', '.data-table tbody tr:not(.row-skeleton)', ['/blade-examPay/exampay/list?current=1&size=10']],
    [
      'staff',
      '/wel/dashboard',
      '.stat-card',
      ['/blade-exam/examination/page?current=1&size=200', '/blade-signup/statistics/getStatisticsInfo'],
    ],
    ['candidate', '/', '.p-hero', ['/blade-signup/signup/myExamList?current=1&size=50']],
  ] as const)('%s at %s: nothing is asked for in vain or twice', async (who, path, shown, calls) => {
    const context = await freshContext(who)
    try {
      const page = await context.newPage()
      const asked: string[] = []
      const troubles: string[] = []
      page.on('request', request => asked.push(request.url().slice(server.url.length)))
      page.on('console', message => message.type() === 'error' && troubles.push(message.text()))
      page.on('pageerror', error => troubles.push(error.message))
      await page.goto(path, { waitUntil: 'commit' })
      await page.locator(shown).first().waitFor()
      await page.waitForLoadState('networkidle')
      for (const call of calls) expect(asked.filter(url => url === `/api${call}`)).toEqual([`/api${call}`])
      expect(await page.evaluate<string[]>(waiting)).toEqual([])
      expect(troubles).toEqual([])
    } finally {
      await context.close()
    }
  })

  /** All of them are opened by `npm run test:long`. */
  const opened = Object.keys(firstCallsOfConsole).filter(
    path => process.env['KAOPU_LONG'] || ['/exam/examination', '/pay/payOrder'].includes(path),
  )
  test.each(opened)('%s takes every answer that is asked for ahead of it', async path => {
    const context = await freshContext('staff')
    try {
      countTraffic(context)
      const page = await context.newPage()
      await page.goto(path, { waitUntil: 'commit' })
      await page.getByRole('navigation', { name: '主菜单' }).waitFor()
      await calm(page)
      expect(await page.evaluate<string[]>(waiting)).toEqual([])
    } finally {
      await context.close()
    }
  })

  test('[S2.40] each page, size and condition of a list is asked for once', async () => {
    const context = await freshContext('staff')
    try {
      const page = await context.newPage()
      const asked: Readonly<Record<string, string>>[] = []
      page.on('request', request => {
        const { pathname, searchParams } = new URL(request.url())
        if (pathname.endsWith('/getExamineList')) asked.push(Object.fromEntries(searchParams))
      })
      const pager = page.locator('.pager')
      const steps = [
        () => pager.getByRole('button', { name: '第 2 页' }).click(),
        () => pager.locator('select').selectOption('100'),
        () => page.locator('.search-row').getByRole('button', { name: '搜索' }).click(),
        () => page.locator('.search-row').getByRole('button', { name: '清空' }).click(),
      ]
      const answered = () => page.waitForResponse(response => response.url().includes('/getExamineList?'))
      await page.goto('/examine/signup')
      await page.locator('.data-table:not([data-busy="true"]) tbody tr:not(.row-skeleton) td').first().waitFor()
      for (const step of steps) await Promise.all([answered(), step()])
      await page.waitForLoadState('networkidle')
      expect(asked.map(({ examId, ...of }) => [of, examId === asked[0]?.examId])).toEqual(
        [
          { current: '1', size: '10' },
          { current: '2', size: '10' },
          { current: '1', size: '100' },
          { current: '1', size: '100' },
          { current: '1', size: '100' },
        ].map(of => [{ ...of, count: 'capped' }, true]),
      )
    } finally {
      await context.close()
    }
  })

  test('[S2.40] a long list of an examination, counted to its end, is asked for once when its conditions are cleared', async () => {
    const context = await freshContext('staff')
    try {
      const page = await context.newPage()
      const asked: (string | null)[] = []
      await page.route('**/getExamineList?*', async route => {
        const count = new URL(route.request().url()).searchParams.get('count')
        asked.push(count)
        const response = await route.fetch()
        const body = await response.json()
        await route.fulfill({ response, json: { ...body, data: { ...body.data, atLeast: count === 'capped' } } })
      })
      await page.goto('/examine/signup')
      const answered = () => page.waitForResponse(response => response.url().includes('/getExamineList?'))
      await Promise.all([answered(), page.getByRole('button', { name: '统计全部' }).click()])
      await page.getByRole('button', { name: '统计全部' }).waitFor({ state: 'detached' })
      await Promise.all([answered(), page.locator('.search-row').getByRole('button', { name: '清空' }).click()])
      await page.waitForLoadState('networkidle')
      expect(asked).toEqual(['capped', 'exact', 'exact'])
    } finally {
      await context.close()
    }
  })

  /** Three pages of one way to choose an examination; all of them in `npm run test:long`. */
  const choosing = ['/exam/typeCode', ...(process.env['KAOPU_LONG'] ? ['/exam/signitems', '/result/result'] : [])]
  test.each(choosing)('%s says that the examinations did not come, and goes on when they do', async path => {
    const context = await freshContext('staff')
    try {
      const page = await context.newPage()
      await page.route('**/blade-exam/examination/page?*', route =>
        route.fulfill({ status: 500, json: { code: 500, success: false, data: null, msg: '系统错误' } }),
      )
      await page.goto(path)
      const again = page.getByRole('main').getByRole('button', { name: '重试' })
      await again.waitFor()
      await page.unrouteAll({ behavior: 'wait' })
      await again.click()
      await page.locator('.data-table, .state:not([role=alert])').first().waitFor()
    } finally {
      await context.close()
    }
  })

  test('without the program the first answers are on their way', async () => {
    const context = await freshContext('staff')
    try {
      const page = await context.newPage()
      const asked: string[] = []
      page.on('request', request => asked.push(request.url().slice(server.url.length)))
      await page.route(/assets\/.*\.js/, route => route.abort())
      await page.goto('/system/param')
      expect(asked).toContain('/api/blade-system/menu/routes')
      expect(asked).toContain('/api/blade-system/param/page?current=1&size=10')
    } finally {
      await context.close()
    }
  })

  test('[S2.08] the figures of the dashboard are asked for while its page is on the way', async () => {
    // Whoever has the list of examinations finds the dashboard in their workspace.
    const context = await freshContext('auditor')
    try {
      const page = await context.newPage()
      // It does not come while the test runs.
      await page.route(`**/${fileOf('src/features/statistics/dashboard/page.tsx')}`, () => {})
      const asked = page.waitForRequest(request => request.url().endsWith('/api/blade-signup/statistics/getStatisticsInfo'))
      await page.goto('/wel/dashboard')
      expect((await asked).postDataJSON()).toEqual({ examId: expect.stringMatching(/^\d+$/), dims: 'stage' })
      expect(await page.locator('.stat-card').count()).toBe(0)
    } finally {
      await context.close()
    }
  })

  test('[issue 4 section 5] an address outside of the menu is shown as what it is, and no call is refused over it', async () => {
    const context = await freshContext('auditor')
    try {
      const page = await context.newPage()
      const refused: string[] = []
      page.on('response', response => response.status() >= 400 && refused.push(response.url()))
      await page.goto('/system/param')
      await page.getByRole('heading', { name: '没有访问权限' }).waitFor()
      await page.waitForLoadState('networkidle')
      expect(refused).toEqual([])
    } finally {
      await context.close()
    }
  })

  test('what comes late for the mouse takes no button its colours', async () => {
    const context = await freshContext('candidate')
    try {
      const page = await context.newPage()
      await page.goto('/signup/examPay')
      const pay = page.getByRole('button', { name: '去缴费' })
      const styleOf = (name: 'color' | 'filter') =>
        pay.evaluate(
          (element, of) =>
            (globalThis as unknown as { getComputedStyle(of: unknown): Record<string, string> }).getComputedStyle(element)[of],
          name,
        )
      const before = await styleOf('color')
      await pay.hover()
      await expect.poll(() => styleOf('filter')).toBe('brightness(0.94)')
      expect(await styleOf('color')).toBe(before)
    } finally {
      await context.close()
    }
  })

  test('only the script that stands in the page may run beside our own files', async () => {
    const answer = await tour.people.nobody.page.request.get('/login')
    const policy = answer.headers()['content-security-policy'] ?? ''
    const scriptsOf = (text: string) => [...text.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, script = '']) => script)
    const scripts = new Set<string>()
    // One policy for all pages: what stands in the program's own, and in the one that verifies scores.
    for (const path of ['/login', '/verify.html'])
      for (const script of scriptsOf(await (await tour.people.nobody.page.request.get(path)).text())) scripts.add(script)
    expect(scripts.size).toBeGreaterThan(1)
    expect(/script-src ([^;]+)/.exec(policy)?.[1]?.split(' ')).toEqual([
      "'self'",
      ...[...scripts].map(script => `'sha256-${createHash('sha256').update(script).digest('base64')}'`),
    ])
    expect(answer.headers()['cache-control']).toBe('no-cache')
    // What is in a page that everybody's cache may keep is nobody's.
    expect((await answer.text()) === (await (await tour.people.staff.page.request.get('/login')).text())).toBe(true)
  })
})
