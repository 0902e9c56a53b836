import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { prepareDatabase } from '#kernel/db/migrate.ts'
import { databaseRoles, openOwnerPool, roleName, urlFor } from '#kernel/db/pool.ts'
import { ensureRoles } from '#kernel/db/roles.ts'
import { createLog } from '#kernel/log.ts'
import { loadSecrets } from '#kernel/secrets.ts'

/** Managed servers give no superuser: the owner can create roles and nothing more (README, production). */
const name = `kaopu_plain_owner_${process.pid}`
const log = createLog('error')
let admin: pg.Client
let seer: pg.Client
let owner: pg.Pool
beforeAll(async () => {
  admin = new pg.Client({ connectionString: inject('adminUrl') })
  await admin.connect()
  await admin.query(`create role ${name} login createrole password 'plain'`)
  await admin.query(`create database ${name} owner ${name} encoding 'UTF8' template template0`)
  const url = new URL(inject('adminUrl'))
  url.pathname = `/${name}`
  seer = new pg.Client({ connectionString: url.href })
  await seer.connect()
  owner = openOwnerPool(urlFor(url.href, name, 'plain'), log)
})
afterAll(async () => {
  await owner.end()
  await seer.end()
  await admin.query(`drop database ${name}`)
  for (const role of databaseRoles) await admin.query(`drop role ${roleName(name, role)}`)
  await admin.query(`drop role ${name}`)
  await admin.end()
})
const passwords = async () => (await loadSecrets({ dataDir: inject('dataDir') })).databasePasswords
const value = async (text: string): Promise<unknown> => Object.values((await seer.query<Record<string, unknown>>(text)).rows[0] ?? {})[0]
const forced = 'select count(*)::int from pg_class where relforcerowsecurity'

describe('an owner of the database who is no superuser', () => {
  test('installs, starts again, and a later migration changes the rows of every tenant', async () => {
    const { migrated: count } = await prepareDatabase(owner, log, { passwords: await passwords() })
    expect(await value('select count(*)::int from schema_migration')).toBe(count)
    const closed = await value(forced)
    await seer.query(`set app.now = '2026-03-10T02:00:00Z'`)
    await seer.query(`
      insert into tenant (tenant_id, tenant_name) values ('T1', 'one'), ('T2', 'two')`)
    await seer.query(`
      insert into examination (tenant_id, exam_name, exam_code, exam_no, year, exam_type, organizer, contact_phone, promise, fee_mode, ratio_basis)
      select tenant_id, 'e', 'E', 1, 2026, 1, 'o', '1', 'p', 0, 2 from tenant where tenant_id in ('T1', 'T2')`)
    await seer.query(`delete from schema_migration where name = '0448_ratio_without_fee.sql'`)

    expect(await prepareDatabase(owner, log, { passwords: await passwords() })).toMatchObject({ migrated: 1 })
    expect(await value('select array_agg(ratio_basis order by tenant_id) from examination')).toEqual([1, 1])
    // Afterwards the owner is bound as before.
    expect(await value(forced)).toBe(closed)
    expect((await owner.query('select from examination')).rowCount).toBe(0)
  })

  test('a role that could see more than its policies stops the start, with what to do about it', async () => {
    await admin.query('begin')
    try {
      await admin.query('alter role kaopu_candidate bypassrls createdb')
      await expect(ensureRoles(admin, await passwords(), 'kaopu')).rejects.toThrow(
        'The database role kaopu_candidate has the attributes bypassrls, createdb, which would open every tenant to it. Have a superuser run: alter role kaopu_candidate nobypassrls nocreatedb',
      )
    } finally {
      await admin.query('rollback')
    }
  })
})
