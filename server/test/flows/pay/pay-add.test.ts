import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { startTestApp, type TestApp, testStart } from '../../support/app.ts'
import { exam, noticesOf, payScene } from '../../support/pay.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())
beforeEach(() => t.clock.set(testStart))

const submit = '/blade-examPay/exampay/submit'

describe('[S7.61] a due by hand', () => {
  test('finance enters one: row, notice, audit line, its own end; the candidate sees and can pay it, and remove voids it', async () => {
    const { tenant, built, finance, payer } = await payScene(t)
    const { person, signupId } = await payer()
    const { signNo } = await tenant.db(db => db.one(sql<{ signNo: string }>`select sign_no as "signNo" from signup where id = ${signupId}`))
    const json = {
      examId: built.examId,
      signNo,
      name: '王测',
      payName: '补考费',
      amount: 4_550,
      deadline: '2026-04-20 17:00:00',
      remark: '经批准',
    }
    const added = await finance.post(submit, { json })
    expect(added.body).toMatchObject({ code: 200, data: { id: expect.stringMatching(/^\d+$/) } })
    const { id } = added.body.data
    expect(
      await tenant.rows(sql<object>`
        select signup_id::text as signup, user_id::text as "user", item_id::text as item, pay_kind as kind, pay_name as name, amount_fen as fen, state, source, remark
        from exam_pay where id = ${id}`),
    ).toEqual([
      { signup: signupId, user: person.userId, item: '0', kind: 3, name: '补考费', fen: 4_550, state: 'due', source: 3, remark: '经批准' },
    ])
    expect(await noticesOf(tenant, person.userId)).toContain('请缴费')
    expect(
      await tenant.rows(
        sql<object>`select user_id::text as by, after_value as after from audit_log where action = 'exampay.added' and entity_id = ${id}`,
      ),
    ).toEqual([{ by: finance.userId, after: { amountFen: 4_550, payName: '补考费', signupId, deadline: '2026-04-20 17:00:00' } }])
    const own = (await person.get(`${exam}/getMyPayList`, { query: { state: 1 } })).body.data
    expect(own.find((row: { id: string }) => row.id === id)).toMatchObject({
      payName: '补考费',
      amount: 4_550,
      deadline: '2026-04-20 17:00:00',
    })
    // The same fee asks, also when it is sent twice at the same time.
    expect((await finance.post(submit, { json })).body.data.asks).toEqual([
      {
        id: `due.${id}`,
        field: 'payName',
        msg: expect.stringMatching(/^此人已有“补考费”45\.50 元（2026-03-17 10:\d\d .+手工登记，待缴）$/),
      },
    ])
    const race = await Promise.all([1, 2].map(() => finance.post(submit, { json: { ...json, payName: '资料费', amount: 1 } })))
    expect(race.map(answer => answer.status).sort()).toEqual([200, 409])

    expect((await finance.post('/blade-examPay/exampay/remove', { query: { ids: id } })).body.data).toEqual({ removed: 1 })
    expect(await tenant.rows(sql<object>`select state from exam_pay where id = ${id}`)).toEqual([{ state: 'void' }])
    t.clock.set('2026-04-20T17:00:00+08:00')
    await t.runTasks()
    expect(await tenant.rows(sql<object>`select state from exam_pay where pay_name = '资料费'`)).toEqual([{ state: 'overdue' }])
  })

  test('what is wrong is said at its field, nothing is stored, and nobody enters one without the right or in another tenant', async () => {
    const { tenant, built, finance, payer } = await payScene(t)
    const { signupId } = await payer()
    const { signNo } = await tenant.db(db => db.one(sql<{ signNo: string }>`select sign_no as "signNo" from signup where id = ${signupId}`))
    const json = { examId: built.examId, signNo, name: '王测', payName: '补考费', amount: 100 }
    const fieldsOf = async (change: object) => (await finance.post(submit, { json: { ...json, ...change } })).body.data?.fields
    expect(await fieldsOf({ signNo: '2026000000000000' })).toEqual([{ field: 'signNo', msg: '本次考试没有此报名序号' }])
    expect(await fieldsOf({ name: '李四' })).toEqual([{ field: 'name', msg: '姓名与报名不一致' }])
    expect(await fieldsOf({ amount: 0 })).toMatchObject([{ field: 'amount' }])
    expect(await fieldsOf({ amount: 1.5 })).toMatchObject([{ field: 'amount' }])
    expect(await fieldsOf({ deadline: '2020-01-01 00:00:00' })).toEqual([{ field: 'deadline', msg: '缴费截止时间已过: 2020-01-01 00:00' }])
    expect(await fieldsOf({ state: 2 })).toMatchObject([{ field: 'state' }])
    expect((await finance.post(submit, { json: { ...json, itemId: '1' } })).status).toBe(404)
    const other = await payScene(t)
    expect((await other.finance.post(submit, { json })).status).toBe(404)
    for (const role of ['admin', 'exam_admin', 'auditor', 'secadmin'] as const)
      expect([role, (await (await tenant.staff(role)).post(submit, { json })).status]).toEqual([role, 403])
    await tenant.db(db => db.run(sql`update signup set examine = 'withdrawn' where id = ${signupId}`))
    expect(await fieldsOf({})).toEqual([{ field: 'signNo', msg: '报名已撤回或已取消资格' }])
    expect(await tenant.rows(sql<object>`select 1 from exam_pay where pay_name = '补考费'`)).toEqual([])
  })
})

describe('a fee entered before the review is counted', () => {
  const underReview = async () => {
    const scene = await payScene(t)
    const { signupId } = await scene.payer()
    await scene.tenant.rows(sql`delete from exam_pay where signup_id = ${signupId}`)
    const [row] = await scene.tenant.rows(
      sql<{
        signNo: string
      }>`update signup set examine = 'waiting', pay_state = 'none' where id = ${signupId} returning sign_no as "signNo"`,
    )
    const json = { examId: scene.built.examId, signNo: row?.signNo ?? '', name: '王测', amount: 10_000 }
    const dues = () =>
      scene.tenant.rows(
        sql`select pay_name as name, amount_fen as fen, state, source from exam_pay where signup_id = ${signupId} order by id`,
      )
    return { ...scene, signupId, json, dues }
  }

  test('[S7.61] by its own name, however it was typed: the review charges nothing more, also when it was paid or of another amount', async () => {
    for (const [payName, amount, isPaid] of [
      ['报名费', 10_000, false],
      [' 报 名 费 ', 10_000, true],
      ['报名费', 8_000, false],
    ] as const) {
      const of = await underReview()
      const { body } = await of.finance.post(submit, { json: { ...of.json, payName, amount } })
      expect(body.code).toBe(200)
      if (isPaid) await of.tenant.rows(sql`update exam_pay set state = 'paid', paid_fen = amount_fen where id = ${body.data.id}`)
      await of.tenant.rows(sql`update signup set examine = 'passed' where id = ${of.signupId}`)
      await of.tenant.db(db => t.app.modules.pay.openDues(db, of.signupId))
      expect(await of.dues()).toEqual([{ name: '报名费', fen: amount, state: isPaid ? 'paid' : 'due', source: 3 }])
    }
  })

  test('[S7.61] another name for as much as the examination asks is asked about, and owed beside it once that is confirmed', async () => {
    const of = await underReview()
    const asked = await of.finance.post(submit, { json: { ...of.json, payName: '考务费' } })
    expect([asked.status, asked.body.reason, asked.body.msg, asked.body.data.asks]).toEqual([
      409,
      'kernel/asks',
      '此人按考试规则另有“报名费”100.00 元。如确实如此，请确认后再提交',
      [{ id: 'due.rule', field: 'payName', msg: '此人按考试规则另有“报名费”100.00 元' }],
    ])
    expect(await of.dues()).toEqual([])
    expect((await of.finance.post(submit, { json: { ...of.json, payName: '考务费', sure: 'due.rule' } })).body.code).toBe(200)
    await of.tenant.rows(sql`update signup set examine = 'passed' where id = ${of.signupId}`)
    await of.tenant.db(db => t.app.modules.pay.openDues(db, of.signupId))
    expect((await of.dues()).map(due => (due as { name: string }).name)).toEqual(['考务费', '报名费'])
    const rule = await of.tenant.rows(sql<{ id: string }>`select id::text as id from exam_pay where pay_name = '报名费'`)
    const twice = await of.finance.post(submit, { json: { ...of.json, payName: '报 名 费', amount: 9_000 } })
    expect([twice.status, twice.body.data.asks]).toEqual([
      409,
      [
        {
          id: `due.${rule[0]?.id}`,
          field: 'payName',
          msg: expect.stringMatching(/^此人已有“报名费”100\.00 元（2026-03-17 10:\d\d 按考试规则生成，待缴）$/),
        },
      ],
    ])
    const sure = { ...of.json, payName: '报 名 费', amount: 9_000, sure: `due.${rule[0]?.id}` }
    expect((await of.finance.post(submit, { json: sure })).body.code).toBe(200)
    expect((await of.dues()).map(due => (due as { name: string }).name)).toEqual(['考务费', '报名费', '报 名 费（2）'])
  })
})
