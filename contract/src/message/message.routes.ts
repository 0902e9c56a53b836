import { Type } from 'typebox'
import { pageInput, pageOf } from '../kernel/page.ts'
import { defineRoute } from '../kernel/route.ts'
import { flag, id, ids, int, named, nullable, optional, strict, text } from '../kernel/schema.ts'
import { sharedSms } from './sms.resource.ts'

export const notifyRow = Type.Object({
  id: Type.String(),
  examId: nullable(Type.String()),
  kind: Type.Integer(),
  title: Type.String(),
  content: Type.String(),
  link: Type.String(),
  needSure: Type.Boolean(),
  sureTime: nullable(Type.String()),
  readTime: nullable(Type.String()),
  createTime: Type.String(),
})
const own = { signedIn: true, because: 'everybody reads their own messages' } as const

/** A person's own messages. */
export const ownMessages = defineRoute({
  method: 'GET',
  path: '/me/messages',
  access: own,
  input: strict({ ...pageInput, kind: optional(named({ zh: '消息类别', en: 'Kind of message' }, int(1, 7))), unread: optional(flag()) }),
  output: Type.Object({ ...pageOf(notifyRow).properties, unreadCount: Type.Integer() }),
  tx: 'read',
  background: true,
})
/** Where a message of one's own stands among the tabs of the popover (S2.42): letters of the system, or news of one's own affairs. */
export const messageTab = Type.Union([Type.Literal('mail'), Type.Literal('messages')])
export const readNotify = defineRoute({
  method: 'POST',
  path: '/blade-exam/examination/readNotify',
  access: own,
  input: strict({ id: optional(id()), ids: optional(ids()), all: optional(flag()), tab: optional(messageTab) }),
  several: { because: 'ids that are not the reader’s, or read already, change nothing' },
  output: Type.Object({ unreadCount: Type.Integer() }),
})
/** One of the tenant's services sends; `off` switches the one off that does. */
export const enableSms = defineRoute({
  method: 'POST',
  path: '/blade-resource/sms/enable',
  access: { staff: 'sms_enable', reachesAll: 'always', because: sharedSms },
  input: strict({ id: id(), off: optional(named({ zh: '停用', en: 'Switch off' }, flag())) }),
  /** `msg` also names templates with numbers of another provider. */
  output: Type.Object({ id: Type.String(), msg: Type.String() }),
  means: 'Switches a text message service on, and every other one off (S7.24)',
})
/** Tries a service, on or not (framework-contract 3.20 `send-message`). */
export const sendSmsMessage = defineRoute({
  method: 'POST',
  path: '/blade-resource/sms/send-message',
  also: ['POST /blade-resource/sms/endpoint/send-message'],
  access: { staff: 'sms_send', reachesAll: 'always', because: sharedSms },
  input: strict({
    code: named({ zh: '资源编号', en: 'Code of the service' }, text(60)),
    phones: named({ zh: '接收手机号', en: 'Mobile numbers' }, text(600)),
    params: optional(named({ zh: '模板参数', en: 'Parameters of the template' }, text(1000))),
  }),
  /** `code` is `WAITING` where another person has to send the same. */
  output: Type.Object({ success: Type.Boolean(), code: Type.String(), msg: Type.String() }),
  tx: 'own',
  means: 'Sends the registered template of a text message service to some numbers (S7.24)',
})
export const messageRoutes = [ownMessages, readNotify, enableSms, sendSmsMessage] as const
