import { fromWireTime, toWireTime } from '#contract/kernel/when.ts'
import { channelLabels } from '#contract/pay/channel.ts'
import { formatFen } from '#contract/pay/fee.ts'
import type { Processor } from '#kernel/queue/processor.ts'
import { eachTenant } from '#modules/tenancy/index.ts'
import { asTenant } from '../commands/close-order.ts'
import { reconcileDay, remindOfDifferences } from '../commands/reconcile.ts'
import { countOverdue, hasPayments, listOtherChannels, listReadDays } from '../data/bill.repo.ts'
import type { PayKit } from '../deps.ts'
import type { Merchant } from '../providers/accounts.ts'

/** Yesterday's bill is ready after 10:00; it is read from half an hour later on (domain 8.6). */
const billReadyMs = (10 * 60 + 30) * 60_000
const dayMs = 24 * 60 * 60_000
/** Days that were missed, as while the server stood still, are read later. */
const billDays = 7
/** The days whose bills are ready, with their ends, the latest first. */
const billedDays = (now: Date): readonly { readonly date: string; readonly end: Date }[] => {
  const today = toWireTime(new Date(now.getTime() - billReadyMs)).slice(0, 10)
  const midnight = fromWireTime(`${today} 00:00:00`)
  if (!midnight) throw new Error(`no day: ${today}`)
  return Array.from({ length: billDays }, (_, back) => {
    const end = new Date(midnight.getTime() - back * dayMs)
    return { date: toWireTime(new Date(end.getTime() - 1)).slice(0, 10), end }
  })
}

/** Days whose bill is ready and was not read yet, and until which something was paid; the latest first. */
const unreadDays = async (kit: PayKit, tenantId: string, merchant: Merchant, now: Date): Promise<readonly string[]> => {
  const days = billedDays(now)
  const open = await asTenant(kit, tenantId, async db => {
    const read = await listReadDays(
      db,
      merchant,
      days.map(day => day.date),
    )
    const unread: { readonly date: string; readonly end: Date; readonly isPaid: boolean }[] = []
    for (const day of days) if (!read.has(day.date)) unread.push({ ...day, isPaid: await hasPayments(db, merchant.mchid, day.end) })
    return unread
  })
  const dates: string[] = []
  for (const { date, end, isPaid } of open) if (isPaid || (await kit.deps.message.hasRecharges(merchant.mchid, end))) dates.push(date)
  return dates
}

/** Whose bills a tenant has: a provider that nobody has paid through has none, and is not asked whether it knows the tenant. */
const merchantsOf = async (kit: PayKit, tenantId: string): Promise<readonly Merchant[]> => {
  const others = await asTenant(kit, tenantId, listOtherChannels)
  const all = await Promise.all((['wechat', ...others] as const).map(channel => kit.providers.of(tenantId, channel)))
  return all.filter(merchant => merchant !== undefined)
}

/** Reconciliation: each day's bill of the provider against what is known here. */
export const billsProcessor = (kit: PayKit): Processor => ({
  name: 'pay.bills',
  label: { zh: '每日对账', en: 'Reconcile each day' },
  help: {
    zh: '读取支付平台前一日的对账单，与订单、退费逐笔核对，差异转为支付告警；未出账单的日期每小时重试，漏掉的七日之内补对',
    en: 'Reads the provider’s bill of the day before and compares it with orders and refunds one by one; what differs becomes a payment alarm. A bill that is not there yet is asked for each hour, missed days within a week are read later',
  },
  scope: 'platform',
  own: { cron: '0 30 10-23 * * ?', mayPause: false },
  run: async call => {
    const { scopes } = kit.services
    let [read, found, open] = [0, 0, 0]
    const tenants = await eachTenant(scopes, call, async tenantId => {
      const days: { readonly merchant: Merchant; readonly date: string }[] = []
      for (const merchant of await merchantsOf(kit, tenantId))
        for (const date of await unreadDays(kit, tenantId, merchant, call.now)) days.push({ merchant, date })
      for (const { merchant, date } of days) {
        const done = await reconcileDay(kit, tenantId, merchant, date)
        if (done.kind === 'read') {
          read += 1
          found += done.found
          call.log(done.found > 0 ? 3 : 2, {
            zh: `机构 ${tenantId} ${channelLabels[merchant.channel].zh} ${date}：核对 ${done.rows} 笔，收款 ${formatFen(done.amountFen)} 元，退费 ${formatFen(done.refundFen)} 元，差异 ${done.found} 笔`,
            en: `Tenant ${tenantId}, ${channelLabels[merchant.channel].en} ${date}: ${done.rows} lines, ${formatFen(done.amountFen)} yuan received, ${formatFen(done.refundFen)} given back, ${done.found} differ`,
          })
        } else {
          open += 1
          call.log(3, {
            zh: `机构 ${tenantId} ${channelLabels[merchant.channel].zh} ${date}：${done.kind === 'notReady' ? '对账单未出或支付平台无应答，稍后重试' : '对账单无法读取，已告警'}`,
            en: `Tenant ${tenantId}, ${channelLabels[merchant.channel].en} ${date}: ${done.kind === 'notReady' ? 'no bill yet, or no answer; it is asked for again' : 'the bill cannot be read, an alarm was raised'}`,
          })
        }
      }
      await asTenant(kit, tenantId, async db => remindOfDifferences(kit, db, await countOverdue(db)))
    })
    return {
      zh: `${tenants} 个机构，读取对账单 ${read} 份，差异 ${found} 笔，未能读取 ${open} 份`,
      en: `${tenants} tenants, ${read} bills read, ${found} lines differ, ${open} bills not read`,
    }
  },
})
