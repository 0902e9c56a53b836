import { defineErrors, refuserOf } from '../kernel/refusal.ts'

/** 2201, 2211 and 2212 are domain 13.2. */
export const reductionErrors = defineErrors({
  'reduction/exam-not-open': { code: 2101, status: 409, zh: '考试未发布或已关闭', en: 'The examination is not open' },
  'reduction/too-early': {
    code: 2102,
    status: 409,
    zh: '缴费和审核 {until} 截止后，有效人数才算数；请届时再核减',
    en: 'Payments and the review end at {until}; only then the numbers stand',
  },
  'reduction/rows': {
    code: 400,
    status: 422,
    zh: '有 {count} 个岗位的决定需要更正：{first}',
    en: 'Decisions to mend ({count}): {first}',
  },
  'reduction/published': {
    code: 2201,
    status: 409,
    zh: '岗位 {codes} 的决定已经公布，不能再改',
    en: 'Already published, so it cannot be changed: {codes}',
  },
  'reduction/not-published': {
    code: 2201,
    status: 409,
    zh: '只有已公布且选择未截止的取消或合并可以加人',
    en: 'People can be added only to a published cancellation or merge whose time to choose is not over',
  },
  'reduction/closed': {
    code: 2211,
    status: 409,
    zh: '改报选择时间为 {from} 至 {to}，现在不能选择',
    en: 'The time to choose is {from} to {to}',
  },
  'reduction/decided': {
    code: 2211,
    status: 409,
    zh: '已经办结（{state}），不能再选择',
    en: 'This is settled ({state}) and cannot be chosen any more',
  },
  'reduction/target': {
    code: 2212,
    status: 422,
    zh: '不能改报岗位 {code}：{reason}',
    en: 'Post {code} cannot be chosen: {reason}',
  },
  'reduction/not-on-list': { code: 2201, status: 409, zh: '不在改报名单中', en: 'Not on the list' },
  'reduction/not-removable': {
    code: 2201,
    status: 409,
    zh: '只有未选择或逾期未选的人可以移出，此人{choice}',
    en: 'Only people who have not chosen can be taken off; this one: {choice}',
  },
})
export const refuseReduction = refuserOf(reductionErrors)
