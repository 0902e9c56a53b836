import { readFile } from 'node:fs/promises'
import { readXlsx } from 'hucre/xlsx'
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { comeIn, type Screen, type Visitor } from './browser.ts'
import { calm } from './calm.ts'
import { staffPassword } from './people.ts'
import type { Console } from './shell.ts'

/**
 * A screen of the console with a list and its windows, as a person uses it: by the words that stand there. What an action sets going has
 * come to its end when the action is over, so that what is read or pressed next is not about to be replaced.
 */
export interface Desk {
  readonly page: Page
  /** The window on top. */
  readonly window: Locator
  button(name: string): Locator
  /** Lines of the lists, by what stands in them. */
  row(text: string | RegExp): Locator
  /** What a line offers; what does not stand in it is in its menu. */
  act(row: Locator, action: string): Promise<void>
  tick(row: Locator): Promise<void>
  /** Fills boxes of the window by their labels: a text is typed, a text in brackets chosen from what drops down. */
  fill(values: Readonly<Record<string, string | readonly [string]>>): Promise<void>
  /** Presses what the window is for and waits until it is gone. */
  done(button?: string): Promise<void>
  /** Presses it, and the window stays and says why. */
  refused(text: string | RegExp, button?: string): Promise<void>
  /** The question on top says what it is about, and is answered. */
  answer(text: string | RegExp, button: string): Promise<void>
  find(values: Readonly<Record<string, string>>): Promise<void>
  /** A short message comes. */
  said(text: string | RegExp): Promise<void>
  /** Presses the button, without a name that of exports, and reads a sheet of the workbook that comes, the first unless another is meant, row by row. */
  book(name?: string, sheet?: number): Promise<readonly string[][]>
  /** Opens a window by its button and sends it empty: it lies on the screen, and so does what is wrong with it. */
  reach(button: string): Promise<void>
}

interface Words {
  readonly save: string
  readonly search: string
  readonly export: string
  readonly wanted: RegExp
}
const chineseWords: Words = { save: '保存', search: '搜索', export: '导出', wanted: /^请(输入|选择)/ }
const englishWords: Words = { save: 'Save', search: 'Search', export: 'Export', wanted: /^Please (enter|select)/ }

/** What a line offers; what does not stand in it is in its menu. */
export const actOn = async (row: Locator, action: string): Promise<void> => {
  await row.waitFor()
  const page = row.page()
  const shown = row.getByRole('button', { name: action, exact: true })
  const menu = row.locator('[data-more]:visible')
  // What somebody may do can come after the rows.
  await shown.or(menu).first().waitFor()
  if ((await shown.count()) > 0) await shown.click()
  else {
    await menu.click()
    await page.getByRole('menuitem', { name: action, exact: true }).click()
  }
  await calm(page)
}

const deskOf = (page: Page, words: Words): Desk => {
  const window = page.locator('[role=dialog]:visible').last()
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const press = (name: string) => window.getByRole('button', { name, exact: true }).last().click()
  const isOnScreen = async (what: Locator): Promise<boolean> => {
    const box = await what.boundingBox()
    const { width, height } = page.viewportSize() ?? { width: 0, height: 0 }
    return box !== null && box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height
  }
  const desk: Desk = {
    page,
    window,
    button,
    row: text => page.locator('tbody tr[data-row]').filter({ hasText: text }),
    act: actOn,
    tick: row => row.getByRole('checkbox').first().check(),
    fill: async values => {
      for (const [label, value] of Object.entries(values)) {
        const box = window.getByLabel(label, { exact: true })
        if (typeof value === 'string') await box.fill(value)
        else {
          await box.click()
          await page.locator('.ant-select-dropdown:visible').getByText(value[0], { exact: true }).last().click()
        }
      }
    },
    done: async (name = words.save) => {
      const title = (await window.getAttribute('aria-labelledby')) ?? ''
      await press(name)
      await page.locator(`[role=dialog][aria-labelledby="${title}"]`).waitFor({ state: 'detached' })
      await calm(page)
    },
    refused: async (text, name = words.save) => {
      await press(name)
      await window.locator('.ant-form-item-explain-error, .field-error').filter({ hasText: text }).first().waitFor()
    },
    answer: async (text, name) => {
      await window.locator('.confirm-text').filter({ hasText: text }).waitFor()
      await press(name)
    },
    find: async values => {
      const search = page.getByRole('search').first()
      for (const [label, value] of Object.entries(values)) await search.getByLabel(label, { exact: true }).fill(value)
      await search.getByRole('button', { name: words.search, exact: true }).click()
      await calm(page)
    },
    said: text => page.locator('.toast').filter({ hasText: text }).first().waitFor(),
    book: async (name = words.export, sheet = 0) => {
      const [file] = await Promise.all([page.waitForEvent('download'), button(name).click()])
      expect(file.suggestedFilename()).toMatch(/\.xlsx$/)
      const { sheets } = await readXlsx(await readFile(await file.path()))
      return (sheets[sheet]?.rows ?? []).map(row => row.map(String))
    },
    reach: async name => {
      await button(name).click()
      const save = window.getByRole('button', { name: words.save, exact: true })
      await save.waitFor()
      await calm(page)
      expect(await isOnScreen(save), `“${words.save}” of “${name}”`).toBe(true)
      await desk.refused(words.wanted)
      await calm(page)
      expect(await isOnScreen(window.locator('.ant-form-item-explain-error, .field-error').first()), `what is wrong in “${name}”`).toBe(
        true,
      )
    },
  }
  return desk
}

export interface Seat {
  readonly visitor: Visitor
  readonly desk: Desk
}
/** Somebody at a screen, logged in. */
export const sitAt = async (
  office: Console,
  account: string,
  path: string,
  options: { readonly screen?: Screen; readonly language?: 'zh' | 'en' } = {},
): Promise<Seat> => {
  const visitor = await office.come(account, options)
  await comeIn(visitor, account, staffPassword, path)
  return { visitor, desk: deskOf(visitor.page, options.language === 'en' ? englishWords : chineseWords) }
}
