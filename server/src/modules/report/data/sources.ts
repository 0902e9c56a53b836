import { loginResult } from '#contract/auth/login-result.ts'
import type { Label } from '#contract/kernel/label.ts'
import { dueFigures } from '#contract/pay/figures.ts'
import { dueMachine, orderMachine, type PayWay } from '#contract/pay/order.state.ts'
import type { DataSetName, DimensionOf, MeasureOf } from '#contract/report/data-sets.ts'
import { signupFigures } from '#contract/signup/figures.ts'
import { signupMachine } from '#contract/signup/signup.state.ts'
import { ticketMachine } from '#contract/ticket/ticket.state.ts'
import { isDueIn, isIn } from '#kernel/db/figures.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { allOf, byDictionary, type RawBuilder, sql } from '#kernel/db/sql.ts'

export type Words = ReadonlyMap<string, Label>
type Lookup = (db: TenantDb, keys: readonly string[]) => Promise<Words>
/** What the values of a dimension are called: words of the program by key, a dictionary, rows that are looked up, or the values themselves. */
type WordSource =
  | { readonly words: Readonly<Record<string, Label>> }
  | { readonly dict: string }
  /** `isListed`: the lookup answers in the order of a dictionary. */
  | { readonly look: Lookup; readonly isListed?: true }
  | { readonly own: true }

/** Units, or null for all of them. */
type Units = readonly string[] | null
/** How far somebody sees, as the contexts that own the rows say it; undefined narrows nothing. */
export interface Reach {
  readonly signups: Units
  /** Of these sign-ups who is or was on the shortlist. */
  readonly shortlistedOnly: boolean
  /** Conditions on `exam_pay_row` and `pay_order_row`. */
  readonly dues: RawBuilder<unknown> | undefined
  readonly orders: RawBuilder<unknown> | undefined
  readonly tickets: { readonly units: readonly string[] } | { readonly sites: readonly string[] } | undefined
  readonly results: { readonly units: Units; readonly releasedOnly: boolean; readonly shortlistedOnly: boolean }
  /** A condition on an account `a`. */
  readonly people: RawBuilder<unknown> | undefined
  readonly isByDepartment: boolean
}

/** How a dimension is read: the expression that rows are grouped by, and the text it becomes. */
export interface SourceDimension {
  readonly value: RawBuilder<unknown>
  /** The text of a grouped value; its own text where this does not say. */
  readonly text?: (value: RawBuilder<unknown>) => RawBuilder<unknown>
  readonly words: WordSource
  /** A condition for filters that an index can use; every value is bound. */
  readonly isOneOf?: (values: readonly string[]) => RawBuilder<unknown>
  /** People are looked at apart by it, as examinations: a report over several is a sum of what is shown of each. */
  readonly isPopulation?: true
  /** The dimension whose values each hold several of these, with the expression of the outer value. */
  readonly within?: { readonly dimension: string; readonly value: RawBuilder<unknown> }
}

/** The fixed query behind a data set. Rows of departments and tenants are narrowed by the database; `where` adds what else narrows the reader. */
export interface Source {
  readonly from: RawBuilder<unknown>
  readonly where: (reach: Reach) => RawBuilder<unknown>
  /** Whom a row is about, as a whole number. */
  readonly person: RawBuilder<unknown>
  readonly dimensions: Readonly<Record<string, SourceDimension>>
  /** What sums and means are of; nothing for the number of rows. */
  readonly measures: Readonly<Record<string, RawBuilder<unknown> | null>>
}
type SourceOf<S extends DataSetName> = Omit<Source, 'dimensions' | 'measures'> & {
  readonly dimensions: { readonly [K in DimensionOf<S>]: SourceDimension }
  readonly measures: { readonly [K in MeasureOf<S>]: RawBuilder<unknown> | null }
}

const found = (rows: readonly { readonly key: string; readonly zh: string; readonly en?: string }[]): Words =>
  new Map(rows.map(({ key, zh, en }) => [key, { zh, en: en ?? zh }]))

const bigints = (keys: readonly string[]): string[] => keys.filter(key => /^\d{1,18}$/.test(key))

const examNames: Lookup = async (db, keys) =>
  found(
    await db.all(
      sql<{ key: string; zh: string }>`select id::text as key, exam_name as zh from examination where id = any(${bigints(keys)}::bigint[])`,
    ),
  )
const paperNames: Lookup = async (db, keys) =>
  found(
    await db.all(
      sql<{ key: string; zh: string }>`select id::text as key, item_name as zh from exam_item where id = any(${bigints(keys)}::bigint[])`,
    ),
  )
const unitNames: Lookup = async (db, keys) =>
  found(
    await db.all(sql<{ key: string; zh: string }>`
      select unit as key, min(unit_name) as zh from type_code where unit = any(${[...keys]}::text[]) and not is_deleted group by unit`),
  )
const typeNames: Lookup = async (db, keys) =>
  found(
    await db.all(sql<{ key: string; zh: string }>`
      select type as key, min(type_name) as zh from type_code where type = any(${[...keys]}::text[]) and not is_deleted
      group by type order by ${byDictionary('post_type', sql`type`)}, type`),
  )
const postNames: Lookup = async (db, keys) =>
  found(
    await db.all(sql<{ key: string; zh: string }>`
      select exam_id::text || '|' || code as key, min(code || ' ' || code_name) as zh from type_code
      where (exam_id::text || '|' || code) = any(${[...keys]}::text[]) and not is_deleted group by 1`),
  )
const accountNames: Lookup = async (db, keys) =>
  found(
    await db.all(
      sql<{ key: string; zh: string }>`select id::text as key, real_name as zh from account where id = any(${bigints(keys)}::bigint[])`,
    ),
  )

const regionNames: Lookup = async (db, keys) =>
  found(await db.all(sql<{ key: string; zh: string }>`select code as key, name as zh from region where code = any(${[...keys]}::text[])`))
/** The city of a sign-up's region, wherever the form asks for it; what says no city stands for its province. */
const cityOfSignup = sql`left(coalesce(nullif(s.area, ''), nullif(s.city, ''), nullif(s.province, ''), s.content->'hukouAddress'->>-1), 4) || '00'`

const inShanghai = (at: RawBuilder<unknown>): RawBuilder<unknown> => sql`(${at} at time zone 'Asia/Shanghai')`
const dayOf = (at: RawBuilder<unknown>): SourceDimension => ({
  value: sql`${inShanghai(at)}::date`,
  words: { own: true },
  within: { dimension: 'month', value: sql`to_char(${inShanghai(at)}, 'YYYY-MM')` },
})
const monthOf = (at: RawBuilder<unknown>): SourceDimension => ({
  value: sql`date_trunc('month', ${inShanghai(at)})::date`,
  text: value => sql`substr(${value}::text, 1, 7)`,
  words: { own: true },
})
const wordsOf = (value: RawBuilder<unknown>, words: Readonly<Record<string, Label>>): SourceDimension => ({ value, words: { words } })
const dictOf = (value: RawBuilder<unknown>, dict: string): SourceDimension => ({ value, words: { dict } })
const ownText = (value: RawBuilder<unknown>): SourceDimension => ({ value, words: { own: true } })

const examOf = (column: RawBuilder<unknown>): SourceDimension => ({
  value: column,
  words: { look: examNames },
  isOneOf: values => sql`${column} = any(${bigints(values)}::bigint[])`,
  isPopulation: true,
})
const unitOf = (column: RawBuilder<unknown>): SourceDimension => ({
  value: column,
  words: { look: unitNames },
  isOneOf: values => sql`${column} = any(${[...values]}::text[])`,
})
/** What is read of the sign-up that a row belongs to. */
const ofSignup = {
  unit: unitOf(sql`s.unit`),
  postType: { value: sql`s.type`, words: { look: typeNames, isListed: true } },
  post: { value: sql`s.exam_id::text || '|' || s.code`, words: { look: postNames }, within: { dimension: 'unit', value: sql`s.unit` } },
} as const satisfies Readonly<Record<string, SourceDimension>>

const within = (column: RawBuilder<unknown>, units: Units): RawBuilder<unknown> | false =>
  units !== null && sql`${column} = any(${[...units]}::text[])`
/** Hiring units see what belongs to their own sign-ups (domain 2.1), as rules of roles narrow it further. */
const signupsOf = ({ signups: units, shortlistedOnly }: Reach): RawBuilder<unknown> =>
  allOf([within(sql`s.unit`, units), shortlistedOnly && sql`s.shortlist > 0`])

const say = (zh: string, en: string): Label => ({ zh, en })
const ages = ['0-24', '25-29', '30-34', '35-39', '40-44', '45-'] as const
const ageWords: Readonly<Record<(typeof ages)[number], Label>> = {
  '0-24': say('25 岁以下', 'Below 25'),
  '25-29': say('25–29 岁', '25–29'),
  '30-34': say('30–34 岁', '30–34'),
  '35-39': say('35–39 岁', '35–39'),
  '40-44': say('40–44 岁', '40–44'),
  '45-': say('45 岁及以上', '45 and over'),
}
const years = (count: number): RawBuilder<unknown> => sql`(${inShanghai(sql`app_now()`)}::date - make_interval(years => ${count}::int))`
const ageGroup = sql`case when s.birthday is null then null when s.birthday > ${years(25)} then '0-24' when s.birthday > ${years(30)} then '25-29'
  when s.birthday > ${years(35)} then '30-34' when s.birthday > ${years(40)} then '35-39' when s.birthday > ${years(45)} then '40-44' else '45-' end`

const payStates: Readonly<Record<string, Label>> = {
  none: say('无需缴费', 'Nothing due'),
  due: say('待缴', 'To pay'),
  paid: say('已缴', 'Paid'),
  refunding: say('退费中', 'Being refunded'),
  refunded: say('已退费', 'Refunded'),
  overdue: say('逾期未缴', 'Overdue'),
}
const payWays: Readonly<Record<PayWay, Label>> = {
  wechat: say('微信扫码', 'WeChat'),
  bankTransfer: say('银行转账', 'Bank transfer'),
  cash: say('现金/POS', 'Cash or card'),
  unit: say('单位代缴', 'By the unit'),
  alipay: say('支付宝', 'Alipay'),
  nontax: say('非税缴款码', 'Non-tax payment number'),
}
const exceptions: Readonly<Record<string, Label>> = {
  amountMismatch: say('金额不符', 'Wrong amount'),
  paidAfterClose: say('关闭后支付', 'Paid after closing'),
  duplicate: say('重复支付', 'Paid twice'),
  merchantMismatch: say('商户号不符', 'Wrong merchant'),
  refundedOutside: say('商户平台退费', 'Refunded in the merchant console'),
}
const noticeKinds: Readonly<Record<string, Label>> = {
  1: say('审核结果', 'Review results'),
  2: say('缴费', 'Payment'),
  3: say('准考证', 'Tickets'),
  4: say('成绩', 'Results'),
  5: say('岗位变动', 'Changes of posts'),
  6: say('资格复审', 'Re-review'),
  7: say('系统', 'System'),
  sms: say('短信', 'Text messages'),
}
const messageStates: Readonly<Record<string, Label>> = {
  unread: say('未读', 'Unread'),
  read: say('已读', 'Read'),
  waiting: say('待发送', 'Waiting'),
  handed: say('已提交运营商', 'Handed to the provider'),
  delivered: say('已送达', 'Delivered'),
  failed: say('发送失败', 'Failed'),
  cancelled: say('已取消', 'Cancelled'),
}

const duesOf = sql`exam_pay p join signup s on s.tenant_id = p.tenant_id and s.id = p.signup_id`

const signups: SourceOf<'signups'> = {
  from: sql`signup s`,
  where: reach => allOf([sql`s.examine <> 'draft' and s.sign_no is not null and not s.is_deleted`, signupsOf(reach)]),
  person: sql`s.user_id`,
  dimensions: {
    ...ofSignup,
    exam: examOf(sql`s.exam_id`),
    state: wordsOf(sql`s.examine`, signupMachine.label),
    payState: wordsOf(sql`case when ${isIn(signupFigures.signedUp, 's')} then s.pay_state else 'withdrawn' end`, {
      ...payStates,
      withdrawn: signupMachine.label.withdrawn,
    }),
    sex: dictOf(sql`s.sex`, 'sex'),
    ageGroup: wordsOf(ageGroup, ageWords),
    education: dictOf(sql`s.education`, 'education'),
    degree: dictOf(sql`s.degree`, 'degree'),
    region: { value: cityOfSignup, words: { look: regionNames } },
    political: dictOf(sql`s.content->>'political'`, 'political'),
    fresh: dictOf(sql`s.content->>'fresh'`, 'fresh'),
    school: ownText(sql`s.school`),
    day: dayOf(sql`s.first_submit_time`),
    month: monthOf(sql`s.first_submit_time`),
  },
  measures: { rows: null, age: sql`(${inShanghai(sql`app_now()`)}::date - s.birthday) / 365.2425` },
}
const reviews: SourceOf<'reviews'> = {
  from: sql`examine_record r join signup s on s.tenant_id = r.tenant_id and s.id = r.signup_id`,
  where: reach => allOf([sql`not r.undone and not s.is_deleted`, signupsOf(reach)]),
  person: sql`r.user_id`,
  dimensions: {
    ...ofSignup,
    exam: examOf(sql`r.exam_id`),
    reviewer: { value: sql`r.examiner_id`, words: { look: accountNames } },
    level: wordsOf(sql`r.level`, {
      1: say('初审', 'First review'),
      2: say('复核', 'Second review'),
      3: say('资格复审', 'Re-review'),
      4: say('考务更正', 'Correction by the office'),
    }),
    result: wordsOf(sql`r.result`, { 1: say('通过', 'Passed'), 2: say('退回', 'Returned'), 3: say('不通过', 'Refused') }),
    day: dayOf(sql`r.created_at`),
    month: monthOf(sql`r.created_at`),
  },
  measures: { rows: null, meanSeconds: sql`r.duration_ms / 1000.0`, minutes: sql`r.duration_ms / 60000.0` },
}
const dues: SourceOf<'dues'> = {
  from: duesOf,
  where: reach =>
    allOf([
      sql`not p.is_deleted and p.state <> 'void'`,
      signupsOf(reach),
      reach.dues && sql`p.id in (select id from exam_pay_row where ${reach.dues})`,
    ]),
  person: sql`p.user_id`,
  dimensions: {
    exam: examOf(sql`p.exam_id`),
    unit: ofSignup.unit,
    post: ofSignup.post,
    payName: ownText(sql`p.pay_name`),
    state: wordsOf(sql`p.state`, dueMachine.label),
    payWay: wordsOf(sql`p.pay_way`, payWays),
    day: dayOf(sql`p.paid_time`),
    month: monthOf(sql`p.paid_time`),
  },
  measures: {
    rows: null,
    amount: sql`case when ${isDueIn(dueFigures.owed)} then p.amount_fen else 0 end`,
    paid: sql`p.paid_fen`,
    refunded: sql`p.refunded_fen`,
  },
}
const orders: SourceOf<'orders'> = {
  from: sql`pay_order o join exam_pay p on p.tenant_id = o.tenant_id and p.id = o.pay_id join signup s on s.tenant_id = p.tenant_id and s.id = p.signup_id`,
  where: reach => allOf([signupsOf(reach), reach.orders && sql`o.id in (select id from pay_order_row where ${reach.orders})`]),
  person: sql`o.user_id`,
  dimensions: {
    exam: examOf(sql`p.exam_id`),
    state: wordsOf(sql`o.state`, orderMachine.label),
    exception: wordsOf(sql`o.exception`, exceptions),
    day: dayOf(sql`o.created_at`),
    month: monthOf(sql`o.created_at`),
  },
  measures: { rows: null, amount: sql`o.amount_fen`, paid: sql`o.paid_fen` },
}
const tickets: SourceOf<'tickets'> = {
  from: sql`ticket t join signup s on s.tenant_id = t.tenant_id and s.id = t.signup_id`,
  where: ({ tickets: scope }) =>
    allOf([
      sql`not t.is_deleted`,
      scope !== undefined && ('sites' in scope ? sql`t.site_code = any(${[...scope.sites]}::text[])` : within(sql`s.unit`, scope.units)),
    ]),
  person: sql`t.user_id`,
  dimensions: {
    ...ofSignup,
    exam: examOf(sql`t.exam_id`),
    paper: { value: sql`t.item_id`, words: { look: paperNames } },
    site: ownText(sql`t.site_name`),
    room: { ...ownText(sql`t.site_name || ' ' || t.room_no`), within: { dimension: 'site', value: sql`t.site_name` } },
    state: wordsOf(sql`t.ticket_state`, ticketMachine.label),
    day: dayOf(sql`t.first_down_time`),
  },
  measures: { rows: null, downloads: sql`t.down_count` },
}
const yesNo: Readonly<Record<string, Label>> = { true: say('已发布', 'Released'), false: say('未发布', 'Not released') }
const results: SourceOf<'results'> = {
  from: sql`result r join signup s on s.tenant_id = r.tenant_id and s.id = r.signup_id`,
  where: ({ results: scope }) =>
    allOf([
      sql`not r.is_deleted`,
      within(sql`s.unit`, scope.units),
      scope.releasedOnly && sql`r.released`,
      scope.shortlistedOnly &&
        sql`exists (select 1 from score_total t where t.tenant_id = r.tenant_id and t.exam_id = r.exam_id and t.signup_id = r.signup_id and t.shortlist in (1, 2))`,
    ]),
  person: sql`r.user_id`,
  dimensions: {
    ...ofSignup,
    exam: examOf(sql`r.exam_id`),
    paper: { value: sql`r.item_id`, words: { look: paperNames } },
    state: dictOf(sql`r.result_state`, 'result_state'),
    released: wordsOf(sql`r.released`, yesNo),
    band: {
      // `least` leaves out what is null: whoever has no score is in no band.
      value: sql`case when r.final_score is not null then least(floor(r.final_score / 10), 10)::int end`,
      words: {
        words: Object.fromEntries([
          ...Array.from({ length: 10 }, (_, i) => [i, say(`${i * 10}–${i * 10 + 9} 分`, `${i * 10}–${i * 10 + 9}`)]),
          [10, say('100 分及以上', '100 and over')],
        ]),
      },
    },
  },
  measures: { rows: null, meanScore: sql`r.final_score` },
}
const messages: SourceOf<'messages'> = {
  from: sql`(
    select tenant_id, exam_id, user_id, 'notice' as channel, kind::text as kind, case when read_at is null then 'unread' else 'read' end as state, created_at from notify
    union all
    select tenant_id, null, user_id, 'sms', 'sms', (array['waiting', 'handed', 'delivered', 'failed', 'cancelled'])[state + 1], created_at from sms_message) m`,
  // Whoever is narrowed to departments reaches what names an examination of theirs, and nothing that names none.
  where: ({ isByDepartment }) => (!isByDepartment ? sql`true` : sql`m.exam_id in (select id from examination)`),
  person: sql`coalesce(m.user_id, 0)`,
  dimensions: {
    channel: wordsOf(sql`m.channel`, { notice: say('站内通知', 'Notices'), sms: say('短信', 'Text messages') }),
    kind: wordsOf(sql`m.kind`, noticeKinds),
    state: wordsOf(sql`m.state`, messageStates),
    day: dayOf(sql`m.created_at`),
    month: monthOf(sql`m.created_at`),
  },
  measures: { rows: null },
}
const logins: SourceOf<'logins'> = {
  from: sql`login_log l left join account a on a.tenant_id = l.tenant_id and a.id = l.user_id`,
  where: ({ people }) =>
    people === undefined
      ? sql`true`
      : sql`exists (select 1 from account a where a.tenant_id = l.tenant_id and (a.id = l.user_id or a.account_key = l.account_key) and ${people})`,
  // A try that failed is nobody's: the name that was typed stands for whoever typed it.
  person: sql`case when l.user_id > 0 then l.user_id else abs(hashtext(l.account_key)::bigint) end`,
  dimensions: {
    outcome: wordsOf(sql`l.result in ('ok', 'guest')`, { true: say('成功', 'Succeeded'), false: say('未成功', 'Did not succeed') }),
    result: {
      value: sql`l.result`,
      words: { look: async (_, keys) => new Map(keys.map(key => [key, loginResult(key)])) },
    },
    userType: wordsOf(sql`a.user_type`, { 1: say('工作人员', 'Staff'), 2: say('考生', 'Candidates'), 3: say('服务账号', 'Programs') }),
    hour: { value: sql`to_char(${inShanghai(sql`l.created_at`)}, 'HH24')`, text: value => sql`${value} || ':00'`, words: { own: true } },
    day: dayOf(sql`l.created_at`),
    month: monthOf(sql`l.created_at`),
  },
  measures: { rows: null },
}

const sources: { readonly [S in DataSetName]: SourceOf<S> } = { signups, reviews, dues, orders, tickets, results, messages, logins }
export const sourceOf = (name: DataSetName): Source => sources[name]
