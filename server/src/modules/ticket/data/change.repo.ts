import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'
import type { TicketType } from './ticket.repo.ts'

/** Throws the pages of these people away: they no longer show the truth. */
export const dropPages = async (db: TenantDb, signupIds: readonly string[], type: TicketType): Promise<void> => {
  await db.run(sql`
    update ticket set pdf_file_id = null, pdf_sha256 = null
    where signup_id = any(${[...signupIds]}::bigint[]) and type = ${type} and ticket_state <> 'void' and not is_deleted`)
}

/** The next version of these rows; what the public has seen gets the next version of its page as well. */
export const raiseVersion = async (db: TenantDb, ids: readonly string[], isPublic: boolean): Promise<void> => {
  await db.run(sql`
    update ticket set version = version + 1, pdf_version = pdf_version + ${isPublic ? 1 : 0}, updated_at = app_now(), updated_by = ${db.actor.userId}
    where id = any(${[...ids]}::bigint[])`)
}

export interface TicketTimes {
  readonly startTime: Date
  readonly endTime: Date
  readonly reportTime: Date | null
}
export const writeTimes = async (db: TenantDb, id: string, times: TicketTimes, remark: string | null): Promise<void> => {
  await db.run(sql`
    update ticket set start_time = ${times.startTime}, end_time = ${times.endTime}, report_time = ${times.reportTime}, remark = ${remark} where id = ${id}`)
}

/** Where somebody sits: site, room and seat by their numbers. */
export interface SeatPlace {
  readonly siteCode: string
  readonly roomNo: string
  readonly seatNo: string
}
/** What paper says about the room beside its numbers. */
export interface RoomTexts {
  readonly siteName?: string
  readonly siteAddress?: string
  readonly roomName?: string
  readonly floor?: number | null
}
export const writePlace = async (db: TenantDb, ids: readonly string[], place: SeatPlace, room: RoomTexts): Promise<void> => {
  await db.run(sql`
    update ticket set site_code = ${place.siteCode}, room_no = ${place.roomNo}, seat_no = ${place.seatNo}, site_name = ${room.siteName ?? ''},
      site_address = ${room.siteAddress ?? ''}, room_name = ${room.roomName ?? ''}, floor = ${room.floor ?? null}
    where id = any(${[...ids]}::bigint[])`)
}

/** Whether somebody else sits there in one of the papers. */
export const isSeatTaken = async (
  db: TenantDb,
  of: { readonly examId: string; readonly itemIds: readonly string[]; readonly signupId: string },
  place: SeatPlace,
): Promise<boolean> =>
  (await db.maybe(sql`
    select 1 from ticket where exam_id = ${of.examId} and item_id = any(${[...of.itemIds]}::bigint[]) and site_code = ${place.siteCode}
      and room_no = ${place.roomNo} and seat_no = ${place.seatNo} and ticket_state <> 'void' and not is_deleted and signup_id <> ${of.signupId} limit 1`)) !==
  undefined

/** A successor of a void ticket on the same seat with the same number. */
export const copyVoid = (db: TenantDb, id: string, token: string): Promise<{ id: string }> =>
  db.one(sql<{ id: string }>`
    insert into ticket (tenant_id, exam_id, item_id, signup_id, user_id, type, ticket_no, site_code, site_name, site_address, room_no, room_name, floor, seat_no,
      group_no, wait_room, draw_no, report_time, start_time, end_time, allot_version, pdf_version, qr_token, source, remark, created_by)
    select tenant_id, exam_id, item_id, signup_id, user_id, type, ticket_no, site_code, site_name, site_address, room_no, room_name, floor, seat_no,
      group_no, wait_room, draw_no, report_time, start_time, end_time, allot_version, pdf_version + 1, ${token}, source, remark, ${db.actor.userId}
    from ticket where id = ${id} returning id::text as id`)

/** A room as tickets of the papers name it: a plan made outside knows rooms that the papers do not list. */
export const roomOfTickets = (
  db: TenantDb,
  of: { readonly examId: string; readonly itemIds: readonly string[] },
  place: SeatPlace,
): Promise<RoomTexts | undefined> =>
  db.maybe(sql<RoomTexts>`
    select site_name as "siteName", site_address as "siteAddress", room_name as "roomName", floor from ticket
    where exam_id = ${of.examId} and item_id = any(${[...of.itemIds]}::bigint[]) and type = 1 and source = 2 and site_code = ${place.siteCode} and room_no = ${place.roomNo}
      and not is_deleted order by id limit 1`)

export const writeNumber = async (db: TenantDb, signupId: string, type: TicketType, ticketNo: string): Promise<void> => {
  await db.run(sql`
    update ticket set ticket_no = ${ticketNo} where signup_id = ${signupId} and type = ${type} and ticket_state <> 'void' and not is_deleted`)
}

/** Clears the seats that nobody was told of. @returns how many */
export const removeMade = (db: TenantDb, examId: string, itemIds: readonly string[]): Promise<number> =>
  db.run(sql`
    update ticket set is_deleted = true, updated_at = app_now(), updated_by = ${db.actor.userId}, version = version + 1
    where exam_id = ${examId} and item_id = any(${[...itemIds]}::bigint[]) and ticket_state = 'made' and not is_deleted`)

export interface RenewedTicket {
  readonly signupId: string
  readonly type: TicketType
  readonly isPublic: boolean
}
/** The next version of every live ticket that shows the rules of a paper, `0` those of the whole examination; none keeps its page. */
export const renewForRules = (db: TenantDb, of: { readonly examId: string; readonly itemId: string }): Promise<RenewedTicket[]> =>
  db.all(sql<RenewedTicket>`
    update ticket set pdf_file_id = null, pdf_sha256 = null, version = version + 1, updated_at = app_now(), updated_by = ${db.actor.userId},
      pdf_version = pdf_version + case when ticket_state in ('released', 'downloaded') then 1 else 0 end
    where exam_id = ${of.examId} and ticket_state <> 'void' and not is_deleted
      ${of.itemId === '0' ? sql`` : sql`and signup_id in (select signup_id from ticket where item_id = ${of.itemId} and ticket_state <> 'void' and not is_deleted)`}
    returning signup_id::text as "signupId", type, ticket_state in ('released', 'downloaded') as "isPublic"`)
