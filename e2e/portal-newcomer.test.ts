import type { Browser, CDPSession, Locator } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { buildExam } from '../server/test/support/factories.ts'
import { testIdCard } from '../server/test/support/id-card.ts'
import { launchBrowser, type Visitor, visit } from './support/browser.ts'
import { seedData, windows } from './support/exam.ts'
import { type Backdoor, openBackdoor } from './support/people.ts'
import { testSms } from './support/server.ts'
import { sharedServer } from './support/shared-server.ts'
import { ownTenant } from './support/tenant.ts'

// Somebody who knows nothing but the words on the screen, on a four-year-old phone and slow 4G: from the first page to a sign-up that is handed in.

const slow4g = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 }
const slowerProcessor = 4
const mostTaps = 60

let server: Awaited<ReturnType<typeof sharedServer>>
let browser: Browser
let backdoor: Backdoor
let person: Visitor
let cdp: CDPSession
let examId: string

beforeAll(async () => {
  server = await sharedServer()
  backdoor = await openBackdoor(server.dataDir)
  const post = { unit: 'H01', unitName: '区人民医院', planNum: 2 }
  const others = Array.from({ length: 141 }, (_, at) => ({
    ...{ ...post, type: 'A', typeName: '医疗', codeName: `${at + 1} 号诊室医师`, educations: { min: '10' } },
    code: `A${String(at + 1).padStart(3, '0')}`,
  }))
  const nurses = ['护士', '护师', '助产士'].map((codeName, at) => ({
    ...post,
    type: 'B',
    typeName: '护理',
    codeName,
    code: `B00${at + 1}`,
  }))
  examId = (
    await buildExam(backdoor, {
      exam: { ...windows, exam_name: '新手报名测试', exam_code: 'NEW2026', year: Number(windows.sign_begin.slice(0, 4)) },
      posts: [...others, ...nurses],
    })
  ).examId
  await backdoor.db(db => db.run(sql`update type_code set cert = '["护士"]' where exam_id = ${examId} and type = 'B'`))
  browser = await launchBrowser()
  person = await visit(browser, server.url, { name: 'newcomer', screen: 'phone' })
  cdp = await person.context.newCDPSession(person.page)
  await cdp.send('Network.enable')
  await cdp.send('Network.emulateNetworkConditions', slow4g)
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: slowerProcessor })
}, 120_000)
afterAll(async () => {
  await browser?.close()
  await backdoor?.close()
})

test('[12.2] 144 posts, a stranger and a slow phone: at most 60 taps beside typing from the first page to the confirmation', async () => {
  const { page } = person
  page.setDefaultTimeout(60_000)
  let taps = 0
  let waitedMs = 0
  const waitFor = async (place: Locator, since: number) => {
    await place.waitFor()
    waitedMs += performance.now() - since
  }
  /** A tap and, where one has to wait for what it brings, until that is there. */
  const tap = async (place: Locator, brings?: Locator) => {
    taps += 1
    const since = performance.now()
    await place.click()
    if (brings) await waitFor(brings, since)
  }
  const type = async (place: Locator, text: string) => {
    taps += 1
    await place.fill(text)
  }
  /** The list opens by a tap, another one takes an entry. */
  const choose = async (place: Locator, label: string) => {
    taps += 2
    await place.selectOption({ label })
  }
  const upload = async (name: string, file: string) => {
    const box = page.getByRole('region', { name })
    // The button, the camera's own, and the picture.
    taps += 3
    const since = performance.now()
    await box
      .locator('input[type=file]')
      .first()
      .setInputFiles(new URL(seedData(`portraits/${file}`)).pathname)
    const use = page.getByRole('button', { name: '使用这张照片' })
    const done = box.getByText('已上传').first()
    if (name === '证件照') {
      await page.getByRole('dialog').getByText('背景：合格').waitFor()
      await tap(use)
    }
    await waitFor(done, since)
  }
  const button = (name: string | RegExp) => page.getByRole('button', { name })
  const next = (brings: Locator) => tap(button('下一步'), brings)
  const began = performance.now()

  await page.goto(new URL(`/login?tenantId=${ownTenant()}`, server.url).href)
  const look = page.locator('.login-open-main')
  await waitFor(look, began)
  await tap(look, page.getByRole('link', { name: '新手报名测试' }).first())
  await tap(page.getByRole('link', { name: '新手报名测试' }).first(), page.getByRole('link', { name: '看看我能报哪些岗位' }))
  await tap(page.getByRole('link', { name: '看看我能报哪些岗位' }), page.getByLabel('出生日期'))
  await type(page.getByLabel('出生日期'), '1997-06-15')
  await tap(page.getByLabel('女', { exact: true }))
  await choose(page.getByLabel('学历'), '本科')
  await choose(page.getByLabel('学位'), '学士')
  await type(page.getByLabel('专业'), '护理学')
  await type(page.getByLabel('毕业日期'), '2019-06-30')
  await tap(page.getByLabel('护士', { exact: true }))
  await tap(button('看结果'), page.locator('.counts'))
  expect((await page.locator('.counts').innerText()).replaceAll(/\s+/g, ' ')).toContain('3 能报 0 由人判断 141 不能报')
  await tap(page.getByRole('link', { name: '报这个岗位 护士' }), page.getByRole('link', { name: '考生注册' }))
  await tap(page.getByRole('link', { name: '考生注册' }), page.locator('[name=username]'))
  await type(page.locator('[name=username]'), 'newcomer')
  await type(page.locator('[name=realName]'), '王新手')
  await type(page.locator('[name=idCard]'), testIdCard(91))
  await type(page.locator('[name=phone]'), '16033330091')
  await tap(button('获取验证码'), button(/秒后重新获取/))
  await type(page.locator('[name=smsCode]'), testSms)
  for (const name of ['password', 'password2']) await type(page.locator(`[name=${name}]`), 'Sunny-river-27')
  await tap(page.locator('[name=consent]'))
  await tap(button('注册').and(page.locator('[type=submit]')), page.getByText('护士').first())

  const heading = (text: RegExp) => page.getByRole('heading', { name: text })
  await page.locator('[data-field="post"]').getByText('护士').waitFor()
  await next(heading(/第 2 步.*1\/3/))
  await choose(page.getByLabel('民族'), '汉族')
  await choose(page.getByLabel('政治面貌'), '群众')
  await next(heading(/第 2 步.*2\/3/))
  await type(page.locator('[name=school]'), '浙江中医药大学')
  await tap(page.getByRole('list', { name: '匹配的院校' }).getByRole('button').first())
  await next(heading(/第 2 步.*3\/3/))
  await tap(page.locator('[data-field="hasRelative"]').getByLabel('否'))
  await next(heading(/第 3 步/))
  await upload('证件照', 'p01-white.jpg')
  await upload('身份证人像面', 'id-front-1.jpg')
  await upload('身份证国徽面', 'id-back.jpg')
  await upload('学历证书', 'diploma.jpg')
  await next(heading(/报名登记表/))
  await tap(page.locator('[name=promise]'))
  await tap(button('提交报名'), heading(/报名已提交/))

  process.stderr.write(
    `newcomer: ${taps} taps, ${(waitedMs / 1_000).toFixed(1)} s of waiting on slow 4G with a ${slowerProcessor} times slower processor, ${((performance.now() - began) / 1_000).toFixed(0)} s in all\n`,
  )
  expect(taps).toBeLessThanOrEqual(mostTaps)
  expect(person.troubles()).toEqual([])
}, 300_000)
