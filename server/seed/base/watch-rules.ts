import type { SystemRole } from '#contract/access/role.ts'
import type { Measure, Span, SubjectKind } from '#contract/oversight/measure.ts'

export interface WatchRuleSeed {
  readonly code: string
  readonly zh: string
  readonly en: string
  readonly measure: Measure
  readonly span: Span
  readonly subject: SubjectKind
  readonly roles?: readonly SystemRole[]
  readonly isOffHours?: true
  /** From so many on. */
  readonly threshold?: number
  /** More than so many times what is usual, and not below the floor. */
  readonly factor?: number
  readonly floor?: number
  /** From so many times the limit on the person exports nothing more. */
  readonly brake?: number
  readonly isFixed?: true
}

const keepers: readonly SystemRole[] = ['administrator', 'admin', 'secadmin', 'auditor']

/** What a tenant watches at first (security 3.8); it changes the limits and switches rules off, with a reason, as it sees fit. */
export const watchRuleSeeds: readonly WatchRuleSeed[] = [
  {
    ...{ code: 'reads-hour', zh: '一小时内大量查看个人信息', en: 'Many reads of personal detail in an hour' },
    ...{ measure: 'reads', span: 'hour', subject: 'person', threshold: 200, factor: 5, floor: 120 },
  },
  {
    ...{ code: 'reads-day', zh: '一天内大量查看个人信息', en: 'Many reads of personal detail in a day' },
    ...{ measure: 'reads', span: 'day', subject: 'person', threshold: 500, factor: 4, floor: 300 },
  },
  {
    ...{ code: 'reads-reviewers', zh: '审核员整体查看量异常', en: 'Reviewers together read unusually much' },
    ...{ measure: 'reads', span: 'day', subject: 'role', roles: ['reviewer1', 'reviewer2', 'recheck'], factor: 5, floor: 2_000 },
  },
  {
    ...{ code: 'files-hour', zh: '一小时内大量打开考生材料', en: 'Many files of candidates opened in an hour' },
    ...{ measure: 'downloads', span: 'hour', subject: 'person', threshold: 600, factor: 5, floor: 150 },
  },
  {
    ...{ code: 'files-day', zh: '一天内大量打开考生材料', en: 'Many files of candidates opened in a day' },
    ...{ measure: 'downloads', span: 'day', subject: 'person', threshold: 2_000, factor: 4, floor: 400 },
  },
  {
    ...{ code: 'exports-hour', zh: '一小时内多次导出', en: 'Many exports in an hour' },
    ...{ measure: 'exports', span: 'hour', subject: 'person', threshold: 10, brake: 5 },
  },
  {
    ...{ code: 'exports-day', zh: '一天内多次导出', en: 'Many exports in a day' },
    ...{ measure: 'exports', span: 'day', subject: 'person', threshold: 30, factor: 5, floor: 8, brake: 10 },
  },
  {
    ...{ code: 'rows-day', zh: '一天内导出大量数据', en: 'Many rows exported in a day' },
    ...{ measure: 'exportedRows', span: 'day', subject: 'person', threshold: 5_000, factor: 5, floor: 1_000, brake: 500 },
  },
  {
    ...{ code: 'exports-off', zh: '非工作时间导出', en: 'Exports outside office hours' },
    ...{ measure: 'exports', span: 'day', subject: 'person', isOffHours: true, threshold: 3 },
  },
  {
    ...{ code: 'logins-hour', zh: '登录失败激增', en: 'Log-ins fail in great numbers' },
    ...{ measure: 'failedLogins', span: 'hour', subject: 'tenant', threshold: 300, factor: 10, floor: 60 },
  },
  {
    ...{ code: 'lockouts-hour', zh: '多个账号被锁定', en: 'Many accounts locked' },
    ...{ measure: 'lockouts', span: 'hour', subject: 'tenant', threshold: 10 },
  },
  {
    ...{ code: 'resets-hour', zh: '一小时内多次重置密码', en: 'Many passwords reset in an hour' },
    ...{ measure: 'passwordResets', span: 'hour', subject: 'person', threshold: 10 },
  },
  {
    ...{ code: 'refusals-hour', zh: '反复尝试无权的操作', en: 'Many refused calls in an hour' },
    ...{ measure: 'refusals', span: 'hour', subject: 'person', threshold: 30 },
  },
  {
    ...{ code: 'deletions-hour', zh: '一小时内大量删除', en: 'Many deletions in an hour' },
    ...{ measure: 'deletions', span: 'hour', subject: 'person', threshold: 100 },
  },
  {
    ...{ code: 'rights-hour', zh: '一小时内大量变更权限', en: 'Many changes of rights in an hour' },
    ...{ measure: 'rightsChanges', span: 'hour', subject: 'person', threshold: 30 },
  },
  {
    ...{ code: 'trail-day', zh: '大量查看审计与权限', en: 'Much reading of the trail and of rights' },
    ...{ measure: 'trailReads', span: 'day', subject: 'person', threshold: 300, factor: 5, floor: 50 },
  },
  {
    ...{ code: 'keepers-off', zh: '管理人员非工作时间操作', en: 'Administrators at work outside office hours' },
    ...{ measure: 'work', span: 'day', subject: 'person', roles: keepers, isOffHours: true, threshold: 50 },
  },
  {
    ...{ code: 'work-off', zh: '非工作时间大量操作', en: 'Much work outside office hours' },
    ...{ measure: 'work', span: 'day', subject: 'person', isOffHours: true, threshold: 400, factor: 5, floor: 200 },
  },
  {
    ...{ code: 'rules', zh: '告警规则被修改或停用', en: 'Rules of alerts changed or switched off' },
    ...{ measure: 'ruleChanges', span: 'hour', subject: 'person', threshold: 1, isFixed: true },
  },
]
