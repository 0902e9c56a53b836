import type { Browser, BrowserContext } from 'playwright-core'
import { type Bench, type Load, openBench } from './browser.ts'
import { openFloor } from './floor.ts'

export type State = Awaited<ReturnType<BrowserContext['storageState']>>

/** Where to go and as whom: the server of the run, and two people who are logged in. */
export interface Place {
  readonly browser: Browser
  readonly url: string
  readonly staff: State
  readonly candidate: State
  readonly examId: string
}

const shows = (selector: string): string => `benchShows(${JSON.stringify(selector)})`
const rows = shows('.data-table tbody tr:not(.row-skeleton) td')
const settled = `!document.querySelector('[data-busy="true"], .row-skeleton')`
const rowCount = (count: number): string =>
  `document.querySelectorAll('.data-table tbody tr:not(.row-skeleton)').length === ${count} && ${settled}`

interface LoadWork {
  readonly name: string
  readonly who: 'nobody' | 'staff' | 'candidate'
  readonly path: (place: Place) => string
  readonly ready: string
  readonly later?: string
}

export const loads: readonly LoadWork[] = [
  { name: 'Login', who: 'nobody', path: () => '/login', ready: shows('.login-submit') },
  { name: 'First console list', who: 'staff', path: () => '/system/param', ready: rows },
  {
    name: 'Dashboard',
    who: 'staff',
    path: () => '/wel/dashboard',
    ready: `/\\d/.test(document.querySelector('.stat-card dd')?.textContent ?? '')`,
    later: shows('canvas'),
  },
  { name: 'Portal home, phone', who: 'candidate', path: () => '/', ready: shows('.p-hero') },
  {
    name: 'Portal sign-up form, phone',
    who: 'candidate',
    path: place => `/signup/form/${place.examId}`,
    ready: `[...document.querySelectorAll('main button')].some(one => one.textContent.includes('下一步') && one.checkVisibility())`,
  },
]

const stateOf = (place: Place, who: LoadWork['who']): { readonly state?: State } => (who === 'nobody' ? {} : { state: place[who] })

export const measureLoad = async (place: Place, work: LoadWork): Promise<Load> => {
  const bench = await openBench(place.browser, place.url, { phone: work.who === 'candidate', ...stateOf(place, work.who) })
  try {
    return await bench.load(work.path(place), work.ready, work.later)
  } finally {
    await bench.close()
  }
}

/** Milliseconds of each interaction, its slowest input event, and the heap of the list page, in one walk through the console. */
export interface Walk {
  readonly times: Readonly<Record<string, number>>
  readonly events: Readonly<Record<string, number>>
  /** What the floor took around each: the mean of just before and just after. */
  readonly floors: Readonly<Record<string, number>>
  readonly nextScreenKb: number
  readonly heapMb: number
}

export const walk = async (place: Place): Promise<Walk> => {
  const bench = await openBench(place.browser, place.url, { state: place.staff })
  const floor = await openFloor(place.browser)
  const { page } = bench
  const times: Record<string, number> = {}
  const events: Record<string, number> = {}
  const floors: Record<string, number> = {}
  const kb: Record<string, number> = {}
  const step = async (name: string, act: () => Promise<unknown>, ready: string) => {
    const before = await floor.measure()
    await bench.slowest()
    bench.kb()
    times[name] = await bench.time(act, ready)
    kb[name] = bench.kb()
    await page.waitForLoadState('networkidle')
    events[name] = await bench.slowest()
    floors[name] = (before + (await floor.measure())) / 2
  }
  try {
    await bench.load('/examine/signup', rows)
    await bench.network(false)
    const first = await page.locator('.data-table tbody tr').first().innerText()
    await step(
      'Next page of a list',
      () => page.locator('.pager-pages button[aria-label*="2"]').first().click(),
      `document.querySelector('.data-table tbody tr')?.innerText !== ${JSON.stringify(first)} && ${settled}`,
    )
    // A choice in a native list has no pointer of its own on the page. Both happen in one turn: time in which the tool that drives the
    // browser brings its own script there is not the product's.
    const sized = (rowsPerPage: number) => () =>
      page.evaluate(`(() => {
        const size = document.querySelector('.pager select')
        document.dispatchEvent(new PointerEvent('pointerdown'))
        size.value = '${rowsPerPage}'
        size.dispatchEvent(new Event('change', { bubbles: true }))
      })()`)
    await step('100 rows', sized(100), rowCount(100))
    await step('200 rows', sized(200), rowCount(200))
    await step('Back to 10 rows', sized(10), rowCount(10))
    const heapMb = await bench.heapMb()

    await step(
      'Theme switch',
      async () => {
        await page.getByRole('button', { name: '选择主题', exact: true }).click()
        await page.locator('input[value="d2"]').waitFor({ state: 'attached' })
        await bench.slowest()
        await page.evaluate(`document.addEventListener('pointerdown', () => {
          const began = performance.now()
          globalThis.benchTook = benchWait(() => document.documentElement.dataset.preset === 'd2').then(ended => ended - began)
        }, { capture: true, once: true })`)
        await page.locator('label:has(input[value="d2"])').click()
      },
      `true`,
    )
    await page.keyboard.press('Escape')

    await page.locator('.menu-item', { hasText: '缴费' }).first().click()
    await page.locator('.menu a[href="/pay/examPay"]').waitFor()
    await bench.network(true)
    await step(
      'Next screen, warm shell',
      () =>
        page.evaluate(`(() => {
        document.dispatchEvent(new PointerEvent('pointerdown'))
        document.querySelector('.menu a[href="/pay/examPay"]').click()
      })()`),
      `location.pathname === '/pay/examPay' && [...document.querySelectorAll('.data-table')].some(one => one.checkVisibility() && one.querySelector('tbody tr:not(.row-skeleton) td'))`,
    )
    await bench.network(false)
    await step(
      'Tab switch',
      () => page.locator('.tag-tab a', { hasText: '报名信息' }).click(),
      `location.pathname === '/examine/signup' && ${rows}`,
    )
    await editing(bench, step)
    return { times, events, floors, nextScreenKb: kb['Next screen, warm shell'] ?? 0, heapMb }
  } finally {
    await floor.close()
    await bench.close()
  }
}

type Step = (name: string, act: () => Promise<unknown>, ready: string) => Promise<void>

const editing = async ({ page }: Bench, step: Step): Promise<void> => {
  await page.goto('/system/param')
  const edit = page.locator('.data-table tbody tr').first().getByRole('button', { name: '编辑', exact: true })
  await edit.waitFor()
  await page.waitForLoadState('networkidle')
  const open = shows('.ant-modal input')
  await step('Edit dialog, first', () => edit.click(), open)
  await page.keyboard.press('Escape')
  await page.locator('.ant-modal').waitFor({ state: 'detached' })
  await step('Edit dialog, later', () => edit.click(), open)
}
