import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { checkAccess } from './support/axe.ts'
import { clippedTexts, controlsOutside } from './support/pseudo.ts'
import { testEveryWindow } from './support/window-tour.ts'

/** A window lies on the screen, and what it is left by can be pressed where it stands. */
const unreachable = (page: Page, within: string): Promise<string[]> =>
  page.evaluate<string[]>(`(() => {
    const box = document.querySelector(${JSON.stringify(within)})
    if (box === null) return []
    const found = []
    const { left, right } = box.getBoundingClientRect()
    if (left < -1 || right > innerWidth + 1) found.push('the window lies from ' + Math.round(left) + ' to ' + Math.round(right) + ' px')
    for (const button of box.querySelectorAll('.form-footer button, .ant-modal-close, .ant-drawer-close')) {
      if (!button.checkVisibility()) continue
      const { left, top, width, height } = button.getBoundingClientRect()
      const hit = document.elementFromPoint(left + width / 2, top + height / 2)
      if (hit === null || !(button.contains(hit) || hit.contains(button))) found.push('cannot be pressed: ' + (button.getAttribute('aria-label') || button.textContent))
    }
    return found
  })()`)

describe('every window of every page on a phone', () => {
  const opened = testEveryWindow({
    title: '[S9.17][decisions 3.17] %s on %s: fits 390 px, can be left and keeps nobody out, in Chinese',
    language: 'zh',
    screen: 'phone',
    faultsOf: async (page, within) => [
      ...(await unreachable(page, within)),
      ...(await controlsOutside(page)),
      ...(await clippedTexts(page)),
      ...(await checkAccess(page, { within, colours: false })),
    ],
  })

  test('are more than a hundred of the console', () => {
    expect(opened.staff.length).toBeGreaterThan(100)
  })
})
