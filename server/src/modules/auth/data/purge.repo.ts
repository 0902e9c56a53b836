import type { PlatformDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'

/** Those that have run out and were made before then: the younger ones are still counted. */
export const purgeChallenges = (db: PlatformDb, before: Date): Promise<number> =>
  db.run(sql`delete from login_challenge where until < ${before} and created_at < ${before}`)
export const purgeSessionKeys = (db: PlatformDb, now: Date): Promise<number> =>
  db.run(sql`
    delete from session_key k using session s
    where s.tenant_id = k.tenant_id and s.id = k.session_id and (s.ended_at is not null or s.refresh_until < ${now})`)
export const purgeSpentRefresh = (db: PlatformDb, now: Date): Promise<number> =>
  db.run(sql`
    delete from session_spent_refresh r using session s
    where s.tenant_id = r.tenant_id and s.id = r.session_id and (s.ended_at is not null or s.refresh_until < ${now})`)
/** Ciphertexts that no key opens any more: of log-in keys that have ended, before then, and of session keys that are gone. */
export const purgeCiphers = async (db: PlatformDb, endedBefore: Date | undefined): Promise<number> => {
  const ofSessions = await db.run(sql`
    delete from used_cipher c where key_handle is not null and not exists (select from session_key k where k.handle_hash = c.key_handle)`)
  return endedBefore === undefined
    ? ofSessions
    : ofSessions + (await db.run(sql`delete from used_cipher where key_handle is null and created_at < ${endedBefore}`))
}
export const purgeIdempotency = (db: PlatformDb, before: Date): Promise<number> =>
  db.run(sql`delete from idempotency where created_at < ${before}`)
/** Wrong tries and levels of locks whose last trace is older, of people and of names and devices that are nobody's alike. */
export const purgeTries = async (db: PlatformDb, before: Date): Promise<number> => {
  const isOld = sql`coalesce(fail_since, '-infinity') < ${before} and coalesce(locked_until, '-infinity') < ${before}`
  const tries = await db.run(sql`delete from login_try where ${isOld}`)
  const devices = await db.run(sql`delete from device_try where ${isOld}`)
  const accounts = await db.run(sql`
    update account set fail_count = 0, fail_since = null, lock_level = 0, locked_until = null
    where fail_since < ${before} and coalesce(locked_until, '-infinity') < ${before}`)
  return tries + devices + accounts
}
