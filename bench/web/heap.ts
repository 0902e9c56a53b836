import type { Page } from 'playwright-core'
import { openBench } from './browser.ts'
import type { Kinds } from './snapshot.ts'
import type { Place } from './works.ts'

const lists = ['/system/param', '/exam/examination', '/examine/signup', '/pay/examPay', '/pay/payOrder']

/** The first refreshes fill the caches, and the browser makes machine code of what runs often; whoever works in a list does more than these. */
const warmRounds = 25

export interface HeapRun {
  readonly minutes: number
  /** MB of all ten tabs together: when they had just been opened, then each minute from the end of the warm-up. */
  readonly opened: number
  readonly megabytes: readonly number[]
  /** The same tabs by what the memory holds, at the first and the last of those minutes. */
  readonly first: Kinds
  readonly last: Kinds
}

/** Ten tabs of the browser open for some minutes, their lists refreshed again and again: what is kept must not grow. */
export const tenTabs = async (place: Place, minutes: number): Promise<HeapRun> => {
  const tabs = await Promise.all(Array.from({ length: 10 }, () => openBench(place.browser, place.url, { state: place.staff, cpu: 1 })))
  const megabytes: number[] = []
  const together = async () => (await Promise.all(tabs.map(tab => tab.heapMb()))).reduce((sum, one) => sum + one, 0)
  const kinds = async () => {
    const sum = { kept: 0, code: 0 }
    for (const tab of tabs) {
      const { kept, code } = await tab.heapKinds()
      sum.kept += kept
      sum.code += code
    }
    return sum
  }
  try {
    for (const [at, tab] of tabs.entries()) {
      await tab.page.goto(lists[at % lists.length] ?? '/')
      await tab.page.locator('.data-table tbody tr td').first().waitFor()
    }
    const refreshAll = async (arrived: (page: Page) => Promise<void>) => {
      for (const { page, slowest } of tabs) {
        await page.getByRole('button', { name: '刷新', exact: true }).click()
        await arrived(page)
        // What the measurement itself notes down is forgotten.
        await slowest()
      }
    }
    const rows = (page: Page) => page.locator('.table-scroll[data-busy="true"]').waitFor({ state: 'detached' })
    const quiet = (page: Page) => page.waitForLoadState('networkidle')
    await refreshAll(quiet)
    const opened = await together()
    console.log(`opened: ${opened.toFixed(1)} MB`)
    for (let round = 1; round < warmRounds; round++) await refreshAll(rows)
    const first = await kinds()
    const began = Date.now()
    for (let minute = 0; minute <= minutes; minute++) {
      while (Date.now() - began < minute * 60_000) await refreshAll(quiet)
      megabytes.push(await together())
      console.log(`minute ${minute}: ${megabytes.at(-1)?.toFixed(1)} MB`)
    }
    return { minutes, opened, megabytes, first, last: await kinds() }
  } finally {
    for (const tab of tabs) await tab.close()
  }
}
