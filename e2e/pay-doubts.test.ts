import { beforeEach, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { workbook } from '../server/test/support/workbook.ts'
import { comeIn, type Visitor } from './support/browser.ts'
import { openDues } from './support/dues.ts'
import { staffPassword } from './support/people.ts'
import { actOn } from './support/screen.ts'

// What the office is asked about before it is taken, in both languages.
const dues = openDues()
beforeEach(() => {
  dues.finance.troubles()
})

const words = {
  zh: {
    ...{ list: '导入应缴', next: '下一步', all: '全部确认（2 行）', rows: /^导入 \d 行$/ },
    ...{ left: /没有确认，没有导入/, close: '关闭' },
  },
  en: {
    ...{ list: 'Import dues', next: 'Next', all: 'Confirm all of them (2 rows)', rows: /^Import \d rows?$/ },
    ...{ left: /not confirmed and not imported/, close: 'Close' },
  },
} as const

const walk = async (who: Visitor, language: 'zh' | 'en', fee: string): Promise<void> => {
  const { page } = who
  const t = words[language]
  const dialog = () => page.getByRole('dialog').last()
  await who.open('/pay/examPay')
  await page.getByRole('button', { name: t.list, exact: true }).click()
  await dialog().getByRole('button', { name: t.next }).click()
  const rows = [
    ['证件号码*', '姓名*', '费用名称*', '应缴金额(元)*', '缴费截止时间'],
    ['2026070000000001', '王·测', '已缴的', '7', ''],
    ['2026070000000002', '王·测', '报名费', '8', ''],
    ['2026070000000002', '王·测', fee, language === 'zh' ? '9' : '11', ''],
  ]
  await dialog()
    .locator('input[type=file]')
    .setInputFiles({
      name: 'dues.xlsx',
      mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      buffer: await workbook(rows),
    })
  const all = dialog().getByText(t.all)
  await all.waitFor()
  await who.look(`import-asks-${language}`)
  const commit = dialog().getByRole('button', { name: t.rows })
  const before = await commit.innerText()
  await dialog().locator('.import-asks li input').first().check()
  await expect.poll(() => commit.innerText()).not.toBe(before)
  await commit.click()
  await dialog().getByText(t.left).waitFor()
  await who.look(`import-asked-${language}`)
  await dialog().getByRole('button', { name: t.close, exact: true }).last().click()
  expect(who.troubles()).toEqual([])
}

test('[S7.41] rows of an import that ask are ticked one by one, and those that are not stay out', async () => {
  await walk(dues.finance, 'zh', '补考费')
  const english = await dues.come('Chu', 'en')
  await english.context.addInitScript(`localStorage.setItem('kaopu-lang', '"en"')`)
  await comeIn(english, 'caiwu2', staffPassword, '/pay/examPay')
  await walk(english, 'en', 'Re-sit fee')
})

test('[S7.61] a payment from before the sign-up is asked about by hand', async () => {
  const { page } = dues.finance
  dues.finance.expectRefusal(409)
  await dues.backdoor.db(db => db.run(sql`update examination set created_at = now() - interval '300 days'`))
  await dues.finance.open('/pay/examPay')
  await actOn(page.getByRole('row', { name: /第一笔/ }), '手工登记')
  const form = page.getByRole('dialog').last()
  await form.getByLabel('缴费时间').fill(`${new Date(Date.now() - 200 * 86_400_000).toISOString().slice(0, 10)} 09:30:00`)
  await form.getByLabel('凭证号', { exact: true }).fill('YH-200')
  await form.getByRole('button', { name: '登记', exact: true }).click()
  const asked = page.getByRole('dialog', { name: '请确认' })
  await asked.getByText('缴费时间早于报名开始').waitFor()
  await dues.finance.look('hand-asks')
  await asked.getByRole('button', { name: '返回修改' }).click()
  dues.finance.expectRefusal(409)
  await form.getByRole('button', { name: '登记', exact: true }).click()
  await asked.getByRole('button', { name: '确认无误，提交' }).click()
  await page
    .getByRole('row', { name: /第一笔/ })
    .getByText('已缴')
    .waitFor()
  expect(dues.finance.troubles()).toEqual([])
})
