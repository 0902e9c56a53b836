import { type Label, label } from '../kernel/label.ts'

/** What is counted in the audit trail: codes of its lines, `noun.*`, `*.verb` or `*` for every one. A line may be counted in several. */
export const trailMeasures = {
  reads: [
    'signup.read',
    'signup.opened-for-review',
    'signup.revealed',
    'signup.reveal-blocked',
    'account.read',
    'access.rows-viewed',
    'ticket.checked',
    'ticket.read',
    'result.read',
  ],
  downloads: ['file.read'],
  exports: ['*.exported', 'ticket.printed'],
  exportedRows: ['*.exported', 'ticket.printed'],
  passwordResets: ['account.password-reset', 'account.second-factor-reset'],
  deletions: ['*.removed', '*.deleted', '*.voided', '*.cleared', '*.purged', '*.recycled'],
  rightsChanges: ['role.*', 'menu.*', 'data-scope.*', 'api-scope.*', 'topmenu.granted', 'account.roles-granted', 'tenant-package.*'],
  trailReads: ['audit.read', 'log.read', 'access.viewed'],
  lockouts: ['account.shut-out'],
  work: ['*'],
  ruleChanges: ['watch-rule.*'],
} as const satisfies Readonly<Record<string, readonly string[]>>
export type TrailMeasure = keyof typeof trailMeasures

/** What is counted in the logs of log-ins and calls. */
export const logMeasures = ['failedLogins', 'refusals'] as const
export type Measure = TrailMeasure | (typeof logMeasures)[number]

/** In the order in which they are listed. */
export const measures = [
  'reads',
  'downloads',
  'exports',
  'exportedRows',
  'failedLogins',
  'lockouts',
  'passwordResets',
  'refusals',
  'deletions',
  'rightsChanges',
  'trailReads',
  'work',
  'ruleChanges',
] as const satisfies readonly Measure[]

export const measureLabels: Readonly<Record<Measure, Label>> = {
  reads: label('查看个人信息', 'Reads of personal detail'),
  downloads: label('打开考生材料', 'Candidates’ files opened'),
  exports: label('导出与打印', 'Exports and prints'),
  exportedRows: label('导出行数', 'Exported rows'),
  failedLogins: label('登录失败', 'Failed log-ins'),
  lockouts: label('账号被锁定', 'Accounts locked by wrong passwords'),
  passwordResets: label('重置密码与两步验证', 'Passwords and second factors reset'),
  refusals: label('被拒绝的操作', 'Refused calls'),
  deletions: label('删除与作废', 'Deletions'),
  rightsChanges: label('权限变更', 'Changes of rights'),
  trailReads: label('查看审计与权限', 'Reads of trail and rights'),
  work: label('全部操作', 'All work'),
  ruleChanges: label('修改告警规则', 'Changes of these rules'),
}

/** Where the lines of a measure are looked up. */
export const placeOfMeasure = (measure: Measure): 'audit' | 'logins' | 'calls' =>
  measure === 'failedLogins' ? 'logins' : measure === 'refusals' ? 'calls' : 'audit'

const fits = (code: string, pattern: string): boolean => {
  if (pattern === '*') return true
  if (pattern.startsWith('*')) return code.endsWith(pattern.slice(1))
  return pattern.endsWith('*') ? code.startsWith(pattern.slice(0, -1)) : code === pattern
}

/** Everything that a line of the trail is counted as. */
export const measuresOf = (code: string): readonly TrailMeasure[] =>
  (Object.keys(trailMeasures) as TrailMeasure[]).filter(measure => trailMeasures[measure].some(pattern => fits(code, pattern)))

/** The codes of a measure as patterns of SQL's `like`. */
export const likePatternsOf = (measure: TrailMeasure): readonly string[] => trailMeasures[measure].map(pattern => pattern.replace('*', '%'))

/** What stops for somebody far over the limit of a rule about them: exports, which the trail itself refuses. */
export const brakedMeasures: readonly Measure[] = ['exports', 'exportedRows']

/** The hour and the day are those of Asia/Shanghai. */
export const spans = ['hour', 'day'] as const
export type Span = (typeof spans)[number]
/** One person, all who hold a role together, or everybody of the tenant together. */
export const subjectKinds = ['person', 'role', 'tenant'] as const
export type SubjectKind = (typeof subjectKinds)[number]
