import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, onTestFailed } from 'vitest'
import type { parts } from '../../web/src/features/kit/parts.ts'
import { comeIn, launchBrowser, type Visitor, visit } from './browser.ts'
import { openBackdoor } from './people.ts'
import { sharedServer } from './shared-server.ts'

/** Whether the keyboard is on it. */
export const isFocused = (one: Locator): Promise<boolean> =>
  one.evaluate(element => element === (globalThis as unknown as { document: { activeElement: unknown } }).document.activeElement)

/** The show of components for the tests of a file, before an administrator (周管理). There is a reviewer too (chushen). No test may leave a trouble. */
export const openKit = () => {
  let url: string
  let browser: Browser
  let admin: Visitor
  beforeAll(async () => {
    const server = await sharedServer()
    url = server.url
    const backdoor = await openBackdoor(server.dataDir)
    await backdoor.addStaff([
      { account: 'guanli', realName: '周管理', roles: ['admin'] },
      { account: 'chushen', realName: '郑初审', roles: ['reviewer1'] },
    ])
    await backdoor.close()
    browser = await launchBrowser()
    admin = await visit(browser, url, { name: '周管理', screen: 'desktop' })
    await comeIn(admin, 'guanli')
  })
  afterAll(async () => {
    await browser?.close()
  })
  afterEach(() => {
    onTestFailed(async () => console.log(await admin.fail()))
    expect(admin.troubles()).toEqual([])
  })
  return {
    get admin(): Visitor {
      return admin
    },
    get page(): Page {
      return admin.page
    },
    /** Somebody else at the same server. */
    visit: (options: Parameters<typeof visit>[2]): Promise<Visitor> => visit(browser, url, options),
    open: async (part: keyof typeof parts, more = ''): Promise<void> => {
      await admin.open(`/test/index?kit.part=${part}${more}`)
      await admin.page.locator('.kit-page h1').waitFor()
    },
    table: (name: string): Locator => admin.page.locator(`[data-table="${name}"]`),
    address: (): URLSearchParams => new URL(admin.page.url()).searchParams,
    /** A picture with a grain, as a photograph has it, so that it is large and can be made smaller. */
    picture: async (width: number, height: number): Promise<Buffer> => {
      const base64 = await admin.page.evaluate<string>(`(() => {
        const canvas = Object.assign(document.createElement('canvas'), { width: ${width}, height: ${height} })
        const draw = canvas.getContext('2d')
        const cells = draw.createImageData(${width}, ${height})
        for (let at = 0; at < cells.data.length; at += 1) cells.data[at] = at % 4 === 3 ? 255 : 96 + (Math.imul(at, 2654435761) >>> 27)
        draw.putImageData(cells, 0, 0)
        return canvas.toDataURL('image/jpeg', 0.95).split(',')[1]
      })()`)
      return Buffer.from(base64, 'base64')
    },
  }
}
