import { defineErrors, refuserOf } from '../kernel/refusal.ts'

/** Alerts on unusual volume and the rules that raise them. */
export const watchErrors = defineErrors({
  'watch/own-role': {
    code: 403,
    status: 403,
    zh: '该告警涉及您所在的角色，须由其他角色的人员处理',
    en: 'This alert is about a role of yours; somebody without it has to handle it',
  },
  'watch/handled': {
    code: 2201,
    status: 409,
    zh: '该告警已由他人处理，请刷新后查看',
    en: 'Somebody has handled this alert meanwhile; load the page again',
  },
  'watch/fixed-rule': {
    code: 2001,
    status: 409,
    zh: '规则“{rule}”监督规则本身，不能修改或停用',
    en: 'The rule “{rule}” watches the rules themselves: it cannot be changed or switched off',
  },
  'watch/office-hours': {
    code: 400,
    status: 400,
    zh: '下班时间须晚于上班时间',
    en: 'Office hours have to end after they begin',
  },
  'watch/day-twice': {
    code: 400,
    status: 400,
    zh: '{day} 不能既是假日又是工作日',
    en: '{day} cannot be a holiday and a working day',
  },
  'watch/brake': {
    code: 400,
    status: 400,
    zh: '只有按人统计导出的规则可以暂停导出',
    en: 'Only a rule about the exports of each person can stop them',
  },
  'watch/incomplete': {
    code: 400,
    status: 400,
    zh: '新规则须写明名称、统计内容、时段和对象',
    en: 'A new rule needs its names, what it counts, its window and whom it is about',
  },
  'watch/too-many-rules': {
    code: 2001,
    status: 409,
    zh: '自定义规则最多 {limit} 条',
    en: 'At most {limit} rules of your own',
  },
  'watch/not-own': {
    code: 2001,
    status: 409,
    zh: '规则“{rule}”是系统自带的，可以停用，不能删除或改名',
    en: 'The rule “{rule}” came with the program: it can be switched off, not removed or renamed',
  },
  'watch/no-limit': {
    code: 400,
    status: 400,
    zh: '请至少填写一个限值：绝对次数，或常量的倍数',
    en: 'Enter at least one limit: a number, or a multiple of what is usual',
  },
})
export const refuseWatch = refuserOf(watchErrors)
