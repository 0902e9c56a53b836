import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { checkAccess, settle } from './support/axe.ts'
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
  await page.locator('.flow-panel ol').getByRole('button', { name: '经办人复核', exact: true }).click()
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
  await clerk.page.getByText('孙复核退回给您').waitFor()
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

/** Draws on the board: names the chosen step and says who gets it. */
const describeStep = async (page: Page, name: string, people: readonly string[]): Promise<void> => {
  const panel = page.locator('.flow-panel')
  await panel.getByLabel('名称', { exact: true }).fill(name)
  await panel.getByLabel('办理人类型').selectOption({ label: '指定人员' })
  for (const person of people) {
    await panel.getByLabel('指定人员').fill(person)
    await page.locator('.ant-select-dropdown:visible .ant-select-item-option', { hasText: person }).first().click()
    await panel.locator('.flow-chips').getByText(person).waitFor()
  }
}
const boxesOf = async (
  page: Page,
): Promise<readonly { readonly x: number; readonly y: number; readonly right: number; readonly bottom: number }[]> =>
  page.locator('.flow-board .djs-shape:has(> .djs-visual):not([data-element-id$="_label"])').evaluateAll(shapes =>
    shapes.map(shape => {
      const { x, y, right, bottom } = (shape.querySelector('.djs-visual') ?? shape).getBoundingClientRect()
      return { x, y, right, bottom }
    }),
  )
const isClean = async (page: Page): Promise<void> => {
  await settle(page)
  expect(await checkAccess(page)).toEqual([])
}

test('[22.4][S7.33][S4.09] drawn, deployed, started by a clerk, returned, mended, signed by two, ended; then compared with its next version', async () => {
  const { page, open } = await office.enter('admin1')
  await open('/flow/design/new?from=blank')
  await page.getByRole('button', { name: '流程图', exact: true }).click()
  const tools = page.getByRole('toolbar')
  await page.locator('.flow-board .djs-shape').first().waitFor()
  await page.locator('.flow-panel').getByLabel('流程名称').fill('设备报废')
  // Of its own: a key that was proposed within the same minute is another test's too.
  await page.locator('.flow-panel').getByLabel('流程标识').fill('scrap')
  const board = await page.locator('.flow-board').boundingBox()
  // Each new step goes into the line, and lies on nothing.
  await tools.getByRole('button', { name: '审批步骤' }).click()
  await describeStep(page, '资产核对', ['孙复核'])
  await tools.getByRole('button', { name: '审批步骤' }).click()
  await describeStep(page, '双人会签', ['周科长', '钱财务'])
  await page.locator('.flow-panel').getByLabel('多人办理方式').selectOption({ label: '会签：全部同意' })
  await page.getByText('没有问题，可以部署').waitFor()
  // Problems that came and went have not moved the board.
  expect(await page.locator('.flow-board').boundingBox()).toEqual(board)
  const boxes = await boxesOf(page)
  expect(boxes).toHaveLength(4)
  const overlaps = boxes.flatMap((a, at) =>
    boxes.slice(at + 1).filter(b => a.x < b.right && b.x < a.right && a.y < b.bottom && b.y < a.bottom),
  )
  expect(overlaps).toEqual([])
  await isClean(page)
  await page.getByRole('button', { name: '保存', exact: true }).click()
  await page.getByText('已保存为第 1 版').waitFor()
  const deploy = async (version: number) => {
    await page.getByRole('button', { name: '部署', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('流程分类').selectOption({ label: '通用审批' })
    await isClean(page)
    await dialog.getByRole('button', { name: '部署', exact: true }).click()
    await page.getByText(`已部署“scrap”第 ${version} 版`).waitFor()
  }
  await deploy(1)

  const clerk = await office.enter('clerk1')
  await clerk.open('/work/start')
  await clerk.page.getByRole('link', { name: /发起.*设备报废/ }).click()
  await clerk.page.getByLabel('标题').fill('报废离心机一台')
  await isClean(clerk.page)
  await clerk.page.getByRole('button', { name: '提交' }).click()
  await clerk.page.getByText('已提交“报废离心机一台”').waitFor()
  const handle = async (account: string) => {
    const visitor = account === 'clerk1' ? clerk : await office.enter(account)
    await visitor.open('/work/todo')
    await visitor.page
      .getByRole('row', { name: /报废离心机/ })
      .getByRole('button', { name: '办理' })
      .click()
    await visitor.page.getByRole('heading', { name: /报废离心机/ }).waitFor()
    return visitor
  }
  const check = await handle('check1')
  await check.page.getByText('不同意后：退回申请人修改，可重新提交').waitFor()
  await isClean(check.page)
  await check.page.getByRole('button', { name: '退回', exact: true }).click()
  const back = check.page.getByRole('dialog')
  await back.getByText('退回后，由申请人修改并重新提交').waitFor()
  await back.getByLabel('退回原因').fill('请写明资产编号')
  await isClean(check.page)
  await back.getByRole('button', { name: '退回', exact: true }).click()
  await check.page.getByText('已退回', { exact: true }).first().waitFor()

  await handle('clerk1')
  await clerk.page.getByText('孙复核退回给您').waitFor()
  await clerk.page.getByText('原因：请写明资产编号').waitFor()
  // Both buttons stand in one line.
  const [withdraw, again] = [
    await clerk.page.getByRole('button', { name: '撤回', exact: true }).boundingBox(),
    await clerk.page.getByRole('button', { name: '重新提交' }).boundingBox(),
  ]
  expect(withdraw?.y).toBe(again?.y)
  await isClean(clerk.page)
  await clerk.page.getByRole('textbox', { name: /标题$/ }).fill('报废离心机一台（ZC-0021）')
  await clerk.page.getByRole('button', { name: '重新提交' }).click()
  await clerk.page.getByText('已重新提交').first().waitFor()
  const agree = async (account: string) => {
    const { page: one } = await handle(account)
    if (account !== 'check1') await one.getByText('会签：全部同意才通过').waitFor()
    await one.getByRole('button', { name: '同意', exact: true }).click()
    await one.getByText('已同意').first().waitFor()
  }
  await agree('check1')
  await agree('head1')
  await clerk.open('/work/send')
  await clerk.page
    .getByRole('row', { name: /ZC-0021/ })
    .getByText('审批中')
    .waitFor()
  await agree('money1')
  await clerk.open('/work/done')
  await clerk.open('/work/send')
  await clerk.page
    .getByRole('row', { name: /ZC-0021/ })
    .getByText('已同意')
    .waitFor()
  await isClean(clerk.page)

  // The next version has one step more.
  await page.getByRole('button', { name: '流程图', exact: true }).click()
  await page.locator('.flow-board .djs-shape').first().waitFor()
  await tools.getByRole('button', { name: '审批步骤' }).click()
  await describeStep(page, '处置登记', ['孙复核'])
  await page.getByText('没有问题，可以部署').waitFor()
  await page.getByRole('button', { name: '保存', exact: true }).click()
  await page.getByText('已保存为第 2 版').waitFor()
  await deploy(2)
  await open('/flow/manager')
  await page
    .getByRole('row', { name: /设备报废/ })
    .first()
    .getByRole('button', { name: /更多|比较版本/ })
    .first()
    .click()
  const compare = page.getByRole('menuitem', { name: '比较版本' })
  if (await compare.count()) await compare.click()
  await page.getByRole('heading', { name: '比较版本：设备报废' }).waitFor()
  await page.locator('.flow-differences > li', { hasText: '处置登记' }).getByText('新增').waitFor()
  await page.locator('.flow-two .djs-element.flow-added').first().waitFor()
  await isClean(page)
})

test('[22.4] an imported file is still there when its page is loaded anew', async () => {
  const { page, open } = await office.enter('admin1')
  await open('/flow/model')
  await page.getByRole('button', { name: '新建流程' }).first().click()
  const file = `<?xml version="1.0"?><definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:flowable="http://flowable.org/bpmn" targetNamespace="t"><process id="outside" name="外来流程" isExecutable="true"><startEvent id="s"/><endEvent id="e"/><sequenceFlow id="f" sourceRef="s" targetRef="e"/></process></definitions>`
  await page
    .getByRole('dialog')
    .locator('input[type=file]')
    .setInputFiles({ name: 'outside.bpmn', mimeType: 'application/xml', buffer: Buffer.from(file) })
  await page.getByRole('heading', { name: '外来流程' }).waitFor()
  await page.reload()
  await page.getByRole('heading', { name: '外来流程' }).waitFor()
})
