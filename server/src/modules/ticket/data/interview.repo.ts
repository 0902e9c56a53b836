import type { TenantDb } from '#kernel/db/scope.ts'
import { allOf, sql } from '#kernel/db/sql.ts'
import { type TicketScope, ticketSource, ticketWhere } from './ticket.repo.ts'

export interface GroupRow {
  readonly groupNo: string
  readonly siteName: string
  readonly waitRoom: string
  readonly startTime: Date
  readonly people: number
  readonly drawn: number
}
/** Groups of an interview with how many people have a place in the order. */
export const listGroups = (db: TenantDb, itemId: string, scope: TicketScope): Promise<GroupRow[]> =>
  db.all(sql<GroupRow>`
    select t.group_no as "groupNo", min(t.site_name) as "siteName", string_agg(distinct coalesce(t.wait_room, ''), '、') as "waitRoom",
      min(t.start_time) as "startTime", count(*)::int as people, count(t.draw_no)::int as drawn
    from ${ticketSource} where ${allOf([ticketWhere({ itemId, type: 2, isLive: true, scope }), sql`t.group_no is not null`])}
    group by t.group_no, t.room_no order by min(t.start_time), t.room_no`)

export interface DrawPerson {
  readonly id: string
  readonly signupId: string
  readonly ticketNo: string
  readonly name: string
  readonly state: string
  readonly startTime: Date
  readonly drawNo: string | null
}
/** The people of a group by ticket number: the order that the draw begins with. */
export const lockGroup = (db: TenantDb, itemId: string, groupNo: string): Promise<DrawPerson[]> =>
  db.all(sql<DrawPerson>`
    select t.id::text as id, t.signup_id::text as "signupId", t.ticket_no as "ticketNo", coalesce(s.name, '') as name, t.ticket_state as state,
      t.start_time as "startTime", t.draw_no as "drawNo"
    from ticket t join signup s on s.id = t.signup_id
    where t.item_id = ${itemId} and t.type = 2 and t.group_no = ${groupNo} and t.ticket_state <> 'void' and not t.is_deleted
    order by t.ticket_no for update of t`)

export const writeDraw = async (db: TenantDb, order: readonly string[]): Promise<void> => {
  await db.run(sql`
    update ticket set draw_no = drawn.place::text, version = version + 1, pdf_file_id = null, pdf_sha256 = null, updated_at = app_now(), updated_by = ${db.actor.userId}
    from unnest(${[...order]}::bigint[]) with ordinality as drawn(id, place) where ticket.id = drawn.id`)
}

/** The seed becomes known when nothing is left to draw with it. */
export const revealSeed = async (db: TenantDb, itemId: string, seed: string): Promise<void> => {
  await db.run(sql`update exam_item set seed_reveal = ${seed}, updated_at = app_now() where id = ${itemId}`)
}
