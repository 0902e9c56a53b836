import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { type Answer, type Person, startTestApp, type TestApp, type TestTenant, testStart } from '../../support/app.ts'
import { testIdCard } from '../../support/id-card.ts'
import { doWork } from '../../support/own-work.ts'
import { exam, noticesOf, openCode, type Payer, payScene } from '../../support/pay.ts'
import { sheetCells } from '../../support/sheet-text.ts'
import { workbook } from '../../support/workbook.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(async () => {
  await t.close()
})
beforeEach(() => t.clock.set(testStart))

const dueHeader = ['证件号码*', '姓名*', '科目代码', '费用名称*', '应缴金额(元)*', '缴费截止时间', '备注']
const payHeader = ['证件号码*', '姓名*', '费用名称', '实缴金额(元)*', '缴费时间*', '缴费方式(转账/现金/POS/单位代缴)*', '凭证号*', '备注']

/** Three people with a sign-up each; the first owes 100 yuan by the rule of the examination. */
const scene = async () => {
  const { tenant, built, finance, payer } = await payScene(t)
  const people: (Payer & { readonly idCard: string })[] = []
  for (const serial of [801, 802, 803]) {
    const one = await payer()
    const idCard = testIdCard(serial)
    const index = t.app.services.cipher.blindIndex(tenant.tenantId, 'id-card', idCard)
    await tenant.db(db => db.run(sql`update signup set id_card_index = ${index} where id = ${one.signupId}`))
    people.push({ ...one, idCard })
  }
  const [a, b, c] = people
  if (!a || !b || !c) throw new Error('three people')
  const send = async (
    who: Person,
    call: 'importExamPay' | 'importPay',
    rows: readonly (readonly string[])[],
    fields: Record<string, string> = {},
  ) =>
    who.post(`${exam}/${call}`, {
      multipart: {
        fields: { examId: built.examId, mode: 'commit', ...fields },
        files: [{ part: 'file', name: '名单.xlsx', bytes: await workbook([call === 'importPay' ? payHeader : dueHeader, ...rows]) }],
      },
    })
  return { tenant, built, finance, a, b, c, send }
}
const reasons = (answer: Answer): string[] =>
  answer.body.data.errors.map((one: { row: number; header: string; reason: string }) => `${one.row} ${one.header}: ${one.reason}`)
const dues = (tenant: TestTenant) =>
  tenant.rows(sql<object>`
    select signup_id::text as signup, pay_name as name, amount_fen as fen, paid_fen as paid, state, pay_way as way, source from exam_pay order by id`)
const batches = (tenant: TestTenant) =>
  tenant.rows(sql<object>`
    select m.kind, m.batch_name as name, m.total, m.amount_fen::int as fen, count(r.id)::int as rows
    from pay_record_main m join pay_record r on r.main_id = m.id group by m.tenant_id, m.id order by m.id`)

describe('importExamPay (T7a)', () => {
  test('[19.8] whoever signed up with a passport is found by its number alone; the same number of two countries says nothing', async () => {
    const { tenant, finance, a, b, send } = await scene()
    const passport = (one: { signupId: string }, nationality: string) => {
      const index = t.app.services.cipher.blindIndex(tenant.tenantId, 'id-card', `4|${nationality}|E12345678`)
      return tenant.db(db =>
        db.run(sql`update signup set id_card_index = ${index}, nationality = ${nationality} where id = ${one.signupId}`),
      )
    }
    await passport(a, 'FRA')
    const row = ['e12345678', '王测', '', '体检费', '80', '2026-04-20 17:00', '']
    expect(reasons(await send(finance, 'importExamPay', [['E12345679', ...row.slice(1)]]))).toEqual(['2 证件号码: 此人没有报名本次考试'])
    expect((await send(finance, 'importExamPay', [row])).status).toBe(200)
    expect((await dues(tenant)).at(-1)).toMatchObject({ signup: a.signupId, name: '体检费', fen: 8000 })
    await passport(b, 'DEU')
    expect(reasons(await send(finance, 'importExamPay', [row.with(3, '复检费')]))).toEqual(['2 证件号码: 此人没有报名本次考试'])
  })

  test('[S7.41] a file with faults stores nothing and names each; the mended one makes dues, a batch, notices and audit lines', async () => {
    const { tenant, finance, a, b, c, send } = await scene()
    const before = await dues(tenant)
    const bad = await send(finance, 'importExamPay', [
      [a.idCard, '王测', '', '体检费', '80', '', ''],
      [a.idCard, '王测', '', '体检费', '80.00', '', ''],
      [b.idCard, '李四', '99', '体检费', '-5', '2026-02-30', ''],
      [testIdCard(899), '王测', '', '', '12.345', '', ''],
      ['1.1E+17', '王测', '', '体检费', '1', '2020-01-01', ''],
    ])
    expect(bad.status).toBe(422)
    expect(reasons(bad)).toEqual([
      '3 证件号码: 与第 2 行重复',
      '4 姓名: 姓名与报名不一致: 应为 王测',
      '4 科目代码: 科目代码在本考试不存在: 99',
      '4 应缴金额: 金额不能为负',
      '4 缴费截止时间: 缴费截止时间不存在: 2026-02-30，请按 2026-03-01 17:00 填写',
      '5 证件号码: 此人没有报名本次考试',
      '5 费用名称: 必填项为空: 费用名称',
      '5 应缴金额: 金额超过两位小数',
      '6 证件号码: 证件号码已变成科学计数，请设为文本格式后重新填写',
      expect.stringContaining('6 缴费截止时间: 缴费截止时间已过'),
    ])
    expect(await dues(tenant)).toEqual(before)
    const good = await send(finance, 'importExamPay', [
      [a.idCard, '王测', '', '体检费', '80', '2026-04-20 17:00', '第一批'],
      [c.idCard.toLowerCase(), '王测', '', '体检费', '1,080.50', '', ''],
    ])
    expect(good.body.data).toMatchObject({ state: 4, total: 2, inserted: 2, failed: 0 })
    expect((await dues(tenant)).slice(before.length)).toEqual([
      { signup: a.signupId, name: '体检费', fen: 8_000, paid: 0, state: 'due', way: null, source: 2 },
      { signup: c.signupId, name: '体检费', fen: 108_050, paid: 0, state: 'due', way: null, source: 2 },
    ])
    expect(await batches(tenant)).toEqual([{ kind: 1, name: '名单.xlsx', total: 2, fen: 116_050, rows: 2 }])
    expect(await noticesOf(tenant, a.person.userId)).toEqual(['请缴费'])
    expect(
      await tenant.rows(
        sql<object>`select count(*)::int as lines from audit_log where action = 'exampay.added' and after_value ->> 'importId' is not null`,
      ),
    ).toEqual([{ lines: 2 }])
    const again = await send(finance, 'importExamPay', [[a.idCard, '王测', '', '体检费', '80', '', '']])
    expect([again.status, again.body.reason, again.body.data]).toMatchObject([409, 'import/asks', { asked: 1, errors: [] }])
  })

  test('[S7.41] a row beside a due that is there asks: the check names it, the commit takes what is confirmed and loses nothing else', async () => {
    const { tenant, built, finance, a, b, c, send } = await scene()
    const before = await dues(tenant)
    const rows = [
      [a.idCard, '王测', '', '报名费', '80', '', ''],
      [b.idCard, '王测', '', '考务费', '100', '', ''],
      [c.idCard, '王测', '', '体检费', '80', '', ''],
    ]
    const checked = await send(finance, 'importExamPay', rows, { mode: 'check' })
    const there = /^此人已有“报名费”100\.00 元（2026-03-17 10:\d\d 按考试规则生成，待缴）$/
    expect(checked.body.data).toMatchObject({ state: 2, ok: 3, failed: 0, asked: 2, errors: [] })
    expect(checked.body.data.warnings).toEqual([
      { row: 2, reason: expect.stringMatching(there), asks: `due.${a.payId}` },
      { row: 3, reason: expect.stringMatching(there), asks: `due.${b.payId}` },
    ])
    // Whoever says nothing gets the rows that do not ask; those left out come back in a workbook.
    const left = await send(finance, 'importExamPay', rows)
    expect(left.body.data).toMatchObject({ state: 4, inserted: 1, skipped: 2, asked: 2, errorFileUrl: expect.any(String) })
    expect((await dues(tenant)).slice(before.length)).toEqual([
      { signup: c.signupId, name: '体检费', fen: 8_000, paid: 0, state: 'due', way: null, source: 2 },
    ])
    // One row, by the file that was checked.
    const one = await finance.post(`${exam}/importExamPay`, {
      multipart: {
        fields: { mode: 'commit', importId: checked.body.data.importId, examId: built.examId, sure: '3' },
        files: [],
      },
    })
    expect([one.status, one.body.data?.asked]).toEqual([200, 2])
    expect((await dues(tenant)).slice(before.length + 1)).toEqual([
      { signup: b.signupId, name: '考务费', fen: 10_000, paid: 0, state: 'due', way: null, source: 2 },
    ])
    const all = await send(finance, 'importExamPay', rows.slice(0, 1), { sure: 'all' })
    expect(all.body.data).toMatchObject({ state: 4, inserted: 1, asked: 0, warnings: [] })
    expect((await dues(tenant)).at(-1)).toMatchObject({ signup: a.signupId, name: '报名费（2）', fen: 8_000 })
    expect(
      await tenant.rows(
        sql`select after_value ->> 'sure' as sure, after_value ->> 'asked' as asked from audit_log where action = 'import.T7a' order by id`,
      ),
    ).toEqual([
      { sure: null, asked: '2' },
      { sure: '3', asked: '2' },
      { sure: 'all', asked: null },
    ])
  })

  test('a due that was imported lapses at its own end', async () => {
    const { tenant, built, finance, a, send } = await scene()
    await tenant.db(db => db.run(sql`update examination set pay_end = null where id = ${built.examId}`))
    await send(finance, 'importExamPay', [[a.idCard, '王测', '', '体检费', '80', '2026-03-18', '']])
    t.clock.advance(3 * 24 * 3_600_000)
    await t.runTasks()
    expect((await dues(tenant)).at(-1)).toMatchObject({ name: '体检费', state: 'overdue' })
  })
})

describe('importPay (T7b)', () => {
  test('[S7.41] payments find their dues; what does not fit is named, an open order and a large sum are left to people', async () => {
    const { tenant, finance, a, b, c, send } = await scene()
    await openCode(c.person, c.payId)
    const bad = await send(finance, 'importPay', [
      [a.idCard, '王测', '报名费2', '100', '2026-03-16', '转账', 'V1', ''],
      [b.idCard, '王测', '', '99', '2027-01-01', '支票', 'V2', ''],
      [c.idCard, '王测', '', '100', '2026-03-16 09:00', '现金', 'V2', ''],
    ])
    expect(bad.status).toBe(422)
    const found = reasons(bad)
    for (const part of [
      '2 费用名称: 没有此名称的待缴费用',
      '3 实缴金额: 金额与应缴不一致: 应缴 100.00 元',
      '3 缴费时间: 缴费时间不能晚于现在',
      '3 缴费方式: 缴费方式应为 转账、现金、POS 或 单位代缴',
      '4 证件号码: 有未完成的支付订单，请先关闭订单',
      '4 凭证号: 与第 3 行重复',
    ])
      expect(
        found.some(text => text.startsWith(part)),
        `${part}\n${found.join('\n')}`,
      ).toBe(true)
    // Finance sees four digits of an id number: the number of the sign-up stands for it.
    const signNo = String((await tenant.rows(sql<{ no: string }>`select sign_no as no from signup where id = ${b.signupId}`))[0]?.no)
    expect(reasons(await send(finance, 'importPay', [[`${signNo}9`, '王测', '', '100', '2026-03-16', 'POS', 'V2', '']]))).toEqual([
      '2 证件号码: 证件号码不正确，请核对 18 位号码；也可填报名序号',
    ])
    const good = await send(finance, 'importPay', [
      [signNo, '王测', '', '100', '2026-03-16', 'POS', 'V2', ''],
      [a.idCard, '王测', '', '100.00', '2026-03-16 09:30', '转账', 'V1', '工行'],
    ])
    expect(good.body.data).toMatchObject({ state: 4, inserted: 2 })
    expect(await dues(tenant)).toMatchObject([
      { signup: a.signupId, paid: 10_000, state: 'paid', way: 'bankTransfer' },
      { signup: b.signupId, paid: 10_000, state: 'paid', way: 'cash' },
      { signup: c.signupId, paid: 0, state: 'due', way: null },
    ])
    expect(await tenant.rows(sql<object>`select kind, amount_fen as fen, evidence from pay_ledger order by evidence`)).toEqual([
      { kind: 'pay', fen: 10_000, evidence: 'bankTransfer:V1' },
      { kind: 'pay', fen: 10_000, evidence: 'cash:V2' },
    ])
    expect(await tenant.rows(sql<object>`select pay_state from signup where id = ${a.signupId}`)).toEqual([{ pay_state: 'paid' }])
    expect(await batches(tenant)).toEqual([{ kind: 2, name: '名单.xlsx', total: 2, fen: 20_000, rows: 2 }])
    const used = await send(finance, 'importPay', [[c.idCard, '王测', '', '100', '2026-03-16', '转账', 'V1', '']])
    expect(reasons(used)).toContain('2 凭证号: 凭证号已使用')
  })

  test('a sum above pay.manualDoubleCheckFen needs two people and is refused in a file', async () => {
    const { finance, a, send } = await scene()
    await send(finance, 'importExamPay', [[a.idCard, '王测', '', '培训费', '1500', '', '']])
    const answer = await send(finance, 'importPay', [[a.idCard, '王测', '培训费', '1500', '2026-03-16', '转账', 'V9', '']])
    expect(reasons(answer)).toEqual(['2 实缴金额: 超过 1000.00 元须双人逐笔登记'])
  })

  test('only finance imports; another tenant’s examination is not found', async () => {
    const { tenant, a, send } = await scene()
    const other = await scene()
    const row = [[a.idCard, '王测', '', '体检费', '80', '', '']]
    expect((await send(await tenant.staff('exam_admin'), 'importExamPay', row)).status).toBe(403)
    expect((await send(other.finance, 'importExamPay', row, { examId: (await payScene(t)).built.examId })).status).toBe(404)
  })
})

describe('getPayExcel', () => {
  const rowsOf = async (answer: Answer) => {
    expect(answer.status).toBe(200)
    return sheetCells(answer.raw)
  }
  test('[S7.41] lists of dues and of payments, and the template; each is audited', async () => {
    const { tenant, built, finance, a, send } = await scene()
    await send(finance, 'importPay', [[a.idCard, '王测', '', '100', '2026-03-16 09:30', '单位代缴', 'V1', '']])
    const list = async (kind: string) => rowsOf(await finance.get(`${exam}/getPayExcel`, { query: { examId: built.examId, kind } }))
    const due = await list('due')
    expect(due).toHaveLength(2 + 3)
    const paid = await list('paid')
    expect(paid.at(1)?.slice(0, 4)).toEqual(['序号', '报名序号', '姓名', '证件号(后四位)'])
    // The unit by its name: codes are for programs.
    const [unitName] = await tenant.rows(
      sql<{ name: string }>`select unit_name as name from type_code where exam_id = ${built.examId} and code = 'B001'`,
    )
    expect(unitName?.name).not.toBe('H01')
    expect(paid.slice(2).map(row => row.slice(2, 16))).toEqual([
      ['王测', '301X', unitName?.name, 'B001', null, expect.any(String), 100, '已缴', 100, '单位代缴', null, 'V1', '2026-03-16 09:30:00'],
    ])
    expect(await list('refund')).toHaveLength(2)
    expect((await list('template'))[0]).toEqual(dueHeader.map(title => title.replace('*', '')))
    for (const [kind, amount, way] of [
      ['T7a', '应缴金额(元)', undefined],
      ['T7b', '实缴金额(元)', '转账'],
    ] as const) {
      const { raw } = await finance.get(`${exam}/importTemplate`, { query: { kind, examId: built.examId } })
      const [titles, told] = [(await sheetCells(raw))[0], await sheetCells(raw, 1)]
      expect(titles).toEqual(expect.arrayContaining(['证件号码', '姓名', amount]))
      // The second sheet says each column in words and has a sample of it.
      expect(told.map(row => row[0])).toEqual(expect.arrayContaining([expect.stringContaining(amount)]))
      expect(told.flat()).toEqual(expect.arrayContaining(['330106199806301023', '王·测', '100.00', ...(way === undefined ? [] : [way])]))
    }
    expect(await tenant.rows(sql<object>`select count(*)::int as lines from audit_log where action = 'exampay.exported'`)).toEqual([
      { lines: 4 },
    ])
  })
})

describe('alarms and the merchant account', () => {
  test('an alarm is closed once, with what was done', async () => {
    const { tenant, finance } = await scene()
    const { id } = await tenant.db(db =>
      db.one(sql<{ id: string }>`
        insert into pay_alarm (tenant_id, kind, detail) values (${tenant.tenantId}, 'unknownOrder', 'E1') returning id::text as id`),
    )
    const list = async () => (await finance.get('/blade-payAlarm/payalarm/list', { query: { current: 1, size: 10 } })).body.data.records
    expect(await list()).toMatchObject([{ id, kind: '收到未知订单的支付', state: 0, handleRemark: null }])
    expect((await finance.post(`${exam}/closePayAlarm`, { json: { id, remark: '' } })).status).toBe(400)
    expect((await finance.post(`${exam}/closePayAlarm`, { json: { id, remark: '已联系银行' } })).body.data).toEqual({ id })
    expect(await list()).toMatchObject([{ id, state: 1, handleRemark: '已联系银行', handledName: expect.any(String) }])
    expect((await finance.post(`${exam}/closePayAlarm`, { json: { id, remark: '再次' } })).body.code).toBe(2201)
    expect(
      await tenant.rows(sql<object>`select entity_id::text as entity, reason from audit_log where action = 'payalarm.closed'`),
    ).toEqual([{ entity: id, reason: '已联系银行' }])
  })

  test('the account is shown without a key, and the demo’s is not changed', async () => {
    const { tenant, finance, a } = await scene()
    await openCode(a.person, a.payId)
    const seen = await finance.get(`${exam}/getPayAccount`)
    expect(Object.keys(seen.body.data.account).sort()).toEqual(
      ['appid', 'h5', 'hasAppSecret', 'mchid', 'merchantSerial', 'publicKeyId', 'trustMode', 'updateTime', 'updateUser'].sort(),
    )
    expect(JSON.stringify(seen.body)).not.toMatch(/PRIVATE KEY|apiV3/)
    // Nobody has paid by these yet, and everybody is offered them.
    const { ways } = (await a.person.get('/pay/wxpay/ways', { query: { payId: a.payId } })).body.data
    expect([ways.includes('alipay'), ways.includes('nontax')]).toEqual([seen.body.data.alipay !== null, seen.body.data.nontax !== null])
    const body = { mchid: '1900000109', appid: 'wx1234567890abcdef', merchantSerial: 'ABCDEF0123456789' }
    expect((await finance.post(`${exam}/savePayAccount`, { json: body })).status).toBe(403)
    const refused = await (await tenant.staff('admin')).post(`${exam}/savePayAccount`, { json: body })
    expect(refused.body).toMatchObject({ code: 2001, msg: '演示环境使用模拟商户，不能修改' })
  })
})

describe('[29.2] batches of imports and their undo', () => {
  const mainPath = '/blade-payrecordmain/payrecordmain'
  const rowPath = '/blade-payrecord/payrecord'
  const mains = async (finance: Person, query = {}) => (await finance.get(`${mainPath}/list`, { query })).body.data.records
  const rowsOf = async (finance: Person, mainId: string) =>
    (await finance.get(`${rowPath}/list`, { query: { mainId, ascs: 'rowNo' } })).body.data.records

  test('[S7.61] dues: listed with their rows, undone as a whole while none is paid; a paid one is named and nothing happens', async () => {
    const { tenant, built, finance, a, b, c, send } = await scene()
    const other = await payScene(t)
    await send(finance, 'importExamPay', [
      [a.idCard, '王测', '', '体检费', '80', '2026-04-20 17:00', ''],
      [b.idCard, '王测', '', '体检费', '80', '2026-04-20 17:00', ''],
      [c.idCard, '王测', '', '体检费', '90', '2026-04-20 17:00', ''],
    ])
    const [main] = await mains(finance, { examId: built.examId, kind: 1, state: 1 })
    expect(main).toMatchObject({
      examId: built.examId,
      itemId: '0',
      batchName: '名单.xlsx',
      kind: 1,
      total: 3,
      okCount: 3,
      paidCount: 0,
      amountTotal: 25_000,
      state: 1,
      undoTime: null,
    })
    const rows = await rowsOf(finance, main.id)
    expect(rows).toMatchObject([
      { rowNo: 2, name: '王测', payName: '体检费', amount: 8_000, state: 1, result: 1, payWay: null },
      { rowNo: 3, amount: 8_000, result: 1 },
      { rowNo: 4, amount: 9_000, result: 1 },
    ])
    const undo = (more: object = {}, who = finance) =>
      who.post(`${mainPath}/remove`, { json: { ids: main.id, examId: built.examId, ...more } })
    // A screen of another examination or paper, another organisation, somebody without the right.
    expect((await undo({ examId: '1' })).body.code).toBe(404)
    expect((await undo({ itemId: '7' })).body.code).toBe(404)
    expect((await undo({}, other.finance)).body.code).toBe(404)
    expect((await undo({}, await tenant.staff('exam_admin'))).body.code).toBe(403)
    for (const path of [mainPath, rowPath]) expect((await finance.post(`${path}/submit`, { json: {} })).body.code).toBe(2001)

    // One row is taken back by itself; one of the others is paid.
    expect((await finance.post(`${rowPath}/remove`, { json: { ids: rows[0].id } })).body.data).toEqual({ removed: 1 })
    expect((await finance.post(`${rowPath}/remove`, { json: { ids: rows[0].id } })).body.code).toBe(2201)
    const code = await openCode(b.person, rows[1].examPayId)
    const { payments } = t.app
    const emulator = await payments?.emulator()
    await emulator?.payAsPerson(code.codeUrl)
    await emulator?.runDue()
    const stuck = await undo()
    expect(stuck.body).toMatchObject({ code: 2606, data: { total: 1, rows: [{ row: 3, name: '王测' }] } })
    expect((await rowsOf(finance, main.id)).map((row: { result: number }) => row.result)).toEqual([2, 1, 1])
    expect((await finance.post(`${rowPath}/remove`, { json: { ids: rows[1].id } })).body.code).toBe(2606)
    expect((await finance.post(`${rowPath}/remove`, { json: { ids: rows[2].id } })).body.data).toEqual({ removed: 1 })

    // A second batch with nothing paid but an open code: the code is closed, the batch undone, its owner told.
    await send(finance, 'importExamPay', [[a.idCard, '王测', '', '复检费', '30', '2026-04-20 17:00', '']])
    const [second] = await mains(finance)
    const [due] = await rowsOf(finance, second.id)
    const open = await openCode(a.person, due.examPayId)
    const done = await finance.post(`${mainPath}/remove`, { json: { ids: second.id, examId: built.examId, itemId: '0' } })
    expect(done.body.data).toEqual({ removed: 1 })
    expect((await mains(finance))[0]).toMatchObject({ id: second.id, state: 2, undoTime: '2026-03-17 10:00:00' })
    expect(await rowsOf(finance, second.id)).toMatchObject([{ state: 6, result: 2 }])
    expect(await tenant.rows(sql`select state from pay_order where order_no = ${open.orderNo}`)).toEqual([{ state: 'closed' }])
    expect((await noticesOf(tenant, a.person.userId)).at(-1)).toBe('缴费已取消')
    expect((await finance.post(`${mainPath}/remove`, { json: { ids: second.id, examId: built.examId } })).body.code).toBe(2201)
    expect(
      await tenant.rows(sql`select entity_id as id, after_value as after from audit_log where action = 'payrecordmain.batch-undone'`),
    ).toEqual([{ id: second.id, after: { state: 2, rows: 1 } }])
  })

  test('payments: taken back as a whole with both lines in the ledger, and the same voucher can be entered again', async () => {
    const { tenant, built, finance, a, b, send } = await scene()
    const list = [
      [a.idCard, '王测', '', '100', '2026-03-16 10:00', '转账', 'YH1', ''],
      [b.idCard, '王测', '', '100', '2026-03-16 11:00', '现金', 'YH2', ''],
    ]
    await send(finance, 'importPay', list)
    const [main] = await mains(finance, { kind: 2 })
    expect(main).toMatchObject({ kind: 2, total: 2, paidCount: 2, amountTotal: 20_000 })
    expect(await rowsOf(finance, main.id)).toMatchObject([
      { voucherNo: 'YH1', payWay: 2, payTime: '2026-03-16 10:00:00', state: 2, result: 1 },
      { voucherNo: 'YH2', payWay: 3, state: 2, result: 1 },
    ])
    const undo = () => finance.post(`${mainPath}/remove`, { json: { ids: main.id, examId: built.examId } })
    await finance.post(`${exam}/sureInvoice`, { json: { ids: b.payId, isInvoice: 1, invoiceNo: 'PJ1' } })
    expect((await undo()).body).toMatchObject({ code: 2606, data: { rows: [{ row: 3 }] } })
    expect(await dues(tenant)).toMatchObject([{ state: 'paid' }, { state: 'paid' }, { state: 'due' }])
    await finance.post(`${exam}/sureInvoice`, { json: { ids: b.payId, isInvoice: 0 } })
    expect((await undo()).body.data).toEqual({ removed: 2 })
    expect(await dues(tenant)).toMatchObject([
      { state: 'due', paid: 0, way: null },
      { state: 'due', paid: 0, way: null },
      { state: 'due', paid: 0 },
    ])
    const ledger = () => tenant.rows(sql`select kind, amount_fen as fen, evidence from pay_ledger where pay_id = ${a.payId} order by id`)
    expect(await ledger()).toEqual([
      { kind: 'pay', fen: 10_000, evidence: 'bankTransfer:YH1' },
      { kind: 'adjust', fen: -10_000, evidence: expect.stringMatching(/^undo:\d+$/) },
    ])
    expect((await noticesOf(tenant, a.person.userId)).at(-1)).toBe('缴费登记已撤销')
    expect((await send(finance, 'importPay', list)).body.data).toMatchObject({ state: 4, inserted: 2 })
    expect((await ledger()).at(-1)).toEqual({ kind: 'pay', fen: 10_000, evidence: 'bankTransfer:YH1#2' })
    expect((await doWork(t, 'pay.check-ledger', tenant.tenantId)).result).toMatchObject({ zh: '核对应缴 3 笔，全部一致' })
    // The first batch stays undone, whatever the second has made of its dues.
    expect((await mains(finance)).map((one: { state: number }) => one.state)).toEqual([1, 2])
  })
})

describe('[29.3] lists frozen for finance', () => {
  const path = '/blade-exportpaymain/exportpaymain'
  test('[S7.61] made by the queue, never changed by a later refund, with a workbook and its sums', async () => {
    const { tenant, built, finance, a, b, c, send } = await scene()
    const other = await payScene(t)
    await send(finance, 'importPay', [
      [a.idCard, '王测', '', '100', '2026-03-16 10:00', '转账', 'YH1', ''],
      [b.idCard, '王测', '', '100', '2026-03-17 00:00', '现金', 'YH2', ''],
    ])
    const wish = { examId: built.examId, name: '三月第一批', beginTime: '2026-03-16 00:00:00', endTime: '2026-03-17 00:00:00' }
    const wrong = await finance.post(`${path}/submit`, { json: { ...wish, endTime: wish.beginTime } })
    expect(wrong.body).toMatchObject({ code: 400, data: { fields: [{ field: 'endTime' }] } })
    // Fixed at once, it would leave out for ever what is received until then.
    const ahead = await finance.post(`${path}/submit`, { json: { ...wish, endTime: '2026-03-17 10:00:01' } })
    expect(ahead.body.data.fields).toEqual([{ field: 'endTime', msg: '止不能晚于现在：名单一生成就不再变化，之后收到的款项进不了名单' }])
    expect((await other.finance.post(`${path}/submit`, { json: wish })).body.code).toBe(404)
    const { id } = (await finance.post(`${path}/submit`, { json: wish })).body.data
    const detail = async () => (await finance.get(`${path}/detail`, { query: { id } })).body.data
    expect(await detail()).toMatchObject({ state: 0, count: 0 })
    expect((await finance.get(`${path}/file`, { query: { id } })).body).toMatchObject({ code: 2201 })
    await t.runTasks()
    const made = await detail()
    expect(made).toMatchObject({
      ...wish,
      state: 1,
      // The first of the next day is no part of it.
      count: 1,
      amount: 10_000,
      refundAmount: 0,
      skipped: 0,
      doneTime: '2026-03-17 10:00:00',
      problem: null,
    })
    const rows = async () => (await finance.get('/blade-exportpay/exportpay/list', { query: { mainId: id } })).body.data.records
    const before = await rows()
    expect(before).toMatchObject([
      {
        rowNo: 1,
        examPayId: a.payId,
        name: '王测',
        idCardMask: '3301**********301X',
        unit: 'H01',
        code: 'B001',
        amount: 10_000,
        refundAmount: 0,
        voucherNo: 'YH1',
        orderNo: null,
        fee: null,
        payWay: 2,
        paidTime: '2026-03-16 10:00:00',
      },
    ])
    // What happens later to its payment, or is paid later for its time, does not change it.
    await finance.post(`${exam}/backPay`, { json: { payId: a.payId, reason: '误缴' } })
    const second = await tenant.staff('finance')
    expect((await second.post(`${exam}/backPay`, { json: { payId: a.payId, approve: 1, voucherNo: 'TK1' } })).body.code).toBe(200)
    await send(finance, 'importPay', [[c.idCard, '王测', '', '100', '2026-03-16 12:00', '转账', 'YH3', '']])
    await t.runTasks()
    expect(await rows()).toEqual(before)
    expect(await detail()).toEqual(made)
    for (const call of ['submit', 'remove']) {
      const answer = await finance.post(`/blade-exportpay/exportpay/${call}`, { json: {} })
      expect(answer.body.code).toBe(2001)
    }
    expect((await finance.post(`${path}/submit`, { json: { id, name: '改名' } })).body.code).not.toBe(200)
    const file = await finance.get(`${path}/file`, { query: { id } })
    const cells = await sheetCells(file.raw)
    expect(cells.slice(-1)[0]).toEqual(expect.arrayContaining(['合计 1 笔', 100]))
    expect(cells.flat()).toEqual(expect.arrayContaining(['YH1', '银行转账', '3301**********301X']))
    // Removed on the day it was made, and no later.
    t.clock.set('2026-03-18T10:00:00+08:00')
    expect((await finance.post(`${path}/remove`, { json: { ids: id } })).body.code).toBe(2004)
    const more = async (name: string) => {
      const { id: made } = (await finance.post(`${path}/submit`, { json: { ...wish, name } })).body.data
      await t.runTasks()
      return (await finance.get(`${path}/detail`, { query: { id: made } })).body.data
    }
    // What the first list has handed over is not handed over again, and a list of nothing else is none.
    const later = await more('三月第二批')
    expect(later).toMatchObject({ state: 1, count: 1, amount: 10_000, refundAmount: 0, skipped: 1 })
    expect(await more('三月第三批')).toMatchObject({
      ...{ state: 2, count: 0, amount: 0 },
      problem: expect.stringMatching(/^这段时间的 2 笔款项都已在名单“三月第[一二]批”等名单中/),
    })
    expect((await finance.post(`${path}/remove`, { json: { ids: later.id } })).body.code).toBe(200)
    // A list that was taken back holds nothing.
    expect(await more('三月第四批')).toMatchObject({ state: 1, count: 1, skipped: 1 })
    expect((await other.finance.get(`${path}/list`)).body.data.records).toEqual([])
  })
})

describe('[29.6] receipts', () => {
  test('applied for by the candidate, numbers and links by a workbook, taken back before money goes back', async () => {
    const { tenant, built, finance, a, b } = await scene()
    for (const [index, one] of [a, b].entries())
      await finance.post(`${exam}/handleUp`, {
        multipart: { fields: { payId: one.payId, payWay: '2', amount: '10000', paidTime: '2026-03-17 09:00:00', voucherNo: `P${index}` } },
      })
    await a.person.post(`${exam}/sureInvoice`, { json: { ids: a.payId, isInvoice: 2, invoiceTitle: '王测', invoiceTaxNo: '' } })
    const signNoOf = async (signupId: string) =>
      String((await tenant.rows(sql<{ no: string }>`select sign_no as no from signup where id = ${signupId}`))[0]?.no)
    const [first, second] = [await signNoOf(a.signupId), await signNoOf(b.signupId)]
    const head = ['报名序号*', '姓名*', '费用名称', '票据号*', '票据链接']
    const send = async (rows: readonly (readonly string[])[], who = finance) =>
      who.post(`${exam}/importInvoice`, {
        multipart: {
          fields: { examId: built.examId, mode: 'commit' },
          files: [{ part: 'file', name: '票据.xlsx', bytes: await workbook([head, ...rows]) }],
        },
      })
    const bad = await send([
      [first, '李四', '', 'PJ1', 'http://plain'],
      [second, '王测', '体检费', 'PJ1', ''],
      ['9999', '王测', '', '', ''],
    ])
    expect(reasons(bad)).toEqual([
      '2 姓名: 姓名与报名不一致: 应为 王测',
      '2 票据链接: 票据链接应以 https:// 开头',
      '3 费用名称: 请填写已缴的费用名称: 报名费',
      '3 票据号: 与第 2 行重复',
      '4 报名序号: 此报名序号没有已缴的费用',
      '4 票据号: 必填项为空: 票据号',
    ])
    expect((await send([[first, '王测', '', 'PJ1', '']], await tenant.staff('exam_admin'))).status).toBe(403)
    const good = await send([
      [first, '王测', '', 'PJ1', 'https://pj.example.gov.cn/PJ1'],
      [second, '王测', '报名费', 'PJ2', ''],
    ])
    expect(good.body.data).toMatchObject({ state: 4, updated: 2, failed: 0 })
    expect((await a.person.get(`${exam}/getMyPayList`)).body.data[0]).toMatchObject({
      isInvoice: 1,
      invoiceNo: 'PJ1',
      invoiceUrl: 'https://pj.example.gov.cn/PJ1',
    })
    // The same list again changes nothing; another number for an issued receipt is refused.
    expect((await send([[second, '王测', '', 'PJ2', '']])).body.data).toMatchObject({ state: 4 })
    expect(reasons(await send([[second, '王测', '', 'PJ3', '']]))).toEqual(['2 票据号: 已开具票据 PJ2，请先撤销'])
    // A number is of one receipt.
    const byHand = (invoiceNo: string) => finance.post(`${exam}/sureInvoice`, { json: { ids: b.payId, isInvoice: 1, invoiceNo } })
    expect((await byHand(' PJ1 ')).body).toMatchObject({
      code: 400,
      data: { fields: [{ field: 'invoiceNo', msg: '票据号已登记在另一笔缴费上' }] },
    })
    expect((await byHand('PJ2')).body.data).toEqual({ changed: 1 })
    await finance.post(`${exam}/sureInvoice`, { json: { ids: b.payId, isInvoice: 0 } })
    expect(reasons(await send([[second, '王测', '', 'PJ1', '']]))).toEqual(['2 票据号: 票据号已登记在另一笔缴费上'])
    // Money goes back only once the receipt is reversed.
    await finance.post(`${exam}/backPay`, { json: { payId: a.payId, reason: '误缴' } })
    const other = await tenant.staff('finance')
    const pays = (invoiceReversed: number) =>
      other.post(`${exam}/backPay`, { json: { payId: a.payId, approve: 1, voucherNo: 'TK1', invoiceReversed } })
    expect((await pays(0)).body).toMatchObject({ code: 2607, msg: '票据已开具，请先冲红并确认' })
    expect((await pays(1)).status).toBe(200)
  })
})
