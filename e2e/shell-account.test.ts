import { deflateSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { staffPassword } from './support/people.ts'
import { testCaptcha } from './support/server.ts'
import { openConsole } from './support/shell.ts'

const office = openConsole([
  { account: 'admin1', realName: '赵管理', roles: ['admin'] },
  { account: 'admin2', realName: '钱管理', roles: ['admin'] },
])

const crcTable = Uint32Array.from({ length: 256 }, (_, n) => {
  let c = n
  for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1
  return c >>> 0
})
const crc = (bytes: Buffer) => ~bytes.reduce((sum, byte) => (crcTable[(sum ^ byte) & 255] ?? 0) ^ (sum >>> 8), -1) >>> 0
const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const head = Buffer.alloc(4)
  head.writeUInt32BE(data.length)
  const tail = Buffer.alloc(4)
  tail.writeUInt32BE(crc(body))
  return Buffer.concat([head, body, tail])
}
/** A red square of 300 pixels that is exactly so many bytes long: the rest is a comment. */
const png = (bytes: number): Buffer => {
  const side = 300
  const size = Buffer.alloc(13)
  size.writeUInt32BE(side, 0)
  size.writeUInt32BE(side, 4)
  size.set([8, 2, 0, 0, 0], 8)
  const row = Buffer.concat([Buffer.from([0]), Buffer.alloc(side * 3, Buffer.from([200, 30, 30]))])
  const start = Buffer.concat([Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]), chunk('IHDR', size)])
  const rest = Buffer.concat([chunk('IDAT', deflateSync(Buffer.concat(Array(side).fill(row)))), chunk('IEND', Buffer.alloc(0))])
  const comment = chunk('tEXt', Buffer.alloc(bytes - start.length - rest.length - 12, 'x'))
  return Buffer.concat([start, comment, rest])
}
const choose = (page: Page, name: string, buffer: Buffer) =>
  page.locator('.info-avatar input[type=file]').setInputFiles({ name, mimeType: 'image/png', buffer })
const toast = (page: Page, text: string) => page.locator('.toast-text', { hasText: text })

describe('personal info', () => {
  test('[S2.11][S2.51][S3.08] has two tabs; what is saved shows in the header at once', async () => {
    const visitor = await office.enter('admin1')
    const { page } = visitor
    await visitor.open('/info/index')
    await expect.poll(() => page.locator('.info').getByRole('tab').allInnerTexts()).toEqual(['个人信息', '修改密码'])
    await visitor.look('shell-info')
    await page.getByLabel('姓名').fill('')
    await page.getByLabel('邮箱').fill('not an address')
    await page.getByRole('button', { name: '保存' }).click()
    await page.getByText('请输入姓名').waitFor()
    await page.getByText('邮箱格式不正确').waitFor()
    await page.getByLabel('姓名').fill('赵管理')
    await page.getByLabel('昵称').fill('老赵')
    await page.getByLabel('邮箱').fill('zhao@example.org')
    await page.getByLabel('手机号').fill('13800000001')
    const sent = page.waitForRequest(/update-info/)
    await page.getByRole('button', { name: '保存' }).click()
    expect((await sent).postData()).not.toContain('13800000001')
    await toast(page, '操作成功').waitFor()
    await expect.poll(() => page.getByRole('button', { name: /用户菜单/ }).innerText()).toContain('租户管理员 / 老赵')
    expect(await visitor.ask('/blade-system/user/info')).toMatchObject({ name: '老赵', email: 'zhao@example.org', phone: '138****0001' })
    await expect.poll(() => page.getByLabel('手机号').inputValue()).toBe('138****0001')
  })

  test('[S2.51][S5.29][S9.18] takes a jpg or png of 512,000 bytes, not one more, and crops it', async () => {
    const visitor = await office.enter('admin1')
    const { page } = visitor
    await visitor.open('/info/index')
    await page.getByText('只能上传 jpg/png 文件，且不超过 500kb').waitFor()
    await choose(page, 'me.png', png(512_001))
    await toast(page, '头像不能超过 500kb').waitFor()
    await choose(page, 'me.gif', png(2_000))
    await toast(page, '头像只能是 jpg 或 png 文件').waitFor()
    await choose(page, 'me.png', Buffer.from('no picture'))
    await toast(page, '这张图片打不开，请换一张').waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
    const exact = png(512_000)
    expect(exact.length).toBe(512_000)
    await choose(page, 'me.png', exact)
    const dialog = page.getByRole('dialog', { name: '裁剪头像' })
    await dialog.getByRole('slider', { name: '缩放' }).fill('1.5')
    await visitor.look('shell-avatar')
    await dialog.getByRole('button', { name: '使用' }).click()
    await toast(page, '操作成功').waitFor()
    await dialog.waitFor({ state: 'hidden' })
    await expect.poll(() => page.evaluate('document.querySelector("header img.avatar")?.naturalWidth ?? 0')).toBeGreaterThan(0)
    await page.reload()
    await expect.poll(() => page.getByRole('banner').locator('img.avatar').count()).toBe(1)
    await page.getByRole('button', { name: '恢复默认头像' }).click()
    await expect.poll(() => page.getByRole('banner').locator('[data-default]').count()).toBe(1)
  })

  test('[S2.51][S3.09][S5.30] changes the password by three fields, sealed on the way', async () => {
    const visitor = await office.enter('admin2')
    const { page } = visitor
    await visitor.open('/info/index')
    await page.getByRole('tab', { name: '修改密码' }).click()
    const fill = async (old: string, fresh: string, again: string) => {
      await page.locator('[name=oldPassword]').fill(old)
      await page.locator('[name=newPassword]').fill(fresh)
      await page.locator('[name=newPassword1]').fill(again)
      await page.getByRole('button', { name: '保存' }).last().click()
    }
    await fill('', 'short', '')
    await page.getByText('请输入原密码').waitFor()
    await page.getByText('密码至少 12 位').waitFor()
    await page.getByText('密码强度：弱').waitFor()
    await fill(staffPassword, 'Sunny-river-2027', 'Sunny-river-2028')
    await page.getByText('两次密码输入不一致').waitFor()
    await page.getByText('密码强度：强').waitFor()
    await visitor.look('shell-password')
    visitor.expectRefusal(400)
    await fill('not-my-password', 'Sunny-river-2027', 'Sunny-river-2027')
    await page.getByText('原密码不正确').first().waitFor()
    const sent = page.waitForRequest(/update-password/)
    await fill(staffPassword, 'Sunny-river-2027', 'Sunny-river-2027')
    const body = (await sent).postDataJSON() as Record<string, string>
    expect(Object.keys(body).sort()).toEqual(['newPassword', 'newPassword1', 'oldPassword'])
    for (const sealed of Object.values(body)) expect(sealed).toMatch(/^[0-9a-f]{200,}$/)
    expect(new Set(Object.values(body)).size).toBe(3)
    await toast(page, '操作成功').waitFor()
    expect(await page.locator('[name=newPassword]').inputValue()).toBe('')
    const later = await office.come('admin2 again')
    await later.open('/login')
    await later.page.locator('[name=username]').fill('admin2')
    await later.page.locator('[name=password]').fill('Sunny-river-2027')
    await later.page.locator('[name=captcha]').fill(testCaptcha)
    await later.page.locator('.captcha img').waitFor()
    await later.page.locator('.login-submit').click()
    await later.page.waitForURL('**/wel/index')
  })
})
