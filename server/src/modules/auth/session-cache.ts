import type { Clock } from '#kernel/clock.ts'
import { hashToken } from '#kernel/crypto/token.ts'
import { systemOf } from '#kernel/db/scope.ts'
import type { Session } from '#kernel/http/context.ts'
import type { Services } from '#server/services.ts'
import { findByAccessHash, findOpenHash, type LiveSession, touch } from './data/session.repo.ts'
import { departmentsOf } from './domain/departments.ts'
import { withNickName } from './domain/nick-name.ts'
import { staffIdleMs } from './domain/session.ts'

/** A session read longer ago is read again: the bound within which a change of rights is seen even without a notification. */
const maxAgeMs = 5_000
const maxEntries = 20_000
/** The last activity is written at most this often. */
const touchMs = 60_000

interface Entry {
  readonly live: LiveSession
  readonly session: Session
  readonly readAt: number
  touchedAt: number
}

export interface SessionCache {
  readonly authenticate: (token: string, now: Date, activity: boolean) => Promise<Session | undefined>
  /** A session that somebody has open and not locked, for what is asked in their name without their token; it is no activity. */
  readonly openSessionOf: (tenantId: string, userId: string) => Promise<Session | undefined>
  readonly drop: (sessionId: string) => void
  /** What the database tells of sessions: the id of one that changed, or `tenant:<id>` when the rights of a tenant did. */
  readonly heed: (notice: string) => void
  readonly dropAll: () => void
}

const toSession = (live: LiveSession, nowMs: number): Session => ({
  id: live.id,
  tenantId: live.tenantId,
  userId: live.userId,
  userType: live.userType,
  account: live.account,
  nickName: live.nickName,
  realName: live.realName,
  roleIds: live.roleIds,
  roleAliases: new Set(live.roleAliases),
  permissions: new Set(live.permissions),
  rowRules: live.rowRules,
  wideResources: live.wideResources,
  closedCalls: live.closedCalls,
  fieldRules: withNickName(live.fieldRules),
  userCode: live.userCode,
  userCodes: [...(live.userCode ? [live.userCode] : []), ...live.userCodes],
  deptId: live.deptId,
  departments: departmentsOf(live.roleAliases, live.deptId),
  socialId: live.socialId,
  mustChangePassword: live.mustChangePassword,
  locked: live.lockedAt !== null || (live.userType === 1 && nowMs - live.activeAt.getTime() > staffIdleMs),
})

/** Sessions by access token, read at most every 5 s and dropped when the database says that one changed. */
export const createSessionCache = (services: Services, clock: Clock): SessionCache => {
  const entries = new Map<string, Entry>()
  const read = async (hash: string, nowMs: number): Promise<Entry | undefined> => {
    const live = await services.scopes.asPlatform('the tenant of a token is known only after the look-up', services.clock.now(), db =>
      findByAccessHash(db, hash),
    )
    if (!live) {
      entries.delete(hash)
      return undefined
    }
    const entry = { live, session: toSession(live, nowMs), readAt: nowMs, touchedAt: live.activeAt.getTime() }
    if (entries.size >= maxEntries) entries.delete(entries.keys().next().value ?? '')
    entries.set(hash, entry)
    return entry
  }
  const dropWhere = (isMeant: (live: LiveSession) => boolean): void => {
    for (const [hash, entry] of entries) if (isMeant(entry.live)) entries.delete(hash)
  }
  return {
    authenticate: async (token, _now, activity) => {
      const hash = hashToken(token)
      const nowMs = clock.now().getTime()
      const cached = entries.get(hash)
      const entry = cached && nowMs - cached.readAt < maxAgeMs ? cached : await read(hash, nowMs)
      if (!entry || entry.live.accessUntil.getTime() <= nowMs) return undefined
      if (activity && !entry.session.locked && nowMs - entry.touchedAt > touchMs) {
        entry.touchedAt = nowMs
        await services.scopes.tx(systemOf(entry.live.tenantId), services.clock.now(), db => touch(db, entry.live.id, new Date(nowMs)))
      }
      return entry.session
    },
    openSessionOf: async (tenantId, userId) => {
      const now = clock.now()
      const hash = await services.scopes.tx(systemOf(tenantId), services.clock.now(), db => findOpenHash(db, userId, now))
      const entry = hash === undefined ? undefined : await read(hash, now.getTime())
      return entry?.session.locked ? undefined : entry?.session
    },
    drop: sessionId => dropWhere(live => live.id === sessionId),
    heed: notice => {
      const tenantId = /^tenant:(.+)$/.exec(notice)?.[1]
      dropWhere(live => (tenantId === undefined ? live.id === notice : live.tenantId === tenantId))
    },
    dropAll: () => entries.clear(),
  }
}
