import type { Page } from 'playwright-core'
import { lookOf } from '../../web/src/kernel/theme/look.ts'
import { type Measured, measure, newPlaces } from './contrast.ts'
import { tell } from './tour.ts'

/** The default of the console, the dark one, and the one that is nothing but white. */
const themes = ['theme-bule', 'dark', 'white'] as const

/** What cannot be read for its colours in one of three themes (`contrast.ts`). */
export const checkContrast = async (page: Page, measured: Measured): Promise<string[]> => {
  const places = await newPlaces(page, measured, false)
  if (places.length === 0) return []
  const lines: string[] = []
  for (const theme of themes) {
    await tell(page, { look: lookOf(theme, null, true) })
    await page.locator(`html[data-preset=${theme}]`).waitFor()
    lines.push(...(await measure(page, places)).map(line => `${theme} ${line}`))
  }
  return lines
}
