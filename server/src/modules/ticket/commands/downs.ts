import { refuse } from '#contract/kernel/errors.ts'
import { markOf } from '#contract/kernel/field-rule.ts'
import { idsOf } from '#contract/kernel/ids.ts'
import { sliceOf, toPage } from '#contract/kernel/page.ts'
import type { InputOf } from '#contract/kernel/route.ts'
import { stateField } from '#contract/kernel/state-field.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import type { checkHealth, exportTicketDownExcel, ticketDownList } from '#contract/ticket/down.routes.ts'
import { healthStates } from '#contract/ticket/health.state.ts'
import { refuseTicket } from '#contract/ticket/ticket.errors.ts'
import { ticketNoun } from '#contract/ticket/ticket.noun.ts'
import { audit } from '#kernel/audit.ts'
import { planSheet } from '#kernel/crud/export.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, type ExportPlan, Refused, sessionOf } from '#kernel/http/context.ts'
import { findExam } from '#modules/exam/index.ts'
import { countDowns, type DownFilter, type DownRow, pageDowns, writeHealthCheck } from '../data/down.repo.ts'
import type { TicketContext } from '../deps.ts'
import { scopeOf } from '../views.ts'

type Search = InputOf<typeof exportTicketDownExcel>

const filterOf = (ctx: Ctx, { examId, itemId, downloaded, state, keyword }: Search): DownFilter => ({
  ...{ examId, itemId, keyword, healthState: state, scope: scopeOf(ctx.session) },
  downloaded: downloaded === undefined ? undefined : downloaded === 1,
})
const when = (instant: Date | null): string | null => (instant ? toWireTime(instant) : null)

/** Who has downloaded and who has not, with links to the health documents. */
export const listDowns = async (context: TicketContext, ctx: Ctx, db: TenantDb, input: InputOf<typeof ticketDownList>) => {
  if (!(await findExam(db, input.examId))) return refuse('kernel/not-found', {})
  const { current, size, offset } = sliceOf(input)
  const filter = filterOf(ctx, input)
  const [total, rows] = [await countDowns(db, filter), await pageDowns(db, filter, { size, offset })]
  const reader = { tenantId: ctx.tenantId, userId: sessionOf(ctx).userId }
  const link = (fileId: string | null): string | null => (fileId === null ? null : context.file.linkFor(reader, fileId, ctx.arrivedAt))
  return toPage(
    rows.map(row => ({
      ...{ id: row.id, itemName: row.itemName, ticketNo: row.ticketNo, name: row.name },
      ...{ siteName: row.siteName, roomNo: row.roomNo, seatNo: row.seatNo },
      ...{ firstDownTime: when(row.firstDownTime), downCount: row.downCount, client: row.client, ip: row.ip },
      ...{
        healthId: row.healthId ?? '',
        healthState: row.healthState,
        healthTime: when(row.healthTime),
        healthReportTime: when(row.healthReportTime),
        checkRemark: row.checkRemark,
      },
      erased: row.erasedAt !== null,
      ...{ jkm: link(row.jkm), xcm: link(row.xcm), hsjcbg: link(row.hsjcbg) },
    })),
    total,
    current,
    size,
  )
}

const batch = 1_000
const states = stateField(healthStates).words

/** The same as a workbook (domain 5.10 准考证下载情况): documents are said to be there, not shown. */
export const planDowns = async (ctx: Ctx, input: Search): Promise<ExportPlan> => {
  const filter = filterOf(ctx, input)
  const total = await ctx.tx(async db => {
    if (!(await findExam(db, input.examId))) throw new Refused(refuse('kernel/not-found', {}))
    return countDowns(db, filter)
  })
  async function* rows(): AsyncGenerator<DownRow> {
    for (let offset = 0; offset < total; offset += batch) yield* await ctx.tx(db => pageDowns(db, filter, { size: batch, offset }))
  }
  const health = markOf(ticketNoun, 'health')
  const document = (name: 'jkm' | 'xcm' | 'hsjcbg', zh: string, en: string) => ({
    ...{ name, label: { zh, en }, field: health },
    value: (row: DownRow) =>
      row[name] !== null ? ctx.say({ zh: '已上传', en: 'Sent' }) : row.erasedAt ? ctx.say({ zh: '已清除', en: 'Erased' }) : '',
  })
  return planSheet<DownRow>(ctx, {
    label: { zh: '准考证下载情况', en: 'Downloads of tickets' },
    action: 'ticket-down.exported',
    entity: 'ticket',
    filter: input,
    total,
    columns: [
      {
        name: 'ticketNo',
        label: { zh: '准考证号', en: 'Ticket number' },
        field: markOf(ticketNoun, 'ticketNo'),
        value: row => row.ticketNo,
      },
      { name: 'name', label: { zh: '姓名', en: 'Name' }, field: markOf(ticketNoun, 'name'), value: row => row.name },
      { name: 'itemName', label: { zh: '科目', en: 'Paper' }, value: row => row.itemName },
      { name: 'siteName', label: { zh: '考点', en: 'Site' }, value: row => row.siteName },
      { name: 'roomNo', label: { zh: '考场', en: 'Room' }, value: row => row.roomNo },
      { name: 'seatNo', label: { zh: '座位', en: 'Seat' }, value: row => row.seatNo },
      { name: 'firstDownTime', label: { zh: '下载时间', en: 'Downloaded at' }, value: row => when(row.firstDownTime) ?? '' },
      { name: 'downCount', label: { zh: '次数', en: 'Times' }, kind: 'number', value: row => row.downCount },
      document('jkm', '健康码', 'Health code'),
      document('xcm', '行程码', 'Travel code'),
      document('hsjcbg', '核酸报告', 'Test report'),
      {
        name: 'healthState',
        label: { zh: '核验状态', en: 'Check' },
        field: health,
        value: row => ctx.say(states[row.healthState ?? -1] ?? { zh: '', en: '' }),
      },
    ],
    rows: rows(),
  })
}

/** What the office found. Documents that are not normal need a word, and their sender is told to ask. */
export const checkHealthOf = async (context: TicketContext, ctx: Ctx, db: TenantDb, input: InputOf<typeof checkHealth>) => {
  const ids = [...new Set(idsOf(input.ids))]
  const remark = (input.remark ?? '').trim()
  if (input.state === 2 && remark === '') throw new Refused(refuseTicket('ticket/reason', {}))
  const rows = await writeHealthCheck(db, ids, { state: input.state, remark: remark || null, filter: { scope: scopeOf(ctx.session) } })
  if (rows.length !== ids.length) throw new Refused(refuse('kernel/not-found', {}))
  for (const row of rows) {
    await audit(db, ctx, {
      action: 'ticket-health.checked',
      entity: 'examination',
      entityId: row.examId,
      after: { id: row.id, state: input.state, remark },
    })
    if (input.state === 2)
      await context.message.notify(db, {
        userId: row.userId,
        examId: row.examId,
        kind: 3,
        title: { zh: '防疫材料异常', en: 'Your health documents' },
        content: {
          zh: `工作人员核验您的防疫材料后认为异常：${remark}。请按要求重新上传或联系考务。`,
          en: `The office found something in your health documents: ${remark}. Send them anew as asked, or contact the office.`,
        },
        link: '/signup/ticket',
        eventKey: `ticket-health:${row.id}:${input.state}`,
      })
  }
  return { checked: rows.length }
}
