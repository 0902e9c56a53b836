import { Type } from 'typebox'
import { pageInput, pageOf } from '../kernel/page.ts'
import { defineRoute } from '../kernel/route.ts'
import { flag, id, ids, int, nullable, optional, strict } from '../kernel/schema.ts'

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

/** A person's own messages; announcements come with their own work later. */
export const noticeList = defineRoute({
  method: 'GET',
  path: '/blade-exam/examination/getNoticeList',
  access: own,
  input: strict({ ...pageInput, kind: optional(int(1, 7)), unread: optional(flag()) }),
  output: Type.Object({ ...pageOf(notifyRow).properties, unreadCount: Type.Integer() }),
  tx: 'read',
  background: true,
})
export const readNotify = defineRoute({
  method: 'POST',
  path: '/blade-exam/examination/readNotify',
  access: own,
  input: strict({ id: optional(id()), ids: optional(ids()), all: optional(flag()) }),
  output: Type.Object({ unreadCount: Type.Integer() }),
})
export const sureNotify = defineRoute({
  method: 'POST',
  path: '/blade-exam/examination/sureNotify',
  access: own,
  input: strict({ id: id() }),
  output: Type.Object({ sureTime: Type.String() }),
})
export const messageRoutes = [noticeList, readNotify, sureNotify] as const
