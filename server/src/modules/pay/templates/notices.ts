import { alarmDetail, alarmLabel } from '#contract/pay/alarm.ts'
import { formatFen } from '#contract/pay/fee.ts'
import type { Notice } from '#modules/message/index.ts'

type Text = Pick<Notice, 'title' | 'content' | 'words'>

const words = (
  scene: NonNullable<Notice['words']>['scene'],
  exam: string,
  amountFen: number,
  more: Readonly<Record<string, string>> = {},
) => ({
  scene,
  params: { exam, amount: formatFen(amountFen), ...more },
})

/** What candidates are told about their money (domain 13.5): no id numbers, the amount always. */
export const payTexts = {
  due: (exam: string, amountFen: number, deadline: string): Text => ({
    title: { zh: '请缴费', en: 'Please pay' },
    content: {
      zh: `${exam}：请于 ${deadline} 前缴费 ${formatFen(amountFen)} 元`,
      en: `${exam}: please pay ${formatFen(amountFen)} yuan before ${deadline}`,
    },
  }),
  receiptIssued: (exam: string, receiptNo: string): Text => ({
    title: { zh: '财政电子票据已开具', en: 'Your fiscal e-receipt has come' },
    content: {
      zh: `${exam}：财政电子票据（${receiptNo}）已开具，可在缴费凭证中查看`,
      en: `${exam}: the fiscal e-receipt ${receiptNo} was made out; you find it with your payment`,
    },
  }),
  payEnds: (exam: string, amountFen: number, deadline: string): Text => ({
    title: { zh: '缴费即将截止', en: 'Payment ends soon' },
    words: words('pay-ends', exam, amountFen, { deadline }),
    content: {
      zh: `${exam}：缴费将于 ${deadline} 截止，应缴 ${formatFen(amountFen)} 元；逾期未缴费视为自动放弃`,
      en: `${exam}: payment of ${formatFen(amountFen)} yuan ends at ${deadline}; without it the sign-up counts as given up`,
    },
  }),
  /** @param isOpenAgain - it had lapsed */
  dueMoved: (exam: string, amountFen: number, deadline: string, isOpenAgain: boolean): Text => ({
    title: isOpenAgain
      ? { zh: '可以继续缴费', en: 'You can pay again' }
      : { zh: '缴费截止时间有调整', en: 'The end of payment has changed' },
    content: {
      zh: `${exam}：缴费截止时间调整为 ${deadline}${isOpenAgain ? '，您逾期未缴的费用已重新开放' : ''}，请在此之前缴费 ${formatFen(amountFen)} 元`,
      en: `${exam}: payment now ends at ${deadline}${isOpenAgain ? '; your overdue fee is open again' : ''}. Please pay ${formatFen(amountFen)} yuan before then`,
    },
  }),
  payReceived: (exam: string, amountFen: number): Text => ({
    title: { zh: '缴费成功', en: 'Payment received' },
    words: words('paid', exam, amountFen),
    content: { zh: `${exam}：缴费成功 ${formatFen(amountFen)} 元`, en: `${exam}: ${formatFen(amountFen)} yuan received` },
  }),
  /** An import that had entered the payment was undone. */
  payUndone: (exam: string, amountFen: number): Text => ({
    title: { zh: '缴费登记已撤销', en: 'A recorded payment was taken back' },
    content: {
      zh: `${exam}：此前登记的缴费 ${formatFen(amountFen)} 元有误，已撤销；如已缴费请联系招考单位`,
      en: `${exam}: the ${formatFen(amountFen)} yuan recorded for you were a mistake and were taken back; if you have paid, please call the office`,
    },
  }),
  dueVoided: (exam: string, fee: string, amountFen: number): Text => ({
    title: { zh: '缴费已取消', en: 'A fee was cancelled' },
    content: {
      zh: `${exam}：“${fee}” ${formatFen(amountFen)} 元已作废，无需缴纳`,
      en: `${exam}: "${fee}" of ${formatFen(amountFen)} yuan was cancelled; you need not pay it`,
    },
  }),
  waiverGranted: (exam: string, percent: number): Text => ({
    title: { zh: '费用减免申请已同意', en: 'Your fee is let off' },
    content: {
      zh: `${exam}：已同意减免 ${percent}% 的费用${percent === 100 ? '，无需缴费' : ''}；已缴的部分将退回`,
      en: `${exam}: ${percent}% of the fee are let off${percent === 100 ? ' and nothing is to be paid' : ''}; what was paid of it goes back`,
    },
  }),
  waiverRefused: (exam: string, why: string): Text => ({
    title: { zh: '费用减免申请未同意', en: 'Your request to be let off the fee is refused' },
    content: {
      zh: `${exam}：费用减免申请未获同意，原因：${why}。请在缴费截止前缴费`,
      en: `${exam}: the request was refused because: ${why}. Please pay before payments end`,
    },
  }),
  payLateRefund: (exam: string, amountFen: number): Text => ({
    title: { zh: '逾期支付，将自动退费', en: 'Paid too late; the money goes back' },
    content: {
      zh: `${exam}：您的 ${formatFen(amountFen)} 元在缴费截止后到账，将原路退回`,
      en: `${exam}: your ${formatFen(amountFen)} yuan came after the deadline and will be refunded the way they came`,
    },
  }),
  payDuplicateRefund: (exam: string, amountFen: number): Text => ({
    title: { zh: '重复支付，将自动退费', en: 'Paid twice; the money goes back' },
    content: {
      zh: `${exam}：您已缴过费，重复支付的 ${formatFen(amountFen)} 元将原路退回`,
      en: `${exam}: you had paid already; the second ${formatFen(amountFen)} yuan will be refunded the way they came`,
    },
  }),
  payNotOwedRefund: (exam: string, amountFen: number): Text => ({
    title: { zh: '无需缴费，将自动退费', en: 'Nothing was owed; the money goes back' },
    content: {
      zh: `${exam}：该费用已无需缴纳，${formatFen(amountFen)} 元将原路退回`,
      en: `${exam}: nothing was owed any more; ${formatFen(amountFen)} yuan will be refunded the way they came`,
    },
  }),
  payUnderReview: (exam: string, amountFen: number): Text => ({
    title: { zh: '款项核对中', en: 'Your payment is being checked' },
    content: {
      zh: `${exam}：收到您的 ${formatFen(amountFen)} 元，财务正在核对`,
      en: `${exam}: your ${formatFen(amountFen)} yuan arrived and are being checked by finance`,
    },
  }),
  payRefundedOutside: (exam: string, amountFen: number): Text => ({
    title: { zh: '支付已被退回，未计入缴费', en: 'Your payment went back and does not count' },
    content: {
      zh: `${exam}：您支付的 ${formatFen(amountFen)} 元已在支付平台退费，未计入缴费；如仍需参加，请重新缴费或联系财务`,
      en: `${exam}: the ${formatFen(amountFen)} yuan you paid went back at the provider and do not count; pay again to take part, or ask finance`,
    },
  }),
  /** @param isOwn - whoever reads it has asked, and may take it back */
  refundRequested: (exam: string, amountFen: number, isOwn: boolean): Text => ({
    title: { zh: '退费申请已提交', en: 'Refund requested' },
    words: words('refund-asked', exam, amountFen),
    content: {
      zh: `${exam}：退费申请 ${formatFen(amountFen)} 元已提交，等待审批。全额退费批准后考试名额不再保留${isOwn ? '；审批前可在“我的缴费”撤回申请' : '；如有疑问请联系考务'}`,
      en: `${exam}: a refund of ${formatFen(amountFen)} yuan was requested and waits for approval. With the whole fee the place is lost${isOwn ? '; until it is approved the request can be taken back under My payments' : '; contact the examination office with questions'}`,
    },
  }),
  refundTakenBack: (exam: string, amountFen: number): Text => ({
    title: { zh: '退费申请已撤回', en: 'Refund request taken back' },
    content: {
      zh: `${exam}：${formatFen(amountFen)} 元的退费申请已撤回，报名和缴费继续有效`,
      en: `${exam}: the request for ${formatFen(amountFen)} yuan was taken back; sign-up and payment stay valid`,
    },
  }),
  refundFitted: (exam: string, fromFen: number, toFen: number): Text => ({
    title: toFen > 0 ? { zh: '退费金额已调整', en: 'Refund amount adjusted' } : { zh: '退费申请已结束', en: 'Refund request ended' },
    content:
      toFen > 0
        ? {
            zh: `${exam}：因已有其他款项退回，${formatFen(fromFen)} 元的退费调整为 ${formatFen(toFen)} 元`,
            en: `${exam}: other money goes back already, so the refund of ${formatFen(fromFen)} yuan becomes ${formatFen(toFen)} yuan`,
          }
        : {
            zh: `${exam}：款项已另行退回，${formatFen(fromFen)} 元的退费申请无需再办理，已结束`,
            en: `${exam}: the money goes back another way, so the request for ${formatFen(fromFen)} yuan is over`,
          },
  }),
  refundRejected: (exam: string, amountFen: number, remark: string): Text => ({
    title: { zh: '退费申请未通过', en: 'Refund refused' },
    words: words('refund-refused', exam, amountFen, { reason: remark }),
    content: {
      zh: `${exam}：退费申请 ${formatFen(amountFen)} 元未通过审批${remark && `：${remark}`}`,
      en: `${exam}: the refund of ${formatFen(amountFen)} yuan was not approved${remark && `: ${remark}`}`,
    },
  }),
  refundDone: (exam: string, amountFen: number): Text => ({
    title: { zh: '退费完成', en: 'Refunded' },
    words: words('refund-done', exam, amountFen),
    content: {
      zh: `${exam}：已退费 ${formatFen(amountFen)} 元，原路退回`,
      en: `${exam}: ${formatFen(amountFen)} yuan went back the way they came`,
    },
  }),
  refundPaidOut: (exam: string, amountFen: number): Text => ({
    title: { zh: '退费完成', en: 'Refunded' },
    words: words('refund-done', exam, amountFen),
    content: {
      zh: `${exam}：已退费 ${formatFen(amountFen)} 元，由财务转账退回`,
      en: `${exam}: finance has transferred ${formatFen(amountFen)} yuan back`,
    },
  }),
  refundDelayed: (exam: string, amountFen: number): Text => ({
    title: { zh: '退费受阻，财务处理中', en: 'Refund delayed' },
    words: words('refund-stuck', exam, amountFen),
    content: {
      zh: `${exam}：退费 ${formatFen(amountFen)} 元未能原路退回，财务将与您联系`,
      en: `${exam}: ${formatFen(amountFen)} yuan could not go back the way they came; finance will contact you`,
    },
  }),
} as const

/** A notice holds 500 characters, its heading among them. */
const maxDetail = 400

/** What finance is told when a person has to look (domain 13.5). */
export const alarmText = (kind: string, detail: string): Text => {
  const { zh, en } = alarmLabel(kind)
  const shown = alarmDetail(kind, detail.slice(0, maxDetail))
  return {
    title: { zh: '支付异常待处理', en: 'A payment needs attention' },
    content: { zh: `${zh}：${shown.zh}`, en: `${en}: ${shown.en}` },
  }
}
