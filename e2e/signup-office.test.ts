import { expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { buildExam } from '../server/test/support/factories.ts'
import { insertSignups, type SignupSpec } from '../server/test/support/sign-up-rows.ts'
import { comeIn, type Visitor } from './support/browser.ts'
import { windows } from './support/exam.ts'
import { staffPassword } from './support/people.ts'
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
