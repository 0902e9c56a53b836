import type { TenantDb } from '#kernel/db/scope.ts'
import { type RawBuilder, sql } from '#kernel/db/sql.ts'

export interface EventRow {
  readonly id: string
  readonly kind: string
  readonly time: Date
  readonly who: string
  readonly detailZh: string
  readonly detailEn: string
  readonly number: number | null
}
interface Parts {
  readonly money: boolean
  readonly tickets: boolean
  readonly results: boolean
}
/** More than this of one sign-up is no course any more but a log. */
const most = 300

/** Whose sign-up it is, for messages. */
interface Of {
  readonly id: string
  readonly examId: string
  readonly userId: string
}

/** Scores and remarks of refunds are fields that rules may hide: their own lists have them. */
export const listCourse = (db: TenantDb, { id, examId, userId }: Of, parts: Parts): Promise<EventRow[]> => {
  const when = (may: boolean, rows: RawBuilder<unknown>): RawBuilder<unknown>[] => (may ? [rows] : [])
  const line = (
    kind: RawBuilder<unknown>,
    time: string,
    who: RawBuilder<unknown>,
    zh: RawBuilder<unknown>,
    en: RawBuilder<unknown>,
    number: RawBuilder<unknown>,
  ) =>
    sql`select x.id, ${kind}::text as kind, ${sql.ref(time)} as time, ${who}::text as who, ${zh}::text as zh, ${en}::text as en, ${number}::int as number`
  const nobody = sql`''`
  const staff = (column: string) =>
    sql`coalesce((select coalesce(nullif(a.real_name, ''), a.account) from account a where a.id = ${sql.ref(column)}), '')`
  const money = sql`from exam_pay x where x.signup_id = ${id} and not x.is_deleted`
  const refunds = sql`from pay_refund x join exam_pay p on p.id = x.pay_id and p.signup_id = ${id}`
  const tickets = sql`from ticket x join exam_item i on i.id = x.item_id where x.signup_id = ${id} and x.ticket_state <> 'void' and not x.is_deleted`
  const messages = sql`from notify x where x.user_id = ${userId} and x.exam_id = ${examId}`
  const seat = sql`i.item_name || ' ' || x.site_name || ' ' || coalesce(nullif(x.room_name, ''), x.room_no) || ' ' || x.seat_no`
  const rows = [
    sql`${line(sql`'submitted'`, 'x.created_at', nobody, nobody, nobody, sql`x.sign_version`)} from signup_history x where x.signup_id = ${id}`,
    sql`${line(sql`case x.result when 1 then 'passed' when 2 then 'returned' else 'refused' end`, 'x.created_at', sql`x.examiner_name`, sql`coalesce(x.remark, '')`, sql`coalesce(x.remark, '')`, sql`x.level`)}
      from examine_record x where x.signup_id = ${id}`,
    sql`${line(sql`case when x.action = 'signup.revealed' then 'revealed' when x.action = 'signup.examine-undone' then 'undone' else 'seen' end`, 'x.created_at', staff('x.user_id'), sql`coalesce(x.reason, '')`, sql`coalesce(x.reason, '')`, sql`null`)}
      from audit_log x where x.entity = 'signup' and x.entity_id = ${id}::text and x.actor_kind <> 'candidate'
        and x.action in ('signup.read', 'signup.opened-for-review', 'signup.revealed', 'signup.examine-undone')`,
    ...when(parts.money, sql`${line(sql`'due'`, 'x.created_at', nobody, sql`x.pay_name`, sql`x.pay_name`, sql`x.amount_fen`)} ${money}`),
    ...when(
      parts.money,
      sql`${line(sql`'paid'`, 'x.paid_time', nobody, sql`x.pay_name`, sql`x.pay_name`, sql`x.paid_fen`)} ${money} and x.paid_time is not null`,
    ),
    ...when(
      parts.money,
      sql`${line(sql`'refundAsked'`, 'x.created_at', staff('x.apply_by'), nobody, nobody, sql`x.amount_fen`)} ${refunds}`,
    ),
    ...when(
      parts.money,
      sql`${line(sql`'refunded'`, 'x.success_time', staff('x.approve_by'), nobody, nobody, sql`x.amount_fen`)} ${refunds} where x.success_time is not null`,
    ),
    ...when(parts.tickets, sql`${line(sql`'seated'`, 'x.created_at', nobody, seat, seat, sql`null`)} ${tickets}`),
    ...when(
      parts.tickets,
      sql`${line(sql`'ticketOut'`, 'x.released_at', nobody, sql`i.item_name`, sql`i.item_name`, sql`null`)} ${tickets} and x.released_at is not null`,
    ),
    ...when(
      parts.tickets,
      sql`${line(sql`'ticketTaken'`, 'x.first_down_time', nobody, sql`i.item_name`, sql`i.item_name`, sql`null`)} ${tickets} and x.first_down_time is not null`,
    ),
    ...when(
      parts.results,
      sql`${line(sql`'resultOut'`, 'x.release_time', nobody, sql`i.item_name`, sql`i.item_name`, sql`null`)}
        from result x join exam_item i on i.id = x.item_id where x.signup_id = ${id} and x.released and x.release_time is not null and not x.is_deleted`,
    ),
    sql`${line(sql`'message'`, 'x.created_at', nobody, sql`x.title_zh`, sql`x.title_en`, sql`null`)} ${messages}`,
    sql`${line(sql`'messageRead'`, 'x.read_at', nobody, sql`x.title_zh`, sql`x.title_en`, sql`null`)} ${messages} and x.read_at is not null`,
  ]
  return db.all(sql<EventRow>`
    select e.id::text as id, e.kind, e.time, e.who, e.zh as "detailZh", e.en as "detailEn", e.number
    from (${sql.join(rows, sql` union all `)}) e order by e.time desc, e.id desc limit ${most}`)
}
