import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { systemClock } from '#kernel/clock.ts'
import { createFieldCipher, type FieldCipher } from '#kernel/crypto/field.ts'
import { createPasswordHasher, type PasswordHasher } from '#kernel/crypto/password.ts'
import { startEmbedded } from '#kernel/db/embedded.ts'
import { ensureDatabase } from '#kernel/db/embedded-probe.ts'
import { migrate } from '#kernel/db/migrate.ts'
import { openOwnerPool, openPools } from '#kernel/db/pool.ts'
import { ensureRoles } from '#kernel/db/roles.ts'
import { createScopes, type Scopes } from '#kernel/db/scope.ts'
import { createLog } from '#kernel/log.ts'
import { prepareQueue } from '#kernel/queue/worker.ts'
import { loadSecrets, type Secrets } from '#kernel/secrets.ts'
import { seedBase } from '../server/seed/base/seed-base.ts'
import { parentOf } from './proc.ts'

/** A database server of its own in a temporary folder. */
export interface Cluster {
  readonly dataDir: string
  readonly adminUrl: string
  readonly postmaster: number
  readonly version: string
  readonly secrets: Secrets
  readonly cipher: FieldCipher
  readonly passwords: PasswordHasher
  stop(): Promise<void>
}

/** A migrated database with the base seed. */
export interface Database {
  readonly url: string
  readonly scopes: Scopes
  /** One connection as the owner, past row-level security; for seeding. */
  readonly owner: pg.Client
  close(): Promise<void>
}

export const startCluster = async (): Promise<Cluster> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'kaopu-bench-'))
  // The database server may run as another user: it must be able to walk to its folder.
  await chmod(dataDir, 0o755)
  const secrets = await loadSecrets({ dataDir })
  const embedded = await startEmbedded({ dataDir, log: createLog('error') })
  const client = new pg.Client({ connectionString: embedded.url })
  await client.connect()
  const { rows } = await client.query<{ pid: number; version: string }>(
    `select pg_backend_pid() as pid, current_setting('server_version') as version`,
  )
  const [row] = rows
  if (!row) throw new Error('the database does not answer')
  // Seeding writes some gigabytes at once: without this the database writes every page several times over.
  await client.query(`alter system set max_wal_size = '16GB'`)
  await client.query('select pg_reload_conf()')
  const postmaster = parentOf(row.pid)
  await client.end()
  return {
    dataDir,
    adminUrl: embedded.url,
    postmaster,
    version: row.version,
    secrets,
    cipher: createFieldCipher({ rootKey: secrets.fieldRootKey, indexKey: secrets.blindIndexKey }),
    passwords: createPasswordHasher({ pepper: secrets.passwordPepper }),
    stop: async () => {
      await embedded.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

export const createDatabase = async (cluster: Cluster, name: string): Promise<Database> => {
  const url = await ensureDatabase(cluster.adminUrl, name)
  const log = createLog('error')
  const pool = openOwnerPool(url, log)
  await ensureRoles(pool, cluster.secrets.databasePasswords, 'kaopu')
  await migrate(pool, log)
  await prepareQueue(pool, log)
  await pool.end()
  const pools = openPools(url, cluster.secrets.databasePasswords, log, 2)
  const scopes = createScopes(pools, log)
  await seedBase(scopes, systemClock.now())
  const owner = new pg.Client({ connectionString: url, application_name: 'bench' })
  // What went wrong is told by the statement that failed, not by the connection that ends after it.
  owner.on('error', () => {})
  await owner.connect()
  return {
    url,
    scopes,
    owner,
    close: async () => {
      await owner.end()
      await pools.end()
    },
  }
}
