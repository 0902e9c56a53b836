import { dictInt, instant, int, money, ref, text } from '../kernel/field.ts'
import { defineResource } from '../kernel/resource.ts'
import { dueFigures } from './figures.ts'
import { dueMachine, orderMachine } from './order.state.ts'

const shown = { form: false } as const
const detailOnly = { form: false, list: false } as const
const due = dueMachine.wire
const order = orderMachine.wire

/** What sign-ups owe, as finance lists it: name and the last four of the id number, no more (domain 2.1). */
export const examPay = defineResource({
  name: 'exampay',
  ownRules: true,
  table: 'exam_pay_row',
  basePath: '/blade-examPay/exampay',
  label: { zh: '应缴', en: 'Due' },
  permission: 'exampay',
  menuPath: '/pay/examPay',
  verbs: ['list', 'detail'],
  order: '-id',
  nulls: 'real',
  sums: [
    {
      key: 'amount',
      label: { zh: '应缴合计（不含免缴、作废）', en: 'Due in all (without exempt and void)' },
      field: 'amount',
      of: { field: 'state', values: dueFigures.owed.states.map(state => due[state]) },
    },
    { key: 'paid', label: { zh: '已缴合计', en: 'Paid in all' }, field: 'paidAmount' },
    { key: 'refunded', label: { zh: '已退合计', en: 'Refunded in all' }, field: 'refundAmount' },
  ],
  fields: {
    examId: ref('examination', { label: { zh: '考试', en: 'Examination' }, required: true, search: 'eq', ...detailOnly }),
    examName: text(100, { label: { zh: '考试名称', en: 'Examination' }, required: true, search: 'like', ...shown, width: 220 }),
    itemName: text(50, { label: { zh: '科目', en: 'Paper' }, ...shown }),
    signupId: ref('signup', { label: { zh: '报名', en: 'Sign-up' }, required: true, search: 'eq', ...detailOnly }),
    signNo: text(16, { label: { zh: '报名序号', en: 'Sign-up number' }, search: 'eq', ...shown }),
    name: text(50, { label: { zh: '姓名', en: 'Name' }, search: 'like', mask: 'name', ...shown }),
    idCardTail: text(4, { label: { zh: '证件号后四位', en: 'Id number, last 4' }, search: 'eq', mask: 'idCard', ...shown }),
    unit: text(20, { label: { zh: '单位代码', en: 'Unit code' }, search: 'eq', ...detailOnly }),
    code: text(20, { label: { zh: '岗位代码', en: 'Post code' }, search: 'eq', ...shown }),
    payKind: int({ label: { zh: '费用类别', en: 'Kind' }, required: true, search: 'eq', ...detailOnly }),
    payName: text(60, { label: { zh: '费用名称', en: 'Fee' }, required: true, search: 'like', ...shown }),
    amount: money({ label: { zh: '应缴金额', en: 'Amount due' }, required: true, search: 'range', ...shown }),
    paidAmount: money({ label: { zh: '已缴金额', en: 'Paid' }, required: true, search: 'range', ...shown }),
    refundAmount: money({ label: { zh: '已退金额', en: 'Refunded' }, required: true, search: 'range', ...shown }),
    state: dictInt('pay_state', { label: { zh: '缴费状态', en: 'State' }, required: true, search: 'eq', ...shown }),
    deadline: instant({ label: { zh: '缴费截止', en: 'Pay until' }, required: true, isEnd: true, search: 'range', ...shown }),
    paidTime: instant({ label: { zh: '缴费时间', en: 'Paid at' }, search: 'range', ...shown }),
    payWay: dictInt('pay_way', { label: { zh: '缴费方式', en: 'Way of payment' }, search: 'eq', ...shown }),
    orderNo: text(32, { label: { zh: '订单号', en: 'Order number' }, search: 'eq', ...shown }),
    voucherNo: text(64, { label: { zh: '凭证号', en: 'Voucher number' }, search: 'eq', ...detailOnly }),
    isInvoice: dictInt('invoice_state', { label: { zh: '票据状态', en: 'Receipt' }, required: true, search: 'eq', ...shown }),
    invoiceTitle: text(60, { label: { zh: '票据抬头', en: 'Receipt title' }, ...detailOnly }),
    invoiceTaxNo: text(20, { label: { zh: '纳税人识别号', en: 'Taxpayer number' }, ...detailOnly }),
    invoiceNo: text(40, { label: { zh: '票据号', en: 'Receipt number' }, search: 'eq', ...detailOnly }),
    remark: text(200, { label: { zh: '备注', en: 'Remark' }, ...detailOnly }),
    // Refunds that wait for people (domain 8.5): for a second person's word, or for a transfer by hand.
    askedAmount: money({ label: { zh: '待审批退费', en: 'Refund to approve' }, ...shown }),
    askedReason: text(200, { label: { zh: '退费原因', en: 'Reason of the refund' }, ...detailOnly }),
    askedTime: instant({ label: { zh: '申请时间', en: 'Requested at' }, ...detailOnly }),
    /** Requests about this due that were decided or taken back. */
    askedBefore: int({ label: { zh: '此前申请次数', en: 'Earlier requests' }, ...detailOnly }),
    failedAmount: money({ label: { zh: '退费失败待转账', en: 'Failed refund to transfer' }, ...detailOnly }),
    /** 1 a refund to decide on, 2 a posting to confirm, 3 a failed refund to transfer; null when nobody is waited for. */
    waitsFor: int({ label: { zh: '待办', en: 'To do' }, search: 'eq', ...shown }),
    /** 1: the refund goes back by hand, as the money came. */
    askedByHand: int({ label: { zh: '线下退费', en: 'Refund by hand' }, ...detailOnly }),
    // A payment entered by hand that counts once a second person has entered the same.
    postedAmount: money({ label: { zh: '待确认登记', en: 'Posting to confirm' }, ...detailOnly }),
    postedTime: instant({ label: { zh: '首次登记时间', en: 'First posted at' }, ...detailOnly }),
    postedName: text(60, { label: { zh: '首次登记人', en: 'First posted by' }, mask: 'name', ...detailOnly }),
    // Who entered a payment that came by hand, the second person where it took two, and when.
    enteredName: text(60, { label: { zh: '登记人', en: 'Entered by' }, mask: 'name', ...detailOnly }),
    enteredTime: instant({ label: { zh: '登记时间', en: 'Entered at' }, ...detailOnly }),
    /** What nobody has asked back yet: the one figure of what a refund may be (`left_to_refund`). */
    leftAmount: money({ label: { zh: '可退金额', en: 'Left to refund' }, required: true, ...detailOnly }),
  },
})

/** Orders at the payment provider. */
export const payOrder = defineResource({
  name: 'payorder',
  ownRules: true,
  table: 'pay_order_row',
  basePath: '/blade-payOrder/payorder',
  label: { zh: '支付订单', en: 'Payment order' },
  permission: 'payorder',
  menuPath: '/pay/payOrder',
  menu: {
    under: 'pay',
    after: 'exampay',
    label: { zh: '订单', en: 'Orders' },
    icon: 'order',
    roles: ['finance'],
    readers: ['admin', 'auditor'],
    buttons: [{ right: 'close', label: { zh: '关闭订单', en: 'Close order' }, roles: ['finance', 'exam_admin'] }],
  },
  verbs: ['list', 'detail'],
  order: '-id',
  nulls: 'real',
  sums: [
    {
      key: 'amount',
      label: { zh: '订单合计（不含已关闭）', en: 'Orders in all (without closed ones)' },
      field: 'amount',
      of: {
        field: 'state',
        values: Object.values(order).filter(state => state !== order.closed),
      },
    },
    { key: 'paid', label: { zh: '实付合计', en: 'Paid in all' }, field: 'paidAmount' },
  ],
  fields: {
    orderNo: text(32, { label: { zh: '订单号', en: 'Order number' }, required: true, search: 'eq', ...shown, width: 240 }),
    payId: ref('exampay', { label: { zh: '应缴', en: 'Due' }, required: true, search: 'eq', ...detailOnly }),
    examId: ref('examination', { label: { zh: '考试', en: 'Examination' }, required: true, search: 'eq', ...detailOnly }),
    examName: text(100, { label: { zh: '考试名称', en: 'Examination' }, required: true, search: 'like', ...shown, width: 220 }),
    payName: text(60, { label: { zh: '费用名称', en: 'Fee' }, required: true, search: 'like', ...shown }),
    name: text(50, { label: { zh: '姓名', en: 'Name' }, search: 'like', mask: 'name', ...shown }),
    idCardTail: text(4, { label: { zh: '证件号后四位', en: 'Id number, last 4' }, search: 'eq', mask: 'idCard', ...shown }),
    amount: money({ label: { zh: '订单金额', en: 'Amount' }, required: true, search: 'range', ...shown }),
    paidAmount: money({ label: { zh: '实付金额', en: 'Paid' }, search: 'range', ...shown }),
    state: dictInt('order_state', { label: { zh: '订单状态', en: 'State' }, required: true, search: 'eq', ...shown }),
    exceptionType: int({ label: { zh: '异常类型', en: 'Exception' }, search: 'eq', ...shown }),
    expireTime: instant({ label: { zh: '失效时间', en: 'Valid until' }, required: true, search: 'range', ...shown }),
    payCode: text(20, { label: { zh: '缴款码', en: 'Payment number' }, search: 'eq', ...detailOnly }),
    transactionId: text(64, { label: { zh: '支付平台单号', en: 'Transaction number' }, search: 'eq', ...detailOnly }),
    tradeType: text(20, { label: { zh: '交易类型', en: 'Trade type' }, ...detailOnly }),
    tradeState: text(20, { label: { zh: '交易状态', en: 'Trade state' }, ...detailOnly }),
    successTime: instant({ label: { zh: '支付时间', en: 'Paid at' }, search: 'range', ...shown }),
    notifyCount: int({ label: { zh: '通知次数', en: 'Notices' }, required: true, ...detailOnly }),
    closeTime: instant({ label: { zh: '关闭时间', en: 'Closed at' }, ...detailOnly }),
    closeReason: text(100, { label: { zh: '关闭原因', en: 'Reason of closing' }, ...detailOnly }),
    mchid: text(32, { label: { zh: '商户号', en: 'Merchant' }, required: true, search: 'eq', ...detailOnly }),
    // The refund of this order that waits for a second person.
    askedAmount: money({ label: { zh: '待审批退费', en: 'Refund to approve' }, ...shown }),
    askedReason: text(200, { label: { zh: '退费原因', en: 'Reason of the refund' }, ...detailOnly }),
    isInvoice: dictInt('invoice_state', { label: { zh: '票据状态', en: 'Receipt' }, required: true, ...detailOnly }),
    leftAmount: money({ label: { zh: '可退金额', en: 'Left to refund' }, required: true, ...detailOnly }),
  },
})

/** What a person of finance must look at. */
export const payAlarm = defineResource({
  name: 'payalarm',
  ownRules: true,
  table: 'pay_alarm_row',
  basePath: '/blade-payAlarm/payalarm',
  label: { zh: '支付异常', en: 'Payment alarm' },
  permission: 'payalarm',
  menuPath: '/pay/payAlarm',
  menu: {
    under: 'pay',
    after: 'payorder',
    label: { zh: '支付异常', en: 'Payment alarms' },
    icon: 'alert',
    roles: ['finance'],
    readers: ['admin', 'auditor'],
    buttons: [{ right: 'close', label: { zh: '处理', en: 'Close' } }],
  },
  actions: [
    {
      key: 'close',
      label: { zh: '处理完毕', en: 'Dealt with' },
      call: 'POST /blade-exam/examination/closePayAlarm',
      right: 'close',
      row: { id: 'id' },
      when: { state: 0 },
      ask: { zh: '{kind}：{detail}', en: '{kind}: {detail}' },
      reason: {
        field: 'remark',
        label: { zh: '处理说明', en: 'What was done' },
        missing: { zh: '请填写如何处理，会记入审计', en: 'Please say what was done; it is kept in the audit trail' },
      },
      done: { zh: '异常已处理', en: 'The alarm is closed' },
    },
  ],
  verbs: ['list', 'detail'],
  order: '-id',
  nulls: 'real',
  fields: {
    state: int({
      label: { zh: '处理状态', en: 'State' },
      required: true,
      search: 'eq',
      words: { 0: { zh: '待处理', en: 'Open' }, 1: { zh: '已处理', en: 'Closed' } },
      tones: { 0: 'waiting', 1: 'closed' },
      ...shown,
    }),
    raisedAt: instant({ label: { zh: '发生时间', en: 'Raised at' }, required: true, search: 'range', ...shown }),
    kind: text(40, { label: { zh: '异常', en: 'What' }, required: true, ...shown, width: 220 }),
    detail: text(500, { label: { zh: '详情', en: 'Detail' }, required: true, search: 'like', ...shown, width: 260 }),
    orderNo: text(32, { label: { zh: '订单号', en: 'Order number' }, search: 'eq', ...shown, width: 240 }),
    handledName: text(60, { label: { zh: '处理人', en: 'Closed by' }, mask: 'name', ...shown }),
    handledAt: instant({ label: { zh: '处理时间', en: 'Closed at' }, ...shown }),
    handleRemark: text(200, { label: { zh: '处理说明', en: 'What was done' }, ...shown, width: 220 }),
  },
})
