import { defineErrors, refuserOf } from '../kernel/refusal.ts'

/** Refusals about money (domain 13.2, 26xx; HTTP by decision 3.3). */
export const payErrors = defineErrors({
  'pay/not-payable': { code: 2601, status: 409, zh: '该费用无需支付或已支付', en: 'Nothing is owed here any more' },
  'pay/outside-window': { code: 2602, status: 409, zh: '不在缴费时间', en: 'Payments are not taken at this time' },
  'pay/gateway-busy': {
    code: 2603,
    status: 429,
    zh: '支付通道繁忙，请稍后重试',
    en: 'The payment provider is busy; please try again shortly',
  },
  'pay/order-paid': { code: 2604, status: 409, zh: '订单已支付，不能关闭', en: 'The order has been paid and cannot be closed' },
  'pay/amount-differs': {
    code: 2605,
    status: 422,
    zh: '金额不一致，应缴 {amount} 元',
    en: 'The amount differs; {amount} yuan are due',
  },
  'pay/posting-differs': {
    code: 2605,
    status: 422,
    zh: '与首次登记的内容不一致，请核对',
    en: 'This differs from what the first person entered; please check',
  },
  'pay/paid-in-batch': { code: 2606, status: 409, zh: '批次内有已缴记录，不能作废', en: 'A row has been paid and cannot be voided' },
  'pay/exceeds-refundable': { code: 2607, status: 409, zh: '退费超过可退金额', en: 'This is more than can be refunded' },
  'pay/approver-is-applicant': {
    code: 2608,
    status: 409,
    zh: '退费审批人不能是申请人',
    en: 'Whoever applied for the refund cannot approve it',
  },
  'pay/not-refundable': { code: 2607, status: 409, zh: '没有可退的款项', en: 'There is no money that could be refunded' },
  'pay/refund-not-allowed': {
    code: 2607,
    status: 409,
    zh: '本次考试现在不受理此类退费申请',
    en: 'This examination does not take such refund requests now',
  },
  'pay/refund-decided': {
    code: 2201,
    status: 409,
    zh: '没有可以撤回的退费申请：只能撤回本人提交且尚未审批的申请',
    en: 'There is no refund request to take back: only your own can be, and only before it is decided',
  },
  'pay/refund-too-old': {
    code: 2607,
    status: 409,
    zh: '支付已超过一年或退费次数已满，请线下退费',
    en: 'Older than a year or refunded too often; refund it by bank transfer',
  },
  'pay/invoice-issued': {
    code: 2607,
    status: 409,
    zh: '票据已开具，请先冲红并确认',
    en: 'The receipt has been issued; reverse it first and confirm',
  },
  'pay/voucher-needed': {
    code: 400,
    status: 400,
    zh: '线下缴费须先转账退回，请输入转账凭证号',
    en: 'This was paid offline: transfer it back and enter the voucher number',
  },
  'pay/alarm-closed': { code: 2201, status: 409, zh: '异常已由他人处理，请刷新', en: 'Somebody has closed this alarm; please refresh' },
  'pay/demo-account': {
    code: 2001,
    status: 400,
    zh: '演示环境使用模拟商户，不能修改',
    en: 'The demo uses the merchant of its emulator, which cannot be changed',
  },
  'pay/account-key': { code: 400, status: 400, zh: '{detail}', en: '{detail}' },
  'pay/changed-meanwhile': { code: 2201, status: 409, zh: '状态已变化，请刷新', en: 'The state has changed; please refresh' },
  'pay/paid-in-future': { code: 400, status: 400, zh: '缴费时间不能晚于当前时间', en: 'The time of payment lies in the future' },
  'pay/receipt-needed': { code: 400, status: 400, zh: '请输入票据号', en: 'Please enter the receipt number' },
  'pay/title-needed': { code: 400, status: 400, zh: '请输入票据抬头', en: 'Please enter the receipt title' },
  'pay/voucher-used': { code: 400, status: 400, zh: '凭证号已被登记', en: 'This voucher number has been entered already' },
})
export const refusePay = refuserOf(payErrors)
