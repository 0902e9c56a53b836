import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'

export interface PaperOfImport {
  readonly id: string
  readonly itemCode: string
  readonly itemName: string
  readonly fullScore: string
  readonly scoreState: 'none' | 'imported' | 'released'
  readonly endTime: Date
}
/** The papers a result list may hold: this one, or all of the examination. */
export const listPapersOfImport = (db: TenantDb, examId: string, itemId: string | undefined): Promise<PaperOfImport[]> =>
  db.all(sql<PaperOfImport>`
    select id::text as id, item_code as "itemCode", item_name as "itemName", full_score as "fullScore", score_state as "scoreState",
      end_time as "endTime"
    from exam_item where exam_id = ${examId} ${itemId === undefined ? sql`` : sql`and id = ${itemId}`} and not is_deleted order by sort, item_code`)

const holders = sql`
    from ticket t
    join signup s on s.id = t.signup_id and takes_part(s.examine, s.pay_state, s.reduction_state)
    left join result r on r.exam_id = t.exam_id and r.item_id = t.item_id and r.signup_id = t.signup_id and not r.is_deleted`

interface Holder {
  readonly ticketNo: string
  readonly signupId: string
  readonly userId: string
  readonly name: string
  /** Imported already. */
  readonly hasResult: boolean
}
/** Everybody who holds a valid ticket of the paper. */
export const listHolders = (db: TenantDb, examId: string, itemId: string): Promise<Holder[]> =>
  db.all(sql<Holder>`
    select t.ticket_no as "ticketNo", t.signup_id::text as "signupId", s.user_id::text as "userId", s.name, r.id is not null as "hasResult"
    ${holders} where t.exam_id = ${examId} and t.item_id = ${itemId} and t.ticket_state <> 'void' and not t.is_deleted`)

export interface TicketHolder {
  readonly signupId: string
  readonly ticketNo: string
  readonly name: string
  readonly score: string | null
  readonly resultState: number | null
  readonly bonus: string | null
  readonly remark: string | null
}
/** The same people, in the order of ticket numbers, with what was imported so far. */
export const listTicketHolders = (db: TenantDb, examId: string, itemId: string): Promise<TicketHolder[]> =>
  db.all(sql<TicketHolder>`
    select t.signup_id::text as "signupId", t.ticket_no as "ticketNo", s.name, r.score, r.result_state as "resultState", r.bonus, r.remark
    ${holders} where t.exam_id = ${examId} and t.item_id = ${itemId} and t.ticket_state <> 'void' and not t.is_deleted order by t.ticket_no`)
