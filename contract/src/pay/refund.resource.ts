import { instant, int, money, ref, text } from '../kernel/field.ts'
import { defineResource } from '../kernel/resource.ts'
import { stateField } from '../kernel/state-field.ts'
import { refundMachine, refundReasonLabel } from './order.state.ts'

const shown = { form: false } as const
const detailOnly = { form: false, list: false } as const
const refund = refundMachine.wire

/** Money on its way back: what waits for whom, and when each step was done (domain 8.5). */
export const payRefund = defineResource({
  name: 'payrefund',
  ownRules: true,
  table: 'pay_refund_row',
  basePath: '/blade-payRefund/payrefund',
  label: { zh: '退费', en: 'Refund' },
  permission: 'payrefund',
  menuPath: '/pay/payRefund',
  menu: {
    under: 'pay',
    after: 'payorder',
    label: { zh: '退费', en: 'Refunds' },
    icon: 'order',
    roles: ['finance'],
    readers: ['admin', 'exam_admin', 'auditor'],
    buttons: [{ right: 'approve', label: { zh: '批量审批', en: 'Approve several' } }],
  },
  verbs: ['list', 'detail', 'export'],
  order: '-id',
  nulls: 'real',
  within: 'examination',
  sums: [
    {
      key: 'amount',
      label: { zh: '退费合计（不含关闭、驳回）', en: 'Refunds in all (without closed and rejected)' },
      field: 'amount',
      of: { field: 'state', values: [refund.requested, refund.submitted, refund.succeeded, refund.abnormal] },
    },
    {
      key: 'refunded',
      label: { zh: '已退合计', en: 'Refunded in all' },
      field: 'amount',
      of: { field: 'state', values: [refund.succeeded] },
    },
  ],
  fields: {
    examId: ref('examination', { label: { zh: '考试', en: 'Examination' }, required: true, search: 'eq', ...shown }),
    name: text(50, { label: { zh: '姓名', en: 'Name' }, search: 'like', mask: 'name', ...shown }),
    idCardTail: text(4, { label: { zh: '证件号后四位', en: 'Id number, last 4' }, search: 'eq', mask: 'idCard', ...detailOnly }),
    signNo: text(16, { label: { zh: '报名序号', en: 'Sign-up number' }, search: 'eq', ...shown }),
    payName: text(60, { label: { zh: '费用名称', en: 'Fee' }, required: true, ...shown }),
    amount: money({ label: { zh: '退费金额', en: 'Amount' }, required: true, search: 'range', ...shown }),
    state: int({
      label: { zh: '状态', en: 'State' },
      required: true,
      search: 'eq',
      ...stateField(refundMachine),
      ...shown,
    }),
    waitsFor: int({
      label: { zh: '待办', en: 'To do' },
      search: 'eq',
      words: {
        1: { zh: '待审批', en: 'To approve' },
        2: { zh: '待转账审批', en: 'To transfer and approve' },
        3: { zh: '退费失败，待转账', en: 'Failed, to transfer' },
      },
      tones: { 1: 'waiting', 2: 'waiting', 3: 'refused' },
      ...shown,
    }),
    reason: text(20, { label: { zh: '原因', en: 'Reason' }, required: true, search: 'eq', words: refundReasonLabel, ...shown }),
    remark: text(200, { label: { zh: '说明', en: 'Remark' }, ...detailOnly }),
    applyTime: instant({ label: { zh: '申请时间', en: 'Requested at' }, required: true, search: 'range', ...shown }),
    applyName: text(60, { label: { zh: '申请人', en: 'Requested by' }, mask: 'name', ...shown }),
    approveTime: instant({ label: { zh: '审批时间', en: 'Decided at' }, ...shown }),
    approveName: text(60, { label: { zh: '审批人', en: 'Decided by' }, mask: 'name', ...detailOnly }),
    decisionRemark: text(200, { label: { zh: '审批意见', en: 'Comment' }, ...detailOnly }),
    submitTime: instant({ label: { zh: '提交支付平台', en: 'Sent to the provider' }, ...detailOnly }),
    successTime: instant({ label: { zh: '退回时间', en: 'Refunded at' }, search: 'range', ...shown }),
    refundNo: text(64, { label: { zh: '退费单号', en: 'Refund number' }, required: true, search: 'eq', ...detailOnly }),
    orderNo: text(32, { label: { zh: '订单号', en: 'Order number' }, search: 'eq', ...detailOnly }),
    providerRefundId: text(64, { label: { zh: '支付平台退费单号', en: 'Number at the provider' }, ...detailOnly }),
    voucherNo: text(64, { label: { zh: '转账凭证号', en: 'Voucher of the transfer' }, search: 'eq', ...detailOnly }),
    payId: ref('exampay', { label: { zh: '应缴', en: 'Due' }, required: true, search: 'eq', ...detailOnly }),
  },
})
