import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { comeIn, launchBrowser, type Screen, type Visitor, visit } from './support/browser.ts'
import { png } from './support/png.ts'
import { freePort, newDataDir, type RunningServer, removeData, startServer, testSms } from './support/server.ts'

interface DemoAccount {
  readonly account: string
  readonly password: string
  readonly tenantId: string
}

let server: RunningServer
let browser: Browser
let accounts: readonly DemoAccount[]
let present: Visitor[] = []

beforeAll(async () => {
  const dataDir = await newDataDir('demo')
  server = await startServer({ dataDir, port: await freePort(), env: { KAOPU_PROFILE: 'demo' } })
  browser = await launchBrowser()
  accounts = JSON.parse(await readFile(join(dataDir, 'demo-accounts.json'), 'utf8')) as readonly DemoAccount[]
})
afterAll(async () => {
  await browser?.close()
  await server?.stop()
  if (server) await removeData(server.dataDir)
})
afterEach(async () => {
  const troubles = present.flatMap(visitor => visitor.troubles())
  for (const visitor of present) await visitor.context.close()
  present = []
  expect(troubles).toEqual([])
})

const passwordOf = (account: string): string => {
  const found = accounts.find(one => one.account === account && one.tenantId === '000000')
  if (found === undefined) throw new Error(`the demo has no ${account}`)
  return found.password
}
const enter = async (account: string, screen: Screen = 'phone', language: 'zh' | 'en' = 'zh'): Promise<Visitor> => {
  const visitor = await visit(browser, server.url, { name: account, screen, language })
  if (language === 'en') await visitor.context.addInitScript(`localStorage.setItem('kaopu-lang', '"en"')`)
  present.push(visitor)
  await comeIn(visitor, account, passwordOf(account), '/info/index')
  await visitor.page.locator('.p-avatar').waitFor()
  return visitor
}
const short = (visitor: Visitor) =>
  visitor.page.evaluate<string[]>(`[...document.querySelectorAll('main :is(button, a, input:not([hidden])), dialog :is(button, input)')]
    .filter(one => one.checkVisibility() && one.type !== 'checkbox' && one.getBoundingClientRect().height < 44)
    .map(one => one.outerHTML.slice(0, 80))`)

describe('personal info of a candidate', () => {
  test('[S2.11][S2.51][S3.08] two tabs; nickname and e-mail are edited, what was verified is only shown', async () => {
    const visitor = await enter('candidate1')
    const { page } = visitor
    await expect.poll(() => page.getByRole('tab').allInnerTexts()).toEqual(['个人信息', '修改密码'])
    await page.getByText('不能在此直接修改').waitFor()
    expect(await page.evaluate(`[...document.querySelectorAll('main form input:not([hidden])')].map(one => one.name)`)).toEqual([
      'name',
      'email',
    ])
    expect(await short(visitor)).toEqual([])
    await visitor.look('portal-info')
    await page.locator('[name=email]').fill('not an address')
    await page.getByRole('button', { name: '保存' }).click()
    await page.getByText('邮箱格式不正确').waitFor()
    await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('email')
    await page.locator('[name=name]').fill('小考')
    await page.locator('[name=email]').fill('me@example.org')
    await page.getByRole('button', { name: '保存' }).click()
    await page.getByText('个人信息已保存').waitFor()
    expect(await visitor.ask('/blade-system/user/info')).toMatchObject({ name: '小考', email: 'me@example.org' })
  })

  test('[S2.51][S5.29][S9.18] the picture: jpg or png of 512,000 bytes, not one more, cropped and stored', async () => {
    const visitor = await enter('candidate1')
    const { page } = visitor
    const choose = (name: string, buffer: Buffer, mimeType = 'image/png') =>
      page.locator('input[type=file]').setInputFiles({ name, mimeType, buffer })
    await page.getByText('只能上传 jpg/png 文件，且不超过 500kb').waitFor()
    await choose('me.png', png(512_001))
    await page.getByRole('alert').getByText('头像不能超过 500kb').waitFor()
    await choose('me.gif', Buffer.from('GIF89a and what follows'), 'image/gif')
    await page.getByRole('alert').getByText('头像只能是 jpg 或 png 文件').waitFor()
    await choose('me.png', Buffer.from('no picture'))
    await page.getByRole('alert').getByText('这张图片打不开，请换一张').waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
    await choose('me.png', png(512_000))
    const dialog = page.getByRole('dialog', { name: '裁剪头像' })
    await dialog.getByRole('slider', { name: '缩放' }).fill('1.5')
    expect(await short(visitor)).toEqual([])
    await visitor.look('portal-avatar')
    await dialog.getByRole('button', { name: '使用' }).click()
    await page.getByText('头像已保存').waitFor()
    await expect.poll(() => page.evaluate('document.querySelector("img.p-avatar")?.naturalWidth ?? 0')).toBeGreaterThan(0)
    await page.reload()
    await page.locator('img.p-avatar').waitFor()
    await page.getByRole('button', { name: '恢复默认头像' }).click()
    await page.locator('span.p-avatar').waitFor()
    expect((await visitor.ask('/blade-system/user/info')).avatar).toBe('')
  })

  test('[S2.51][S3.09][S5.30] the password: three fields, each sealed anew, with its strength', async () => {
    const visitor = await enter('candidate2')
    const { page } = visitor
    await page.getByRole('tab', { name: '修改密码' }).click()
    const fill = async (old: string, fresh: string, again: string) => {
      await page.locator('[name=oldPassword]').fill(old)
      await page.locator('[name=newPassword]').fill(fresh)
      await page.locator('[name=newPassword1]').fill(again)
      await page.getByRole('button', { name: '修改密码', exact: true }).click()
    }
    await fill('', 'short', '')
    await page.getByText('请输入原密码').waitFor()
    await page.getByText('请再次输入新密码').waitFor()
    await page.getByText('密码强度：弱').waitFor()
    await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('oldPassword')
    await fill('not-my-password', 'Sunny-river-2027', 'Sunny-river-2028')
    await page.getByText('两次密码输入不一致').waitFor()
    await page.getByText('密码强度：强').waitFor()
    await visitor.look('portal-password')
    visitor.expectRefusal(400)
    await fill('not-my-password', 'Sunny-river-2027', 'Sunny-river-2027')
    await page.locator('.p-error', { hasText: '密码不正确' }).waitFor()
    const sent = page.waitForRequest(/update-password/)
    await fill(passwordOf('candidate2'), 'Sunny-river-2027', 'Sunny-river-2027')
    const body = (await sent).postDataJSON() as Record<string, string>
    expect(Object.keys(body).sort()).toEqual(['newPassword', 'newPassword1', 'oldPassword'])
    for (const sealed of Object.values(body)) expect(sealed).toMatch(/^[0-9a-f]{200,}$/)
    expect(new Set(Object.values(body)).size).toBe(3)
    await page.getByText('密码已修改').waitFor()
    await expect.poll(() => page.locator('[name=newPassword]').inputValue()).toBe('')
  })

  test.each(['phone', 'desktop'] as const)('[S2.51] reads well in English on a %s', async screen => {
    const visitor = await enter('candidate1', screen, 'en')
    await visitor.page.getByText('cannot be changed here').waitFor()
    await visitor.look(`portal-info-en-${screen}`)
  })
})

describe('a passport', () => {
  test('[19.8] on a phone, only a number that is no card’s asks whether it is a passport’s, and then for what it does not say', async () => {
    const visitor = await visit(browser, server.url, { name: '护照', screen: 'phone', language: 'zh' })
    present.push(visitor)
    const { page } = visitor
    await visitor.open('/register')
    const [number, ask] = [page.locator('[name=idCard]'), page.locator('[name=idCardType]')]
    await number.fill('330199199505051028')
    await page.getByText('居民身份证', { exact: true }).waitFor()
    expect(await ask.count()).toBe(0)
    await number.fill('e12345678')
    await ask.check()
    await page.locator('[name=username]').fill('passport1')
    await page.locator('[name=realName]').fill('Marie Curie')
    await page.locator('[name=phone]').fill('16012340001')
    await page.getByRole('button', { name: '获取验证码' }).click()
    await page.getByText('验证码已发送').waitFor()
    await page.locator('[name=smsCode]').fill(testSms)
    await page.locator('[name=password]').fill('Sunny-river-27')
    await page.locator('[name=password2]').fill('Sunny-river-27')
    await page.locator('[name=consent]').check()
    await page.getByRole('button', { name: '注册', exact: true }).click()
    for (const told of ['请选择国籍（护照签发国家或地区）', '请填写出生日期，如 1990-01-31', '请选择性别'])
      await page.locator('.p-error').getByText(told, { exact: true }).waitFor()
    // At the top they are named once more, each as the way to its field.
    await page.getByRole('alert').getByRole('button', { name: '请选择性别' }).click()
    expect(await page.evaluate('document.activeElement.name')).toBe('sex')
    await page.locator('[name=nationality]').selectOption({ label: '法国' })
    await page.locator('[name=birthday]').fill('1990-01-31')
    await page.locator('[name=sex]').selectOption({ label: '女' })
    // The inputs of the pictures are covered by their buttons.
    expect((await short(visitor)).filter(html => !html.includes('p-file-over'))).toEqual([])
    await visitor.look('portal-register-passport')
    await page.getByRole('button', { name: '注册', exact: true }).click()
    await page.getByText('注册成功').waitFor()
    await visitor.open('/info/index')
    await page.getByText('E1*****78').waitFor()
  })

  test('[19.7] a number that has an account: the ways into it come first, the appeal last, and its field is marked', async () => {
    const visitor = await visit(browser, server.url, { name: '已注册', screen: 'phone', language: 'zh' })
    present.push(visitor)
    const { page } = visitor
    await visitor.open('/register')
    await page.locator('[name=idCard]').fill('E12345678')
    await page.locator('[name=idCardType]').check()
    await page.locator('[name=username]').fill('passport2')
    await page.locator('[name=realName]').fill('Marie Curie')
    await page.locator('[name=nationality]').selectOption({ label: '法国' })
    await page.locator('[name=birthday]').fill('1990-01-31')
    await page.locator('[name=sex]').selectOption({ label: '女' })
    await page.locator('[name=phone]').fill('16012340002')
    await page.getByRole('button', { name: '获取验证码' }).click()
    await page.getByText('验证码已发送').waitFor()
    await page.locator('[name=smsCode]').fill(testSms)
    await page.locator('[name=password]').fill('Sunny-river-27')
    await page.locator('[name=password2]').fill('Sunny-river-27')
    await page.locator('[name=consent]').check()
    visitor.expectRefusal(409)
    await page.getByRole('button', { name: '注册', exact: true }).click()
    const note = page.getByRole('alert').filter({ has: page.getByRole('link', { name: '去申诉' }) })
    await note.waitFor()
    expect(await note.locator('button, a').allInnerTexts()).toEqual(['去登录', '找回密码', '去申诉'])
    expect(await page.evaluate(`[...document.querySelectorAll('form [aria-invalid=true]')].map(one => one.name)`)).toEqual(['idCard'])
    expect((await short(visitor)).filter(html => !html.includes('p-file-over'))).toEqual([])
    await visitor.look('portal-register-taken')
    await note.getByRole('link', { name: '去申诉' }).click()
    await page.getByRole('heading', { name: '身份申诉' }).waitFor()
    // Cards stand apart.
    await page.locator('main form section.p-card').waitFor()
    expect(
      await page.evaluate(`(() => {
        const [first, second] = [...document.querySelectorAll('main section.p-card')].map(one => one.getBoundingClientRect())
        return second.top - first.bottom
      })()`),
    ).toBe(16)
    await visitor.look('portal-appeal')
    await page.goBack()
    await page.getByRole('heading', { name: '考生注册' }).waitFor()
  })
})

describe('the own data of a candidate', () => {
  test('who saw it: the record of the server, by role and unit', async () => {
    const visitor = await enter('candidate1')
    const { page } = visitor
    await page.getByRole('button', { name: '谁看过我的资料' }).click()
    const sheet = page.getByRole('dialog', { name: '谁看过我的资料' })
    const { records, total } = await visitor.ask('/me/accessLog', { current: 1, size: 20 })
    if (total === 0) await sheet.getByText('还没有人看过您的资料').waitFor()
    await expect.poll(() => sheet.locator('.p-seen li').count()).toBe(records.length)
    expect(await sheet.locator('.p-seen time').allInnerTexts()).toEqual(records.map((row: { time: string }) => row.time.slice(0, 16)))
    await visitor.look('portal-access')
    await sheet.getByRole('button', { name: '关闭' }).click()
    await sheet.waitFor({ state: 'detached' })
    await expect.poll(() => page.evaluate('document.activeElement.className')).toBe('p-door')
  })

  test('a copy of it, for the password only', async () => {
    const visitor = await enter('candidate1')
    const { page } = visitor
    await page.getByRole('button', { name: '导出我的数据' }).click()
    const sheet = page.getByRole('dialog', { name: '导出我的数据' })
    await sheet.getByText('每天最多导出 3 次').waitFor()
    const go = sheet.getByRole('button', { name: '下载' })
    await go.click()
    await sheet.locator('.p-error', { hasText: '请输入登录密码' }).waitFor()
    visitor.expectRefusal(400)
    await sheet.locator('[name=password]').fill('not-my-password')
    await go.click()
    await sheet.locator('.p-error', { hasText: '密码' }).waitFor()
    expect(await short(visitor)).toEqual([])
    await visitor.look('portal-export')
    await sheet.locator('[name=password]').fill(passwordOf('candidate1'))
    const saved = page.waitForEvent('download')
    await go.click()
    const zip = await readFile(await (await saved).path())
    expect(zip.subarray(0, 2).toString('latin1')).toBe('PK')
  })

  test('closing the account warns, waits for what is open, and can be taken back', async () => {
    const visitor = await enter('candidate1')
    const { page } = visitor
    await page.getByRole('button', { name: '注销账号' }).click()
    const sheet = page.getByRole('dialog', { name: '注销账号' })
    await sheet.getByText('注销后不可恢复：').waitFor()
    await sheet.getByText('以下事项尚未办结').waitFor()
    const { obstacles } = await visitor.ask('/me/closing')
    expect(obstacles.length).toBeGreaterThan(0)
    await expect.poll(() => sheet.locator('li').count()).toBe(obstacles.length)
    const go = sheet.getByRole('button', { name: '申请注销' })
    await sheet.locator('[name=password]').fill(passwordOf('candidate1'))
    await go.click()
    await sheet.getByText('请先阅读并勾选').waitFor()
    expect(await short(visitor)).toEqual([])
    await visitor.look('portal-closing')
    await sheet.locator('[name=known]').check()
    await go.click()
    await sheet.getByText('您已于').waitFor()
    expect((await visitor.ask('/me/closing')).state).toBe('waiting')
    await visitor.look('portal-closing-waiting')
    await sheet.getByRole('button', { name: '撤回注销申请' }).click()
    await go.waitFor()
    expect((await visitor.ask('/me/closing')).state).toBe('none')
  })
})
