import { openBench } from './browser.ts'
import type { Place } from './works.ts'

const lists = ['/system/param', '/exam/examination', '/examine/signup', '/pay/examPay', '/pay/payOrder']

export interface HeapRun {
  readonly minutes: number
  /** MB of all ten tabs together, each minute. */
  readonly megabytes: readonly number[]
}

/** Ten tabs of the browser open for some minutes, their lists refreshed again and again: what is kept must not grow. */
export const tenTabs = async (place: Place, minutes: number): Promise<HeapRun> => {
  const tabs = await Promise.all(Array.from({ length: 10 }, () => openBench(place.browser, place.url, { state: place.staff, cpu: 1 })))
  const megabytes: number[] = []
  try {
    for (const [at, tab] of tabs.entries()) {
      await tab.page.goto(lists[at % lists.length] ?? '/')
      await tab.page.locator('.data-table tbody tr td').first().waitFor()
    }
    const began = Date.now()
    const refreshAll = async () => {
      for (const { page } of tabs) {
        await page.getByRole('button', { name: '刷新', exact: true }).click()
        await page.waitForLoadState('networkidle')
      }
    }
    // The first rounds fill the caches.
    await refreshAll()
    await refreshAll()
    for (let minute = 0; minute <= minutes; minute++) {
      while (Date.now() - began < minute * 60_000) await refreshAll()
      const each = await Promise.all(tabs.map(tab => tab.heapMb()))
      megabytes.push(each.reduce((sum, one) => sum + one, 0))
      console.log(`minute ${minute}: ${megabytes.at(-1)?.toFixed(1)} MB`)
    }
    return { minutes, megabytes }
  } finally {
    for (const tab of tabs) await tab.close()
  }
}
