import type { Clock } from '#kernel/clock.ts'
import { hashToken } from '#kernel/crypto/token.ts'
import { systemOf } from '#kernel/db/scope.ts'
import type { Session } from '#kernel/http/context.ts'
import { readTogether } from '#kernel/together.ts'
import type { Services } from '#server/services.ts'
import { findOpenHash, type LiveSession, listByAccessHash, touch } from './data/session.repo.ts'
import { masksFor } from './domain/auditor-masks.ts'
import { departmentsOf } from './domain/departments.ts'
import { staffIdleMs } from './domain/session.ts'
import { rulesFrom } from './domain/sight.ts'

/** A session read longer ago is read again: the bound within which a change of rights is seen even without a notification. */
const maxAgeMs = 5_000
const maxEntries = 20_000
/** Sessions of one statement. */
const together = 200
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
  readonly openSession: (tenantId: string, sessionId: string) => Promise<Session | undefined>
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
  ignoresUnknownConditions: live.ignoresUnknownConditions,
  fieldRules: rulesFrom(live.sights),
  shownMasked: masksFor(live.roleAliases),
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
  /** What is dropped while sessions are being read: what was read before is not kept. Undefined while none are. */
  let droppedMeanwhile: ((live: LiveSession) => boolean)[] | undefined
  const readAll = async (hashes: readonly string[]): Promise<Map<string, Entry>> => {
    const nowMs = clock.now().getTime()
    const dropped: ((live: LiveSession) => boolean)[] = []
    droppedMeanwhile = dropped
    const found = await services.scopes
      .asPlatform('the tenant of a token is known only after the look-up', services.clock.now(), db => listByAccessHash(db, hashes))
      .finally(() => {
        droppedMeanwhile = undefined
      })
    for (const hash of hashes) entries.delete(hash)
    return new Map(
      found.map(({ accessHash, ...live }) => {
        const entry: Entry = { live, session: toSession(live, nowMs), readAt: nowMs, touchedAt: live.activeAt.getTime() }
        if (entries.size >= maxEntries) entries.delete(entries.keys().next().value ?? '')
        if (!dropped.some(isMeant => isMeant(live))) entries.set(accessHash, entry)
        return [accessHash, entry]
      }),
    )
  }
  const read = readTogether(together, readAll)
  const noteActive = readTogether(together, async ids => {
    const now = clock.now()
    await services.scopes.asPlatform('people of every tenant are active', services.clock.now(), db => touch(db, ids, now))
    return new Map()
  })
  const dropWhere = (isMeant: (live: LiveSession) => boolean): void => {
    droppedMeanwhile?.push(isMeant)
    for (const [hash, entry] of entries) if (isMeant(entry.live)) entries.delete(hash)
  }
  return {
    authenticate: async (token, _now, activity) => {
      const hash = hashToken(token)
      const nowMs = clock.now().getTime()
      const cached = entries.get(hash)
      const entry = cached && nowMs - cached.readAt < maxAgeMs ? cached : await read(hash)
      if (!entry || entry.live.accessUntil.getTime() <= nowMs) return undefined
      if (activity && !entry.session.locked && nowMs - entry.touchedAt > touchMs) {
        entry.touchedAt = nowMs
        await noteActive(entry.live.id)
      }
      return entry.session
    },
    openSession: async (tenantId, sessionId) => {
      const now = clock.now()
      const hash = await services.scopes.tx(systemOf(tenantId), services.clock.now(), db => findOpenHash(db, sessionId, now))
      const entry = hash === undefined ? undefined : await read(hash)
      return entry?.session.locked ? undefined : entry?.session
    },
    drop: sessionId => dropWhere(live => live.id === sessionId),
    heed: notice => {
      const tenantId = /^tenant:(.+)$/.exec(notice)?.[1]
      dropWhere(live => (tenantId === undefined ? live.id === notice : live.tenantId === tenantId))
    },
    dropAll: () => dropWhere(() => true),
  }
}
