import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { toWireTime } from '#contract/kernel/when.ts'
import { systemClock } from '#kernel/clock.ts'
import { sql } from '#kernel/db/sql.ts'
import { buildExam } from '../server/test/support/factories.ts'
import { insertSignups } from '../server/test/support/sign-up-rows.ts'
import type { Screen } from './support/browser.ts'
import { comeIn } from './support/browser.ts'
import { windows } from './support/exam.ts'
import { staffPassword } from './support/people.ts'
import { keepSession } from './support/session.ts'
import { openConsole } from './support/shell.ts'
import { ownTenant } from './support/tenant.ts'

// Changes of an account in use, which two persons make, and an objection to somebody's hire, which the person answers: as they are seen on a desk and on a phone.

const office = openConsole([
  { account: 'admin1', realName: '赵管理', roles: ['admin'] },
  { account: 'admin2', realName: '钱管理', roles: ['admin'] },
  { account: 'clerk1', realName: '孙办事', roles: ['finance'] },
])

const seen = [
  ['zh', 'desktop'],
  ['en', 'phone'],
] as const

const noWiderThanTheScreen = (page: Page) =>
  page.evaluate<boolean>('document.documentElement.scrollWidth <= document.documentElement.clientWidth')

test.each(seen)(
  'the phone of a colleague is proposed by one and agreed by another, a document is asked for (%s, %s)',
  async (language, screen) => {
    const zh = language === 'zh'
    const phone = zh ? '13900000012' : '13900000013'
    await office.backdoor.db(async db => {
      await db.run(
        sql`update account set password_changed_at = app_now(), phone_mask = '138****0001', phone_verified_at = app_now() where account = 'clerk1'`,
      )
    })
    const [{ id } = { id: '' }] = await office.backdoor.db(db =>
      db.all(sql<{ id: string }>`select id::text as id from account where account = 'clerk1'`),
    )
    const { cipher } = office.backdoor
    const sealed = cipher.seal(ownTenant(), { table: 'account', column: 'phone_sealed', rowId: id }, '13800000001')
    await office.backdoor.db(db => db.run(sql`update account set phone_sealed = ${sealed} where id = ${id}`))
    const staff = async (account: string, path: string, on: Screen = screen) => {
      const visitor = await office.come(account, { language, screen: on })
      await comeIn(visitor, account, staffPassword, path)
      return visitor
    }
    const first = await staff('admin1', '/system/user')
    const act = async (name: string) => {
      const row = first.page.locator('tr, li, article').filter({ hasText: 'clerk1' }).last()
      await row.waitFor()
      const direct = row.getByRole('button', { name, exact: true })
      if (await direct.isVisible()) return direct.click()
      await row.getByRole('button', { name: zh ? '更多' : 'More' }).click()
      await first.page.getByRole('menuitem', { name, exact: true }).click()
    }
    await act(zh ? '编辑' : 'Edit')
    const form = first.page.getByRole('dialog')
    await form
      .getByLabel(zh ? '手机' : 'Mobile', { exact: false })
      .first()
      .fill(phone)
    await form
      .getByText(zh ? /须由另一人同意/ : /another person has to agree/)
      .first()
      .waitFor()
    await first.look(`account-phone-form-${language}`)
    await form.getByRole('button', { name: zh ? '保存' : 'Save', exact: true }).click()
    await form.waitFor({ state: 'detached' })
    await first.look(`account-phone-proposed-${language}`)
    await act(zh ? '重置密码' : 'Reset password')
    const reset = first.page.getByRole('dialog')
    await reset.getByLabel(zh ? /本人当面出示的证件/ : /Document shown in person/).waitFor()
    await first.look(`account-reset-${language}`)

    const second = await staff('admin2', `/system/user/${id}`)
    const section = second.page.getByRole('region', { name: zh ? '未生效的变更' : 'Change that waits' })
    await section.getByText(zh ? /139\*{4}001/ : /139\*{4}001/).waitFor()
    await second.look(`account-proposal-${language}`)
    expect(await noWiderThanTheScreen(second.page)).toBe(true)
    await section.getByRole('button', { name: zh ? '办理变更' : 'Decide on the change' }).click()
    const decide = second.page.getByRole('dialog')
    await decide.getByText(zh ? /服务商已受理/ : /taken by the provider/).waitFor()
    await second.look(`account-told-${language}`)
    await decide.getByRole('button', { name: zh ? '驳回变更' : 'Refuse the change' }).click()
    await decide.getByText(zh ? '请填写驳回原因' : 'Please say why it is refused').waitFor()
    await second.look(`account-decide-${language}`)
    if (zh) await decide.getByRole('button', { name: '同意变更' }).click()
    else {
      await decide.getByLabel('Why it is refused').fill('Not asked for by the owner')
      await decide.getByRole('button', { name: 'Refuse the change' }).click()
    }
    await decide.waitFor({ state: 'detached' })
    if (zh) await section.getByText(/赵管理和钱管理已同意/).waitFor()
    else await section.waitFor({ state: 'detached' })
    await second.look(`account-decided-${language}`)
    expect(await office.backdoor.db(db => db.all(sql<object>`select phone_mask as phone from account where account = 'clerk1'`))).toEqual([
      { phone: '138****0001' },
    ])
    if (zh) {
      await section.getByRole('button', { name: '办理变更' }).click()
      await second.page.getByRole('dialog').getByLabel('驳回原因').fill('本人未申请')
      await second.page.getByRole('dialog').getByRole('button', { name: '驳回变更' }).click()
      await section.waitFor({ state: 'detached' })
    }
  },
)

test('a person answers an objection to the hire on the phone and on a wide screen', async () => {
  const [member] = await office.backdoor.addCandidates(1)
  const [{ id: userId } = { id: '' }] = await office.backdoor.db(db =>
    db.all(sql<{ id: string }>`select id::text as id from account where user_type = 2 order by account limit 1`),
  )
  const year = Number(toWireTime(systemClock.now()).slice(0, 4))
  const { examId } = await buildExam(office.backdoor, {
    exam: { ...windows, exam_name: '公开招聘', exam_code: 'OBJ', exam_no: 53, year },
  })
  const [signup] = await insertSignups(office.backdoor, examId, [
    { name: '王·测', userId, code: 'A001', type: 'A', unit: 'H01', examine: 'passed' },
  ])
  await office.backdoor.db(db =>
    db.run(sql`
      insert into selection_objection (tenant_id, exam_id, signup_id, user_id, content, source, by_name, answer_until)
      select tenant_id, exam_id, id, user_id, '学历存疑', '来信', '何考务', app_now() + interval '5 days' from signup where id = ${signup?.id ?? '0'}`),
  )
  for (const [language, screen] of [
    ['zh', 'phone'],
    ['en', 'desktop'],
  ] as const) {
    const person = await office.come('王·测', { screen, language })
    await keepSession(person.context, office.server.url, member?.token ?? '', {
      ...{ userId, account: 'crowd', realName: '王·测', nickName: '王·测', roleIds: [], roles: [], deptId: '', avatar: '' },
      ...{ tenantId: ownTenant(), oauthId: '', userType: 2, userCode: '' },
    })
    await person.open('/signup/selection')
    await person.page.getByText(language === 'zh' ? '公示期间收到对您的异议' : 'An objection was made to your hire').waitFor()
    await person.look(`objection-card-${language}`)
    expect(await noWiderThanTheScreen(person.page)).toBe(true)
    await person.page.getByRole('textbox').fill('学历有学信网证明')
    await person.page.getByRole('button', { name: language === 'zh' ? '提交陈述申辩' : 'Send response' }).click()
    await person.page.getByText(language === 'zh' ? /决定前可以修改/ : /you may change it/).waitFor()
    await person.look(`objection-answered-${language}`)
  }
  expect(await office.backdoor.db(db => db.all(sql<object>`select state, statement from selection_objection`))).toMatchObject([
    { statement: '学历有学信网证明' },
  ])
})
