import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { buildExam } from '../server/test/support/factories.ts'
import { insertSignups, type SignupSpec } from '../server/test/support/sign-up-rows.ts'
import { comeIn, type Visitor } from './support/browser.ts'
import { seedData, windows } from './support/exam.ts'
import { type Member, staffPassword } from './support/people.ts'
import { openConsole } from './support/shell.ts'

const office = openConsole([
  { account: 'kaowu1', realName: '何考务', roles: ['exam_admin'] },
  { account: 'shenji1', realName: '吴审计', roles: ['auditor'] },
  { account: 'chushen1', realName: '初审甲', roles: ['reviewer1'] },
  { account: 'chushen2', realName: '初审乙', roles: ['reviewer1'] },
])

const person = (name: string, code: 'A001' | 'A002' | 'B001', more: Partial<SignupSpec> = {}): SignupSpec => ({
  name,
  code,
  type: code[0] ?? '',
  unit: code === 'A002' ? 'H02' : 'H01',
  examine: 'waiting',
  ...more,
})

const newExam = (code: string, number: number) =>
  buildExam(office.backdoor, {
    exam: {
      ...windows,
      exam_name: `${code}测试`,
      exam_code: code,
      exam_no: number,
      year: Number(windows.sign_begin.slice(0, 4)),
      allot_mode: 0,
    },
  })

const comeOffice = async (path: string, options: Parameters<typeof office.come>[1] = {}): Promise<Visitor> => {
  const visitor = await office.come('何考务', options)
  await comeIn(visitor, 'kaowu1', staffPassword, path)
  return visitor
}
const phoneInEnglish = { screen: 'phone', language: 'en' } as const

test('[S7.42] reviewers are named, an allotment is tried and done, and one sign-up is moved', async () => {
  const { examId } = await newExam('ALLOT26', 11)
  await insertSignups(office.backdoor, examId, [
    person('张一', 'A001'),
    person('张二', 'A001'),
    person('李三', 'B001'),
    person('李四', 'B001'),
    person('王五', 'A002'),
    person('王六', 'A002'),
  ])
  const holders = () =>
    office.backdoor
      .db(db =>
        db.all(sql<{ name: string; holder: string; reason: string | null }>`
          select s.name, a.reviewer_name as holder, a.reason from examine_allot a join signup s on s.id = a.signup_id
          where a.exam_id = ${examId} and a.state < 2 order by s.name`),
      )
      .then(rows => new Map(rows.map(row => [row.name, row])))
  const path = `/examine/allot?examId=${examId}`
  const visitor = await comeOffice(path)
  const { page } = visitor
  const reviewers = page.getByRole('region', { name: '审核人员' })
  for (const name of ['初审甲', '初审乙']) {
    const value = await page.getByLabel('添加审核人员').locator('option').filter({ hasText: name }).getAttribute('value')
    await page.getByLabel('添加审核人员').selectOption(value)
    await reviewers.getByRole('rowheader', { name }).waitFor()
  }
  await page.getByLabel('分配方式').selectOption('3')
  await page.getByRole('button', { name: '试算' }).click()
  await page.getByText('可分配 6 份，0 份无人可分').waitFor()
  await visitor.look('allot-tried')
  expect(await holders()).toEqual(new Map())

  await page.getByRole('button', { name: '确认分配' }).click()
  await page.getByText('将按“平均随机”分配 6 份报名。').waitFor()
  await page.getByRole('dialog').getByRole('button').last().click()
  await page.getByText('已分配 6 份，退回 0 份').waitFor()
  const given = await holders()
  const loads = Map.groupBy(given.values(), row => row.holder)
  expect([loads.get('初审甲')?.length, loads.get('初审乙')?.length]).toEqual([3, 3])

  const other = given.get('王六')?.holder === '初审甲' ? '初审乙' : '初审甲'
  await page.getByRole('button', { name: '转交 王六' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: '转交', exact: true }).click()
  await page.getByText('请填写：转交给').waitFor()
  const to = await dialog.locator('option').filter({ hasText: other }).getAttribute('value')
  await dialog.getByLabel('转交给').selectOption(to)
  await dialog.getByLabel('原因').fill('原审核人员请假')
  await visitor.look('allot-transfer')
  await dialog.getByRole('button', { name: '转交', exact: true }).click()
  await page.getByText(`已转交给${other}`).waitFor()
  expect(await holders()).toEqual(new Map([...given, ['王六', { name: '王六', holder: other, reason: '原审核人员请假' }]]))
  await page.locator('tbody tr').filter({ hasText: '原审核人员请假' }).waitFor()
  await visitor.look('allot-done')

  const phone = await comeOffice(path, phoneInEnglish)
  await phone.page.locator('tbody tr').filter({ hasText: '王六' }).waitFor()
  await phone.look('allot-phone-en')
})

/** A portrait that a candidate uploads. @returns the id of the file */
const uploadPortrait = async ({ token }: Member, name: string): Promise<string> => {
  const form = new FormData()
  form.set('purpose', 'photo')
  form.set('file', new Blob([readFileSync(seedData(join('portraits', name)))], { type: 'image/jpeg' }), name)
  const response = await fetch(`${office.server.url}/api/file/upload`, {
    method: 'POST',
    body: form,
    headers: { Authorization: `Basic ${Buffer.from('kaopu-web:kaopu-web').toString('base64')}`, 'Blade-Auth': `bearer ${token}` },
  })
  const body = (await response.json()) as { success: boolean; data: { fileId: string } }
  expect(body).toMatchObject({ success: true })
  return body.data.fileId
}

test('[S7.46] portraits are marked by keys, and those not good go back with what is wrong as an advice', async () => {
  const { backdoor } = office
  const { examId } = await newExam('PHOTO26', 12)
  const members = await backdoor.addCandidates(3)
  const owners = await backdoor.db(db =>
    db.all(sql<{ id: string }>`select id::text as id from account where account like 'crowd%' order by account`),
  )
  const made = await insertSignups(
    backdoor,
    examId,
    ['赵一', '钱二', '孙三'].map((name, at) => person(name, 'B001', { userId: owners[at]?.id ?? '' })),
  )
  for (const [at, name] of ['p01-white.jpg', 'p02-blue.jpg', 'p01-white.jpg'].entries()) {
    const fileId = await uploadPortrait(members[at] as Member, name)
    await backdoor.db(db =>
      db.run(sql`update signup set photo_file_id = ${fileId} where user_id = ${owners[at]?.id} and exam_id = ${examId}`),
    )
  }
  const path = `/examine/photos?examId=${examId}`
  const visitor = await comeOffice(path)
  const { page } = visitor
  const cards = page.locator('.photos-card')
  await cards.nth(2).waitFor()
  await visitor.look('photos-new')
  await cards.first().focus()
  await page.keyboard.press('1')
  await page.locator('.photos-card[aria-current=true]').filter({ hasText: '钱二' }).waitFor()
  await page.getByLabel('不合格原因').selectOption({ label: '背景应为白色或蓝色，请重新上传' })
  await cards.nth(1).focus()
  await page.keyboard.press('2')
  await page.locator('.photos-card[aria-current=true]').filter({ hasText: '孙三' }).waitFor()
  await page.getByRole('button', { name: '退回不合格的报名（1）' }).and(page.locator(':enabled')).waitFor()
  await visitor.look('photos-marked')
  await page.getByRole('button', { name: '退回不合格的报名（1）' }).click()
  await page.getByText('将退回 1 份照片不合格的报名').waitFor()
  await page.getByRole('dialog').getByRole('button').last().click()
  await page.getByText('已退回 1 份').waitFor()
  const rows = await backdoor.db(db =>
    db.all(sql<{ name: string; examine: string; photo: number; advisements: unknown }>`
      select name, examine, photo_state as photo, advisements from signup where exam_id = ${examId} order by id`),
  )
  expect(made.map(one => one.name)).toEqual(['赵一', '钱二', '孙三'])
  expect(rows).toEqual([
    { name: '赵一', examine: 'waiting', photo: 1, advisements: [] },
    {
      name: '钱二',
      examine: 'returned',
      photo: 2,
      advisements: [expect.objectContaining({ key: 'photo', advice: '背景应为白色或蓝色，请重新上传' })],
    },
    { name: '孙三', examine: 'waiting', photo: 0, advisements: [] },
  ])

  const phone = await comeOffice(path, phoneInEnglish)
  await phone.page.locator('.photos-card').filter({ hasText: '孙三' }).waitFor()
  await phone.look('photos-phone-en')
})

test('[S7.44] sign-ups are counted by what is chosen, few people are hidden and the legend says so', async () => {
  const { examId } = await newExam('FIGURE26', 13)
  const crowd = (count: number, code: 'A001' | 'A002' | 'B001', more: Partial<SignupSpec>) =>
    Array.from({ length: count }, (_, at) => person(`${code}${more.examine ?? ''}${at}`, code, more))
  await insertSignups(office.backdoor, examId, [
    ...crowd(8, 'A001', { examine: 'waiting' }),
    ...crowd(6, 'B001', { examine: 'passed' }),
    ...crowd(7, 'A002', { examine: 'passed', payState: 'paid' }),
    ...crowd(1, 'A002', { examine: 'refused' }),
  ])
  const path = `/stat/signup?examId=${examId}`
  const come = async (at: string, options: Parameters<typeof office.come>[1] = {}): Promise<Visitor> => {
    const visitor = await office.come('吴审计', options)
    await comeIn(visitor, 'shenji1', staffPassword, at)
    return visitor
  }
  const visitor = await come(path)
  const { page } = visitor
  const table = page.getByRole('region', { name: '报名统计' })
  await table.locator('tbody tr').filter({ hasText: '区人民医院' }).waitFor()
  await visitor.look('figures-unit')
  await page.getByRole('button', { name: '岗位', exact: true }).click()
  const doctors = table.locator('tbody tr').filter({ hasText: 'A001 内科医师' })
  await doctors.waitFor()
  expect((await doctors.locator('td').allInnerTexts()).slice(0, 4)).toEqual(['区人民医院', 'A001 内科医师', '2', '8'])
  // One was refused: who has figures only is not told of one person, and is told that it is so.
  await table.locator('tbody tr').filter({ hasText: 'A002 全科医师' }).getByText('不予显示').first().waitFor()
  await page.getByText('标 * 处人数过少').waitFor()
  await visitor.look('figures-unit-post')

  const pay = await come(`/stat/pay?examId=${examId}`)
  await pay.page.locator('tbody tr').filter({ hasText: 'A002' }).first().waitFor()
  await pay.look('figures-pay')

  const phone = await come(path, phoneInEnglish)
  await phone.page.getByText('* stands for few people').waitFor()
  await phone.look('figures-phone-en')
  await phone.open(`/stat/pay?examId=${examId}`)
  await phone.page.locator('tbody tr').filter({ hasText: 'A002' }).first().waitFor()
  await phone.look('figures-pay-phone-en')
})
