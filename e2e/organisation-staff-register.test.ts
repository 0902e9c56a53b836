import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { callAs, logInAs } from './support/caller.ts'
import { staffPassword } from './support/people.ts'
import { testCaptcha } from './support/server.ts'
import { openConsole } from './support/shell.ts'

const office = openConsole([{ account: 'admin1', realName: '赵管理', roles: ['admin'] }])
const password = 'seven green boats'

const allow = async (): Promise<void> => {
  const admin = callAs(office.server.url, await logInAs(office.server.url, 'admin1', staffPassword))
  const { data } = await admin.get('/blade-system/param/list', { paramKey_equal: 'staff.register' })
  expect((await admin.post('/blade-system/param/submit', { id: data.records[0].id, paramValue: '1' })).status).toBe(200)
}

/** Pictures stay away until the answer is called. */
const holdCaptcha = async (page: Page): Promise<() => void> => {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route('**/oauth/captcha', async route => {
    await promise
    await route.continue()
  })
  return resolve
}

test('[S7.06][S9.06] staff register where the tenant lets them: wrong fields are told at them, then the request waits, and a login says so', async () => {
  const visitor = await office.come('何新')
  const { page } = visitor
  await visitor.open('/login')
  await page.getByRole('link', { name: '考生注册' }).waitFor()
  expect(await page.getByRole('button', { name: '工作人员注册' }).count()).toBe(0)
  await allow()
  await page.reload()
  await page.getByRole('button', { name: '工作人员注册' }).click()
  await page.getByRole('heading', { name: '工作人员注册' }).waitFor()

  await page.getByRole('button', { name: '提交注册申请' }).click()
  await expect
    .poll(() => page.locator('.login-error').allInnerTexts())
    .toEqual(['账号为 4 至 60 位字母、数字或 _ . @ -', '请输入姓名', '请输入手机号码', '请输入密码', '请输入验证码'])
  expect(await page.evaluate('document.activeElement.name')).toBe('account')
  await visitor.look('staff-register-wrong')
  await page.getByLabel('账号').fill('admin1')
  await page.getByLabel('姓名').fill('何新')
  await page.getByLabel('手机号').fill('16066600001')
  await page.getByLabel('密码', { exact: true }).fill('short')
  await page.getByText('密码强度：弱').waitFor()
  await page.getByLabel('密码', { exact: true }).fill(password)
  await page.getByText('密码强度：中').waitFor()
  const captcha = page.getByLabel('验证码', { exact: true })
  const picture = page.locator('.captcha img')
  await picture.waitFor()
  await captcha.fill('wrong')
  visitor.expectRefusal(400)
  const release = await holdCaptcha(page)
  await page.getByRole('button', { name: '提交注册申请' }).click()
  await page.getByText('验证码错误、已过期或已用过，请输入新的验证码').waitFor()
  // Nobody types from the spent picture, and what is typed before the next one is there stays.
  await expect.poll(() => picture.count()).toBe(0)
  await expect.poll(() => captcha.inputValue()).toBe('')
  await captcha.fill(testCaptcha)
  expect(await page.getByText('验证码错误').count()).toBe(0)
  await page.getByRole('button', { name: '提交注册申请' }).click()
  await page.getByText('验证码图片还没有取到').waitFor()
  release()
  await picture.waitFor()
  await expect.poll(() => page.getByText('验证码图片还没有取到').count()).toBe(0)
  expect(await captcha.inputValue()).toBe(testCaptcha)
  visitor.expectRefusal(400)
  await page.getByRole('button', { name: '提交注册申请' }).click()
  await page.getByText('该账号已被使用').waitFor()
  expect(await page.evaluate('document.activeElement.name')).toBe('account')

  await page.getByLabel('账号').fill('he.xin')
  // Whoever cannot use a picture lets the browser work instead.
  await page.getByRole('button', { name: '看不清图片？免图形验证' }).click()
  const sent = page.waitForRequest(/oauth\/token/)
  visitor.expectRefusal(400)
  await page.getByRole('button', { name: '提交注册申请' }).click()
  await page.getByText('账号 he.xin 的注册申请已提交，请耐心等待管理员通过。').waitFor()
  const wire = (await sent).postData() ?? ''
  for (const secret of ['16066600001', 'boats']) expect(wire).not.toContain(secret)
  await visitor.look('staff-register-done')
  expect(
    await office.backdoor.db(db =>
      db.all(sql<object>`select account, real_name as name, status, phone_mask as phone from account where account = 'he.xin'`),
    ),
  ).toEqual([{ account: 'he.xin', name: '何新', status: 0, phone: '160****0001' }])

  await page.getByRole('button', { name: '返回登录' }).click()
  await page.locator('[name=username]').fill('he.xin')
  await page.locator('[name=password]').fill(password)
  await page.locator('[name=captcha]').fill(testCaptcha)
  visitor.expectRefusal(400)
  await page.locator('.login-submit').click()
  await page.getByText('账号待审核').waitFor()
})

test('[S2.34][S9.17] the same in English and on a phone', async () => {
  await allow()
  for (const screen of ['desktop', 'phone'] as const)
    for (const language of ['zh', 'en'] as const) {
      const visitor = await office.come(`${screen} ${language}`, { screen, language })
      const { page } = visitor
      await visitor.open('/login')
      const door = page.getByRole('button', { name: language === 'zh' ? '工作人员注册' : 'Staff registration' })
      await door.waitFor()
      await visitor.look(`staff-register-door-${screen}-${language}`)
      await door.click()
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.getByLabel(language === 'zh' ? '密码' : 'Password', { exact: true }).fill(password)
      await page.locator('.captcha img').waitFor()
      await visitor.look(`staff-register-${screen}-${language}`)
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    }
})
