import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { typeLogin } from './support/browser.ts'
import { staffPassword } from './support/people.ts'
import { testSms } from './support/server.ts'
import { openConsole } from './support/shell.ts'

const office = openConsole([
  { account: 'clerk1', realName: '孙办事', roles: ['finance'] },
  { account: 'clerk2', realName: '李办事', roles: ['finance'] },
])

/** As if an administrator had reset the password just now. */
const makeDue = (account: string) =>
  office.backdoor.db(db =>
    db.run(sql`update account set must_change_password = true, one_time_until = now() + interval '1 day' where account = ${account}`),
  )
const isDue = (account: string) =>
  office.backdoor.db(
    async db => (await db.one(sql<{ due: boolean }>`select must_change_password as due from account where account = ${account}`)).due,
  )
const openSessions = (account: string) =>
  office.backdoor.db(
    async db =>
      (
        await db.one(sql<{ count: number }>`
          select count(*)::int as count from session s join account a on a.id = s.user_id where a.account = ${account} and s.ended_at is null`)
      ).count,
  )
const tokenOf = async (page: Page) => (await page.context().cookies()).find(({ name }) => name === 'kaopu-access-token')
const choose = async (page: Page, password: string, again = password) => {
  await page.locator('[name=newPassword]').fill(password)
  await page.locator('[name=newPassword1]').fill(again)
  await page.locator('.login-submit').click()
}

describe('a one-time password', () => {
  test('[S3.09][S4.03][S7.19] opens the form that replaces it, nothing else; what was typed at the login is not asked for again', async () => {
    await makeDue('clerk1')
    const visitor = await office.come('clerk1')
    const { page } = visitor
    const refused: string[] = []
    page.on('response', response => {
      if (response.status() === 403) refused.push(response.url())
    })
    await visitor.open('/pay/examPay')
    await typeLogin(page, 'clerk1')
    await page.getByRole('heading', { name: '设置自己的密码' }).waitFor()
    await visitor.look('own-password')
    // The browser keeps no session yet: a reload is back at the login, and so is the way back.
    expect(await tokenOf(page)).toBeUndefined()
    await page.reload()
    await typeLogin(page, 'clerk1')
    await page.getByRole('button', { name: '返回登录' }).click()
    await page.locator('[name=captcha]').waitFor()
    expect(await openSessions('clerk1')).toBe(1)
    await typeLogin(page, 'clerk1')

    expect(await page.locator('[name=oldPassword]').count()).toBe(0)
    await choose(page, 'short')
    await page.getByText('密码至少 12 位').waitFor()
    await choose(page, staffPassword)
    await page.getByText('新密码不能与原密码相同').waitFor()
    await choose(page, 'Sunny-river-2027', 'Sunny-river-2028')
    await page.getByText('两次密码输入不一致').waitFor()
    await page.getByText('密码强度：强').waitFor()
    await visitor.look('own-password-wrong')
    expect(await isDue('clerk1')).toBe(true)
    await choose(page, 'Sunny-river-2027')
    // Where the way to the login began.
    await page.waitForURL('**/pay/examPay')
    await page.getByRole('table').first().waitFor()
    expect([await isDue('clerk1'), await openSessions('clerk1'), refused]).toEqual([false, 1, []])
  })

  test('[S4.03] one that was replaced elsewhere meanwhile leads back to the login', async () => {
    await makeDue('clerk2')
    const visitor = await office.come('clerk2', { screen: 'phone', language: 'en' })
    const other = await office.come('clerk2 elsewhere', { screen: 'phone', language: 'en' })
    for (const { open, page } of [visitor, other]) {
      await open('/login')
      await typeLogin(page, 'clerk2')
      await page.getByRole('heading', { name: 'Choose your own password' }).waitFor()
    }
    await visitor.look('own-password-390-en')
    await choose(other.page, 'Sunny-river-2027')
    await other.page.waitForURL('**/wel/index')
    visitor.expectRefusal(401)
    await choose(visitor.page, 'Windy-harbour-2028')
    await visitor.page.getByText('expired').first().waitFor()
    await typeLogin(visitor.page, 'clerk2', 'Sunny-river-2027')
    await visitor.page.waitForURL('**/wel/index')
  })

  test('[S3.09][S4.03][S7.11] is asked for after another door; the candidate goes on to the portal', async () => {
    const [member] = await office.backdoor.addCandidates(1)
    await office.backdoor.db(db =>
      db.run(sql`update account set password_hash = (select password_hash from account where account = 'clerk2') where account = 'crowd1'`),
    )
    await makeDue('crowd1')
    const visitor = await office.come('crowd1', { screen: 'phone' })
    const { page } = visitor
    await visitor.open('/login')
    await page.getByRole('tab', { name: '短信登录' }).click()
    await page.locator('[name=phone]').fill(member?.phone ?? '')
    await page.getByRole('button', { name: '获取验证码' }).click()
    await page.getByText('验证码已发送').waitFor()
    await page.locator('[name=code]').fill(testSms)
    await page.locator('.login-submit').click()
    await page.getByRole('heading', { name: '设置自己的密码' }).waitFor()
    await choose(page, 'short')
    await page.getByText('请输入原密码').waitFor()
    await page.getByText('密码至少 8 位').waitFor()
    await expect.poll(() => page.evaluate('document.activeElement?.getAttribute("name")')).toBe('oldPassword')
    visitor.expectRefusal(400)
    await page.getByLabel('一次性密码').fill('not-this-one-27')
    await choose(page, 'Green-tea-27')
    await page.getByText('密码不正确').first().waitFor()
    expect(await page.locator('[name=newPassword]').inputValue()).toBe('Green-tea-27')
    await visitor.look('own-password-390')
    await page.getByLabel('一次性密码').fill('Sunny-river-2027')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: /您好/ }).waitFor()
    expect(await isDue('crowd1')).toBe(false)
  })
})
