import type { Label } from '#contract/kernel/label.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import { formatFen } from '#contract/pay/fee.ts'
import { type OrderState, orderMachine, type RefundState, refundMachine } from '#contract/pay/order.state.ts'

/** What of a difference its explanation is made of. */
export interface Explained {
  readonly subject: string
  readonly kind: number
  readonly transactionId: string
  readonly ourFen: number | null
  readonly billFen: number | null
  readonly ourState: string
  readonly billState: string
  readonly ourTime: Date | null
  readonly billTime: Date | null
  readonly closedTime: Date | null
}

const at = (time: Date | null): string => (time === null ? '' : toWireTime(time))
const yuan = (fen: number | null): string => formatFen(fen ?? 0)
const orderWord = (state: string): Label => orderMachine.label[state as OrderState] ?? { zh: state, en: state }
const refundWord = (state: string): Label => refundMachine.label[state as RefundState] ?? { zh: state, en: state }

const onlyOurs = (of: Explained): Label =>
  of.subject === 'refund'
    ? {
        zh: `本地 ${at(of.ourTime)} 记为已退费 ${yuan(of.ourFen)} 元，当日账单没有此退费`,
        en: `Refunded ${yuan(of.ourFen)} yuan at ${at(of.ourTime)} by our book; the bill of the day has no such refund`,
      }
    : {
        zh: `本地 ${at(of.ourTime)} 记为已收 ${yuan(of.ourFen)} 元，当日账单没有此笔`,
        en: `Paid ${yuan(of.ourFen)} yuan at ${at(of.ourTime)} by our book; the bill of the day has no such payment`,
      }

const onlyTheirs = (of: Explained): Label => {
  const when = at(of.billTime)
  if (of.subject === 'refund')
    return {
      zh: `支付平台 ${when} 退费 ${yuan(of.billFen)} 元，本地没有此退费，可能在商户平台操作`,
      en: `The provider refunded ${yuan(of.billFen)} yuan at ${when}; we know of no such refund, it may have been made in the merchant console`,
    }
  if (of.ourState === '')
    return {
      zh: `支付平台 ${when} 收款 ${yuan(of.billFen)} 元，本地没有此订单号`,
      en: `The provider took ${yuan(of.billFen)} yuan at ${when} for an order that we do not have`,
    }
  if (of.closedTime !== null)
    return {
      zh: `此笔 ${when} 支付，本地 ${at(of.closedTime)} 已关闭订单，支付通知未到`,
      en: `Paid at ${when}; we closed the order at ${at(of.closedTime)} and heard nothing of the payment`,
    }
  const { zh, en } = orderWord(of.ourState)
  if (of.ourTime !== null)
    return {
      zh: `支付平台 ${when} 又收款 ${yuan(of.billFen)} 元（${of.transactionId}），本地订单${zh}，记录的是另一笔支付`,
      en: `The provider took another ${yuan(of.billFen)} yuan at ${when} (${of.transactionId}); our order is "${en}" by another payment`,
    }
  return {
    zh: `此笔 ${when} 支付，本地订单仍为“${zh}”，支付通知未到`,
    en: `Paid at ${when}; our order is still "${en}" because the notice has not come`,
  }
}

const otherState = (of: Explained): Label => {
  const { zh, en } = of.subject === 'refund' ? refundWord(of.ourState) : orderWord(of.ourState)
  return {
    zh: `账单状态 ${of.billState}（${at(of.billTime)}），本地为“${zh}”${of.ourTime === null ? '' : `（${at(of.ourTime)}）`}`,
    en: `${of.billState} in the bill (${at(of.billTime)}), "${en}" here${of.ourTime === null ? '' : ` (${at(of.ourTime)})`}`,
  }
}

/** Why there is this difference, in a sentence that finance needs no second look for. */
export const explainDifference = (of: Explained): Label => {
  if (of.subject === 'fund')
    return {
      zh: `交易账单净额 ${yuan(of.ourFen)} 元，资金账单净入账 ${yuan(of.billFen)} 元，请核对结算与手续费`,
      en: `The day's trade comes to ${yuan(of.ourFen)} yuan, the account took in ${yuan(of.billFen)}; look at settlement and fees`,
    }
  if (of.kind === 1) return onlyOurs(of)
  if (of.kind === 2) return onlyTheirs(of)
  if (of.kind === 4) return otherState(of)
  return {
    zh: `账单 ${yuan(of.billFen)} 元，本地 ${yuan(of.ourFen)} 元，相差 ${formatFen((of.billFen ?? 0) - (of.ourFen ?? 0))} 元`,
    en: `${yuan(of.billFen)} yuan in the bill, ${yuan(of.ourFen)} here, a difference of ${formatFen((of.billFen ?? 0) - (of.ourFen ?? 0))}`,
  }
}
