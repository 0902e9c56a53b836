import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { buildExam } from '../server/test/support/factories.ts'
import { type BadLine, badLine } from './support/bad-line.ts'
import { launchBrowser, type Visitor, visit } from './support/browser.ts'
import { seedData, windows } from './support/exam.ts'
import { type Backdoor, openBackdoor } from './support/people.ts'
import { keepSession } from './support/session.ts'
import { sharedServer } from './support/shared-server.ts'
import { ownTenant } from './support/tenant.ts'
import { whole } from './support/tour.ts'

let browser: Browser
let backdoor: Backdoor
let person: Visitor
let line: BadLine
let examId: string

beforeAll(async () => {
  const server = await sharedServer()
  backdoor = await openBackdoor(server.dataDir)
  examId = (
    await buildExam(backdoor, {
      exam: { ...windows, exam_name: '断网测试', exam_code: 'NET2026', year: Number(windows.sign_begin.slice(0, 4)) },
      items: { name: 1, idCardType: 1, idCard: 1, phone: 1, school: 1, major: 1 },
      files: { diploma: 1 },
    })
  ).examId
  const [member] = await backdoor.addCandidates(1)
  if (member === undefined) throw new Error('no candidate')
  browser = await launchBrowser()
  // The line has an address of its own, which is no tenant's: a session says whose it is.
  line = await badLine(new URL(server.url))
  person = await visit(browser, line.url, { name: 'crowd1', screen: 'phone' })
  await keepSession(person.context, line.url, member.token, {
    userId: '1',
    account: 'crowd1',
    realName: '王·测',
    nickName: '王·测',
    roleIds: [],
    roles: [],
    deptId: '',
    avatar: '',
    tenantId: ownTenant(),
    oauthId: '',
    userType: 2,
    userCode: '',
  })
})
afterAll(async () => {
  await browser?.close()
  await line?.close()
  await backdoor?.close()
})
beforeEach(() => void person.troubles())

const stored = async (): Promise<number> =>
  Number((await backdoor.db(db => db.one(sql<{ count: string }>`select count(*)::text as count from stored_file`))).count)
const diploma = fileURLToPath(seedData('portraits/diploma.jpg'))
const box = () => person.page.locator('[data-field="file:diploma"]')
const draft = async () => {
  const form = await person.ask('/blade-signup/signup/getExamInfoOrSignUpInfo', { examId })
  return { major: form.signup?.content?.major, files: form.signup?.files?.length ?? 0 }
}
const saved = () =>
  person.page
    .getByText(/已保存/)
    .first()
    .waitFor()

describe('a form on a bad line', () => {
  test('an upload whose connection drops in the middle goes on by itself; nothing is stored twice', async () => {
    const { page } = person
    await person.open(`/signup/form/${examId}?step=3`)
    await whole(page)
    const before = await stored()
    line.dropUploads(2)
    const arrived = page.waitForResponse(response => response.url().endsWith('/api/file/upload') && response.ok())
    await box().locator('input[type=file]').setInputFiles(diploma)
    await arrived
    await box().getByText('已上传').first().waitFor()
    expect([line.dropped(), await stored()]).toEqual([2, before + 1])
    await saved()
    await expect.poll(async () => (await draft()).files).toBe(1)
  })

  test('a file that arrived although its answer was lost is sent again with its key, and kept once', async () => {
    const { page } = person
    const before = await stored()
    const keys: (string | undefined)[] = []
    page.on('request', request => {
      if (request.url().endsWith('/api/file/upload')) keys.push(request.headers()['idempotency-key'])
    })
    line.loseAnswers(1)
    const arrived = page.waitForResponse(response => response.url().endsWith('/api/file/upload') && response.ok())
    await box()
      .locator('input[type=file]')
      .setInputFiles(fileURLToPath(seedData('portraits/id-back.jpg')))
    await arrived
    expect([line.lost(), await stored()]).toEqual([1, before + 1])
    // The browser repeats a request on a fresh connection by itself where it can, the page does where it cannot: one key either way.
    expect(new Set(keys).size).toBe(1)
  })

  test('what is typed without a network is kept on the phone and becomes the draft when it is back', async () => {
    const { page, context } = person
    await person.open(`/signup/form/${examId}?step=2&part=2`)
    await whole(page)
    await page.evaluate('navigator.serviceWorker.ready.then(() => {})')
    await context.setOffline(true)
    const major = page.locator('[name=major], [data-field=major] input').first()
    await major.fill('护理学')
    await page.getByText('已存在本机，联网后自动上传').waitFor()
    // The phone is switched off and on: still no network, nothing is lost.
    await person.open(`/signup/form/${examId}?step=2&part=2`)
    await page.getByText(/网络不可用。当前显示的是/).waitFor()
    expect(await major.inputValue()).toBe('护理学')
    await major.fill('护理学（专升本）')
    await page.getByText('已存在本机，联网后自动上传').waitFor()
    // As numbers of their own: the ids of files and fields are long and may hold any digits.
    expect(await page.evaluate<string>(`JSON.stringify({ ...localStorage })`)).not.toMatch(/(?<!\d)(3301\d{13}[\dX]|161\d{8})(?!\d)/)
    await context.setOffline(false)
    await saved()
    await expect.poll(async () => (await draft()).major).toBe('护理学（专升本）')
    expect(await major.inputValue()).toBe('护理学（专升本）')
  })

  test('a form that is opened again while its draft is on its way shows what was typed, and nothing older is saved over it', async () => {
    const { page } = person
    const form = `/signup/form/${examId}`
    const major = page.locator('[name=major], [data-field=major] input').first()
    await person.open(`/signup/exam/${examId}`)
    await page.locator(`a[href="${form}"]`).first().click()
    // It opens where its candidate was.
    await page.waitForURL(url => url.search === '?step=2&part=2')
    await major.fill('康复治疗学')
    // The draft reaches the server after a form that is asked for now has been read there, and is acknowledged before that form comes.
    const sending = Promise.withResolvers<void>()
    const acknowledged = page.waitForResponse(response => response.url().endsWith('/signup/submit'))
    await page.route('**/signup/submit', async route => {
      await sending.promise
      await route.continue()
    })
    await page.route('**/getExamInfoOrSignUpInfo?*', async route => {
      const response = await route.fetch()
      sending.resolve()
      await acknowledged
      await route.fulfill({ response })
    })
    const leaving = page.waitForRequest(request => request.url().endsWith('/signup/submit'))
    await page.goBack()
    await leaving
    await page.goForward()
    await page.locator('.p-skel').first().waitFor()
    // Nobody has asked for the form by now if it waits for the draft.
    await page.evaluate('new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve)))')
    sending.resolve()
    await whole(page)
    expect([await major.inputValue(), (await draft()).major]).toEqual(['康复治疗学', '康复治疗学'])
    await page.unrouteAll({ behavior: 'wait' })
  })

  test('a draft that arrived although its answer was lost is one’s own: typed on after a restart, nothing is asked', async () => {
    const { page, context } = person
    const form = `/signup/form/${examId}?step=2&part=2`
    const major = page.locator('[name=major], [data-field=major] input').first()
    await person.open(form)
    await whole(page)
    const before = line.lost()
    line.loseAnswers(99, '/api/blade-signup/signup/submit')
    await major.fill('针灸学')
    await page.getByText('已存在本机，联网后自动上传').waitFor()
    await expect.poll(async () => (await draft()).major).toBe('针灸学')
    // The phone is switched off before it hears that the draft arrived, and on again where there is no network.
    await page.goto('about:blank')
    expect(line.lost()).toBeGreaterThan(before)
    line.loseAnswers(0)
    await context.setOffline(true)
    await person.open(form)
    await page.getByText(/网络不可用。当前显示的是/).waitFor()
    expect(await major.inputValue()).toBe('针灸学')
    await major.fill('针灸推拿学')
    await context.setOffline(false)
    await expect.poll(async () => (await draft()).major).toBe('针灸推拿学')
    expect(await page.getByRole('dialog').count()).toBe(0)
  })

  test('a draft typed without a network is sent although its form is not opened again', async () => {
    const { page, context } = person
    await context.setOffline(true)
    const major = page.locator('[name=major], [data-field=major] input').first()
    await major.fill('助产学')
    await page.getByText('已存在本机，联网后自动上传').waitFor()
    await person.open('/')
    await context.setOffline(false)
    await page.getByText('没有网络时填写的内容已保存到报名草稿').waitFor()
    await expect.poll(async () => (await draft()).major).toBe('助产学')
  })

  test('a new version of the worker waits while a form is open: what is typed stays, and the version comes when the form is closed', async () => {
    const { page } = person
    // The page asks for its own worker when it has time; the other one comes after that, as a new build does.
    await page.addInitScript(`(() => {
      const { serviceWorker } = navigator
      const register = serviceWorker.register.bind(serviceWorker)
      serviceWorker.register = (...of) => register(...of).finally(() => { globalThis.hasAsked = true })
    })()`)
    await person.open(`/signup/form/${examId}?step=2&part=2`)
    await whole(page)
    await expect.poll(() => page.evaluate('globalThis.hasAsked')).toBe(true)
    const worker = (which: 'active' | 'waiting') =>
      page.evaluate<string>(`navigator.serviceWorker.getRegistration().then(one => one?.${which}?.scriptURL ?? '')`)
    const next = '/sw.js?next'
    await page.evaluate('globalThis.stillHere = true')
    const major = page.locator('[name=major], [data-field=major] input').first()
    await major.fill('中药学')
    // Another address is another worker for the browser, as a new build is.
    await page.evaluate(`navigator.serviceWorker.register('${next}').then(() => {})`)
    await expect.poll(() => worker('waiting')).toContain(next)
    expect(await worker('active')).not.toContain(next)
    expect([await major.inputValue(), await page.evaluate('globalThis.stillHere')]).toEqual(['中药学', true])
    await expect.poll(async () => (await draft()).major).toBe('中药学')

    // The page that is left may take its time to go; opened again at once it would keep the old worker at work.
    await page.goto('about:blank')
    const coming = person.context.serviceWorkers().find(one => one.url().includes(next))
    await expect.poll(() => coming?.evaluate<string>('self.registration.active?.scriptURL ?? ""')).toContain(next)
    await person.open(`/signup/form/${examId}?step=2&part=2`)
    expect(await worker('active')).toContain(next)
    await whole(page)
    expect(await major.inputValue()).toBe('中药学')
  })

  test('[S7.47] a submit that did not reach the server says so; pressed again it is handed in once, and that is what the page says', async () => {
    const { page, context } = person
    await person.open(`/signup/form/${examId}?step=1`)
    await whole(page)
    await page.getByRole('button', { name: '选择岗位' }).first().click()
    const finder = page.getByRole('dialog', { name: '选择岗位' })
    await finder.getByRole('searchbox').fill('B001')
    await finder.getByText('共 1 个岗位').waitFor()
    await finder.getByRole('button', { name: '选这个岗位' }).click()
    await page.getByRole('navigation', { name: '填写步骤' }).getByRole('button', { name: /信息/ }).click()
    await page.getByRole('button', { name: '学历信息' }).click()
    await page.locator('[name=school]').fill('新疆医科大学')
    await page.getByRole('navigation', { name: '填写步骤' }).getByRole('button', { name: /提交/ }).click()
    await page.locator('[name=promise]').check()

    const submit = page.getByRole('button', { name: '提交报名' })
    await context.setOffline(true)
    await submit.click()
    const refusal = page.getByRole('alert').filter({ hasText: '提交没有送达' })
    await refusal.waitFor()
    await context.setOffline(false)
    await submit.click()
    await page.getByRole('heading', { name: '报名已提交' }).waitFor()
    expect(await refusal.count()).toBe(0)
    const rows = await backdoor.db(db =>
      db.all(
        sql<object>`select examine, sign_version as version, code, content->>'school' as school from signup where exam_id = ${examId}`,
      ),
    )
    expect(rows).toEqual([{ examine: 'waiting', version: 1, code: 'B001', school: '新疆医科大学' }])
  })
})
