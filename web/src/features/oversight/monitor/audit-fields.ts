import { examMachine } from '#contract/exam/exam.state.ts'
import { fieldWords } from '#contract/kernel/field-words.ts'
import type { Label } from '#contract/kernel/label.ts'
import type { Machine } from '#contract/kernel/machine.ts'
import { accountMachine } from '#contract/organisation/account.state.ts'
import { alertMachine } from '#contract/oversight/alert.state.ts'
import { measureLabels } from '#contract/oversight/measure.ts'
import { dueMachine, orderMachine, refundMachine } from '#contract/pay/order.state.ts'
import { appealMachine } from '#contract/person/appeal.state.ts'
import { verifiedChangeMachine } from '#contract/person/verified-change.state.ts'
import { signupMachine } from '#contract/signup/signup.state.ts'
import { layoutWords } from '#contract/ticket/printed-words.ts'
import { ticketMachine } from '#contract/ticket/ticket.state.ts'

const label = (zh: string, en: string): Label => ({ zh, en })

/** What the records of changes keep that is no field of a declared noun, where calls (`fieldWords`) have no word for it or mean another thing. */
const own: Readonly<Record<string, Label>> = {
  added: label('新增', 'Added'),
  adjacency: label('同岗相邻数', 'Same post side by side'),
  amount: label('数量', 'Amount'),
  amountFen: label('金额', 'Amount'),
  appid: label('AppID', 'App id'),
  at: label('时间', 'At'),
  autoResult: label('自动核验', 'Automatic check'),
  blocked: label('暂不可打印', 'Not to be printed yet'),
  by: label('操作方', 'By'),
  clientId: label('客户端编号', 'Client id'),
  closed: label('已处理', 'Closed'),
  code: label('编号', 'Code'),
  columns: label('列', 'Columns'),
  correctionId: label('更正编号', 'Correction'),
  count: label('数量', 'Number'),
  createTime: label('创建时间', 'Made at'),
  deptIds: label('部门', 'Departments'),
  dept_id: label('部门', 'Departments'),
  dueState: label('应缴状态', 'State of the due'),
  eligible: label('应排人数', 'People to seat'),
  end: label('结束时间', 'Until'),
  examCode: label('考试编码', 'Examination code'),
  examName: label('考试名称', 'Examination'),
  failed: label('有误行数', 'Rows with mistakes'),
  field: label('字段', 'Field'),
  fields: label('字段', 'Fields'),
  fileName: label('文件名', 'File name'),
  filter: label('条件', 'Conditions'),
  fixedCells: label('修正单元格数', 'Cells mended'),
  forced: label('带待审人员编排', 'Seated with reviews open'),
  isBack: label('可撤回', 'Can be pulled back'),
  isLeader: label('负责人', 'Leader'),
  isMain: label('主菜单', 'Main menu'),
  isOn: label('启用', 'In use'),
  isOneDevice: label('仅限该设备', 'This device only'),
  isSet: label('已设置', 'Set'),
  jobId: label('任务编号', 'Job'),
  kind: label('类型', 'Kind'),
  kinds: label('类型', 'Kinds'),
  large: label('后台导出', 'In the background'),
  left: label('剩余恢复码', 'Recovery codes left'),
  level: label('审核级别', 'Level'),
  limit: label('限值', 'Limit'),
  locked: label('已锁定', 'Locked'),
  mchid: label('商户号', 'Merchant'),
  measure: label('统计内容', 'Counted'),
  merchantSerial: label('商户证书序列号', 'Serial of the certificate'),
  money: label('缴费', 'Payments'),
  name: label('名称', 'Name'),
  orderState: label('订单状态', 'State of the order'),
  paper: label('科目', 'Paper'),
  papers: label('科目', 'Papers'),
  path: label('路径', 'Path'),
  payName: label('费用名称', 'Fee'),
  pending: label('待审人数', 'Reviews open'),
  people: label('人数', 'People'),
  postedBy: label('登记人编号', 'Entered by'),
  posting: label('登记编号', 'Posting'),
  purpose: label('用途', 'Purpose'),
  real_name: label('姓名', 'Name'),
  recordId: label('审核记录编号', 'Decision'),
  refundNo: label('退费单号', 'Refund number'),
  refused: label('拒绝原因', 'Refused because'),
  released: label('已发布', 'Released'),
  removed: label('移除', 'Removed'),
  renewed: label('重新生成', 'Made anew'),
  request: label('申请编号', 'Request'),
  result: label('审核结果', 'Decision'),
  results: label('成绩条数', 'Results'),
  reviewers: label('审核员', 'Reviewers'),
  role: label('角色', 'Role'),
  roleAlias: label('角色别名', 'Role'),
  rows: label('行数', 'Rows'),
  rule: label('规则', 'Rule'),
  scope: label('范围', 'Scope'),
  seats: label('座位数', 'Seats'),
  signNo: label('报名序号', 'Sign-up number'),
  signVersion: label('提交次数', 'Submission'),
  signups: label('报名', 'Sign-ups'),
  sizeBytes: label('大小（字节）', 'Size in bytes'),
  sort: label('排序', 'Order'),
  tenants: label('租户数', 'Tenants'),
  ticketNo: label('准考证号', 'Ticket number'),
  ticketState: label('准考证状态', 'State of the ticket'),
  tickets: label('准考证张数', 'Tickets'),
  told: label('已通知人数', 'People told'),
  total: label('总数', 'Total'),
  units: label('单位', 'Units'),
  unrendered: label('待生成', 'Still to be made'),
  until: label('截止时间', 'Until'),
  userCode: label('考生编号', 'Candidate number'),
  updateTime: label('修改时间', 'Changed at'),
  usual: label('平常', 'Usual'),
  voided: label('作废', 'Voided'),
  what: label('内容', 'What'),
}

/** Where a name means something else than in other records. */
const ofEntity: Readonly<Record<string, Label>> = {
  'signup.code': label('岗位代码', 'Post code'),
}

/** Dictionaries of values that are no field of a declared noun. */
export const dictOf = (entity: string, name: string): string | undefined => dicts[`${entity}.${name}`]
const dicts: Readonly<Record<string, string>> = {
  'exampay.isInvoice': 'invoice_state',
  'refund.reason': 'reason_refund',
  'signup.result': 'examine_result',
}

/** What people call a part of a record: as its noun declares it, as it is said everywhere, or as it stands. */
export const fieldLabel = (entity: string, declared: Readonly<Record<string, { readonly label: Label }>>, name: string): Label | null =>
  ofEntity[`${entity}.${name}`] ??
  (Object.hasOwn(declared, name) ? declared[name]?.label : undefined) ??
  (Object.hasOwn(own, name) ? own[name] : undefined) ??
  fieldWords(name) ??
  null

type States = Pick<Machine<string, string>, 'label' | 'wire'>
const machines: Readonly<Record<string, States>> = {
  'account.status': accountMachine,
  'examination.state': examMachine,
  'exampay.orderState': orderMachine,
  'exampay.state': dueMachine,
  'payorder.dueState': dueMachine,
  'payorder.state': orderMachine,
  'refund.state': refundMachine,
  'signup.examine': signupMachine,
  'ticket.ticketState': ticketMachine,
  'identity_appeal.state': appealMachine,
  'verified_change.state': verifiedChangeMachine,
  'watch_alert.state': alertMachine,
}
const words: Readonly<Record<string, Readonly<Record<string, Label>>>> = {
  autoResult: { ok: label('符合', 'Met'), warn: label('需人工判断', 'To be judged'), no: label('不符合', 'Not met') },
  by: { candidate: label('考生', 'Candidate'), platform: label('平台', 'Platform'), finance: label('财务', 'Finance') },
  level: { 1: label('初审', 'First review'), 2: label('复核', 'Second review') },
  layout: layoutWords,
  measure: measureLabels,
  payWay: {
    wechat: label('微信支付', 'WeChat Pay'),
    bankTransfer: label('银行转账', 'Bank transfer'),
    cash: label('现金', 'Cash'),
    unit: label('单位代缴', 'Paid by the unit'),
  },
}

/** The word for a value that the program keeps as a state's name or number; null for what somebody typed. */
export const valueWords = (entity: string, name: string, value: unknown): Label | null => {
  const key = String(value)
  const machine = machines[`${entity}.${name}`]
  if (machine !== undefined) {
    const state = Object.hasOwn(machine.label, key) ? key : Object.keys(machine.wire).find(one => String(machine.wire[one]) === key)
    if (state !== undefined) return machine.label[state] ?? null
  }
  const known = Object.hasOwn(words, name) ? words[name] : undefined
  return known !== undefined && Object.hasOwn(known, key) ? (known[key] ?? null) : null
}
