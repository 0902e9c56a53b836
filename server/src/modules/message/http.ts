import { refuse } from '#contract/kernel/errors.ts'
import { sliceOf, toPage } from '#contract/kernel/page.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import { noticeList, ownNotices, readNotify, sureNotify } from '#contract/message/message.routes.ts'
import { audit } from '#kernel/audit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { allOf, sql } from '#kernel/db/sql.ts'
import { type Ctx, type Handler, handle } from '#kernel/http/context.ts'

interface NotifyRow {
  readonly id: string
  readonly examId: string | null
  readonly kind: number
  readonly titleZh: string
  readonly titleEn: string
  readonly contentZh: string
  readonly contentEn: string
  readonly link: string
  readonly needSure: boolean
  readonly sureAt: Date | null
  readonly readAt: Date | null
  readonly createdAt: Date
}

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

export const countUnread = async (db: TenantDb): Promise<number> =>
  (await db.one(sql<{ n: number }>`select count(*)::int as n from notify where user_id = ${db.actor.userId} and read_at is null`)).n

const tabs = ['mail', 'messages', 'notices'] as const
/** Which tab of the popover a notice stands in. */
const tabOf = sql`case when need_sure then 'notices' when kind = 7 then 'mail' else 'messages' end`
const notifyColumns = sql`
  id::text as id, exam_id::text as "examId", kind, title_zh as "titleZh", title_en as "titleEn", content_zh as "contentZh", content_en as "contentEn", link,
  need_sure as "needSure", sure_at as "sureAt", read_at as "readAt", created_at as "createdAt"`
const defaultTabSize = 5

export const messageHandlers = (): Handler[] => [
  handle(noticeList, async ({ ctx, db, input }) => {
    const { current, size, offset } = sliceOf(input)
    const where = allOf([
      sql`user_id = ${db.actor.userId}`,
      input.kind !== undefined && sql`kind = ${input.kind}`,
      input.unread === 1 && sql`read_at is null`,
    ])
    const rows = await db.all(sql<NotifyRow>`
      select ${notifyColumns} from notify where ${where} order by (need_sure and sure_at is null) desc, id desc limit ${size} offset ${offset}`)
    const { total } = await db.one(sql<{ total: number }>`select count(*)::int as total from notify where ${where}`)
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
    const rows = await db.all(sql<NotifyRow & { tab: (typeof tabs)[number]; total: number; unread: number }>`
      select * from (
        select ${notifyColumns}, ${tabOf} as tab, count(*) over (partition by ${tabOf})::int as total,
          count(*) filter (where read_at is null) over (partition by ${tabOf})::int as unread,
          row_number() over (partition by ${tabOf} order by (need_sure and sure_at is null) desc, id desc) as place
        from notify where user_id = ${db.actor.userId}) n
      where place <= ${input.latest ?? defaultTabSize} order by place`)
    const shown = tabs.map(tab => {
      const own = rows.filter(row => row.tab === tab)
      return { tab, unreadCount: own[0]?.unread ?? 0, total: own[0]?.total ?? 0, records: own.map(row => present(ctx, row)) }
    })
    return { unreadCount: shown.reduce((sum, one) => sum + one.unreadCount, 0), tabs: shown }
  }),
  handle(readNotify, async ({ db, input }) => {
    const ids = input.all === 1 ? undefined : [...(input.id ? [input.id] : []), ...(input.ids?.split(',') ?? [])]
    await db.run(
      sql`update notify set read_at = app_now() where user_id = ${db.actor.userId} and read_at is null
        ${ids ? sql`and id = any(${ids}::bigint[])` : sql``} ${input.tab === undefined ? sql`` : sql`and ${tabOf} = ${input.tab}`}`,
    )
    return { unreadCount: await countUnread(db) }
  }),
  handle(sureNotify, async ({ ctx, db, input }) => {
    const row = await db.maybe(sql<{ sureAt: Date }>`
      update notify set sure_at = coalesce(sure_at, app_now()), read_at = coalesce(read_at, app_now()) where id = ${input.id} and user_id = ${db.actor.userId} and need_sure
      returning sure_at as "sureAt"`)
    if (!row) return refuse('kernel/not-found', {})
    await audit(db, ctx, { action: 'notify.confirmed', entity: 'notify', entityId: input.id })
    return { sureTime: toWireTime(row.sureAt) }
  }),
]
