import type { Label } from '../kernel/label.ts'

export interface SceneVariable {
  readonly name: string
  readonly label: Label
  /** Without it the message says nothing. */
  readonly isNeeded?: true
  /** It says nothing in part: its longest value, in characters. One without is a name or a remark, which is shortened to what providers take. */
  readonly whole?: number
  /** Whoever reads it can open something with it: it is masked wherever a message is shown to others than its receiver. */
  readonly isSecret?: true
  /** It ends an address of the installation: providers take no address as a value, so the words hold all of it but this. */
  readonly path?: string
}
/** An event of which people are told (domain 13.5), and what its words may name. */
export interface Scene {
  readonly key: string
  readonly label: Label
  readonly hasSms: boolean
  readonly variables: readonly SceneVariable[]
}

const exam: SceneVariable = { name: 'exam', label: { zh: '考试名称', en: 'examination' } }
const deadline: SceneVariable = { name: 'deadline', label: { zh: '截止时间', en: 'deadline' }, isNeeded: true, whole: 20 }
const amount: SceneVariable = { name: 'amount', label: { zh: '金额（元）', en: 'amount in yuan' }, isNeeded: true, whole: 12 }
const account: SceneVariable = { name: 'account', label: { zh: '账号', en: 'account' } }
const reason: SceneVariable = { name: 'reason', label: { zh: '原因', en: 'reason' }, isNeeded: true }
const appeal: SceneVariable = { name: 'no', label: { zh: '申诉编号', en: 'number of the appeal' }, whole: 24 }
const signNo: SceneVariable = { name: 'signNo', label: { zh: '报名序号', en: 'sign-up number' }, whole: 24 }
const why: SceneVariable = { name: 'reason', label: { zh: '原因', en: 'reason' } }
const begin: SceneVariable = { name: 'begin', label: { zh: '开始时间', en: 'begin' }, isNeeded: true, whole: 20 }
const post: SceneVariable = { name: 'post', label: { zh: '岗位名称', en: 'post' } }
const end: SceneVariable = { name: 'end', label: { zh: '结束时间', en: 'end' }, isNeeded: true, whole: 20 }

/** Where the owner of an account objects to a change; what follows opens one objection. */
export const objectPath = '/o/'

/** Messages to many, which nobody's event causes. */
export const batchScene = 'batch'

const list = [
  {
    key: 'login-code',
    label: { zh: '登录验证码', en: 'Login code' },
    hasSms: true,
    variables: [{ name: 'code', label: { zh: '验证码', en: 'code' }, isNeeded: true, whole: 6, isSecret: true }],
  },
  { key: 'account-approved', label: { zh: '账号审核通过', en: 'Account approved' }, hasSms: true, variables: [account] },
  { key: 'account-refused', label: { zh: '账号审核未通过', en: 'Account refused' }, hasSms: true, variables: [account, reason] },
  { key: 'account-closed', label: { zh: '账号已注销', en: 'Account closed' }, hasSms: true, variables: [] },
  {
    key: 'account-change',
    label: { zh: '账号登录信息将变更', en: 'Somebody’s log-in is to change' },
    hasSms: true,
    variables: [
      { name: 'what', label: { zh: '变更内容', en: 'what changes' } },
      {
        ...{ name: 'key', label: { zh: '反对网址的末段', en: 'end of the address to object at' } },
        ...{ isNeeded: true, whole: 35, isSecret: true, path: objectPath },
      },
    ],
  },
  {
    key: 'proposal-made',
    label: { zh: '对本人的处理提议', en: 'A proposal against a person' },
    hasSms: true,
    variables: [exam, { name: 'what', label: { zh: '提议', en: 'proposal' }, isNeeded: true }, deadline],
  },
  {
    key: 'statement-code',
    label: { zh: '确认工作人员登记的陈述', en: 'Confirm a statement that staff noted' },
    hasSms: true,
    variables: [
      { name: 'what', label: { zh: '提议', en: 'proposal' } },
      { name: 'statement', label: { zh: '陈述内容', en: 'statement' }, isNeeded: true },
      { name: 'code', label: { zh: '确认码', en: 'code' }, isNeeded: true, whole: 6, isSecret: true },
    ],
  },
  { key: 'appeal-upheld', label: { zh: '申诉通过', en: 'Appeal upheld' }, hasSms: true, variables: [appeal] },
  { key: 'appeal-refused', label: { zh: '申诉未通过', en: 'Appeal refused' }, hasSms: true, variables: [appeal, reason] },
  {
    key: 'signup-returned',
    label: { zh: '报名退回修改', en: 'Sign-up returned' },
    hasSms: true,
    variables: [exam, { name: 'count', label: { zh: '需修改处数', en: 'number of changes' }, whole: 4 }, deadline, why],
  },
  { key: 'signup-refused', label: { zh: '资格审核未通过', en: 'Sign-up refused' }, hasSms: true, variables: [exam, deadline, why] },
  { key: 'signup-passed', label: { zh: '资格审核通过', en: 'Sign-up passed' }, hasSms: true, variables: [exam, deadline, amount] },
  { key: 'pay-ends', label: { zh: '缴费即将截止', en: 'Payment ends soon' }, hasSms: true, variables: [exam, deadline] },
  { key: 'refund-done', label: { zh: '退费完成', en: 'Refund done' }, hasSms: true, variables: [exam, amount] },
  { key: 'ticket-released', label: { zh: '准考证可打印', en: 'Ticket released' }, hasSms: true, variables: [exam, begin, end] },
  {
    key: 'ticket-waits',
    label: { zh: '准考证未打印', en: 'Ticket not printed yet' },
    hasSms: true,
    variables: [exam, { name: 'end', label: { zh: '打印截止时间', en: 'end of printing' }, isNeeded: true, whole: 20 }],
  },
  {
    key: 'post-reduced',
    label: { zh: '岗位核减', en: 'Post reduced' },
    hasSms: true,
    variables: [exam, post, { name: 'count', label: { zh: '招聘人数', en: 'places' }, isNeeded: true, whole: 6 }],
  },
  { key: 'group-signup', label: { zh: '集体报名', en: 'Signed up with a group' }, hasSms: true, variables: [exam, deadline] },
  { key: 'post-cancelled', label: { zh: '岗位取消', en: 'Post cancelled' }, hasSms: true, variables: [exam, post, deadline] },
  {
    key: 'transfer-result',
    label: { zh: '改报结果', en: 'Result of a transfer' },
    hasSms: true,
    variables: [exam, post, { name: 'result', label: { zh: '结果', en: 'result' }, isNeeded: true }],
  },
  { key: 'recheck-call', label: { zh: '入围资格复审', en: 'Called to the re-review' }, hasSms: true, variables: [exam, deadline] },
  { key: 'substitute-call', label: { zh: '递补', en: 'Moved up' }, hasSms: true, variables: [exam, deadline] },
  { key: 'result-released', label: { zh: '成绩已发布', en: 'Results released' }, hasSms: true, variables: [exam] },
  { key: 'signup-submitted', label: { zh: '报名已提交', en: 'Sign-up submitted' }, hasSms: false, variables: [exam, signNo] },
  { key: 'signup-ends', label: { zh: '报名即将截止', en: 'Sign-up ends soon' }, hasSms: false, variables: [exam, deadline] },
  { key: 'paid', label: { zh: '缴费成功', en: 'Payment received' }, hasSms: false, variables: [exam, amount] },
  { key: 'refund-asked', label: { zh: '退费申请已提交', en: 'Refund requested' }, hasSms: false, variables: [exam, amount] },
  { key: 'refund-refused', label: { zh: '退费申请未通过', en: 'Refund refused' }, hasSms: false, variables: [exam, amount, why] },
  { key: 'refund-stuck', label: { zh: '退费受阻', en: 'Refund delayed' }, hasSms: false, variables: [exam, amount] },
  { key: 'ticket-changed', label: { zh: '准考证有变更', en: 'Ticket changed' }, hasSms: true, variables: [exam] },
  { key: 'result-corrected', label: { zh: '成绩已更正', en: 'Result corrected' }, hasSms: true, variables: [exam] },
] as const satisfies readonly Scene[]
export type SceneKey = (typeof list)[number]['key']
export const scenes: readonly Scene[] = list
export const sceneOf = (key: string): Scene | undefined => scenes.find(scene => scene.key === key)

/** What every person of an audience has; a workbook may have columns besides. */
export const personVariables: readonly SceneVariable[] = [
  { name: 'name', label: { zh: '姓名', en: 'name' } },
  exam,
  signNo,
  { name: 'post', label: { zh: '岗位名称', en: 'post' } },
  { name: 'deadline', label: { zh: '缴费截止时间', en: 'end of payments' }, whole: 20 },
]
