import { nameWords } from '#contract/person/person-name.ts'
import type { SignupState } from '#contract/signup/signup.state.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { codeHolds, initialsHold, wordsLike } from '#kernel/db/search.ts'
import { type RawBuilder, sql } from '#kernel/db/sql.ts'

export interface FoundExam {
  readonly id: string
  readonly examName: string
  readonly examCode: string
  readonly state: string
}
export const findExamsByText = (db: TenantDb, typed: string, withDrafts: boolean, limit: number): Promise<FoundExam[]> =>
  db.all(sql<FoundExam>`
    select id::text as id, exam_name as "examName", exam_code as "examCode", state from examination e
    where not is_deleted and (${withDrafts} or state <> 'draft') and (${initialsHold(sql`e.exam_name`, typed)} or ${codeHolds(sql`e.exam_code`, typed)})
    order by created_at desc limit ${limit}`)

export interface FoundSignup {
  readonly id: string
  readonly examId: string
  readonly examName: string
  readonly name: string | null
  readonly idCardMask: string | null
  readonly signNo: string | null
  readonly examine: SignupState
  readonly by: string
}
export interface SignupFinder {
  readonly typed: string
  /** Undefined means the whole tenant. */
  readonly units: readonly string[] | undefined
  /** Sees what was given to them where an examination hands out. */
  readonly allottedTo: string | null
  readonly byOrder: boolean
  readonly byTicket: boolean
  readonly limit: number
}

/** Sign-ups by name, or by the beginning of one of their numbers, or by the last four characters of the id number. */
export const findSignupsByText = (db: TenantDb, of: SignupFinder): Promise<FoundSignup[]> => {
  const typed = of.typed.trim()
  const isNumber = /^\d{5,32}$/.test(typed)
  const isTail = /^\d{3}[\dXx]$/.test(typed)
  const begins = `${typed}%`
  const hits: RawBuilder<unknown>[] = [
    ...(isNumber ? [sql`select id, 'signNo' from signup where sign_no like ${begins}`] : []),
    ...(isNumber && of.byTicket ? [sql`select signup_id, 'ticketNo' from ticket where ticket_no like ${begins} and not is_deleted`] : []),
    ...(of.byOrder && /^[A-Za-z0-9]{8,32}$/.test(typed)
      ? [
          sql`select p.signup_id, 'orderNo' from pay_order o join exam_pay p on p.tenant_id = o.tenant_id and p.id = o.pay_id where o.order_no like ${begins}`,
        ]
      : []),
    ...(isTail ? [sql`select id, 'idTail' from signup where right(id_card_mask, 4) = ${typed.toUpperCase()}`] : []),
    ...(!isNumber && !isTail ? [sql`select id, 'name' from signup s where ${wordsLike(sql`s.name`, nameWords(typed))}`] : []),
  ]
  if (hits.length === 0) return Promise.resolve([])
  return db.all(sql<FoundSignup>`
    select s.id::text as id, s.exam_id::text as "examId", e.exam_name as "examName", s.name, s.id_card_mask as "idCardMask", s.sign_no as "signNo", s.examine, min(h.way) as by
    from (${sql.join(hits, sql` union all `)}) h(id, way) join signup s on s.id = h.id join examination e on e.tenant_id = s.tenant_id and e.id = s.exam_id
    where s.examine <> 'draft' and not s.is_deleted and not e.is_deleted
      ${of.units === undefined ? sql`` : sql`and s.unit = any(${[...of.units]})`}
      ${of.allottedTo === null ? sql`` : sql`and (e.allot_mode = 0 or exists (select 1 from examine_allot a where a.tenant_id = s.tenant_id and a.signup_id = s.id and a.reviewer_id = ${of.allottedTo} and a.state in (0, 1, 2)))`}
    group by s.id, s.exam_id, e.exam_name, s.name, s.id_card_mask, s.sign_no, s.examine, s.submit_time
    order by s.submit_time desc nulls last limit ${of.limit}`)
}

export interface FoundUser {
  readonly id: string
  readonly account: string
  readonly realName: string
  readonly userType: number
}
export const findUsersByText = (
  db: TenantDb,
  typed: string,
  within: RawBuilder<unknown> | undefined,
  limit: number,
): Promise<FoundUser[]> =>
  db.all(sql<FoundUser>`
    select id::text as id, account, real_name as "realName", user_type as "userType" from account
    where not is_deleted and (${codeHolds(sql`account.account`, typed)} or ${wordsLike(sql`account.real_name`, nameWords(typed))})
      ${within === undefined ? sql`` : sql`and ${within}`}
    order by user_type, account limit ${limit}`)
