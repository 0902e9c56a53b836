import type { Query } from '#kernel/hold.ts'

/** Key of the row of `installation` that the backup command writes when a backup is whole and checked. */
export const backupKey = 'backup'

/** The last backup that was written whole and read back. */
export interface LastBackup {
  /** Its folder in the place. */
  readonly id: string
  /** ISO, UTC: all that was acknowledged before this instant is in it. */
  readonly takenAt: string
  /** Where it lies, as the operator named it. */
  readonly place: string
  /** Bytes that this run wrote, and of all that belongs to the backup. */
  readonly writtenBytes: number
  readonly wholeBytes: number
  /** From the first byte to the last one read back. */
  readonly durationMs: number
}

/** @param query - as a role that reads `installation`. Undefined where no backup was ever finished */
export const readLastBackup = async (query: Query): Promise<LastBackup | undefined> =>
  (await query<{ value: LastBackup }>('select value from installation where key = $1', [backupKey])).rows[0]?.value

/** Seconds since the instant that the last good backup is of; undefined where there is none. */
export const backupAgeSeconds = (last: LastBackup | undefined, now: Date): number | undefined =>
  last === undefined ? undefined : Math.max(0, Math.round((now.getTime() - Date.parse(last.takenAt)) / 1_000))

export const recordBackup = async (query: Query, backup: LastBackup): Promise<void> =>
  void (await query('insert into installation (key, value) values ($1, $2::jsonb) on conflict (key) do update set value = excluded.value', [
    backupKey,
    JSON.stringify(backup),
  ]))
