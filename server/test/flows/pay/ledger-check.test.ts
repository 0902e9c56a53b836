import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { doWork } from '../../support/own-work.ts'
import { alarmsOf, beginPayments, emulatorOf, exam, noticesOf, openCode, type PayScene, payScene } from '../../support/pay.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())
beforeEach(() => beginPayments(t))

const paid = async (scene: PayScene) => {
  const payer = await scene.payer()
  const { orderNo, codeUrl } = await openCode(payer.person, payer.payId)
  const { emulator } = await emulatorOf(t)
  await emulator.payAsPerson(codeUrl)
  await emulator.runDue()
  return { ...payer, orderNo }
}
const check = (scene: PayScene) => doWork(t, 'pay.check-ledger', scene.tenant.tenantId)
/** As somebody could who reaches the table beside the program: lines of the ledger are never changed by it. */
const beside = async (statement: string, values: readonly unknown[]): Promise<void> => {
  await (await t.owner()).query(statement, [...values])
}

describe('the nightly check of the ledger (domain 13.3)', () => {
  test('payments, refunds and dues that nobody has paid agree with their lines', async () => {
    const scene = await payScene(t)
    await scene.payer()
    await paid(scene)
    const back = await paid(scene)
    await scene.finance.post(`${exam}/backPay`, { json: { payId: back.payId, reason: '误缴' } })
    await t.runTasks()
    expect(await check(scene)).toEqual({
      result: { zh: '核对应缴 3 笔，全部一致', en: '3 dues compared, all agree' },
      log: [{ zh: `机构 ${scene.tenant.tenantId}：3 笔一致`, en: `Tenant ${scene.tenant.tenantId}: 3 dues agree` }],
    })
    const byHand = await scene.finance.post('/blade-reconciliation/reconciliation/checkLedger', { json: {} })
    expect(byHand.body.data).toEqual({ dues: 3, broken: [] })
    expect(await alarmsOf(scene.tenant)).toEqual([])
  })

  test('a broken line, a paid order without one and a line of no due are named, and finance is told once', async () => {
    const scene = await payScene(t)
    const { tenantId } = scene.tenant
    const [short, bare] = [await paid(scene), await paid(scene)]
    await beside('update pay_ledger set amount_fen = 9000 where tenant_id = $1 and pay_id = $2', [tenantId, short.payId])
    await beside('update pay_ledger set pay_id = 1, order_id = 1 where tenant_id = $1 and pay_id = $2', [tenantId, bare.payId])
    const signNo = async (signupId: string) =>
      (await scene.tenant.rows(sql<{ no: string }>`select sign_no as no from signup where id = ${signupId}`))[0]?.no ?? ''
    const [{ evidence } = { evidence: '' }] = await scene.tenant.rows(
      sql<{ evidence: string }>`select evidence from pay_ledger where pay_id = 1`,
    )
    const { result, log } = await check(scene)
    expect(result).toEqual({
      zh: '核对应缴 2 笔，不一致 4 笔，详见日志',
      en: '2 dues compared, 4 do not agree; the log names them',
    })
    const first = `应缴 ${short.payId}（报名序号 ${await signNo(short.signupId)}）：已缴 100.00 元，账本合计 90.00 元；已退 0.00 元，账本合计 0.00 元`
    expect(log.map(line => (typeof line === 'string' ? line : line.zh))).toEqual([
      `机构 ${tenantId} ${first}`,
      `机构 ${tenantId} 应缴 ${bare.payId}（报名序号 ${await signNo(bare.signupId)}）：已缴 100.00 元，账本合计 0.00 元；已退 0.00 元，账本合计 0.00 元`,
      `机构 ${tenantId} 订单 ${bare.orderNo} 已收 100.00 元，账本没有记录`,
      `机构 ${tenantId} 账本记录 ${evidence}（100.00 元）找不到应缴`,
      '请财务查看支付告警并逐笔更正',
    ])
    expect(log[0]).toMatchObject({ en: expect.stringContaining(`Due ${short.payId}`) })
    const byHand = await scene.finance.post('/blade-reconciliation/reconciliation/checkLedger', { json: {} })
    expect([byHand.body.data.dues, byHand.body.data.broken.length, byHand.body.data.broken[0]]).toEqual([2, 4, first])
    expect(
      (await (await scene.tenant.staff('auditor')).post('/blade-reconciliation/reconciliation/checkLedger', { json: {} })).status,
    ).toBe(403)
    await check(scene)
    expect(await scene.tenant.rows(sql`select kind, detail from pay_alarm`)).toEqual([{ kind: 'ledgerBroken', detail: `${first} (+3)` }])
    expect(await noticesOf(scene.tenant, scene.finance.userId)).toEqual(['支付异常待处理'])
  })

  test('an organisation may have a job that checks its own ledger alone', async () => {
    const scene = await payScene(t)
    await paid(scene)
    const admin = await scene.tenant.staff('admin')
    const [server] = await scene.tenant.rows(sql<{ id: string }>`select id::text as id from job_server where job_server_url = ''`)
    const { id } = (
      await admin.post('/blade-job/job-info/submit', {
        json: {
          ...{ jobServerId: server?.id, jobName: '核对', enable: 0, timeExpressionType: 1, executeType: 1, processorType: 1 },
          ...{ processorInfo: 'pay.check-ledger', dispatchStrategy: 1 },
        },
      })
    ).body.data
    const run = (await admin.post('/blade-job/job-info/run', { query: { id } })).body.data.instanceId
    await t.app.modules.job.scheduler.settle()
    const seen = async (language: 'zh' | 'en') =>
      (await admin.get('/blade-job/job-instance/detail', { query: { id: run }, language })).body.data
    expect(await seen('zh')).toMatchObject({
      state: 5,
      result: '核对应缴 1 笔，全部一致',
      logs: [{ level: 2, text: expect.stringContaining('1 笔一致') }],
    })
    expect(await seen('en')).toMatchObject({
      result: '1 dues compared, all agree',
      logs: [{ text: expect.stringContaining('1 dues agree') }],
    })
  })
})
