import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { createManualClock } from '#kernel/clock.ts'
import { createLog } from '#kernel/log.ts'
import { loadSecrets, parseSecrets, type Secrets } from '#kernel/secrets.ts'
import { createApplication } from '#server/app.ts'
import { loadConfig } from '#server/config.ts'
import { checkInstallation, fingerprintsOf, loadSecretsFor, readMarks } from '#server/installation-identity.ts'
import { startTestApp, type TestApp, testStart } from '../support/app.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const log = createLog('silent')
let admin: pg.Client
/** Its people have sealed phones, and its trail has a seal. */
let t: TestApp
let template: string
const databases: string[] = []
let folders: string[]
let secrets: Secrets

beforeAll(async () => {
  admin = new pg.Client({ connectionString: inject('adminUrl') })
  await admin.connect()
  secrets = await loadSecrets({ dataDir: inject('dataDir') })
  t = await startTestApp()
  const tenant = await t.tenant()
  await tenant.candidate()
  template = new URL(t.databaseUrl).pathname.slice(1)
  await t.app.close()
})
afterAll(async () => {
  for (const name of databases) await admin.query(`drop database ${name} with (force)`)
  await admin.query(`drop database ${template} with (force)`)
  await admin.end()
})
beforeEach(() => {
  folders = []
})
afterEach(() => Promise.all(folders.map(folder => rm(folder, { recursive: true, force: true }))))

const urlOf = (name: string): string => {
  const url = new URL(inject('adminUrl'))
  url.pathname = `/${name}`
  return url.href
}
/** A copy of the installation's database, or an empty one. */
const database = async (kind: 'used' | 'empty'): Promise<string> => {
  const name = `identity_${process.pid}_${databases.length}`
  await admin.query(`create database ${name} ${kind === 'used' ? `template ${template}` : `encoding 'UTF8' template template0`}`)
  databases.push(name)
  return urlOf(name)
}
const folder = async (own: 'own secrets' | 'no secrets' = 'own secrets'): Promise<string> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'kaopu-identity-'))
  folders.push(dataDir)
  if (own === 'own secrets') await cp(join(inject('dataDir'), 'secrets.json'), join(dataDir, 'secrets.json'))
  return dataDir
}
const otherSecrets = async (): Promise<Secrets> => loadSecrets({ dataDir: await folder('no secrets') })
const withOther = async (names: readonly string[]): Promise<Secrets> => {
  const [own, other] = [join(inject('dataDir'), 'secrets.json'), join(await folder('no secrets'), 'secrets.json')]
  await loadSecrets({ dataDir: other.slice(0, -'/secrets.json'.length) })
  const [stored, drawn] = [JSON.parse(await readFile(own, 'utf8')), JSON.parse(await readFile(other, 'utf8'))]
  return parseSecrets('secrets.json', JSON.stringify({ ...stored, ...Object.fromEntries(names.map(name => [name, drawn[name]])) }))
}
const marksOf = async (databaseUrl: string) => {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    return await readMarks(client)
  } finally {
    await client.end()
  }
}
const started = async (databaseUrl: string, dataDir: string, own: Secrets = secrets): Promise<readonly string[]> =>
  (await checkInstallation({ databaseUrl, dataDir }, own)).record()
const refusal = async (databaseUrl: string, dataDir: string, own: Secrets = secrets): Promise<string> => {
  const before = await readdir(dataDir)
  const sentence = await checkInstallation({ databaseUrl, dataDir }, own).then(
    () => 'taken',
    (error: Error) => `${error.name}: ${error.message}`,
  )
  expect(await readdir(dataDir)).toEqual(before)
  return sentence
}

describe('an installation that has no fingerprints yet', () => {
  test('is tried with its secrets, then gets an identity, its folder too, and a fingerprint of every secret that says nothing about it', async () => {
    const [databaseUrl, dataDir] = [await database('used'), await folder()]

    expect(await started(databaseUrl, dataDir)).toEqual([])

    const marks = await marksOf(databaseUrl)
    expect(marks.identity).toEqual(JSON.parse(await readFile(join(dataDir, 'installation.json'), 'utf8')))
    expect(marks.secrets).toEqual(fingerprintsOf(secrets))
    expect([...marks.secrets.keys()]).toEqual(
      expect.arrayContaining([
        'fieldRootKey',
        'blindIndexKey',
        'tokenKey',
        'passwordPepper',
        'auditKey',
        'ticketDrawKey',
        'login',
        'databasePasswords.kaopu_owner',
      ]),
    )
    const told = [...marks.secrets.values()].join()
    for (const key of [secrets.fieldRootKey, secrets.tokenKey]) expect(told).not.toContain(key.toString('hex').slice(0, 12))
    // Again: the same.
    expect(await started(databaseUrl, dataDir)).toEqual([])
    expect(await marksOf(databaseUrl)).toEqual(marks)
  })

  test('is refused with other keys: a sealed field does not open, and nothing is written', async () => {
    const [databaseUrl, dataDir] = [await database('used'), await folder()]

    expect(await refusal(databaseUrl, dataDir, await withOther(['fieldRootKey']))).toBe(
      `StartRefusal: The secrets file ${dataDir}/secrets.json does not fit this database: fieldRootKey was tried on its data and failed. Restore ${dataDir}/secrets.json from its backup. Only if it is lost for good run: npm run secrets -- accept secrets (it says what will stay closed)`,
    )
    expect((await marksOf(databaseUrl)).secrets.size).toBe(0)
  })

  test('is refused where an audit seal was made with another key', async () => {
    const [databaseUrl, dataDir] = [await database('used'), await folder()]
    const client = new pg.Client({ connectionString: databaseUrl })
    await client.connect()
    await client.query(
      `insert into audit_seal (tenant_id, seq, audit_id, row_hash, chain_hash, signature, fence, sealed_at)
       values ('000000', 1, 1, repeat('a', 64), repeat('b', 64), repeat('c', 64), 1, now())`,
    )
    await client.end()

    expect(await refusal(databaseUrl, dataDir)).toContain('does not fit this database: auditKey was tried on its data and failed.')
  })
})

describe('secrets are compared before anything is touched', () => {
  test('one other key is named', async () => {
    const [databaseUrl, dataDir] = [await database('used'), await folder()]
    await started(databaseUrl, dataDir)

    expect(await refusal(databaseUrl, dataDir, await withOther(['passwordPepper']))).toContain(
      'does not fit this database: passwordPepper is not the one it is used with. Restore ',
    )
    expect(await refusal(databaseUrl, dataDir, await withOther(['tokenKey', 'auditKey', 'databasePasswords']))).toContain(
      'does not fit this database: tokenKey, auditKey, databasePasswords are not those it is used with.',
    )
  })

  test('a file made anew is refused by the program itself, which leaves passwords of roles and every row as they were', async () => {
    const [databaseUrl, dataDir] = [await database('used'), await folder()]
    await started(databaseUrl, dataDir)
    const marks = await marksOf(databaseUrl)
    const passwords = 'select rolname, rolpassword from pg_authid where rolname like $1 order by 1'
    const before = (await admin.query(passwords, ['kaopu%'])).rows

    await expect(
      createApplication({
        config: loadConfig({ KAOPU_PROFILE: 'test', KAOPU_DATA: dataDir }),
        secrets: await otherSecrets(),
        databaseUrl,
        log,
        clock: createManualClock(testStart),
        withoutWorker: true,
      }),
    ).rejects.toThrow(
      `The secrets file ${dataDir}/secrets.json was made anew or belongs to another installation: none of its secrets is one that this database is used with.`,
    )

    expect((await admin.query(passwords, ['kaopu%'])).rows).toEqual(before)
    expect(await marksOf(databaseUrl)).toEqual(marks)
  })

  test('none are made for a database that is in use', async () => {
    const [databaseUrl, dataDir] = [await database('used'), await folder('no secrets')]

    await expect(loadSecretsFor({ databaseUrl, dataDir })).rejects.toThrow(
      `The secrets file ${dataDir}/secrets.json is missing although the database is in use. Restore it from the backup`,
    )
    expect(await readdir(dataDir)).toEqual([])
    expect(fingerprintsOf(await loadSecretsFor({ databaseUrl: await database('empty'), dataDir })).size).toBeGreaterThan(10)
  })

  test('a command of the operator ends with the same sentence and exit code 1', async () => {
    const [databaseUrl, dataDir] = [await database('used'), await folder()]
    await started(databaseUrl, dataDir)
    await rm(join(dataDir, 'secrets.json'))
    await loadSecrets({ dataDir })

    for (const program of ['audit-verify.ts', 'admin.ts']) {
      const child = spawn(
        process.execPath,
        [join(root, 'server/src', program), ...(program === 'admin.ts' ? ['create', '--account', 'x1'] : [])],
        {
          env: { PATH: process.env.PATH, KAOPU_PROFILE: 'test', KAOPU_DATA: dataDir, DATABASE_URL: databaseUrl },
        },
      )
      const [[code], said] = await Promise.all([once(child, 'exit'), text(child.stderr)])
      expect([code, said]).toEqual([1, expect.stringContaining('was made anew or belongs to another installation')])
    }
  })
})

describe('what an installation is for is written down by its first start', () => {
  const check = (databaseUrl: string, dataDir: string, profile: 'demo' | 'test' | 'production') =>
    checkInstallation({ databaseUrl, dataDir, profile }, secrets)

  test('a production installation is refused to every other profile, and a trial never becomes one', async () => {
    const [production, trial] = [await database('used'), await database('used')]
    const [first, second] = [await folder(), await folder()]
    await (await check(production, first, 'production')).record()
    await (await check(trial, second, 'test')).record()

    expect([(await marksOf(production)).use, (await marksOf(trial)).use]).toEqual(['production', 'trial'])
    for (const profile of ['demo', 'test'] as const)
      await expect(check(production, first, profile)).rejects.toThrow(
        'The database belongs to a production installation, and KAOPU_PROFILE is not production here: demo data and doors for tests would come in. Set KAOPU_PROFILE=production',
      )
    await expect(check(trial, second, 'production')).rejects.toThrow(
      'The database belongs to a trial with demo data, which never becomes a production',
    )
    await check(trial, second, 'demo')
    await check(production, first, 'production')
  })

  test('a command whose settings do not name it works on production as production: the first account, and nobody of a demo', async () => {
    const [databaseUrl, dataDir] = [await database('used'), await folder()]
    await (await check(databaseUrl, dataDir, 'production')).record()
    const client = new pg.Client({ connectionString: databaseUrl })
    await client.connect()
    const accounts = async () => (await client.query('select tenant_id, account from public.account order by 1, 2')).rows
    const before = await accounts()

    const child = spawn(process.execPath, [join(root, 'server/src/admin.ts'), 'create', '--account', 'chief', '--role', 'administrator'], {
      env: { PATH: process.env.PATH, KAOPU_DATA: dataDir, DATABASE_URL: databaseUrl, KAOPU_PUBLIC_URL: 'https://kaopu.example.org' },
    })
    const [[code], said, wrong] = await Promise.all([once(child, 'exit'), text(child.stdout), text(child.stderr)])

    expect([code, wrong, said]).toEqual([0, '', expect.stringContaining('Account:           chief (administrator)')])
    expect(await accounts()).toEqual(
      [...before, { tenant_id: '000000', account: 'chief' }].toSorted((a, b) =>
        `${a.tenant_id} ${a.account}` < `${b.tenant_id} ${b.account}` ? -1 : 1,
      ),
    )
    await client.end()
  })

  test('no command fills the demo of a database, also where the demo is what it is for', async () => {
    const [databaseUrl, dataDir] = [await database('used'), await folder()]
    await (await check(databaseUrl, dataDir, 'demo')).record()
    const client = new pg.Client({ connectionString: databaseUrl })
    await client.connect()
    const count = async () => Number((await client.query('select count(*) as n from public.account')).rows[0]?.n)
    const before = await count()

    const child = spawn(process.execPath, [join(root, 'server/src/admin.ts'), 'create', '--account', 'chief', '--role', 'administrator'], {
      env: { PATH: process.env.PATH, KAOPU_DATA: dataDir, DATABASE_URL: databaseUrl },
    })
    expect(await Promise.all([once(child, 'exit').then(([code]) => code), text(child.stderr)])).toEqual([0, ''])

    expect(await count()).toBe(before + 1)
    await client.end()
  })
})

describe('the data folder is compared too', () => {
  test('an empty one, one of another installation, and a second one are refused', async () => {
    const [databaseUrl, dataDir, empty] = [await database('used'), await folder(), await folder()]
    await started(databaseUrl, dataDir)
    const identity = (await marksOf(databaseUrl)).identity

    expect(await refusal(databaseUrl, empty)).toBe(
      `StartRefusal: The data folder ${empty} is not the one of this database: it has no installation.json of the installation ${identity?.installation}, whose files lie in its folder. Set KAOPU_DATA to the right folder or restore it from the backup. Only if this one shall hold from now on run: npm run secrets -- accept folder`,
    )
    const [otherUrl, other] = [await database('used'), await folder()]
    await started(otherUrl, other)
    const foreign = (await marksOf(otherUrl)).identity
    expect(await refusal(databaseUrl, other)).toContain(
      `The data folder ${other} belongs to the installation ${foreign?.installation}, the database to ${identity?.installation}.`,
    )
    await writeFile(join(empty, 'installation.json'), JSON.stringify({ ...identity, folder: foreign?.folder }))
    expect(await refusal(databaseUrl, empty)).toContain('without a storage that all instances reach they need the same folder.')
  })

  test('one of an installation whose database is empty is refused: the database was lost', async () => {
    const [databaseUrl, dataDir] = [await database('used'), await folder()]
    await started(databaseUrl, dataDir)

    expect(await refusal(await database('empty'), dataDir)).toContain('but the database is empty. Restore the database from its backup')
  })

  test('instances whose files lie in a storage that all reach have folders of their own', async () => {
    const [databaseUrl, first, second] = [await database('used'), await folder(), await folder()]
    await started(databaseUrl, first)
    const owner = new pg.Client({ connectionString: databaseUrl })
    await owner.connect()
    await owner.query(`delete from stored_file where storage_key !~ '^[0-9]+:'; set app.now = '${testStart}'`)
    await owner.query(
      `insert into oss (tenant_id, category, oss_code, endpoint, access_key, bucket_name, status) values ('000000', '1', 's3', 'https://s3.example.org', 'k', 'b', 2)`,
    )
    await owner.end()

    expect(await started(databaseUrl, second)).toEqual([])

    const [one, two] = await Promise.all(
      [first, second].map(async dir => JSON.parse(await readFile(join(dir, 'installation.json'), 'utf8'))),
    )
    expect([two.installation, two.folder === one.folder]).toEqual([one.installation, false])
    expect((await marksOf(databaseUrl)).identity).toEqual(one)
  })

  test('of two first starts with folders of their own one is refused, and of two on one folder both go on', async () => {
    const databaseUrl = await database('used')
    const [first, second] = [await folder(), await folder()]
    const checked = await Promise.all([first, second].map(dataDir => checkInstallation({ databaseUrl, dataDir }, secrets)))

    const ends = await Promise.allSettled(checked.map(one => one.record()))
    expect(ends.map(one => one.status).sort()).toEqual(['fulfilled', 'rejected'])

    const [otherUrl, shared] = [await database('used'), await folder()]
    const both = await Promise.all([0, 1].map(() => checkInstallation({ databaseUrl: otherUrl, dataDir: shared }, secrets)))
    expect(await Promise.all(both.map(one => one.record()))).toEqual([[], []])
  })
})
