import { markOf } from '../kernel/field-rule.ts'
import { defineErrors, refuserOf } from '../kernel/refusal.ts'
import { userNoun } from '../organisation/user.noun.ts'

/** Refusals about a person's own data; numbers of domain 13.2. */
export const personErrors = defineErrors({
  'person/export-frequency': {
    code: 2801,
    status: 429,
    zh: '每天最多导出 {limit} 次个人数据，请明天再试',
    en: 'Your data can be exported {limit} times a day; try again tomorrow',
  },
  'person/setting-too-long': {
    code: 400,
    status: 400,
    zh: '设置“{name}”过长，最多 {limit} 个字符，未保存',
    en: 'The setting “{name}” is longer than {limit} characters and was not kept',
  },
  'person/change-waiting': {
    code: 2201,
    status: 409,
    zh: '已有一条{field}变更申请待审，请等待结果或先撤回',
    en: 'A request to change the {field} is waiting already; wait for the answer or take it back first',
  },
  'person/number-tries': {
    code: 2801,
    status: 429,
    zh: '24 小时内已有 {limit} 次填写的证件号码属于他人，请于 {until} 后再申请变更；号码确属本人的，请按此前给出的申诉入口提出申诉',
    en: 'Within 24 hours {limit} numbers you entered were those of others; ask again after {until}. If a number is yours, use the appeal that was offered with the earlier answer',
  },
  'person/appeal-name': {
    code: 2201,
    status: 409,
    tells: { name: markOf(userNoun, 'realName') },
    zh: '申诉人姓名“{name}”与该账号登记的姓名不一致，不能通过；改名须先由本人申请信息变更',
    en: 'The name “{name}” is not the name of this account, so the appeal cannot be upheld; another name is asked for by a change of verified data',
  },
  'person/objection-closed': {
    code: 2201,
    status: 409,
    zh: '该变更已生效、已停止或已撤回',
    en: 'This change has taken effect, was stopped, or was taken back',
  },
  'person/change-decided': {
    code: 2201,
    status: 409,
    zh: '该申请已处理或已撤回，请刷新后查看',
    en: 'This request was decided or taken back meanwhile; load the page again',
  },
  'person/change-on-process': {
    code: 2201,
    status: 409,
    zh: '该申请正在流程中审核，当前没有待您办理的任务，请在流程跟踪中查看',
    en: 'This request is decided by a process, and it has no task for you now; look at its progress',
  },
  'person/appeal-closed': {
    code: 2201,
    status: 409,
    zh: '该申诉已提交或已处理，请刷新后查看',
    en: 'This appeal was sent or decided meanwhile; load the page again',
  },
  'person/appeal-nobody': {
    code: 2201,
    status: 409,
    zh: '现在没有账号使用该号码，无需处理，请驳回并告知申诉人重新注册',
    en: 'No account has this number any more; refuse the appeal and tell the person to register',
  },
  'person/nothing-waiting': { code: 2201, status: 409, zh: '没有待处理的注销申请', en: 'There is no request to close the account' },
})
export const refusePerson = refuserOf(personErrors)
