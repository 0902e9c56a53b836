import { Type } from 'typebox'
import { pageInput, pageOf } from '../kernel/page.ts'
import { defineRoute } from '../kernel/route.ts'
import { flag, id, ids, int, named, nullable, optional, strict } from '../kernel/schema.ts'

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
  output: Type.Object({ unreadCount: Type.Integer() }),
})
export const messageRoutes = [ownMessages, readNotify] as const
