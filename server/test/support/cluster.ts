import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { systemClock } from '#kernel/clock.ts'
import { startEmbedded } from '#kernel/db/embedded.ts'
import { ensureRoles, migrate, migrationsDigest } from '#kernel/db/migrate.ts'
import { openOwnerPool, openPools } from '#kernel/db/pool.ts'
import { createScopes } from '#kernel/db/scope.ts'
import { createLog } from '#kernel/log.ts'
import { prepareQueue } from '#kernel/queue/worker.ts'
import { loadSecrets } from '#kernel/secrets.ts'
import { seedBase } from '../../seed/base/seed-base.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** URL of the server's maintenance database, as owner. */
    adminUrl: string
    template: string
    dataDir: string
  }
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
  const secrets = await loadSecrets({ dataDir })
  const embedded = external === undefined ? await startEmbedded({ dataDir, log }) : undefined
  const adminUrl = external ?? embedded?.url ?? ''
  const template = `kaopu_template_${await migrationsDigest()}_${process.pid}`

  const admin = new pg.Client({ connectionString: adminUrl })
  await admin.connect()
  await admin.query(`create database ${template}`)
  const url = new URL(adminUrl)
  url.pathname = `/${template}`
  const owner = openOwnerPool(url.href, log)
  await ensureRoles(owner, secrets.databasePasswords)
  if (embedded) {
    // No test pulls the plug of this server, so its commits need not wait for the disk.
    const { rows } = await admin.query<{ rolname: string }>(`select rolname from pg_roles where rolname like 'kaopu%'`)
    for (const { rolname } of rows) await admin.query(`alter role ${rolname} set synchronous_commit = off`)
  }
  await migrate(owner, log)
  await prepareQueue(owner, log)
  await owner.end()
  const pools = openPools(url.href, secrets.databasePasswords, log, 2)
  await seedBase(createScopes(pools, log), systemClock.now())
  await pools.end()
  // As autovacuum does within a minute of a first start.
  const counting = new pg.Client({ connectionString: url.href })
  await counting.connect()
  await counting.query('analyze')
  await counting.end()
  await admin.end()
  provide('adminUrl', adminUrl)
  provide('template', template)
  provide('dataDir', dataDir)
  return async () => {
    if (external !== undefined) {
      const cleaner = new pg.Client({ connectionString: adminUrl })
      await cleaner.connect()
      await cleaner.query(`drop database if exists ${template} with (force)`)
      await cleaner.end()
    }
    await embedded?.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}
