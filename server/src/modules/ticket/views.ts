import type { OutputOf } from '#contract/kernel/route.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import type { getTicketInfo, getTicketNotice } from '#contract/ticket/ticket.routes.ts'
import { ticketMachine } from '#contract/ticket/ticket.state.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import type { Ctx, Session } from '#kernel/http/context.ts'
import { findExam } from '#modules/exam/index.ts'
import { findNotice, isNoticeRead } from './data/notice.repo.ts'
import type { TicketRow, TicketScope } from './data/ticket.repo.ts'

type TicketView = OutputOf<typeof getTicketInfo>['ticket']
type NoticeView = OutputOf<typeof getTicketNotice>

const when = (instant: Date | null): string | null => (instant ? toWireTime(instant) : null)
export const isCandidate = (ctx: Ctx): boolean => ctx.session?.userType === 2
export const me = (ctx: Ctx): string => ctx.session?.userId ?? '0'

/** Who sees the tickets of the whole tenant; others see those of their unit or site (domain 2.2). */
const wholeTenant = ['exam_admin', 'admin', 'administrator', 'auditor']

export const scopeOf = (session: Session | undefined): TicketScope => {
  if (!session || session.userType === 2 || wholeTenant.some(role => session.roleAliases.has(role))) return undefined
  if (session.roleAliases.has('site')) return { sites: session.userCodes }
  return session.roleAliases.has('unit_hr') ? { units: session.userCodes } : undefined
}

/** A ticket on the wire. */
export const viewTicket = (row: TicketRow): TicketView => ({
  id: row.id,
  examId: row.examId,
  itemId: row.itemId,
  itemName: row.itemName,
  signUpId: row.signupId,
  signNo: row.signNo,
  type: row.type,
  ticketNo: row.ticketNo,
  name: row.name,
  idCardMask: row.idCardMask,
  unitName: row.unitName,
  code: row.code,
  codeName: row.codeName,
  siteCode: row.siteCode,
  siteName: row.siteName,
  siteAddress: row.siteAddress,
  roomNo: row.roomNo,
  roomName: row.roomName,
  floor: row.floor,
  seatNo: row.seatNo,
  startTime: toWireTime(row.startTime),
  endTime: toWireTime(row.endTime),
  reportTime: when(row.reportTime),
  groupNo: row.groupNo,
  waitRoom: row.waitRoom,
  drawNo: row.drawNo,
  ticketState: ticketMachine.wire[row.ticketState],
  allotVersion: row.allotVersion,
  isRendered: row.pdfFileId !== null,
  firstDownTime: when(row.firstDownTime),
  downCount: row.downCount,
  remark: row.remark,
  version: row.version,
})

/** The notice with the window that holds: its own, else that of the examination. Undefined when the examination is not visible. */
export const viewNotice = async (
  db: TenantDb,
  examId: string,
  itemId: string | undefined,
  candidateId: string | undefined,
): Promise<NoticeView | undefined> => {
  const exam = await findExam(db, examId)
  if (!exam) return undefined
  const notice = await findNotice(db, examId, itemId)
  return {
    id: notice?.id ?? '',
    examId,
    itemId: notice?.itemId ?? '0',
    title: notice?.title ?? '',
    content: notice?.content ?? '',
    downBegin: when(notice?.downBegin ?? exam.ticketBegin),
    downEnd: when(notice?.downEnd ?? exam.ticketEnd),
    needRead: notice?.needRead ?? false,
    readSeconds: notice?.readSeconds ?? 10,
    isUpload: notice?.isUpload ?? false,
    uploadKinds: [...(notice?.uploadKinds ?? [])],
    uploadHours: notice?.uploadHours ?? 48,
    needPromise: notice?.needPromise ?? false,
    read: candidateId !== undefined && (await isNoticeRead(db, examId, candidateId)),
    version: notice?.version ?? 0,
  }
}
