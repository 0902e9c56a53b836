import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { typeLogin } from './support/browser.ts'
import { staffPassword } from './support/people.ts'
import { png } from './support/png.ts'
import { testSms } from './support/server.ts'
import { openConsole, ownServer } from './support/shell.ts'

const office = openConsole(
  [
    { account: 'admin1', realName: '赵管理', roles: ['admin'] },
    { account: 'admin2', realName: '钱管理', roles: ['admin'] },
    { account: 'reviewer1a', realName: '褚初审', roles: ['reviewer1'] },
  ],
  ownServer,
)

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
    await expect.poll(() => page.getByRole('button', { name: /用户菜单/ }).textContent()).toContain('租户管理员 / 老赵')
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
    await choose(page, 'me.gif', Buffer.from('GIF89a and what follows'))
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
    // As large as the letter that stood there.
    const shown = page.locator('.info-avatar img.avatar')
    await expect.poll(async () => (await shown.boundingBox()) ?? {}).toMatchObject({ width: 96, height: 96 })
    expect(await page.locator('header img.avatar').boundingBox()).toMatchObject({ width: 28, height: 28 })
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
    await page.getByText('密码不正确').first().waitFor()
    const sent = page.waitForRequest(/update-password/)
    await fill(staffPassword, 'Sunny-river-2027', 'Sunny-river-2027')
    const body = (await sent).postDataJSON() as Record<string, string>
    expect(Object.keys(body).sort()).toEqual(['newPassword', 'newPassword1', 'oldPassword'])
    for (const sealed of Object.values(body)) expect(sealed).toMatch(/^[0-9a-f]{200,}$/)
    expect(new Set(Object.values(body)).size).toBe(3)
    await toast(page, '操作成功').waitFor()
    await expect.poll(() => page.locator('[name=newPassword]').inputValue()).toBe('')
    const later = await office.come('admin2 again')
    await later.open('/login')
    await typeLogin(later.page, 'admin2', 'Sunny-river-2027')
    await later.page.waitForURL('**/wel/index')
  })
})

describe('other doors', () => {
  const through = async (page: Page, door: string, person: RegExp) => {
    await page.getByRole('link', { name: door }).click()
    await page.waitForURL('**/demo/oauth/authorize**')
    await page.getByRole('button', { name: person }).click()
  }

  test('[S2.43][S2.44][S2.45][S2.46][S3.11][S5.14][S5.15][S5.16][S5.17][S5.18][S7.12][S7.13][S8.07] a guest of another provider asks for an account', async () => {
    const visitor = await office.come('guest')
    const { page, context } = visitor
    await visitor.open('/login')
    await page.getByRole('link', { name: '演示社交账号' }).waitFor()
    await visitor.look('shell-login-doors')
    await through(page, '演示社交账号', /林晓芸/)
    const dialog = page.getByRole('dialog', { name: '账号注册' })
    await dialog.waitFor()
    expect(await dialog.locator('label').allInnerTexts()).toEqual(['租户编号', '用户名称', '账号名称', '密码', '确认密码'])
    expect([await dialog.getByLabel('用户名称').inputValue(), await dialog.getByLabel('账号名称').inputValue()]).toEqual([
      '林晓芸',
      'linxiaoyun',
    ])
    await visitor.look('shell-guest')
    const warned = async (text: string) => {
      await dialog.getByRole('button', { name: '提交' }).click()
      await page.locator('.toast[data-tone=warning]', { hasText: text }).last().waitFor()
    }
    // Nobody knows the number of a tenant by heart: the one whose page they came from is offered.
    expect(await dialog.getByLabel('租户编号').inputValue()).toBe('000000')
    await dialog.getByLabel('租户编号').fill('')
    await dialog.getByLabel('账号名称').fill('')
    await warned('请先输入租户编号')
    await dialog.getByLabel('租户编号').fill('000009')
    await warned('请先输入账号名称')
    await dialog.getByLabel('账号名称').fill('linxiaoyun')
    await warned('请先输入密码')
    await dialog.getByLabel('密码', { exact: true }).fill('Sunny-river-2027')
    await dialog.getByLabel('确认密码').fill('Sunny-river-2028')
    await warned('两次密码输入不一致')
    // The words about the tries before have made room for the form.
    expect(await page.locator('.toast').allInnerTexts()).toEqual(['两次密码输入不一致'])
    await dialog.getByLabel('确认密码').fill('Sunny-river-2027')
    visitor.expectRefusal(400)
    await dialog.getByRole('button', { name: '提交' }).click()
    await toast(page, '租户信息有误').waitFor()
    await dialog.getByLabel('租户编号').fill('000000')
    const sent = page.waitForRequest(/register-guest/)
    await dialog.getByRole('button', { name: '提交' }).click()
    expect((await sent).postData()).not.toContain('Sunny-river')
    await dialog.getByRole('alert').getByText('注册申请已提交，请耐心等待管理员通过').waitFor()
    expect(
      await office.backdoor.db(db =>
        db.all(sql<{ status: number; name: string }>`select status, nick_name as name from account where account = 'linxiaoyun'`),
      ),
    ).toEqual([{ status: 0, name: '林晓芸' }])
    await dialog.getByRole('button', { name: '确定' }).click()
    await page.waitForURL('**/login')
    expect((await context.cookies()).filter(({ name }) => name.startsWith('kaopu-access'))).toEqual([])

    visitor.expectRefusal(400)
    await through(page, '演示社交账号', /林晓芸/)
    await toast(page, '账号待审核').waitFor()
    const back = page.getByRole('button', { name: '返回登录' })
    await back.and(page.locator(':focus')).waitFor()
    await page.locator('.toast', { hasText: '账号待审核' }).getByRole('button', { name: '关闭' }).click()
    // It can be read for as long as it takes.
    await page.getByRole('main').getByText('账号待审核').waitFor()
    await back.click()
    await page.waitForURL('**/login')
  })

  test('[S2.44] asks for no tenant number where the address names the tenant; somebody who cancels is back at the login', async () => {
    const visitor = await office.come('guest')
    const { page } = visitor
    await visitor.open('/login?tenantId=000000')
    await through(page, '演示社交账号', /何砚青/)
    const dialog = page.getByRole('dialog', { name: '账号注册' })
    await dialog.waitFor()
    expect(await dialog.locator('label').allInnerTexts()).toEqual(['用户名称', '账号名称', '密码', '确认密码'])
    await dialog.getByRole('button', { name: '返回登录' }).click()
    await page.waitForURL('**/login')
    await through(page, '演示社交账号', /取消/)
    await page.waitForURL('**/login?error=**')
    await toast(page, '已取消第三方登录').waitFor()
  })

  test('[S7.12][S2.23] single sign-on logs a member of staff in and goes on to the page that was wanted', async () => {
    const visitor = await office.come('reviewer1a')
    const { page } = visitor
    await visitor.open('/info/index')
    await page.waitForURL('**/login?**')
    await through(page, '演示统一身份认证', /褚初审/)
    await page.waitForURL('**/info/index')
    await page.getByLabel('姓名').waitFor()
    expect(await visitor.ask('/blade-system/user/info')).toMatchObject({ account: 'reviewer1a' })
  })

  test('[S7.11][S7.12][S5.28] a member of staff who has proven the phone logs in by SMS code', async () => {
    const visitor = await office.enter('reviewer1a')
    const { page } = visitor
    await visitor.open('/info/index')
    await page.getByLabel('手机号').fill('13800000012')
    await page.getByRole('button', { name: '获取验证码' }).click()
    await toast(page, '验证码已发送').waitFor()
    await page.getByLabel('短信验证码').fill(testSms)
    await page.getByRole('button', { name: '保存' }).click()
    await toast(page, '操作成功').waitFor()
    // One message a minute: this is a minute later. Staff log in by SMS where the tenant has switched it on.
    await office.backdoor.db(async db => {
      await db.run(sql`update login_challenge set created_at = created_at - interval '2 minutes'`)
      await db.run(sql`update param set param_value = '1' where param_key = 'staff.smsLogin'`)
    })
    const later = await office.come('reviewer1a again')
    await later.open('/login')
    await later.page.getByRole('tab', { name: '短信登录' }).click()
    await later.page.locator('[name=phone]').fill('13800000012')
    await later.page.getByRole('button', { name: '获取验证码' }).click()
    await toast(later.page, '验证码已发送').waitFor()
    await later.page.locator('[name=code]').fill(testSms)
    await later.page.locator('.login-submit').click()
    await later.page.waitForURL('**/wel/index')
  })
})
