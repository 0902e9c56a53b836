import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'

export interface OwnAccount {
  readonly id: string
  readonly account: string
  readonly realName: string
  readonly nickName: string
  readonly userCode: string | null
  readonly email: string | null
  readonly phone: Buffer | null
  readonly idCard: Buffer | null
  readonly consentVersion: string | null
  readonly consentAt: Date | null
  readonly createdAt: Date
}
export const readAccount = (db: TenantDb, userId: string): Promise<OwnAccount> =>
  db.one(sql<OwnAccount>`
    select id::text as id, account, real_name as "realName", nick_name as "nickName", user_code as "userCode", email, phone_sealed as phone, id_card_sealed as "idCard",
      consent_version as "consentVersion", consent_at as "consentAt", created_at as "createdAt" from account where id = ${userId}`)

export interface OwnSignup {
  readonly id: string
  readonly examId: string
  readonly examName: string
  readonly signNo: string | null
  readonly examine: string
  readonly post: string | null
  readonly content: Readonly<Record<string, unknown>>
  readonly autoCheck: unknown
  readonly submittedAt: Date | null
  readonly decisions: unknown
}
export const readSignups = (db: TenantDb, userId: string): Promise<OwnSignup[]> =>
  db.all(sql<OwnSignup>`
    select s.id::text as id, s.exam_id::text as "examId", e.exam_name as "examName", s.sign_no as "signNo", s.examine, s.code as post, s.content, s.auto_check as "autoCheck",
      s.submit_time as "submittedAt",
      coalesce((select json_agg(json_build_object('level', x.level, 'result', x.result, 'remark', x.remark, 'time', to_char(x.created_at at time zone 'Asia/Shanghai', 'YYYY-MM-DD HH24:MI:SS')) order by x.id)
        from examine_record x where x.tenant_id = s.tenant_id and x.signup_id = s.id and not x.undone), '[]') as decisions
    from signup s join examination e on e.tenant_id = s.tenant_id and e.id = s.exam_id where s.user_id = ${userId} and not s.is_deleted order by s.id`)

/** What is released or settled of tickets, results and money, and the personal notices. Instants are told in Shanghai time. */
export const readRest = (db: TenantDb, userId: string) => {
  const at = (column: string) => sql`to_char(${sql.ref(column)} at time zone 'Asia/Shanghai', 'YYYY-MM-DD HH24:MI:SS')`
  return db.one(sql<{ tickets: unknown; results: unknown; payments: unknown; notices: unknown }>`
    select
      coalesce((select json_agg(json_build_object('exam', e.exam_name, 'ticketNo', t.ticket_no, 'site', t.site_name, 'room', t.room_no, 'seat', t.seat_no, 'start', ${at('t.start_time')}) order by t.id)
        from ticket t join examination e on e.tenant_id = t.tenant_id and e.id = t.exam_id where t.user_id = ${userId} and t.released_at is not null and not t.is_deleted), '[]') as tickets,
      coalesce((select json_agg(json_build_object('exam', e.exam_name, 'paper', i.item_name, 'score', r.score, 'state', r.result_state) order by r.id)
        from result r join examination e on e.tenant_id = r.tenant_id and e.id = r.exam_id join exam_item i on i.tenant_id = r.tenant_id and i.id = r.item_id
        where r.user_id = ${userId} and r.released and not r.is_deleted), '[]') as results,
      coalesce((select json_agg(json_build_object('exam', e.exam_name, 'name', p.pay_name, 'amountFen', p.amount_fen, 'paidFen', p.paid_fen, 'refundedFen', p.refunded_fen, 'state', p.state) order by p.id)
        from exam_pay p join examination e on e.tenant_id = p.tenant_id and e.id = p.exam_id where p.user_id = ${userId} and not p.is_deleted), '[]') as payments,
      coalesce((select json_agg(json_build_object('title', n.title_zh, 'content', n.content_zh, 'time', ${at('n.created_at')}) order by n.id)
        from notify n where n.user_id = ${userId}), '[]') as notices`)
}

/** Files that belong to something of the person; forgotten uploads are not theirs any more. */
export const listOwnFiles = async (db: TenantDb, userId: string): Promise<string[]> =>
  (
    await db.all(sql<{ id: string }>`select id::text as id from stored_file where user_id = ${userId} and owner_id is not null order by id`)
  ).map(row => row.id)

export const countExports = async (db: TenantDb, userId: string, since: Date): Promise<number> =>
  (
    await db.one(
      sql<{
        n: number
      }>`select count(*)::int as n from audit_log where user_id = ${userId} and action = 'person.exported' and created_at > ${since}`,
    )
  ).n
