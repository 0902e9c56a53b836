import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'

/** A seat of a paper, as it is or was given. */
export interface GivenSeat {
  readonly signupId: string
  readonly itemId: string
  readonly siteCode: string
  readonly roomNo: string
  readonly seatNo: string
  readonly isVoid: boolean
  /** Given up with the place, not taken away by the office: whoever has the place again may get another seat. */
  readonly isByRule: boolean
}
export const seatsTaken = (db: TenantDb, examId: string, itemIds: readonly string[]): Promise<GivenSeat[]> =>
  db.all(sql<GivenSeat>`
    select signup_id::text as "signupId", item_id::text as "itemId", site_code as "siteCode", room_no as "roomNo", seat_no as "seatNo",
      ticket_state = 'void' as "isVoid", void_by_rule as "isByRule"
    from ticket where exam_id = ${examId} and item_id = any(${[...itemIds]}::bigint[]) and not is_deleted`)

/** Names by sign-up. */
export const namesOf = (db: TenantDb, signupIds: readonly string[]): Promise<{ readonly signupId: string; readonly name: string }[]> =>
  db.all(sql<{ readonly signupId: string; readonly name: string }>`
    select id::text as "signupId", coalesce(name, '') as name from signup where id = any(${[...signupIds]}::bigint[]) order by id`)

/** Releases the tickets of these people alone. */
export const publishTicketsOf = async (
  db: TenantDb,
  examId: string,
  itemIds: readonly string[],
  signupIds: readonly string[],
): Promise<void> => {
  await db.run(sql`
    update ticket set ticket_state = 'released', released_at = app_now(), updated_at = app_now(), updated_by = ${db.actor.userId}, version = version + 1
    where exam_id = ${examId} and item_id = any(${[...itemIds]}::bigint[]) and signup_id = any(${[...signupIds]}::bigint[])
      and ticket_state = 'made' and not is_deleted`)
}
