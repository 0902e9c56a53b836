import { refuse } from '#contract/kernel/errors.ts'
import { idsOf } from '#contract/kernel/ids.ts'
import { countCap, sliceOf, toCappedPage, toPage } from '#contract/kernel/page.ts'
import type { Resource } from '#contract/kernel/resource.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import { refuseNews } from '#contract/news/news.errors.ts'
import { news } from '#contract/news/news.resource.ts'
import { newsCalls as calls } from '#contract/news/news.routes.ts'
import { notice } from '#contract/news/notice.resource.ts'
import { noticeFile } from '#contract/news/notice-file.resource.ts'
import { audit } from '#kernel/audit.ts'
import { crud } from '#kernel/crud/crud.ts'
import type { Row } from '#kernel/crud/rows.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, type Handler, handle, handleExport, sessionOf } from '#kernel/http/context.ts'
import { rowScopeOf } from '#kernel/http/row-scope.ts'
import { cleanRichText } from '#kernel/rich-text.ts'
import { listedUserScope } from '#modules/access/index.ts'
import { noticeReadSearch, notifySearch, planNoticeReads, planNotifyReads } from './commands/export-reads.ts'
import { makePublicity } from './commands/make-publicity.ts'
import { moveNews, moveNotice, putOnTop } from './commands/move.ts'
import { openNoticeFile, openPicture } from './commands/read-files.ts'
import { remindNotice, remindNotify } from './commands/remind.ts'
import { fileRules } from './commands/save-file.ts'
import { newsRules } from './commands/save-news.ts'
import { noticeRules, noticesWithin } from './commands/save-notice.ts'
import { listFiles, listFilesWithin } from './data/file.repo.ts'
import { countRead, findNews, findWithdrawnNews, pageNews } from './data/news.repo.ts'
import {
  confirm,
  countUnread,
  findShown,
  findWithdrawn,
  latestOwn,
  markRead,
  type NoticeText,
  type OwnLine,
  pageShown,
  type Reader,
} from './data/notice.repo.ts'
import {
  countNoticeReads,
  countNotifyReads,
  countReaders,
  findNoticeRead,
  listNoticeReads,
  listNotifyReads,
  type NoticeReadRow,
  type NotifyReadRow,
} from './data/read.repo.ts'
import type { NewsKit } from './deps.ts'
import { readerOf } from './reader.ts'
import { fileLink, lineOf, newsLineOf } from './views.ts'

const defaultIndexSize = 8
const defaultTabSize = 5

/** A route for whoever is logged in always has a reader. */
const own = (ctx: Ctx): Reader => ({ userId: sessionOf(ctx).userId, isStaff: sessionOf(ctx).userType !== 2 })

/** Rows of the list and the detail, with how many have read them. */
const withReaders = async (db: TenantDb, rows: readonly Row[]): Promise<Row[]> => {
  const counts = await countReaders(
    db,
    rows.map(row => String(row['id'])),
  )
  return rows.map(row => ({ ...row, ...counts.get(String(row['id'])) }))
}

/** Where an examination says whom to ask. */
const contactOf = (phone: string) => (phone === '' ? '' : { zh: `（咨询电话：${phone}）`, en: ` (${phone})` })

const noticeMessage = (row: OwnLine & { readonly isUnread: boolean }, now: Date) => {
  const line = lineOf(row, now)
  return {
    id: line.id,
    examId: line.examId,
    kind: line.noticeType,
    title: line.title,
    content: line.summary,
    link: `/notices/${line.id}`,
    needSure: line.needSure,
    sureTime: line.sureTime,
    readTime: row.readAt && toWireTime(row.readAt),
    createTime: line.releaseTime,
    isNotice: true,
    textVersion: line.textVersion,
    isUnread: row.isUnread,
  }
}
const times = ({ readAt, sureAt }: Pick<NoticeReadRow, 'readAt' | 'sureAt'>) => ({
  readTime: readAt && toWireTime(readAt),
  sureTime: sureAt && toWireTime(sureAt),
})
const noticeReadOf = ({ readAt, sureAt, ...row }: NoticeReadRow) => ({ ...row, ...times({ readAt, sureAt }) })
const notifyReadOf = (ctx: Ctx, { readAt, sureAt, createdAt, titleZh, titleEn, ...row }: NotifyReadRow) => ({
  ...row,
  notifyId: row.id,
  title: ctx.say({ zh: titleZh, en: titleEn }),
  createTime: toWireTime(createdAt),
  ...times({ readAt, sureAt }),
})
/** Long lists are counted as far as their pages need (`count=capped`). */
const capOf = (input: { readonly count?: string }, current: number, size: number): number | undefined =>
  input.count === 'capped' ? countCap(current, size) : undefined

const declined = () => Promise.resolve(refuse('kernel/not-supported', {}))

const examOf = ({ signBegin, signEnd, contactPhone }: NoticeText, now: Date) => ({
  signBegin: signBegin && toWireTime(signBegin),
  signEnd: signEnd && toWireTime(signEnd),
  contactPhone,
  isSigning: signBegin !== null && signEnd !== null && now >= signBegin && now < signEnd,
})

const publicHandlers = (kit: NewsKit): Handler[] => [
  handle(calls.getIndexNotice, async ({ ctx, input }) =>
    (await kit.boards.of(ctx.tenantId)).indexAt(ctx.arrivedAt, input.size ?? defaultIndexSize),
  ),
  handle(calls.getNoticeList, async ({ ctx, db, input }) => {
    const { current, size, offset, waiting, ...of } = sliceOf(input)
    const reader = readerOf(ctx.session)
    if (waiting === 1 && !reader) return toPage([], 0, current, size)
    const { rows, total } = await pageShown(db, reader, { ...of, waiting: waiting === 1 }, size, offset)
    return toPage(
      rows.map(row => lineOf(row, ctx.arrivedAt)),
      total,
      current,
      size,
    )
  }),
  handle(calls.getNoticeInfo, async ({ ctx, db, input }) => {
    const reader = readerOf(ctx.session)
    const found = await findShown(db, reader, input.id)
    if (found)
      return {
        ...lineOf({ ...found, head: found.content.slice(0, 1_500) }, ctx.arrivedAt),
        content: cleanRichText(found.content, { pictures: true }),
        examName: found.examName,
        exam: found.isReleased ? examOf(found, ctx.arrivedAt) : null,
        files: (await ctx.asSystem('files of a notice are read with it', files => listFiles(files, found.id))).map(
          ({ id, name, size }) => ({
            id,
            name,
            size,
            link: fileLink(id),
          }),
        ),
      }
    const gone = await ctx.asSystem('a notice that was withdrawn is said to be', system => findWithdrawn(system, reader, input.id))
    return gone
      ? refuseNews('news/withdrawn', { title: gone.title, time: toWireTime(gone.at), contact: contactOf(gone.phone) })
      : refuse('kernel/not-found', {})
  }),
  handle(calls.newsList, async ({ db, input }) => {
    const { current, size, offset } = sliceOf(input)
    const { rows, total } = await pageNews(db, input.keyword, size, offset)
    return toPage(rows.map(newsLineOf), total, current, size)
  }),
  handle(calls.newsInfo, async ({ ctx, input }) =>
    ctx.asSystem('reading counts, and one that was withdrawn is said to be', async db => {
      const found = await findNews(db, input.id)
      if (found) {
        await countRead(db, input.id)
        return { ...newsLineOf(found), content: cleanRichText(found.content, { pictures: true }) }
      }
      const gone = await findWithdrawnNews(db, input.id)
      return gone
        ? refuseNews('news/withdrawn', { title: gone.title, time: toWireTime(gone.at), contact: '' })
        : refuse('kernel/not-found', {})
    }),
  ),
  handle(calls.readPicture, ({ ctx, input }) => openPicture(kit, ctx, input.id)),
  handle(calls.readNoticeFile, ({ ctx, input }) => openNoticeFile(kit, ctx, input.id)),
]

const ownHandlers = (kit: NewsKit): Handler[] => [
  handle(calls.readNotice, async ({ ctx, db, input }) => {
    const ids = input.all === 1 ? undefined : [...(input.id ? [input.id] : []), ...idsOf(input.ids)]
    await markRead(db, own(ctx), ids)
    return { unreadCount: await countUnread(db, own(ctx)) }
  }),
  handle(calls.sureNotify, async ({ ctx, db, input }) => {
    const message = await kit.message.confirm(db, input.id)
    const shown = message || input.textVersion === undefined ? undefined : await findShown(db, own(ctx), input.id)
    if (shown && shown.textVersion !== input.textVersion) return refuseNews('news/text-changed', { title: shown.title })
    const sureAt = message ?? (await confirm(db, own(ctx), input.id))
    if (!sureAt) return refuse('kernel/not-found', {})
    const what = message ? 'notify' : 'notice'
    await audit(db, ctx, { action: `${what}.confirmed`, entity: what, entityId: input.id })
    return { sureTime: toWireTime(sureAt) }
  }),
  handle(calls.ownNotices, async ({ ctx, db, input }) => {
    const count = input.latest ?? defaultTabSize
    const messages = (await kit.message.latest(ctx, db, count)).map(tab => ({
      ...tab,
      records: tab.records.map(record => ({ ...record, isNotice: false, textVersion: null, isUnread: record.readTime === null })),
    }))
    const rows = await latestOwn(db, own(ctx), count)
    const notices = {
      tab: 'notices' as const,
      unreadCount: rows[0]?.unread ?? 0,
      total: rows[0]?.total ?? 0,
      records: rows.map(row => noticeMessage(row, ctx.arrivedAt)),
    }
    const tabs = [...messages, notices]
    return {
      unreadCount: tabs.reduce((sum, one) => sum + one.unreadCount, 0),
      hasSamples: kit.services.config.profile !== 'production',
      tabs,
    }
  }),
]

export const newsHandlers = (kit: NewsKit): Handler[] => [
  ...publicHandlers(kit),
  ...ownHandlers(kit),
  ...crud(notice as Resource, { ...noticeRules(kit), more: withReaders }),
  ...crud(noticeFile as Resource, fileRules(kit)),
  ...crud(news as Resource, newsRules(kit)),
  handle(calls.getNoticeFiles, async ({ ctx, db, input }) => {
    const scope = { files: rowScopeOf(ctx.session, noticeFile as Resource), notice: noticesWithin(sessionOf(ctx)) }
    return (await listFilesWithin(db, input.noticeId, scope)).map(({ noticeId: _, ...row }) => ({ ...row, link: fileLink(row.id) }))
  }),
  handle(calls.moveNotice, ({ ctx, db, input: { dryRun, ...move } }) => moveNotice(kit, ctx, db, move, dryRun === 1)),
  handle(calls.putOnTop, ({ ctx, db, input }) => putOnTop(ctx, db, input.id, input.isTop === 1)),
  handle(calls.previewText, async ({ input }) => ({ content: cleanRichText(input.content, { pictures: true }) })),
  handle(calls.makePublicity, ({ ctx, db, input }) => makePublicity(kit, ctx, db, input)),
  handle(calls.moveNews, ({ ctx, db, input }) => moveNews(ctx, db, input)),
  handle(calls.noticeReads, async ({ ctx, db, input }) => {
    const { current, size, offset, count: _, ...of } = sliceOf(input)
    const cap = capOf(input, current, size)
    const search = await noticeReadSearch(ctx, db, of)
    if (!search) return refuse('kernel/not-found', {})
    const [rows, total] = await Promise.all([listNoticeReads(db, search, { size, offset }), countNoticeReads(db, search, cap)])
    return toCappedPage(rows.map(noticeReadOf), total, cap, current, size)
  }),
  handle(calls.noticeReadOne, async ({ ctx, db, input }) => {
    const row = await findNoticeRead(db, input.id, listedUserScope(ctx.session))
    if (!row) return refuse('kernel/not-found', {})
    await audit(db, ctx, { action: 'notice-read.read', entity: 'notice', entityId: row.noticeId, after: { userId: row.userId } })
    return noticeReadOf(row)
  }),
  handleExport(calls.exportNoticeReads, ({ ctx, input }) => planNoticeReads(ctx, input)),
  handle(calls.remindNotice, ({ ctx, db, input }) => remindNotice(ctx, db, input.noticeId)),
  handle(calls.submitNoticeRead, declined),
  handle(calls.removeNoticeRead, declined),
  handle(calls.notifyReads, async ({ ctx, db, input }) => {
    const { current, size, offset, count: _, ...rest } = sliceOf(input)
    const of = { ...notifySearch(rest), people: listedUserScope(ctx.session) }
    const cap = capOf(input, current, size)
    const [rows, total] = await Promise.all([listNotifyReads(db, of, { size, offset }), countNotifyReads(db, of, cap)])
    return toCappedPage(
      rows.map(row => notifyReadOf(ctx, row)),
      total,
      cap,
      current,
      size,
    )
  }),
  handle(calls.notifyReadOne, async ({ ctx, db, input }) => {
    const [row] = await listNotifyReads(db, { ids: [input.id], people: listedUserScope(ctx.session) }, { size: 1, offset: 0 })
    if (!row) return refuse('kernel/not-found', {})
    await audit(db, ctx, { action: 'notify-read.read', entity: 'notify', entityId: row.id, after: { userId: row.userId } })
    return notifyReadOf(ctx, row)
  }),
  handleExport(calls.exportNotifyReads, ({ ctx, input }) => planNotifyReads(ctx, input)),
  handle(calls.remindNotify, ({ ctx, db, input }) => remindNotify(kit, ctx, db, idsOf(input.ids))),
  handle(calls.submitNotifyRead, declined),
  handle(calls.removeNotifyRead, declined),
]
