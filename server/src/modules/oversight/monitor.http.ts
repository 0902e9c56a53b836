import { refuse } from '#contract/kernel/errors.ts'
import { markOf } from '#contract/kernel/field-rule.ts'
import { idsOf } from '#contract/kernel/ids.ts'
import { countCap, sliceOf, toCappedPage } from '#contract/kernel/page.ts'
import type { InputOf } from '#contract/kernel/route.ts'
import { fromWireTime, toWireTime } from '#contract/kernel/when.ts'
import { refuseUser } from '#contract/organisation/user.errors.ts'
import { userNoun } from '#contract/organisation/user.noun.ts'
import { monitor } from '#contract/oversight/monitor.routes.ts'
import { ruledNouns } from '#contract/registry.ts'
import { audit } from '#kernel/audit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, type Handler, handle, handleExport } from '#kernel/http/context.ts'
import { isRuled, refuseUntold, ruledRecord } from '#kernel/http/field-rule.ts'
import { listedUserScope, recordFields, rolesOfUsers } from '#modules/access/index.ts'
import { purgeLines } from '#modules/log/index.ts'
import { granterOf, refuseBeyond } from '#modules/organisation/index.ts'
import { planAudit, planLocks, planLogins, presentAudit, presentLock, presentLogin } from './commands/export-monitor.ts'
import {
  type AuditFilter,
  type AuditRow,
  findAudit,
  findLock,
  findLogin,
  type LockFilter,
  type LoginFilter,
  lockSessions,
  type Part,
  pageAudit,
  pageLocks,
  pageLogins,
  pageOnline,
  type Slice,
} from './data/monitor.repo.ts'
import type { OversightDeps } from './deps.ts'

interface Paged {
  readonly current?: number
  readonly size?: number
  readonly count?: 'exact' | 'capped'
}
/** One page of a list whose rows are shaped by `present`. */
const page = async <Row, Shown>(input: Paged, read: (slice: Slice) => Promise<Part<Row>>, present: (row: Row) => Shown) => {
  const { current, size, offset, count } = sliceOf(input)
  const cap = count === 'capped' ? countCap(current, size) : undefined
  const { rows, total } = await read({ limit: size, offset, cap })
  return toCappedPage(rows.map(present), total, cap, current, size)
}
const rangeOf = (input: { readonly from?: string; readonly to?: string }) => ({
  from: input.from === undefined ? undefined : fromWireTime(input.from),
  to: input.to === undefined ? undefined : fromWireTime(input.to),
})

/** People out of a reader's data scopes are in no list about them: whoever is there, tries to log in or is locked. */
const loginFilterOf = (ctx: Ctx, input: InputOf<typeof monitor.authLogExport>): LoginFilter => ({
  ...input,
  ...rangeOf(input),
  people: listedUserScope(ctx.session),
})
const lockFilterOf = (ctx: Ctx, input: InputOf<typeof monitor.authLockExport>): LockFilter => ({
  ...input,
  people: listedUserScope(ctx.session),
})

const fieldsOf = recordFields(ruledNouns)

type AuditInput = Omit<AuditFilter, 'from' | 'to'> & Pick<InputOf<typeof monitor.auditExport>, 'from' | 'to'>
/** Neither a name nor a value that a reader does not see in full is told by searching for it. */
const auditFilterOf = (ctx: Ctx, input: AuditInput): AuditFilter => ({
  ...input,
  ...rangeOf(input),
  withoutNames: refuseUntold(ctx, [markOf(userNoun, 'realName')]) !== undefined,
  withoutValues: isRuled(ctx.session),
})

/** What a line changed, as far as this reader sees it; who looked is in the trail too, for it is personal now and then (P6). */
const shownChange = async (ctx: Ctx, db: TenantDb, row: AuditRow): Promise<{ before: string; after: string }> => {
  await audit(db, ctx, { action: 'audit.read', entity: 'audit', entityId: row.id })
  // A field that a role does not see in full is not seen in its changes either.
  const seen = (value: unknown): unknown => ruledRecord(ctx.session, fieldsOf(row.entity), value)
  const text = (value: unknown): string => (value === null || value === undefined ? '' : JSON.stringify(seen(value)))
  return { before: text(row.before), after: text(row.after) }
}
const presentRecord = (row: AuditRow) => ({
  id: row.id,
  tableName: row.entity,
  operation: row.action,
  recordUserName: row.account ?? '',
  remoteIp: row.remoteIp ?? '',
  recordTime: toWireTime(row.createdAt),
  recordMessage: row.reason ?? '',
})

/** What goes on in a tenant and what went on: sessions, log-ins, locks, the audit trail. */
export const monitorHandlers = (deps: OversightDeps): Handler[] => {
  const env = deps.services.config.profile
  return [
    handle(monitor.online, ({ ctx, db, input }) =>
      page(
        input,
        slice => pageOnline(db, deps.auth.now(), ctx.language, input, listedUserScope(ctx.session), slice),
        row => ({
          ...row,
          roleName: row.roleName ?? '',
          remoteIp: row.remoteIp ?? '',
          userAgent: row.userAgent ?? '',
          loginTime: toWireTime(row.loginTime),
          activeTime: toWireTime(row.activeTime),
          locked: row.locked ? 1 : 0,
          isOwn: row.id === ctx.session?.id ? 1 : 0,
        }),
      ),
    ),
    handle(monitor.kick, async ({ ctx, db, input }) => {
      const ids = idsOf(input.ids)
      if (ids.length === 0) return refuse('kernel/select-one', {})
      const sessions = await lockSessions(db, ids, deps.auth.now(), listedUserScope(ctx.session))
      if (sessions.length !== ids.length) return refuse('kernel/not-found', {})
      if (ids.includes(ctx.session?.id ?? '')) return refuseUser('user/self', {})
      const granter = await granterOf(db, ctx)
      const held = await rolesOfUsers(
        db,
        sessions.map(session => session.userId),
      )
      refuseBeyond(
        granter,
        held.filter(role => role.roleAlias !== 'candidate'),
      )
      for (const session of sessions) {
        await deps.auth.endSession(db, session.id, 'kicked')
        await audit(db, ctx, {
          action: 'session.kicked',
          entity: 'session',
          entityId: session.id,
          after: { account: session.account, userId: session.userId },
          ...(input.reason ? { reason: input.reason } : {}),
        })
      }
      return { changed: sessions.length }
    }),
    handle(monitor.authLog, ({ ctx, db, input }) =>
      page(
        input,
        slice => pageLogins(db, loginFilterOf(ctx, input), slice),
        row => presentLogin(env, row),
      ),
    ),
    handle(monitor.authLogDetail, async ({ ctx, db, input }) => {
      const row = await findLogin(db, input.id, listedUserScope(ctx.session))
      return row ? presentLogin(env, row) : refuse('kernel/not-found', {})
    }),
    handleExport(monitor.authLogExport, ({ ctx, input }) => planLogins(ctx, env, input, loginFilterOf(ctx, input))),
    handle(monitor.authLogPurge, ({ ctx, db, input }) => purgeLines(ctx, db, 'login', input)),
    handle(monitor.authLock, ({ ctx, db, input }) =>
      page(input, slice => pageLocks(db, deps.auth.now(), lockFilterOf(ctx, input), slice), presentLock),
    ),
    handle(monitor.authLockDetail, async ({ ctx, db, input }) => {
      const row = await findLock(db, deps.auth.now(), input.id, listedUserScope(ctx.session))
      return row ? presentLock(row) : refuse('kernel/not-found', {})
    }),
    handle(monitor.lock, ({ ctx, db, input: { userId, lockReason, ...span } }) =>
      deps.organisation.lock(ctx, db, { userIds: userId, reason: lockReason, ...span }),
    ),
    handle(monitor.unlock, ({ ctx, db, input }) => deps.organisation.unlock(ctx, db, { ids: input.id, reason: input.unlockReason })),
    handleExport(monitor.authLockExport, ({ ctx, input }) => planLocks(ctx, input, lockFilterOf(ctx, input), deps.auth.now())),
    handle(monitor.auditLog, ({ ctx, db, input }) => page(input, slice => pageAudit(db, auditFilterOf(ctx, input), slice), presentAudit)),
    handleExport(monitor.auditExport, ({ ctx, input }) => planAudit(ctx, input, auditFilterOf(ctx, input))),
    handle(monitor.records, ({ ctx, db, input: { tableName, operation, recordUserName, ...input } }) => {
      const filter = { ...input, changes: 1, entity: tableName, action: operation, account: recordUserName }
      return page(input, slice => pageAudit(db, auditFilterOf(ctx, filter), slice), presentRecord)
    }),
    handle(monitor.recordDetail, async ({ ctx, db, input }) => {
      const row = await findAudit(db, input.id)
      if (!row || (row.before === null && row.after === null)) return refuse('kernel/not-found', {})
      const { before, after } = await shownChange(ctx, db, row)
      return { ...presentRecord(row), userAgent: row.userAgent ?? '', oldData: before, newData: after }
    }),
    handle(monitor.auditDetail, async ({ ctx, db, input }) => {
      const row = await findAudit(db, input.id)
      if (!row) return refuse('kernel/not-found', {})
      return {
        ...presentAudit(row),
        userAgent: row.userAgent ?? '',
        ...(await shownChange(ctx, db, row)),
        sealTime: row.sealedAt ? toWireTime(row.sealedAt) : '',
        chainHash: row.chainHash ?? '',
      }
    }),
  ]
}
