import { expect, test } from 'vitest'
import { staffPassword } from './support/people.ts'
import { testCaptcha } from './support/server.ts'
import { openConsole } from './support/shell.ts'

const office = openConsole([{ account: 'kaowu1', realName: '周考务', roles: ['exam_admin'] }])

test('[S9.06] a spent captcha whose successor does not come is shown no longer; the next one comes by itself', async () => {
  const person = await office.come('周考务')
  const { page, context } = person
  await person.open('/login')
  const picture = page.locator('.captcha img')
  await picture.waitFor()
  await context.route('**/oauth/captcha', route => route.abort('connectionrefused'))
  person.expectRefusal(400)
  await page.locator('[name=username]').fill('kaowu1')
  await page.locator('[name=password]').fill('not-the-password')
  await page.locator('[name=captcha]').fill(testCaptcha)
  await page.locator('.login-submit').click()
  await page.getByText('用户名或密码错误').waitFor()
  await page.locator('.captcha').getByText('点击获取').waitFor()
  expect(await picture.count()).toBe(0)
  await page.locator('[name=password]').fill(staffPassword)
  await page.locator('[name=captcha]').fill(testCaptcha)
  await page.locator('.login-submit').click()
  await page.getByText('验证码图片还没有取到').waitFor()
  await person.look('login-captcha-none')
  await context.unroute('**/oauth/captcha')
  await picture.waitFor()
  await page.locator('.login-submit').click()
  await page.waitForURL('**/wel/index')
  // What did not come is the only thing that went wrong.
  expect(person.troubles().filter(trouble => !trouble.includes('/oauth/captcha'))).toEqual([])
})

test('[S9.06] a captcha that is too old to count is changed, and what was typed from it goes with it', async () => {
  const { page, open } = await office.come('somebody')
  await page.clock.install()
  await open('/login')
  const picture = page.locator('.captcha img')
  const first = await picture.getAttribute('src')
  await page.locator('[name=captcha]').fill(testCaptcha)
  await page.clock.fastForward('04:29')
  expect(await picture.getAttribute('src')).toBe(first)
  await page.clock.fastForward('00:02')
  await expect.poll(() => picture.getAttribute('src')).not.toBe(first)
  await expect.poll(() => page.locator('[name=captcha]').inputValue()).toBe('')
})
