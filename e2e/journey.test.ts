import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFailed, test } from 'vitest'
import { launchBrowser, logIn, type Visitor, visit } from './support/browser.ts'
import { draftExam, examName, seedData, writePosts } from './support/exam.ts'
import { type Backdoor, openBackdoor } from './support/people.ts'
import { freePort, newDataDir, type RunningServer, removeData, startServer, testSms } from './support/server.ts'

let server: RunningServer
let browser: Browser
let backdoor: Backdoor
const everybody: Visitor[] = []
const come = async (name: string, screen: 'desktop' | 'phone', language: 'zh' | 'en' = 'zh'): Promise<Visitor> => {
  const visitor = await visit(browser, server.url, { name, screen, language })
  everybody.push(visitor)
  return visitor
}

beforeAll(async () => {
  const dataDir = await newDataDir()
  server = await startServer({ dataDir, port: await freePort() })
  backdoor = await openBackdoor(dataDir)
  await backdoor.addStaff([
    { account: 'kaowu1', realName: '周考务', roles: ['exam_admin', 'admin'] },
    { account: 'kaowu2', realName: '吴考务', roles: ['exam_admin'] },
    { account: 'chushen', realName: '郑初审', roles: ['reviewer1'] },
    { account: 'fuhe', realName: '王复核', roles: ['reviewer2'] },
    { account: 'caiwu', realName: '冯财务', roles: ['finance'] },
  ])
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser?.close()
  await backdoor?.close()
  await server?.stop()
  if (server) await removeData(server.dataDir)
})
let broken = false
beforeEach(() => {
  onTestFailed(() => {
    broken = true
    console.log(`--- server\n${server.output()}`)
  })
  if (broken) throw new Error('an earlier step of the journey failed')
})
afterEach(() => {
  expect(everybody.flatMap(visitor => visitor.troubles().map(trouble => `${visitor.name}: ${trouble}`))).toEqual([])
})

const candidate = { account: 'linxiaoyu', password: 'Sunny-river-27', name: '林小雨', idCard: '330199199505051028', phone: '16012345678' }

describe('one examination from first to last', () => {
  let office: Visitor
  let person: Visitor
  let examId: string
  let signupId: string

  test('[S2.01] staff logs in and finds the menu and a plain list', async () => {
    office = await come('周考务', 'desktop')
    await office.open('/login')
    await office.page.getByRole('heading', { name: '登录' }).waitFor()
    await office.look('login')
    await logIn(office, 'kaowu1')
    await office.page.getByRole('navigation').first().waitFor()
    await office.look('console-home')
    await office.open('/system/param')
    await office.page.getByRole('row').nth(1).waitFor()
    await office.look('param-list')
    const page = await office.ask('/blade-system/param/page', { current: 1, size: 10 })
    expect(page.records.length).toBeGreaterThan(0)
  })

  test('[S3.10] a candidate registers on a phone', async () => {
    person = await come('林小雨', 'phone')
    const { page } = person
    await person.open('/register')
    await page.locator('[name=username]').fill(candidate.account)
    await page.locator('[name=realName]').fill(candidate.name)
    await page.locator('[name=idCard]').fill(candidate.idCard)
    await page.locator('[name=phone]').fill(candidate.phone)
    await page.getByRole('button', { name: '获取验证码' }).click()
    await page.getByText('验证码已发送').waitFor()
    await page.locator('[name=smsCode]').fill(testSms)
    await page.locator('[name=password]').fill(candidate.password)
    await page.locator('[name=password2]').fill(candidate.password)
    await page.locator('[name=consent]').check()
    await person.look('register')
    await page.getByRole('button', { name: '注册', exact: true }).click()
    await page.getByRole('status').filter({ hasText: '注册成功' }).waitFor()
    await person.look('registered')
    await logIn(person, candidate.account, candidate.password)
    await page.getByText(`${candidate.name}，您好`).waitFor()
    await person.look('portal-home-empty')
    const me = await person.ask('/blade-system/user/info')
    expect(me).toMatchObject({ account: candidate.account, realName: candidate.name })
  })

  test('[S2.02] the examination is released with its imported posts', async () => {
    const { page } = office
    examId = (await draftExam(backdoor, 'E2E2026')).examId
    const posts = await writePosts(server.dataDir)
    await office.open('/exam/examination')
    await page
      .getByRole('row', { name: new RegExp(examName) })
      .getByText('草稿')
      .waitFor()
    await office.look('exam-list')
    await office.open(`/exam/edit/${examId}?step=8`)
    office.expectRefusal(422)
    await page.getByRole('button', { name: '检查并发布' }).last().click()
    await page.getByText(/还有 \d+ 处需要处理/).waitFor()
    await office.look('exam-release-problems')

    await page.getByRole('button', { name: '岗位导入' }).click()
    await page.getByText('还没有岗位').waitFor()
    await page.getByRole('button', { name: '导入岗位表' }).click()
    const dialog = page.getByRole('dialog', { name: '导入岗位表' })
    await office.look('posts-import')
    await dialog.locator('input[type=file]').setInputFiles(posts.path)
    await dialog.getByText(`共 ${posts.count} 行，可导入 ${posts.count} 行，有误 0 行`).waitFor()
    await office.look('posts-import-checked')
    await dialog.getByRole('button', { name: `导入 ${posts.count} 行` }).click()
    await dialog.getByText(`新增 ${posts.count} 行`).waitFor()
    await dialog.getByRole('button', { name: '关闭' }).last().click()
    await page.getByText(`已有 ${posts.count} 个岗位`).waitFor()
    await office.look('exam-posts')

    await page.getByRole('button', { name: '检查并发布' }).first().click()
    await page.getByRole('button', { name: '检查并发布' }).last().click()
    await page.getByText('考试已发布，考生现在可以看到它').waitFor()
    await office.look('exam-released')
    const detail = await office.ask('/blade-exam/examination/detail', { id: examId })
    expect(detail).toMatchObject({ state: 1, examName })
    const stored = await office.ask('/blade-exam/examination/getTypeCodeList', { examId, current: 1, size: 200 })
    expect(stored.total).toBe(posts.count)
  })

  test('[S7.44] the candidate fills in four steps on the phone and submits', async () => {
    const { page } = person
    await person.open(`/signup/exam/${examId}`)
    await page.getByRole('heading', { name: examName }).waitFor()
    await person.look('exam-detail')
    await page.getByRole('link', { name: '开始报名' }).click()

    await page.getByRole('button', { name: '选择岗位' }).first().click()
    const finder = page.getByRole('dialog', { name: '选择岗位' })
    await finder.getByRole('searchbox').fill('B001')
    await finder.getByText('共 1 个岗位').waitFor()
    await person.look('form-post-finder')
    await finder.getByRole('button', { name: '选这个岗位' }).click()
    await page.getByText('护士').first().waitFor()
    await person.look('form-1-post')
    await page.getByRole('button', { name: '下一步' }).click()

    await page.getByRole('heading', { name: /第 2 步/ }).waitFor({ state: 'attached' })
    await choose(page, 'nation', '汉族')
    await choose(page, 'political', '群众')
    await choose(page, 'education', '20')
    await choose(page, 'degree', '学士')
    await fill(page, 'school', '浙江中医药大学')
    await page.getByRole('list', { name: '匹配的院校' }).getByRole('button').first().click()
    await fill(page, 'major', '护理')
    await fill(page, 'majorCode', '101101')
    await fill(page, 'graduateDate', '2017-06-30')
    await tick(page, 'certName', '护士')
    await tick(page, 'adjust', '1')
    await tick(page, 'hasRelative', '0')
    await person.look('form-2-info')
    await page.getByRole('button', { name: '下一步' }).click()

    await page.getByRole('heading', { name: /第 3 步/ }).waitFor({ state: 'attached' })
    await person.look('form-3-files-empty')
    await uploadPhoto(page, 'p01-white.jpg')
    await upload(page, 'idFront', 'id-front-1.jpg')
    await upload(page, 'idBack', 'id-back.jpg')
    await upload(page, 'diploma', 'diploma.jpg')
    await person.look('form-3-files')
    await page.getByRole('button', { name: '下一步' }).click()

    await page.getByRole('heading', { name: '报名登记表' }).waitFor()
    await page.locator('[name=promise]').check()
    await person.look('form-4-submit')
    await page.getByRole('button', { name: '提交报名' }).click()
    await page.getByRole('heading', { name: '报名已提交' }).waitFor()
    const signNo = (await page.locator('.p-big').innerText()).trim()
    await person.look('form-submitted')
    const mine = await person.ask('/blade-signup/signup/myExamList', { current: 1, size: 10 })
    expect(mine.records).toMatchObject([{ examId, signNo, examine: 1, code: 'B001', nextAction: { code: 'wait' } }])
    signupId = mine.records[0].signupId
    await page.getByRole('link', { name: '查看我的报名' }).click()
    await page.getByText(signNo).waitFor()
    await person.look('my-signups')
  })
})

const field = (page: Page, key: string) => page.locator(`[data-field="${key}"]`).first()
const choose = async (page: Page, key: string, option: string) => void (await field(page, key).locator('select').selectOption(option))
const fill = (page: Page, key: string, text: string) => field(page, key).locator('input').first().fill(text)
const tick = (page: Page, key: string, value: string) => field(page, key).locator(`input[value="${value}"]`).check()
const portrait = (name: string): string => fileURLToPath(seedData(`portraits/${name}`))
const box = (page: Page, fileKey: string) => page.locator(`[data-field="file:${fileKey}"]`)
const upload = async (page: Page, fileKey: string, name: string) => {
  await box(page, fileKey).locator('input[type=file]').setInputFiles(portrait(name))
  await box(page, fileKey).getByText('已上传').first().waitFor()
}
/** The certified photo passes through the cropping sheet. */
const uploadPhoto = async (page: Page, name: string, look?: () => Promise<void>) => {
  await box(page, 'photo').locator('input[type=file]').setInputFiles(portrait(name))
  const sheet = page.getByRole('dialog', { name: '裁剪证件照' })
  await sheet.getByText('尺寸合格').waitFor()
  await look?.()
  await sheet.getByRole('button', { name: '使用这张照片' }).click()
  await sheet.waitFor({ state: 'detached' })
  await box(page, 'photo').getByText('已上传').first().waitFor()
}
