import { expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { buildExam } from '../server/test/support/factories.ts'
import { writeScores } from '../server/test/support/selecting.ts'
import { insertSignups } from '../server/test/support/sign-up-rows.ts'
import type { Visitor } from './support/browser.ts'
import { keepSession } from './support/session.ts'
import { openConsole } from './support/shell.ts'
import { ownTenant } from './support/tenant.ts'

const office = openConsole([
  { account: 'luru1', realName: '录入员', roles: ['exam_admin'] },
  { account: 'kaowu1', realName: '考务员', roles: ['exam_admin'] },
])

/** Two people who sat for one place, of whom one is called to the interview. */
const sat = async () => {
  const runner = { db: office.backdoor.db, tenantId: ownTenant() }
  const exam = await buildExam(runner, {
    exam: { exam_name: '区卫生健康系统招聘', shortlist_ratio: 1, written_weight: 50, interview_weight: 50 },
    posts: [{ code: 'B001', codeName: '护士', unit: 'H01', unitName: '区人民医院', type: 'B', typeName: '护理', planNum: 1 }],
    papers: [
      { itemCode: '01', itemName: '综合基础知识', startTime: '2026-03-16 09:00:00', endTime: '2026-03-16 10:30:00' },
      { itemCode: '02', itemName: '面试', itemType: 2, startTime: '2026-03-17 09:00:00', endTime: '2026-03-17 10:30:00' },
    ],
  })
  await office.backdoor.db(db => db.run(sql`update sign_file set stage = 2, required = 0 where file_key = 'diploma'`))
  const members = await office.backdoor.addCandidates(2)
  const owners = await office.backdoor.db(db =>
    db.all(sql<{ id: string; account: string }>`select id::text as id, account from account where user_type = 2 order by account`),
  )
  const signups = await insertSignups(
    runner,
    exam.examId,
    ['王一', '李二'].map((name, i) => ({ name, code: 'B001', type: 'B', unit: 'H01', userId: owners[i]?.id ?? '' })),
  )
  const [first, second] = signups
  const [importer] = await office.backdoor.db(db => db.all(sql<{ id: string }>`select id::text as id from account where account = 'luru1'`))
  if (!first || !second || !importer) throw new Error('two sign-ups and an importer')
  await writeScores(runner, exam, '01', { userId: importer.id }, [
    [first, '90.00'],
    [second, '80.00'],
  ])
  await writeScores(runner, exam, '02', { userId: importer.id }, [[second, '86.00']])
  return { exam, members, owners }
}

const asCandidate = async (at: number, member: { readonly token: string }, userId: string, options: { language?: 'zh' | 'en' } = {}) => {
  const person = await office.come(`crowd${at + 1}`, { screen: 'phone', ...options })
  await keepSession(person.context, office.server.url, member.token, {
    ...{ userId, account: `crowd${at + 1}`, realName: '王·测', nickName: '王·测', roleIds: [], roles: [], deptId: '', avatar: '' },
    ...{ tenantId: ownTenant(), oauthId: '', userType: 2, userCode: '' },
  })
  return person
}

test('[S7.49][S7.40] re-review with one substitution, the candidate’s answer on the phone, the stages, the publicity and the hire', async () => {
  const { exam, members, owners } = await sat()
  const officer = await office.enter('kaowu1')
  const { page } = officer
  const release = (paper: string) =>
    officer.tell('/blade-exam/examination/releaseResults', {
      ...{ examId: exam.examId, itemIds: exam.papers[paper], state: 1, confirmCode: exam.examCode },
    })
  await office.backdoor.db(db => db.run(sql`update examination set exam_code = 'HZ2026A' where id = ${exam.examId}`))
  await release('01')
  await officer.open(`/examine/review?examId=${exam.examId}`)
  await page.getByRole('button', { name: '通知入围人员' }).click()
  const calling = page.getByRole('dialog', { name: '通知入围人员' })
  await calling.getByText('B001 护士：面试名额 1，已通知 0，本次通知 1').waitFor()
  await officer.look('recheck-start')
  await calling.getByRole('button', { name: '通知 1 人' }).click()
  await page.getByRole('row', { name: /王一/ }).waitFor()

  // The keyboard chooses the person and decides.
  await page.keyboard.press('j')
  await page.getByRole('heading', { name: '王一' }).waitFor()
  await officer.look('recheck')
  await page.keyboard.press('3')
  const refusing = page.getByRole('dialog', { name: '复审不通过：王一' })
  await refusing.getByLabel('原因').fill('学历不符合岗位要求')
  await refusing.getByRole('button', { name: '不通过' }).click()
  await page.getByText('已保存，1 人递补').waitFor()
  await page.getByRole('row', { name: /李二/ }).waitFor()

  const [token, owner] = [members[1], owners[1]]
  if (!token || !owner) throw new Error('two candidates')
  const candidate: Visitor = await asCandidate(1, token, owner.id)
  await candidate.open('/signup/selection')
  const own = candidate.page
  await own.getByText(/请于 .* 前确认是否参加/).waitFor()
  await candidate.look('selection-call')
  await own.getByRole('button', { name: '确认参加' }).click()
  await own.getByText('请提交复审材料并等待复审').waitFor()
  await own.getByText('本人确认参加').waitFor()

  await officer.open(`/examine/review?examId=${exam.examId}`)
  await page.getByRole('row', { name: /李二/ }).click()
  await page.getByRole('heading', { name: '李二' }).waitFor()
  await page.getByText('有送达凭证').waitFor()
  await page.keyboard.press('1')
  await page.getByRole('dialog', { name: '复审通过：李二' }).getByRole('button', { name: '通过' }).click()
  await page.getByText('李二：已保存').waitFor()
  await page.getByRole('button', { name: '递补链' }).click()
  const chain = page.getByRole('dialog', { name: '递补链' })
  await chain.getByText(/递补：应有 1 人，现有 0 人/).waitFor()
  await officer.look('selection-chain')
  await chain.getByRole('button', { name: '关闭' }).last().click()

  await release('02')
  await officer.open(`/result/selection?examId=${exam.examId}`)
  await page.getByRole('button', { name: '确定体检人员' }).click()
  await page.getByRole('dialog', { name: '确定体检人员' }).getByRole('button', { name: '确定 1 人' }).click()
  const row = page.getByRole('row', { name: /李二/ })
  await row.waitFor()
  const judge = async () => {
    await row.getByRole('checkbox').check()
    await page.getByRole('button', { name: '登记结果' }).click()
    const dialog = page.getByRole('dialog', { name: '登记结果' })
    await dialog.getByRole('button', { name: '保存' }).click()
    return dialog
  }
  const passTo = async (state: string) => {
    await (await judge()).waitFor({ state: 'detached' })
    await row.getByText(state, { exact: true }).waitFor()
  }
  await passTo('考察')
  await passTo('公示')
  await officer.look('selection-stages')

  // Not before a list has named the person for the working days that are required.
  officer.expectRefusal(409)
  await (await judge()).getByRole('button', { name: '取消' }).click()
  await page.getByRole('button', { name: '生成公示' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '生成公示' }).click()
  await page.getByText(/已生成公示草稿，1 人/).waitFor()
  const [draft] = await office.backdoor.db(db =>
    db.all(sql<{ id: string; content: string }>`select id::text as id, content from notice order by id desc`),
  )
  expect([draft?.content.includes('李二'), draft?.content.includes('王一')]).toEqual([true, false])
  await officer.tell('/blade-desk/notice/changeState', { id: draft?.id, event: 'publish' })
  await office.backdoor.db(db =>
    db.run(
      sql`update notice set release_time = release_time - interval '20 days', end_time = app_now() - interval '1 minute' where id = ${draft?.id}`,
    ),
  )
  await officer.open(`/result/selection?examId=${exam.examId}`)
  await passTo('聘用')
  await passTo('已聘用')

  await candidate.open('/signup/selection')
  await own.getByText('您已被聘用，请按单位通知办理手续').waitFor()
  await candidate.look('selection-hired')

  // The same in English and on a narrow screen.
  const reader = await office.enter('kaowu1', { screen: 'phone', language: 'en' })
  await reader.open(`/examine/review?examId=${exam.examId}`)
  await reader.page.getByRole('row', { name: /李二/ }).click()
  await reader.page.getByText('Provably told').waitFor()
  await reader.look('recheck-en')
  await reader.open(`/result/selection?examId=${exam.examId}`)
  await reader.page.getByText('Hired', { exact: true }).waitFor()
  await reader.look('selection-stages-en')
  await reader.page.getByRole('button', { name: 'Settings' }).click()
  await reader.page.getByRole('dialog', { name: 'Settings' }).getByLabel('Hours to answer a call').waitFor()
  await reader.look('selection-rule-en')
  const other = await asCandidate(0, members[0] ?? token, owners[0]?.id ?? '', { language: 'en' })
  await other.open('/signup/selection')
  await other.page.getByText('You did not pass: Re-review').waitFor()
  await other.look('selection-out-en')
}, 180_000)
