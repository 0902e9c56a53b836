import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { buildExam } from '../server/test/support/factories.ts'
import { pdfText } from '../server/test/support/pdf-text.ts'
import { launchBrowser, type Visitor, visit } from './support/browser.ts'
import { seedData, windows } from './support/exam.ts'
import { type Backdoor, openBackdoor } from './support/people.ts'
import { keepSession } from './support/session.ts'
import { sharedServer } from './support/shared-server.ts'
import { spoken } from './support/spoken.ts'
import { ownTenant } from './support/tenant.ts'
import { whole } from './support/tour.ts'

// One sign-up on a phone and, of the same person, on a second device.
let server: Awaited<ReturnType<typeof sharedServer>>
let browser: Browser
let backdoor: Backdoor
let phone: Visitor
let other: Visitor
let english: Visitor
let examId: string
let token: string

const me = { name: 1, idCardType: 1, idCard: 1, phone: 1 } as const
const post = { unit: 'H01', unitName: '区人民医院', type: 'B', typeName: '护理', planNum: 4 }

beforeAll(async () => {
  server = await sharedServer()
  backdoor = await openBackdoor(server.dataDir)
  examId = (
    await buildExam(backdoor, {
      exam: { ...windows, exam_name: '报名表测试', exam_code: 'FORM2026', year: Number(windows.sign_begin.slice(0, 4)) },
      posts: [
        { code: 'B001', codeName: '护士', ...post },
        { code: 'B002', codeName: '护师', ...post },
      ],
      items: { ...me, school: 1, major: 1, title: 0, firstWorkDate: 0 },
      files: { photo: 1, diploma: 1 },
    })
  ).examId
  await backdoor.db(db =>
    db.run(sql`update type_code set title = '{"min":"中级"}', min_work_years = 5 where exam_id = ${examId} and code = 'B002'`),
  )
  const [member] = await backdoor.addCandidates(1)
  if (member === undefined) throw new Error('no candidate')
  token = member.token
  browser = await launchBrowser()
  const user = {
    ...{ userId: '1', account: 'crowd1', realName: '王·测', nickName: '王·测', roleIds: [], roles: [], deptId: '', avatar: '' },
    ...{ tenantId: ownTenant(), oauthId: '', userType: 2, userCode: '' },
  } as const
  phone = await visit(browser, server.url, { name: 'form-phone', screen: 'phone' })
  other = await visit(browser, server.url, { name: 'form-other', screen: 'desktop' })
  english = await visit(browser, server.url, { name: 'form-english', screen: 'phone', language: 'en' })
  await english.context.addInitScript(`localStorage.setItem('kaopu-lang', '"en"')`)
  for (const visitor of [phone, other, english]) await keepSession(visitor.context, server.url, member.token, user)
})
afterAll(async () => {
  await browser?.close()
  await backdoor?.close()
})
beforeEach(() => {
  phone.troubles()
  other.troubles()
  english.troubles()
})

const at = async (visitor: Visitor, step: number, part = 1): Promise<Page> => {
  await visitor.open(`/signup/form/${examId}?step=${step}&part=${part}`)
  await whole(visitor.page)
  return visitor.page
}
const subject = (page: Page, name: string) => page.getByRole('navigation', { name: '信息分项' }).getByRole('button', { name }).click()
const input = (page: Page, key: string) => page.locator(`[data-field="${key}"] input`).first()
const saved = (page: Page) =>
  page
    .getByText(/已保存/)
    .first()
    .waitFor()
const type = async (page: Page, key: string, text: string) => {
  await input(page, key).fill(text)
  await input(page, key).blur()
  await saved(page)
}
const kept = async (visitor: Visitor) => (await visitor.ask('/blade-signup/signup/getExamInfoOrSignUpInfo', { examId })).signup
const choosePost = async (page: Page, at: number, code: string) => {
  await page.getByRole('button', { name: '选择岗位' }).nth(at).click()
  const finder = page.getByRole('dialog', { name: '选择岗位' })
  await finder.getByRole('searchbox').fill(code)
  await finder.getByText('共 1 个岗位').waitFor()
  await finder.getByRole('button', { name: '选这个岗位' }).click()
}
const portrait = (name: string): string => fileURLToPath(seedData(`portraits/${name}`))
const box = (page: Page, key: string) => page.locator(`[data-field="file:${key}"]`)

describe('the sign-up form', () => {
  test('[19.5][S5.22] from the first step on all conditions of both choices stand there, with what is asked for and what was given', async () => {
    const page = await at(phone, 1)
    await choosePost(page, 0, 'B001')
    const conditions = page.getByRole('region', { name: '岗位条件' })
    await conditions.getByText('没有由系统核对的条件，其他要求见岗位说明。').waitFor()
    await choosePost(page, 0, 'B002')
    const second = conditions.getByRole('list', { name: '第二志愿：护师 B002' }).getByRole('listitem')
    await second.first().waitFor()
    expect((await second.allInnerTexts()).map(text => text.replace(/\s+/g, ' '))).toEqual([
      '职称：要求 中级及以上；还没有填写',
      '工作年限：要求 5 年及以上；还没有填写',
    ])
    await phone.look('form-conditions')
    // What the post asks for is required, although the form leaves it open, and it is the way to its field.
    const post = conditions.getByRole('button', { name: '请填写参加工作时间：报考岗位要求 5 年及以上' })
    // On a phone the list of what is missing is one closed line.
    expect(await post.isVisible()).toBe(false)
    await conditions.getByText(/^还缺 \d+ 项$/).click()
    await conditions.getByRole('button', { name: '请上传证件照' }).waitFor()
    await phone.look('form-missing')
    await post.click()
    await page.getByRole('heading', { name: /第 2 步/ }).waitFor({ state: 'attached' })
    await page.getByRole('button', { name: '下一步' }).click()
    await page.locator('[data-field="title"]').getByText('请填写职称：报考岗位要求 中级及以上').waitFor()
    await page.locator('[data-field="title"] select').selectOption('初级(师)')
    await type(page, 'firstWorkDate', '2025-01-01')
    await conditions.getByText(/职称：要求 中级及以上；您填写 初级\(师\)/).waitFor()
    await conditions.getByText('有条件不符合。请核对填写的内容，或换一个岗位；年龄、性别以外的，提交时可以请审核人员判断。').waitFor()
    await subject(page, '学历信息')
    await type(page, 'school', '火星医学院')
    await type(page, 'major', '护理学')
    await conditions.getByText(/毕业院校：要求 .*；您填写 火星医学院/).waitFor()
    await subject(page, '基本信息')
    await page.locator('[data-field="title"] select').selectOption('中级')
    await type(page, 'firstWorkDate', '2018-01-01')
    await conditions.getByText(/工作年限：要求 5 年及以上；您填写 8 年/).waitFor()
    expect(phone.troubles()).toEqual([])
  })

  test('[19.4][S5.22] two devices fill in one draft: what each has changed is kept, and what both have is asked about', async () => {
    const [a, b] = [await at(phone, 2, 2), await at(other, 2)]
    await type(a, 'major', '助产学')
    await b.locator('[data-field="title"] select').selectOption('副高')
    await saved(b)
    expect((await kept(phone)).content).toMatchObject({ major: '助产学', title: '副高' })
    await subject(b, '学历信息')
    // The second device has heard of it by its own save.
    await expect.poll(() => input(b, 'major').inputValue()).toBe('助产学')
    await type(b, 'school', '浙江中医药大学')
    await input(a, 'school').fill('杭州医学院')
    await input(a, 'school').blur()
    const choice = a.getByRole('dialog', { name: '两处都改了，请选择' })
    await choice.getByText('浙江中医药大学').waitFor()
    await choice.getByText('杭州医学院').waitFor()
    await phone.look('form-conflict')
    // Nothing says saved while a choice is open; it may be put off, and whoever goes on is led back to it.
    expect(await a.locator('.p-save').innerText()).toContain('有 1 处等您选择，选择后才保存')
    await choice.getByRole('button', { name: '关闭' }).click()
    await choice.waitFor({ state: 'detached' })
    const note = a.getByText('有 1 处两边都改了，还没有保存')
    await note.waitFor()
    await expect.poll(() => input(a, 'school').inputValue()).toBe('杭州医学院')
    await a.getByRole('button', { name: '下一步' }).click()
    await choice.getByText('还有内容等您选择。选择后才能继续。').waitFor()
    await phone.look('form-conflict-first')
    await choice.getByRole('button', { name: '关闭' }).click()
    await choice.waitFor({ state: 'detached' })
    await a.getByRole('button', { name: '现在选择' }).click()
    expect((await kept(phone)).content.school).toBe('浙江中医药大学')
    await choice.getByLabel(/另一处/).check()
    await choice.getByRole('button', { name: '按所选保留' }).click()
    await saved(a)
    expect([await input(a, 'school').inputValue(), (await kept(phone)).content.school]).toEqual(['浙江中医药大学', '浙江中医药大学'])
    await type(b, 'school', '温州医科大学')
    await input(a, 'school').fill('浙江大学')
    await input(a, 'school').blur()
    await choice.getByLabel(/本机/).check()
    await choice.getByRole('button', { name: '按所选保留' }).click()
    await expect.poll(async () => (await kept(phone)).content.school).toBe('浙江大学')
    expect([phone.troubles(), other.troubles()]).toEqual([[], []])
  })

  test('[19.6] a broken picture says so, a red ground is refused at once, and what failed takes no place and holds up the next step', async () => {
    const page = await at(phone, 3)
    const photo = box(page, 'photo')
    await photo.locator('input[type=file]').setInputFiles({
      name: 'broken.jpg',
      mimeType: 'image/jpeg',
      buffer: Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3, 4]),
    })
    await photo.getByText('这张图片打不开，请换一张 JPG 或 PNG').waitFor()
    const dialog = page.getByRole('dialog', { name: '裁剪证件照' })
    // A browser draws half of it and would take the rest for a sound picture.
    await photo.locator('input[type=file]').setInputFiles(portrait('p13-red.jpg'))
    await dialog.waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await photo.locator('input[type=file]').setInputFiles(portrait('broken/truncated.jpg'))
    await photo.getByText('这张图片打不开，请换一张 JPG 或 PNG').waitFor()
    expect(await dialog.count()).toBe(0)
    await box(page, 'diploma').locator('input[type=file]').setInputFiles(portrait('broken/truncated.jpg'))
    await box(page, 'diploma').getByText('这张图片打不开，请换一张 JPG 或 PNG').waitFor()
    await photo.locator('input[type=file]').setInputFiles(portrait('p13-red.jpg'))
    await dialog.getByText('证件照背景是红色，应为白色或蓝色，请换一张').waitFor()
    expect(await dialog.getByRole('button', { name: '使用这张照片' }).isDisabled()).toBe(true)
    await phone.look('form-photo-red')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    // Of few bytes, whatever is in it: the reason is in view beside the button, and nothing is called good.
    const plain = await page.evaluate<string>(`(() => {
      const canvas = Object.assign(document.createElement('canvas'), { width: 320, height: 440 })
      const pen = canvas.getContext('2d')
      for (const [color, ...box] of [['#fff', 0, 0, 320, 440], ['#b98', 80, 120, 160, 320]]) {
        pen.fillStyle = color
        pen.fillRect(...box)
      }
      return canvas.toDataURL('image/jpeg', 0.8).split(',')[1]
    })()`)
    await photo
      .locator('input[type=file]')
      .setInputFiles({ name: 'plain.jpg', mimeType: 'image/jpeg', buffer: Buffer.from(plain, 'base64') })
    await dialog.getByText('背景：合格').waitFor()
    await dialog.getByRole('button', { name: '使用这张照片' }).click()
    const refusal = dialog.getByRole('alert')
    await refusal.getByText('文件过小，请上传清晰的原图').waitFor()
    expect(await dialog.getByText('：合格').count()).toBe(0)
    const [said, button, screen] = [
      await refusal.boundingBox(),
      await dialog.getByRole('button', { name: '使用这张照片' }).boundingBox(),
      page.viewportSize(),
    ]
    expect((said?.y ?? 0) + (said?.height ?? 0)).toBeLessThanOrEqual(button?.y ?? 0)
    expect((button?.y ?? 0) + (button?.height ?? 0)).toBeLessThanOrEqual(screen?.height ?? 0)
    await phone.look('form-photo-small')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await photo.locator('input[type=file]').setInputFiles(portrait('p01-white.jpg'))
    await dialog.getByText('背景：合格').waitFor()
    await dialog.getByRole('button', { name: '使用这张照片' }).click()
    await photo.getByText('已上传').first().waitFor()
    await photo.getByText('背景：合格').waitFor()

    phone.expectRefusal(422)
    await page.route('**/api/file/upload', route =>
      route.fulfill({ status: 422, json: { code: 2802, success: false, msg: '文件不可用', data: null } }),
    )
    const diploma = box(page, 'diploma')
    await diploma.locator('input[type=file]').setInputFiles(portrait('diploma.jpg'))
    await diploma.getByText('文件不可用').waitFor()
    await page.unroute('**/api/file/upload')
    expect(await diploma.locator('input[type=file]').count(), 'another file may be chosen').toBe(1)
    await page.getByRole('button', { name: '下一步' }).click()
    await diploma.getByText('学历证书：“diploma.jpg”没有上传成功，请重试或移除后再继续').waitFor()
    await diploma.getByRole('button', { name: '重试' }).click()
    await diploma.getByText('已上传').first().waitFor()
    await saved(page)
    await page.getByRole('button', { name: '下一步' }).click()
    await page.getByRole('heading', { name: '报名登记表' }).waitFor()
    const paper = page.getByRole('article', { name: '报名登记表' })
    await paper.getByText('草稿，尚未提交').waitFor()
    const shown = await paper.evaluate(
      `(paper => { for (const button of paper.querySelectorAll('button')) button.remove(); return paper.textContent })(document.querySelector('article').cloneNode(true))`,
    )
    await page.locator('[name=promise]').check()
    await page.getByRole('button', { name: '提交报名' }).click()
    await page.getByRole('heading', { name: '报名已提交' }).waitFor()
    const sent = await kept(phone)
    expect(sent.examine).toBe(1)
    // What was read before the submit is what is printed after it, but for number, times and the mark of the draft.
    const printed = await page.request.post('/api/blade-signup/signup/exportSignUpEach', {
      data: { examId },
      headers: { Authorization: `Basic ${Buffer.from('kaopu-web:kaopu-web').toString('base64')}`, 'Blade-Auth': `bearer ${token}` },
    })
    const [sheet = []] = pdfText(await printed.body())
    const words = (text: string): string => text.replaceAll(/\s/g, '')
    const told = words(sheet.slice(0, -1).join(''))
      .replace(sent.signNo, '')
      .replace(/提交时间：[\d-]{10}[\d:]{5}/, '')
    expect(words(String(shown)).replace('草稿，尚未提交', '')).toBe(told.replace(/(日期：)\d{4}-\d\d-\d\d/, '$1'))
    await expect.poll(() => spoken(page)).toContain('heading 报名已提交 focused')
    await phone.look('form-submitted')
    const dates = page.getByRole('region', { name: '接下来的时间安排' })
    expect(await dates.getByRole('listitem').locator('.p-strong').allInnerTexts()).toEqual([
      '退回修改截止',
      '资格审核结束',
      '缴费',
      '打印准考证',
    ])
    const link = await dates.getByRole('link', { name: '加入手机日历' }).getAttribute('href')
    const calendar = await page.request.get(new URL(link ?? '', page.url()).href)
    expect([calendar.status(), calendar.headers()['content-type']]).toEqual([200, 'text/calendar; charset=utf-8'])
  })

  test('[19.3][S7.46] changes after the submit are told on home, in the list and in the form, and go out by 提交修改', async () => {
    const page = await at(phone, 2, 2)
    await page.getByText(/审核人员打开之前可以修改，改完后须再次提交/).waitFor()
    await type(page, 'major', '护理学（专升本）')
    await page.getByText('有 1 处改动没有提交').waitFor()
    await phone.open('/')
    await page.getByRole('heading', { name: '有 1 处改动没有提交' }).waitFor()
    await phone.look('home-unsent')
    await phone.open('/signup/myExam')
    await page.getByText('有 1 处改动没有提交').first().waitFor()
    await page.getByRole('link', { name: '提交修改' }).click()
    await page.getByRole('heading', { name: /第 4 步/ }).waitFor({ state: 'attached' })
    await phone.look('form-unsent')
    await page.locator('[name=promise]').check()
    await page.getByRole('button', { name: '提交报名' }).click()
    await page.getByRole('heading', { name: '报名已提交' }).waitFor()
    expect(await kept(phone)).toMatchObject({ signVersion: 2, content: { major: '护理学（专升本）' } })
  })

  const submitNow = async (page: Page) => {
    await page.locator('[name=promise]').check()
    await page.getByRole('button', { name: '提交报名' }).click()
  }

  test('[S7.46] a date that is unlikely is asked about when the form is sent, in both languages; who goes back has sent nothing', async () => {
    const [born] = await backdoor.db(db =>
      db.all(sql<{ year: number }>`select extract(year from birthday)::int as year from account where account = 'crowd1'`),
    )
    phone.expectRefusal(409)
    const page = await at(phone, 2)
    await type(page, 'firstWorkDate', `${(born?.year ?? 0) + 15}-12-31`)
    await at(phone, 4)
    await submitNow(page)
    const asked = page.getByRole('dialog', { name: '请确认以下日期是否正确' })
    await asked.getByText('参加工作时不满 16 周岁').waitFor()
    await phone.look('form-doubts')
    await asked.getByRole('button', { name: '返回修改' }).click()
    await asked.waitFor({ state: 'detached' })
    expect(await kept(phone)).toMatchObject({ signVersion: 2 })
    english.expectRefusal(409)
    const reader = await at(english, 4)
    await reader.locator('[name=promise]').check()
    await reader.getByRole('button', { name: 'Submit', exact: true }).click()
    const question = reader.getByRole('dialog', { name: 'Are these dates right?' })
    await question.getByText('First work before the age of 16').waitFor()
    await english.look('form-doubts-en')
    await question.getByRole('button', { name: 'They are right, submit' }).click()
    await expect.poll(async () => (await kept(phone)).signVersion).toBe(3)
    await type(await at(phone, 2), 'firstWorkDate', '2018-01-01')
    await at(phone, 4)
    await submitNow(page)
    await page.getByRole('heading', { name: '报名已提交' }).waitFor()
    expect([phone.troubles(), english.troubles()]).toEqual([[], []])
  })

  test('[19.4][S5.22] after a submit, what an open form changes on an older save is asked about and kept beside what others save', async () => {
    const b = await at(other, 2, 2)
    const a = await at(phone, 2, 2)
    await type(a, 'school', '温州医科大学')
    await at(phone, 4)
    await submitNow(a)
    await a.getByRole('heading', { name: '报名已提交' }).waitFor()
    await input(b, 'school').fill('杭州医学院')
    await input(b, 'school').blur()
    const choice = b.getByRole('dialog', { name: '两处都改了，请选择' })
    await choice.getByText('温州医科大学').waitFor()
    await choice.getByText('杭州医学院').waitFor()
    await choice.getByLabel(/本机/).check()
    await choice.getByRole('button', { name: '按所选保留' }).click()
    const draftOf = async () => (await phone.ask('/blade-signup/signup/getExamInfoOrSignUpInfo', { examId })).draft?.content.school
    await expect.poll(draftOf).toBe('杭州医学院')
    await at(phone, 2, 2)
    await expect.poll(() => input(a, 'school').inputValue()).toBe('杭州医学院')
    await type(a, 'major', '助产学')
    await a.getByText('有 2 处改动没有提交').waitFor()
    await at(other, 2, 2)
    expect([await input(b, 'school').inputValue(), (await kept(phone)).content.school]).toEqual(['杭州医学院', '温州医科大学'])
    await type(a, 'major', '护理学（专升本）')
    expect([phone.troubles(), other.troubles()]).toEqual([[], []])
  })

  test('[S5.22] what a refusal said goes with the next change, and it names the post', async () => {
    phone.expectRefusal(422)
    await backdoor.db(db => db.run(sql`update type_code set title = '{"min":"正高"}' where exam_id = ${examId} and code = 'B001'`))
    const page = await at(phone, 4)
    await submitNow(page)
    const refusal = page.getByText('不符合岗位条件：护士 B001')
    await refusal.waitFor()
    await phone.look('form-refusal-post')
    await page.getByRole('button', { name: /^2\. 信息/ }).click()
    await subject(page, '学历信息')
    await type(page, 'school', '浙江大学')
    await refusal.waitFor({ state: 'detached' })
    await backdoor.db(db => db.run(sql`update type_code set title = null where exam_id = ${examId} and code = 'B001'`))
  })

  test('[19.3] a reviewer who decides meanwhile leaves them kept, and the form says what it takes', async () => {
    const page = await at(phone, 2, 2)
    await type(page, 'major', '助产学')
    await backdoor.db(db => db.run(sql`update signup set examine = 'passed' where exam_id = ${examId}`))
    // What is said of the save gives way to the news: what was kept is told below. The field goes with it, perhaps before it is left.
    await input(page, 'school').fill('浙江中医药大学')
    await page.keyboard.press('Tab')
    await page.getByText('报名已通过审核').waitFor()
    await page.getByText('有 2 处改动没有提交').waitFor()
    expect(await page.getByText(/可以修改，改完后须再次提交/).count()).toBe(0)
    await phone.look('form-passed-unsent')
    await page.getByRole('button', { name: '放弃这些改动' }).click()
    const question = page.getByRole('dialog', { name: '放弃以下改动？' })
    expect(await question.getByRole('listitem').allInnerTexts()).toEqual(['毕业院校', '所学专业'])
    await phone.look('form-unsent-drop')
    await question.getByRole('button', { name: '取消' }).click()
    await question.waitFor({ state: 'detached' })
    await page.getByText('有 2 处改动没有提交').waitFor()
    await page.getByRole('button', { name: '放弃这些改动' }).click()
    await question.getByRole('button', { name: '放弃这些改动' }).click()
    await page.getByText('有 2 处改动没有提交').waitFor({ state: 'detached' })
    expect((await kept(phone)).content.major).toBe('护理学（专升本）')
  })

  test('[19.6] a returned form that is handed in as it was asks first and names the places; what is changed is not asked about', async () => {
    const advice = (kind: string, key: string, label: string) => ({ kind, key, label, advice: `请核对${label}` })
    const advices = JSON.stringify([advice('item', 'major', '所学专业'), advice('file', 'diploma', '学历证书')])
    await backdoor.db(db =>
      db.run(sql`update signup set examine = 'returned', examine_remark = '请修改', advisements = ${advices} where exam_id = ${examId}`),
    )
    const { signVersion } = await kept(phone)
    const page = await at(phone, 4)
    await page.locator('[name=promise]').check()
    await page.getByRole('button', { name: '重新提交' }).click()
    const question = page.getByRole('dialog', { name: '以下各处没有修改，仍要提交？' })
    await question.getByText('所学专业、学历证书').waitFor()
    await phone.look('form-unmended')
    await question.getByRole('button', { name: '取消' }).click()
    await question.waitFor({ state: 'detached' })
    expect(await kept(phone)).toMatchObject({ signVersion, examine: 3 })
    await at(phone, 2, 2)
    await type(page, 'major', '助产学')
    await at(phone, 4)
    await page.locator('[name=promise]').check()
    await page.getByRole('button', { name: '重新提交' }).click()
    await question.getByText('学历证书', { exact: true }).waitFor()
    await question.getByRole('button', { name: '仍要提交' }).click()
    await page.getByRole('heading', { name: '修改已提交' }).waitFor()
    expect(await kept(phone)).toMatchObject({ signVersion: signVersion + 1, examine: 1, content: { major: '助产学' } })
  })
})
