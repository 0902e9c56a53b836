import { constants } from 'node:fs'
import { access, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { platformTenant } from '#contract/kernel/platform.ts'
import { migrationProblem } from '#kernel/db/migrate.ts'
import { sql } from '#kernel/db/sql.ts'
import { tryStore } from '#kernel/files/s3.ts'
import { type ByteStore, FileMissingError, newFileKey } from '#kernel/files/store.ts'
import type { Check } from '#kernel/http/probes.ts'
import type { Worker } from '#kernel/queue/worker.ts'
import type { StoragePlaces } from '#modules/file/index.ts'
import type { Services } from '#server/services.ts'

/** An upload takes a few megabytes, its sealed copy as many; below this, one that began may not end. */
const leastFreeBytes = 256 * 1024 * 1024

export interface ReadinessDeps {
  readonly services: Services
  readonly places: StoragePlaces
  /** Undefined where this process does no background work. */
  readonly worker: () => Worker | undefined
  readonly clockOffBy: () => number | undefined
}

const diskProblem = async (dataDir: string): Promise<string | undefined> => {
  const folder = join(dataDir, 'files')
  await access(folder, constants.R_OK | constants.W_OK | constants.X_OK)
  const { bavail, bsize } = await statfs(folder)
  const freeBytes = bavail * bsize
  return freeBytes < leastFreeBytes
    ? `${Math.floor(freeBytes / 1_048_576)} MB free in ${folder}, ${leastFreeBytes / 1_048_576} MB are needed`
    : undefined
}

/** Asks the place of new files for one that is not there: that much answers whether it is reached and lets us in. */
const storeProblem = async (store: ByteStore): Promise<string | undefined> => {
  try {
    await store.open(newFileKey())
    return undefined
  } catch (error) {
    if (error instanceof FileMissingError) return undefined
  }
  try {
    // Some services say of what is missing that it may not be read.
    await tryStore(store)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

/** Opens one sealed field of the database: with other keys than those it was sealed by, nothing can be read. */
const keysProblem = async ({ scopes, clock, cipher }: Services): Promise<string | undefined> => {
  const row = await scopes.asPlatform('the keys of this process are tried on what is sealed', clock.now(), db =>
    db.maybe(sql<{ tenantId: string; id: string; phone: Uint8Array }>`
      select tenant_id as "tenantId", id::text as id, phone_sealed as phone from account where phone_sealed is not null limit 1`),
  )
  if (!row) return undefined
  try {
    cipher.open(row.tenantId, { table: 'account', column: 'phone_sealed', rowId: row.id }, row.phone)
    return undefined
  } catch {
    return 'the secrets of this process do not open what the database holds: it was started with another secrets file'
  }
}

/** What this process needs in order to serve, each by its name (docs/operate/watch.md). */
export const readinessChecks = ({ services, places, worker, clockOffBy }: ReadinessDeps): Readonly<Record<string, Check>> => {
  const { pools, config } = services
  return {
    database: {
      isShared: true,
      problem: async () => {
        const { rows } = await pools.kaopu_platform.query<{ isReplica: boolean; isReadOnly: string }>(
          `select pg_is_in_recovery() as "isReplica", current_setting('default_transaction_read_only') as "isReadOnly"`,
        )
        if (rows[0]?.isReplica) return 'it takes no writes: a replica that was not promoted'
        return rows[0]?.isReadOnly === 'on' ? 'it takes no writes: default_transaction_read_only is on' : undefined
      },
    },
    disk: { isShared: false, problem: () => diskProblem(config.dataDir) },
    storage: { isShared: true, problem: async () => await storeProblem(await services.files.at(await places.chosen(platformTenant))) },
    queue: {
      isShared: true,
      problem: async () => {
        await pools.kaopu_worker.query('select 1 from graphile_worker._private_jobs limit 1')
        return worker()?.problem()
      },
    },
    // Looked at in the database: while that is away, no other process knows better.
    keys: { isShared: true, problem: () => keysProblem(services) },
    clock: {
      isShared: false,
      problem: async () => {
        const offMs = clockOffBy()
        return offMs === undefined
          ? undefined
          : `${(Math.abs(offMs) / 1_000).toFixed(1)} s ${offMs > 0 ? 'ahead of' : 'behind'} the database's; nothing is written until both agree`
      },
    },
    migrations: { isShared: true, problem: () => migrationProblem(pools.kaopu_platform) },
  }
}
