import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { buildExam } from '../../server/test/support/factories.ts'
import { comeIn, launchBrowser, type Visitor, visit } from './browser.ts'
import { windows } from './exam.ts'
import { type Backdoor, openBackdoor } from './people.ts'
import { keepSession } from './session.ts'
import { sharedServer } from './shared-server.ts'
import { ownTenant } from './tenant.ts'

/** Three fees of one sign-up and one that was paid, each named after its deadline, which lies behind that of the examination. */
const fees = [
  { name: '第三笔', amountFen: 3_000, days: 8, state: 'due' },
  { name: '第一笔', amountFen: 1_000, days: 6, state: 'due' },
  { name: '已缴的', amountFen: 4_000, days: 5, state: 'paid' },
  { name: '第二笔', amountFen: 200_000, days: 7, state: 'due' },
] as const

/** Somebody (crowd1) who owes these fees, somebody (crowd2) who has paid the one they owed, and two of the finance office (caiwu1, caiwu2), for the tests of a file. */
export const openDues = () => {
  let server: Awaited<ReturnType<typeof sharedServer>>
  let browser: Browser
  let backdoor: Backdoor
  let finance: Visitor
  let tokens = { owing: '', paid: '' }
  const come = (name: string, language: 'zh' | 'en' = 'zh'): Promise<Visitor> =>
    visit(browser, server.url, { name, screen: 'desktop', language })
  beforeAll(async () => {
    server = await sharedServer()
    backdoor = await openBackdoor(server.dataDir)
    const { examId } = await buildExam(backdoor, {
      exam: { ...windows, refund_policy: 1, exam_name: '缴费测试', exam_code: 'PAY2026', year: Number(windows.sign_begin.slice(0, 4)) },
    })
    const [member, second] = await backdoor.addCandidates(2)
    if (member === undefined || second === undefined) throw new Error('no candidates')
    await backdoor.addStaff([
      { account: 'caiwu1', realName: '冯财务', roles: ['finance'] },
      { account: 'caiwu2', realName: '褚财务', roles: ['finance'] },
    ])
    await backdoor.db(async db => {
      const { id: userId } = await db.one(sql<{ id: string }>`select id::text as id from account where account = 'crowd1'`)
      const { id: signupId } = await db.one(sql<{ id: string }>`
        insert into signup (tenant_id, exam_id, user_id, code, type, unit, examine, name, id_card_mask, sign_no, sign_version)
        values (${ownTenant()}, ${examId}, ${userId}, 'B001', 'B', 'H01', 'passed', '王·测', '3301**********301X', '2026070000000001', 1) returning id::text as id`)
      for (const { name, amountFen, days, state } of fees)
        await db.run(sql`
          insert into exam_pay (tenant_id, exam_id, item_id, signup_id, user_id, pay_kind, pay_name, amount_fen, paid_fen, state, own_deadline, deadline)
          values (${ownTenant()}, ${examId}, ${state === 'paid' ? 0 : days}, ${signupId}, ${userId}, 3, ${name}, ${amountFen}, ${state === 'paid' ? amountFen : 0}, ${state}, true,
            ${db.now}::timestamptz + make_interval(days => ${days}))`)
    })
    await backdoor.db(async db => {
      const { id: userId } = await db.one(sql<{ id: string }>`select id::text as id from account where account = 'crowd2'`)
      const { id: signupId } = await db.one(sql<{ id: string }>`
        insert into signup (tenant_id, exam_id, user_id, code, type, unit, examine, pay_state, name, id_card_mask, sign_no, sign_version)
        values (${ownTenant()}, ${examId}, ${userId}, 'B001', 'B', 'H01', 'passed', 'paid', '王·测', '3301**********302X', '2026070000000002', 1) returning id::text as id`)
      await db.run(sql`
        insert into exam_pay (tenant_id, exam_id, item_id, signup_id, user_id, pay_kind, pay_name, amount_fen, paid_fen, state, own_deadline, deadline, pay_way)
        values (${ownTenant()}, ${examId}, 0, ${signupId}, ${userId}, 1, '报名费', 10000, 10000, 'paid', true, ${db.now}::timestamptz + interval '5 days', 'cash')`)
    })
    browser = await launchBrowser()
    tokens = { owing: member.token, paid: second.token }
    finance = await come('冯财务')
    await comeIn(finance, 'caiwu1')
  })
  afterAll(async () => {
    await browser?.close()
    await backdoor?.close()
  })
  beforeEach(() => {
    finance.troubles()
  })
  return {
    get server() {
      return server
    },
    get backdoor() {
      return backdoor
    },
    /** At a desk, logged in as caiwu1. */
    get finance() {
      return finance
    },
    /** Somebody else at a desk, who has not logged in. */
    come,
    /** One of the two candidates with their session. */
    comeAs: async (who: 'owing' | 'paid', screen: 'phone' | 'inApp' = 'phone'): Promise<Visitor> => {
      const account = who === 'owing' ? 'crowd1' : 'crowd2'
      const visitor = await visit(browser, server.url, { name: account, screen })
      await keepSession(visitor.context, server.url, tokens[who], {
        ...{ userId: '1', account, realName: '王·测', nickName: '王·测', roleIds: [], roles: [], deptId: '', avatar: '' },
        ...{ tenantId: ownTenant(), oauthId: '', userType: 2, userCode: '' },
      })
      return visitor
    },
  }
}
