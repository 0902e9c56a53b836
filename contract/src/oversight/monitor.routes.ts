import { type TProperties, Type } from 'typebox'
import { exportJobView } from '../kernel/export-job.ts'
import { markOf, searches, shows } from '../kernel/field-rule.ts'
import { cappedPageOf, countInput, pageInput } from '../kernel/page.ts'
import type { PermissionCode } from '../kernel/route.ts'
import { defineRoute } from '../kernel/route.ts'
import { id, ids, int, nullable, optional, strict, text, time } from '../kernel/schema.ts'
import { purgeOf } from '../log/log.routes.ts'
import { purgeCodes } from '../log/log.ts'
import { userNoun } from '../organisation/user.noun.ts'
import { lockSpan } from '../organisation/user.routes.ts'
import { type TrailMeasure, trailMeasures } from './measure.ts'

const S = Type.String()
const realName = shows(userNoun, 'realName', Type.String())
const range = { from: optional(time()), to: optional(time()) }

const listing = <const P extends string, I extends TProperties, O extends TProperties>(path: P, staff: PermissionCode, search: I, row: O) =>
  defineRoute({
    method: 'GET',
    path,
    access: { staff },
    input: strict({ ...pageInput, ...countInput, ...search }),
    output: cappedPageOf(Type.Object(row)),
    tx: 'read',
  })

/** Sessions that are open now. */
const online = listing(
  '/blade-system/online/page',
  'online_view',
  { account: optional(text(60)), realName: optional(searches([markOf(userNoun, 'realName')], text(60))), userType: optional(int(1, 3)) },
  {
    id: S,
    userId: S,
    account: S,
    realName,
    userType: Type.Integer(),
    roleName: S,
    remoteIp: S,
    userAgent: S,
    loginTime: S,
    activeTime: S,
    /** 1: waits behind its lock screen. */
    locked: Type.Integer(),
    /** 1: the session that asks. */
    isOwn: Type.Integer(),
  },
)
const kick = defineRoute({
  method: 'POST',
  path: '/blade-system/online/kick',
  access: { staff: 'online_kick' },
  input: strict({ ids: optional(ids()), reason: optional(text(200)) }),
  output: Type.Object({ changed: Type.Integer() }),
  means: 'ends these sessions; their owners may log in again',
})

const exporting = <const P extends string, I extends TProperties>(path: P, staff: PermissionCode, search: I) =>
  defineRoute({ method: 'GET', path, access: { staff }, input: strict(search), output: exportJobView, answer: 'file', tx: 'own' })

const loginFilter = {
  account: optional(text(60)),
  remoteIp: optional(text(45)),
  userId: optional(id()),
  ok: optional(int(0, 1)),
  ...range,
}
/** Every try to log in, with how it ended (framework-contract 2.7). */
const loginRow = {
  id: S,
  userId: S,
  account: S,
  realName,
  grantType: S,
  /** `ok`, `guest`, or the reason id of the refusal. */
  result: S,
  remoteIp: S,
  userAgent: S,
  loginTime: S,
  serviceId: S,
  serverIp: S,
  serverHost: S,
  env: S,
}
const authLog = listing('/blade-system/auth-log/page', 'authlog_view', loginFilter, loginRow)
const authLogDetail = defineRoute({
  method: 'GET',
  path: '/blade-system/auth-log/detail',
  access: { staff: 'authlog_view' },
  input: strict({ id: id() }),
  output: Type.Object(loginRow),
  tx: 'read',
})

const authLogPurge = purgeOf('/blade-system/auth-log/purge', purgeCodes.login)
const authLogExport = exporting('/blade-system/auth-log/export', 'authlog_export', loginFilter)

const lockTypes = ['SYSTEM', 'MANUAL'] as const
export const lockStatuses = ['PRE_LOCKED', 'LOCKED', 'UN_LOCKED'] as const
const lockFilter = {
  account: optional(text(60)),
  lockType: optional(Type.Enum([...lockTypes])),
  /** Without it what shuts somebody out or is going to; `UN_LOCKED`: whose last lock somebody has ended. */
  lockStatus: optional(Type.Enum([...lockStatuses])),
}
const lockRow = {
  /** Of the account. */
  id: S,
  account: S,
  realName,
  userType: Type.Integer(),
  /** What is locked is always an account: addresses are shared by whole hospitals. */
  lockTarget: S,
  lockType: Type.Enum([...lockTypes]),
  lockStatus: Type.Enum([...lockStatuses]),
  failCount: Type.Integer(),
  lockBeginTime: S,
  lockEndTime: S,
  lockReason: S,
  unlockReason: S,
  unlockTime: S,
  /** Of the last wrong try that led to a lock of the system. */
  remoteIp: S,
  userAgent: S,
}
/** Accounts that cannot log in for now: by wrong passwords (SYSTEM) or because somebody locked them (MANUAL); planned and ended locks where asked for. */
const authLock = listing('/blade-system/auth-lock/page', 'authlock_view', lockFilter, lockRow)
const authLockDetail = defineRoute({
  method: 'GET',
  path: '/blade-system/auth-lock/detail',
  access: { staff: 'authlock_view' },
  input: strict({ id: id() }),
  output: Type.Object(lockRow),
  tx: 'read',
})
const changed = Type.Object({ changed: Type.Integer() })
const lock = defineRoute({
  method: 'POST',
  path: '/blade-system/auth-lock/lock',
  access: { staff: 'user_lock' },
  input: strict({
    userId: id(),
    lockReason: text(200, {
      minLength: 1,
      'x-label': { zh: '锁定原因', en: 'Reason' },
      'x-required': { zh: '请输入锁定原因', en: 'Please enter the reason' },
    }),
    ...lockSpan,
  }),
  output: changed,
  means: 'the lock of user/lock, from the list of locks',
})
const unlock = defineRoute({
  method: 'POST',
  path: '/blade-system/auth-lock/unlock',
  access: { staff: 'user_lock' },
  input: strict({
    id: id(),
    unlockReason: text(200, {
      minLength: 1,
      'x-label': { zh: '解锁原因', en: 'Reason' },
      'x-required': { zh: '请输入解锁原因', en: 'Please enter the reason' },
    }),
  }),
  output: changed,
  means: 'ends the lock of an account, or the plan of one',
})
const authLockExport = exporting('/blade-system/auth-lock/export', 'authlock_export', lockFilter)

const auditFilter = {
  account: optional(text(60)),
  userId: optional(id()),
  action: optional(text(80)),
  /** What was done, whatever it was done to: the second part of the code. */
  deed: optional(text(40)),
  entity: optional(text(60)),
  entityId: optional(text(64)),
  remoteIp: optional(text(45)),
  traceId: optional(text(40)),
  /** Stands in the reason, or in a value before or after. */
  keyword: optional(text(60)),
  /** Counted as this by the watch on unusual volume. */
  measure: optional(Type.Enum(Object.keys(trailMeasures) as TrailMeasure[])),
  /** Lines about the change of data only. */
  changes: optional(int(0, 1)),
  ...range,
}
/** What was printed, of a line that is about a printing. */
const printedView = nullable(
  Type.Object({ layout: nullable(S), paper: nullable(S), roomNo: nullable(S), people: nullable(Type.Integer()) }),
)
/** The audit trail with each line's place in the signed chain. */
const auditLog = listing('/blade-log/audit/list', 'auditlog_view', auditFilter, {
  id: S,
  userId: S,
  account: S,
  realName,
  actorKind: S,
  action: S,
  entity: S,
  entityId: S,
  printed: printedView,
  reason: S,
  remoteIp: S,
  traceId: S,
  createTime: S,
  /** Number in the chain; null while the line waits for its seal. */
  seq: nullable(S),
})
/** The lines without what was changed: whom it is shown to asks for each of those by itself. */
const auditExport = exporting('/blade-log/audit/export', 'auditlog_export', auditFilter)
const auditDetail = defineRoute({
  method: 'GET',
  path: '/blade-log/audit/detail',
  access: { staff: 'auditlog_view' },
  input: strict({ id: id() }),
  output: Type.Object({
    id: S,
    userId: S,
    account: S,
    realName,
    actorKind: S,
    action: S,
    entity: S,
    entityId: S,
    printed: printedView,
    reason: S,
    remoteIp: S,
    userAgent: S,
    traceId: S,
    createTime: S,
    /** JSON; empty without one. */
    before: S,
    after: S,
    seq: nullable(S),
    sealTime: S,
    chainHash: S,
  }),
})

const recordFilter = {
  tableName: optional(text(60)),
  operation: optional(text(80)),
  recordUserName: optional(text(60)),
  remoteIp: optional(text(45)),
  ...range,
}
const record = {
  id: S,
  /** What was changed, and what was done to it, as the audit trail names them. */
  tableName: S,
  operation: S,
  recordUserName: S,
  remoteIp: S,
  recordTime: S,
  recordMessage: S,
}
/** Changes of data out of the audit trail under the names that the framework gives them (framework-contract 3.17). */
const records = listing('/blade-system/record-data/list', 'auditlog_view', recordFilter, record)
const recordDetail = defineRoute({
  method: 'GET',
  path: '/blade-system/record-data/detail',
  access: { staff: 'auditlog_view' },
  input: strict({ id: id() }),
  output: Type.Object({
    ...record,
    userAgent: S,
    /** JSON; empty without one. */
    oldData: S,
    newData: S,
  }),
})

export const monitor = {
  records,
  recordDetail,
  online,
  kick,
  authLog,
  authLogDetail,
  authLogExport,
  authLogPurge,
  authLock,
  authLockDetail,
  authLockExport,
  lock,
  unlock,
  auditLog,
  auditDetail,
  auditExport,
} as const
export const monitorRoutes = Object.values(monitor)
