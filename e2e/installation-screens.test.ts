import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { openConsole, ownServer } from './support/shell.ts'
import { whole } from './support/tour.ts'

// The checklist and the checks of the data, worked with the keyboard alone by who looks after the installation.

const office = openConsole([{ account: 'operator1', realName: '钱平台', roles: ['administrator'] }], ownServer)

/** Presses Tab until the focus is on the control of this name. */
const tabTo = async (page: Page, name: string): Promise<void> => {
  for (let presses = 0; presses < 200; presses++) {
    const now = await page.evaluate<string>(`((document.activeElement?.labels?.[0] ?? document.activeElement)?.textContent ?? '').trim()`)
    if (now === name) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`${page.url()}: the keyboard does not come to “${name}”`)
}

test('a step is tried, a check finds a row and sets it right, by keyboard', async () => {
  const { page, open, look } = await office.enter('operator1')
  await open('/system/setup')
  await whole(page)
  await look('setup')
  await tabTo(page, '试一试：写入、读回并删除一个文件')
  await page.keyboard.press('Enter')
  await page.getByText('写入、读回、删除均成功（operator1').waitFor()

  await office.backdoor.db(db => db.run(sql`insert into row_count (tenant_id, counted, n) values (${db.actor.tenantId}, 'param', 5)`))
  await open('/monitor/invariant')
  await whole(page)
  await tabTo(page, '立即核对')
  await page.keyboard.press('Enter')
  await page.getByText('上次核对', { exact: false }).waitFor()
  const line = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: '列表总数' }) })
  await line.getByText('1 处不一致').waitFor()
  await tabTo(page, '只看不一致')
  await page.keyboard.press('Space')
  await tabTo(page, '查看行')
  await page.keyboard.press('Enter')
  await line.getByRole('cell', { name: 'param' }).waitFor()
  await look('data-checks')
  await tabTo(page, '修复：重新计数')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: '修复' }).waitFor()
  await tabTo(page, '修复')
  await page.keyboard.press('Enter')
  await page.getByText('已修复 1 处，剩余 0 处').waitFor()
  await expect.poll(() => line.count()).toBe(0)
})

test.each([
  ['zh', 'phone'],
  ['en', 'desktop'],
  ['en', 'phone'],
] as const)('in %s on a %s nothing is cut off, and all has its language', async (language, screen) => {
  await office.backdoor.db(db => db.run(sql`insert into row_count (tenant_id, counted, n) values (${db.actor.tenantId}, 'param', 5)`))
  const { page, open, look } = await office.enter('operator1', { language, screen })
  const fits = () => page.evaluate<boolean>('document.documentElement.scrollWidth <= document.documentElement.clientWidth')
  await open('/system/setup')
  await whole(page)
  expect(await fits()).toBe(true)
  await look(`setup-${language}-${screen}`)
  await open('/monitor/invariant')
  await whole(page)
  await page.getByRole('button', { name: language === 'zh' ? '立即核对' : 'Check now' }).click()
  const rows = page.getByRole('button', { name: language === 'zh' ? '查看行' : 'Show rows' })
  await rows.first().waitFor()
  await rows.first().click()
  await page.getByRole('cell', { name: 'param' }).waitFor()
  expect(await fits()).toBe(true)
  await look(`data-checks-${language}-${screen}`)
})
