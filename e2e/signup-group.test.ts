import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { zipOf } from '#kernel/files/write-zip.ts'
import { buildExam } from '../server/test/support/factories.ts'
import { testIdCard } from '../server/test/support/id-card.ts'
import { workbook } from '../server/test/support/workbook.ts'

import { comeIn } from './support/browser.ts'
import { seedData, windows } from './support/exam.ts'
import { staffPassword } from './support/people.ts'
import { openConsole } from './support/shell.ts'
import { ownTenant } from './support/tenant.ts'

const desk = openConsole([{ account: 'xuexiao1', realName: '秦院校', roles: ['school'] }])

const header = ['姓名', '证件号码', '手机号', '岗位代码', '学历', '专业', '毕业院校', '毕业时间']
const rowOf = (name: string, serial: number, code = 'B001'): string[] => [
  ...[name, testIdCard(serial), `1620009${String(serial).padStart(4, '0')}`],
  ...[code, '本科', '护理学', '新疆医科大学', '2024-06-30'],
]

test('[S7.41] a school imports its people, mends a wrong cell on the screen, hands in photos and sees what each still has to do', async () => {
  const { backdoor } = desk
  const { examId } = await buildExam(backdoor, {
    exam: { ...windows, exam_name: '集体报名测试', exam_code: 'GROUP26', exam_no: 31, year: Number(windows.sign_begin.slice(0, 4)) },
  })
  await backdoor.db(db => db.run(sql`update account set user_code = '4165010760' where account = 'xuexiao1'`))
  const path = `/examine/group?examId=${examId}`
  const visitor = await desk.come('秦院校')
  await comeIn(visitor, 'xuexiao1', staffPassword, path)
  const { page } = visitor
  await page.getByText('还没有导入报名').waitFor()
  await visitor.look('group-empty')
  await page.getByRole('button', { name: '导入报名' }).click()
  const dialog = page.getByRole('dialog', { name: '导入报名' })
  await dialog.locator('input[type=file]').setInputFiles({
    ...{ name: '报名.xlsx', mimeType: 'application/octet-stream' },
    buffer: await workbook([header, rowOf('学生甲', 901), rowOf('学生乙', 902, 'X999')]),
  })
  await dialog.getByText('共 2 行，可导入 1 行，有误 1 行').waitFor()
  await visitor.look('group-wrong')
  await dialog.getByLabel('第 3 行 岗位代码 的正确内容').fill('B001')
  await dialog.getByRole('button', { name: '用 1 处更正重新检查' }).click()
  await dialog.getByRole('button', { name: '导入 2 行' }).click()
  await dialog.getByText('新增 2 行').waitFor()
  await dialog.getByRole('button', { name: '关闭' }).last().click()
  const row = page.locator('tbody tr').filter({ hasText: '学生乙' })
  await row.getByText('未提交').waitFor()
  await row.getByText('登录并设密码 · 补充信息 · 照片 · 材料 · 承诺并提交').waitFor()

  await page.getByRole('button', { name: '导入照片' }).click()
  const photos = page.getByRole('dialog', { name: '导入照片' })
  const portrait = readFileSync(seedData('portraits/p01-white.jpg'))
  await photos.locator('input[type=file]').setInputFiles({
    ...{ name: '照片.zip', mimeType: 'application/zip' },
    buffer: await zipOf({ [`${testIdCard(901)}.jpg`]: portrait, [`${testIdCard(909)}.jpg`]: portrait }),
  })
  await photos.getByText('共 2 个文件，导入照片 1 张，还有 1 人没有照片。').waitFor()
  await photos.getByText(testIdCard(909)).waitFor()
  await visitor.look('group-photos')
  await photos.getByRole('button', { name: '关闭' }).last().click()
  await page.locator('tbody tr').filter({ hasText: '学生甲' }).getByText('登录并设密码 · 补充信息 · 材料 · 承诺并提交').waitFor()
  await visitor.look('group-done')
  expect(
    await backdoor.db(db =>
      db.all(sql<object>`
        select s.name, s.examine, s.source, s.photo_file_id is not null as photo, g.group_code as school from signup s join group_signup g on g.signup_id = s.id
        where s.tenant_id = ${ownTenant()} and s.exam_id = ${examId} order by s.id`),
    ),
  ).toEqual([
    { name: '学生甲', examine: 'draft', source: 3, photo: true, school: '4165010760' },
    { name: '学生乙', examine: 'draft', source: 3, photo: false, school: '4165010760' },
  ])

  const phone = await desk.come('秦院校', { screen: 'phone', language: 'en' })
  await comeIn(phone, 'xuexiao1', staffPassword, path)
  await phone.page.getByText('学生甲').first().waitFor()
  await phone.look('group-phone-en')
})
