import { type PlatformDb, systemOf } from '#kernel/db/scope.ts'
import { enqueue, type Task } from '#kernel/queue/outbox.ts'
import { purgeChallenges, purgeCiphers, purgeIdempotency, purgeSessionKeys, purgeSpentRefresh, purgeTries } from '../data/purge.repo.ts'
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
  await purgeChallenges(db, before(keptHours.challenge))
  await purgeThirdParty(db, before(keptHours.challenge))
  await purgeTickets(db, before(keptHours.challenge))
  await purgeSessionKeys(db, now)
  await purgeSpentRefresh(db, now)
  await purgeCiphers(db, before(keptHours.cipher))
  await purgeIdempotency(db, before(keptHours.idempotency))
  await purgeTries(db, before(triesKeptDays * 24))
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
