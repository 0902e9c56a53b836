import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest'
import { comeIn, launchBrowser, type Visitor, visit } from './support/browser.ts'
import { freePort, newDataDir, type RunningServer, removeData, startServer } from './support/server.ts'

// A reviewer of the demo who never touches the mouse.

let server: RunningServer
let browser: Browser
let reviewer: Visitor

beforeAll(async () => {
  const dataDir = await newDataDir('demo')
  server = await startServer({ dataDir, port: await freePort(), env: { KAOPU_PROFILE: 'demo' } })
  const accounts = JSON.parse(readFileSync(join(dataDir, 'demo-accounts.json'), 'utf8')) as {
    role: string
    account: string
    password: string
  }[]
  const own = accounts.find(one => one.role === 'reviewer1')
  if (own === undefined) throw new Error('the demo has no reviewer')
  browser = await launchBrowser()
  reviewer = await visit(browser, server.url, { name: '初审', screen: 'desktop' })
  await comeIn(reviewer, own.account, own.password, '/examine/list')
})
afterAll(async () => {
  await browser?.close()
  await server?.stop()
  if (server) await removeData(server.dataDir)
})

test('the list begins with what waits for the reviewer, also where the rights come after the examinations', async () => {
  const { page } = reviewer
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
  await page.route('**/api/blade-system/menu/buttons', async route => {
    await held
    await route.continue()
  })
  const exams = page.waitForResponse(/\/examination\/page\?/)
  await page.goto('/examine/list')
  await (await exams).finished()
  await page.evaluate('new Promise(done => requestIdleCallback(() => setTimeout(() => requestIdleCallback(done))))')
  letGo()
  await page.waitForURL(/[?&]examine=1/)
  await page.locator('a[data-signup]').first().waitFor()
  await page.unrouteAll({ behavior: 'wait' })
})

test('[S4.10] three sign-ups are decided and one decision is undone by keyboard alone', async () => {
  onTestFailed(async () => {
    console.log(await reviewer.fail())
    console.log(`--- server\n${server.output()}`)
  })
  const { page } = reviewer
  const { keyboard } = page
  const open = page.getByRole('region', { name: '审核决定' })
  const said = (text: RegExp) => page.getByRole('status').filter({ hasText: text }).or(page.getByText(text)).first().waitFor()
  const nameShown = async () => (await page.locator('.work-who h1').innerText()).replace(/^审核/, '').trim()
  /** The next sign-up is open and the reviewer may decide. */
  const ready = async (not: string) => {
    await page.locator('.work-who h1').filter({ hasNotText: not }).waitFor()
    await page.locator('.decision-remark:not([disabled])').waitFor()
  }
  const answerYes = async () => {
    await page.getByRole('dialog').getByRole('button', { name: /取消/ }).and(page.locator(':focus')).waitFor()
    await keyboard.press('Tab')
    await keyboard.press('Enter')
  }
  await page.locator('a[data-signup]').first().waitFor()
  const examId = new URL(page.url()).searchParams.get('examId') ?? ''
  await keyboard.press('j')
  await keyboard.press('j')
  await keyboard.press('k')
  await page.locator('a[data-signup]:focus').waitFor()
  await keyboard.press('Enter')
  await open.waitFor()
  // On paper, which is narrow, a sheet has all three of its parts and nothing that decides.
  const usual = page.viewportSize()
  await page.setViewportSize({ width: 718, height: 1_000 })
  await page.emulateMedia({ media: 'print' })
  expect(await page.locator('.pane').filter({ visible: true }).count()).toBe(3)
  expect(await page.locator('.decision-bar, .work-tabs, .work-nav').filter({ visible: true }).count()).toBe(0)
  // Nor what is pressed to see more, or the name of a judgement that nobody has made.
  expect(await page.locator('.reveal-link, .photo-state').filter({ visible: true }).count()).toBe(0)
  await page.emulateMedia({ media: null })
  if (usual !== null) await page.setViewportSize(usual)
  await ready('-')
  const first = await nameShown()

  // Returned with an advice on a file and what it says in the remark.
  await keyboard.press(']')
  await keyboard.press('m')
  await keyboard.type('第二页看不清，请重新上传')
  await keyboard.press('Enter')
  await keyboard.press('2')
  await page.getByRole('button', { name: '确认退回' }).waitFor()
  await keyboard.press('Control+Enter')
  await said(new RegExp(`${first}：已退回`))
  await ready(first)
  const second = await nameShown()

  await keyboard.press('3')
  await keyboard.type('不符合岗位学历要求')
  await keyboard.press('Control+Enter')
  await said(new RegExp(`${second}：`))
  await ready(second)
  const third = await nameShown()

  await keyboard.press('r')
  await keyboard.press('+')
  await keyboard.press('0')
  await keyboard.press('1')
  // What the checks doubt is asked about once more, with the way back in focus.
  const sure = page.getByRole('dialog')
  await sure
    .or(page.getByText(`${third}：初审已通过，转入复核`))
    .first()
    .waitFor()
  if (await sure.isVisible()) await answerYes()
  await said(new RegExp(`${third}：初审已通过，转入复核`))
  await ready(third)
  await reviewer.look('review-keys-next')

  await keyboard.press('u')
  await page.locator('.work-who h1').filter({ hasText: third }).waitFor()
  await page.getByRole('button', { name: /^撤回决定/ }).waitFor()
  await reviewer.look('review-keys-decided')
  await keyboard.press('u')
  await answerYes()
  await said(new RegExp(`${third}：决定已撤回`))
  await page.locator('.decision-remark:not([disabled])').waitFor()
  const waiting = page.url()

  // Why somebody was refused stands in the list and at the top of the sheet, where nothing is left that cannot be pressed.
  await page.goto(`/examine/list?${new URLSearchParams({ examId, examine: '4', keyword: second })}`)
  const row = page.getByRole('row').filter({ hasText: '不符合岗位学历要求' })
  await row.waitFor()
  expect(await page.getByRole('columnheader', { name: /等待时长|锁定人/ }).count()).toBe(0)
  await row.locator('a[data-signup]').click()
  await page
    .locator('.work-decided')
    .filter({ hasText: /初审 · .+ · 不通过.*不符合岗位学历要求/ })
    .waitFor()
  expect(await page.locator('.decision-bar, .work-spent').count()).toBe(0)
  // What follows needs a sheet that may be decided.
  await page.goto(waiting)
  await page.locator('.decision-remark:not([disabled])').waitFor()
  expect(reviewer.troubles()).toEqual([])
})

test('[27.1] a text is kept while it is written, and comes back by Alt and its number where it was written', async () => {
  onTestFailed(async () => console.log(await reviewer.fail()))
  const { page } = reviewer
  const { keyboard } = page
  const text = '请上传原件的彩色扫描件'
  await keyboard.press('m')
  await keyboard.type(text)
  await page.getByRole('button', { name: '存为我的提示语' }).click()
  await page.getByText('已存为个人提示语').first().waitFor()
  const editor = page.locator('.advice-editor textarea')
  await editor.press('Escape')
  await keyboard.press('m')
  await page.locator('.advice-editor').getByRole('button', { name: text }).waitFor()
  await reviewer.look('review-texts')
  await editor.press('Alt+1')
  await page.locator('.advice-note').getByText(text).waitFor()
  await expect
    .poll(async () => (await reviewer.ask('/blade-examineTip/examinetip/list')).records[0])
    .toMatchObject({ content: text, kind: 2, scope: 1, useCount: 1 })
  // Who has written goes on from there: the keys of the page work, and the way back into the text is the next thing.
  const focused = page.locator(':focus')
  await expect.poll(() => focused.textContent()).toBe('编辑')
  await page.locator('.advice-note').getByRole('button', { name: '删除意见' }).click()
  expect(reviewer.troubles()).toEqual([])
})

test('[26.9] what is written while a return is being confirmed has one editor, and is followed by the usual remark', async () => {
  onTestFailed(async () => console.log(await reviewer.fail()))
  const { page } = reviewer
  const remark = page.locator('.decision-remark')
  await page.locator('.work-who h1').click()
  await page.keyboard.press('2')
  await page.getByRole('heading', { name: /^退回修改/ }).waitFor()
  await page.locator('.pane-answers .advice-add').first().click()
  expect(await page.locator('.advice-editor').count()).toBe(1)
  await page.locator('.advice-editor textarea').fill('请核对')
  await page.locator('.advice-editor textarea').press('Enter')
  await expect.poll(() => page.locator('.decision-remark:focus').count()).toBe(1)
  expect(await remark.inputValue()).not.toBe('')
  await remark.fill('')
  await remark.press('Escape')
  await page.locator('.advice-note').getByRole('button', { name: '删除意见' }).click()
  expect(reviewer.troubles()).toEqual([])
})

test('[S9.19] a full id number is asked for and comes encrypted by AES, and what was recorded cannot be sent again', async () => {
  onTestFailed(async () => console.log(await reviewer.fail()))
  const { page } = reviewer
  const base64 = /^[A-Za-z\d+/]{20,}={0,2}$/
  await page.getByRole('button', { name: '查看完整证件号' }).first().click()
  const dialog = page.getByRole('dialog', { name: '查看完整证件号' })
  // The browser's own tools do not show a body that is a Blob: what is handed to the network and what comes from it is taken there.
  await page.evaluate(`(() => {
    const send = globalThis.fetch
    globalThis.fetch = async (url, init) => {
      const answer = await send(url, init)
      if (String(url).includes('signup/reveal')) globalThis.onTheWire = { sent: await new Response(init.body).text(), came: await answer.clone().text() }
      return answer
    }
  })()`)
  const asked = page.waitForRequest(/signup\/reveal/)
  await dialog.getByRole('button', { name: '查看完整' }).click()
  const request = await asked
  const idCard = await dialog.locator('.reveal-value').innerText()
  expect(idCard).toMatch(/^\d{17}[\dX]$/)
  const headers = await request.allHeaders()
  const { sent, came } = await page.evaluate<{ sent: string; came: string }>('onTheWire')
  expect({ sent, came }).toEqual({ sent: expect.stringMatching(base64), came: expect.stringMatching(base64) })
  expect(new URL(request.url()).search).toBe('')
  expect(headers).toMatchObject({
    'content-type': 'text/plain',
    'blade-auth': expect.stringMatching(/^crypto [A-Za-z\d+/=]+$/),
    'blade-crypto': expect.stringMatching(/^[\w-]{43}\.[\w-]{22}\.[\da-f]{64}$/),
  })
  const { ':authority': _a, ':method': _m, ':path': _p, ':scheme': _s, ...recorded } = headers
  const again = await reviewer.context.request.post(request.url(), { headers: recorded, data: sent })
  expect({ status: again.status(), body: await again.text() }).toMatchObject({
    status: 400,
    body: expect.stringContaining('kernel/crypto'),
  })
  expect(reviewer.troubles()).toEqual([])
})
