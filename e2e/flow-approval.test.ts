import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { checkAccess, settle } from './support/browser.ts'
import { openConsole } from './support/shell.ts'

const office = openConsole([
  { account: 'admin1', realName: '赵管理', roles: ['admin'] },
  { account: 'clerk1', realName: '李经办', roles: ['reviewer1'] },
  { account: 'check1', realName: '孙复核', roles: ['reviewer1'] },
  { account: 'head1', realName: '周科长', roles: ['reviewer1'] },
  { account: 'money1', realName: '钱财务', roles: ['finance'] },
])

/** Names the person of a step in the list of steps. */
const nameFor = async (page: Page, step: number, person: string): Promise<void> => {
  const row = page.locator('.flow-steps-list > li').nth(step - 1)
  for (const old of await row.getByRole('button', { name: /^移除/ }).all()) await old.click()
  await row.getByLabel('办理人类型').selectOption({ label: '指定人员' })
  await row.getByLabel('指定人员').fill(person)
  await page
    .getByRole('option', { name: new RegExp(person) })
    .or(page.locator('.ant-select-item-option', { hasText: person }))
    .last()
    .click()
  await row.locator('.flow-chips').getByText(person).waitFor()
}

test('[22.4][S7.32][S7.33] an approval by amount is drawn as a list, deployed, started, returned, mended and agreed to by three', async () => {
  const { page, open } = await office.enter('admin1')
  await open('/flow/model')
  await page.getByRole('button', { name: '新建流程' }).first().click()
  await page.getByRole('dialog').getByRole('button', { name: '按金额分级审批' }).click()
  await page.getByLabel('流程名称').fill('采购申请')
  // What has nobody yet is said, and it cannot be deployed.
  await page.getByText(/2 处问题/).waitFor()
  await nameFor(page, 1, '孙复核')
  await nameFor(page, 2, '周科长')
  await nameFor(page, 3, '钱财务')
  await page.getByText('没有问题，可以部署').waitFor()
  await settle(page)
  expect(await checkAccess(page)).toEqual([])
  await page.getByRole('button', { name: '保存', exact: true }).click()
  await page.getByText('已保存为第 1 版').waitFor()
  // The same as a drawing, with its panel.
  await page.getByRole('button', { name: '流程图', exact: true }).click()
  await page
    .locator('.flow-board .djs-container')
    .getByText('采购')
    .or(page.locator('.flow-board [data-element-id=step1]'))
    .first()
    .waitFor()
  await page.locator('summary', { hasText: '元素列表' }).click()
  await page.locator('.flow-panel ol').getByRole('button', { name: '经办人复核' }).click()
  await page.locator('.flow-panel .flow-chips').getByText('孙复核').waitFor()
  await settle(page)
  expect(await checkAccess(page)).toEqual([])
  await page.getByRole('button', { name: '部署', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('流程分类').selectOption({ label: '通用审批' })
  await dialog.getByRole('button', { name: '部署', exact: true }).click()
  await page.getByText(/已部署“process_\d+”第 1 版/).waitFor()

  const clerk = await office.enter('clerk1')
  await clerk.open('/work/start')
  await clerk.page.getByRole('link', { name: /发起.*采购申请/ }).click()
  await clerk.page.getByRole('button', { name: '提交' }).click()
  await clerk.page.getByText('请输入金额（元）').waitFor()
  await clerk.page.getByLabel('标题').fill('采购血压计 20 台')
  await clerk.page.getByLabel('金额（元）').fill('2000')
  await clerk.page.getByRole('button', { name: '提交' }).click()
  await clerk.page.getByText('已提交“采购血压计 20 台”').waitFor()

  /** Opens the task that waits for somebody. */
  const handle = async (account: string) => {
    const visitor = await office.enter(account)
    await visitor.open('/work/todo')
    await visitor.page
      .getByRole('row', { name: /采购血压计/ })
      .getByRole('button', { name: '办理' })
      .click()
    await visitor.page.getByRole('heading', { name: /采购血压计/ }).waitFor()
    return visitor
  }
  const check = await handle('check1')
  await check.page.getByText('2000').first().waitFor()
  await check.page.getByRole('button', { name: '退回', exact: true }).click()
  const back = check.page.getByRole('dialog')
  await back.getByRole('button', { name: '退回', exact: true }).click()
  await back.getByText('请填写退回原因，对方会看到').waitFor()
  await back.getByLabel('退回原因').fill('数量不对')
  await back.getByRole('button', { name: '退回', exact: true }).click()
  await check.page.getByText('已退回', { exact: true }).first().waitFor()

  await clerk.open('/work/todo')
  await clerk.page
    .getByRole('row', { name: /采购血压计/ })
    .getByRole('button', { name: '办理' })
    .click()
  await clerk.page.getByText('已退回给您').waitFor()
  await clerk.page.getByText('意见：数量不对').waitFor()
  await clerk.page.getByLabel('金额（元）').fill('2500')
  await clerk.page.getByRole('button', { name: '重新提交' }).click()
  await clerk.page.getByText('已重新提交').first().waitFor()

  for (const account of ['check1', 'head1', 'money1']) {
    const visitor = account === 'check1' ? check : await handle(account)
    if (account === 'check1') {
      await visitor.open('/work/todo')
      await visitor.page
        .getByRole('row', { name: /采购血压计/ })
        .getByRole('button', { name: '办理' })
        .click()
    }
    await visitor.page.getByLabel('意见').fill('同意购买')
    await visitor.page.getByRole('button', { name: '同意', exact: true }).click()
    await visitor.page.getByText('已同意').first().waitFor()
  }

  await clerk.open('/work/send')
  const row = clerk.page.getByRole('row', { name: /采购血压计/ })
  await row.getByText('已同意').waitFor()
  await row.getByRole('button', { name: '流程跟踪' }).click()
  const progress = clerk.page.getByRole('dialog')
  await progress.locator('.djs-element.flow-done').first().waitFor()
  await progress.getByText('意见：同意购买').first().waitFor()
  expect(await progress.locator('.timeline > li').count()).toBeGreaterThanOrEqual(6)
})
