import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { catalogueLines, type Migration, prepareDatabase } from '#kernel/db/migrate.ts'
import { databaseRoles, openOwnerPool, roleName, urlFor } from '#kernel/db/pool.ts'
import { createLog, type Log } from '#kernel/log.ts'
import { loadSecrets, type Secrets } from '#kernel/secrets.ts'
import { reportOf } from '#server/migrate.ts'
import { type Former, fillFormer, readFormer } from '../support/former.ts'

/** How a database comes from one release to the next, with the owner that managed servers give: no superuser, bound by row-level security. */
const log = createLog('silent')
const ownerName = `kaopu_upgrading_${process.pid}`
let former: Former
let admin: pg.Client
let passwords: Secrets['databasePasswords']
/** At each of the two levels, and one that is at this release and has no rows. */
let filled: Readonly<Record<(typeof levels)[number], Installation>>
let empty: Installation
beforeAll(async () => {
  former = await readFormer('0.1.0')
  passwords = (await loadSecrets({ dataDir: inject('dataDir') })).databasePasswords
  admin = new pg.Client({ connectionString: inject('adminUrl') })
  await admin.connect()
  const { rows } = await admin.query<{ isOld: boolean }>(`select current_setting('server_version_num')::int < 160000 as "isOld"`)
  const isOld = rows[0]?.isOld ?? true
  await admin.query(`create role ${ownerName} login createrole password 'plain'`)
  // What an owner has over the roles that it made; the databases of this server share theirs.
  for (const role of databaseRoles) await admin.query(`grant ${role} to ${ownerName} with admin option${isOld ? '' : ', inherit false'}`)
  filled = { [levels[0]]: await fill(levels[0]), [levels[1]]: await fill(levels[1]) } as typeof filled
  empty = await create()
  await prepareDatabase(empty.owner, log, { passwords })
})
afterAll(async () => {
  for (const { name, owner, superuser } of open) {
    await owner.end()
    await superuser.end()
    await admin.query(`drop database ${name} with (force)`)
    const { rows } = await admin.query<{ role: string }>(`select rolname as role from pg_roles where starts_with(rolname, $1)`, [
      `${name}_`,
    ])
    for (const { role } of rows) await admin.query(`drop role ${role}`)
  }
  for (const role of databaseRoles) await admin.query(`revoke ${role} from ${ownerName}`)
  await admin.query(`drop role ${ownerName}`)
  await admin.end()
})

interface Installation {
  readonly name: string
  /** Of the owner. */
  readonly owner: pg.Pool
  readonly superuser: pg.Client
  readonly url: (user: string, password: string) => string
}
const open: Installation[] = []
const create = async (): Promise<Installation> => {
  const name = `kaopu_up_${process.pid}_${open.length}`
  await admin.query(`create database ${name} owner ${ownerName} encoding 'UTF8' template template0`)
  const at = new URL(inject('adminUrl'))
  at.pathname = `/${name}`
  const superuser = new pg.Client({ connectionString: at.href })
  await superuser.connect()
  const url = (user: string, password: string): string => urlFor(at.href, user, password)
  const installation = { name, owner: openOwnerPool(url(ownerName, 'plain'), log), superuser, url }
  open.push(installation)
  return installation
}

/** The state of 0.1.0, and the one of the release before this: every migration up to 1074, with the same rows. */
const levels = ['0630_passport.sql', '1074_conflicts_kept.sql'] as const
const fill = async (level: (typeof levels)[number]): Promise<Installation> => {
  const installation = await create()
  const { owner, superuser } = installation
  await prepareDatabase(owner, log, { upTo: levels[0] })
  await fillFormer(superuser, former)
  await superuser.query(`set session_replication_role = origin; set app.now = '2026-03-10T02:00:00Z'`)
  await superuser.query(
    `insert into school (tenant_id, school_code, school_name, province, level, aliases) values ('000000', '1', '新校名', '重庆', 1, '["旧校名"]')`,
  )
  if (level !== levels[0]) await prepareDatabase(owner, log, { upTo: level })
  return installation
}

const value = async (client: pg.Client, text: string): Promise<unknown> =>
  Object.values((await client.query<Record<string, unknown>>(text)).rows[0] ?? {})[0]
/** Everything that an upgrade may change of a database: structure, functions, rights, and which migrations have run. */
const stateOf = async ({ superuser }: Installation): Promise<unknown> => [
  await catalogueLines(superuser),
  await value(superuser, `select json_agg(pg_get_functiondef(oid) order by oid) from pg_proc where pronamespace = 'public'::regnamespace`),
  await value(
    superuser,
    `select json_agg(relacl order by oid) from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
  ),
  await value(superuser, `select json_agg(m order by name) from schema_migration m`),
  await value(superuser, `select md5(json_agg(s order by id)::text) from signup s`),
]
const trial = (name: string, text: string): Migration => ({ name, text, checksum: name })
const compatibleHead = '-- lock: none; compatible: the release before keeps running\n'
/** The program's own migrations that have run, and more. */
const ownAnd = async ({ superuser }: Installation, ...more: readonly Migration[]): Promise<readonly Migration[]> => [
  ...(await superuser.query<{ name: string; checksum: string }>('select name, checksum from schema_migration')).rows.map(row => ({
    ...row,
    text: '',
  })),
  ...more,
]
/** Resolves when the log is given a line. */
const hearing = (words: string): { readonly log: Log; readonly heard: Promise<void> } => {
  let say: () => void = () => {}
  const heard = new Promise<void>(done => {
    say = done
  })
  const hear = (_fields: unknown, message: string): void => {
    if (message.includes(words)) say()
  }
  return { log: { ...log, info: hear, warn: hear } as Log, heard }
}

describe('upgrade › an owner who is no superuser, a database with rows', () => {
  test('a run that fails leaves everything as it was, and the release before starts', async () => {
    const installation = filled[levels[1]]
    const before = await stateOf(installation)
    const broken = trial(
      '9998_broken.sql',
      '-- exclusive: it is to fail\nalter table signup add column extra text; update signup set extra = name; select 1 / 0',
    )

    await expect(prepareDatabase(installation.owner, log, { passwords, migrations: await ownAnd(installation, broken) })).rejects.toThrow(
      'The migration 9998_broken.sql failed: division by zero',
    )

    expect(await stateOf(installation)).toEqual(before)
    expect(await prepareDatabase(installation.owner, log, { upTo: levels[1] })).toMatchObject({ migrated: 0, prefix: 'kaopu' })
  })

  test('steps that the release before can live with stay when a later one fails; it starts, and the next run goes on', async () => {
    const installation = empty
    const { owner, superuser } = installation
    const own = await ownAnd(installation)
    const first = trial('9997_first.sql', `${compatibleHead}alter table signup add column extra text`)
    const second = trial('9998_second.sql', `${compatibleHead}select 1 / 0`)
    await expect(prepareDatabase(owner, log, { passwords, migrations: [...own, first, second], release: '0.2.0' })).rejects.toThrow(
      'The migration 9998_second.sql failed: division by zero',
    )
    expect(
      await value(
        superuser,
        `select row_to_json(m) from (select name, release, is_compatible from schema_migration order by name desc limit 1) m`,
      ),
    ).toEqual({
      name: '9997_first.sql',
      release: '0.2.0',
      is_compatible: true,
    })

    const { log: heardLog, heard } = hearing('the next release has migrated the database; this one keeps running')
    expect(await prepareDatabase(owner, heardLog, { passwords })).toMatchObject({ migrated: 0 })
    await heard

    const mended = trial('9998_second.sql', `${compatibleHead}select 1`)
    expect(await prepareDatabase(owner, log, { passwords, migrations: [...own, first, mended], release: '0.2.0' })).toMatchObject({
      migrated: 1,
    })
    // One release later only: what came after may have taken away what this one needs.
    const third = trial('9999_third.sql', `${compatibleHead}select 1`)
    await prepareDatabase(owner, log, { passwords, migrations: [...own, first, mended, third], release: '0.3.0' })
    await expect(prepareDatabase(owner, log, { passwords })).rejects.toThrow(
      'The database is newer than this program: it has the migration 9997_first.sql.',
    )
  })

  test('a step that the release before cannot live with is refused while a process is connected, which is named', async () => {
    const installation = empty
    const { owner, url, name } = installation
    const before = await stateOf(installation)
    const staff = roleName(name, 'kaopu_staff')
    const other = new pg.Client({ connectionString: url(staff, passwords.kaopu_staff) })
    await other.connect()
    const { rows } = await other.query<{ pid: number }>('select pg_backend_pid() as pid')
    const migrations = await ownAnd(
      installation,
      trial('9999_last.sql', '-- exclusive: a column goes\nalter table signup drop column if exists extra'),
    )

    await expect(prepareDatabase(owner, log, { passwords, migrations })).rejects.toThrow(
      new RegExp(`database session ${rows[0]?.pid} of ${staff}[\\s\\S]*Nothing was changed[\\s\\S]*9999_last \\(a column goes\\)`),
    )

    expect(await stateOf(installation)).toEqual(before)
    await other.end()
    expect(await prepareDatabase(owner, log, { passwords, migrations })).toMatchObject({ migrated: 1 })
  })

  test('a lock that somebody holds is waited for in short turns, in which nobody queues behind the migration for long', async () => {
    const installation = empty
    const { owner, superuser } = installation
    const migrations = await ownAnd(installation, trial('9999_column.sql', `${compatibleHead}alter table signup add column more text`))
    await superuser.query('begin; lock table signup in access share mode')
    const { log: heardLog, heard } = hearing('migration gave way to a lock and is tried again')

    const running = prepareDatabase(owner, heardLog, { passwords, migrations })
    await heard
    await superuser.query('commit')

    expect(await running).toMatchObject({ migrated: 1 })
  })

  test('a run beside transactions that lock the same tables the other way round fails none of them', async () => {
    const installation = empty
    const { owner, superuser, url, name } = installation
    await superuser.query(`set app.now = '2026-03-10T02:00:00Z'; insert into tenant (tenant_id, tenant_name) values ('T1', 'one')`)
    await superuser.query(`insert into role (tenant_id, role_name, role_alias) values ('T1', 'r', 'r')`)
    const migrations = await ownAnd(
      installation,
      trial('9998_both.sql', `${compatibleHead}alter table role add column extra text; alter table tenant add column extra text`),
      trial('9999_back.sql', `${compatibleHead}alter table tenant drop column extra; alter table role drop column extra`),
    )
    let isOver = false
    let begun: () => void = () => {}
    const working = new Promise<void>(done => {
      begun = done
    })
    const work = async (): Promise<number> => {
      const client = new pg.Client({ connectionString: url(roleName(name, 'kaopu_platform'), passwords.kaopu_platform) })
      await client.connect()
      let count = 0
      for (; !isOver; count += 1) {
        await client.query(`begin; set local app.now = '2026-03-10T02:00:00Z'`)
        await client.query(`select from tenant where tenant_id = 'T1'`)
        await client.query(`select from role where tenant_id = 'T1'`)
        await client.query('commit')
        // Most of the time of a transaction is spent elsewhere.
        for (let n = 0; n < 20; n += 1) await client.query('select 1')
        if (count > 3) begun()
      }
      await client.end()
      return count
    }
    const traffic = [work(), work(), work()]
    await working
    const { migrated } = await prepareDatabase(owner, log, { passwords, migrations })
    isOver = true

    expect(migrated).toBe(2)
    expect((await Promise.all(traffic)).every(count => count > 0)).toBe(true)
  })

  test('a trial says what each step takes and locks, and takes everything back', async () => {
    const installation = empty
    const before = await stateOf(installation)
    const more = trial(
      '9999_trial.sql',
      '-- exclusive: a column goes\nalter table signup rename column unit to place; create index extra_ix on school (id)',
    )
    const prepared = await prepareDatabase(installation.owner, log, {
      passwords,
      isTrial: true,
      migrations: await ownAnd(installation, more),
    })

    expect(prepared.tried).toEqual([
      {
        name: '9999_trial.sql',
        durationMs: expect.any(Number),
        closed: expect.arrayContaining(['signup']),
        readOnly: expect.arrayContaining(['school']),
      },
    ])
    expect(reportOf(prepared)).toEqual([
      expect.stringMatching(/^9999_trial: \d+ ms; nobody reads: .*signup.*; nobody writes: .*school/),
      expect.stringMatching(/^1 migrations, \d+ ms\. Everything was taken back\.$/),
      'Stop every process of Kaopu for the upgrade: 9999_trial (a column goes)',
    ])
    expect(await stateOf(installation)).toEqual(before)
  })

  test.each(levels)('every migration after %s runs, and fills what it makes', async level => {
    const installation = filled[level]
    const { owner, superuser, name } = installation
    const forced = `select array_agg(relname order by relname) from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and relforcerowsecurity`

    const { migrated, prefix } = await prepareDatabase(owner, log, { passwords })

    expect([migrated > 0, prefix]).toEqual([true, name])
    expect(await value(superuser, 'select array_agg(name order by name) from school_former')).toEqual(['旧校名'])
    expect(await value(superuser, 'select count(*)::int from signup')).toBe(
      (JSON.parse(former.tables['signup'] ?? '[]') as unknown[]).length,
    )
    expect(await value(superuser, `select sum(n)::int from signup_tally`)).toBe(
      await value(superuser, `select count(*)::int from signup where examine <> 'draft' and not is_deleted`),
    )
    // Afterwards the owner is bound as before, and a start finds nothing to do.
    expect(await value(superuser, forced)).toContain('school_former')
    expect((await owner.query('select from signup')).rowCount).toBe(0)
    expect(await prepareDatabase(owner, log, { passwords })).toMatchObject({ migrated: 0, prefix: name })
  })
})

test('upgrade › every migration says whether the release before keeps running, and why where it does not', async () => {
  const folder = join(import.meta.dirname, '..', '..', 'migrations')
  const names = (await readdir(folder)).filter(name => name >= '1080_' && name.endsWith('.sql'))
  const silent: string[] = []
  for (const name of names) {
    const head = (await readFile(join(folder, name), 'utf8')).split(/^(?!--)/m)[0] ?? ''
    if (
      !/\bcompatible(?:: yes|: the release before keeps running| with the release before)\b|\b(?:exclusive:|compatible: no,?) \S/.test(head)
    )
      silent.push(name)
  }

  expect(silent).toEqual([])
})
