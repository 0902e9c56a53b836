import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { buildExam } from '../server/test/support/factories.ts'
import { rooms } from '../server/test/support/ticket-people.ts'
import { comeIn } from './support/browser.ts'
import { callAs, logInAs } from './support/caller.ts'
import { windows } from './support/exam.ts'
import { staffPassword } from './support/people.ts'
import { keepSession } from './support/session.ts'
import { openConsole } from './support/shell.ts'
import { ownTenant } from './support/tenant.ts'

const office = openConsole([{ account: 'kaowu1', realName: '何考务', roles: ['exam_admin'] }])
const picture = fileURLToPath(new URL('../server/seed/data/portraits/p01-white.jpg', import.meta.url))

/** Somebody who passed and paid for a paper in twelve days, tickets open now. */
const prepare = async () => {
  const { backdoor } = office
  const day = (days: number, time: string) =>
    `${new Date(Date.parse(windows.sign_begin) + days * 86_400_000).toISOString().slice(0, 10)} ${time}`
  const { examId, papers } = await buildExam(backdoor, {
    exam: {
      ...windows,
      ticket_begin: windows.sign_begin,
      exam_name: '便利测试',
      exam_code: 'HELP2026',
      year: Number(windows.sign_begin.slice(0, 4)),
    },
    papers: [
      {
        ...{ itemCode: '01', itemName: '笔试', startTime: day(12, '09:00:00'), endTime: day(12, '10:30:00') },
        rooms: [...rooms(1), ...rooms(1, { roomNo: '002', roomName: '一楼教室', accessible: true })],
      },
    ],
  })
  const [member] = await backdoor.addCandidates(1)
  await backdoor.db(db =>
    db.run(sql`
      insert into signup (tenant_id, exam_id, user_id, code, type, unit, examine, pay_state, name, id_card_mask, sign_no, sign_version)
      select ${ownTenant()}, ${examId}, id, 'B001', 'B', 'H01', 'passed', 'paid', '赵一', '3301**********302X', '2026070000000001', 1 from account where account = 'crowd1'`),
  )
  return { examId, itemId: papers['01'] ?? '', token: member?.token ?? '' }
}

test('[A19][S7.57] on a phone somebody asks for a room without steps, gets it, and sends health documents for the ticket', async () => {
  const { examId, itemId, token } = await prepare()
  const person = await office.come('crowd1', { screen: 'phone' })
  await keepSession(person.context, office.server.url, token, {
    ...{ userId: '1', account: 'crowd1', realName: '赵一', nickName: '赵一', roleIds: [], roles: [], deptId: '', avatar: '' },
    ...{ tenantId: ownTenant(), oauthId: '', userType: 2, userCode: '' },
  })
  const { page } = person
  await person.open('/signup/ticket')
  await page.getByRole('button', { name: '申请合理便利' }).click()
  await page.getByRole('button', { name: '提交申请' }).click()
  await page.getByText('请选择证明材料').waitFor()
  await person.look('help-form')
  await page.getByText('无障碍考场').click()
  await page.getByText('延长考试时间').click()
  await page.getByLabel('情况说明').fill('下肢残疾，使用轮椅')
  await page.getByLabel('选择文件 证明材料').setInputFiles(picture)
  await page.getByText('已选择：').waitFor()
  await page.getByRole('button', { name: '提交申请' }).click()
  await page.getByText('待审核').waitFor()
  await person.look('help-asked')

  const visitor = await office.come('何考务')
  await comeIn(visitor, 'kaowu1', staffPassword, `/ticket/accommodation?examId=${examId}`)
  const row = visitor.page.locator('tbody tr').filter({ hasText: '赵一' })
  await row.getByText('下肢残疾，使用轮椅').waitFor()
  await visitor.look('help-list')
  await row.getByText('审核', { exact: true }).click()
  await visitor.page.getByLabel('延长考试时间（分钟）').fill('30')
  await visitor.look('help-decide')
  await visitor.page.getByRole('button', { name: '同意', exact: true }).click()
  await row.getByText('已同意').waitFor()

  const desk = callAs(office.server.url, await logInAs(office.server.url, 'kaowu1', staffPassword))
  const did = async (path: string, body: object) =>
    expect(await desk.post(`/blade-exam/examination/${path}`, body)).toMatchObject({ status: 200 })
  await did('saveTicketNotice', { examId, title: '考生须知', content: '<p>带证件</p>', isUpload: 1, uploadKinds: ['jkm', 'hsjcbg'] })
  await did('creTicketEnd', { examId, itemIds: itemId })
  await did('releaseTickets', { examId, itemIds: itemId, force: 1 })

  await person.open('/signup/ticket')
  await page.getByText('002 · 一楼教室').waitFor()
  await page.getByText('30 分钟').waitFor()
  await page.getByRole('button', { name: '上传', exact: true }).click()
  await page.getByText('请填写材料出具时间').waitFor()
  await person.look('health-form')
  await page.getByLabel('选择图片 健康码截图').setInputFiles(picture)
  await page.getByLabel('选择图片 核酸检测报告').setInputFiles(picture)
  await expect.poll(() => page.getByText('已选择：').count()).toBe(2)
  // The clock of the page is that of the server: an hour ago, as the field writes it.
  const now = await page.evaluate<string>(`new Date(Date.now() - 3600_000 + 8 * 3600_000).toISOString().slice(0, 16)`)
  await page.getByLabel('材料出具时间').fill(now)
  await page.getByRole('button', { name: '上传', exact: true }).click()
  await page.getByRole('button', { name: '生成准考证 PDF' }).waitFor()
  await person.look('health-sent')
  expect(
    await office.backdoor.db(db => db.all(sql`select state, room_no from accommodation join ticket using (tenant_id, exam_id, signup_id)`)),
  ).toEqual([{ state: 'granted', room_no: '002' }])
})
