import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { buildExam } from '../server/test/support/factories.ts'
import { checkAccess } from './support/axe.ts'
import { launchBrowser, visit } from './support/browser.ts'
import { windows } from './support/exam.ts'
import { type Backdoor, openBackdoor } from './support/people.ts'
import { keepSession } from './support/session.ts'
import { sharedServer } from './support/shared-server.ts'
import { ownTenant } from './support/tenant.ts'

let server: Awaited<ReturnType<typeof sharedServer>>
let browser: Browser
let backdoor: Backdoor
beforeAll(async () => {
  server = await sharedServer()
  backdoor = await openBackdoor(server.dataDir)
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser?.close()
  await backdoor?.close()
})

test('[S7.41] what a school has filled in is taken over before the form opens, in place of the own draft after a question, or left alone', async () => {
  const { examId } = await buildExam(backdoor, {
    exam: { ...windows, exam_name: '代填测试', exam_code: 'INVITED1', year: Number(windows.sign_begin.slice(0, 4)) },
  })
  const [member] = await backdoor.addCandidates(1)
  if (member === undefined) throw new Error('no candidate')
  const ids = await backdoor.db(async db => {
    const person = await db.one(sql<{ id: string }>`select id::text as id from account where account = 'crowd1'`)
    const standIn = await db.one(sql<{ id: string }>`
      insert into account (tenant_id, account, account_key, user_type, nick_name, real_name, user_code)
      select tenant_id, 'K0000009999', 'k0000009999', 2, real_name, real_name, 'K0000009999' from account where id = ${person.id} returning id::text as id`)
    const signup = await db.one(sql<{ id: string }>`
      insert into signup (tenant_id, exam_id, user_id, name, id_card_index, source, content, code)
      select tenant_id, ${examId}, ${standIn.id}, real_name, id_card_index, 3, '{"major":"护理学"}', 'B001' from account where id = ${person.id} returning id::text as id`)
    await db.run(sql`
      insert into group_signup (tenant_id, signup_id, exam_id, user_id, group_code, import_id) values (${db.actor.tenantId}, ${signup.id}, ${examId}, ${standIn.id}, '', 1)`)
    await db.run(
      sql`insert into signup (tenant_id, exam_id, user_id, content) values (${db.actor.tenantId}, ${examId}, ${person.id}, '{}')`,
    )
    return { person: person.id, signup: signup.id }
  })
  const visitor = await visit(browser, server.url, { name: 'invited', screen: 'phone' })
  const { page } = visitor
  await keepSession(visitor.context, server.url, member.token, {
    ...{ userId: ids.person, account: 'crowd1', realName: '王·测', nickName: '王·测', roleIds: [], roles: ['candidate'], deptId: '' },
    ...{ avatar: '', tenantId: ownTenant(), oauthId: '', userType: 2, userCode: '' },
  })
  const place = `/signup/form/${examId}?invited=1`
  await visitor.open(place)
  await page.getByRole('heading', { name: '院校为您填写的报名' }).waitFor()
  await page.evaluate(`localStorage.setItem('kaopu-lang', '"en"')`)
  await visitor.open(place)
  await page.getByRole('button', { name: 'Take it over' }).waitFor()
  await visitor.look('invitation-en')
  await page.evaluate(`localStorage.removeItem('kaopu-lang')`)
  await visitor.open(place)
  visitor.expectRefusal(409)
  await page.getByRole('button', { name: '接收', exact: true }).click()
  await page.getByText('接收会替换您现有的草稿', { exact: false }).waitFor()
  expect(await checkAccess(page)).toEqual([])
  await visitor.look('invitation')
  await page.getByRole('button', { name: '替换我的草稿并接收' }).click()
  await page.getByText('已接收，请核对后提交').waitFor()
  await page.getByRole('heading', { name: '院校为您填写的报名' }).waitFor({ state: 'detached' })
  expect(
    await backdoor.db(db =>
      db.all(sql<object>`select id::text as id, content->>'major' as major from signup where user_id = ${ids.person} and not is_deleted`),
    ),
  ).toEqual([{ id: ids.signup, major: '护理学' }])
  await visitor.open(place)
  await page.getByText('没有等待接收的内容', { exact: false }).waitFor()
  await page.getByRole('button', { name: '不接收，我自己填写' }).click()
  await page.getByRole('heading', { name: '院校为您填写的报名' }).waitFor({ state: 'detached' })
  expect(visitor.troubles()).toEqual([])
})
