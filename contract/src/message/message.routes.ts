import { Type } from 'typebox'
import { pageInput, pageOf } from '../kernel/page.ts'
import { defineRoute } from '../kernel/route.ts'
import { flag, id, ids, int, named, nullable, optional, strict } from '../kernel/schema.ts'

const notifyRow = Type.Object({
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

/** A person's own messages; announcements come with their own work later. */
export const noticeList = defineRoute({
  method: 'GET',
  path: '/blade-exam/examination/getNoticeList',
  access: own,
  input: strict({ ...pageInput, kind: optional(named({ zh: '消息类别', en: 'Kind of message' }, int(1, 7))), unread: optional(flag()) }),
  output: Type.Object({ ...pageOf(notifyRow).properties, unreadCount: Type.Integer() }),
  tx: 'read',
  background: true,
})
/** Tabs of the notice popover (S2.42): letters of the system, news of one's own affairs, and what asks for a confirmation. */
const noticeTab = Type.Union([Type.Literal('mail'), Type.Literal('messages'), Type.Literal('notices')])
export const ownNotices = defineRoute({
  method: 'GET',
  path: '/me/notices',
  access: own,
  input: strict({ latest: optional(int(1, 20)) }),
  output: Type.Object({
    unreadCount: Type.Integer(),
    tabs: Type.Array(Type.Object({ tab: noticeTab, unreadCount: Type.Integer(), total: Type.Integer(), records: Type.Array(notifyRow) })),
  }),
  tx: 'read',
  background: true,
})
export const readNotify = defineRoute({
  method: 'POST',
  path: '/blade-exam/examination/readNotify',
  access: own,
  input: strict({ id: optional(id()), ids: optional(ids()), all: optional(flag()), tab: optional(noticeTab) }),
  output: Type.Object({ unreadCount: Type.Integer() }),
})
export const sureNotify = defineRoute({
  method: 'POST',
  path: '/blade-exam/examination/sureNotify',
  access: own,
  input: strict({ id: id() }),
  output: Type.Object({ sureTime: Type.String() }),
})
export const messageRoutes = [noticeList, ownNotices, readNotify, sureNotify] as const
