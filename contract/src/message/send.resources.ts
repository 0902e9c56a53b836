import { flag, instant, int, money, ref, text } from '../kernel/field.ts'
import { defineResource } from '../kernel/resource.ts'

const shown = { form: false } as const

/** States of one message (domain 3.14). */
export const messageStates = {
  0: { zh: '待发', en: 'waiting' },
  1: { zh: '已提交', en: 'taken by the provider' },
  2: { zh: '送达', en: 'delivered' },
  3: { zh: '失败', en: 'failed' },
  4: { zh: '取消', en: 'cancelled' },
} as const
export const messageTones = { 0: 'waiting', 1: 'active', 2: 'passed', 3: 'refused', 4: 'closed' } as const
export const channels = {
  1: { zh: '短信', en: 'text message' },
  2: { zh: '站内', en: 'in-app' },
  3: { zh: '短信和站内', en: 'both' },
} as const

/** Every message that was sent or waits: of tasks, and of events. */
export const sendMessage = defineResource({
  name: 'sendmessage',
  ownRules: true,
  table: 'send_message_row',
  basePath: '/blade-sendMessage/sendmessage',
  label: { zh: '发送记录', en: 'Message' },
  menuPath: '/send/record',
  menu: {
    under: 'sending',
    after: 'sendbalance',
    label: { zh: '发送记录', en: 'Messages sent' },
    icon: 'list',
    roles: ['admin', 'exam_admin'],
    readers: ['finance', 'auditor'],
  },
  verbs: ['list', 'detail', 'export'],
  order: '-id',
  nulls: 'real',
  fields: {
    sendId: text(20, { pattern: '^\\d{1,18}$', label: { zh: '发送任务', en: 'Task' }, search: 'eq', list: false, ...shown }),
    examId: ref('examination', { label: { zh: '考试', en: 'Examination' }, search: 'eq', ...shown }),
    name: text(50, { label: { zh: '姓名', en: 'Name' }, search: 'like', mask: 'name', ...shown }),
    phoneMask: text(20, { label: { zh: '手机号', en: 'Mobile number' }, mask: 'phone', ...shown }),
    channel: int({ label: { zh: '方式', en: 'Way' }, search: 'eq', words: channels, ...shown }),
    content: text(500, { label: { zh: '内容', en: 'Text' }, search: 'like', mask: 'text', quotes: ['name'], width: 320, ...shown }),
    state: int({ label: { zh: '状态', en: 'State' }, search: 'eq', words: messageStates, tones: messageTones, ...shown }),
    failReason: text(200, { label: { zh: '失败原因', en: 'Why it failed' }, width: 220, ...shown }),
    sendTime: instant({ label: { zh: '发送时间', en: 'Sent at' }, search: 'range', ...shown }),
    segs: int({ label: { zh: '计费条数', en: 'Parts' }, ...shown }),
    bizId: text(80, { label: { zh: '服务商编号', en: 'Number at the provider' }, search: 'eq', list: false, ...shown }),
  },
})

/** What the platform sells. */
export const sendPackages = defineResource({
  name: 'sendpackages',
  table: 'send_packages',
  basePath: '/blade-sendPackages/sendpackages',
  label: { zh: '短信套餐', en: 'Message package' },
  scope: 'platform',
  because: 'the platform sells messages to its tenants',
  menuPath: '/send/packages',
  menu: { under: 'sending', after: 'sendmessage', icon: 'list', roles: ['administrator'] },
  order: 'sort',
  nulls: 'real',
  fields: {
    packageName: text(40, { label: { zh: '套餐名称', en: 'Name' }, required: true, unique: true, search: 'like' }),
    count: int({ label: { zh: '条数', en: 'Parts' }, required: true, min: 1, max: 10_000_000 }),
    price: money({ label: { zh: '价格', en: 'Price' }, required: true }),
    validDays: int({
      label: { zh: '有效天数', en: 'Valid for days' },
      min: 1,
      max: 3_650,
      help: { zh: '不填为长期有效', en: 'For ever when empty' },
    }),
    status: flag({
      label: { zh: '在售', en: 'On sale' },
      default: 1,
      search: 'eq',
      words: { 1: { zh: '在售', en: 'on sale' }, 0: { zh: '停售', en: 'not on sale' } },
      tones: { 1: 'passed', 0: 'closed' },
    }),
    sort: int({ label: { zh: '排序', en: 'Order' }, default: 0, min: 0, max: 9_999 }),
  },
})

/** Purchases of a tenant. An addition asks for one that is paid by transfer: the platform confirms it. */
export const sendPay = defineResource({
  name: 'sendpay',
  ownRules: true,
  table: 'send_pay',
  basePath: '/blade-sendPay/sendpay',
  label: { zh: '充值记录', en: 'Purchase of messages' },
  menuPath: '/send/sendPay',
  menu: { under: 'sending', after: 'sendpackages', icon: 'list', roles: ['admin', 'finance'], readers: ['auditor'] },
  verbs: ['list', 'detail', 'export'],
  order: '-id',
  nulls: 'real',
  fields: {
    packageName: text(40, { label: { zh: '套餐名称', en: 'Package' }, search: 'like', ...shown }),
    count: int({ label: { zh: '条数', en: 'Parts' }, ...shown }),
    price: money({ label: { zh: '金额', en: 'Price' }, ...shown }),
    payWay: int({
      label: { zh: '支付方式', en: 'Way of payment' },
      search: 'eq',
      words: { 1: { zh: '微信支付', en: 'WeChat Pay' }, 2: { zh: '转账', en: 'transfer' } },
      ...shown,
    }),
    state: int({
      label: { zh: '状态', en: 'State' },
      search: 'eq',
      words: {
        0: { zh: '待支付', en: 'to be paid' },
        1: { zh: '已到账', en: 'credited' },
        2: { zh: '已关闭', en: 'closed' },
        3: { zh: '待确认', en: 'to be confirmed' },
      },
      tones: { 0: 'waiting', 1: 'passed', 2: 'closed', 3: 'waiting' },
      ...shown,
    }),
    voucher: text(64, { label: { zh: '凭证号', en: 'Voucher' }, search: 'eq', ...shown }),
    sureVoucher: text(64, { label: { zh: '确认凭证号', en: 'Voucher of the confirmation' }, list: false, ...shown }),
    sureName: text(60, { label: { zh: '确认人', en: 'Confirmed by' }, mask: 'name', ...shown }),
    sureTime: instant({ label: { zh: '到账时间', en: 'Credited at' }, search: 'range', ...shown }),
    expireTime: instant({
      label: { zh: '有效期至', en: 'Valid until' },
      help: { zh: '空白为长期有效', en: 'For ever when empty' },
      ...shown,
    }),
    leftParts: int({ label: { zh: '有效期内剩余条数', en: 'Left of it' }, list: false, ...shown }),
    remark: text(200, { label: { zh: '备注', en: 'Remark' }, list: false, ...shown }),
  },
})

/** Orders of purchases at WeChat Pay. */
export const sendOrder = defineResource({
  name: 'sendorder',
  ownRules: true,
  table: 'send_order',
  basePath: '/blade-sendOrder/sendorder',
  label: { zh: '充值订单', en: 'Order of a purchase' },
  menuPath: '/send/sendOrder',
  menu: { under: 'sending', after: 'sendpay', icon: 'order', roles: ['finance'], readers: ['admin', 'auditor'] },
  verbs: ['list', 'detail', 'export'],
  order: '-id',
  nulls: 'real',
  fields: {
    orderNo: text(32, { label: { zh: '订单号', en: 'Order number' }, search: 'eq', width: 240, ...shown }),
    amount: money({ label: { zh: '金额', en: 'Amount' }, search: 'range', ...shown }),
    paidAmount: money({ label: { zh: '实付金额', en: 'Paid' }, ...shown }),
    state: int({
      label: { zh: '状态', en: 'State' },
      search: 'eq',
      words: {
        0: { zh: '已创建', en: 'made' },
        1: { zh: '待支付', en: 'to be paid' },
        2: { zh: '已支付', en: 'paid' },
        3: { zh: '已关闭', en: 'closed' },
        7: { zh: '异常', en: 'abnormal' },
      },
      tones: { 0: 'waiting', 1: 'waiting', 2: 'passed', 3: 'closed', 7: 'refused' },
      ...shown,
    }),
    exception: text(20, { label: { zh: '异常', en: 'Exception' }, ...shown }),
    expireTime: instant({ label: { zh: '失效时间', en: 'Valid until' }, ...shown }),
    transactionId: text(64, { label: { zh: '微信支付单号', en: 'Transaction number' }, search: 'eq', ...shown }),
    successTime: instant({ label: { zh: '支付时间', en: 'Paid at' }, search: 'range', ...shown }),
    notifyCount: int({ label: { zh: '通知次数', en: 'Notices' }, list: false, ...shown }),
  },
})
