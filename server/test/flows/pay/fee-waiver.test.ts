import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { beginPayments, emulatorOf, moneyOf, noticesOf, openCode, type Payer, type PayScene, payScene, runTask } from '../../support/pay.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())
beforeEach(() => beginPayments(t))

const calls = '/blade-feeWaiver/feewaiver'
const image = readFileSync(new URL('../../../seed/data/portraits/p01-white.jpg', import.meta.url))
const proof = { part: 'proof', name: '残疾人证.jpg', bytes: image }
const scenery = () => payScene(t, { exam: { fee_waiver: 1 } })
const ask = (scene: PayScene, { person }: Payer, fields: object = {}, files = [proof]) =>
  person.post(`${calls}/ask`, {
    multipart: { fields: { examId: scene.built.examId, kind: 'disability', reason: '肢体残疾二级，无收入', ...fields }, files },
  })
const mine = async ({ person }: Payer) => (await person.get(`${calls}/mine`)).body.data
const list = async (scene: PayScene) =>
  (await scene.finance.get(`${calls}/list`, { query: { examId: scene.built.examId } })).body.data.records
const decide = (scene: PayScene, id: string, json: object) => scene.finance.post(`${calls}/decide`, { json: { id, ...json } })
/** How many requests wait on finance's first page. */
const waiting = async (scene: PayScene): Promise<number | undefined> =>
  (await scene.finance.get('/me/home')).body.data.todos.find((one: { key: string }) => one.key === 'waivers')?.count
const granted = async (scene: PayScene, payer: Payer, percent: number) => {
  const { body } = await ask(scene, payer)
  const decision = { outcome: 1, percent }
  const first = await decide(scene, body.data.id, decision)
  // What was paid goes back by the word of two.
  const colleague = first.body.data.waiting === undefined ? undefined : await scene.tenant.staff('finance')
  const answer = colleague ? await colleague.post(`${calls}/decide`, { json: { id: body.data.id, ...decision } }) : first
  expect(answer.body).toMatchObject({ code: 200, data: { state: 1 } })
}
const payStateOf = async (scene: PayScene, { signupId }: Payer) =>
  (await scene.tenant.rows(sql<{ state: string }>`select pay_state as state from signup where id = ${signupId}`))[0]?.state

test('[A11] asked with a proof, seen by finance, let off as a whole: the open order ends, nothing is due, nothing falls due again', async () => {
  const scene = await scenery()
  const payer = await scene.payer()
  const { orderNo, codeUrl } = await openCode(payer.person, payer.payId)
  expect(await mine(payer)).toMatchObject([{ examId: scene.built.examId, mayAsk: true, until: expect.any(String), asked: null }])
  expect((await ask(scene, payer, {}, [])).body.data.fields).toEqual([{ field: 'proof', msg: '请上传证明材料' }])
  expect((await ask(scene, payer, { kind: 'charm' })).status).toBe(400)
  expect((await ask(scene, payer)).body.data).toMatchObject({ state: 0 })
  expect((await ask(scene, payer)).body).toMatchObject({ code: 2201, reason: 'pay/waiver-asked' })
  expect(await noticesOf(scene.tenant, scene.finance.userId)).toEqual(['费用减免申请待审核'])

  expect(await waiting(scene)).toBe(1)
  const [row] = await list(scene)
  expect(row).toMatchObject({
    kind: 'disability',
    reason: '肢体残疾二级，无收入',
    state: 0,
    dueAmount: 10_000,
    paidAmount: 0,
    percent: null,
  })
  expect((await scene.finance.get(row.proof)).headers['content-type']).toBe('image/jpeg')
  expect((await decide(scene, row.id, { outcome: 1 })).body.data.fields).toMatchObject([{ field: 'percent' }])
  expect((await decide(scene, row.id, { outcome: 2 })).body.data.fields).toMatchObject([{ field: 'remark' }])
  expect((await decide(scene, row.id, { outcome: 1, percent: 100 })).body.data).toEqual({ id: row.id, state: 1 })
  expect((await decide(scene, row.id, { outcome: 2, remark: '改' })).body).toMatchObject({ code: 2201, reason: 'pay/waiver-decided' })
  expect(await waiting(scene)).toBe(0)

  expect(await moneyOf(scene.tenant, payer.payId)).toEqual({
    due: { state: 'exempt', paid: 0, refunded: 0, payState: 'none' },
    orders: [{ orderNo, state: 'closed', exception: null, notices: 0 }],
    ledger: [],
    refunds: [],
  })
  expect((await (await emulatorOf(t)).emulator.payAsPerson(codeUrl)).ok).toBe(false)
  await scene.tenant.db(db => t.app.modules.pay.openDues(db, payer.signupId))
  expect(await scene.tenant.rows(sql`select state from exam_pay where signup_id = ${payer.signupId}`)).toEqual([{ state: 'exempt' }])
  expect((await noticesOf(scene.tenant, payer.person.userId)).at(-1)).toBe('费用减免申请已同意')
  expect(await mine(payer)).toMatchObject([{ mayAsk: false, asked: { state: 1, percent: 100 } }])
  expect(
    await scene.tenant.rows(sql`select action from audit_log where action like 'feewaiver.%' or action = 'exampay.waived' order by id`),
  ).toEqual(['feewaiver.asked', 'feewaiver.read', 'feewaiver.decided', 'exampay.waived'].map(action => ({ action })))
})

test('[A11] half of it: what is open becomes half and is paid as such; asked for before the fee falls due it falls due as half', async () => {
  const scene = await scenery()
  const { emulator } = await emulatorOf(t)
  const payer = await scene.payer()
  await granted(scene, payer, 50)
  await scene.tenant.db(db => t.app.modules.pay.openDues(db, payer.signupId))
  const { codeUrl } = await openCode(payer.person, payer.payId)
  await emulator.payAsPerson(codeUrl)
  await emulator.runDue()
  expect(await moneyOf(scene.tenant, payer.payId)).toMatchObject({
    due: { state: 'paid', paid: 5_000, payState: 'paid' },
    ledger: [{ kind: 'pay', fen: 5_000 }],
  })
  const early = await scene.payer()
  await scene.tenant.rows(sql`delete from exam_pay where id = ${early.payId}`)
  await granted(scene, early, 50)
  expect(await scene.tenant.db(db => t.app.modules.pay.openDues(db, early.signupId))).toBe('due')
  expect(await scene.tenant.rows(sql`select amount_fen as fen, state from exam_pay where signup_id = ${early.signupId}`)).toEqual([
    { fen: 5_000, state: 'due' },
  ])
})

test.each([
  [100, 'refunded', 10_000, 'none'],
  [50, 'paid', 5_000, 'paid'],
] as const)('[A11] paid already, %i percent go back by the provider, and the place is kept', async (percent, state, back, payState) => {
  const scene = await scenery()
  const { emulator } = await emulatorOf(t)
  const payer = await scene.payer()
  await emulator.payAsPerson((await openCode(payer.person, payer.payId)).codeUrl)
  await emulator.runDue()
  await granted(scene, payer, percent)
  const [refund] = await scene.tenant.rows(sql<{ id: string }>`select id::text as id from pay_refund`)
  await runTask(t, 'pay.refund', { tenantId: scene.tenant.tenantId, refundId: refund?.id })
  expect(await payStateOf(scene, payer)).toBe(payState)
  t.clock.advance(3_000)
  await emulator.runDue()
  expect(await moneyOf(scene.tenant, payer.payId)).toMatchObject({
    due: { state, paid: 10_000, refunded: back, payState },
    refunds: [{ state: 'succeeded', reason: 'waived', fen: back }],
  })
  expect(await scene.tenant.rows(sql`select 1 from refund_waiting where signup_id = ${payer.signupId}`)).toEqual([])
})

test('[A11] refused with its reason and asked again; taken back; not after the end, not where it is not taken, not by strangers', async () => {
  const scene = await scenery()
  const other = await payScene(t)
  const payer = await scene.payer()
  const { id } = (await ask(scene, payer)).body.data
  const stranger = await other.tenant.staff('finance')
  expect((await stranger.post(`${calls}/decide`, { json: { id, outcome: 1, percent: 100 } })).status).toBe(404)
  const officer = await scene.tenant.staff('exam_admin')
  expect((await officer.post(`${calls}/decide`, { json: { id, outcome: 1, percent: 100 } })).status).toBe(403)
  expect((await decide(scene, id, { outcome: 2, remark: '证明已过期' })).body.data).toEqual({ id, state: 2 })
  expect(await mine(payer)).toMatchObject([{ mayAsk: true, asked: { state: 2, remark: '证明已过期' } }])
  // The proof that was sent is kept.
  expect((await ask(scene, payer, { kind: 'allowance' }, [])).body.data).toEqual({ id, state: 0 })
  expect((await payer.person.post(`${calls}/withdraw`, { json: { examId: scene.built.examId } })).body.data).toEqual({ id, state: 3 })
  expect((await moneyOf(scene.tenant, payer.payId)).due).toMatchObject({ state: 'due', paid: 0 })
  const elsewhere = await other.payer()
  expect(await mine(elsewhere)).toEqual([])
  expect((await ask(other, elsewhere)).status).toBe(404)
  t.clock.set('2026-03-23T00:00:00+08:00')
  expect((await ask(scene, payer)).body).toMatchObject({ code: 2602, reason: 'pay/waiver-closed' })
})

test('[two persons: waiverRefund] a request that was taken back and asked again on other grounds is another one: what was begun is over', async () => {
  const scene = await scenery()
  const { emulator } = await emulatorOf(t)
  const payer = await scene.payer()
  await emulator.payAsPerson((await openCode(payer.person, payer.payId)).codeUrl)
  await emulator.runDue()
  const { id } = (await ask(scene, payer)).body.data
  const colleague = await scene.tenant.staff('finance')
  const second = (json: object) => colleague.post(`${calls}/decide`, { json: { id, ...json } })
  const refunds = () => scene.tenant.rows(sql<{ fen: number }>`select amount_fen as fen from pay_refund`)
  const whole = { outcome: 1, percent: 100 }
  await decide(scene, id, whole)
  await payer.person.post(`${calls}/withdraw`, { json: { examId: scene.built.examId } })
  expect(
    (await ask(scene, payer, { kind: 'allowance', reason: '另一个理由，另一份证明' }, [{ ...proof, name: '另一证明.jpg' }])).body.data,
  ).toEqual({
    id,
    state: 0,
  })
  expect((await second(whole)).body.data).toMatchObject({ state: 0, waiting: expect.stringContaining('另一人') })
  expect(await refunds()).toEqual([])
  expect(await scene.tenant.rows(sql`select state, end_reason as why, began_by::text as by from two_person_act order by id`)).toEqual([
    { state: 'ended', why: 'what it was begun on has changed', by: scene.finance.userId },
    { state: 'begun', why: null, by: colleague.userId },
  ])
  expect((await decide(scene, id, whole)).body.data).toEqual({ id, state: 1 })
  expect(await refunds()).toEqual([{ fen: 10_000 }])
})

test('[two persons: waiverRefund] nobody of finance alone lets a paid fee off: nothing goes back before another person decides the same', async () => {
  const scene = await scenery()
  const { emulator } = await emulatorOf(t)
  const payer = await scene.payer()
  await emulator.payAsPerson((await openCode(payer.person, payer.payId)).codeUrl)
  await emulator.runDue()
  const { id } = (await ask(scene, payer)).body.data
  const colleague = await scene.tenant.staff('finance')
  const refunds = () => scene.tenant.rows(sql<{ fen: number }>`select amount_fen as fen from pay_refund`)
  const whole = { outcome: 1, percent: 100 }
  expect((await decide(scene, id, whole)).body.data).toMatchObject({ state: 0, waiting: expect.stringContaining('另一人') })
  expect((await decide(scene, id, whole)).body.reason).toBe('kernel/two-persons-own')
  expect((await colleague.post(`${calls}/decide`, { json: { id, outcome: 1, percent: 50 } })).body.reason).toBe('kernel/two-persons-other')
  expect(await refunds()).toEqual([])
  expect((await colleague.post(`${calls}/decide`, { json: { id, ...whole } })).body.data).toEqual({ id, state: 1 })
  expect(await refunds()).toEqual([{ fen: 10_000 }])
})
