import type { OffsetClock } from '#kernel/clock.ts'
import type { Scopes } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'

/** The demo clock's offset as every process reads it (decision 1.6). */
export const readClockOffset = async (scopes: Scopes, clock: OffsetClock): Promise<void> => {
  const row = await scopes.asPlatform('the clock offset is shared by all processes', clock.now(), db =>
    db.maybe(sql<{ value: number }>`select value from installation where key = 'clock-offset-ms'`),
  )
  clock.offsetMs = Number(row?.value ?? 0)
}

export const storeClockOffset = async (scopes: Scopes, clock: OffsetClock, offsetMs: number): Promise<void> => {
  await scopes.asPlatform('an administrator moves the demo clock', clock.now(), db =>
    db.run(
      sql`insert into installation (key, value) values ('clock-offset-ms', ${JSON.stringify(offsetMs)}) on conflict (key) do update set value = excluded.value`,
    ),
  )
  clock.offsetMs = offsetMs
}
