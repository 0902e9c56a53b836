import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import { arch, platform } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { audit } from '#kernel/audit.ts'
import { takeBaseBackup } from '#kernel/backup/base-backup.ts'
import { type LastBackup, recordBackup } from '#kernel/backup/last-backup.ts'
import {
  chooseBackup,
  type FileLine,
  isSignedBy,
  listBackups,
  type Manifest,
  objectOfFile,
  objectOfPart,
  type Part,
  readManifest,
  signed,
  writeManifest,
} from '#kernel/backup/manifest.ts'
import { dumpDatabase, findPgTools } from '#kernel/backup/pg-tools.ts'
import { openPlace, type Place } from '#kernel/backup/place.ts'
import { makeBackupKey, readIdentity, readRecipients, seal, unseal } from '#kernel/backup/seal.ts'
import { compressed, decompressed, digested, drain, jsonLines, whole } from '#kernel/backup/streams.ts'
import { called } from '#kernel/called.ts'
import { systemClock } from '#kernel/clock.ts'
import { StartRefusal } from '#kernel/db/embedded-binaries.ts'
import { newestMigration } from '#kernel/db/migrate.ts'
import { databaseRoles, openOwnerPool, openPools, type Pool, roleName } from '#kernel/db/pool.ts'
import { prefixAt } from '#kernel/db/roles.ts'
import { createScopes, systemOf } from '#kernel/db/scope.ts'
import { keepRemovedFiles, listDiskFiles } from '#kernel/files/disk.ts'
import { parseSecrets } from '#kernel/secrets.ts'
import { readDataFiles, type SecretsPart, writeKeyFile } from '#server/backup-files.ts'
import { type Config, loadConfig, settingsGiven } from '#server/config.ts'
import { command, type Installation, withInstallation } from '#server/operator.ts'
import { platformTenant } from '../seed/base/seed-base.ts'

const usage = `Backs an installation up, beside the running program or without it.

  ${called('backup', 'keys <folder> <folder>')}       makes two keys, one in each folder; either opens a backup
  ${called('backup', '<place> [--secrets <place>]')}  takes a backup; the secrets may go to another place
  ${called('backup', 'list <place>')}
  ${called('backup', 'check <place> [--backup <id>] [--key <file> [--secrets <place>]]')}
  ${called('backup', 'prune <place> --keep <number>')}

A place is a folder, or s3://<bucket>/<prefix> with AWS_ENDPOINT_URL, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_REGION.
"check" reads everything back and compares its digests; with one of the two keys it also opens it. "prune" leaves the newest ones.`

export const recipientsPath = (config: Config): string => config.backupRecipients ?? join(config.dataDir, 'backup-recipients.txt')
export const placeOf = (config: Config, address: string): Place =>
  openPlace(address, {
    endpoint: config.backupEndpoint,
    region: config.backupRegion,
    accessKey: config.backupAccessKey,
    secretKey: config.backupSecretKey,
  })

/** One backup of an installation at a time. */
const backupLock = 7_203_003
/** Files that are copied at the same time. */
const filesAtOnce = 8
const sayEveryMs = 2_000

export const megabytes = (bytes: number): string =>
  bytes < 1_000_000
    ? `${Math.ceil(bytes / 1_000)} kB`
    : bytes < 10_000_000_000
      ? `${Math.round(bytes / 1_000_000)} MB`
      : `${Math.round(bytes / 1_000_000_000)} GB`

type Say = (line: string) => void
/** Says how far a step has come, every two seconds and at its end. */
export const progressOf = (say: Say, words: () => string): { readonly tick: () => void; readonly end: () => void } => {
  let at = performance.now()
  return {
    tick: () => {
      if (performance.now() - at < sayEveryMs) return
      at = performance.now()
      say(words())
    },
    end: () => say(words()),
  }
}

/** Lines of JSON, as bytes. */
async function* linesOf(values: AsyncIterable<object> | Iterable<object>): AsyncGenerator<Uint8Array> {
  for await (const value of values) yield Buffer.from(`${JSON.stringify(value)}\n`)
}

/** Files of the backup before this one, by their names. */
const readFormerFiles = async (place: Place): Promise<ReadonlyMap<string, FileLine>> => {
  const former = (await listBackups(place)).at(-1)
  const lines = new Map<string, FileLine>()
  if (former === undefined) return lines
  const manifest = await readManifest(place, former).catch(() => undefined)
  if (manifest === undefined) return lines
  for await (const line of readFileList(place, manifest)) lines.set(line.name, line)
  return lines
}

export const readFileList = (place: Place, { id, parts }: Manifest): AsyncIterable<FileLine> =>
  jsonLines<FileLine>(decompressed(place.read(objectOfPart(id, parts.files.name)), 'the list of files'))

const copyFiles = async (
  place: Place,
  folder: string,
  { say, signal, wrote }: { readonly say: Say; readonly signal: AbortSignal; readonly wrote: (object: string, bytes: number) => void },
): Promise<readonly FileLine[]> => {
  const former = await readFormerFiles(place)
  const there = new Set(await place.list('files/'))
  const lines: FileLine[] = []
  let copied = 0
  const progress = progressOf(say, () => `files: ${lines.length} looked at, ${copied} copied`)
  /** Unchanged by length and time: known by the digest of the last backup. */
  const isKnown = (line: FileLine | undefined, bytes: number, changedMs: number): line is FileLine =>
    line !== undefined && line.bytes === bytes && line.changedMs === changedMs && there.has(objectOfFile(line.sha256))
  const copy = async (name: string, path: string): Promise<void> => {
    const found = await stat(path)
    const changedMs = Math.floor(found.mtimeMs)
    const before = former.get(name)
    if (isKnown(before, found.size, changedMs)) return void lines.push(before)
    const [read, digest] = digested(createReadStream(path, { signal }))
    await drain(read)
    const object = objectOfFile(digest.sha256)
    if (!there.has(object)) {
      const [again, written] = digested(createReadStream(path, { signal }))
      await place.put(object, again)
      if (written.sha256 !== digest.sha256)
        throw new StartRefusal(`${path} changed while it was copied; a stored file never does. Is the disk sound?`)
      there.add(object)
      copied += 1
      wrote(object, written.bytes)
    }
    lines.push({ name, bytes: digest.bytes, sha256: digest.sha256, changedMs })
  }
  const files = listDiskFiles(folder)[Symbol.asyncIterator]()
  const work = async (): Promise<void> => {
    for (let next = await files.next(); !next.done; next = await files.next()) {
      signal.throwIfAborted()
      const { name, paths } = next.value
      const [first = '', second = ''] = paths
      await copy(name, first).catch((error: NodeJS.ErrnoException) =>
        error.code === 'ENOENT' ? copy(name, second) : Promise.reject(error),
      )
      progress.tick()
    }
  }
  const done = await Promise.allSettled(Array.from({ length: filesAtOnce }, work))
  for (const one of done) if (one.status === 'rejected') throw one.reason
  progress.end()
  return lines
}

/** @throws StartRefusal where the role would see only some rows, or none: a dump of nothing that looks like a dump */
const checkSeesAll = async (pool: Pool): Promise<void> => {
  const { rows } = await pool.query<{ role: string; all: boolean }>(
    'select current_user as role, rolsuper or rolbypassrls as all from pg_roles where rolname = current_user',
  )
  if (rows[0]?.all) return
  throw new StartRefusal(
    `The role ${rows[0]?.role} is bound by row-level security and would dump no rows. Have a superuser make a role for backups once, and name it with KAOPU_BACKUP_DATABASE_URL: create role kaopu_backup login bypassrls password '…'; grant pg_read_all_data to kaopu_backup;`,
  )
}

export interface BackupOptions {
  readonly installation: Installation
  readonly place: Place
  /** Where the secrets go; the same place where it is not said. */
  readonly secretsPlace?: Place
  readonly recipients: readonly string[]
  readonly signal: AbortSignal
  readonly say: Say
}

/**
 * Takes a backup: first the heads of the audit, then the database as of one instant, then every file that is there, so that no row names a file that is
 * missing and no head is of a line that is not there. Files that are removed meanwhile are kept until they are copied.
 */
export const takeBackup = async (options: BackupOptions): Promise<LastBackup> => {
  const { installation, place, recipients, signal, say } = options
  const { config, secrets, databaseUrl, log } = installation
  const began = performance.now()
  const secretsPlace = options.secretsPlace ?? place
  const owner = openOwnerPool(databaseUrl, log)
  const prefix = await prefixAt(databaseUrl, log)
  const pools = openPools(databaseUrl, secrets.databasePasswords, log, 2, prefix)
  const cleaning: (() => Promise<void>)[] = []
  try {
    const client = await owner.connect()
    cleaning.push(async () => client.release(true))
    const { rows: lock } = await client.query<{ held: boolean; now: Date; version: string; migration: string }>(
      `select pg_try_advisory_lock($1) as held, clock_timestamp() as now, current_setting('server_version_num') as version,
         (select max(left(name, 4)) from schema_migration) as migration`,
      [backupLock],
    )
    const [state] = lock
    if (!state?.held) throw new StartRefusal('Another backup of this installation is running. Wait for it, or stop it.')
    const { now, version, migration } = state
    const major = Math.floor(Number(version) / 10_000)
    const id = `${now.toISOString().replace(/[-:]|\.\d+/g, '')}-${randomBytes(3).toString('hex')}`
    const written: { place: Place; object: string; sha256?: string }[] = []
    let writtenBytes = 0
    const removeParts = async (): Promise<void> => {
      for (const one of written) if (one.object.startsWith('backups/')) await one.place.remove(one.object).catch(() => {})
    }
    const putPart = async (name: string, source: AsyncIterable<Uint8Array>, at = place): Promise<Part> => {
      const [bytes, digest] = digested(source)
      const object = objectOfPart(id, name)
      written.push({ place: at, object })
      await at.put(object, bytes)
      written.push({ place: at, object, sha256: digest.sha256 })
      writtenBytes += digest.bytes
      return { name, bytes: digest.bytes, sha256: digest.sha256 }
    }
    /** How a server of one's own is read; undefined for the bundled one. What it needs is looked for before anything is written. */
    let dump: (() => AsyncIterable<Uint8Array>) | undefined
    if (config.databaseUrl !== undefined) {
      const url = config.backupDatabaseUrl ?? databaseUrl
      const reader = openOwnerPool(url, log)
      cleaning.push(() => reader.end())
      await checkSeesAll(reader)
      const tools = await findPgTools(config.pgTools, major)
      dump = () => dumpDatabase(tools, url, signal)
    }
    try {
      say(`Backup ${id} in ${place.address}`)
      const data = await putPart('data.ndjson.zst.age', seal(recipients, compressed(linesOf(readDataFiles(config.dataDir)))))

      cleaning.push(await keepRemovedFiles(join(config.dataDir, 'files')))
      const { rows: begun } = await client.query<{ now: Date }>('select clock_timestamp() as now')
      const takenAt = (begun[0]?.now ?? now).toISOString()
      let raw = 0
      let estimate = (): number => 0
      const progress = progressOf(
        say,
        () => `database: ${megabytes(raw)} read${estimate() > 0 ? ` of about ${megabytes(Math.max(estimate(), raw))}` : ''}`,
      )
      const count = (bytes: number): void => {
        raw += bytes
        progress.tick()
      }
      const kind = dump === undefined ? 'files' : 'dump'
      let database: Part
      if (dump === undefined) {
        const backup = takeBaseBackup(databaseUrl, `kaopu ${id}`, signal)
        estimate = backup.estimatedBytes
        database = await putPart('database.tar.zst.age', seal(recipients, compressed(digested(backup.archive, count)[0])))
      } else {
        database = await putPart('database.dump.age', seal(recipients, digested(dump(), count)[0]))
      }
      progress.end()
      signal.throwIfAborted()

      const lines = await copyFiles(place, join(config.dataDir, 'files'), {
        say,
        signal,
        wrote: (object, bytes) => {
          written.push({ place, object, sha256: object.slice(object.lastIndexOf('/') + 1) })
          writtenBytes += bytes
        },
      })
      const files = await putPart('files.ndjson.zst', compressed(linesOf(lines)))

      const secretsFile = await readFile(config.secretsFile ?? join(config.dataDir, 'secrets.json'), 'utf8')
      const content: SecretsPart = {
        secretsFile,
        clusterPassword: kind === 'files' ? decodeURIComponent(new URL(databaseUrl).password) : null,
        settings: settingsGiven(),
        loginProviders: config.loginProvidersFile === undefined ? null : await readFile(config.loginProvidersFile, 'utf8'),
      }
      const secretsPart = await putPart('secrets.age', seal(recipients, linesOf([content])), secretsPlace)

      const { rows: stores } = await pools.kaopu_platform.query<Manifest['stores'][number]>(
        `select o.tenant_id as "tenantId", o.id::text as id, coalesce(o.endpoint, '') as endpoint, coalesce(o.bucket_name, '') as bucket,
           count(f.id)::int as files, coalesce(sum(f.size_bytes), 0)::float8 as bytes
         from oss o left join stored_file f on f.tenant_id = o.tenant_id and f.storage_key like o.id || ':%'
         group by o.tenant_id, o.id, o.endpoint, o.bucket_name order by o.tenant_id, o.id`,
      )

      let looked = 0
      const checking = progressOf(say, () => `checked: ${looked} objects read back`)
      for (const one of written) {
        if (one.sha256 === undefined) continue
        signal.throwIfAborted()
        await checkObject(one.place, one.object, one.sha256)
        looked += 1
        checking.tick()
      }
      checking.end()

      await writeManifest(
        place,
        signed(secrets.auditKey, {
          format: 1,
          id,
          takenAt,
          finishedAt: systemClock.now().toISOString(),
          release: '0.1.0',
          migration: Number(migration) || (await newestMigration()),
          database: {
            kind,
            major,
            platform: `${platform()}-${arch()}`,
            roles: databaseRoles.map(role => roleName(prefix ?? 'kaopu', role)),
          },
          parts: { database, data, secrets: secretsPart, files },
          secretsApart: secretsPlace !== place,
          files: { count: lines.length, bytes: lines.reduce((sum, line) => sum + line.bytes, 0) },
          stores,
          recipients: [...recipients],
        }),
      )
      // Whole from here on, whatever becomes of the note of it.
      written.length = 0
      const wholeBytes =
        [database, data, secretsPart, files].reduce((sum, part) => sum + part.bytes, 0) + lines.reduce((sum, line) => sum + line.bytes, 0)
      const last: LastBackup = {
        id,
        takenAt,
        place: place.address,
        writtenBytes,
        wholeBytes,
        durationMs: Math.round(performance.now() - began),
      }
      await recordBackup((text, values) => pools.kaopu_platform.query(text, values as unknown[]), last)
      await createScopes(pools, log).tx(systemOf(platformTenant), systemClock.now(), db =>
        audit(db, undefined, { action: 'installation.backed-up', entity: 'installation', entityId: null, after: { ...last } }),
      )
      return last
    } catch (error) {
      await removeParts()
      if (signal.aborted)
        throw new StartRefusal(`Cancelled: there is no backup ${id}. Files that were copied already are not copied again.`, {
          cause: error,
        })
      throw error
    }
  } finally {
    for (const clean of cleaning.reverse()) await clean().catch(() => {})
    await Promise.all([pools.end(), owner.end()])
  }
}

const checkObject = async (place: Place, object: string, sha256: string): Promise<void> => {
  const [bytes, digest] = digested(place.read(object))
  await drain(bytes)
  if (digest.sha256 !== sha256)
    throw new StartRefusal(`${object} in ${place.address} was changed or damaged: its digest is not the one in the manifest.`)
}

/** Reads a backup back from end to end. @param opened - with a private key: its parts are opened too */
export const checkBackup = async (
  place: Place,
  manifest: Manifest,
  { identity, secretsPlace = place, say }: { readonly identity?: string | undefined; readonly secretsPlace?: Place; readonly say: Say },
): Promise<void> => {
  const { id, parts } = manifest
  for (const part of [parts.database, parts.data, parts.files]) await checkObject(place, objectOfPart(id, part.name), part.sha256)
  if (!manifest.secretsApart || secretsPlace !== place)
    await checkObject(secretsPlace, objectOfPart(id, parts.secrets.name), parts.secrets.sha256)
  let count = 0
  const progress = progressOf(say, () => `${count} of ${manifest.files.count} files read back`)
  for await (const { sha256 } of readFileList(place, manifest)) {
    await checkObject(place, objectOfFile(sha256), sha256)
    count += 1
    progress.tick()
  }
  progress.end()
  if (count !== manifest.files.count)
    throw new StartRefusal(`The list of files of ${id} has ${count} lines, the manifest says ${manifest.files.count}.`)
  if (identity === undefined) return
  const secrets = await openSecrets(secretsPlace, manifest, identity)
  say(`secrets: open; ${Object.keys(secrets.settings).length} settings`)
  for (const part of [parts.database, parts.data]) {
    const plain = unseal(identity, place.read(objectOfPart(id, part.name)), part.name)
    let bytes = 0
    for await (const piece of part.name.includes('.zst') ? decompressed(plain, part.name) : plain) bytes += piece.length
    say(`${part.name}: open; ${megabytes(bytes)}`)
  }
}

/** @throws StartRefusal where they do not open, are not whole, or the manifest was not written with them */
export const openSecrets = async (place: Place, manifest: Manifest, identity: string): Promise<SecretsPart> => {
  const { name } = manifest.parts.secrets
  const text = await whole(unseal(identity, place.read(objectOfPart(manifest.id, name)), name))
  const content = JSON.parse(text.toString('utf8')) as SecretsPart
  const { auditKey } = parseSecrets(`${name} of ${manifest.id}`, content.secretsFile)
  if (!isSignedBy(auditKey, manifest))
    throw new StartRefusal(`The manifest of ${manifest.id} was changed after the backup, or belongs to other secrets. Do not use it.`)
  return content
}

/** Removes all but the newest backups, and files that none of those names. */
export const pruneBackups = async (place: Place, keep: number, say: Say): Promise<void> => {
  const all = await listBackups(place)
  const kept = all.slice(-keep)
  const named = new Set<string>()
  for (const id of kept) for await (const { sha256 } of readFileList(place, await readManifest(place, id))) named.add(objectOfFile(sha256))
  for (const id of all.slice(0, -keep)) {
    // The manifest first: what is left of a removal that broke off is no backup.
    await place.remove(objectOfPart(id, 'manifest.json'))
    for (const object of await place.list(`backups/${id}/`)) await place.remove(object)
    say(`removed ${id}`)
  }
  let files = 0
  for (const object of await place.list('files/'))
    if (!named.has(object)) {
      await place.remove(object)
      files += 1
    }
  say(`${kept.length} backups left; ${files} files that none of them names removed`)
}

/** Ctrl-C ends the command after it has cleaned up. */
export const cancelled = (): AbortSignal => {
  const controller = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => controller.abort(new StartRefusal('Cancelled.')))
  return controller.signal
}

const parse = (args: readonly string[]) => {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { secrets: { type: 'string' }, backup: { type: 'string' }, key: { type: 'string' }, keep: { type: 'string' } },
    })
  } catch (error) {
    throw new StartRefusal(`${(error as Error).message}\n\n${usage}`)
  }
}

const makeKeys = async (config: Config, folders: readonly string[]): Promise<void> => {
  const [first, second, ...more] = folders.map(folder => resolve(folder))
  if (first === undefined || second === undefined || more.length > 0 || first === second) throw new StartRefusal(usage)
  const path = recipientsPath(config)
  if (await stat(path).catch(() => undefined))
    throw new StartRefusal(
      `Backups are sealed for the keys in ${path} already. To change them, move that file away; older backups open with the older keys.`,
    )
  const made: string[] = []
  try {
    const recipients: string[] = []
    for (const folder of [first, second]) {
      const key = await makeBackupKey()
      made.push(await writeKeyFile(folder, key, systemClock.now()))
      recipients.push(key.recipient)
    }
    await writeFile(path, `# Backups are sealed for these keys; either opens them.\n${recipients.join('\n')}\n`, {
      mode: 0o644,
      flag: 'wx',
    })
  } catch (error) {
    for (const one of made) await rm(one, { force: true })
    throw error
  }
  for (const one of made) console.log(`Private key: ${one}`)
  console.log(`Public keys: ${path}`)
  console.log(
    'Give each private key to another person, away from this machine. Whoever has one can open every backup; without both none can be opened.',
  )
}

if (import.meta.main)
  await command(async () => {
    const { values, positionals } = parse(process.argv.slice(2))
    const [verb, ...rest] = positionals
    const say: Say = line => console.log(line)
    if (verb === undefined) throw new StartRefusal(usage)
    const secretsPlaceOf = (config: Config) => (values.secrets === undefined ? {} : { secretsPlace: placeOf(config, values.secrets) })
    const [address, ...more] = ['list', 'check', 'prune'].includes(verb) ? rest : positionals
    if (verb === 'keys') {
      await makeKeys(loadConfig(), rest)
      return 0
    }
    if (address === undefined || more.length > 0) throw new StartRefusal(usage)
    if (verb === 'list') {
      const place = placeOf(loadConfig(), address)
      for (const id of await listBackups(place)) {
        const { takenAt, database, files } = await readManifest(place, id)
        say(`${id}  data of ${takenAt}  PostgreSQL ${database.major} ${database.kind}  ${files.count} files, ${megabytes(files.bytes)}`)
      }
      return 0
    }
    if (verb === 'check') {
      const config = loadConfig()
      const place = placeOf(config, address)
      const manifest = await chooseBackup(place, values.backup)
      const identity = values.key === undefined ? undefined : await readIdentity(values.key)
      await checkBackup(place, manifest, { identity, ...secretsPlaceOf(config), say })
      say(`The backup ${manifest.id} is whole: data of ${manifest.takenAt}.`)
      return 0
    }
    if (verb === 'prune') {
      const keep = Number(values.keep)
      if (!Number.isInteger(keep) || keep < 1) throw new StartRefusal('--keep takes the number of backups that are left, at least 1.')
      await pruneBackups(placeOf(loadConfig(), address), keep, say)
      return 0
    }
    const signal = cancelled()
    await withInstallation(async installation => {
      const { config } = installation
      const recipients = await readRecipients(recipientsPath(config))
      const last = await takeBackup({ installation, place: placeOf(config, address), ...secretsPlaceOf(config), recipients, signal, say })
      say(
        `The backup ${last.id} is whole and was read back: ${megabytes(last.writtenBytes)} written, ${megabytes(last.wholeBytes)} in all, ${(last.durationMs / 1_000).toFixed(1)} s.`,
      )
    })
    return 0
  })
