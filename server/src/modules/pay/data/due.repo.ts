import type { PayChannel } from '#contract/pay/channel.ts'
import type { DueState, OrderState, PayWay, RefundReason, RefundState } from '#contract/pay/order.state.ts'
import type { PostEvent } from '#contract/signup/post-event.ts'
import type { SignupState } from '#contract/signup/signup.state.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { allOf, type RawBuilder, sql } from '#kernel/db/sql.ts'

/** A due with what its examination and sign-up say about it. */
export interface DueRow {
  readonly id: string
  readonly examId: string
  readonly signupId: string
  readonly userId: string
  readonly itemId: string
  readonly payName: string
  readonly amountFen: number
  readonly paidFen: number
  readonly refundedFen: number
  /** Of what was paid: let off, so that it goes back. */
  readonly waivedFen: number
  readonly state: DueState
  /** Until when it may be paid (`due_until`). */
  readonly deadline: Date
  readonly orderId: string | null
  readonly payWay: PayWay | null
  readonly isInvoice: number
  readonly payerName: string
  readonly examName: string
  readonly examNo: number
  readonly examState: string
  readonly signBegin: Date | null
  readonly examMade: Date
  readonly payBegin: Date | null
  readonly payEnd: Date | null
  readonly payWhen: number
  readonly payLimitMinutes: number
  readonly refundPolicy: number
  readonly examine: string
  readonly reductionState: number
}

/** Until when a due may be paid, of `exam_pay p` and its `examination e`: the only rule about it (migration 0620). */
export const dueUntil = sql`due_until(p.own_deadline, p.deadline, p.grace_until, e.pay_end)`

const dueColumns = sql`
  p.id::text as id, p.exam_id::text as "examId", p.signup_id::text as "signupId", p.user_id::text as "userId", p.item_id::text as "itemId",
  p.pay_name as "payName", p.amount_fen as "amountFen", p.paid_fen as "paidFen", p.refunded_fen as "refundedFen", p.waived_fen as "waivedFen", p.state,
  ${dueUntil} as deadline, p.order_id::text as "orderId", p.pay_way as "payWay", p.is_invoice as "isInvoice",
  coalesce(s.name, '') as "payerName", e.exam_name as "examName", e.exam_no as "examNo", e.state as "examState", e.sign_begin as "signBegin", e.created_at as "examMade", e.pay_begin as "payBegin", e.pay_end as "payEnd",
  e.pay_when as "payWhen", e.pay_limit_minutes as "payLimitMinutes", e.refund_policy as "refundPolicy",
  s.examine, s.reduction_state as "reductionState"`
const dueTables = sql`exam_pay p
  join examination e on e.tenant_id = p.tenant_id and e.id = p.exam_id
  join signup s on s.tenant_id = p.tenant_id and s.id = p.signup_id`

export const findDue = (db: TenantDb, id: string): Promise<DueRow | undefined> =>
  db.maybe(sql<DueRow>`select ${dueColumns} from ${dueTables} where p.id = ${id} and not p.is_deleted`)

/** The first lock of every money transaction: the due, then its order (domain 8.4). Not for the candidate's role. */
export const lockDue = (db: TenantDb, id: string): Promise<DueRow | undefined> =>
  db.maybe(sql<DueRow>`select ${dueColumns} from ${dueTables} where p.id = ${id} and not p.is_deleted for update of p`)

export const listDuesOfSignup = (db: TenantDb, signupId: string): Promise<readonly { id: string; state: DueState; amountFen: number }[]> =>
  db.all(sql`
    select id::text as id, state, amount_fen as "amountFen" from exam_pay where signup_id = ${signupId} and not is_deleted and state <> 'void' order by id for update`)

/** A due as its owner's list shows it. */
export interface OwnDueRow extends DueRow {
  readonly itemName: string | null
  readonly paidTime: Date | null
  readonly invoiceNo: string | null
  readonly invoiceUrl: string | null
  readonly orderNo: string | null
  readonly orderState: OrderState | null
  readonly orderChannel: PayChannel | null
  readonly orderSuccessTime: Date | null
  readonly refundState: RefundState | null
  readonly refundFen: number | null
  readonly refundTime: Date | null
  readonly refundApplied: Date | null
  readonly refundApproved: Date | null
  readonly refundSubmitted: Date | null
  readonly refundDone: Date | null
  readonly refundReason: RefundReason | null
  /** What was written when it was asked for, and when it was rejected. */
  readonly refundRemark: string | null
  readonly refundWord: string | null
  /** Nobody has ever approved or rejected it. */
  readonly isUndecided: boolean | null
  /** The owner asked for it themselves. */
  readonly isOwnRefund: boolean | null
}

export const listOwnDues = (
  db: TenantDb,
  of: { readonly userId: string; readonly examId?: string | undefined; readonly state?: DueState | undefined },
): Promise<readonly OwnDueRow[]> => {
  const conditions: (RawBuilder<unknown> | false)[] = [
    sql`p.user_id = ${of.userId}`,
    sql`not p.is_deleted`,
    of.state === undefined ? sql`p.state <> 'void'` : sql`p.state = ${of.state}`,
    of.examId === undefined ? false : sql`p.exam_id = ${of.examId}`,
  ]
  return db.all(sql<OwnDueRow>`
    select ${dueColumns}, i.item_name as "itemName", p.paid_time as "paidTime", p.invoice_no as "invoiceNo", p.invoice_url as "invoiceUrl",
      o.order_no as "orderNo", o.state as "orderState", o.channel as "orderChannel", o.success_time as "orderSuccessTime",
      r.state as "refundState", r.amount_fen as "refundFen", coalesce(r.success_time, r.created_at) as "refundTime",
      r.created_at as "refundApplied", r.approve_time as "refundApproved", r.submitted_at as "refundSubmitted", r.success_time as "refundDone",
      r.reason as "refundReason", r.remark as "refundRemark", r.decision_remark as "refundWord", r.approve_time is null and not r.approved_by_rule as "isUndecided", r.apply_by = p.user_id and not r.approved_by_rule as "isOwnRefund"
    from ${dueTables}
    left join exam_item i on i.tenant_id = p.tenant_id and i.id = p.item_id
    left join lateral (select order_no, state, channel, success_time from pay_order x where x.pay_id = p.id order by (x.id = p.order_id) desc, x.id desc limit 1) o on true
    left join lateral (select state, amount_fen, reason, remark, decision_remark, approve_time, submitted_at, success_time, created_at, apply_by, approved_by_rule from pay_refund x where x.pay_id = p.id order by x.id desc limit 1) r on true
    where ${allOf(conditions)} order by p.id desc limit 200`)
}

/** One ledger line; the evidence (a transaction, a refund, a voucher) makes it impossible to write the same movement twice. @returns 0 for a repeat */
export const addLedger = (
  db: TenantDb,
  line: {
    readonly payId: string | null
    readonly orderId?: string | null
    readonly refundId?: string | null
    readonly kind: string
    readonly amountFen: number
    readonly evidence: string
  },
): Promise<number> =>
  db.run(sql`
    insert into pay_ledger (tenant_id, pay_id, order_id, refund_id, kind, amount_fen, evidence, created_by)
    values (${db.actor.tenantId}, ${line.payId}, ${line.orderId ?? null}, ${line.refundId ?? null}, ${line.kind}, ${line.amountFen}, ${line.evidence}, ${db.actor.userId})
    on conflict (tenant_id, kind, evidence) do nothing`)

export const sumDue = async (db: TenantDb, signupId: string): Promise<number> =>
  (
    await db.one(
      sql<{ fen: number }>`select coalesce(sum(amount_fen), 0)::int as fen from exam_pay where signup_id = ${signupId} and state = 'due'`,
    )
  ).fen

/** The one figure of what can still be asked back (migration 1150). */
const leftOfDue = sql`left_to_refund(p.tenant_id, p.id, p.order_id, p.paid_fen)`
/** Dues of a sign-up for which money came, whatever has become of it, in the order they arose. */
export const listDuesWithMoney = (db: TenantDb, signupId: string): Promise<{ id: string; paidFen: number }[]> =>
  db.all(sql<{ id: string; paidFen: number }>`
    select id::text as id, paid_fen as "paidFen" from exam_pay
    where signup_id = ${signupId} and state in ('paid', 'refunding', 'refunded') and paid_fen > 0 and not is_deleted order by id for update`)
/** Dues of a sign-up with what was paid for them and nobody has asked back, in the order they arose. */
export const listPaidDues = (db: TenantDb, signupId: string): Promise<{ id: string; leftFen: number }[]> =>
  db.all(sql<{ id: string; leftFen: number }>`
    select p.id::text as id, ${leftOfDue} as "leftFen" from exam_pay p
    where p.signup_id = ${signupId} and p.state = 'paid' and not p.is_deleted and ${leftOfDue} > 0 order by p.id`)
export const sumPaid = async (db: TenantDb, signupId: string): Promise<number> =>
  (await listPaidDues(db, signupId)).reduce((sum, due) => sum + due.leftFen, 0)

/** What became of each due of a sign-up. One that was paid, let off and given back counts as let off: its owner takes part. */
export const statesOfDues = async (db: TenantDb, signupId: string): Promise<DueState[]> =>
  (
    await db.all(sql<{ state: DueState }>`
      select case when is_waived and state in ('refunding', 'refunded') then 'exempt' else state end as state
      from exam_pay where signup_id = ${signupId} and not is_deleted`)
  ).map(row => row.state)

/** Call with the due locked. */
export const writeRefunded = async (db: TenantDb, payId: string, refundedFen: number): Promise<void> => {
  await db.run(sql`update exam_pay set refunded_fen = ${refundedFen} where id = ${payId}`)
}

/** What a sign-up is charged by. */
export interface SignupToCharge {
  readonly examId: string
  readonly userId: string
  readonly code: string | null
  readonly examine: SignupState
  readonly postEvent: PostEvent
}
export const signupToCharge = (db: TenantDb, signupId: string): Promise<SignupToCharge> =>
  db.one(sql<SignupToCharge>`
    select s.exam_id::text as "examId", s.user_id::text as "userId", s.code, s.examine, post_event(s.tenant_id, s.exam_id, s.id, s.code) as "postEvent"
    from signup s where s.id = ${signupId}`)

/** One fee of one sign-up: of the sign-up itself (paper `0`) or of a paper. */
export interface Fee {
  readonly examId: string
  readonly signupId: string
  readonly itemId: string
  /** 1 of the examination, 2 the difference to another post, 3 another one. */
  readonly kind: number
  readonly name: string
}
/** The due for this fee that is not void, whoever has made it. */
export const lockDueOfFee = (
  db: TenantDb,
  fee: Fee,
): Promise<{ id: string; state: string; amountFen: number; isByRule: boolean } | undefined> =>
  db.maybe(sql<{ id: string; state: string; amountFen: number; isByRule: boolean }>`
    select id::text as id, state, amount_fen as "amountFen", source = 1 as "isByRule" from exam_pay
    where exam_id = ${fee.examId} and signup_id = ${fee.signupId} and item_id = ${fee.itemId} and (pay_kind = ${fee.kind} or source <> 1) and pay_name = ${fee.name}
      and state <> 'void' and not is_deleted order by source, id limit 1 for update`)

/** @returns its id */
export const insertDue = async (
  db: TenantDb,
  fee: Fee,
  of: { readonly userId: string; readonly amountFen: number; readonly deadline: Date; readonly graceUntil: Date | null },
): Promise<string> => {
  const { id } = await db.one(sql<{ id: string }>`
    insert into exam_pay (tenant_id, exam_id, signup_id, user_id, item_id, pay_kind, pay_name, amount_fen, deadline, grace_until, created_by, updated_by)
    values (${db.actor.tenantId}, ${fee.examId}, ${fee.signupId}, ${of.userId}, ${fee.itemId}, ${fee.kind}, ${fee.name}, ${of.amountFen}, ${of.deadline}, ${of.graceUntil}, ${db.actor.userId}, ${db.actor.userId})
    returning id::text as id`)
  return id
}

export interface NewDue extends Fee {
  readonly userId: string
  readonly amountFen: number
}
/** The same of many at once. */
export const insertDues = (
  db: TenantDb,
  dues: readonly NewDue[],
  of: { readonly deadline: Date; readonly graceUntil: Date | null },
): Promise<{ id: string; signupId: string; userId: string; amountFen: number; payName: string }[]> =>
  db.all(sql<{ id: string; signupId: string; userId: string; amountFen: number; payName: string }>`
    insert into exam_pay (tenant_id, exam_id, signup_id, user_id, item_id, pay_kind, pay_name, amount_fen, deadline, grace_until, created_by, updated_by)
    select ${db.actor.tenantId}, "examId", "signupId", "userId", "itemId", kind, name, "amountFen", ${of.deadline}, ${of.graceUntil}, ${db.actor.userId}, ${db.actor.userId}
    from jsonb_to_recordset(${JSON.stringify(dues)}::jsonb)
      as g("examId" bigint, "signupId" bigint, "userId" bigint, "itemId" bigint, kind int, name text, "amountFen" int)
    returning id::text as id, signup_id::text as "signupId", user_id::text as "userId", amount_fen as "amountFen", pay_name as "payName"`)

/** An open due that ends with its examination and whose owner was told another end. */
export interface MovedDue {
  readonly id: string
  readonly state: 'due' | 'overdue'
  readonly amountFen: number
  readonly signupId: string
  readonly userId: string
  /** The end its owner was told last, and the one that counts now. */
  readonly told: Date
  readonly until: Date
}
/** Locked, but for sign-ups that ended and for what has lapsed and stays so. */
export const lockMoved = (db: TenantDb, examId: string): Promise<MovedDue[]> =>
  db.all(sql<MovedDue>`
    select p.id::text as id, p.state, p.amount_fen as "amountFen", p.signup_id::text as "signupId", p.user_id::text as "userId", p.deadline as told, ${dueUntil} as until
    from ${dueTables}
    where p.exam_id = ${examId} and not p.own_deadline and not p.is_deleted and s.examine not in ('withdrawn', 'disqualified')
      and case p.state when 'due' then p.deadline <> ${dueUntil} when 'overdue' then ${dueUntil} > app_now() else false end
    order by p.id for update of p`)

export const writeTold = async (db: TenantDb, dueIds: readonly string[], until: Date): Promise<void> => {
  await db.run(sql`
    update exam_pay set deadline = ${until}, updated_at = app_now(), updated_by = ${db.actor.userId}, version = version + 1
    where id = any(${[...dueIds]}::bigint[])`)
}

/** Dues whose end has passed. */
export const listDuesToLapse = (db: TenantDb): Promise<{ id: string }[]> =>
  db.all(sql<{ id: string }>`
    select p.id::text as id from exam_pay p join examination e on e.tenant_id = p.tenant_id and e.id = p.exam_id
    where p.state = 'due' and ${dueUntil} <= app_now() and not p.is_deleted order by p.id limit 5000`)
