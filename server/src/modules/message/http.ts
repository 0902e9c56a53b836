import { refuse } from '#contract/kernel/errors.ts'
import { sliceOf, toPage } from '#contract/kernel/page.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import { noticeList, ownNotices, readNotify, sureNotify } from '#contract/message/message.routes.ts'
import { audit } from '#kernel/audit.ts'
import { type Ctx, type Handler, handle } from '#kernel/http/context.ts'
import { confirmNotice, countUnread, listLatest, markRead, type NotifyRow, notifyTabs, pageNotices } from './data/notify.repo.ts'

const present = (ctx: Ctx, row: NotifyRow) => ({
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

const defaultTabSize = 5

export const messageHandlers = (): Handler[] => [
  handle(noticeList, async ({ ctx, db, input }) => {
    const { current, size, offset } = sliceOf(input)
    const { rows, total } = await pageNotices(db, { kind: input.kind, isUnread: input.unread === 1 }, size, offset)
    return {
      ...toPage(
        rows.map(row => present(ctx, row)),
        total,
        current,
        size,
      ),
      unreadCount: await countUnread(db),
    }
  }),
  handle(ownNotices, async ({ ctx, db, input }) => {
    const rows = await listLatest(db, input.latest ?? defaultTabSize)
    const shown = notifyTabs.map(tab => {
      const own = rows.filter(row => row.tab === tab)
      return { tab, unreadCount: own[0]?.unread ?? 0, total: own[0]?.total ?? 0, records: own.map(row => present(ctx, row)) }
    })
    return { unreadCount: shown.reduce((sum, one) => sum + one.unreadCount, 0), tabs: shown }
  }),
  handle(readNotify, async ({ db, input }) => {
    const ids = input.all === 1 ? undefined : [...(input.id ? [input.id] : []), ...(input.ids?.split(',') ?? [])]
    await markRead(db, ids, input.tab)
    return { unreadCount: await countUnread(db) }
  }),
  handle(sureNotify, async ({ ctx, db, input }) => {
    const sureAt = await confirmNotice(db, input.id)
    if (!sureAt) return refuse('kernel/not-found', {})
    await audit(db, ctx, { action: 'notify.confirmed', entity: 'notify', entityId: input.id })
    return { sureTime: toWireTime(sureAt) }
  }),
]
