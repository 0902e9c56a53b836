import { Type } from 'typebox'
import { exportJobView } from '../kernel/export-job.ts'
import { keywordOf, markOf, shows, showsWhole } from '../kernel/field-rule.ts'
import { pageInput, pageOf } from '../kernel/page.ts'
import { defineRoute, type Route } from '../kernel/route.ts'
import { flag, id, ids, int, named, nullable, optional, strict, text } from '../kernel/schema.ts'
import { ticketNoun } from './ticket.noun.ts'

/** Who has downloaded a ticket and who has not, and the health documents that a notice asks for (domain 5.8). */
const downFilter = {
  examId: id(),
  itemId: optional(id()),
  downloaded: optional(named({ zh: '是否已下载', en: 'Downloaded' }, flag())),
  /** 0 not looked at, 1 normal, 2 not normal. */
  state: optional(named({ zh: '核验状态', en: 'State of the check' }, int(0, 2))),
  keyword: optional(keywordOf([markOf(ticketNoun, 'name'), markOf(ticketNoun, 'ticketNo')], text(50))),
}

const link = () => showsWhole(ticketNoun, 'health', nullable(Type.String()))

export const downRow = Type.Object({
  id: Type.String(),
  itemName: Type.String(),
  ticketNo: shows(ticketNoun, 'ticketNo', Type.String()),
  name: shows(ticketNoun, 'name', Type.String()),
  siteName: Type.String(),
  roomNo: Type.String(),
  seatNo: Type.String(),
  firstDownTime: nullable(Type.String()),
  downCount: Type.Integer(),
  /** Of the last download: 1 computer, 2 phone. */
  client: nullable(Type.Integer()),
  ip: nullable(Type.String()),
  /** Empty where nothing was sent. */
  healthId: Type.String(),
  healthState: nullable(Type.Integer()),
  healthTime: nullable(Type.String()),
  /** When the documents were issued, as their sender says. */
  healthReportTime: nullable(Type.String()),
  checkRemark: showsWhole(ticketNoun, 'health', nullable(Type.String())),
  /** The images were erased. */
  erased: Type.Boolean(),
  /** Links of ten minutes. */
  jkm: link(),
  xcm: link(),
  hsjcbg: link(),
})

export const ticketDownList = defineRoute({
  method: 'GET',
  path: '/blade-ticketNotice/ticketnotice/ticketDownList',
  access: { staff: 'ticketdown_view' },
  input: strict({ ...pageInput, ...downFilter }),
  output: pageOf(downRow),
  tx: 'read',
})

export const exportTicketDownExcel = defineRoute({
  method: 'POST',
  path: '/blade-ticketNotice/ticketnotice/exportTicketDownExcel',
  access: { staff: 'ticketdown_export' },
  input: strict(downFilter),
  output: exportJobView,
  answer: 'file',
  tx: 'own',
})

export const checkHealth = defineRoute({
  method: 'POST',
  path: '/blade-ticketNotice/ticketnotice/checkHealth',
  access: { staff: 'ticketdown_check' },
  input: strict({
    ids: ids(),
    state: named({ zh: '核验结果', en: 'Result of the check' }, Type.Union([Type.Literal(1), Type.Literal(2)])),
    remark: optional(text(200)),
  }),
  several: { because: 'it counts what it has checked' },
  output: Type.Object({ checked: Type.Integer() }),
  means: 'what the office found in health documents',
})

export const downRoutes = [ticketDownList, exportTicketDownExcel, checkHealth] as const satisfies readonly Route[]
