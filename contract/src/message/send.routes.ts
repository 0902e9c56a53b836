import { Type } from 'typebox'
import { exportJobView } from '../kernel/export-job.ts'
import { markOf, nounOf, shows, showsAll } from '../kernel/field-rule.ts'
import { pageInput, pageOf } from '../kernel/page.ts'
import { defineRoute } from '../kernel/route.ts'
import { dictionary, flag, id, ids, int, named, nullable, optional, strict, text, time } from '../kernel/schema.ts'
import { userNoun } from '../organisation/user.noun.ts'
import { importFiles, importInput, importResult } from '../transfer/import.routes.ts'
import { sendMessage } from './send.resources.ts'
import { sendTemplate } from './send-template.resource.ts'

const messages = nounOf(sendMessage)
const orderNo = () => Type.String({ pattern: '^S\\d{14}[0-9A-Z]{10}$' })
const sendId = () => named({ zh: '发送任务', en: 'Task' }, id())
const templateId = () => named({ zh: '消息模板', en: 'Template' }, id())
const audience = () =>
  named(
    { zh: '发送对象', en: 'Audience' },
    Type.Union([
      Type.Literal('all'),
      Type.Literal('passed'),
      Type.Literal('unpaid'),
      Type.Literal('notDownloaded'),
      Type.Literal('shortlisted'),
      Type.Literal('workbook'),
    ]),
  )
const params = () => named({ zh: '模板变量', en: 'Values of the variables' }, dictionary(Type.String({ maxLength: 100 })))
const channel = () => named({ zh: '发送方式', en: 'Way' }, int(1, 3))

const templates = nounOf(sendTemplate)
const templateView = Type.Object({
  ...showsAll(templates, {
    id: Type.String(),
    code: Type.String(),
    name: Type.String(),
    content: Type.String(),
    contentEn: Type.String(),
  }),
  /** Variables that every person has, and those to be filled in. */
  personVars: Type.Array(Type.String()),
  ownVars: Type.Array(Type.String()),
  /** Whether it may go by text message. */
  hasSms: Type.Boolean(),
})

export const taskView = Type.Object({
  id: Type.String(),
  examId: nullable(Type.String()),
  examName: Type.String(),
  title: Type.String(),
  templateName: shows(templates, 'name', Type.String()),
  channel: Type.Integer(),
  audience: Type.String(),
  state: Type.Integer(),
  total: Type.Integer(),
  /** Rows by their state: waiting, taken, delivered, failed, cancelled. */
  waiting: Type.Integer(),
  taken: Type.Integer(),
  delivered: Type.Integer(),
  failed: Type.Integer(),
  cancelled: Type.Integer(),
  parts: Type.Integer(),
  leftOut: dictionary(Type.Integer()),
  needsApproval: Type.Boolean(),
  scheduleTime: nullable(Type.String()),
  waitReason: nullable(Type.String()),
  /** When one that waits for the quiet hours or the budget goes on. */
  waitUntil: nullable(Type.String()),
  /** What the provider refused, of one that is paused. */
  problem: nullable(Type.String()),
  rejectReason: nullable(Type.String()),
  createName: shows(userNoun, 'realName', Type.String()),
  approveName: shows(userNoun, 'realName', Type.String()),
  createTime: Type.String(),
  endTime: nullable(Type.String()),
  /** What this reader may do with it now. */
  can: Type.Object({
    send: Type.Boolean(),
    approve: Type.Boolean(),
    cancel: Type.Boolean(),
    resend: Type.Boolean(),
    remove: Type.Boolean(),
    resume: Type.Boolean(),
  }),
})

export const getSendInfo = defineRoute({
  method: 'GET',
  path: '/blade-send/send/getSendInfo',
  access: { staff: 'send_view' },
  input: strict({ examId: optional(id()) }),
  output: Type.Object({
    balance: Type.Integer(),
    frozen: Type.Integer(),
    todaySent: Type.Integer(),
    dailyBudget: Type.Integer(),
    quiet: Type.String(),
    /** Whether a text message service is on. */
    hasService: Type.Boolean(),
    templates: Type.Array(templateView),
    audiences: Type.Array(Type.Object({ key: Type.String(), count: Type.Integer() })),
  }),
  tx: 'read',
})
export const getSendTemplate = defineRoute({
  method: 'GET',
  path: '/blade-send/send/getSendTemplate',
  access: { staff: 'send_view' },
  input: strict({ scene: optional(named({ zh: '用途', en: 'Used for' }, text(60))) }),
  output: Type.Array(templateView),
  tx: 'read',
})
export const exportSendTemplate = defineRoute({
  method: 'POST',
  path: '/blade-send/send/exportSendTemplate',
  also: ['GET /blade-send/send/exportSendTemplate'],
  access: { staff: 'send_import' },
  input: strict({ templateId: templateId() }),
  output: exportJobView,
  answer: 'file',
  tx: 'own',
})
export const importMessage = defineRoute({
  method: 'POST',
  path: '/blade-send/send/importMessage',
  access: { staff: 'send_import' },
  input: strict({ ...importInput, sendId: optional(sendId()) }),
  files: importFiles,
  output: importResult,
  tells: [markOf(messages, 'name'), markOf(messages, 'phoneMask')],
  tx: 'own',
  keyed: 'own',
})
const writing = {
  examId: optional(id()),
  templateId: optional(templateId()),
  audience: optional(audience()),
  channel: optional(channel()),
  title: optional(named({ zh: '任务名称', en: 'Name of the task' }, text(60))),
  params: optional(params()),
  /** Also to whoever had the same within a day. */
  repeat: optional(named({ zh: '重复发送', en: 'Send again' }, flag())),
}
export const draftSend = defineRoute({
  method: 'POST',
  path: '/blade-send/send/draft',
  access: { staff: 'send_add' },
  input: strict(writing),
  output: Type.Object({
    task: taskView,
    /** Texts as three people will read them. */
    previews: Type.Array(
      Type.Object(
        showsAll(
          messages,
          { name: Type.String(), phoneMask: Type.String(), content: Type.String(), contentEn: Type.String(), segs: Type.Integer() },
          { contentEn: 'content' },
        ),
      ),
    ),
    balance: Type.Integer(),
    frozen: Type.Integer(),
  }),
  means: 'Makes a task that is not sent yet: its people, three real texts, what it costs',
})
export const sendMessageNow = defineRoute({
  method: 'POST',
  path: '/blade-send/send/sendMessage',
  access: { staff: 'send_add' },
  input: strict({ sendId: optional(sendId()), ...writing, scheduleTime: optional(named({ zh: '定时发送', en: 'Send at' }, time())) }),
  output: taskView,
})
export const listSends = defineRoute({
  method: 'GET',
  path: '/blade-send/send/list',
  access: { staff: 'send_view' },
  input: strict({
    ...pageInput,
    examId: optional(id()),
    state: optional(named({ zh: '任务状态', en: 'State' }, int(0, 5))),
  }),
  output: pageOf(taskView),
  tx: 'read',
})
export const sendDetail = defineRoute({
  method: 'GET',
  path: '/blade-send/send/detail',
  access: { staff: 'send_view' },
  input: strict({ sendId: sendId() }),
  output: taskView,
  tx: 'read',
  background: true,
})
export const getMessages = defineRoute({
  method: 'GET',
  path: '/blade-send/send/getMessages',
  access: { staff: 'send_view' },
  input: strict({ ...pageInput, sendId: sendId(), state: optional(named({ zh: '状态', en: 'State' }, int(0, 4))) }),
  output: pageOf(
    Type.Object(
      showsAll(messages, {
        id: Type.String(),
        name: Type.String(),
        phoneMask: Type.String(),
        content: Type.String(),
        state: Type.Integer(),
        failReason: nullable(Type.String()),
        sendTime: nullable(Type.String()),
        segs: Type.Integer(),
      }),
    ),
  ),
  tx: 'read',
})
export const deleteMessage = defineRoute({
  method: 'POST',
  path: '/blade-send/send/deleteMessage',
  access: { staff: 'send_delete' },
  input: strict({ ids: ids() }),
  output: Type.Object({ removed: Type.Integer() }),
})
export const deleteAll = defineRoute({
  method: 'POST',
  path: '/blade-send/send/deleteAll',
  access: { staff: 'send_delete' },
  input: strict({ sendId: sendId() }),
  output: Type.Object({ removed: Type.Integer() }),
})
export const approveSend = defineRoute({
  method: 'POST',
  path: '/blade-send/send/approve',
  access: { staff: 'send_approve' },
  input: strict({
    sendId: sendId(),
    pass: named({ zh: '是否同意', en: 'Whether it may be sent' }, flag()),
    reason: optional(named({ zh: '不同意的原因', en: 'Why not' }, text(200))),
  }),
  output: taskView,
})
export const cancelSend = defineRoute({
  method: 'POST',
  path: '/blade-send/send/cancel',
  access: { staff: 'send_cancel' },
  input: strict({ sendId: sendId() }),
  output: taskView,
  means: 'Cancels what has not been sent yet',
})
export const resendFailed = defineRoute({
  method: 'POST',
  path: '/blade-send/send/resend',
  access: { staff: 'send_add' },
  input: strict({ sendId: sendId() }),
  output: taskView,
  means: 'Sends the failed messages of a task again, or goes on with one that is paused',
})

const packageView = Type.Object({
  id: Type.String(),
  packageName: Type.String(),
  count: Type.Integer(),
  price: Type.Integer(),
  validDays: nullable(Type.Integer()),
})
export const getSendPackages = defineRoute({
  method: 'GET',
  path: '/blade-send/send/getSendPackages',
  access: { staff: 'sendbalance_view' },
  input: strict({}),
  output: Type.Object({
    balance: Type.Integer(),
    frozen: Type.Integer(),
    packages: Type.Array(packageView),
    /** Where transfers go; empty where the platform has not said it. */
    payee: Type.String(),
    /** Parts that run out, the next first. */
    runningOut: Type.Array(Type.Object({ parts: Type.Integer(), expireTime: Type.String() })),
    /** Codes that wait to be paid. */
    waiting: Type.Array(
      Type.Object({
        orderNo: Type.String(),
        packagesId: Type.String(),
        packageName: Type.String(),
        amount: Type.Integer(),
        expireTime: Type.String(),
      }),
    ),
  }),
  tx: 'own',
})
export const getSendPayQrcode = defineRoute({
  method: 'GET',
  path: '/blade-send/send/getSendPayQrcode',
  access: { staff: 'sendbalance_pay' },
  input: strict({ packagesId: named({ zh: '短信套餐', en: 'Package' }, id()) }),
  output: Type.Object({
    orderNo: Type.String(),
    amount: Type.Integer(),
    codeUrl: Type.String(),
    /** SVG, base64. */
    qr: Type.String(),
    expireTime: Type.String(),
    serverTime: Type.String(),
    demoPayUrl: nullable(Type.String()),
  }),
  tx: 'own',
})
export const checkSendOrder = defineRoute({
  method: 'GET',
  path: '/blade-send/send/checkOrder',
  access: { staff: 'sendbalance_view' },
  input: strict({ orderNo: orderNo() }),
  output: Type.Object({ state: Type.Integer(), paidTime: nullable(Type.String()), balance: Type.Integer() }),
  tx: 'own',
  background: true,
})
export const cancelSendOrder = defineRoute({
  method: 'POST',
  path: '/blade-send/send/cancelOrder',
  access: { staff: 'sendbalance_pay' },
  input: strict({ orderNo: orderNo() }),
  output: checkSendOrder.output,
  tx: 'own',
  means: 'Gives up a code that waits to be paid; one that was paid meanwhile is credited',
})
export const submitSendPay = defineRoute({
  method: 'POST',
  path: '/blade-sendPay/sendpay/submit',
  access: { staff: 'sendbalance_pay' },
  input: strict({
    packagesId: named({ zh: '短信套餐', en: 'Package' }, id()),
    voucher: named({ zh: '凭证号', en: 'Voucher' }, Type.String({ minLength: 1, maxLength: 64 })),
    remark: optional(named({ zh: '备注', en: 'Remark' }, text(200))),
  }),
  output: Type.Object({ id: Type.String() }),
  tx: 'own',
  means: 'Asks for messages that were paid by transfer; the platform confirms it',
})
export const removeSendPay = defineRoute({
  method: 'POST',
  path: '/blade-sendPay/sendpay/remove',
  access: { staff: 'sendbalance_pay' },
  input: strict({ ids: ids() }),
  output: Type.Object({ removed: Type.Integer() }),
})
const platformOnly = { platform: true, because: 'the platform says that the money has come' } as const
export const sureSendPay = defineRoute({
  method: 'POST',
  path: '/blade-sendPay/sendpay/sureSendPay',
  access: { staff: 'sendpackages_edit', ...platformOnly },
  input: strict({
    id: id(),
    voucher: named({ zh: '凭证号', en: 'Voucher' }, Type.String({ minLength: 1, maxLength: 64 })),
    pass: optional(named({ zh: '是否确认', en: 'Whether it has come' }, flag())),
  }),
  output: Type.Object({ id: Type.String(), state: Type.Integer() }),
  tx: 'own',
  means: 'Credits a purchase that was paid by transfer, once; with pass=0 closes it',
})
export const pendingSendPays = defineRoute({
  method: 'GET',
  path: '/blade-sendPay/sendpay/pending',
  access: { staff: 'sendpackages_view', ...platformOnly },
  input: strict({}),
  output: Type.Array(
    Type.Object({
      id: Type.String(),
      tenantId: Type.String(),
      tenantName: Type.String(),
      packageName: Type.String(),
      count: Type.Integer(),
      price: Type.Integer(),
      voucher: Type.String(),
      remark: Type.String(),
      createTime: Type.String(),
    }),
  ),
  tx: 'own',
  means: 'Purchases of all tenants that wait for the word of the platform',
})
export const submitSendOrder = defineRoute({
  method: 'POST',
  path: '/blade-sendOrder/sendorder/submit',
  access: { staff: 'sendorder_view' },
  input: strict({}),
  output: Type.Object({}),
  means: 'Refused: orders are made by what they are for',
})
export const removeSendOrder = defineRoute({
  method: 'POST',
  path: '/blade-sendOrder/sendorder/remove',
  access: { staff: 'sendorder_view' },
  input: strict({ ids: ids() }),
  several: { because: 'it declines them all' },
  output: Type.Object({}),
  means: 'Refused: orders are kept',
})
export const submitSendMessage = defineRoute({
  method: 'POST',
  path: '/blade-sendMessage/sendmessage/submit',
  access: { staff: 'sendmessage_view' },
  input: strict({}),
  output: Type.Object({}),
  means: 'Refused: messages are made by their tasks',
})
export const removeSendMessage = defineRoute({
  method: 'POST',
  path: '/blade-sendMessage/sendmessage/remove',
  access: { staff: 'send_delete' },
  input: strict({ ids: ids() }),
  output: Type.Object({ removed: Type.Integer() }),
  means: 'Removes messages of drafts and failed ones, as deleteMessage',
})

export const sendRoutes = [
  getSendInfo,
  getSendTemplate,
  exportSendTemplate,
  importMessage,
  draftSend,
  sendMessageNow,
  listSends,
  sendDetail,
  getMessages,
  deleteMessage,
  deleteAll,
  approveSend,
  cancelSend,
  resendFailed,
  getSendPackages,
  getSendPayQrcode,
  checkSendOrder,
  cancelSendOrder,
  submitSendPay,
  removeSendPay,
  sureSendPay,
  pendingSendPays,
  submitSendOrder,
  removeSendOrder,
  submitSendMessage,
  removeSendMessage,
] as const
