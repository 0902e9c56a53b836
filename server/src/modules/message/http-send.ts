import { refuse } from '#contract/kernel/errors.ts'
import { idsOf } from '#contract/kernel/ids.ts'
import { sliceOf, toPage } from '#contract/kernel/page.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import { batchScene } from '#contract/message/scenes.ts'
import { sendMessage, sendOrder, sendPay } from '#contract/message/send.resources.ts'
import * as routes from '#contract/message/send.routes.ts'
import { audiences } from '#contract/message/send.state.ts'

import { type CrudSeams, crud } from '#kernel/crud/crud.ts'
import { fileName } from '#kernel/crud/export.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, type Handler, handle, handleExport, Refused } from '#kernel/http/context.ts'
import { type RunImport, templateBook } from '#modules/transfer/index.ts'
import { dailyBudget } from './commands/budget-news.ts'
import { approveTask, cancelTask, removeAll, removeMessages, resendTask, submitTask } from './commands/change-task.ts'
import { makeDraft, ownVariables, personVariablesOf, reachOf } from './commands/make-draft.ts'
import { askRecharge, cancelRecharge, readPackages, rechargeState, removeRequests, requestRecharge } from './commands/recharge.ts'
import { pendingRecharges, sureRecharge } from './commands/sure-recharge.ts'
import { ownTasksOnly, reachedTask, viewTask } from './commands/view-task.ts'
import { readBalance } from './data/balance.repo.ts'
import {
  countAudience,
  countToday,
  examOf,
  findTemplate,
  listTemplates,
  ofOwnTasks,
  pageMessages,
  pageTasks,
  previewRows,
  type TemplateShown,
} from './data/send.repo.ts'
import type { MessageKit } from './deps.ts'
import { quietHours } from './domain/quiet.ts'
import { columnsOf, peopleColumns } from './imports/people-import.ts'

const templateOf = (row: TemplateShown) => ({
  id: row.id,
  code: row.code,
  name: row.name,
  content: row.content,
  contentEn: row.contentEn,
  personVars: [...personVariablesOf(row)],
  ownVars: [...ownVariables(row)],
  hasSms: row.templateId !== '',
})

/** Messages are made by their tasks, orders by what they are for. */
const declined = () => Promise.resolve(refuse('kernel/not-supported', {}))

const planTemplate = async (ctx: Ctx, templateId: string) => {
  const template = await ctx.tx(db => findTemplate(db, templateId))
  if (!template) throw new Refused(refuse('kernel/not-found', {}))
  const columns = {
    ...peopleColumns,
    ...Object.fromEntries(columnsOf(template, {}).map(name => [name, { header: name, required: true }])),
  }
  const { sheets } = templateBook(ctx.say, { zh: '短信名单', en: 'People to write to' }, columns, {
    phone: {
      note: {
        zh: '11 位手机号，可带 +86 或空格；不能重复',
        en: 'A mobile number of 11 digits; none may be there twice',
      },
      sample: '13800000000',
    },
    name: { note: { zh: '用于核对，也可用作变量', en: 'To know people by, and a variable' }, sample: '王测' },
  })
  return {
    fileName: fileName(
      ctx.say({ zh: '短信导入模板', en: 'People to write to' }),
      template.name,
      toWireTime(ctx.arrivedAt).replace(/\D/g, ''),
    ),
    total: 0,
    audit: { action: 'send.template-exported', entity: 'send', entityId: null, after: { template: template.code } },
    book: { sheets },
  }
}

/** Staff of a unit read the messages that they have sent. */
const messageRows: CrudSeams = {
  visible: ctx => {
    const own = ownTasksOnly(ctx)
    return own === undefined ? undefined : ofOwnTasks(own)
  },
}

export const sendHandlers = (kit: MessageKit, importPeople: RunImport): readonly Handler[] => {
  const quietOf = async (db: TenantDb) => (await kit.deps.parametersOf(db, ['sms.quiet']))['sms.quiet']
  const shown = async (ctx: Ctx, db: TenantDb, id: string) => viewTask(ctx, await reachedTask(ctx, db, id), await quietOf(db))
  return [
    ...crud(sendMessage, messageRows),
    ...crud(sendPay),
    ...crud(sendOrder),
    handle(routes.getSendInfo, async ({ ctx, db, input }) => {
      const { examId } = input
      if (examId !== undefined && !(await examOf(db, examId))) return refuse('kernel/not-found', {})
      const reach = reachOf(ctx)
      const counts: { key: string; count: number }[] = []
      if (examId !== undefined)
        for (const key of audiences) if (key !== 'workbook') counts.push({ key, count: await countAudience(db, examId, key, reach) })
      return {
        ...(await readBalance(db)),
        todaySent: await countToday(db),
        dailyBudget: await dailyBudget(kit.deps, db),
        quiet: quietHours(await quietOf(db)),
        hasService: (await kit.sms.current(db)).rowId !== null,
        templates: (await listTemplates(db, batchScene)).map(templateOf),
        audiences: counts,
      }
    }),
    handle(routes.getSendTemplate, async ({ db, input }) => (await listTemplates(db, input.scene ?? batchScene)).map(templateOf)),
    handleExport(routes.exportSendTemplate, ({ ctx, input }) => planTemplate(ctx, input.templateId)),
    handle(routes.importMessage, ({ ctx, input }) =>
      importPeople(ctx, routes.importMessage.path, { ...input, options: { sendId: input.sendId ?? '' } }),
    ),
    handle(routes.draftSend, async ({ ctx, db, input }) => {
      const id = await makeDraft(kit, ctx, db, input)
      return { task: await shown(ctx, db, id), previews: await previewRows(db, id), ...(await readBalance(db)) }
    }),
    handle(routes.sendMessageNow, async ({ ctx, db, input }) => {
      const id = input.sendId ?? (await makeDraft(kit, ctx, db, input))
      await submitTask(kit, ctx, db, id, input.scheduleTime)
      return shown(ctx, db, id)
    }),
    handle(routes.listSends, async ({ ctx, db, input }) => {
      const { current, size, offset } = sliceOf(input)
      const of = { examId: input.examId, state: input.state, createdBy: ownTasksOnly(ctx) }
      const { rows, total } = await pageTasks(db, of, size, offset)
      const quiet = await quietOf(db)
      return toPage(
        rows.map(row => viewTask(ctx, row, quiet)),
        total,
        current,
        size,
      )
    }),
    handle(routes.sendDetail, ({ ctx, db, input }) => shown(ctx, db, input.sendId)),
    handle(routes.getMessages, async ({ ctx, db, input }) => {
      await reachedTask(ctx, db, input.sendId)
      const { current, size, offset } = sliceOf(input)
      const { rows, total } = await pageMessages(db, input.sendId, input.state, size, offset)
      return toPage(
        rows.map(row => ({ ...row, sendTime: row.sendTime && toWireTime(row.sendTime) })),
        total,
        current,
        size,
      )
    }),
    handle(routes.deleteMessage, ({ ctx, db, input }) => removeMessages(ctx, db, idsOf(input.ids))),
    handle(routes.removeSendMessage, ({ ctx, db, input }) => removeMessages(ctx, db, idsOf(input.ids))),
    handle(routes.deleteAll, ({ ctx, db, input }) => removeAll(ctx, db, input.sendId)),
    handle(routes.approveSend, async ({ ctx, db, input }) => {
      await approveTask(kit, ctx, db, input.sendId, input.pass === 1, (input.reason ?? '').trim())
      return shown(ctx, db, input.sendId)
    }),
    handle(routes.cancelSend, async ({ ctx, db, input }) => {
      await cancelTask(ctx, db, input.sendId)
      return shown(ctx, db, input.sendId)
    }),
    handle(routes.resendFailed, async ({ ctx, db, input }) => {
      await resendTask(kit, ctx, db, input.sendId)
      return shown(ctx, db, input.sendId)
    }),
    handle(routes.getSendPackages, ({ ctx }) => readPackages(kit, ctx)),
    handle(routes.getSendPayQrcode, ({ ctx, input }) => askRecharge(kit, ctx, input.packagesId)),
    handle(routes.checkSendOrder, ({ ctx, input }) => rechargeState(kit, ctx, input.orderNo)),
    handle(routes.cancelSendOrder, ({ ctx, input }) => cancelRecharge(kit, ctx, input.orderNo)),
    handle(routes.submitSendPay, ({ ctx, input }) => requestRecharge(kit, ctx, input)),
    handle(routes.removeSendPay, ({ ctx, db, input }) => removeRequests(ctx, db, idsOf(input.ids))),
    handle(routes.sureSendPay, ({ ctx, input }) => sureRecharge(kit, ctx, input)),
    handle(routes.pendingSendPays, ({ ctx }) => pendingRecharges(kit, ctx)),
    handle(routes.submitSendOrder, declined),
    handle(routes.removeSendOrder, declined),
    handle(routes.submitSendMessage, declined),
  ]
}
