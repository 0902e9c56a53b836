import { defineErrors, refuserOf } from '../kernel/refusal.ts'

/** Numbers of domain 13.2, statuses of decision 3.3. */
export const signupErrors = defineErrors({
  'signup/exam-not-open': { code: 2101, status: 409, zh: '考试未开放或已关闭', en: 'The examination is not open' },
  'signup/outside-window': {
    code: 2102,
    status: 409,
    zh: '不在{what}时间（{from} 至 {to}）',
    en: 'Outside the time for {what} ({from} to {to})',
  },
  'signup/exists': {
    code: 2103,
    status: 409,
    zh: '您已报名本次考试，报名序号 {signNo}',
    en: 'You have signed up already; your number is {signNo}',
  },
  'signup/person-taken': {
    code: 2104,
    status: 409,
    zh: '该证件号已报名，如有疑问请拨打咨询电话',
    en: 'This id number has signed up already; call the hotline if that was not you',
  },
  'signup/conditions': { code: 2105, status: 422, zh: '不符合岗位条件：{first}', en: 'The conditions of the post are not met: {first}' },
  'signup/incomplete': {
    code: 2106,
    status: 422,
    zh: '有 {count} 处需要填写或更正：{first}',
    en: '{count} places need attention: {first}',
  },
  'signup/post-full': { code: 2107, status: 409, zh: '该岗位报名人数已满', en: 'No places are left for this post' },
  'signup/post-closed': { code: 2108, status: 409, zh: '该岗位已取消或暂停', en: 'This post is cancelled or paused' },
  'signup/changes-used-up': {
    code: 2109,
    status: 409,
    zh: '改报次数已用完（最多 {max} 次）',
    en: 'The post can be changed at most {max} times',
  },
  'signup/blocked': {
    code: 2110,
    status: 409,
    zh: '暂不能报名，请电话咨询 {phone}',
    en: 'You cannot sign up at present; please call {phone}',
  },
  'signup/under-review': { code: 2111, status: 409, zh: '正在审核中，暂时不能修改', en: 'Under review right now; it cannot be changed' },
  'signup/promise-missing': {
    code: 2112,
    status: 422,
    zh: '请阅读并同意诚信承诺书',
    en: 'Please read and accept the integrity undertaking',
  },
  'signup/changed': { code: 2201, status: 409, zh: '报名状态已变化，请刷新', en: 'The sign-up has changed; please refresh' },
  'signup/locked-part': {
    code: 2003,
    status: 409,
    zh: '以下内容未要求修改，不能更改：{parts}',
    en: 'These parts were not returned and cannot change: {parts}',
  },
  'signup/paid': {
    code: 2201,
    status: 409,
    zh: '已缴费的报名不能撤回，请申请退费',
    en: 'A paid sign-up cannot be withdrawn; apply for a refund',
  },
  'signup/unknown-post': { code: 2108, status: 409, zh: '岗位代码 {code} 不存在', en: 'There is no post {code}' },
  'signup/second-equals-first': {
    code: 2106,
    status: 422,
    zh: '第二志愿不能与第一志愿相同',
    en: 'The second choice must differ from the first',
  },
  'examine/no-lock': {
    code: 2202,
    status: 409,
    zh: '未持有审核锁，请重新打开（当前：{holder}）',
    en: 'You do not hold this sign-up; open it again (held by {holder})',
  },
  'examine/stale': {
    code: 2203,
    status: 409,
    zh: '考生已更新报名信息，请刷新',
    en: 'The candidate has updated the sign-up; please refresh',
  },
  'examine/recused': {
    code: 2204,
    status: 403,
    zh: '您与该考生存在回避关系，不能审核',
    en: 'You have a conflict of interest with this candidate',
  },
  'examine/same-reviewer': { code: 2205, status: 403, zh: '同一人不能审核两级', en: 'One person may not review both levels' },
  'examine/too-late-to-return': {
    code: 2206,
    status: 409,
    zh: '修改时间已过（{until}），不能退回',
    en: 'The time for corrections ended at {until}; it cannot be returned',
  },
  'examine/wrong-state': { code: 2201, status: 409, zh: '状态已变化：{state}', en: 'The state has changed: {state}' },
  'examine/remark-required': { code: 400, status: 400, zh: '退回或不通过时请填写审核意见', en: 'Say why you return or refuse it' },
  'examine/advice-required': {
    code: 400,
    status: 400,
    zh: '退回修改时请至少指出一处需要修改的内容',
    en: 'Name at least one thing to correct',
  },
})
export const refuseSignup = refuserOf(signupErrors)
