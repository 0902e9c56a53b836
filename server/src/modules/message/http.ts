import { sliceOf, toPage } from '#contract/kernel/page.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import { ownMessages, readNotify } from '#contract/message/message.routes.ts'
import { type Ctx, type Handler, handle } from '#kernel/http/context.ts'
import { countUnread, markRead, type NotifyRow, pageNotices } from './data/notify.repo.ts'

/** A message as its reader sees it. */
export const presentMessage = (ctx: Ctx, row: NotifyRow) => ({
  id: row.id,
  examId: row.examId,
  kind: row.kind,
  title: ctx.say({ zh: row.titleZh, en: row.titleEn }),
  content: ctx.say({ zh: row.contentZh, en: row.contentEn }),
  link: row.link,
  needSure: row.needSure,
  sureTime: row.sureAt && toWireTime(row.sureAt),
  readTime: row.readAt && toWireTime(row.readAt),
  createTime: toWireTime(row.createdAt),
})

export const messageHandlers = (): Handler[] => [
  handle(ownMessages, async ({ ctx, db, input }) => {
    const { current, size, offset } = sliceOf(input)
    const { rows, total } = await pageNotices(db, { kind: input.kind, isUnread: input.unread === 1 }, size, offset)
    return {
      ...toPage(
        rows.map(row => presentMessage(ctx, row)),
        total,
        current,
        size,
      ),
      unreadCount: await countUnread(db),
    }
  }),
  handle(readNotify, async ({ db, input }) => {
    const ids = input.all === 1 ? undefined : [...(input.id ? [input.id] : []), ...(input.ids?.split(',') ?? [])]
    await markRead(db, ids, input.tab)
    return { unreadCount: await countUnread(db) }
  }),
]
