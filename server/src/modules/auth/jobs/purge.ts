import { type PlatformDb, systemOf } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'
import { enqueue, type Task } from '#kernel/queue/outbox.ts'
import { purgeTickets } from '../data/second-factor.repo.ts'
import { purgeThirdParty } from '../data/third-party.repo.ts'
import type { AuthDeps } from '../deps.ts'

const hourMs = 3_600_000
/** Ciphertexts stay known a day longer than the keys whose repetition they may arrive with (decision 2.11). */
const keptHours = { challenge: 24, idempotency: 24, cipher: 48 } as const
/** Lock levels are forgotten after this time, for people and for names that nobody has alike: no answer may tell the two apart. */
const triesKeptDays = 30

/** Removes what has run out in every tenant. */
const purgeExpired = async (db: PlatformDb, now: Date): Promise<void> => {
  const before = (hours: number): Date => new Date(now.getTime() - hours * hourMs)
  await db.run(
    sql`delete from login_challenge where until < ${before(keptHours.challenge)} and created_at < ${before(keptHours.challenge)}`,
  )
  await purgeThirdParty(db, before(keptHours.challenge))
  await purgeTickets(db, before(keptHours.challenge))
  await db.run(sql`
    delete from session_key k using session s
    where s.tenant_id = k.tenant_id and s.id = k.session_id and (s.ended_at is not null or s.refresh_until < ${now})`)
  await db.run(sql`delete from used_cipher where created_at < ${before(keptHours.cipher)}`)
  await db.run(sql`delete from idempotency where created_at < ${before(keptHours.idempotency)}`)
  const monthAgo = before(triesKeptDays * 24)
  const isOld = sql`coalesce(fail_since, '-infinity') < ${monthAgo} and coalesce(locked_until, '-infinity') < ${monthAgo}`
  await db.run(sql`delete from login_try where ${isOld}`)
  await db.run(sql`delete from device_try where ${isOld}`)
  await db.run(sql`
    update account set fail_count = 0, fail_since = null, lock_level = 0, locked_until = null
    where fail_since < ${monthAgo} and coalesce(locked_until, '-infinity') < ${monthAgo}`)
}

/** Starts the hourly purge; each run orders the next. */
export const startPurge = ({ services }: AuthDeps, tenantId: string, runAt?: Date): Promise<void> =>
  services.scopes.tx(systemOf(tenantId), services.clock.now(), db =>
    enqueue(db, 'auth.purge', {}, { runAt: runAt ?? db.now, jobKey: 'auth-purge' }),
  )

export const purgeTask = (deps: AuthDeps): Task => ({
  name: 'auth.purge',
  run: async ({ tenantId }) => {
    const { scopes, clock } = deps.services
    await scopes.asPlatform('what has run out goes in every tenant', clock.now(), db => purgeExpired(db, deps.clock.now()))
    await startPurge(deps, tenantId, new Date(clock.now().getTime() + hourMs))
  },
})
