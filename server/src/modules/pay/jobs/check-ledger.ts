import type { Processor } from '#kernel/queue/processor.ts'
import { eachTenant } from '#modules/tenancy/index.ts'
import { brokenText, checkLedger } from '../commands/check-ledger.ts'
import { asTenant } from '../commands/close-order.ts'
import type { PayKit } from '../deps.ts'

/** The nightly check of the ledger; an organisation may have a job of its own that checks its ledger alone. */
export const checkLedgerProcessor = (kit: PayKit): Processor => ({
  name: 'pay.check-ledger',
  label: { zh: '核对账本', en: 'Check the ledger' },
  help: {
    zh: '逐笔核对应缴的已缴、已退金额与账本合计，不一致的写入执行日志并通知财务',
    en: 'Compares what each due counts as paid and given back with the sums of its lines; what differs is named in the log and told to finance',
  },
  scope: 'tenant',
  own: { cron: '0 0 2 * * ?', mayPause: false },
  run: async call => {
    let [dues, broken] = [0, 0]
    await eachTenant(kit.services.scopes, call, async tenantId => {
      const found = await asTenant(kit, tenantId, db => checkLedger(kit, db))
      dues += found.dues
      broken += found.broken.length
      for (const one of found.broken) {
        const { zh, en } = brokenText(one)
        call.log(4, { zh: `机构 ${tenantId} ${zh}`, en: `Tenant ${tenantId}: ${en}` })
      }
      if (found.dues > 0 && found.broken.length === 0)
        call.log(2, { zh: `机构 ${tenantId}：${found.dues} 笔一致`, en: `Tenant ${tenantId}: ${found.dues} dues agree` })
    })
    if (broken > 0) call.log(3, { zh: '请财务查看支付告警并逐笔更正', en: 'Finance has to look at the payment alarms and set each right' })
    return broken === 0
      ? { zh: `核对应缴 ${dues} 笔，全部一致`, en: `${dues} dues compared, all agree` }
      : {
          zh: `核对应缴 ${dues} 笔，不一致 ${broken} 笔，详见日志`,
          en: `${dues} dues compared, ${broken} do not agree; the log names them`,
        }
  },
})
