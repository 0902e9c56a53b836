import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { systemClock } from '#kernel/clock.ts'
import { type EmbeddedDatabase, startEmbedded } from '#kernel/db/embedded.ts'
import { migrate, migrationsDigest } from '#kernel/db/migrate.ts'
import { openOwnerPool, openPools } from '#kernel/db/pool.ts'
import { ensureRoles } from '#kernel/db/roles.ts'
import { createScopes } from '#kernel/db/scope.ts'
import { createLog, type Log } from '#kernel/log.ts'
import { prepareQueue } from '#kernel/queue/worker.ts'
import { loadSecrets, type Secrets } from '#kernel/secrets.ts'
import { seedBase } from '../../seed/base/seed-base.ts'
import { copyKept, keep } from './kept-cluster.ts'
import { makeReadyTenants } from './ready-tenants.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** URL of the server's maintenance database, as owner. */
    adminUrl: string
    template: string
    dataDir: string
  }
}

/** The database of a kept server folder, by the name that an installation gives it: the browser tests begin theirs with such a folder (`e2e/support/server.ts`). */
const prepared = 'kaopu'

/** Roles, tables and the queue's own, in a new database of the server at `adminUrl`. */
const prepare = async (adminUrl: string, database: string, { databasePasswords }: Secrets, log: Log): Promise<void> => {
  await withOwner(adminUrl, admin => admin.query(`create database ${database}`))
  const owner = openOwnerPool(urlOf(adminUrl, database), log)
  // Databases of tests share their roles: each file has a copy of this one.
  await ensureRoles(owner, databasePasswords, 'kaopu')
  await migrate(owner, log)
  await prepareQueue(owner, log)
  await owner.end()
}

const urlOf = (adminUrl: string, database: string): string => {
  const url = new URL(adminUrl)
  url.pathname = `/${database}`
  return url.href
}

const withOwner = async (url: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}

/** What every installation needs at its start, and tenants for the tests to take. */
const seed = async (databaseUrl: string, { databasePasswords }: Secrets, log: Log): Promise<void> => {
  const pools = openPools(databaseUrl, databasePasswords, log, 2)
  const scopes = createScopes(pools, log)
  await seedBase(scopes, systemClock.now())
  await makeReadyTenants(scopes)
  await pools.end()
  // As autovacuum does within a minute of a first start.
  await withOwner(databaseUrl, owner => owner.query('analyze'))
}

/** The bundled server on a folder of this run; the first run after a migration or a change of the seed makes what the later ones copy (`kept-cluster.ts`). */
const startKept = async (dataDir: string, log: Log): Promise<EmbeddedDatabase> => {
  if (await copyKept(dataDir, 'seeded')) return startEmbedded({ dataDir, log })
  const isMigrated = await copyKept(dataDir, 'migrated')
  // The keys come first: a folder in use that lost them is refused.
  const secrets = await loadSecrets({ dataDir })
  if (!isMigrated) {
    const first = await startEmbedded({ dataDir, log })
    await prepare(first.url, prepared, secrets, log)
    await first.stop()
    await keep(dataDir, 'migrated')
  }
  const second = await startEmbedded({ dataDir, log })
  await withOwner(second.url, async admin => {
    // No test pulls the plug of this server, so its commits need not wait for the disk.
    const { rows } = await admin.query<{ rolname: string }>(`select rolname from pg_roles where rolname like 'kaopu%'`)
    for (const { rolname } of rows) await admin.query(`alter role ${rolname} set synchronous_commit = off`)
  })
  await seed(urlOf(second.url, prepared), secrets, log)
  await second.stop()
  await keep(dataDir, 'seeded')
  return startEmbedded({ dataDir, log })
}

/**
 * One database server for the run: the bundled one, or the one that TEST_DATABASE_URL names, so that the same tests run on
 * another major. Builds the template that every test file clones.
 */
export const setup = async ({ provide }: TestProject) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'kaopu-test-'))
  // The database server may run as another user: it must be able to walk to its folder.
  await chmod(dataDir, 0o755)
  const log = createLog('error')
  const external = process.env['TEST_DATABASE_URL']
  const embedded = external === undefined ? await startKept(dataDir, log) : undefined
  const adminUrl = external ?? embedded?.url ?? ''
  const secrets = await loadSecrets({ dataDir })
  const template = embedded ? prepared : `kaopu_template_${await migrationsDigest()}_${process.pid}`
  if (!embedded) {
    await prepare(adminUrl, template, secrets, log)
    await seed(urlOf(adminUrl, template), secrets, log)
  }
  provide('adminUrl', adminUrl)
  provide('template', template)
  provide('dataDir', dataDir)
  return async () => {
    if (!embedded) await withOwner(adminUrl, admin => admin.query(`drop database if exists ${template} with (force)`))
    await embedded?.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}
