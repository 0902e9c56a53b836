import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { postEffects } from '#contract/signup/post-event.ts'
import { type SignupState, signupMachine } from '#contract/signup/signup.state.ts'
import { sql } from '#kernel/db/sql.ts'
import { startTestApp, type TestApp, testStart } from '../support/app.ts'
import { buildExam } from '../support/factories.ts'
import { exam, payScene } from '../support/pay.ts'
import { recruit } from '../support/selecting.ts'
import { applicant, rooms } from '../support/ticket-people.ts'
import { workbook } from '../support/workbook.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())
beforeEach(() => t.clock.set(testStart))

const states = Object.keys(signupMachine.wire) as SignupState[]
const cancelPost = sql`update type_code set post_state = 2 where code = 'B001'`

describe('[S7.47] of a cancelled post no due comes into being, in any state of the sign-up', () => {
  test('by hand, by a list, by the rule, by a change of the post', async () => {
    const scene = await payScene(t)
    await scene.tenant.rows(cancelPost)
    const file = async (signNo: string) => ({
      fields: { examId: scene.built.examId, mode: 'commit' },
      files: [
        {
          part: 'file',
          name: '应缴.xlsx',
          bytes: await workbook([
            ['证件号码*', '姓名*', '费用名称*', '应缴金额(元)*', '缴费截止时间'],
            [signNo, '王测', '补考费', '80', '2026-04-20 17:00'],
          ]),
        },
      ],
    })
    const found: unknown[] = []
    const expected: unknown[] = []
    for (const state of states) {
      const { signupId } = await scene.payer()
      const [row] = await scene.tenant.rows(
        sql<{ signNo: string }>`update signup set examine = ${state} where id = ${signupId} returning sign_no as "signNo"`,
      )
      const signNo = row?.signNo ?? ''
      const json = { examId: scene.built.examId, signNo, name: '王测', payName: '补考费', amount: 100, deadline: '2026-04-20 17:00:00' }
      const hand = await scene.finance.post('/blade-examPay/exampay/submit', { json })
      const list = await scene.finance.post(`${exam}/importExamPay`, { multipart: await file(signNo) })
      await scene.tenant.db(db => t.app.modules.pay.openDues(db, signupId))
      await scene.tenant.db(db => t.app.modules.pay.settlePost(db, signupId))
      found.push([state, hand.body.data?.fields, list.body.data.errors.map((one: { code: string; reason: string }) => one.reason)])
      const word = state === 'withdrawn' || state === 'disqualified' ? '报名已撤回或已取消资格' : '所报岗位已取消，不再收费'
      expected.push([state, [{ field: 'signNo', msg: word }], [word]])
    }
    expect(found).toEqual(expected)
    expect(await scene.tenant.rows(sql`select pay_name as name from exam_pay`)).toEqual([])
  })

  test('what was decided about a post that stays changes nothing', () => {
    expect(states.filter(state => postEffects[state].none.due)).toEqual(['draft', 'waiting', 'second', 'returned', 'refused', 'passed'])
    expect(states.filter(state => postEffects[state].none.seat)).toEqual(['passed'])
    expect(states.filter(state => postEffects[state].cancelled.due || postEffects[state].cancelled.seat)).toEqual([])
  })
})

describe('[S7.47] of a cancelled post no seat, ticket or call comes into being', () => {
  const paper = {
    ...{ itemCode: '01', itemName: '综合基础知识' },
    ...{ startTime: '2026-03-28 09:00:00', endTime: '2026-03-28 10:30:00', rooms: rooms(1) },
  }

  test('drawn, seated late, by a plan, given out again: whoever paid late or got a refund rejected is left out and named', async () => {
    const tenant = await t.tenant()
    const built = await buildExam(tenant, { papers: [paper] })
    const admin = await tenant.staff('exam_admin')
    const stays = await applicant(t, tenant, built.examId, { name: '甲人', code: 'A002' })
    const gone = await applicant(t, tenant, built.examId, { name: '乙人', code: 'B001' })
    t.clock.set('2026-03-24T10:00:00+08:00')
    const json = { examId: built.examId, itemIds: built.papers['01'] }
    const draw = async (dryRun: 0 | 1) => (await admin.post(`${exam}/creTicketEnd`, { json: { ...json, dryRun } })).body
    expect((await draw(1)).data.eligible).toBe(2)
    await tenant.rows(cancelPost)
    // The office has kept this place: it takes part as before, until it is put on the list again.
    await tenant.rows(sql`
      with cut as (
        insert into post_reduction (tenant_id, exam_id, code, unit, type, action, before_num, after_num, valid_count, to_codes, reason, state, choice_begin, choice_end)
        values (${tenant.tenantId}, ${built.examId}, 'B001', 'H01', 'B', 'cancel', 4, 0, 1, '[]', '试', 'published', app_now(), app_now() + interval '1 day') returning tenant_id, id)
      insert into reduction_name (tenant_id, exam_id, reduction_id, signup_id, user_id, from_code, join_way, choice, state)
      select cut.tenant_id, ${built.examId}, cut.id, ${gone.signupId}, ${gone.person.userId}, 'B001', 1, 'kept', 'removed' from cut`)
    expect((await draw(1)).data).toMatchObject({ eligible: 2, leftOut: [] })
    await tenant.rows(sql`update reduction_name set is_deleted = true`)
    const word = '所报岗位已取消，不安排座位和准考证'
    for (const dryRun of [1, 0] as const)
      expect((await draw(dryRun)).data).toMatchObject({ eligible: 1, leftOut: [{ signUpId: gone.signupId, reason: word }] })
    expect(
      (await admin.post(`${exam}/seatLate`, { json: { examId: built.examId, itemId: built.papers['01'], dryRun: 1 } })).body.data,
    ).toEqual({ late: 0, seated: 0, shortage: 0 })
    const plan = await admin.post(`${exam}/importTicket`, {
      multipart: {
        fields: { examId: built.examId, itemId: built.papers['01'] ?? '', mode: 'check' },
        files: [
          {
            part: 'file',
            name: '导入.xlsx',
            bytes: await workbook([
              [
                '证件号码*',
                '姓名*',
                '岗位代码',
                '科目代码*',
                '准考证号',
                '考点代码*',
                '考点名称*',
                '考点地址*',
                '考场号*',
                '考场名称',
                '楼层',
                '座位号*',
                '备注',
              ],
              [gone.idCard, '乙人', 'B001', '01', '', '01', '区第一中学', '青山路188号', '1', 'A栋301', '3', '5', ''],
            ]),
          },
        ],
      },
    })
    expect(plan.body.data.errors.map((one: { reason: string }) => one.reason)).toEqual([`不能参加考试：${word}`])
    expect(await tenant.rows(sql`select signup_id::text as id from ticket where not is_deleted`)).toEqual([{ id: stays.signupId }])
  })

  test('nobody of it is called to the re-review, nor moves up in it', async () => {
    const w = await recruit(t)
    await w.release('01')
    expect((await w.start({ dryRun: 1 })).body.data.people).toBe(3)
    await w.tenant.rows(cancelPost)
    expect((await w.start()).body.data.people).toBe(1)
    expect(
      await w.tenant.rows(sql`select s.code from selection_call c join signup s on s.tenant_id = c.tenant_id and s.id = c.signup_id`),
    ).toEqual([{ code: 'A002' }])
  })
})

/** Statements that make one of these rows, and where it was asked whether it can be. */
const asked: Readonly<Record<string, string>> = {
  'pay/data/due.repo.ts exam_pay': 'feesOfPost and settlePost ask dueBar',
  'pay/data/import.repo.ts exam_pay': 'addDue and the import of dues ask dueBar',
  'ticket/data/ticket.repo.ts ticket': 'listEligible and the plan ask for the seat',
  'ticket/data/release.repo.ts ticket': 'the next version of a ticket that is there',
  'ticket/data/change.repo.ts ticket': 'reissue asks seatBar',
  'selection/data/call.repo.ts selection_call': 'people of listUncalled and nextInRank',
  'selection/data/person.repo.ts selection_person': 'people of listUncalled, nextInRank and nextByTotal',
}
test('every statement that makes a due, a ticket or a call is one of those that ask', () => {
  const root = fileURLToPath(new URL('../../src/modules/', import.meta.url))
  const found = globSync('**/*.ts', { cwd: root }).flatMap(path =>
    [...readFileSync(`${root}${path}`, 'utf8').matchAll(/insert into (exam_pay|ticket|selection_call|selection_person) \(/g)].map(
      ([, table]) => `${path} ${table}`,
    ),
  )
  expect([...new Set(found)].sort()).toEqual(Object.keys(asked).sort())
})
