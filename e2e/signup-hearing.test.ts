import { beforeAll, expect, test } from 'vitest'
import { toWireTime } from '#contract/kernel/when.ts'
import { systemClock } from '#kernel/clock.ts'
import { sql } from '#kernel/db/sql.ts'
import { buildExam } from '../server/test/support/factories.ts'
import { insertSignups } from '../server/test/support/sign-up-rows.ts'
import { comeIn } from './support/browser.ts'
import { windows } from './support/exam.ts'
import { type Member, staffPassword } from './support/people.ts'
import { keepSession } from './support/session.ts'
import { openConsole } from './support/shell.ts'
import { ownTenant } from './support/tenant.ts'

// A proposal to disqualify: the office proposes, staff write down what the person said by telephone, the person answers on the phone, somebody else decides.

const office = openConsole([
  { account: 'kaowu1', realName: '何考务', roles: ['exam_admin'] },
  { account: 'guanli1', realName: '陈主管', roles: ['admin'] },
])

let members: (Member & { readonly userId: string })[] = []
beforeAll(async () => {
  const added = await office.backdoor.addCandidates(2)
  const ids = await office.backdoor.db(db =>
    db.all(sql<{ id: string }>`select id::text as id from account where user_type = 2 order by account`),
  )
  members = added.map((member, at) => ({ ...member, userId: ids[at]?.id ?? '' }))
})

test.each(['zh', 'en'] as const)(
  'a noted statement is shown as not confirmed, the person answers, another decides (%s)',
  async language => {
    const { userId, token } = members[language === 'zh' ? 0 : 1] ?? { userId: '', token: '' }
    const zh = language === 'zh'
    const { examId } = await buildExam(office.backdoor, {
      exam: {
        ...windows,
        exam_name: zh ? '公开招聘' : '招聘（二）',
        exam_code: `HEAR-${language}`,
        exam_no: language === 'zh' ? 51 : 52,
        year: Number(windows.sign_begin.slice(0, 4)),
      },
    })
    const [signup] = await insertSignups(office.backdoor, examId, [
      { name: '王·测', userId, code: 'A001', type: 'A', unit: 'H01', examine: 'passed' },
    ])
    const path = `/examine/signup/${signup?.id}`
    const staff = async (account: string) => {
      const visitor = await office.come(account, { language })
      await comeIn(visitor, account, staffPassword, path)
      return visitor
    }

    const clerk = await staff('kaowu1')
    await clerk.page.getByRole('button', { name: zh ? '提议取消资格' : 'Propose to disqualify' }).click()
    const dialog = clerk.page.getByRole('dialog')
    await dialog.getByRole('textbox').fill('工作经历与所填不符')
    await clerk.look(`hearing-propose-${language}`)
    await dialog.getByRole('button', { name: zh ? '提议取消资格' : 'Propose to disqualify' }).click()
    await dialog.waitFor({ state: 'detached' })

    const chief = await staff('guanli1')
    await chief.page.getByRole('button', { name: zh ? '登记本人陈述' : 'Note what the person said' }).click()
    const note = chief.page.getByRole('dialog')
    await note.getByLabel(zh ? '陈述内容' : 'What was said').fill('电话，无异议')
    await note.getByLabel(zh ? '陈述方式' : 'How', { exact: true }).selectOption('2')
    await note.getByLabel(zh ? '陈述时间' : 'When', { exact: true }).fill(toWireTime(systemClock.now()).slice(0, 16).replace(' ', 'T'))
    await chief.look(`hearing-note-${language}`)
    await note.getByRole('button', { name: zh ? '登记' : 'Note it', exact: true }).click()
    await note.waitFor({ state: 'detached' })
    await chief.page
      .getByText(zh ? '未经本人确认，不缩短答复期限' : /Not confirmed by the person/)
      .first()
      .waitFor()
    await chief.look(`hearing-noted-${language}`)

    const person = await office.come('王·测', { screen: 'phone', language })
    await keepSession(person.context, office.server.url, token, {
      ...{ userId, account: 'crowd', realName: '王·测', nickName: '王·测', roleIds: [], roles: [], deptId: '', avatar: '' },
      ...{ tenantId: ownTenant(), oauthId: '', userType: 2, userCode: '' },
    })
    await person.open('/signup/selection')
    await person.page.getByText(zh ? '未经您确认，不缩短答复期限' : /Unless you confirm it/).waitFor()
    await person.look(`hearing-card-${language}`)
    await person.page.getByRole('textbox').fill('经历有单位证明，见附件')
    await person.page.getByRole('button', { name: zh ? '提交陈述申辩' : 'Send response' }).click()
    await person.page.getByText(zh ? /决定前可以修改/ : /you may change it/).waitFor()

    await chief.page.reload()
    await chief.page.getByRole('button', { name: zh ? '决定是否取消资格' : 'Decide on disqualifying' }).click()
    const decide = chief.page.getByRole('dialog')
    await decide.getByText(/经历有单位证明，见附件/).waitFor()
    await chief.look(`hearing-decide-${language}`)
    await decide.getByRole('textbox').fill('已提供证明')
    await decide.getByRole('button', { name: zh ? '不予取消' : 'Do not disqualify', exact: true }).click()
    await decide.waitFor({ state: 'detached' })
    expect(
      await office.backdoor.db(db =>
        db.all(
          sql<object>`select state, statement, statement_way as way, statement_by as by, decision from selection_disqualification where signup_id = ${signup?.id}`,
        ),
      ),
    ).toEqual([{ state: 'dismissed', statement: '经历有单位证明，见附件', way: 4, by: null, decision: '已提供证明' }])
  },
)
