import { contactPhoneHow, contactPhonePattern } from '#contract/exam/contact-phone.ts'
import { date, decimal, dictInt, type Field, flag, instant, int, money, text } from '#contract/kernel/field.ts'
import type { Label } from '#web/kernel/i18n/index.ts'

const label = (zh: string, en: string): Label => ({ zh, en })

/** Fields of an examination (domain 3.1) by the step that asks for them. Limits are those of the table. */
export const basicFields = {
  examName: text(100, { label: label('考试名称', 'Name'), required: true }),
  examCode: text(20, {
    label: label('考试编码', 'Code'),
    required: true,
    pattern: '^[A-Z0-9-]+$',
    help: label('大写字母、数字和连字符，发布后不能修改', 'Capital letters, digits and hyphens; fixed once released'),
  }),
  year: int({ label: label('年度', 'Year'), required: true, min: 2000, max: 2099 }),
  examNo: int({
    label: label('考试序号', 'Number in the year'),
    required: true,
    min: 1,
    max: 99,
    help: label('同一年度不重复，用于准考证号', 'Unique in its year; part of the ticket number'),
  }),
  examType: dictInt('exam_type', { label: label('考试类型', 'Type'), required: true }),
  contactPhone: text(60, {
    label: label('咨询电话', 'Enquiry phone'),
    required: true,
    pattern: contactPhonePattern,
    help: contactPhoneHow,
  }),
  organizer: text(100, { label: label('主办单位', 'Organizer'), required: true }),
  undertaker: text(100, { label: label('承办单位', 'Co-organizer') }),
  description: text(20_000, { label: label('考试说明', 'Description'), widget: 'richtext' }),
  promise: text(5_000, {
    label: label('诚信承诺书', 'Integrity undertaking'),
    required: true,
    widget: 'textarea',
    help: label('考生提交报名时须同意', 'Candidates agree to it when they submit'),
  }),
} as const satisfies Record<string, Field>

const begin = (zh: string, en: string, required = false) => instant({ label: label(`${zh}开始`, `${en} begins`), required })
const end = (zh: string, en: string, required = false) => instant({ label: label(`${zh}结束`, `${en} ends`), required, isEnd: true })
export const timeFields = {
  signBegin: begin('报名', 'Sign-up', true),
  signEnd: end('报名', 'Sign-up', true),
  examineBegin: begin('审核', 'Review'),
  examineEnd: end('审核', 'Review', true),
  modifyEnd: instant({
    label: label('修改截止', 'Corrections until'),
    help: label('退回修改的最后时间，不填即报名结束', 'Last moment for returned sign-ups; empty = end of sign-up'),
    isEnd: true,
  }),
  appealEnd: instant({ label: label('申诉截止', 'Appeals until'), help: label('不填即审核结束', 'Empty = end of review'), isEnd: true }),
  payBegin: begin('缴费', 'Payment'),
  payEnd: end('缴费', 'Payment'),
  adjustBegin: begin('改报', 'Transfer'),
  adjustEnd: end('改报', 'Transfer'),
  ticketBegin: begin('准考证下载', 'Ticket download'),
  ticketEnd: end('准考证下载', 'Ticket download'),
  msTicketBegin: begin('面试准考证下载', 'Interview ticket download'),
  msTicketEnd: end('面试准考证下载', 'Interview ticket download'),
  scoreBegin: instant({ label: label('成绩发布时间', 'Results from'), help: label('不填即人工发布', 'Empty = released by hand') }),
} as const satisfies Record<string, Field>

export const feeFields = {
  feeMode: int({ label: label('收费方式', 'Fee'), required: true }),
  feeFen: money({ label: label('报名费', 'Sign-up fee') }),
  payWhen: int({ label: label('何时产生应缴', 'When it falls due'), required: true }),
  payLimitMinutes: int({ label: label('支付订单有效分钟', 'Minutes a payment code lives'), required: true, min: 5, max: 120 }),
  refundPolicy: int({ label: label('退费规则', 'Refunds'), required: true }),
  feeWaiver: int({ label: label('费用减免', 'Fee waivers'), required: true }),
} as const satisfies Record<string, Field>

export const reviewFields = {
  examineLevels: int({ label: label('审核级数', 'Levels of review'), required: true }),
  allotMode: int({ label: label('分配方式', 'Allotment'), required: true }),
  allowSameReviewer: flag({ label: label('初审人可参加资格复审', 'First reviewer may take part in the re-review') }),
  openRatio: int({
    label: label('开考比例（1 比）', 'Opening ratio (1 to)'),
    required: true,
    min: 0,
    max: 99,
    help: label('0 为不限', '0 = none'),
  }),
  ratioBasis: int({ label: label('比例按', 'Ratio counts'), required: true }),
  shortlistRatio: int({ label: label('面试入围比例（1 比）', 'Interview ratio (1 to)'), required: true, min: 1, max: 99 }),
  regionLabel: text(20, { label: label('省市区的含义', 'What the region means'), required: true }),
  allowForeignCard: flag({
    label: label('接受外国人永久居留身份证', 'Permanent residence cards of foreigners'),
    help: label('18 位、以 9 开头的证件号', 'Numbers of 18 digits that begin with 9'),
  }),
  allowPassport: flag({
    label: label('接受护照', 'Passports'),
    help: label('护照号码不含出生日期和性别，请复核证件图片', 'Their number says neither birth date nor sex: check the pictures'),
  }),
  freshYears: int({
    label: label('应届按毕业后几年内算', 'Years after graduation that count as fresh'),
    required: true,
    min: 0,
    max: 5,
    help: label('0 为只算当年毕业；多数地方为 2（择业期）', '0 = graduates of the year alone; mostly 2'),
  }),
  freshEndsBy: int({ label: label('什么情况不再算应届', 'What ends being a fresh graduate'), required: true }),
  freshDay: date({
    label: label('是否就业看到哪一天', 'Work is looked at up to'),
    help: label('之后才参加工作的不影响；不填即报名开始日', 'Work that begins later changes nothing; empty = first day of sign-up'),
  }),
  residencyFresh: flag({
    label: label('规培合格当年就业按应届对待', 'Residency training counts as fresh'),
    help: label('由审核人员确认', 'A reviewer confirms it'),
  }),
  residencyMaster: flag({
    label: label('规培合格的本科按硕士对待', 'Residency training meets a master’s minimum'),
    help: label('由审核人员确认', 'A reviewer confirms it'),
  }),
  allowSecond: flag({ label: label('可填第二志愿', 'Second choice') }),
  allowAdjust: flag({
    label: label('询问是否服从调剂', 'Ask about adjustment'),
    help: label('开启后加入报名项“是否服从调剂”', 'Adds the field “Accepts adjustment” to the form'),
  }),
  allowChangePost: flag({ label: label('不通过后可改报', 'Another post after rejection') }),
  changePostMax: int({ label: label('最多改报次数', 'Most changes of post'), required: true, min: 0, max: 9 }),
  hideCounts: flag({ label: label('报名期间不公布人数', 'Hide the counts during sign-up') }),
  needSignature: flag({ label: label('承诺书须手写签名', 'Signature by hand') }),
  writtenWeight: decimal({ label: label('笔试占比（%）', 'Written weight (%)'), required: true, min: 0, max: 100, places: 2 }),
  interviewWeight: decimal({ label: label('面试占比（%）', 'Interview weight (%)'), required: true, min: 0, max: 100, places: 2 }),
  scoreScale: int({ label: label('成绩小数位', 'Decimals of scores'), required: true, min: 0, max: 4 }),
  passScore: decimal({ label: label('笔试合格线', 'Written pass line'), min: 0, max: 9_999.99, places: 2 }),
  interviewPass: decimal({ label: label('面试合格线', 'Interview pass line'), min: 0, max: 9_999.99, places: 2 }),
} as const satisfies Record<string, Field>

export const paperFields = {
  itemName: text(50, { label: label('科目名称', 'Name'), required: true }),
  itemCode: text(4, {
    label: label('科目代码', 'Code'),
    required: true,
    pattern: '^[A-Za-z0-9]+$',
    help: label('最多 4 个字母或数字', 'Letters and digits, at most 4'),
  }),
  itemType: dictInt('item_type', { label: label('类型', 'Type'), required: true }),
  seatGroup: text(2, {
    label: label('座位组', 'Seat group'),
    help: label('同组科目坐同一座位', 'Papers of a group share one seat'),
  }),
  startTime: instant({ label: label('开始时间', 'Begins'), required: true }),
  endTime: instant({ label: label('结束时间', 'Ends'), required: true, after: 'startTime', isEnd: true }),
  reportTime: instant({ label: label('最晚报到', 'Report by') }),
  lateMinutes: int({ label: label('开考后禁入分钟', 'No entry after (minutes)'), required: true, min: 0, max: 120 }),
  fullScore: decimal({ label: label('满分', 'Full score'), required: true, min: 1, max: 9_999.99, places: 2 }),
  passScore: decimal({ label: label('合格线', 'Pass line'), min: 0, max: 9_999.99, places: 2 }),
  weight: decimal({ label: label('权重（%）', 'Weight (%)'), required: true, min: 0, max: 100, places: 2 }),
  feeFen: money({ label: label('费用', 'Fee'), required: true, help: label('按科目收费时使用', 'Used when fees are per paper') }),
  tools: text(200, { label: label('可带用具', 'Allowed tools') }),
  rules: text(2_000, { label: label('科目须知', 'Rules'), widget: 'textarea' }),
} as const satisfies Record<string, Field>

/** What no draft can do without: it names the examination. */
export const needsAtOnce: ReadonlySet<string> = new Set(['examName', 'examCode', 'year', 'examNo', 'examType'])
/** Empty in a draft, demanded by the release. */
export const neededForRelease: ReadonlySet<string> = new Set([
  ...(['contactPhone', 'organizer', 'promise', 'signBegin', 'signEnd', 'examineEnd'] as const),
])

export interface Choice {
  readonly value: number
  readonly label: Label
}
const choice = (value: number, zh: string, en: string): Choice => ({ value, label: label(zh, en) })
/** The fee mode whose amount stands in the examination itself. */
export const feePerPerson = 1
export const feePerPaper = 2
export const feePerPost = 3
/** Numbers of domain 3.1 with what they mean. */
export const choices: Readonly<Record<string, readonly Choice[]>> = {
  feeMode: [
    choice(0, '不收费', 'Free'),
    choice(feePerPerson, '按人收费', 'Per person'),
    choice(feePerPaper, '按科目收费', 'Per paper'),
    choice(feePerPost, '按岗位收费', 'Per post'),
  ],
  payWhen: [
    choice(1, '审核通过后', 'After the review is passed'),
    choice(2, '提交报名时', 'On sign-up'),
    choice(3, '仅由导入产生', 'By import only'),
  ],
  feeWaiver: [
    choice(0, '不受理', 'Not taken'),
    choice(1, '受理低保、脱贫、残疾考生的申请', 'Taken on minimum allowance, poverty or disability'),
  ],
  refundPolicy: [
    choice(0, '仅岗位取消、重复或迟到支付', 'Cancelled posts, double and late payments only'),
    choice(1, '缴费截止前也可自愿退费', 'Also on request until payment ends'),
  ],
  freshEndsBy: [
    choice(0, '不看工作和社保', 'Nothing: neither work nor insurance'),
    choice(1, '已落实工作单位', 'Work'),
    choice(2, '已落实工作单位，或缴纳过社保', 'Work or social insurance'),
  ],
  examineLevels: [choice(1, '一级（初审）', 'One (first review)'), choice(2, '两级（初审、复核）', 'Two (first and second review)')],
  allotMode: [choice(0, '不分配，审核员自取', 'None, reviewers take what waits')],
  ratioBasis: [choice(1, '审核通过人数', 'Passed sign-ups'), choice(2, '缴费人数', 'Paid sign-ups')],
}

/** What a new examination starts with. */
export const defaults = (year: number): Readonly<Record<string, unknown>> => ({
  year,
  examType: 1,
  description: '',
  promise: '',
  feeMode: 0,
  feeFen: 0,
  payWhen: 1,
  payLimitMinutes: 30,
  refundPolicy: 0,
  feeWaiver: 0,
  examineLevels: 1,
  allotMode: 0,
  allowSameReviewer: 0,
  openRatio: 3,
  // Nobody pays where there is no fee; `withValues` changes it with the fee.
  ratioBasis: 1,
  shortlistRatio: 3,
  regionLabel: '户籍所在地',
  allowForeignCard: 0,
  allowPassport: 0,
  freshYears: 2,
  freshEndsBy: 1,
  residencyFresh: 1,
  residencyMaster: 1,
  allowSecond: 0,
  allowAdjust: 0,
  allowChangePost: 0,
  changePostMax: 3,
  hideCounts: 0,
  needSignature: 0,
  writtenWeight: '50',
  interviewWeight: '50',
  scoreScale: 2,
})

export const examFields: Readonly<Record<string, Field>> = { ...basicFields, ...timeFields, ...feeFields, ...reviewFields }
