import { describe, expect, test } from 'vitest'
import { staffPassword } from './support/people.ts'
import { openConsole } from './support/shell.ts'

const office = openConsole([{ account: 'clerk1', realName: '孙财务', roles: ['finance'] }])

describe('a login without the picture', () => {
  test.each([
    ['desktop', 'zh', '看不清图片？免图形验证', '已改用免图形验证', '密码错误'],
    ['phone', 'en', 'Cannot read the picture? Go without it', 'No picture needed', 'Wrong account or password'],
  ] as const)(
    '[S7.07] by keyboard alone, on a %s in %s; a wrong password costs no second choice',
    async (screen, language, use, said, refused) => {
      const visitor = await office.come(`clerk1 ${screen}`, { screen, language })
      const { page } = visitor
      await visitor.open('/login')
      await page.locator('.captcha img').waitFor()
      await page.locator('[name=captcha]').focus()
      // The picture's own button stands between.
      await page.keyboard.press('Tab')
      await page.keyboard.press('Tab')
      await expect.poll(() => page.evaluate('document.activeElement?.textContent')).toBe(use)
      await page.keyboard.press('Enter')
      await page.getByRole('status').getByText(said).waitFor()
      expect(await page.locator('[name=captcha]').count()).toBe(0)
      await visitor.look(`login-without-picture-${screen}`)
      visitor.expectRefusal(400)
      await page.locator('[name=username]').fill('clerk1')
      await page.locator('[name=password]').fill('not-the-password')
      await page.keyboard.press('Enter')
      await page.getByText(refused).first().waitFor()
      await page.locator('[name=password]').fill(staffPassword)
      await page.keyboard.press('Enter')
      await page.waitForURL('**/wel/index')
    },
  )

  test('the picture comes back when it is wanted', async () => {
    const visitor = await office.come('somebody')
    const { page } = visitor
    await visitor.open('/login')
    await page.getByRole('button', { name: '看不清图片？免图形验证' }).click()
    await page.getByRole('button', { name: '改用图形验证码' }).click()
    await page.locator('.captcha img').waitFor()
    await page.locator('[name=captcha]').waitFor()
  })
})
