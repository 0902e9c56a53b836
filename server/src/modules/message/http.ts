import { crudRoutes } from '#contract/kernel/crud-routes.ts'
import { idsOf } from '#contract/kernel/ids.ts'
import { sliceOf, toPage } from '#contract/kernel/page.ts'
import type { Route } from '#contract/kernel/route.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import { enableSms, ownMessages, readNotify, sendSmsMessage } from '#contract/message/message.routes.ts'
import { sendTemplate } from '#contract/message/send-template.resource.ts'
import { smsService } from '#contract/message/sms.resource.ts'
import { noteCall, toldState } from '#contract/message/told.routes.ts'
import { crud } from '#kernel/crud/crud.ts'
import { type Ctx, type Handler, handle } from '#kernel/http/context.ts'
import { enableService, removeServices, saveService } from './commands/save-service.ts'
import { templateRows } from './commands/save-template.ts'
import { testSend } from './commands/test-send.ts'
import { noteToldByCall, readTold } from './commands/told.ts'
import { countUnread, markRead, type NotifyRow, pageNotices } from './data/notify.repo.ts'
import type { MessageKit } from './deps.ts'

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

type Row = Readonly<Record<string, unknown>>
const ofService = (verb: 'submit' | 'remove'): Route => crudRoutes(smsService)[verb] as Route

export const messageHandlers = (kit: MessageKit): Handler[] => [
  ...crud(smsService),
  ...crud(sendTemplate, templateRows(kit)),
  handle(ofService('submit'), ({ ctx, input }) => saveService(kit, ctx, input as Row)),
  handle(ofService('remove'), ({ ctx, input }) => removeServices(ctx, idsOf(String((input as Row)['ids'] ?? '')))),
  handle(enableSms, ({ ctx, db, input }) => enableService(ctx, db, input.id, input.off === 1)),
  handle(sendSmsMessage, ({ ctx, input }) => testSend(kit, ctx, input)),
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
  handle(toldState, ({ ctx, db, input }) => readTold(ctx, db, input.of)),
  handle(noteCall, ({ ctx, db, input }) => noteToldByCall(ctx, db, input.of, input.note)),
  handle(readNotify, async ({ db, input }) => {
    const ids = input.all === 1 ? undefined : [...(input.id ? [input.id] : []), ...(input.ids?.split(',') ?? [])]
    await markRead(db, ids, input.tab)
    return { unreadCount: await countUnread(db) }
  }),
]
