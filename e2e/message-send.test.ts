import { beforeAll, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { seedMessages } from '../server/seed/demo/messages.ts'
import { checkAccess, settle } from './support/axe.ts'
import { draftExam, examName } from './support/exam.ts'
import { actOn } from './support/screen.ts'
import { openConsole } from './support/shell.ts'

const office = openConsole([{ account: 'e2esender', realName: '周发送', roles: ['exam_admin'] }])
/** Refused at the first message to it, by the emulated provider. */
const barred = '13900094040'
const plain = '13900000001'

beforeAll(async () => {
  const { examId } = await draftExam(office.backdoor, 'SEND26')
  const { cipher } = office.backdoor
  await office.backdoor.db(async db => {
    const { tenantId } = db.actor
    await seedMessages({ cipher, config: { publicUrl: 'http://localhost:7300', port: 7300 } }, db)
    await db.run(sql`update param set param_value = '0' where param_key = 'sms.quiet'`)
    for (const [place, phone] of [barred, plain].entries()) {
      const { id } = await db.one(sql<{ id: string }>`select next_id()::text as id`)
      const account = `sendee${place}`
      await db.run(sql`
        insert into account (tenant_id, id, account, account_key, user_type, nick_name, real_name, phone_sealed, phone_index, phone_mask)
        values (${tenantId}, ${id}, ${account}, ${account}, 2, '王测', ${`王测${place}`}, ${cipher.seal(tenantId, { table: 'account', column: 'phone_sealed', rowId: id }, phone)},
          ${cipher.blindIndex(tenantId, 'phone', phone)}, ${`${phone.slice(0, 3)}****${phone.slice(7)}`})`)
      await db.run(sql`
        insert into signup (tenant_id, exam_id, user_id, code, type, unit, examine, name, sign_no, sign_version, pay_state)
        values (${tenantId}, ${examId}, ${id}, 'B001', 'B', 'H01', 'passed', ${`王测${place}`}, ${`SEND26${place}`}, 1, 'due')`)
    }
  })
})

test('[24.3][S7.45] from the audience to what is sent, and what failed is sent again', async () => {
  const { page, open } = await office.enter('e2esender')
  await open('/send/send')
  await page.getByRole('link', { name: '新建发送' }).click()
  // Without an audience it says what lacks.
  await page.getByRole('button', { name: '下一步' }).click()
  await page.getByRole('alert').getByText('请选择考试').waitFor()
  await page.getByLabel('考试', { exact: true }).selectOption({ label: `SEND26 ${examName}` })
  // What was chosen is not what lacks.
  await page.getByText('请选择考试', { exact: true }).waitFor({ state: 'detached' })
  await page.getByLabel('待缴费（2 人）').check()
  await settle(page)
  expect(await checkAccess(page)).toEqual([])
  await page.keyboard.press('Enter')
  await page.getByLabel('消息模板', { exact: true }).selectOption({ label: '考试提醒' })
  await page.getByRole('button', { name: '下一步' }).click()
  await page.getByText('请填写 note').waitFor()
  await page.getByLabel('变量 note').fill('请带身份证')
  await page.getByLabel('任务名称').fill('提醒带证件')
  await settle(page)
  expect(await checkAccess(page)).toEqual([])
  await page.getByRole('button', { name: '下一步' }).click()
  await page.getByText(`【考谱】王测0您好，${examName}：请带身份证。`).waitFor()
  await page.getByText('共 2 人，计费 2 条；余额 2000 条，其中冻结 0 条').waitFor()
  await settle(page)
  expect(await checkAccess(page)).toEqual([])
  await page.getByRole('button', { name: '发送', exact: true }).click()

  const row = page.locator('tbody tr[data-row]').filter({ hasText: '提醒带证件' })
  await row.waitFor()
  await actOn(row, '查看')
  const dialog = page.getByRole('dialog')
  await dialog.getByText('已发 1 / 2，失败 1').waitFor()
  await dialog.getByText('号码在黑名单中（isv.BLACK_KEY_CONTROL_LIMIT）').waitFor()
  await settle(page)
  expect(await checkAccess(page)).toEqual([])
  await page.keyboard.press('Escape')
  await open('/send/send')
  await actOn(row, '重发失败')
  await page.getByRole('dialog').getByRole('button', { name: '重发失败' }).click()
  await actOn(row, '查看')
  await dialog.getByText('已发 2 / 2，失败 0').waitFor()
  await page.keyboard.press('Escape')
  // The one that was sent is over: a new one begins empty.
  await page.getByRole('link', { name: '新建发送' }).click()
  expect(await page.getByLabel('考试', { exact: true }).inputValue()).toBe('')
})
