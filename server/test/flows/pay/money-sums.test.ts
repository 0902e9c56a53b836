import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { type Person, startTestApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { makeDept } from '../../support/factories.ts'
import { beginPayments, emulatorOf, exam, openCode, type Payer, type PayScene, payScene } from '../../support/pay.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())
beforeEach(() => beginPayments(t))

const paid = async (scene: PayScene): Promise<Payer> => {
  const payer = await scene.payer()
  const { codeUrl } = await openCode(payer.person, payer.payId)
  const { emulator } = await emulatorOf(t)
  await emulator.payAsPerson(codeUrl)
  await emulator.runDue()
  return payer
}

const lists = {
  dues: '/blade-examPay/exampay/list',
  orders: '/blade-payOrder/payorder/list',
  refunds: '/blade-payRefund/payrefund/list',
} as const
/** How many there are, how many came, and what all of them come to. */
const sumsOf = async (reader: Person, list: keyof typeof lists, query: Record<string, string | number> = {}) => {
  const { body } = await reader.get(lists[list], { query })
  expect(body.msg).toBe('操作成功')
  return [body.data.total, body.data.records.length, body.data.sums]
}

/** Two who paid, one of whom has got a part back and one waits for it; one who owes, one whose due is void; of another department one who paid. */
const moneyScene = async () => {
  const scene = await payScene(t)
  const { tenant, finance } = scene
  const second = await tenant.staff('finance')
  const [gotBack, waits, owes, gone, elsewhere] = [
    await paid(scene),
    await paid(scene),
    await scene.payer(),
    await scene.payer(),
    await paid(scene),
  ]
  await openCode(gone.person, gone.payId)
  await tenant.db(db => t.app.modules.pay.voidDues(db, gone.signupId))
  const ask = (payId: string, amount: number) => finance.post(`${exam}/backPay`, { json: { payId, amount, reason: '其他' } })
  const decide = (payId: string, approve: 1 | 2) => second.post(`${exam}/backPay`, { json: { payId, approve } })
  await ask(gotBack.payId, 4_000)
  await decide(gotBack.payId, 1)
  await ask(waits.payId, 3_000)
  await ask(elsewhere.payId, 1_000)
  await decide(elsewhere.payId, 2)
  await t.runTasks()
  t.clock.advance(3_000)
  await (await emulatorOf(t)).emulator.runDue()
  return { tenant, finance, elsewhere, mine: [gotBack, waits, owes, gone] }
}

/** The dues and orders of these people are those of a department: of somebody who works in it. */
const belongTo = (tenant: TestTenant, owner: Person, payers: readonly Payer[]) =>
  tenant.db(async db => {
    const ids = payers.map(({ payId }) => payId)
    await db.run(sql`update exam_pay set created_by = ${owner.userId} where id = any(${ids}::bigint[])`)
    await db.run(sql`update pay_order set created_by = ${owner.userId} where pay_id = any(${ids}::bigint[])`)
  })

test('lists of money say what all rows of a search come to, of the own tenant and within the reader’s departments', async () => {
  const { tenant, finance, mine, elsewhere } = await moneyScene()
  const stranger = await payScene(t)
  await paid(stranger)

  expect(await sumsOf(finance, 'dues')).toEqual([5, 5, { amount: 40_000, paid: 30_000, refunded: 4_000 }])
  expect(await sumsOf(finance, 'orders')).toEqual([4, 4, { amount: 30_000, paid: 30_000 }])
  expect(await sumsOf(finance, 'refunds')).toEqual([3, 3, { amount: 7_000, refunded: 4_000 }])
  // One page of the search, and a search that leaves a part or nothing.
  expect(await sumsOf(finance, 'dues', { size: 2, current: 3 })).toEqual([5, 1, { amount: 40_000, paid: 30_000, refunded: 4_000 }])
  expect(await sumsOf(finance, 'dues', { state: 1 })).toEqual([1, 1, { amount: 10_000, paid: 0, refunded: 0 }])
  expect(await sumsOf(finance, 'dues', { state: 6 })).toEqual([1, 1, { amount: 0, paid: 0, refunded: 0 }])
  expect(await sumsOf(finance, 'dues', { name_equal: '没有' })).toEqual([0, 0, { amount: 0, paid: 0, refunded: 0 }])
  expect(await sumsOf(finance, 'refunds', { amount_ge: 4_000 })).toEqual([1, 1, { amount: 4_000, refunded: 4_000 }])
  expect(await sumsOf(stranger.finance, 'dues')).toEqual([1, 1, { amount: 10_000, paid: 10_000, refunded: 0 }])

  const [here, there] = [await makeDept(tenant, '本科室'), await makeDept(tenant, '外科室')]
  const clerk = await tenant.staff('finance', { deptId: here })
  await belongTo(tenant, clerk, mine)
  await belongTo(tenant, await tenant.staff('finance', { deptId: there }), [elsewhere])
  const keeper = await tenant.staff('secadmin')
  for (const resourceCode of ['exampay', 'payorder', 'payrefund']) {
    const made = await keeper.post('/blade-system/data-scope/submit', {
      json: { scopeName: `本部门 ${resourceCode}`, remark: '', resourceCode, scopeType: 3 },
    })
    await tenant.db(db =>
      db.run(sql`
        insert into role_data_scope (tenant_id, role_id, scope_id)
        select ${tenant.tenantId}, id, ${made.body.data.id} from role where role_alias = 'finance'`),
    )
  }
  await t.app.catchUp()
  expect(await sumsOf(clerk, 'dues')).toEqual([4, 4, { amount: 30_000, paid: 20_000, refunded: 4_000 }])
  expect(await sumsOf(clerk, 'orders')).toEqual([3, 3, { amount: 20_000, paid: 20_000 }])
  expect(await sumsOf(clerk, 'refunds')).toEqual([2, 2, { amount: 7_000, refunded: 4_000 }])
})
