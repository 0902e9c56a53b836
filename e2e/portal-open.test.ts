import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { buildExam } from '../server/test/support/factories.ts'
import { testIdCard } from '../server/test/support/id-card.ts'
import { checkAccess } from './support/axe.ts'
import { launchBrowser, type Visitor, visit } from './support/browser.ts'
import { windows } from './support/exam.ts'
import { type Backdoor, openBackdoor } from './support/people.ts'
import { png } from './support/png.ts'
import { testSms } from './support/server.ts'
import { keepSession } from './support/session.ts'
import { sharedServer } from './support/shared-server.ts'
import { spoken } from './support/spoken.ts'
import { ownTenant } from './support/tenant.ts'

// Somebody who got a link: the public pages, the five questions, and the way into the form.

let server: Awaited<ReturnType<typeof sharedServer>>
let browser: Browser
let backdoor: Backdoor
let person: Visitor
let token: string
let examId: string

const post = { unit: 'H01', unitName: '区人民医院', type: 'B', typeName: '护理', planNum: 4 }
beforeAll(async () => {
  server = await sharedServer()
  backdoor = await openBackdoor(server.dataDir)
  examId = (
    await buildExam(backdoor, {
      exam: { ...windows, exam_name: '公开页面测试', exam_code: 'OPEN2026', year: Number(windows.sign_begin.slice(0, 4)) },
      posts: [
        { code: 'B001', codeName: '护士', ...post },
        { code: 'B002', codeName: '护师', ...post, educations: { min: '20' } },
        { code: 'A001', codeName: '内科医师', ...post, type: 'A', typeName: '医疗', sex: 1 },
      ],
      items: { name: 1, idCardType: 1, idCard: 1, phone: 1, education: 1, major: 1, certName: 0 },
      files: { diploma: 1 },
    })
  ).examId
  await backdoor.db(db => db.run(sql`update type_code set cert = '["护士"]' where exam_id = ${examId} and code = 'B002'`))
  const [member] = await backdoor.addCandidates(1)
  if (member === undefined) throw new Error('no candidate')
  token = member.token
  browser = await launchBrowser()
  person = await visit(browser, server.url, { name: 'open-phone', screen: 'phone' })
})
afterAll(async () => {
  await browser?.close()
  await backdoor?.close()
})
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') throw new Error(await person.fail())
  expect(person.troubles()).toEqual([])
})

const of = (path: string): string => `${path}${path.includes('?') ? '&' : '?'}tenantId=${ownTenant()}`
const isWide = (page: Page) => page.evaluate('document.documentElement.scrollWidth > innerWidth')
/** Those of the wanted lines that a screen reader tells, in its order, without what is said behind a name. */
const toldOf = async (page: Page, wanted: readonly string[]): Promise<readonly string[]> =>
  (await spoken(page)).map(line => line.replace(/ \(.*\)$/, '')).filter(line => wanted.includes(line))
/** Fields of a form of the portal, as the other journeys reach them. */
const field = (page: Page, key: string) => page.locator(`[data-field="${key}"]`)

describe('[S2.23] the public pages of an examination', () => {
  test('keep nobody out, in both languages, at 390 and 320 pixels and with type twice as large', async () => {
    const { page } = person
    for (const path of [
      '/open',
      `/open/${examId}`,
      `/open/${examId}/posts`,
      `/open/${examId}/posts/B001`,
      `/open/${examId}/fit`,
      '/open/questions',
    ])
      for (const lang of ['zh', 'en']) {
        await person.open(of(`${path}?lang=${lang}`))
        expect([path, lang, await checkAccess(page)]).toEqual([path, lang, []])
        for (const [width, type] of [
          [390, ''],
          [320, ''],
          [390, '200%'],
        ] as const) {
          await page.setViewportSize({ width, height: 844 })
          await page.evaluate(`document.documentElement.style.fontSize = '${type}'`)
          expect([path, lang, width, type, await isWide(page)]).toEqual([path, lang, width, type, false])
        }
        await page.setViewportSize({ width: 390, height: 844 })
      }
  })

  test('a browser that is too old for the program is told so, with the way to what it can read; others are not', async () => {
    for (const isOld of [true, false]) {
      const context = await browser.newContext()
      if (isOld) await context.addInitScript('delete Array.prototype.toSorted')
      const page = await context.newPage()
      await page.goto(`${server.url}/login`)
      if (isOld) {
        await page.waitForURL(target => target.pathname === '/old.html')
        await page.getByRole('heading', { name: 'This browser is too old' }).waitFor()
        expect(await checkAccess(page)).toEqual([])
        await page.getByRole('link', { name: '不更新也能查看考试和岗位' }).click()
        await page.waitForURL(target => target.pathname === '/open')
      } else await page.locator('[name=username]').waitFor()
      await context.close()
    }
  })

  test('the log-in leads to them, for a shared link to its examination; an address that is none is not found', async () => {
    const { page } = person
    await person.open(of('/'))
    await page.getByRole('link', { name: '看招考、岗位，查我能报哪些' }).click()
    await page.getByRole('link', { name: '公开页面测试' }).waitFor()
    await person.open(of(`/signup/exam/${examId}`))
    await page.getByRole('link', { name: '先看这场考试和岗位' }).click()
    await page.getByRole('heading', { name: '公开页面测试' }).waitFor()
    await person.open('/foo/bar')
    await page.getByRole('heading', { name: '页面不存在' }).waitFor()
    for (const [width, lang] of [
      [390, 'zh'],
      [320, 'en'],
    ] as const) {
      await page.setViewportSize({ width, height: 844 })
      await page.evaluate(`localStorage.setItem('kaopu-lang', '"${lang}"')`)
      await person.open(of(`/login?redirect=/signup/exam/${examId}`))
      await page.locator('.login-open-main').waitFor()
      expect([width, lang, await isWide(page), await checkAccess(page)]).toEqual([width, lang, false, []])
    }
    await page.evaluate(`localStorage.removeItem('kaopu-lang')`)
    await page.setViewportSize({ width: 390, height: 844 })
  })

  test('[S3.10] a registration outlives a reload, refuses a wrong picture when it is chosen, and ends logged in where the link led', async () => {
    const visitor = await visit(browser, server.url, { name: 'open-register', screen: 'phone' })
    const { page } = visitor
    await visitor.open(of(`/login?redirect=/signup/form/${examId}`))
    await page.getByRole('link', { name: '考生注册' }).click()
    await page.locator('[name=username]').waitFor()
    const register = [
      ...['heading 考生注册', 'textbox 账号 required', 'textbox 姓名 required', 'textbox 证件号码 required', 'textbox 手机号码 required'],
      ...['button 获取验证码', 'textbox 短信验证码 required', 'textbox 密码 required', 'textbox 确认密码 required'],
      ...['heading 敏感个人信息处理告知', 'checkbox 我已阅读上述告知，单独同意处理我的敏感个人信息', 'button 注册'],
    ]
    expect(await toldOf(page, register)).toEqual(register)
    await page.locator('[name=username]').fill('nurse_open')
    await page.locator('[name=realName]').fill('王护士')
    await page.locator('[name=idCard]').fill(testIdCard(77))
    await page.locator('[name=phone]').fill('16033330077')
    await page.locator('[name=password]').fill('Sunny-river-27')
    await page.locator('[name=consent]').check()
    await page.getByRole('button', { name: '获取验证码' }).click()
    await page.getByRole('button', { name: /秒后重新获取/ }).waitFor()
    await page.reload()
    await page.getByRole('button', { name: /秒后重新获取/ }).waitFor()
    const typed = ['username', 'realName', 'idCard', 'phone', 'password']
    expect(await Promise.all(typed.map(name => page.locator(`[name=${name}]`).inputValue()))).toEqual([
      ...['nurse_open', '王护士', testIdCard(77), '16033330077', ''],
    ])
    const front = page.locator('[name=cardFront]')
    await front.setInputFiles({ name: 'fake.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('a text') })
    await page.locator('.p-field', { has: front }).getByText('这不是 JPG 或 PNG 图片').waitFor()
    await front.setInputFiles({ name: 'card.png', mimeType: 'image/png', buffer: png(20_000) })
    await page.locator('.p-chosen').getByText('card.png').waitFor()
    await page.locator('[name=smsCode]').fill(testSms)
    for (const name of ['password', 'password2']) await page.locator(`[name=${name}]`).fill('Sunny-river-27')
    await page.getByRole('button', { name: '注册', exact: true }).click()
    await page.waitForURL(target => target.pathname === `/signup/form/${examId}`)
    await field(page, 'post').waitFor()
    expect(await page.evaluate(`sessionStorage.getItem('kaopu-register')`)).toBeNull()
    expect(visitor.troubles()).toEqual([])
    await visitor.context.close()
  })

  test('[12.2] five answers sort the posts; the way goes through the log-in into a form that knows post and answers', async () => {
    const { page } = person
    await person.open(of('/open'))
    await page.getByRole('link', { name: '公开页面测试' }).click()
    await page.getByRole('link', { name: '看看我能报哪些岗位' }).click()
    const questions = [
      ...['heading 我能报哪些岗位', 'Date 出生日期', 'radio 男', 'radio 女', 'combobox 学历 shut', 'combobox 学位 shut', 'textbox 专业'],
      ...[
        'Date 毕业日期（还没毕业的填预计日期）',
        'checkbox 毕业后已经落实过工作单位',
        'checkbox 护士',
        'checkbox 都没有',
        'button 看结果',
      ],
    ]
    expect(await toldOf(page, questions)).toEqual(questions)
    await page.getByLabel('出生日期').fill('1995-01-01')
    await page.getByLabel('女').check()
    await page.getByLabel('学历').selectOption({ label: '本科' })
    await page.getByLabel('专业').fill('护理学')
    await page.getByLabel('护士').check()
    await page.getByRole('button', { name: '看结果' }).click()
    await expect.poll(() => page.locator('.counts').innerText()).toMatch(/2\s*能报\s*0\s*由人判断\s*1\s*不能报/)
    expect(await checkAccess(page)).toEqual([])
    await page.getByRole('link', { name: '报这个岗位 护师' }).click()
    await page.waitForURL(target => target.pathname === '/login')
    expect(new URL(page.url()).searchParams.get('redirect')).toContain(`/signup/form/${examId}`)
    expect(await page.getByRole('link', { name: '考生注册' }).getAttribute('href')).toContain('redirect=')

    await keepSession(person.context, server.url, token, {
      ...{ userId: '1', account: 'crowd1', realName: '王·测', nickName: '王·测', roleIds: [], roles: [], deptId: '', avatar: '' },
      ...{ tenantId: ownTenant(), oauthId: '', userType: 2, userCode: '' },
    })
    await person.open(`/signup/form/${examId}?post=B002`)
    await field(page, 'post').getByText('护师').waitFor()
    await page.getByRole('button', { name: '下一步' }).click()
    await page.getByRole('heading', { name: /第 2 步/ }).waitFor({ state: 'attached' })
    await page.getByRole('button', { name: '学历信息' }).click()
    expect(await page.locator('[name=major]').inputValue()).toBe('护理学')
    // What is missing is told at its field, which has the focus.
    await page.locator('[name=major]').fill('')
    await page.getByRole('button', { name: '下一步' }).click()
    const missing = 'textbox 所学专业 required wrong focused (请填写所学专业)'
    await expect.poll(() => spoken(page)).toContain(missing)
    const form = ['heading 第 2 步，共 4 步：信息 2/3', 'heading 学历信息', missing.replace(/ \(.*/, ''), 'button 上一步', 'button 下一步']
    expect(await toldOf(page, form)).toEqual(form)
    await page.locator('[name=major]').fill('护理学')
    await page.getByRole('button', { name: '其他信息' }).click()
    await expect.poll(() => page.locator('[data-field="certName"] input:checked, input[data-field="certName"]:checked').count()).toBe(1)
    expect(await page.evaluate('localStorage.getItem("kaopu-facts")')).toBeNull()

    // The list of posts in the portal judges by the same answers.
    await person.open(`/signup/exam/${examId}`)
    const apply = page.getByRole('link', { name: /^报这个岗位/ })
    await apply.first().waitFor()
    // Those that can be applied for come first, each with its way into the form.
    expect(await apply.evaluateAll(links => links.map(link => link.getAttribute('href')))).toEqual([
      `/signup/form/${examId}?post=B001`,
      `/signup/form/${examId}?post=B002`,
    ])
    const cannot = page.getByRole('button', { name: /^不能报/ })
    await cannot.click()
    await page.getByText('性别：要求 男，您是').waitFor()
    await page.getByText('共 1 个岗位').waitFor()
    await page.reload()
    await page.getByText('共 1 个岗位').waitFor()
    person.expectRefusal(404)
    await person.open('/signup/exam/1')
    await page.getByRole('heading', { name: '没有这场考试' }).waitFor()
  })
})
