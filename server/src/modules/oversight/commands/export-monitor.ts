import { loginResult } from '#contract/auth/login-result.ts'
import { markOf } from '#contract/kernel/field-rule.ts'
import type { Label } from '#contract/kernel/label.ts'
import { ownReason } from '#contract/kernel/own-reason.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import { auditWords, entityWords } from '#contract/log/audit-words.ts'
import { userNoun } from '#contract/organisation/user.noun.ts'
import { printedWords } from '#contract/ticket/printed-words.ts'
import { type ExportColumn, maxExportRows, planSheet } from '#kernel/crud/export.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import type { Ctx, ExportPlan } from '#kernel/http/context.ts'
import {
  type AuditFilter,
  type AuditRow,
  countAudit,
  countLogins,
  headOfTrail,
  type LockFilter,
  type LockRow,
  type LoginFilter,
  type LoginRow,
  pageLocks,
  readAudit,
  readLogins,
} from '../data/monitor.repo.ts'

export const presentAudit = (row: AuditRow) => ({
  id: row.id,
  userId: row.userId,
  account: row.account ?? '',
  realName: row.realName ?? '',
  actorKind: row.actorKind,
  action: row.action,
  entity: row.entity,
  entityId: row.entityId ?? '',
  printed: row.printed,
  reason: row.reason ?? '',
  remoteIp: row.remoteIp ?? '',
  traceId: row.traceId ?? '',
  createTime: toWireTime(row.createdAt),
  seq: row.seq,
})
/** @param env - the profile of the installation; it is the same for all its lines */
export const presentLogin = (env: string, { createdAt, ...row }: LoginRow) => ({
  ...row,
  serviceId: 'kaopu',
  env,
  realName: row.realName ?? '',
  remoteIp: row.remoteIp ?? '',
  userAgent: row.userAgent ?? '',
  loginTime: toWireTime(createdAt),
})
const wireTime = (at: Date | null): string => (at === null ? '' : toWireTime(at))
export const presentLock = (row: LockRow) => ({
  id: row.id,
  account: row.account,
  realName: row.realName,
  userType: row.userType,
  lockTarget: 'ACCOUNT',
  lockType: row.isManual ? ('MANUAL' as const) : ('SYSTEM' as const),
  lockStatus: row.lockStatus,
  failCount: row.failCount,
  lockBeginTime: wireTime(row.lockBegin),
  lockEndTime: wireTime(row.lockEnd),
  lockReason: row.lockReason ?? '',
  unlockReason: row.unlockReason ?? '',
  unlockTime: wireTime(row.unlockedAt),
  remoteIp: row.remoteIp ?? '',
  userAgent: row.userAgent ?? '',
})

const batch = 2_000
/** Rows before one of them, the newest first, until there are no more: what is written meanwhile is not among them. */
const backwards = <R extends { readonly id: string }>(
  ctx: Ctx,
  end: string,
  read: (db: TenantDb, before: string, limit: number) => Promise<readonly R[]>,
): AsyncGenerator<R> => {
  async function* rows(): AsyncGenerator<R> {
    let last = end
    for (;;) {
      const before = last
      const found = await ctx.tx(db => read(db, before, batch))
      yield* found
      last = found.at(-1)?.id ?? last
      if (found.length < batch) return
    }
  }
  return rows()
}

/** A row as lists show it, made once for all its cells. */
async function* shown<Row, View>(rows: AsyncIterable<Row>, present: (row: Row) => View): AsyncGenerator<View> {
  for await (const row of rows) yield present(row)
}
/** A column whose cell is the field of that name. */
const column = (name: string, zh: string, en: string): ExportColumn<Readonly<Record<string, unknown>>> => ({
  name,
  label: { zh, en },
  value: row => String(row[name] ?? ''),
  ...(name === 'realName' ? { field: markOf(userNoun, 'realName') } : {}),
})

/** In the reader's language where the program has words for it, else as it was written. */
const said = (ctx: Ctx, words: Label | null, stored: string): string => (words === null ? stored : ctx.say(words))

export const planAudit = async (ctx: Ctx, input: object, filter: AuditFilter): Promise<ExportPlan> => {
  const { total, end, head } = await ctx.tx(async db => ({ ...(await countAudit(db, filter)), head: await headOfTrail(db) }))
  return planSheet<ReturnType<typeof presentAudit>>(ctx, {
    label: { zh: '审计日志', en: 'Audit trail' },
    // Whoever keeps the workbook can have the chain checked against it: npm run audit:verify -- --head …
    note: head === undefined ? undefined : { zh: `审计链首 ${head}`, en: `head of the audit chain ${head}` },
    action: 'audit.exported',
    entity: 'audit',
    filter: input,
    total,
    columns: [
      column('seq', '链上序号', 'Number in the chain'),
      column('createTime', '时间', 'Time'),
      column('account', '账号', 'Account'),
      column('realName', '姓名', 'Name'),
      column('actorKind', '操作方', 'Kind of actor'),
      { ...column('words', '操作', 'Action'), value: row => said(ctx, auditWords(row.action), row.action) },
      column('action', '操作代码', 'Code'),
      { ...column('entity', '对象', 'Object'), value: row => said(ctx, entityWords(row.entity), row.entity) },
      column('entityId', '对象编号', 'Id of the object'),
      { ...column('reason', '原因', 'Reason'), value: row => said(ctx, ownReason(row.reason), row.reason) },
      column('remoteIp', 'IP 地址', 'IP address'),
      column('traceId', '追踪号', 'Trace'),
      // Which sheets left the house, and of how many: ten lines of one action are told apart by this alone.
      {
        ...column('printed', '打印内容', 'What was printed'),
        value: row => (row.printed === null ? '' : ctx.say(printedWords(row.printed))),
      },
      { ...column('people', '人数', 'People'), value: row => String(row.printed?.people ?? '') },
    ],
    rows: shown(
      backwards(ctx, end, (db, before, limit) => readAudit(db, filter, before, limit)),
      presentAudit,
    ),
  })
}

const grants: Readonly<Record<string, Label>> = {
  password: { zh: '密码', en: 'Password' },
  sms_code: { zh: '短信验证码', en: 'SMS code' },
  refresh_token: { zh: '续期', en: 'Renewal' },
  register: { zh: '自行注册', en: 'Registration' },
}
const words = {
  manual: { zh: '人工锁定', en: 'Locked by somebody' },
  system: { zh: '密码错误', en: 'Wrong passwords' },
  kinds: [
    { zh: '工作人员', en: 'Staff' },
    { zh: '考生', en: 'Candidate' },
    { zh: '服务账号', en: 'Service account' },
  ],
  untilUnlocked: { zh: '至解锁', en: 'Until unlocked' },
  status: {
    PRE_LOCKED: { zh: '待锁定', en: 'Going to be locked' },
    LOCKED: { zh: '已锁定', en: 'Locked' },
    UN_LOCKED: { zh: '已解锁', en: 'Unlocked' },
  },
} as const

/** Tries to log in, the newest first. */
export const planLogins = async (ctx: Ctx, env: string, input: object, filter: LoginFilter): Promise<ExportPlan> => {
  const { total, end } = await ctx.tx(db => countLogins(db, filter))
  return planSheet<ReturnType<typeof presentLogin>>(ctx, {
    label: { zh: '登录日志', en: 'Log-ins' },
    action: 'authlog.exported',
    entity: 'login_log',
    filter: input,
    total,
    columns: [
      column('loginTime', '时间', 'Time'),
      column('account', '账号', 'Account'),
      column('realName', '姓名', 'Name'),
      {
        ...column('grantType', '方式', 'Way'),
        value: row => ctx.say(grants[row.grantType] ?? { zh: `第三方 ${row.grantType}`, en: `Third party ${row.grantType}` }),
      },
      {
        ...column('result', '结果', 'Outcome'),
        value: row => ctx.say(loginResult(row.result)),
      },
      column('remoteIp', 'IP 地址', 'IP address'),
      column('userAgent', '浏览器', 'Browser'),
    ],
    rows: shown(
      backwards(ctx, end, (db, before, limit) => readLogins(db, filter, before, limit)),
      row => presentLogin(env, row),
    ),
  })
}

/** Accounts that cannot log in for now. They are few: who is among them changes by the minute, so they are read at once. */
export const planLocks = async (ctx: Ctx, input: object, filter: LockFilter, now: Date): Promise<ExportPlan> => {
  const { rows, total } = await ctx.tx(db => pageLocks(db, now, filter, { limit: maxExportRows, offset: 0, cap: undefined }))
  return planSheet<ReturnType<typeof presentLock>>(ctx, {
    label: { zh: '锁定名单', en: 'Locks' },
    action: 'authlock.exported',
    entity: 'account',
    filter: input,
    total,
    columns: [
      column('account', '账号', 'Account'),
      column('realName', '姓名', 'Name'),
      { ...column('userType', '类型', 'Kind'), value: row => ctx.say(words.kinds[row.userType - 1] ?? words.kinds[0]) },
      { ...column('lockType', '锁定方式', 'Locked'), value: row => ctx.say(row.lockType === 'MANUAL' ? words.manual : words.system) },
      { ...column('lockStatus', '状态', 'State'), value: row => ctx.say(words.status[row.lockStatus]) },
      column('failCount', '错误次数', 'Wrong tries'),
      column('lockBeginTime', '锁定自', 'From'),
      {
        ...column('lockEndTime', '锁定至', 'Until'),
        value: row => row.lockEndTime || (row.lockStatus === 'UN_LOCKED' ? '' : ctx.say(words.untilUnlocked)),
      },
      column('lockReason', '原因', 'Reason'),
      column('remoteIp', 'IP 地址', 'IP address'),
      column('unlockTime', '解锁时间', 'Unlocked at'),
      {
        ...column('unlockReason', '解锁原因', 'Why it was unlocked'),
        value: row => said(ctx, ownReason(row.unlockReason), row.unlockReason),
      },
    ],
    rows: rows.map(presentLock),
  })
}
