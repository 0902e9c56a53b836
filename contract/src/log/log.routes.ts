import { type TProperties, Type } from 'typebox'
import { exportJobView } from '../kernel/export-job.ts'
import { pageInput, pageOf } from '../kernel/page.ts'
import { defineRoute, type PermissionCode } from '../kernel/route.ts'
import { day, flag, id, int, nullable, optional, strict, text, time } from '../kernel/schema.ts'
import { type LogKind, purgeCodes } from './log.ts'

const S = Type.String()
const I = Type.Integer()
const search = {
  from: optional(time()),
  to: optional(time()),
  serverHost: optional(text(80)),
  requestUri: optional(text(200)),
  /** Another tenant's log; for the platform's operators alone. */
  ofTenant: optional(Type.String({ pattern: '^[\\w-]{1,12}$' })),
}
/** Fields that every log has (framework-contract 3.17). */
const common = { id: S, tenantId: S, serviceId: S, serverIp: S, serverHost: S, env: S, requestUri: S, createBy: S, createTime: S }

/** With `ofTenant` the log of another tenant is read. */
const reading = (staff: PermissionCode) =>
  ({ staff, reachesAll: 'asked', because: 'the platform looks at the logs of all tenants' }) as const

const listing = <const P extends string, const K extends LogKind, I extends TProperties, O extends TProperties>(
  path: P,
  kind: K,
  wanted: I,
  row: O,
) =>
  defineRoute({
    method: 'GET',
    path,
    access: reading(`log_${kind}_view`),
    input: strict({ ...pageInput, ascs: optional(text(60)), descs: optional(text(60)), ...search, ...wanted }),
    output: pageOf(Type.Object({ ...common, ...row })),
    tx: 'own',
  })
const detailOf = <const P extends string, const K extends LogKind, O extends TProperties>(path: P, kind: K, row: O) =>
  defineRoute({
    method: 'GET',
    path,
    access: reading(`log_${kind}_view`),
    input: strict({ id: id(), ofTenant: search.ofTenant }),
    output: Type.Object({ ...common, ...row }),
    tx: 'own',
  })
const exportOf = <const P extends string, const K extends LogKind, I extends TProperties>(path: P, kind: K, wanted: I) =>
  defineRoute({
    method: 'GET',
    path,
    access: reading(`log_${kind}_export`),
    input: strict({ ...search, ...wanted }),
    output: exportJobView,
    answer: 'file',
    tx: 'own',
  })

const usualSearch = { logLevel: optional(int(1, 4)), logId: optional(text(80)), logData: optional(text(200)) }
const usualRow = { logLevel: S, logId: S, logData: S }
const usual = listing('/blade-log/usual/list', 'usual', usualSearch, usualRow)
/** A line of the program stems from no call; the fields are there for clients of the framework. */
const usualDetail = detailOf('/blade-log/usual/detail', 'usual', { ...usualRow, userAgent: S, params: S })
const usualExport = exportOf('/blade-log/usual/export', 'usual', usualSearch)

const apiSearch = {
  account: optional(text(60)),
  userId: optional(id()),
  method: optional(Type.Union([Type.Literal('GET'), Type.Literal('POST')])),
  status: optional(int(100, 599)),
  /** 1: refused and failed calls only. */
  failed: optional(flag()),
  remoteIp: optional(text(45)),
  traceId: optional(text(40)),
  /** Milliseconds it took at least. */
  slower: optional(int(0, 3_600_000)),
}
const apiRow = {
  type: S,
  title: S,
  userId: S,
  account: S,
  method: S,
  /** Service and last part of the path, as the framework names class and method. */
  methodClass: S,
  methodName: S,
  status: I,
  reason: S,
  /** Milliseconds, as text. */
  time: S,
  remoteIp: S,
  traceId: S,
}
const api = listing('/blade-log/api/list', 'api', apiSearch, apiRow)
const apiDetail = detailOf('/blade-log/api/detail', 'api', { ...apiRow, userType: nullable(I), params: S, userAgent: S })
const apiExport = exportOf('/blade-log/api/export', 'api', apiSearch)

const errorSearch = {
  account: optional(text(60)),
  message: optional(text(200)),
  source: optional(Type.Union([Type.Literal('browser'), Type.Literal('server')])),
  digest: optional(text(16)),
  traceId: optional(text(40)),
}
const errorRow = {
  account: S,
  source: S,
  kind: S,
  exceptionName: S,
  message: S,
  method: S,
  methodClass: S,
  methodName: S,
  remoteIp: S,
  traceId: S,
  fileName: S,
  lineNumber: I,
  /** Errors of one digest have one cause. */
  digest: S,
  occurrences: I,
}
/** What browsers reported and what went wrong on the server (S7.29). */
const error = listing('/blade-log/error/list', 'error', errorSearch, errorRow)
const errorDetail = detailOf('/blade-log/error/detail', 'error', { ...errorRow, stackTrace: S, info: S, userAgent: S, clientTime: S })
const errorExport = exportOf('/blade-log/error/export', 'error', errorSearch)
const errorGroups = defineRoute({
  method: 'GET',
  path: '/blade-log/error/groups',
  access: reading('log_error_view'),
  input: strict({ ...pageInput, ...search, ...errorSearch }),
  output: pageOf(
    Type.Object({
      digest: S,
      source: S,
      kind: S,
      message: S,
      requestUri: S,
      occurrences: I,
      firstTime: S,
      lastTime: S,
      /** The last line of the group. */
      id: S,
    }),
  ),
  tx: 'own',
  means: 'errors with one cause as one line, the last first',
})

/** The call that removes old lines of a log. */
export const purgeOf = <const P extends string>(path: P, code: PermissionCode) =>
  defineRoute({
    method: 'POST',
    path,
    access: { staff: code },
    input: strict({
      /** Lines of earlier days go. */
      before: day(),
      /** How many lines the caller has seen would go; without it nothing goes and the number is answered. */
      expected: optional(int(0, 2_147_483_647)),
      reason: optional(text(200)),
    }),
    output: Type.Object({ count: I, done: Type.Boolean() }),
    means: 'removes lines of earlier days; asked without `expected` it only counts them',
  })

export const logs = {
  usual,
  usualDetail,
  usualExport,
  usualPurge: purgeOf('/blade-log/usual/purge', purgeCodes.usual),
  api,
  apiDetail,
  apiExport,
  apiPurge: purgeOf('/blade-log/api/purge', purgeCodes.api),
  error,
  errorDetail,
  errorExport,
  errorGroups,
  errorPurge: purgeOf('/blade-log/error/purge', purgeCodes.error),
} as const
export const logRoutes = [
  logs.usual,
  logs.usualDetail,
  logs.usualExport,
  logs.usualPurge,
  logs.api,
  logs.apiDetail,
  logs.apiExport,
  logs.apiPurge,
  logs.error,
  logs.errorDetail,
  logs.errorExport,
  logs.errorGroups,
  logs.errorPurge,
] as const
