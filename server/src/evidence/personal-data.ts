import type { Label } from '#contract/kernel/label.ts'

/** Classes of the product's privacy rules: C4 the most sensitive (numbers, faces, health), C3 contact and history, C2 identity at work. */
export type DataClass = 'C4' | 'C3' | 'C2'

/** One kind of personal data: where it lies, why it is there, how long. `columns` are `table.column` of the database. */
export interface DataKind {
  readonly id: string
  readonly what: Label
  readonly about: Label
  readonly class: DataClass
  readonly columns: readonly string[]
  readonly purpose: Label
  readonly basis: Label
  readonly kept: Label
  readonly recipients: Label
}

const candidates: Label = { zh: '考生', en: 'Candidates' }
const staff: Label = { zh: '工作人员', en: 'Staff' }
const both: Label = { zh: '考生、工作人员', en: 'Candidates and staff' }
const publicDuty: Label = {
  zh: '招聘考试的法定职责；考生同意（版本有记录）',
  en: 'Duty of public recruitment; consent of the candidate, whose version is recorded',
}
const secret: Label = { zh: '系统运行所必需', en: 'Needed to run the system' }
const nobody: Label = { zh: '无', en: 'Nobody' }
const untilClosed: Label = {
  zh: '账号存续期间；注销后清除',
  en: 'As long as the account; erased when it is closed',
}
const withSignup: Label = {
  zh: '未提交：考试关闭 90 天；未通过、撤回的材料和未录用者照片：一年；录用档案按人事档案规定',
  en: 'Not submitted: 90 days after the examination is closed; files of the refused and withdrawn, portraits of who was not hired: a year; of the hired as personnel files demand',
}

/**
 * The data map. A column that is sealed at rest and is in no kind here fails a test: nothing is sealed without somebody saying what it is,
 * why it is there and how long.
 */
export const dataKinds: readonly DataKind[] = [
  {
    id: 'identity',
    what: { zh: '身份证件号码', en: 'Identity numbers' },
    about: candidates,
    class: 'C4',
    columns: ['account.id_card_sealed', 'signup.id_card_sealed', 'identity_appeal.id_card_sealed', 'verified_change.new_sealed'],
    purpose: { zh: '确认报考人身份、防止重复报名和代考', en: 'To know who signs up and to keep others from sitting in their place' },
    basis: publicDuty,
    kept: withSignup,
    recipients: { zh: '审核人员（默认脱敏，查看留痕）、考点', en: 'Reviewers (masked, each full view recorded) and sites' },
  },
  {
    id: 'phone',
    what: { zh: '手机号码', en: 'Mobile numbers' },
    about: both,
    class: 'C3',
    columns: [
      'account.phone_sealed',
      'signup.phone_sealed',
      'identity_appeal.phone_sealed',
      'sms_message.phone_sealed',
      'two_person_act.content_sealed',
    ],
    purpose: { zh: '登录、通知', en: 'Log-in and notices' },
    basis: publicDuty,
    kept: untilClosed,
    recipients: { zh: '短信服务商（只有号码和内容）', en: 'The text message service (number and text alone)' },
  },
  {
    id: 'form',
    what: { zh: '报名表：学历、履历、家庭、住址等', en: 'Sign-up forms: education, career, family, address' },
    about: candidates,
    class: 'C3',
    columns: ['signup.content', 'signup_draft.data'],
    purpose: { zh: '判断是否符合岗位条件', en: 'To judge whether the conditions of a post are met' },
    basis: publicDuty,
    kept: withSignup,
    recipients: { zh: '审核人员、用人单位', en: 'Reviewers and the hiring unit' },
  },
  {
    id: 'files',
    what: { zh: '照片、证件图像和材料', en: 'Portraits, images of documents and files' },
    about: candidates,
    class: 'C4',
    columns: ['stored_file.id'],
    purpose: { zh: '资格审核、准考证、考场核验身份', en: 'Review, admission tickets, identity at the door' },
    basis: publicDuty,
    kept: withSignup,
    recipients: { zh: '审核人员、考点（照片）', en: 'Reviewers; sites (portraits)' },
  },
  {
    id: 'health',
    what: { zh: '健康材料、合理便利的理由', en: 'Health documents, reasons for accommodation' },
    about: candidates,
    class: 'C4',
    columns: ['accommodation.reason_sealed'],
    purpose: { zh: '安排合理便利和防疫检查', en: 'To arrange help in the room and health checks' },
    basis: { zh: '单独同意', en: 'Separate consent' },
    kept: { zh: '考试结束后 30 天', en: '30 days after the examination' },
    recipients: { zh: '考务人员', en: 'Staff of the examination' },
  },
  {
    id: 'payer',
    what: { zh: '付款人标识', en: 'Identifiers of payers' },
    about: candidates,
    class: 'C3',
    columns: ['pay_order.payer_sealed'],
    purpose: { zh: '对账和退费', en: 'Reconciliation and refunds' },
    basis: { zh: '会计法规', en: 'Rules of accounting' },
    kept: { zh: '会计档案期限', en: 'As long as accounts are kept' },
    recipients: { zh: '支付机构、非税平台', en: 'The payment provider and the non-tax platform' },
  },
  {
    id: 'seats',
    what: { zh: '排座记录（含无障碍需求）', en: 'Records of draws of seats, with needs of access' },
    about: candidates,
    class: 'C4',
    columns: ['seat_draw.record_sealed', 'exam_item.seed_sealed'],
    purpose: { zh: '排座公正可复核', en: 'So that a draw can be checked' },
    basis: publicDuty,
    kept: { zh: '考试档案期限', en: 'As long as files of the examination are kept' },
    recipients: nobody,
  },
  {
    id: 'factor',
    what: { zh: '两步验证密钥、会话密钥', en: 'Secrets of second factors and of sessions' },
    about: staff,
    class: 'C4',
    columns: ['second_factor.secret_sealed', 'second_factor.pending_sealed', 'session_key.key_sealed'],
    purpose: { zh: '身份鉴别', en: 'Authentication' },
    basis: secret,
    kept: { zh: '停用或会话结束时清除', en: 'Removed when switched off or when the session ends' },
    recipients: nobody,
  },
  {
    id: 'credentials',
    what: { zh: '外部服务的密钥和口令（非个人信息）', en: 'Keys and passwords of outside services (no personal data)' },
    about: { zh: '单位', en: 'The organisation' },
    class: 'C3',
    columns: [
      'pay_account.private_key_sealed',
      'pay_account.api_key_sealed',
      'pay_account.app_secret_sealed',
      'pay_alipay.private_key_sealed',
      'pay_nontax.private_key_sealed',
      'datasource.password_sealed',
      'job_server.password_sealed',
      'sms_provider.secret_key_sealed',
      'oss.key_sealed',
    ],
    purpose: { zh: '调用外部服务', en: 'To call outside services' },
    basis: secret,
    kept: { zh: '停用时由管理员清除', en: 'Removed by administrators when no longer used' },
    recipients: nobody,
  },
]

/** Activities of the record of processing (PIPL art. 55 and 56, GB/T 35273 11). */
export interface Activity {
  readonly name: Label
  /** Ids of kinds of data. */
  readonly data: readonly string[]
  readonly who: Label
  readonly measures: Label
  readonly risk: Label
}
export const activities: readonly Activity[] = [
  {
    name: { zh: '注册与登录', en: 'Registration and log-in' },
    data: ['identity', 'phone', 'factor'],
    who: { zh: '本人、账号管理员', en: 'The person, administrators of accounts' },
    measures: { zh: '短信验证、口令散列、失败锁定、两步验证', en: 'SMS codes, hashed passwords, locks, second factor' },
    risk: { zh: '冒用身份：号码申诉、双人决定', en: 'Somebody else’s identity: appeal, decided by two' },
  },
  {
    name: { zh: '报名与资格审核', en: 'Sign-up and review' },
    data: ['identity', 'phone', 'form', 'files'],
    who: { zh: '审核人员（按单位、岗位分配）', en: 'Reviewers, by unit and post' },
    measures: { zh: '字段加密、默认脱敏、查看留痕、回避、水印', en: 'Sealed fields, masks, recorded views, recusal, watermarks' },
    risk: { zh: '越权查看：行级安全与异常告警', en: 'Reading beyond one’s work: row-level security and alerts' },
  },
  {
    name: { zh: '缴费、退费、开票', en: 'Payment, refunds, invoices' },
    data: ['payer', 'phone'],
    who: { zh: '财务人员', en: 'Finance' },
    measures: { zh: '双人复核、每日对账', en: 'Two persons, daily reconciliation' },
    risk: { zh: '错退：账实核对、退费审批', en: 'Wrong refunds: ledger checks and approval' },
  },
  {
    name: { zh: '准考证、排座与考试当天', en: 'Tickets, seats and the day' },
    data: ['identity', 'files', 'seats', 'health'],
    who: { zh: '考点人员', en: 'Staff of sites' },
    measures: { zh: '准考证二维码不含个人信息；考点只见本考点', en: 'QR codes without personal data; sites see their own people' },
    risk: { zh: '名单外泄：考点设备到期清除', en: 'Lists that leak: phones at the door forget them' },
  },
  {
    name: { zh: '成绩、公示与聘用', en: 'Results, publicity and hire' },
    data: ['identity', 'form'],
    who: { zh: '考务人员；公众（法定公示项，姓名按规则）', en: 'Staff; the public (what law wants published)' },
    measures: { zh: '双人发布、公示范围受限、成绩可核验', en: 'Released by two, limited publicity, scores that can be verified' },
    risk: { zh: '公示超范围：字段固定', en: 'Too much is published: the fields are fixed' },
  },
  {
    name: { zh: '短信与通知', en: 'Messages' },
    data: ['phone'],
    who: { zh: '短信服务商', en: 'The text message service' },
    measures: { zh: '每日额度、群发审批、内容模板', en: 'Daily budget, approval, templates' },
    risk: { zh: '骚扰或诈骗：链接和模板受限', en: 'Misuse: limited links and templates' },
  },
  {
    name: { zh: '健康与合理便利', en: 'Health and accommodation' },
    data: ['health'],
    who: { zh: '考务人员', en: 'Staff of the examination' },
    measures: { zh: '单独同意、加密、30 天后清除并留凭据', en: 'Separate consent, sealed, erased after 30 days with a certificate' },
    risk: { zh: '敏感信息扩散：最小角色', en: 'Sensitive data that spreads: few roles' },
  },
  {
    name: { zh: '日志、审计与备份', en: 'Logs, audit and backup' },
    data: ['identity', 'phone', 'form', 'files'],
    who: { zh: '审计人员、运维人员', en: 'Auditors and operators' },
    measures: { zh: '日志不含填写内容、审计成链、备份加密', en: 'Logs without what people typed, chained audit, encrypted backups' },
    risk: { zh: '备份外泄：双钥封存', en: 'Backups that leak: sealed for two keys' },
  },
]
