import type { TenantDb } from '#kernel/db/scope.ts'
import { allOf, sql } from '#kernel/db/sql.ts'
import { type TicketFilter, ticketSource, ticketWhere } from './ticket.repo.ts'

/** A ticket with its downloads and the health documents that its holder sent last. */
export interface DownRow {
  readonly id: string
  readonly itemName: string
  readonly ticketNo: string
  readonly name: string
  readonly siteName: string
  readonly roomNo: string
  readonly seatNo: string
  readonly firstDownTime: Date | null
  readonly downCount: number
  readonly client: number | null
  readonly ip: string | null
  readonly healthId: string | null
  readonly healthState: number | null
  readonly healthTime: Date | null
  readonly healthReportTime: Date | null
  readonly checkRemark: string | null
  readonly erasedAt: Date | null
  readonly jkm: string | null
  readonly xcm: string | null
  readonly hsjcbg: string | null
}

export interface DownFilter extends TicketFilter {
  readonly downloaded?: boolean | undefined
  readonly healthState?: number | undefined
}

const source = sql`
  ${ticketSource}
  left join lateral (select d.client, d.ip from ticket_down d where d.tenant_id = t.tenant_id and d.exam_id = t.exam_id and d.signup_id = t.signup_id and d.item_id = t.item_id
    order by d.id desc limit 1) down on true
  left join lateral (select h.* from ticket_health h where h.tenant_id = t.tenant_id and h.exam_id = t.exam_id and h.user_id = t.user_id order by h.id desc limit 1) health on true`

const where = ({ downloaded, healthState, ...filter }: DownFilter) =>
  allOf([
    ticketWhere({ ...filter, isLive: true }),
    sql`t.ticket_state in ('released', 'downloaded')`,
    downloaded !== undefined && sql`(t.down_count > 0) = ${downloaded}`,
    healthState !== undefined && sql`health.state = ${healthState}`,
  ])

export const countDowns = async (db: TenantDb, filter: DownFilter): Promise<number> =>
  (await db.one(sql<{ total: number }>`select count(*)::int as total from ${source} where ${where(filter)}`)).total

export const pageDowns = (db: TenantDb, filter: DownFilter, page: { readonly size: number; readonly offset: number }): Promise<DownRow[]> =>
  db.all(sql<DownRow>`
    select t.id::text as id, i.item_name as "itemName", t.ticket_no as "ticketNo", coalesce(s.name, '') as name, t.site_name as "siteName", t.room_no as "roomNo",
      t.seat_no as "seatNo", t.first_down_time as "firstDownTime", t.down_count as "downCount", down.client, down.ip, health.id::text as "healthId",
      health.state as "healthState", health.created_at as "healthTime", health.report_time as "healthReportTime", health.check_remark as "checkRemark", health.erased_at as "erasedAt",
      health.health_code_file_id::text as jkm, health.travel_code_file_id::text as xcm, health.test_report_file_id::text as hsjcbg
    from ${source} where ${where(filter)} order by t.start_time, i.sort, i.item_code, t.site_code, t.room_no, t.seat_no, t.id
    limit ${page.size} offset ${page.offset}`)

/** Writes what was found of the documents that people of the caller's reach sent last. @returns who sent them */
export const writeHealthCheck = (
  db: TenantDb,
  ids: readonly string[],
  of: { readonly state: 1 | 2; readonly remark: string | null; readonly filter: TicketFilter },
): Promise<{ readonly id: string; readonly userId: string; readonly examId: string }[]> =>
  db.all(sql<{ readonly id: string; readonly userId: string; readonly examId: string }>`
    update ticket_health h set state = ${of.state}, check_remark = ${of.remark}, check_user_id = ${db.actor.userId}, check_time = app_now()
    where h.id = any(${[...ids]}::bigint[]) and exists (
      select 1 from ${ticketSource} where t.exam_id = h.exam_id and t.user_id = h.user_id and ${ticketWhere({ ...of.filter, isLive: true })})
    returning h.id::text as id, h.user_id::text as "userId", h.exam_id::text as "examId"`)

export interface OldHealth {
  readonly id: string
  readonly files: readonly string[]
}
/** Documents with images, of examinations whose last day was over before `before`. */
export const listOldHealth = (db: TenantDb, before: Date, limit: number): Promise<OldHealth[]> =>
  db.all(sql<OldHealth>`
    select h.id::text as id, array_remove(array[h.health_code_file_id, h.travel_code_file_id, h.test_report_file_id], null)::text[] as files
    from ticket_health h
    where h.erased_at is null and coalesce((
      select max(coalesce(t.end_time, i.end_time)) from exam_item i left join ticket t on t.item_id = i.id and t.user_id = h.user_id and not t.is_deleted
      where i.exam_id = h.exam_id and not i.is_deleted and (h.item_id = 0 or i.id = h.item_id)), h.created_at) <= ${before}
    order by h.id limit ${limit}`)

export const markErased = async (db: TenantDb, ids: readonly string[]): Promise<void> => {
  await db.run(sql`
    update ticket_health set health_code_file_id = null, travel_code_file_id = null, test_report_file_id = null, erased_at = app_now()
    where id = any(${[...ids]}::bigint[])`)
}
