import { Type } from 'typebox'
import { sure } from '../kernel/asking.ts'
import { exportJobView } from '../kernel/export-job.ts'
import { markOf, nounOf, shows, writes } from '../kernel/field-rule.ts'
import { maxFen } from '../kernel/money.ts'
import { defineRoute, type Route } from '../kernel/route.ts'
import { fen, flag, id, ids, int, named, nullable, optional, strict, text, time } from '../kernel/schema.ts'
import { userNoun } from '../organisation/user.noun.ts'
import { importFiles, importInput, importResult } from '../transfer/import.routes.ts'
import { payChannel } from './channel.ts'
import { examPay } from './pay.resources.ts'

const orderNo = () => Type.String({ pattern: '^[ES]\\d{14}[0-9A-Z]{10}$' })

/** The state of the latest refund, as the person who paid sees it. */
/** `reason` says why money goes back: paid twice, paid too late, or what whoever asked has written. */
const refundView = Type.Object({
  state: Type.Integer(),
  amount: Type.Integer(),
  time: nullable(Type.String()),
  reason: Type.String(),
  /** When it was asked for, decided on, sent to the provider and came through; null where that is still to come. */
  applyTime: Type.String(),
  approveTime: nullable(Type.String()),
  submitTime: nullable(Type.String()),
  successTime: nullable(Type.String()),
  /** Closed because whoever asked took it back. */
  isTakenBack: Type.Boolean(),
  /** Why it was rejected; empty where nobody said so. */
  rejection: Type.String(),
  /** The reader asked for it and nobody has decided yet. */
  canTakeBack: Type.Boolean(),
})

/** A due as its owner sees it (domain 5.13 `PayRow`); `canPay` and `canRefund` are the server's word, with the reason when it is no. */
export const payRow = Type.Object({
  id: Type.String(),
  examId: Type.String(),
  examName: Type.String(),
  itemId: Type.String(),
  itemName: nullable(Type.String()),
  payName: Type.String(),
  /** As in the sign-up: whom a receipt is made out to. */
  payerName: Type.String(),
  amount: Type.Integer(),
  paidAmount: Type.Integer(),
  refundAmount: Type.Integer(),
  state: Type.Integer(),
  deadline: Type.String(),
  /** Seconds until the deadline, never negative. */
  expireIn: Type.Integer(),
  paidTime: nullable(Type.String()),
  payWay: nullable(Type.Integer()),
  orderNo: nullable(Type.String()),
  orderState: nullable(Type.Integer()),
  /** Whose code is still good: shown again, it stays the same. */
  openChannel: Type.Optional(payChannel()),
  isInvoice: Type.Integer(),
  invoiceNo: nullable(Type.String()),
  invoiceUrl: nullable(Type.String()),
  canPay: Type.Boolean(),
  canRefund: Type.Boolean(),
  reason: nullable(Type.String()),
  refund: nullable(refundView),
})

export const getMyPayList = defineRoute({
  method: 'GET',
  path: '/blade-exam/examination/getMyPayList',
  access: { candidate: 'own' },
  input: strict({ examId: optional(id()), state: optional(int(0, 6)) }),
  output: Type.Array(payRow),
  tx: 'read',
  means: "The caller's dues; with state=1 the pending payments that are shown after login (S7.62)",
})

export const getMyPay = defineRoute({
  method: 'GET',
  path: '/blade-exam/examination/getMyPay',
  access: { candidate: 'own' },
  input: strict({ examId: id() }),
  output: Type.Object({
    examId: Type.String(),
    examName: Type.String(),
    payBegin: nullable(Type.String()),
    payEnd: nullable(Type.String()),
    /** Sum of what is still to be paid, in fen. */
    dueAmount: Type.Integer(),
    rows: Type.Array(payRow),
  }),
  tx: 'read',
})

export const getPayQrcode = defineRoute({
  method: 'GET',
  path: '/blade-exam/examination/getPayQrcode',
  keepsPlace: true,
  access: { staff: 'exampay_qrcode', candidate: 'own' },
  input: strict({
    payId: id(),
    /** Whose code it is; WeChat's without it. */
    channel: optional(named({ zh: '支付平台', en: 'Provider' }, payChannel())),
  }),
  output: Type.Object({
    orderNo: Type.String(),
    amount: Type.Integer(),
    codeUrl: Type.String(),
    /** Of the non-tax platform: twenty digits that are paid at any bank, counter or app that takes them. */
    payCode: nullable(Type.String()),
    /** SVG, base64. */
    qr: Type.String(),
    expireTime: Type.String(),
    serverTime: Type.String(),
    /** Demo and test: the page where a person presses "pay". */
    demoPayUrl: nullable(Type.String()),
  }),
  tx: 'own',
})

export const checkOrder = defineRoute({
  method: 'GET',
  path: '/blade-exam/examination/checkOrder',
  keepsPlace: true,
  access: { staff: 'payorder_view', candidate: 'own' },
  input: strict({ orderNo: orderNo() }),
  output: Type.Object({ state: Type.Integer(), paidTime: nullable(Type.String()) }),
  tx: 'own',
  background: true,
})

export const queryOrder = defineRoute({
  method: 'POST',
  path: '/pay/wxpay/queryOrder',
  keepsPlace: true,
  access: { staff: 'payorder_view', candidate: 'own' },
  input: strict({ orderNo: orderNo() }),
  output: Type.Object({
    /** In the provider's words; the last known one while the provider may not be asked again. */
    tradeState: Type.String(),
    state: Type.Integer(),
    transactionId: nullable(Type.String()),
    successTime: nullable(Type.String()),
  }),
  tx: 'own',
})

export const closePayOrder = defineRoute({
  method: 'POST',
  path: '/blade-exam/examination/closePayOrder',
  access: { staff: 'payorder_close', candidate: 'own' },
  input: strict({ orderNo: orderNo() }),
  output: Type.Object({ orderNo: Type.String(), state: Type.Integer() }),
  tx: 'own',
})

export const handleUp = defineRoute({
  method: 'POST',
  path: '/blade-exam/examination/handleUp',
  access: { staff: 'exampay_handleup' },
  input: strict({
    payId: id(),
    /** 2 to 4 an offline payment; 1 accepts a late payment by code, whose order number is the voucher. */
    payWay: int(1, 4),
    amount: fen(),
    paidTime: time(),
    voucherNo: text(64, { minLength: 1 }),
    remark: optional(text(200)),
    sure: optional(sure()),
  }),
  files: [{ name: 'voucher', maxBytes: 10 * 1024 * 1024, maxCount: 1 }],
  output: Type.Object({
    payId: Type.String(),
    /** The due's state; still 1 while a second person has to confirm. */
    state: Type.Integer(),
    waitsForSecondPerson: Type.Boolean(),
  }),
  tx: 'own',
  keyed: 'own',
  means: 'Manual posting of an offline payment; above pay.manualDoubleCheckFen a second person sends the same again',
})

export const backPay = defineRoute({
  method: 'POST',
  path: '/blade-exam/examination/backPay',
  access: { staff: ['exampay_refund', 'exampay_approve'], candidate: 'own' },
  input: strict({
    payId: id(),
    /** Another order of the due than the one that paid it: money in suspense. */
    orderNo: optional(orderNo()),
    amount: optional(fen()),
    /** A key or text of 岗位取消 · 重复缴费 · 误缴 · 其他; any other text is kept as the remark. */
    reason: optional(text(200)),
    /** 1 approves, 2 rejects the request of this due; absent asks for a refund. */
    approve: optional(int(1, 2)),
    /** Takes one's own request back while nobody has decided on it. */
    takeBack: optional(flag()),
    /** Finance has reversed the issued receipt (冲红). */
    invoiceReversed: optional(flag()),
    /** Of the bank transfer that replaces a refund which failed at the bank. */
    voucherNo: optional(text(64)),
  }),
  output: Type.Object({ refundNo: Type.String(), state: Type.Integer(), amount: Type.Integer() }),
  tx: 'own',
  keyed: 'own',
})

export const delExamPay = defineRoute({
  method: 'POST',
  path: '/blade-exam/examination/delExamPay',
  access: { staff: 'exampay_delete' },
  input: strict({ ids: ids() }),
  several: 'each',
  output: Type.Object({ removed: Type.Integer() }),
  tx: 'own',
})

export const sureInvoice = defineRoute({
  method: 'POST',
  path: '/blade-exam/examination/sureInvoice',
  access: { staff: 'exampay_invoice', candidate: 'own' },
  input: strict({
    ids: ids(),
    /** 1 issued, 0 undone, by finance; 2 applied for, by the candidate. */
    isInvoice: int(0, 2),
    invoiceNo: optional(text(40)),
    invoiceUrl: optional(text(300, { pattern: '^$|^https://' })),
    invoiceTitle: optional(text(60)),
    invoiceTaxNo: optional(text(40)),
  }),
  several: 'each',
  output: Type.Object({ changed: Type.Integer() }),
  tx: 'own',
})

const due = nounOf(examPay)
const importRoute = <const P extends string>(path: P, means: string, right: `${string}_${string}` = 'exampay_import') =>
  defineRoute({
    method: 'POST',
    path,
    access: { staff: right },
    input: strict({ examId: id(), itemId: optional(id()), ...importInput }),
    files: importFiles,
    output: importResult,
    tells: [markOf(due, 'name'), markOf(due, 'idCardTail')],
    tx: 'own',
    keyed: 'own',
    means,
  })
export const importExamPay = importRoute(
  '/blade-exam/examination/importExamPay',
  'T7a of domain 5.9: dues that no rule of the examination makes',
)
export const importPay = importRoute('/blade-exam/examination/importPay', 'T7b of domain 5.9: payments that came by bank, cash or a unit')

export const importInvoice = importRoute(
  '/blade-exam/examination/importInvoice',
  'T7c: numbers and links of receipts, as the fiscal platform hands them out',
  'exampay_invoice',
)

export const getPayExcel = defineRoute({
  method: 'POST',
  path: '/blade-exam/examination/getPayExcel',
  access: { staff: 'exampay_export' },
  input: strict({
    examId: id(),
    itemId: optional(id()),
    kind: named(
      { zh: '导出内容', en: 'What is exported' },
      Type.Union([Type.Literal('template'), Type.Literal('due'), Type.Literal('paid'), Type.Literal('refund')]),
    ),
  }),
  output: exportJobView,
  answer: 'file',
  tx: 'own',
  also: ['GET /blade-exam/examination/getPayExcel'],
})

export const closePayAlarm = defineRoute({
  method: 'POST',
  path: '/blade-exam/examination/closePayAlarm',
  access: { staff: 'payalarm_close' },
  input: strict({ id: id(), remark: text(200, { minLength: 1 }) }),
  output: Type.Object({ id: Type.String() }),
  means: 'Says what was done about an alarm and takes it off the list of open ones',
})

/** The merchant account; its keys go in and never come out. */
export const getPayAccount = defineRoute({
  method: 'GET',
  path: '/blade-exam/examination/getPayAccount',
  access: { staff: 'payaccount_view' },
  input: strict({}),
  output: Type.Object({
    account: nullable(
      Type.Object({
        mchid: Type.String(),
        appid: Type.String(),
        merchantSerial: Type.String(),
        trustMode: Type.Union([Type.Literal('publicKey'), Type.Literal('certificate')]),
        publicKeyId: nullable(Type.String()),
        /** Payments inside WeChat are open. */
        hasAppSecret: Type.Boolean(),
        /** 1: the provider has opened H5 payments. */
        h5: Type.Integer(),
        updateTime: Type.String(),
        updateUser: shows(userNoun, 'realName', nullable(Type.String())),
      }),
    ),
    /** Demo: the emulator's own merchant, which nobody edits. */
    isDemo: Type.Boolean(),
    /** What has to be entered as the notify address at the provider. */
    notifyUrl: Type.String(),
    /** The application at Alipay; null while codes of Alipay are not offered. */
    alipay: nullable(
      Type.Object({
        appId: Type.String(),
        sellerId: Type.String(),
        updateTime: Type.String(),
        updateUser: shows(userNoun, 'realName', nullable(Type.String())),
      }),
    ),
    alipayNotifyUrl: Type.String(),
    /** The office at the non-tax platform; null while its numbers are not offered. */
    nontax: nullable(
      Type.Object({
        origin: Type.String(),
        appId: Type.String(),
        unitCode: Type.String(),
        itemCode: Type.String(),
        updateTime: Type.String(),
        updateUser: shows(userNoun, 'realName', nullable(Type.String())),
      }),
    ),
    nontaxNotifyUrl: Type.String(),
  }),
  tx: 'read',
})
export const savePayAccount = defineRoute({
  method: 'POST',
  path: '/blade-exam/examination/savePayAccount',
  access: { staff: 'payaccount_edit' },
  input: strict({
    mchid: Type.String({ pattern: '^\\d{8,12}$' }),
    appid: Type.String({ pattern: '^wx[0-9a-z]{16}$' }),
    merchantSerial: Type.String({ pattern: '^[0-9A-F]{8,64}$' }),
    /** PKCS#8 or PKCS#1, RSA; absent keeps the stored one. */
    privateKey: optional(text(8_000)),
    /** 32 characters; absent keeps the stored one. */
    apiV3Key: optional(Type.String({ pattern: '^[0-9A-Za-z]{32}$' })),
    /** Of the public account; with it people pay inside WeChat. Absent keeps the stored one. */
    appSecret: optional(
      Type.String({ pattern: '^[0-9a-zA-Z]{32}$', 'x-label': { zh: '公众号 AppSecret', en: 'AppSecret of the public account' } }),
    ),
    /** Whether the provider has opened H5 payments for this merchant; absent leaves it. */
    h5: optional(named({ zh: 'H5 支付', en: 'H5 payments' }, flag())),
    /** With both the provider's answers are checked by its public key, without by its certificates. */
    publicKeyId: optional(text(80)),
    publicKey: optional(text(4_000)),
  }),
  output: Type.Object({ mchid: Type.String() }),
})

/** The application at Alipay whose codes payers scan, and the keys that sign: ours for calls, Alipay's for answers and notices. */
export const saveAlipayAccount = defineRoute({
  method: 'POST',
  path: '/blade-exam/examination/saveAlipayAccount',
  access: { staff: 'payaccount_edit' },
  input: strict({
    appId: Type.String({ pattern: '^20\\d{14}$', 'x-label': { zh: '支付宝应用 APPID', en: 'Alipay app id' } }),
    sellerId: Type.String({ pattern: '^2088\\d{12}$', 'x-label': { zh: '支付宝商户 PID', en: 'Alipay seller id' } }),
    /** PKCS#8 or PKCS#1, RSA 2048, with or without the lines of PEM; absent keeps the stored one. */
    privateKey: optional(text(8_000, { 'x-label': { zh: '应用私钥', en: 'Private key of the app' } })),
    /** Alipay's, not the application's; absent keeps the stored one. */
    publicKey: optional(text(4_000, { 'x-label': { zh: '支付宝公钥', en: 'Public key of Alipay' } })),
  }),
  output: Type.Object({ appId: Type.String() }),
  means: 'Opens payments by codes of Alipay, or changes its keys',
})

/** The office at the government's non-tax payment platform: its numbers there, and the keys that sign: ours for calls, the platform's for answers and notices. */
export const saveNontaxAccount = defineRoute({
  method: 'POST',
  path: '/blade-exam/examination/saveNontaxAccount',
  access: { staff: 'payaccount_edit' },
  input: strict({
    origin: text(200, { minLength: 8, pattern: '^https?://', 'x-label': { zh: '平台地址', en: 'Address of the platform' } }),
    appId: text(40, { minLength: 1, pattern: '^[0-9A-Za-z_-]+$', 'x-label': { zh: '平台应用标识', en: 'App id at the platform' } }),
    unitCode: text(32, { minLength: 1, pattern: '^[0-9A-Za-z]+$', 'x-label': { zh: '执收单位编码', en: 'Code of the collecting office' } }),
    itemCode: text(32, { minLength: 1, pattern: '^[0-9A-Za-z]+$', 'x-label': { zh: '收费项目编码', en: 'Code of the fee' } }),
    /** PKCS#8 or PKCS#1, RSA 2048, with or without the lines of PEM; absent keeps the stored one. */
    privateKey: optional(text(8_000, { 'x-label': { zh: '应用私钥', en: 'Private key of the app' } })),
    /** The platform's; absent keeps the stored one. */
    publicKey: optional(text(4_000, { 'x-label': { zh: '平台公钥', en: 'Public key of the platform' } })),
  }),
  output: Type.Object({ unitCode: Type.String() }),
  means: 'Opens payments by numbers of the non-tax platform, or changes its keys',
})

const notice = <const P extends string>(path: P) =>
  defineRoute({
    method: 'POST',
    path,
    access: { public: true, because: 'the payment provider has no session; its signature over the raw body is checked' },
    input: strict({ tenantId: text(12, { minLength: 1 }) }),
    output: Type.Object({ code: Type.String(), message: Type.String() }),
    rawBody: true,
    answer: 'plain',
    tx: 'own',
    background: true,
    // The other half of a payment.
    rank: 'submit',
  })
export const payNotice = notice('/pay/wxpay/notify/:tenantId')
export const refundNotice = notice('/pay/wxpay/refundNotify/:tenantId')
/** Payments and refunds of Alipay; it wants to read `success`. */
export const alipayNotice = notice('/pay/alipay/notify/:tenantId')
/** Payments, refunds and fiscal receipts of the non-tax platform. */
export const nontaxNotice = notice('/pay/nontax/notify/:tenantId')

/** One due by hand (domain 5.5); one that is there is not changed but voided and made anew. */
export const submitExamPay = defineRoute({
  method: 'POST',
  path: '/blade-examPay/exampay/submit',
  access: { staff: 'exampay_add' },
  input: strict({
    examId: id(),
    signNo: text(16, { minLength: 1, 'x-label': { zh: '报名序号', en: 'Sign-up number' } }),
    /** As in the sign-up: a number is soon mistyped, and the money would be asked of somebody else. */
    name: writes(due, 'name', text(50, { minLength: 1, 'x-label': { zh: '姓名', en: 'Name' } })),
    /** The paper that is paid for; absent for a fee of the whole examination. */
    itemId: optional(id()),
    payName: text(60, { minLength: 1, 'x-label': { zh: '费用名称', en: 'Fee' } }),
    amount: Type.Integer({ minimum: 1, maximum: maxFen, 'x-fen': true, 'x-label': { zh: '应缴金额', en: 'Amount due' } }),
    /** Absent: the end of payment of the examination. */
    deadline: optional(time()),
    remark: optional(text(200)),
    /** A due of the same name or sum that is there, or that the rule will make, asks. */
    sure: optional(sure()),
  }),
  output: Type.Object({ id: Type.String() }),
  means: 'a due that no rule of the examination makes; its owner is told',
})
/** The other word for `delExamPay`. */
export const removeExamPay = defineRoute({
  method: 'POST',
  path: '/blade-examPay/exampay/remove',
  access: { staff: 'exampay_delete' },
  input: strict({ ids: ids() }),
  several: 'each',
  output: Type.Object({ removed: Type.Integer() }),
  tx: 'own',
})
/** Orders arise and end by their own rules; the wire's generic writes exist and decline (2001). */
const declined = <const P extends string>(path: P) =>
  defineRoute({ method: 'POST', path, access: { staff: 'payorder_close' }, input: Type.Object({}), output: Type.Null(), tx: 'own' })
export const submitPayOrder = declined('/blade-payOrder/payorder/submit')
export const removePayOrder = declined('/blade-payOrder/payorder/remove')

export const payRoutes = [
  getMyPayList,
  getMyPay,
  getPayQrcode,
  checkOrder,
  queryOrder,
  closePayOrder,
  handleUp,
  backPay,
  delExamPay,
  sureInvoice,
  importExamPay,
  importPay,
  importInvoice,
  getPayExcel,
  closePayAlarm,
  getPayAccount,
  savePayAccount,
  payNotice,
  refundNotice,
  alipayNotice,
  saveAlipayAccount,
  nontaxNotice,
  saveNontaxAccount,
  submitExamPay,
  removeExamPay,
  submitPayOrder,
  removePayOrder,
] as const satisfies readonly Route[]
