import { type FieldMark, markOf, nounOf } from '../kernel/field-rule.ts'
import type { Label } from '../kernel/label.ts'
import type { PermissionCode } from '../kernel/route.ts'
import { userNoun } from '../organisation/user.noun.ts'
import { dueFigures } from '../pay/figures.ts'
import { examPay, payOrder } from '../pay/pay.resources.ts'
import { resultNoun } from '../result/result.noun.ts'
import { signupFigures } from '../signup/figures.ts'
import { signupNoun } from '../signup/signup.noun.ts'

/** What rows are counted by. */
export interface Dimension {
  readonly label: Label
  /** The ruled field that its values are: closed to whoever does not see it in full. */
  readonly field?: FieldMark
  /** Values are days, `yyyy-MM-dd`: a filter may say from and until. */
  readonly isDay?: true
  /** Values follow each other as they are, not by how many rows they have. */
  readonly isOrdered?: true
}
export type Unit = 'count' | 'money' | 'number'
/** What is worked out of the rows of a cell. */
export interface Measure {
  readonly label: Label
  readonly unit: Unit
  /** `rows` counts them; `sum` and `mean` are of a value that the server knows by the name. */
  readonly kind: 'rows' | 'sum' | 'mean'
  readonly field?: FieldMark
}
/** What reports are made of: shipped with the product, so that nobody writes a query. */
export interface DataSet {
  readonly label: Label
  readonly help: Label
  /** Whoever holds one of these may see figures of it. */
  readonly rights: readonly PermissionCode[]
  /** Whoever holds this and has no rule of a field of these nouns may see each row anyway: few people are not hidden from them. */
  readonly rowRight?: PermissionCode
  /** Grows when a name goes or means something else. */
  readonly version: number
  readonly dimensions: Readonly<Record<string, Dimension>>
  readonly measures: Readonly<Record<string, Measure>>
}

const exam: Dimension = { label: { zh: '考试', en: 'Examination' } }
const unit: Dimension = { label: { zh: '用人单位', en: 'Hiring unit' } }
const post: Dimension = { label: { zh: '岗位', en: 'Post' } }
const postType: Dimension = { label: { zh: '岗位类别', en: 'Post category' } }
const paper: Dimension = { label: { zh: '科目', en: 'Paper' } }
const day = (zh: string, en: string): Dimension => ({ label: { zh, en }, isDay: true, isOrdered: true })
const month = (zh: string, en: string): Dimension => ({ label: { zh, en }, isOrdered: true })
const word = (zh: string, en: string): Dimension => ({ label: { zh, en }, isOrdered: true })
const rows = (zh: string, en: string): Measure => ({ label: { zh, en }, unit: 'count', kind: 'rows' })
const money = (zh: string, en: string, field?: FieldMark): Measure => ({
  label: { zh, en },
  unit: 'money',
  kind: 'sum',
  ...(field ? { field } : {}),
})

const due = nounOf(examPay)
const order = nounOf(payOrder)

/** The data sets by their names, which stand in saved reports. The query behind each is in `server/src/modules/report/data/sources.ts`. */
export const dataSets = {
  signups: {
    label: { zh: '报名', en: 'Sign-ups' },
    help: { zh: '每份已提交的报名一行，草稿不计', en: 'One row per submitted sign-up; drafts are left out' },
    rights: ['dashboard_signup'],
    rowRight: 'signup_view',
    version: 2,
    dimensions: {
      exam,
      unit,
      postType,
      post,
      state: word('审核状态', 'Review state'),
      // Of those who have withdrawn it says that, whatever they had paid: a number of payers is the same here as everywhere.
      payState: word('缴费状态（撤回另列）', 'Payment (withdrawn apart)'),
      sex: { ...word('性别', 'Sex'), field: markOf(signupNoun, 'sex') },
      ageGroup: { ...word('年龄段', 'Age group'), field: markOf(signupNoun, 'birthday') },
      education: { ...word('学历', 'Education'), field: markOf(signupNoun, 'education') },
      degree: { ...word('学位', 'Degree'), field: markOf(signupNoun, 'degree') },
      region: { label: { zh: '地区', en: 'Region' }, field: markOf(signupNoun, 'hukouAddress') },
      political: { ...word('政治面貌', 'Political status'), field: markOf(signupNoun, 'political') },
      fresh: { ...word('应届情况', 'Fresh graduate'), field: markOf(signupNoun, 'answers') },
      school: { label: { zh: '毕业院校', en: 'School' }, field: markOf(signupNoun, 'school') },
      day: day('报名日期', 'Day of sign-up'),
      month: month('报名月份', 'Month of sign-up'),
    },
    measures: {
      // Every row is counted, also of those who have left; who wants the number signed up narrows the report by their state.
      rows: { ...rows('', ''), label: signupFigures.everSignedUp.label },
      age: {
        label: { zh: '平均年龄', en: 'Mean age' },
        unit: 'number',
        kind: 'mean',
        field: markOf(signupNoun, 'birthday'),
      },
    },
  },
  reviews: {
    label: { zh: '审核用时', en: 'Review times' },
    help: { zh: '每次审核决定一行，已撤回的不计', en: 'One row per review decision; those taken back are left out' },
    rights: ['examine_allotview'],
    rowRight: 'examine_view',
    version: 1,
    dimensions: {
      exam,
      unit,
      postType,
      post,
      reviewer: { label: { zh: '审核人', en: 'Reviewer' }, field: markOf(userNoun, 'realName') },
      level: word('审核环节', 'Step'),
      result: word('审核结论', 'Decision'),
      day: day('审核日期', 'Day of review'),
      month: month('审核月份', 'Month of review'),
    },
    measures: {
      rows: rows('审核份数', 'Decisions'),
      meanSeconds: { label: { zh: '平均用时（秒）', en: 'Mean time (s)' }, unit: 'number', kind: 'mean' },
      minutes: { label: { zh: '总用时（分钟）', en: 'Time in all (min)' }, unit: 'number', kind: 'sum' },
    },
  },
  dues: {
    label: { zh: '应缴与缴费', en: 'Dues and payments' },
    help: { zh: '每笔应缴一行', en: 'One row per due' },
    rights: ['dashboard_pay'],
    rowRight: 'exampay_view',
    version: 1,
    dimensions: {
      exam,
      unit,
      post,
      payName: { label: { zh: '费用名称', en: 'Fee' }, field: markOf(due, 'payName') },
      state: { ...word('缴费状态', 'State'), field: markOf(due, 'state') },
      payWay: { ...word('缴费方式', 'Way of payment'), field: markOf(due, 'payWay') },
      day: { ...day('缴费日期', 'Day of payment'), field: markOf(due, 'paidTime') },
      month: { ...month('缴费月份', 'Month of payment'), field: markOf(due, 'paidTime') },
    },
    measures: {
      rows: rows('笔数', 'Dues'),
      amount: { ...money('', '', markOf(due, 'amount')), label: dueFigures.owed.label },
      paid: { ...money('', '', markOf(due, 'paidAmount')), label: dueFigures.paid.label },
      refunded: { ...money('', '', markOf(due, 'refundAmount')), label: dueFigures.refunded.label },
    },
  },
  orders: {
    label: { zh: '支付订单', en: 'Payment orders' },
    help: { zh: '每个支付订单一行', en: 'One row per payment order' },
    rights: ['payorder_view'],
    rowRight: 'payorder_view',
    version: 1,
    dimensions: {
      exam,
      state: { ...word('订单状态', 'State'), field: markOf(order, 'state') },
      exception: { ...word('异常类型', 'Exception'), field: markOf(order, 'exceptionType') },
      day: day('下单日期', 'Day of the order'),
      month: month('下单月份', 'Month of the order'),
    },
    measures: {
      rows: rows('订单数', 'Orders'),
      amount: money('订单金额', 'Amount', markOf(order, 'amount')),
      paid: money('实付金额', 'Paid', markOf(order, 'paidAmount')),
    },
  },
  tickets: {
    label: { zh: '准考证', en: 'Tickets' },
    help: { zh: '每人每科一行，作废的也在内', en: 'One row per person and paper, voided ones included' },
    rights: ['ticket_view'],
    rowRight: 'ticket_view',
    version: 1,
    dimensions: {
      exam,
      paper,
      unit,
      postType,
      post,
      site: { label: { zh: '考点', en: 'Site' } },
      room: { label: { zh: '考场', en: 'Room' }, isOrdered: true },
      state: word('准考证状态', 'State'),
      day: day('首次下载日期', 'Day of first download'),
    },
    measures: {
      rows: rows('张数', 'Tickets'),
      downloads: { label: { zh: '下载次数', en: 'Downloads' }, unit: 'count', kind: 'sum' },
    },
  },
  results: {
    label: { zh: '成绩', en: 'Results' },
    help: {
      zh: '每人每科一行；未发布的成绩只有考务能看到',
      en: 'One row per person and paper; before the release the office alone sees them',
    },
    rights: ['result_view'],
    rowRight: 'result_view',
    version: 1,
    dimensions: {
      exam,
      paper,
      unit,
      postType,
      post,
      state: word('成绩状态', 'State'),
      released: word('是否发布', 'Released'),
      band: { ...word('分数段', 'Band of scores'), field: markOf(resultNoun, 'score') },
    },
    measures: {
      rows: rows('人次', 'Results'),
      meanScore: { label: { zh: '平均分', en: 'Mean score' }, unit: 'number', kind: 'mean', field: markOf(resultNoun, 'score') },
    },
  },
  messages: {
    label: { zh: '消息', en: 'Messages' },
    help: { zh: '每条站内通知或短信一行', en: 'One row per notice or text message' },
    rights: ['report_messages'],
    version: 1,
    dimensions: {
      channel: word('渠道', 'Channel'),
      kind: word('类别', 'Kind'),
      state: word('状态', 'State'),
      day: day('发送日期', 'Day'),
      month: month('发送月份', 'Month'),
    },
    measures: { rows: rows('条数', 'Messages') },
  },
  logins: {
    label: { zh: '登录', en: 'Log-ins' },
    help: { zh: '每次登录尝试一行', en: 'One row per attempt to log in' },
    rights: ['authlog_view'],
    rowRight: 'authlog_view',
    version: 1,
    dimensions: {
      outcome: word('结果', 'Outcome'),
      result: { label: { zh: '结果说明', en: 'Reason' } },
      userType: word('用户平台', 'Kind of user'),
      hour: { label: { zh: '时段', en: 'Hour of the day' }, isOrdered: true },
      day: day('日期', 'Day'),
      month: month('月份', 'Month'),
    },
    measures: { rows: rows('次数', 'Attempts') },
  },
} as const satisfies Readonly<Record<string, DataSet>>

export type DataSetName = keyof typeof dataSets
type NamesIn<T> = keyof T & string
export type DimensionOf<S extends DataSetName> = NamesIn<(typeof dataSets)[S]['dimensions']>
export type MeasureOf<S extends DataSetName> = NamesIn<(typeof dataSets)[S]['measures']>

/** A member of a list by a name that somebody sent: what every object has besides (`__proto__`, `constructor`) is none. */
export const ownOf = <T>(list: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(list, name) ? list[name] : undefined

export const dataSetOf = (name: string): DataSet | undefined => ownOf<DataSet>(dataSets, name)
export const isDataSetName = (name: string): name is DataSetName => dataSetOf(name) !== undefined
