import { foldGroups } from '#contract/kernel/fold-width.ts'
import { nameWords } from '#contract/person/person-name.ts'
import type { TicketState } from '#contract/ticket/ticket.state.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { wordsLike } from '#kernel/db/search.ts'
import { allOf, type RawBuilder, sql } from '#kernel/db/sql.ts'

/** 1 written (and practical, physical), 2 interview. */
export type TicketType = 1 | 2

/** One person's seat for one paper, with what lists show of the sign-up and the post. */
export interface TicketRow {
  readonly id: string
  readonly examId: string
  readonly itemId: string
  readonly itemName: string
  readonly seatGroup: string | null
  readonly signupId: string
  readonly signNo: string
  readonly userId: string
  readonly type: TicketType
  readonly ticketNo: string
  readonly name: string
  readonly idCardMask: string
  readonly unit: string
  readonly unitName: string
  readonly code: string
  readonly codeName: string
  readonly siteCode: string
  readonly siteName: string
  readonly siteAddress: string
  readonly roomNo: string
  readonly roomName: string
  readonly floor: number | null
  readonly seatNo: string
  readonly groupNo: string | null
  readonly waitRoom: string | null
  readonly drawNo: string | null
  readonly reportTime: Date | null
  readonly startTime: Date
  readonly endTime: Date
  readonly ticketState: TicketState
  readonly allotVersion: number
  readonly pdfVersion: number
  readonly pdfFileId: string | null
  readonly qrToken: string
  readonly releasedAt: Date | null
  readonly remark: string | null
  readonly firstDownTime: Date | null
  readonly downCount: number
  readonly version: number
}

const rowColumns = sql`
  t.id::text as id, t.exam_id::text as "examId", t.item_id::text as "itemId", i.item_name as "itemName", i.seat_group as "seatGroup",
  t.signup_id::text as "signupId", coalesce(s.sign_no, '') as "signNo", t.user_id::text as "userId", t.type, t.ticket_no as "ticketNo",
  coalesce(s.name, '') as name, coalesce(s.id_card_mask, '') as "idCardMask", coalesce(s.unit, '') as unit, coalesce(p.unit_name, '') as "unitName",
  coalesce(s.code, '') as code, coalesce(p.code_name, '') as "codeName", t.site_code as "siteCode", t.site_name as "siteName", t.site_address as "siteAddress",
  t.room_no as "roomNo", t.room_name as "roomName", t.floor, t.seat_no as "seatNo", t.group_no as "groupNo", t.wait_room as "waitRoom", t.draw_no as "drawNo",
  t.report_time as "reportTime", t.start_time as "startTime", t.end_time as "endTime", t.ticket_state as "ticketState", t.allot_version as "allotVersion",
  t.pdf_version as "pdfVersion", t.pdf_file_id::text as "pdfFileId", t.qr_token as "qrToken", t.released_at as "releasedAt", t.remark,
  t.first_down_time as "firstDownTime", t.down_count as "downCount", t.version`
export const ticketSource = sql`
  ticket t
  join exam_item i on i.id = t.item_id
  join signup s on s.id = t.signup_id
  left join type_code p on p.exam_id = s.exam_id and p.code = s.code and not p.is_deleted`
const paperOrder = sql`t.start_time, i.sort, i.item_code`

export interface TicketFilter {
  readonly examId?: string | undefined
  readonly itemId?: string | undefined
  readonly itemIds?: readonly string[]
  readonly type?: TicketType | undefined
  readonly ticketState?: TicketState | undefined
  readonly siteCode?: string | undefined
  readonly roomNo?: string | undefined
  readonly keyword?: string | undefined
  readonly userId?: string | undefined
  readonly ids?: readonly string[] | undefined
  readonly isLive?: boolean
  readonly scope?: TicketScope
}
/** What a unit's or a site's own staff may see; undefined = the whole tenant. */
export type TicketScope = { readonly units: readonly string[] } | { readonly sites: readonly string[] } | undefined

const scopeOf = (scope: TicketScope): RawBuilder<unknown> | undefined =>
  scope === undefined ? undefined : 'units' in scope ? sql`s.unit = any(${[...scope.units]})` : sql`t.site_code = any(${[...scope.sites]})`

export const ticketWhere = (filter: TicketFilter): RawBuilder<unknown> =>
  allOf([
    sql`not t.is_deleted`,
    filter.examId !== undefined && sql`t.exam_id = ${filter.examId}`,
    filter.itemId !== undefined && sql`t.item_id = ${filter.itemId}`,
    filter.itemIds !== undefined && sql`t.item_id = any(${[...filter.itemIds]}::bigint[])`,
    filter.type !== undefined && sql`t.type = ${filter.type}`,
    filter.ticketState !== undefined && sql`t.ticket_state = ${filter.ticketState}`,
    filter.isLive === true && sql`t.ticket_state <> 'void'`,
    filter.siteCode !== undefined && sql`t.site_code = ${filter.siteCode}`,
    filter.roomNo !== undefined && sql`t.room_no = ${filter.roomNo}`,
    filter.userId !== undefined && sql`t.user_id = ${filter.userId}`,
    filter.ids !== undefined && sql`t.id = any(${[...filter.ids]}::bigint[])`,
    filter.keyword !== undefined &&
      sql`(t.ticket_no = ${foldGroups(filter.keyword)} or s.sign_no = ${foldGroups(filter.keyword)} or ${wordsLike(sql`s.name`, nameWords(filter.keyword))})`,
    scopeOf(filter.scope),
  ])

export const pageTickets = async (
  db: TenantDb,
  filter: TicketFilter,
  page: { readonly size: number; readonly offset: number },
): Promise<{ rows: TicketRow[]; total: number }> => {
  const condition = ticketWhere(filter)
  const { total } = await db.one(sql<{ total: number }>`select count(*)::int as total from ${ticketSource} where ${condition}`)
  const rows = await db.all(sql<TicketRow>`
    select ${rowColumns} from ${ticketSource} where ${condition}
    order by t.exam_id desc, ${paperOrder}, t.site_code, t.room_no, t.seat_no, t.id
    limit ${page.size} offset ${page.offset}`)
  return { rows, total }
}

export const findTicket = (db: TenantDb, id: string, scope?: TicketScope): Promise<TicketRow | undefined> =>
  db.maybe(sql<TicketRow>`select ${rowColumns} from ${ticketSource} where ${ticketWhere({ ids: [id], scope })}`)

/** Keeps the row from being changed until the transaction ends. */
export const lockTicket = async (db: TenantDb, id: string): Promise<TicketRow | undefined> => {
  const held = await db.maybe(sql`select 1 from ticket where id = ${id} and not is_deleted for update`)
  return held === undefined ? undefined : findTicket(db, id)
}

/** All tickets of people of one type, void ones too, in the order of the papers. */
export const ticketsOf = (db: TenantDb, signupIds: readonly string[], type: TicketType): Promise<TicketRow[]> =>
  db.all(sql<TicketRow>`
    select ${rowColumns} from ${ticketSource}
    where t.signup_id = any(${[...signupIds]}::bigint[]) and t.type = ${type} and not t.is_deleted order by ${paperOrder}, t.id`)

/** The tickets of one type behind a sign-up id or a ticket id. */
export const ticketsBehind = async (db: TenantDb, id: string, type: TicketType | undefined): Promise<TicketRow[]> => {
  const owner = await db.maybe(sql<{ signupId: string; type: TicketType }>`
    select signup_id::text as "signupId", type from ticket where id = ${id} and not is_deleted`)
  return ticketsOf(db, [owner?.signupId ?? id], type ?? owner?.type ?? 1)
}

export const ticketsOfToken = (db: TenantDb, token: string): Promise<TicketRow[]> =>
  db.all(sql<TicketRow>`
    select ${rowColumns} from ${ticketSource} where t.qr_token = ${token} and not t.is_deleted order by ${paperOrder}, t.id`)

/** People whose tickets are to be printed, in the order of their first seat or of their numbers. */
export const peopleToPrint = (
  db: TenantDb,
  filter: TicketFilter,
  order: 'seat' | 'number',
  limit: number,
): Promise<{ readonly signupId: string; readonly siteCode: string; readonly roomNo: string }[]> =>
  db.all(sql<{ readonly signupId: string; readonly siteCode: string; readonly roomNo: string }>`
    select signup_id::text as "signupId", site_code as "siteCode", room_no as "roomNo" from (
      select distinct on (t.signup_id) t.signup_id, t.site_code, t.room_no, t.seat_no, t.ticket_no
      from ${ticketSource} where ${ticketWhere({ ...filter, isLive: true })} order by t.signup_id, ${paperOrder}) person
    order by ${order === 'number' ? sql`ticket_no` : sql`site_code, room_no, seat_no`}, "signupId" limit ${limit}`)

/** Rooms in which somebody sits, by paper, with how many. */
export const roomsToPrint = (
  db: TenantDb,
  filter: TicketFilter,
): Promise<{ readonly itemId: string; readonly siteCode: string; readonly roomNo: string; readonly people: number }[]> =>
  db.all(sql<{ readonly itemId: string; readonly siteCode: string; readonly roomNo: string; readonly people: number }>`
    select t.item_id::text as "itemId", t.site_code as "siteCode", t.room_no as "roomNo", count(*)::int as people
    from ${ticketSource} where ${ticketWhere({ ...filter, isLive: true })}
    group by t.item_id, t.site_code, t.room_no, i.sort, i.item_code order by min(t.start_time), i.sort, i.item_code, t.site_code, t.room_no`)

export interface NewTicket {
  readonly itemId: string
  readonly signupId: string
  readonly userId: string
  readonly ticketNo: string
  readonly siteCode: string
  readonly siteName: string
  readonly siteAddress: string
  readonly roomNo: string
  readonly roomName: string
  readonly floor: number | null
  readonly seatNo: string
  readonly reportTime: Date | null
  readonly startTime: Date
  readonly endTime: Date
  readonly allotVersion: number
  readonly qrToken: string
  /** Of an interview. */
  readonly groupNo?: string
  readonly waitRoom?: string
  readonly drawNo?: string | null
  readonly remark?: string | null
}

/** All seats of one run in one statement. @param source 1 drawn here, 2 imported, 3 given by hand */
export const insertTickets = async (
  db: TenantDb,
  examId: string,
  type: TicketType,
  rows: readonly NewTicket[],
  source: 1 | 2 | 3 = 1,
): Promise<number> => {
  const column = <K extends keyof NewTicket>(key: K): (NewTicket[K] | null)[] => rows.map(row => row[key] ?? null)
  return db.run(sql`
    insert into ticket (tenant_id, exam_id, type, item_id, signup_id, user_id, ticket_no, site_code, site_name, site_address, room_no, room_name, floor, seat_no,
      report_time, start_time, end_time, allot_version, qr_token, group_no, wait_room, draw_no, remark, source, created_by)
    select ${db.actor.tenantId}, ${examId}, ${type}, n.*, ${source}, ${db.actor.userId}
    from unnest(${column('itemId')}::bigint[], ${column('signupId')}::bigint[], ${column('userId')}::bigint[], ${column('ticketNo')}::text[],
      ${column('siteCode')}::text[], ${column('siteName')}::text[], ${column('siteAddress')}::text[], ${column('roomNo')}::text[], ${column('roomName')}::text[],
      ${column('floor')}::int[], ${column('seatNo')}::text[], ${column('reportTime')}::timestamptz[], ${column('startTime')}::timestamptz[],
      ${column('endTime')}::timestamptz[], ${column('allotVersion')}::int[], ${column('qrToken')}::text[],
      ${column('groupNo')}::text[], ${column('waitRoom')}::text[], ${column('drawNo')}::text[], ${column('remark')}::text[]) as n`)
}

/** Numbers, sites and QR tokens that people of an examination have already, from other papers of the type. */
export const placesOf = (
  db: TenantDb,
  examId: string,
  type: TicketType,
  /** Papers that do not count. */
  without: readonly string[] = [],
): Promise<{ signupId: string; ticketNo: string; siteCode: string; qrToken: string }[]> =>
  db.all(sql<{ signupId: string; ticketNo: string; siteCode: string; qrToken: string }>`
    select distinct on (signup_id) signup_id::text as "signupId", ticket_no as "ticketNo", site_code as "siteCode", qr_token as "qrToken"
    from ticket where exam_id = ${examId} and type = ${type} and ticket_state <> 'void' and not is_deleted
      and item_id <> all(${[...without]}::bigint[]) order by signup_id, start_time, id`)

/** Every number of the examination that paper may carry, those of void tickets too. */
export const usedNumbers = async (db: TenantDb, examId: string): Promise<Set<string>> =>
  new Set(
    (
      await db.all(
        sql<{
          ticketNo: string
        }>`select distinct ticket_no as "ticketNo" from ticket where exam_id = ${examId} and not (is_deleted and released_at is null)`,
      )
    ).map(row => row.ticketNo),
  )

export interface ItemCounts {
  readonly itemId: string
  readonly generated: number
  readonly released: number
  readonly downloaded: number
  readonly rendered: number
}
export const countByItem = (db: TenantDb, examId: string): Promise<ItemCounts[]> =>
  db.all(sql<ItemCounts>`
    select item_id::text as "itemId", count(*) filter (where ticket_state <> 'void')::int as generated,
      count(*) filter (where ticket_state in ('released', 'downloaded'))::int as released,
      count(*) filter (where ticket_state = 'downloaded')::int as downloaded,
      count(*) filter (where ticket_state <> 'void' and pdf_file_id is not null)::int as rendered
    from ticket where exam_id = ${examId} and not is_deleted group by item_id`)
