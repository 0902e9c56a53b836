import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { comeIn, launchBrowser, type Visitor, visit } from './support/browser.ts'
import { calm } from './support/calm.ts'
import { portalPaths } from './support/registry.ts'
import { freePort, newDataDir, type RunningServer, removeData, startServer } from './support/server.ts'
import { tell, whole } from './support/tour.ts'

interface DemoAccount {
  readonly account: string
  readonly password: string
  readonly tenantId: string
}

let server: RunningServer
let browser: Browser
let person: Visitor

beforeAll(async () => {
  const dataDir = await newDataDir('demo')
  server = await startServer({ dataDir, port: await freePort(), env: { KAOPU_PROFILE: 'demo' } })
  browser = await launchBrowser()
  person = await visit(browser, server.url, { name: 'candidate1', screen: 'phone' })
  const accounts = JSON.parse(await readFile(join(dataDir, 'demo-accounts.json'), 'utf8')) as readonly DemoAccount[]
  const candidate = accounts.find(one => one.account === 'candidate1' && one.tenantId === '000000')
  if (candidate === undefined) throw new Error('the demo has no candidate1')
  await comeIn(person, candidate.account, candidate.password)
})
afterAll(async () => {
  await browser?.close()
  await server?.stop()
  if (server) await removeData(server.dataDir)
})

const plainPaths = portalPaths().filter(path => !path.startsWith('/register') && !path.includes(':'))
const sideways = async (visitor: Visitor): Promise<number> =>
  visitor.page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth')

describe('the portal on a phone', () => {
  test('can be installed: the manifest, its icons and the worker are served as browsers want them', async () => {
    await person.open('/')
    const href = await person.page.locator('link[rel=manifest]').getAttribute('href')
    const manifest = (await (await fetch(`${server.url}${href}`)).json()) as {
      readonly name: string
      readonly short_name: string
      readonly icons: readonly { src: string; sizes: string; type: string; purpose: string }[]
    }
    expect(manifest).toMatchObject({ start_url: '/', scope: '/', display: 'standalone', lang: 'zh-CN' })
    expect([manifest.name, manifest.short_name].every(name => typeof name === 'string' && name.length > 0)).toBe(true)
    const sizes: string[] = []
    for (const icon of manifest.icons) {
      const response = await fetch(`${server.url}${icon.src}`)
      expect(response.headers.get('content-type')).toBe(icon.type)
      const png = Buffer.from(await response.arrayBuffer())
      // Width and height stand in the first chunk of a PNG.
      expect(`${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`).toBe(icon.sizes)
      sizes.push(`${icon.sizes} ${icon.purpose}`)
    }
    expect(sizes).toEqual(['192x192 any', '512x512 any', '512x512 maskable'])
    const worker = await fetch(`${server.url}/sw.js`)
    expect([worker.status, worker.headers.get('cache-control'), worker.headers.get('content-type')]).toEqual([
      200,
      'no-cache',
      'application/javascript; charset=utf-8',
    ])
  })

  test('“back” closes a sheet and stays on the page; a sheet that was closed leaves nothing behind', async () => {
    const { page } = person
    await person.open('/')
    await page.getByRole('link', { name: '我的', exact: true }).click()
    const details = page.getByRole('button', { name: '查看详情' }).first()
    await details.click()
    const sheet = page.locator('dialog.p-sheet')
    await sheet.waitFor()
    await page.goBack()
    await sheet.waitFor({ state: 'detached' })
    expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe('/signup/myExam')
    await details.click()
    await sheet.getByRole('button', { name: '关闭' }).first().click()
    await sheet.waitFor({ state: 'detached' })
    expect(new URL(page.url()).pathname).toBe('/signup/myExam')
    await page.goBack()
    await page.waitForURL(`${server.url}/`)
  })

  test('[S7.50] results open at the examination that has some, whatever was signed up for since', async () => {
    const { page } = person
    await person.open('/signup/score')
    await page.getByRole('heading', { name: '2025年区卫生健康系统公开招聘工作人员' }).waitFor()
    await page.getByText('岗位排名').waitFor()
    const [newest] = await page
      .getByLabel('选择考试')
      .locator('option')
      .allInnerTexts()
      .then(texts => texts.slice(1))
    expect(newest).toBe('2026年区卫生健康系统事业单位公开招聘')
    await person.look('score-of-several')
  })

  test('[S1.07] a page names its window, the first page the platform, in both languages', async () => {
    const { page } = person
    const named = (title: string) => expect.poll(() => page.title()).toBe(title)
    await person.open('/')
    await named('区卫生健康系统人才招聘平台')
    await page.getByRole('navigation', { name: '主导航' }).getByRole('link', { name: '我的' }).click()
    await named('我的报名')
    await page.getByRole('button', { name: 'EN', exact: true }).click()
    await named('My sign-ups')
    await page.goBack()
    await named('District Health System Talent Recruitment Platform')
    await page.getByRole('button', { name: '中文', exact: true }).click()
    await named('区卫生健康系统人才招聘平台')
  })

  test('large type is one press away, stays and speaks plainly', async () => {
    const { page } = person
    await page.setViewportSize({ width: 360, height: 780 })
    await person.open('/')
    // The portal may still be on its way after the page itself has come.
    const sizeOf = async () => {
      await page.locator('.portal').waitFor()
      return page.evaluate<string>(`getComputedStyle(document.querySelector('.portal')).fontSize`)
    }
    expect(await sizeOf()).toBe('16px')
    await page.getByRole('button', { name: '大字版' }).click()
    await page.locator('html[data-big]').waitFor()
    await expect.poll(sizeOf).toBe('20px')
    await page.reload()
    await expect.poll(sizeOf).toBe('20px')
    await page.getByText('要交的钱').first().waitFor()
    await page.getByRole('button', { name: '大字版' }).click()
    await expect.poll(sizeOf).toBe('16px')
  })

  test('the keyboard of the phone hides neither the field that is typed into nor puts it under a bar', async () => {
    const { page } = person
    await page.setViewportSize({ width: 390, height: 844 })
    await person.open('/info/index')
    await whole(page)
    await page.locator('[name=email]').focus()
    // The page gives way to the keyboard: `interactive-widget` of index.html.
    await page.setViewportSize({ width: 390, height: 420 })
    await expect
      .poll(() =>
        page.evaluate(`(() => {
          const { left, top, width, height } = document.activeElement.getBoundingClientRect()
          return document.elementFromPoint(left + width / 2, top + height / 2)?.getAttribute('name')
        })()`),
      )
      .toBe('email')
    await page.setViewportSize({ width: 390, height: 844 })
  })

  test('nothing has to be scrolled sideways, however narrow the screen, in both languages and in large type', async () => {
    const { page } = person
    const tightest = [
      { what: 'a phone of 640 pixels at 200 %', width: 320, lang: 'en', big: null },
      { what: 'the narrowest phone in large type', width: 360, lang: 'zh', big: true },
    ]
    const wider = [
      { what: 'a phone of 640 pixels at 200 %', width: 320, lang: 'zh', big: null },
      { what: 'the narrowest phone', width: 360, lang: 'en', big: null },
      { what: 'the narrowest phone', width: 360, lang: 'zh', big: null },
      { what: 'a computer of 1,280 pixels at 200 %', width: 640, lang: 'zh', big: null },
      { what: 'a computer of 1,280 pixels at 200 %', width: 640, lang: 'en', big: null },
    ]
    const ways = [...tightest, ...(process.env['KAOPU_LONG'] ? wider : [])]
    const broken: string[] = []
    for (const path of plainPaths) {
      await person.open(path)
      await whole(page)
      for (const { what, width, lang, big } of ways) {
        await tell(page, { lang, big })
        await page.setViewportSize({ width, height: 780 })
        await page.locator(`html[lang^=${lang}]${big ? '[data-big]' : ':not([data-big])'}`).waitFor()
        await calm(page)
        const over = await sideways(person)
        if (over > 0) broken.push(`${path} on ${what}, ${lang}: ${over}px`)
      }
    }
    await tell(page, { lang: 'zh', big: null })
    expect(broken).toEqual([])
  })

  test('[S9.17] from 992 px on two columns stand side by side while both can be read, in large type too', async () => {
    const { page } = person
    const columns = () => page.locator('.p-cols > *').evaluateAll(all => all.map(one => Math.round(one.getBoundingClientRect().width)))
    await page.setViewportSize({ width: 992, height: 900 })
    for (const path of ['/', '/signup/myExam']) {
      await tell(page, { big: null })
      await person.open(path)
      await whole(page)
      const usual = await columns()
      await tell(page, { big: true })
      await page.locator('html[data-big]').waitFor()
      await calm(page)
      const large = await columns()
      // Side by side together with the gap between; one below the other each as wide as the page.
      expect([usual.length, large.length, Math.min(...usual, ...large) >= 300, large[0] === large[1]], path).toEqual([2, 2, true, true])
    }
    await tell(page, { big: null })
  })

  test('a page that was seen opens without a network and says how old it is; leaving takes it away', async () => {
    const { page, context } = person
    await page.setViewportSize({ width: 390, height: 844 })
    await person.open('/signup/myExam')
    await whole(page)
    const exam = await page.getByRole('article').first().getByRole('heading').innerText()
    // The worker has fetched its files when it is the one that answers.
    await page.evaluate('navigator.serviceWorker.ready.then(() => {})')
    await context.setOffline(true)
    await person.open('/signup/myExam')
    await page.getByRole('heading', { name: exam }).waitFor()
    await page.getByText(/网络不可用。当前显示的是 \d{4}-\d\d-\d\d \d\d:\d\d 的内容/).waitFor()
    await person.look('portal-offline')
    // The phone is online before anything gets through: the first calls fail, and nothing tells the page when that is over.
    let failed = 0
    await page.route('**/api/**', route => {
      failed += 1
      return route.abort('internetdisconnected')
    })
    await context.setOffline(false)
    await expect.poll(() => failed).toBeGreaterThan(0)
    await calm(page)
    await page.unroute('**/api/**')
    await page.getByText('网络不可用').waitFor({ state: 'detached' })
    const copies = () => page.evaluate<number>(`Object.keys(localStorage).filter(name => name.startsWith('kaopu-read-')).length`)
    expect(await copies()).toBeGreaterThan(0)
    await person.open('/info/index')
    await page.getByRole('button', { name: '退出登录' }).click()
    await page.getByRole('dialog').getByRole('button', { name: '退出登录' }).click()
    await page.waitForURL('**/login')
    await expect.poll(copies).toBe(0)
    person.troubles()
  })
})
