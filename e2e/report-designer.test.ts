import { beforeAll, expect, test } from 'vitest'
import { toWireTime } from '#contract/kernel/when.ts'
import { systemClock } from '#kernel/clock.ts'
import { sql } from '#kernel/db/sql.ts'
import { buildExam } from '../server/test/support/factories.ts'
import { insertSignups } from '../server/test/support/sign-up-rows.ts'
import { actOn } from './support/screen.ts'
import { openConsole } from './support/shell.ts'

const office = openConsole([
  { account: 'maker1', realName: '王考务', roles: ['exam_admin'] },
  { account: 'reader1', realName: '郑审计', roles: ['auditor'] },
])
const year = Number(toWireTime(systemClock.now()).slice(0, 4))
const counts = { A001: [6, 1], B001: [5, 8], A002: [9, 7] } as const

beforeAll(async () => {
  const { backdoor } = office
  const exam = await buildExam(backdoor, { exam: { year, exam_no: 71, exam_code: 'REPORT', exam_name: '报表考试' } })
  // The maker sees figures and no rows, so that few people are hidden.
  await backdoor.db(db =>
    db.run(
      sql`delete from role_menu where role_id = (select id from role where role_alias = 'exam_admin') and menu_id = (select id from menu where code = 'signup_view')`,
    ),
  )
  for (const [code, [men, women]] of Object.entries(counts)) {
    const made = await insertSignups(
      backdoor,
      exam.examId,
      Array.from({ length: men + women }, () => ({ code, type: code.slice(0, 1), unit: code === 'A002' ? 'H02' : 'H01' })),
    )
    await backdoor.db(db => db.run(sql`update signup set sex = 1 where id = any(${made.slice(0, men).map(one => one.id)}::bigint[])`))
  }
})

test('[S7.61] a report is put together by choosing with its preview beside it, saved, run, read, and sent on schedule', async () => {
  const maker = await office.enter('maker1')
  const { page } = maker
  await maker.open('/stat/report')
  await page.getByRole('button', { name: '新建报表' }).first().click()
  const preview = page.getByRole('region', { name: '预览' })
  await preview.getByRole('columnheader', { name: '考试' }).waitFor()
  // By the keyboard alone: a row is taken away, another chosen.
  await page.getByRole('button', { name: '去掉“考试”' }).press('Enter')
  await preview.getByText('改好左侧标出的问题后显示预览').waitFor()
  await page.getByText('请选择至少一个行').waitFor()
  await page.getByLabel('添加行', { exact: true }).selectOption({ label: '岗位' })
  await page.getByLabel('添加列', { exact: true }).selectOption({ label: '性别' })
  await page.getByLabel('合计', { exact: true }).selectOption({ label: '合计行和合计列' })
  await page.getByLabel('图表', { exact: true }).selectOption({ label: '堆叠柱状图' })
  const lines = async () => (await preview.getByRole('row').allInnerTexts()).map(text => text.split(/\s*[\t\n]\s*/).join(' '))
  await expect
    .poll(lines)
    .toEqual([
      '岗位 男 女 合计',
      'A001 内科医师 * 不显示 * 不显示 7',
      'A002 全科医师 9 7 16',
      'B001 护士 * 不显示 * 不显示 13',
      '合计 20 16 36',
    ])
  await preview.getByText('少于 3 人的格不显示', { exact: false }).waitFor()
  await preview.locator('canvas').waitFor()
  await maker.look('report-designer')
  await page.getByLabel('添加筛选条件', { exact: true }).selectOption({ label: '用人单位' })
  await page.getByText('请为“用人单位”选择至少一个值', { exact: false }).waitFor()
  await page.getByRole('group', { name: '用人单位的值' }).getByLabel('社区卫生服务中心').check()
  await expect.poll(lines).toEqual(['岗位 男 女 合计', 'A002 全科医师 9 7 16', '合计 9 7 16'])
  await page.getByRole('button', { name: '去掉“用人单位”' }).click()
  await page.getByRole('button', { name: '保存' }).click()
  await page.getByText('请输入报表名称').waitFor()
  await page.getByRole('textbox', { name: '报表名称' }).fill('岗位性别')
  await page.getByRole('group', { name: '可查看的角色' }).getByLabel('审计监督').check()
  await page.getByRole('button', { name: '保存' }).click()
  await page.getByText('报表已保存').first().waitFor()

  await page.getByRole('button', { name: '返回报表' }).click()
  const line = page.getByRole('row', { name: /岗位性别/ })
  await actOn(line, '运行')
  await page.getByRole('heading', { name: '岗位性别' }).first().waitFor()
  await page.getByRole('row', { name: /^合计 20 16 36$/ }).waitFor({ timeout: 20_000 })
  await maker.look('report-result')
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: '导出 Excel' }).click()])
  expect(file.suggestedFilename()).toMatch(/^岗位性别_\d{14}\.xlsx$/)

  await page.getByRole('button', { name: '返回报表' }).click()
  await actOn(line, '运行记录')
  const runs = page.getByRole('dialog')
  await runs.getByRole('row', { name: /手动/ }).waitFor()
  await runs.getByText('完成', { exact: true }).waitFor()
  await maker.look('report-runs')
  await runs.getByRole('button', { name: '关闭' }).last().click()
  await actOn(line, '定时发送')
  const send = page.getByRole('dialog')
  await send.getByLabel('频率').selectOption({ label: '每天' })
  await send.getByLabel('时间', { exact: true }).fill('20:30')
  await send.getByLabel('郑审计').check()
  await maker.look('report-send')
  await send.getByRole('button', { name: '保存' }).click()
  await page.getByText('已设置，下次发送', { exact: false }).first().waitFor()
  await page.getByRole('row', { name: /岗位性别.*20:30/ }).waitFor()

  const reader = await office.enter('reader1')
  await reader.open('/stat/report')
  const seen = reader.page.getByRole('row', { name: /岗位性别/ })
  await seen.waitFor()
  await actOn(seen, '运行')
  await reader.page.getByRole('row', { name: /^合计 20 16 36$/ }).waitFor({ timeout: 20_000 })
})

test('the screens of reports in English on a phone: nothing wider than the screen', async () => {
  const maker = await office.enter('maker1', { language: 'en', screen: 'phone' })
  await maker.open('/stat/report')
  await maker.page.getByText('New report').first().waitFor()
  await maker.look('phone-reports')
  await maker.open('/stat/report/design/new')
  await maker.page.getByRole('region', { name: 'Preview' }).getByRole('columnheader', { name: 'Examination' }).waitFor()
  await maker.look('phone-report-designer')
  await maker.open('/stat/report/open')
  await maker.page.getByText('No result is named', { exact: false }).waitFor()
  await maker.look('phone-report-result')
})
