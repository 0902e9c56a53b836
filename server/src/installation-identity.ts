import { randomUUID } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { storageKind } from '#contract/file/storage-kind.ts'
import { platformTenant } from '#contract/kernel/platform.ts'
import { signatureOf } from '#kernel/audit-chain/line.ts'
import { called } from '#kernel/called.ts'
import { systemClock } from '#kernel/clock.ts'
import { createFieldCipher } from '#kernel/crypto/field.ts'
import { fingerprintOf } from '#kernel/crypto/fingerprint.ts'
import { StartRefusal } from '#kernel/db/embedded-binaries.ts'
import { openOwnerPool, openPools, type Pool, type PoolClient } from '#kernel/db/pool.ts'
import { presentPrefix } from '#kernel/db/roles.ts'
import { createLog } from '#kernel/log.ts'
import { changeSecretsFile, keyNames, keyRing, loadSecrets, passwordNames, type Secrets, secretsPath, writeOnce } from '#kernel/secrets.ts'

// The database holds the identity of its installation and of the data folder, and a keyed fingerprint of every secret. They are compared before anything
// is touched: with wrong secrets new data would be sealed so that nobody can open it, and with another folder the files would be missing.

/** Digits shown of a fingerprint: enough to compare by eye. */
const shownDigits = 8

/** Name of every secret → its fingerprint. A secret that a later release adds is written down when it first comes. */
export const fingerprintsOf = (secrets: Secrets): ReadonlyMap<string, string> =>
  new Map([
    ...keyNames.map(name => [name, fingerprintOf(name, secrets[name])] as const),
    ['login', fingerprintOf('login', secrets.login.privateKey)] as const,
    ...passwordNames.map(role => {
      const name = `databasePasswords.${role}`
      return [name, fingerprintOf(name, secrets.databasePasswords[role])] as const
    }),
  ])

/** Fingerprints that the database may still have, by the name of the secret: of the keys that were replaced, and of a look-up key that it was just rebuilt with. */
const acceptableFingerprints = (secrets: Secrets): ReadonlyMap<string, readonly string[]> =>
  new Map<string, readonly string[]>([
    ...keyNames.map(name => {
      const coming = name === 'blindIndexKey' ? secrets.coming[name] : undefined
      return [
        name,
        [...secrets.former[name].map(({ key }) => key), ...(coming ? [coming] : [])].map(key => fingerprintOf(name, key)),
      ] as const
    }),
    ['login', secrets.formerLogins.map(({ privateKey }) => fingerprintOf('login', privateKey))] as const,
    ...Object.entries(secrets.formerPasswords).map(([role, text]) => {
      const name = `databasePasswords.${role}`
      return [name, [fingerprintOf(name, text)]] as const
    }),
  ])

/** `installation.json` in the data folder. */
export interface FolderIdentity {
  /** The installation that the folder belongs to: the same in its database. */
  readonly installation: string
  /** The folder itself. Instances that share one share this too. */
  readonly folder: string
}
export const folderIdentityPath = (dataDir: string): string => join(dataDir, 'installation.json')

const uuidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** @returns undefined for a folder that belongs to no installation yet. @throws StartRefusal for a file that says nothing */
export const readFolderIdentity = async (dataDir: string): Promise<FolderIdentity | undefined> => {
  const path = folderIdentityPath(dataDir)
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (text === undefined) return undefined
  try {
    const { installation, folder } = JSON.parse(text) as Partial<FolderIdentity>
    if (uuidForm.test(installation ?? '') && uuidForm.test(folder ?? '')) return { installation, folder } as FolderIdentity
  } catch {}
  throw new StartRefusal(
    `The file ${path} is damaged, so that nobody can say which installation the data folder belongs to. Restore it from the backup, or run: ${called('secrets', 'accept folder')}`,
  )
}

const writeFolderIdentity = (dataDir: string, identity: FolderIdentity): Promise<void> =>
  writeOnce(folderIdentityPath(dataDir), `${JSON.stringify(identity, null, 2)}\n`)

/** What an operator accepts with `npm run secrets -- accept`: the next start takes it, writes it down and removes this file. */
export interface Acceptance {
  /** The fingerprints of the secrets that are to hold from now on; absent = none. */
  readonly secrets?: Readonly<Record<string, string>>
  /** Whether the data folder is to hold from now on. */
  readonly folder?: boolean
}
export const acceptancePath = (dataDir: string): string => join(dataDir, 'accepted.json')
export const readAcceptance = async (dataDir: string): Promise<Acceptance> => {
  try {
    return JSON.parse(await readFile(acceptancePath(dataDir), 'utf8')) as Acceptance
  } catch {
    return {}
  }
}
const accepts = (acceptance: Acceptance, prints: ReadonlyMap<string, string>): boolean =>
  [...prints].every(([name, value]) => acceptance.secrets?.[name] === value)

/** A trial has believable data of nobody and doors for tests; a production installation never. */
export type InstallationUse = 'production' | 'trial'
const purposeOf = (profile: 'demo' | 'test' | 'production'): InstallationUse => (profile === 'production' ? 'production' : 'trial')

/** What stands in the database. */
export interface Marks {
  /** Whether migrations have run there. */
  readonly isUsed: boolean
  /** Absent before the first start of a release that writes marks down. */
  readonly identity: FolderIdentity | undefined
  /** What the installation is for, since its first start; absent before the first start of a release that writes it down. */
  readonly use: InstallationUse | undefined
  readonly secrets: ReadonlyMap<string, string>
  /** Fingerprints of the past by the name of the secret, with the time of their end. */
  readonly former: ReadonlyMap<string, ReadonlyMap<string, Date>>
}
interface MarkRow {
  readonly kind: 'identity' | 'secret'
  readonly name: string
  readonly value: string
  readonly until: Date | null
}

/** @param owner - of the database, or the platform role once the table exists */
export const readMarks = async (owner: Pick<PoolClient, 'query'>): Promise<Marks> => {
  const { rows: there } = await owner.query<{ hasMigrations: boolean; hasMarks: boolean }>(
    `select to_regclass('public.schema_migration') is not null as "hasMigrations", to_regclass('public.installation_mark') is not null as "hasMarks"`,
  )
  const isUsed = there[0]?.hasMigrations === true && ((await owner.query('select from public.schema_migration limit 1')).rowCount ?? 0) > 0
  const marks = there[0]?.hasMarks
    ? (await owner.query<MarkRow>('select kind, name, value, until from public.installation_mark order by since')).rows
    : []
  const present = (kind: MarkRow['kind']): ReadonlyMap<string, string> =>
    new Map(marks.flatMap(row => (row.kind === kind && row.until === null ? [[row.name, row.value]] : [])))
  const former = new Map<string, Map<string, Date>>()
  for (const { kind, name, value, until } of marks)
    if (kind === 'secret' && until !== null) former.set(name, (former.get(name) ?? new Map<string, Date>()).set(value, until))
  const identity = present('identity')
  const [installation, folder] = [identity.get('installation'), identity.get('folder')]
  return {
    isUsed,
    identity: installation === undefined || folder === undefined ? undefined : { installation, folder },
    use: identity.get('use') as InstallationUse | undefined,
    secrets: present('secret'),
    former,
  }
}

const checkUse = ({ use }: Marks, own: InstallationUse | undefined): void => {
  if (use === undefined || own === undefined || use === own) return
  throw new StartRefusal(
    use === 'production'
      ? 'The database belongs to a production installation, and KAOPU_PROFILE is not production here: demo data and doors for tests would come in. Set KAOPU_PROFILE=production where all programs of the installation read their settings.'
      : 'The database belongs to a trial with demo data, which never becomes a production installation. Set DATABASE_URL to an empty database.',
  )
}

/** What the installation in a database is for; undefined where there is none yet. */
export const recordedUse = async (databaseUrl: string): Promise<InstallationUse | undefined> => {
  const owner = openOwnerPool(databaseUrl, createLog('silent'))
  try {
    return (await readMarks(owner)).use
  } finally {
    await owner.end()
  }
}

const waysOut = {
  secrets: (path: string): string =>
    `Restore ${path} from its backup. Only if it is lost for good run: ${called('secrets', 'accept secrets')} (it says what will stay closed)`,
  folder: `Set KAOPU_DATA to the right folder or restore it from the backup. Only if this one shall hold from now on run: ${called('secrets', 'accept folder')}`,
} as const

/** Passwords of the database are many; they are one secret to people. */
const plainNames = (names: readonly string[]): string => [...new Set(names.map(name => name.split('.')[0] ?? name))].join(', ')

/** The second step of a change of the look-up key, after the database has the rows of the coming one. @returns what the file says now */
export const finishIndexChange = (path: string): Promise<Secrets> =>
  changeSecretsFile(path, stored => {
    const { blindIndexKey: next, ...coming } = stored.coming ?? {}
    if (next === undefined) return stored
    const former = [{ key: stored.blindIndexKey, until: systemClock.now().toISOString() }, ...(stored.former?.blindIndexKey ?? [])]
    return { ...stored, blindIndexKey: next, coming, former: { ...stored.former, blindIndexKey: former } }
  })

/** What the rows of look-ups were made with: they are compared with each other, so the former key of a change cannot stand beside the present one. */
const checkIndexKey = async (
  path: string,
  secrets: Secrets,
  marks: Marks,
  mayDiffer: boolean,
): Promise<Pick<CheckedInstallation, 'secrets' | 'isIndexFinished'>> => {
  const marked = marks.secrets.get('blindIndexKey')
  const isMarked = (key: Uint8Array | undefined): boolean => key !== undefined && fingerprintOf('blindIndexKey', key) === marked
  if (marked === undefined || isMarked(secrets.blindIndexKey)) return { secrets, isIndexFinished: false }
  if (isMarked(secrets.coming.blindIndexKey)) return { secrets: await finishIndexChange(path), isIndexFinished: true }
  if (!mayDiffer && secrets.former.blindIndexKey.some(({ key }) => isMarked(key)))
    throw new StartRefusal(
      `The look-up keys of this database were made with a former blindIndexKey of ${path}: the database was put back to a time before the key was replaced. Run: ${called('secrets', 'rotate blindIndexKey')}`,
    )
  return { secrets, isIndexFinished: false }
}

const checkSecrets = (path: string, secrets: Secrets, marks: Marks): void => {
  const prints = fingerprintsOf(secrets)
  const kept = acceptableFingerprints(secrets)
  const isWrong = (name: string): boolean => {
    const value = marks.secrets.get(name)
    return value !== undefined && prints.get(name) !== value && !kept.get(name)?.includes(value)
  }
  const names = [...prints.keys()].filter(isWrong)
  if (names.length === 0) return
  // An older copy has what the database knows as former.
  const older = names.flatMap(name => {
    const until = marks.former.get(name)?.get(prints.get(name) ?? '')
    return until === undefined ? [] : [{ name, until }]
  })
  const [first] = older
  if (first && older.length === names.length)
    throw new StartRefusal(
      `The secrets file ${path} is an older copy: ${plainNames(names)} was replaced on ${first.until.toISOString()}. ${waysOut.secrets(path)}`,
    )
  throw new StartRefusal(
    names.length === marks.secrets.size
      ? `The secrets file ${path} was made anew or belongs to another installation: none of its secrets is one that this database is used with. ${waysOut.secrets(path)}`
      : `The secrets file ${path} does not fit this database: ${plainNames(names)} ${names.length === 1 ? 'is not the one' : 'are not those'} it is used with. ${waysOut.secrets(path)}`,
  )
}

/** Whether files lie, or would lie, in the data folder: then every instance needs the same one. */
const usesFolder = async (platform: Pool): Promise<boolean> => {
  const { rows } = await platform.query<{ isUsed: boolean }>(
    `select exists (select from stored_file where storage_key !~ '^[0-9]{1,19}:') or exists (
       select from tenant t where not t.is_deleted and coalesce(
         (select o.category from oss o where o.status = 2 and not o.is_deleted and o.tenant_id in (t.tenant_id, $1) order by o.tenant_id = t.tenant_id desc limit 1), $2) = $2
     ) as "isUsed"`,
    [platformTenant, storageKind.local],
  )
  return rows[0]?.isUsed !== false
}

const checkFolder = async (dataDir: string, marks: Marks, own: FolderIdentity | undefined, platform: Pool): Promise<void> => {
  if (marks.identity === undefined) {
    if (own !== undefined && !marks.isUsed)
      throw new StartRefusal(
        `The data folder ${dataDir} belongs to the installation ${own.installation}, but the database is empty. Restore the database from its backup, or set KAOPU_DATA to a new folder. Only if this folder shall begin a new installation run: ${called('secrets', 'accept folder')}`,
      )
    return
  }
  const { installation, folder } = marks.identity
  if (own?.folder === folder && own.installation === installation) return
  if (own !== undefined && own.installation !== installation)
    throw new StartRefusal(
      `The data folder ${dataDir} belongs to the installation ${own.installation}, the database to ${installation}. ${waysOut.folder}`,
    )
  if (!(await usesFolder(platform))) return
  throw new StartRefusal(
    own === undefined
      ? `The data folder ${dataDir} is not the one of this database: it has no ${folderIdentityPath('').replace(/^\W+/, '')} of the installation ${installation}, whose files lie in its folder. ${waysOut.folder}`
      : `The data folder ${dataDir} is another one than that in which the files of the installation ${installation} lie; without a storage that all instances reach they need the same folder. ${waysOut.folder}`,
  )
}

type Proof = 'right' | 'wrong' | 'none'

interface Sealed {
  readonly tenant: string
  readonly id: string
  readonly column: string
  readonly sealed: Buffer
}
/** Columns that almost every installation has values in. */
const triedColumns = [
  ['account', 'phone_sealed'],
  ['account', 'id_card_sealed'],
  ['sms_message', 'phone_sealed'],
  ['exam_item', 'seed_sealed'],
] as const

/** Tries the secrets on what is there: of an installation that has no fingerprints yet. */
const proofs = async (client: Pick<PoolClient, 'query'>, secrets: Secrets): Promise<{ field: Proof; audit: Proof }> => {
  const cipher = createFieldCipher({
    rootKey: keyRing(secrets, 'fieldRootKey'),
    indexKey: secrets.blindIndexKey,
  })
  const isThere = async (table: string): Promise<boolean> =>
    (await client.query<{ isThere: boolean }>('select to_regclass($1) is not null as "isThere"', [`public.${table}`])).rows[0]?.isThere ===
    true
  let field: Proof = 'none'
  for (const [table, column] of triedColumns) {
    if (!(await isThere(table))) continue
    const { rows } = await client.query<Sealed>(
      `select tenant_id as tenant, id::text as id, ${column} as sealed from public.${table} where ${column} is not null order by id desc limit 5`,
    )
    for (const { tenant, id, sealed } of rows) {
      if (field === 'right') break
      try {
        cipher.open(tenant, { table, column, rowId: id }, sealed)
        field = 'right'
      } catch {
        field = 'wrong'
      }
    }
  }
  if (!(await isThere('audit_seal'))) return { field, audit: 'none' }
  const { rows: seals } = await client.query<{ tenant: string; chain: string; signature: string }>(
    'select tenant_id as tenant, chain_hash as chain, signature from public.audit_seal order by sealed_at desc limit 1',
  )
  const keys = keyRing(secrets, 'auditKey').accepted()
  const [seal] = seals
  const audit = seal && (keys.some(key => signatureOf(key, seal.tenant, seal.chain) === seal.signature) ? 'right' : 'wrong')
  return { field, audit: audit ?? 'none' }
}

/** Reads what policies hide from the owner: by the platform's role, or with the policies lifted in a transaction that is taken back. */
const seeing = async <T>(owner: Pool, platform: Pool | undefined, work: (client: PoolClient) => Promise<T>): Promise<T> => {
  const client = await (platform ?? owner).connect()
  try {
    await client.query('begin')
    if (platform === undefined) {
      await client.query(`set local lock_timeout = '5s'`)
      const { rows } = await client.query<{ name: string }>(
        `select c.oid::regclass::text as name from pg_class c join pg_roles r on r.oid = c.relowner
         where c.relnamespace = 'public'::regnamespace and c.relforcerowsecurity and r.rolname = current_user and not r.rolsuper and not r.rolbypassrls
           and c.relname = any('{account,sms_message,exam_item,audit_seal}')`,
      )
      for (const { name } of rows) await client.query(`alter table ${name} no force row level security`)
    }
    return await work(client)
  } finally {
    await client.query('rollback').catch(() => {})
    client.release()
  }
}

/** Whether the role of the platform lets the program in with the password of the file. */
const logIn = async (platform: Pool): Promise<Proof> => {
  try {
    const client = await platform.connect()
    client.release()
    return 'right'
  } catch (error) {
    const { code } = error as { code?: string }
    // 28P01 and 28000: wrong password, and a role that is not there or may not log in.
    if (code === '28P01') return 'wrong'
    if (code === '28000') return 'none'
    throw error
  }
}

const checkUnmarked = async (path: string, secrets: Secrets, owner: Pool, platform: Pool): Promise<void> => {
  const login = (await presentPrefix(owner)) === undefined ? 'none' : await logIn(platform)
  const { field, audit } = await seeing(owner, login === 'right' ? platform : undefined, client => proofs(client, secrets))
  const wrong = [...(field === 'wrong' ? ['fieldRootKey'] : []), ...(audit === 'wrong' ? ['auditKey'] : [])]
  // A password alone proves nothing where the data does: another installation on the same server may have changed it.
  if (login === 'wrong' && field !== 'right' && audit !== 'right') wrong.push('databasePasswords')
  if (wrong.length > 0)
    throw new StartRefusal(
      `The secrets file ${path} does not fit this database: ${wrong.join(', ')} ${wrong.length === 1 ? 'was' : 'were'} tried on its data and failed. ${waysOut.secrets(path)}`,
    )
}

export const replaceMark = async (client: PoolClient, kind: MarkRow['kind'], name: string, value: string): Promise<void> => {
  await client.query(
    'update public.installation_mark set until = clock_timestamp() where kind = $1 and name = $2 and value <> $3 and until is null',
    [kind, name, value],
  )
  await client.query(
    `insert into public.installation_mark (kind, name, value) values ($1, $2, $3)
     on conflict (kind, name, value) do update set until = null, since = clock_timestamp() where installation_mark.until is not null`,
    [kind, name, value],
  )
}
/** Of all who write marks: two first starts, a start beside a rotation. */
const marksLock = 7300_0046

/** Writes down what holds from now on; one at a time. */
export const writeMarks = async (
  owner: Pool,
  {
    identity,
    use,
    prints,
  }: { readonly identity?: FolderIdentity; readonly use?: InstallationUse | undefined; readonly prints: ReadonlyMap<string, string> },
): Promise<void> => {
  const client = await owner.connect()
  try {
    await client.query('begin')
    await client.query('select pg_advisory_xact_lock($1)', [marksLock])
    const before = await readMarks(client)
    if (identity !== undefined)
      for (const name of ['installation', 'folder'] as const)
        if (before.identity?.[name] !== identity[name]) await replaceMark(client, 'identity', name, identity[name])
    if (use !== undefined && before.use === undefined) await replaceMark(client, 'identity', 'use', use)
    for (const [name, value] of prints) if (before.secrets.get(name) !== value) await replaceMark(client, 'secret', name, value)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  } finally {
    client.release()
  }
}

export interface CheckedInstallation {
  /** Those that were given, or what the file says after a change that was broken off has been finished. */
  readonly secrets: Secrets
  /** Whether a change of the look-up key was finished just now. */
  readonly isIndexFinished: boolean
  /**
   * Writes down what was found: after the migrations, by the program's start. @returns what an operator had accepted, for the audit trail
   * @throws StartRefusal where another start was faster with other secrets or another folder
   */
  readonly record: () => Promise<readonly ('secrets' | 'folder')[]>
}

/** The database and the folder of an installation, as its settings name them. */
export interface InstallationPlace {
  readonly databaseUrl: string
  readonly dataDir: string
  readonly secretsFile?: string | undefined
  /** Absent where a program does not care what the installation is for. */
  readonly profile?: 'demo' | 'test' | 'production'
}

const withPools = async <T>(databaseUrl: string, secrets: Secrets, work: (owner: Pool, platform: Pool) => Promise<T>): Promise<T> => {
  const log = createLog('silent')
  const owner = openOwnerPool(databaseUrl, log)
  try {
    const pools = openPools(databaseUrl, secrets.databasePasswords, log, 1, await presentPrefix(owner))
    try {
      return await work(owner, pools.kaopu_platform)
    } finally {
      await pools.end()
    }
  } finally {
    await owner.end()
  }
}

const compare = async (
  place: InstallationPlace,
  secrets: Secrets,
  acceptance: Acceptance,
  mayIndexDiffer = false,
): Promise<Pick<CheckedInstallation, 'secrets' | 'isIndexFinished'>> =>
  withPools(place.databaseUrl, secrets, async (owner, platform) => {
    const path = secretsPath(place)
    const marks = await readMarks(owner)
    checkUse(marks, place.profile && purposeOf(place.profile))
    const isAccepted = accepts(acceptance, fingerprintsOf(secrets))
    if (!isAccepted) {
      if (marks.secrets.size > 0) checkSecrets(path, secrets, marks)
      else if (marks.isUsed) await checkUnmarked(path, secrets, owner, platform)
    }
    if (acceptance.folder !== true) await checkFolder(place.dataDir, marks, await readFolderIdentity(place.dataDir), platform)
    return isAccepted ? { secrets, isIndexFinished: false } : checkIndexKey(path, secrets, marks, mayIndexDiffer)
  })

/**
 * Compares secrets and data folder with what the database was last used with. Nothing is changed, but that a change of the look-up key that was broken off
 * after its first step is finished in the secrets file. Every program that works on an installation calls it before it touches anything.
 *
 * @param mayIndexDiffer - for the command that makes the look-up keys anew: they may be those of a former key
 * @throws StartRefusal with one sentence that names what differs and the way out
 */
export const checkInstallation = async (
  place: InstallationPlace,
  given: Secrets,
  { mayIndexDiffer = false }: { readonly mayIndexDiffer?: boolean } = {},
): Promise<CheckedInstallation> => {
  const acceptance = await readAcceptance(place.dataDir)
  const { secrets, isIndexFinished } = await compare(place, given, acceptance, mayIndexDiffer)
  return {
    ...{ secrets, isIndexFinished },
    record: async () => {
      const { dataDir } = place
      const prints = fingerprintsOf(secrets)
      await withPools(place.databaseUrl, secrets, async owner => {
        const marks = await readMarks(owner)
        const known = acceptance.folder === true ? undefined : await readFolderIdentity(dataDir)
        // The folder first: a start that is killed between the two finds a folder that its database does not contradict.
        if (known === undefined) {
          const installation = marks.identity?.installation ?? randomUUID()
          // Where the folder is to hold, or is the first, the database takes its name; an instance with files elsewhere has a folder of its own.
          if (acceptance.folder === true) await rm(folderIdentityPath(dataDir), { force: true })
          await writeFolderIdentity(dataDir, { installation, folder: randomUUID() })
        }
        const own = await readFolderIdentity(dataDir)
        await writeMarks(owner, {
          prints,
          use: place.profile && purposeOf(place.profile),
          ...(own && (marks.identity === undefined || acceptance.folder === true) ? { identity: own } : {}),
        })
      })
      // Of two first starts with other folders or secrets the second finds what the first wrote down.
      await compare(place, secrets, {})
      await rm(acceptancePath(dataDir), { force: true })
      return [
        ...(acceptance.secrets !== undefined && accepts(acceptance, prints) ? (['secrets'] as const) : []),
        ...(acceptance.folder === true ? (['folder'] as const) : []),
      ]
    },
  }
}

/** Whether the database at `databaseUrl` holds an installation. */
const isUsed = async (databaseUrl: string): Promise<boolean> => {
  const owner = openOwnerPool(databaseUrl, createLog('silent'))
  try {
    return (await readMarks(owner)).isUsed
  } finally {
    await owner.end()
  }
}

/**
 * Reads the secrets of an installation whose database is somewhere else than in its folder; they are made only for a database that is not in use.
 *
 * @throws StartRefusal as `loadSecrets`
 */
export const loadSecretsFor = async (place: InstallationPlace): Promise<Secrets> => {
  const acceptance = await readAcceptance(place.dataDir)
  return loadSecrets({
    dataDir: place.dataDir,
    file: place.secretsFile,
    mayMake: acceptance.secrets !== undefined || !(await isUsed(place.databaseUrl)),
  })
}

/** The first digits, for people to compare. */
export const shortPrint = (print: string): string => print.slice(0, shownDigits)
