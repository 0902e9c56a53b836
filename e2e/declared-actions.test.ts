import { expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { sitAt } from './support/screen.ts'
import { openConsole } from './support/shell.ts'

// Buttons that a declaration puts into rows: shown for the rows they are for, asked about first, gone when there is nothing left to do.

const office = openConsole([
  { account: 'admin1', realName: '赵管理', roles: ['admin'] },
  { account: 'finance1', realName: '孙财务', roles: ['finance'] },
])

test('[20.5][S2.50] a parameter of the tenant’s own goes back to the platform’s; one that the program uses offers no removal', async () => {
  const { desk } = await sitAt(office, 'admin1', '/system/param')
  await desk.find({ 参数键名: 'reveal.perHour' })
  const row = desk.row('reveal.perHour')
  await row.getByText('平台', { exact: true }).waitFor()
  expect(await row.getByRole('button', { name: '恢复平台值' }).count()).toBe(0)
  await desk.act(row, '编辑')
  await desk.fill({ 参数键值: '31' })
  await desk.done()
  await row.getByText('本租户', { exact: true }).waitFor()
  expect(await row.getByRole('button', { name: '删除' }).count()).toBe(0)
  await desk.act(row, '恢复平台值')
  await desk.window.getByText('恢复为平台的值，立即生效。').waitFor()
  await desk.window.getByRole('button', { name: '确定', exact: true }).click()
  await desk.said('已恢复 1 项')
  await row.getByText('平台', { exact: true }).waitFor()
})

test('[20.5] a payment alarm is closed with what was done, which has to be said, and then offers nothing more', async () => {
  await office.backdoor.db(db =>
    db.run(sql`insert into pay_alarm (tenant_id, kind, detail) values (${db.actor.tenantId}, 'unknownOrder', 'E2E 订单 42')`),
  )
  const { desk } = await sitAt(office, 'finance1', '/pay/payAlarm')
  const row = desk.row('E2E 订单 42')
  await row.getByText('待处理', { exact: true }).waitFor()
  await desk.act(row, '处理完毕')
  await desk.window.getByText('收到未知订单的支付：E2E 订单 42').waitFor()
  await desk.refused('请填写如何处理，会记入审计', '处理完毕')
  await desk.window.getByLabel('处理说明').fill('已电话核实')
  await desk.done('处理完毕')
  await desk.said('异常已处理')
  await row.getByText('已处理', { exact: true }).waitFor()
  await row.getByText('已电话核实').waitFor()
  expect(await row.getByRole('button', { name: '处理完毕' }).count()).toBe(0)
})
