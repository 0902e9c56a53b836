import { nameWords } from '#contract/person/person-name.ts'
import type { SignupState } from '#contract/signup/signup.state.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { codeHolds, initialsHold, wordsLike } from '#kernel/db/search.ts'
import { soundsLike } from '#kernel/db/sound.ts'
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
    where not is_deleted and (${withDrafts} or state <> 'draft') and (${initialsHold(sql`e.exam_name`, typed)} or ${soundsLike(sql`e.exam_name`, typed)} or ${codeHolds(sql`e.exam_code`, typed)})
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
  /** Finds who is or was on the shortlist. */
  readonly isShortlisted: boolean
  /** Sees what was given to them where an examination hands out. */
  readonly inReach: RawBuilder<unknown> | undefined
  readonly byOrder: boolean
  readonly byTicket: boolean
  readonly limit: number
}

/** Names of persons as they are written, or as they are read. */
const isCalled = (name: RawBuilder<unknown>, typed: string): RawBuilder<unknown> =>
  sql`(${wordsLike(name, nameWords(typed))} or ${soundsLike(name, typed)})`

const isNumberText = (typed: string): boolean => /^\d{5,32}$/.test(typed)
const isTailText = (typed: string): boolean => /^\d{3}[\dXx]$/.test(typed)
const isOrderText = (typed: string): boolean => /^[A-Za-z0-9]{8,64}$/.test(typed)

/** Sign-ups by name, or by the beginning of one of their numbers, or by the last four characters of the id number. */
export const findSignupsByText = (db: TenantDb, of: SignupFinder): Promise<FoundSignup[]> => {
  const typed = of.typed.trim()
  const isNumber = isNumberText(typed)
  const isTail = isTailText(typed)
  const begins = `${typed}%`
  const hits: RawBuilder<unknown>[] = [
    ...(isNumber ? [sql`select id, 'signNo' from signup where sign_no like ${begins}`] : []),
    ...(isNumber && of.byTicket ? [sql`select signup_id, 'ticketNo' from ticket where ticket_no like ${begins} and not is_deleted`] : []),
    ...(of.byOrder && isOrderText(typed)
      ? [
          sql`select p.signup_id, 'orderNo' from pay_order o join exam_pay p on p.tenant_id = o.tenant_id and p.id = o.pay_id where o.order_no like ${begins}`,
        ]
      : []),
    ...(isTail ? [sql`select id, 'idTail' from signup where right(id_card_mask, 4) = ${typed.toUpperCase()}`] : []),
    ...(!isNumber && !isTail ? [sql`select id, 'name' from signup s where ${isCalled(sql`s.name`, typed)}`] : []),
  ]
  if (hits.length === 0) return Promise.resolve([])
  return db.all(sql<FoundSignup>`
    select s.id::text as id, s.exam_id::text as "examId", e.exam_name as "examName", s.name, s.id_card_mask as "idCardMask", s.sign_no as "signNo", s.examine, min(h.way) as by
    from (${sql.join(hits, sql` union all `)}) h(id, way) join signup s on s.id = h.id join examination e on e.tenant_id = s.tenant_id and e.id = s.exam_id
    where s.examine <> 'draft' and not s.is_deleted and not e.is_deleted
      ${of.units === undefined ? sql`` : sql`and s.unit = any(${[...of.units]})`} ${of.isShortlisted ? sql`and s.shortlist > 0` : sql``}
      ${of.inReach === undefined ? sql`` : sql`and ${of.inReach}`}
    group by s.id, s.exam_id, e.exam_name, s.name, s.id_card_mask, s.sign_no, s.examine, s.submit_time
    order by s.submit_time desc nulls last limit ${of.limit}`)
}

export interface FoundMoney {
  readonly kind: 'due' | 'order' | 'refund'
  readonly id: string
  readonly name: string | null
  readonly idCardTail: string | null
  readonly payName: string
  readonly examName: string
  readonly number: string | null
  /** Of the machine that the kind has. */
  readonly state: string
  readonly by: string
}
/** Dues by who owes them, and orders and refunds by the beginning of their numbers: the newest first. */
export const findMoneyByText = (
  db: TenantDb,
  typed: string,
  of: { readonly scope: RawBuilder<unknown> | undefined; readonly seesOrders: boolean; readonly limit: number },
): Promise<FoundMoney[]> => {
  const text = typed.trim()
  const begins = `${text}%`
  const isNumber = isNumberText(text)
  const isTail = isTailText(text)
  const due = (by: string, condition: RawBuilder<unknown>) => sql`
    select 'due' as kind, p.id, p.id as pay_id, s.sign_no as number, p.state::text as state, ${by}::text as by, p.created_at
    from exam_pay p join signup s on s.tenant_id = p.tenant_id and s.id = p.signup_id where not p.is_deleted and ${condition}`
  const hits: RawBuilder<unknown>[] = [
    ...(isNumber ? [due('signNo', sql`s.sign_no like ${begins}`)] : []),
    ...(isTail ? [due('idTail', sql`right(s.id_card_mask, 4) = ${text.toUpperCase()}`)] : []),
    ...(!isNumber && !isTail ? [due('name', isCalled(sql`s.name`, text))] : []),
    ...(of.seesOrders && isOrderText(text)
      ? [
          sql`select 'order', o.id, o.pay_id, o.order_no, o.state::text, 'orderNo', o.created_at from pay_order o where o.order_no like ${begins}`,
          sql`select 'refund', r.id, r.pay_id, r.refund_no, r.state::text, 'refundNo', r.created_at from pay_refund r where r.refund_no like ${begins}`,
        ]
      : []),
  ]
  return db.all(sql<FoundMoney>`
    select h.kind, h.id::text as id, s.name, right(s.id_card_mask, 4) as "idCardTail", p.pay_name as "payName", e.exam_name as "examName", h.number, h.state, h.by
    from (${sql.join(hits, sql` union all `)}) h(kind, id, pay_id, number, state, by, created_at)
      join exam_pay p on p.id = h.pay_id join signup s on s.tenant_id = p.tenant_id and s.id = p.signup_id
      join examination e on e.tenant_id = p.tenant_id and e.id = p.exam_id
    where not p.is_deleted and not e.is_deleted ${of.scope === undefined ? sql`` : sql`and p.id in (select id from exam_pay_row where ${of.scope})`}
    order by h.created_at desc, h.id desc limit ${of.limit}`)
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
    where not is_deleted and (${codeHolds(sql`account.account`, typed)} or ${isCalled(sql`account.real_name`, typed)})
      ${within === undefined ? sql`` : sql`and ${within}`}
    order by user_type, account limit ${limit}`)
