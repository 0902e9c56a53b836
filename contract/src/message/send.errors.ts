import { defineErrors, refuserOf } from '../kernel/refusal.ts'

/** Numbers of domain 13.2. */
export const sendErrors = defineErrors({
  'send/balance': {
    code: 2701,
    status: 409,
    zh: '短信余额不足：需要 {needed} 条，可用 {left} 条，请先充值',
    en: 'The balance is too low: {needed} parts are needed, {left} are left. Buy some first',
  },
  'send/template': {
    code: 2702,
    status: 409,
    zh: '模板“{name}”没有服务商审核通过的编号，只能发站内消息',
    en: 'The template “{name}” has no number at the provider: it can be sent in-app only',
  },
  'send/no-service': {
    code: 2702,
    status: 409,
    zh: '没有启用的短信服务，不能发送短信；可改发站内消息，或请管理员在“短信服务”中启用',
    en: 'No text message service is on: send it in-app, or ask an administrator to switch one on',
  },
  'send/variable': {
    code: 2702,
    status: 400,
    zh: '请填写模板变量：{names}',
    en: 'Please fill in: {names}',
  },
  'send/value-length': {
    code: 2702,
    status: 400,
    zh: '{names} 的内容过长：短信服务商规定每个变量最多 {most} 字',
    en: '{names}: too long. Providers of text messages take at most {most} characters for a variable',
  },
  'send/nobody': {
    code: 2705,
    status: 409,
    zh: '没有可以发送的人{why}',
    en: 'There is nobody to send it to{why}',
  },
  'send/too-many': {
    code: 2705,
    status: 400,
    zh: '一次最多发送 {limit} 人，请分批',
    en: 'At most {limit} people at once: make several tasks',
  },
  'send/state': {
    code: 2705,
    status: 409,
    zh: '任务当前状态为“{state}”，不能这样操作',
    en: 'The task is in the state “{state}”: this cannot be done',
  },
  'send/same-person': {
    code: 2705,
    status: 403,
    zh: '须由另一人审批，不能审批本人提交的任务',
    en: 'Somebody else has to approve it, not who submitted it',
  },
  'send/schedule': {
    code: 2705,
    status: 400,
    zh: '定时发送的时间须在 5 分钟之后、30 天之内',
    en: 'The time must be at least 5 minutes and at most 30 days from now',
  },
  'send/package': {
    code: 2706,
    status: 404,
    zh: '该套餐已停售，请刷新后重新选择',
    en: 'This package is not on sale any more: refresh and choose again',
  },
  'send/pay-busy': { code: 2706, status: 503, zh: '支付服务繁忙，请稍后再试', en: 'The payment provider is busy; try again in a moment' },
  'send/pay-state': { code: 2706, status: 409, zh: '该充值记录已处理，请刷新', en: 'This purchase was dealt with already: refresh' },
})
export const refuseSend = refuserOf(sendErrors)
