import { createWriteStream } from 'node:fs'
import { chmod, mkdir, open, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { arch, availableParallelism, platform } from 'node:os'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { audit } from '#kernel/audit.ts'
import { chooseBackup, type FileLine, type Manifest, objectOfFile, objectOfPart } from '#kernel/backup/manifest.ts'
import { findPgTools, restoreDatabase } from '#kernel/backup/pg-tools.ts'
import type { Place } from '#kernel/backup/place.ts'
import { readIdentity, unseal } from '#kernel/backup/seal.ts'
import { decompressed, digested, jsonLines } from '#kernel/backup/streams.ts'
import { markFinished, markUnfinished } from '#kernel/backup/unfinished.ts'
import { unpackServerFiles } from '#kernel/backup/untar.ts'
import { called } from '#kernel/called.ts'
import { systemClock } from '#kernel/clock.ts'
import { startEmbedded } from '#kernel/db/embedded.ts'
import { StartRefusal } from '#kernel/db/embedded-binaries.ts'
import { checkServer, ensureDatabase } from '#kernel/db/embedded-probe.ts'
import { openOwnerPool, openPools } from '#kernel/db/pool.ts'
import { makeRolesOfDump, prefixAt } from '#kernel/db/roles.ts'
import { createScopes, systemOf } from '#kernel/db/scope.ts'
import { type HoldReason, putOnHold, readHold, releaseHold } from '#kernel/hold.ts'
import { createLog, type Log } from '#kernel/log.ts'
import { keyRing, parseSecrets } from '#kernel/secrets.ts'
import { cancelled, megabytes, openSecrets, placeOf, progressOf, readFileList } from '#server/backup.ts'
import type { DataFile, SecretsPart } from '#server/backup-files.ts'
import { type Config, loadConfig } from '#server/config.ts'
import { namesAhead } from '#server/older-database.ts'
import { command, withInstallation } from '#server/operator.ts'
import { platformTenant } from '../seed/base/seed-base.ts'

const usage = `Restores a backup into an empty data folder, and into an empty database where DATABASE_URL names one.

  ${called('restore', '<place> --key <file> [--backup <id>] [--secrets <place>] [--without-database]')}
  ${called('restore', 'release')}     lets a restored installation send and work again
  ${called('restore', 'hold')}        holds back an installation whose database was put back by other means

The restored installation starts, and sends nothing and runs no job until "release". With --without-database only the data folder comes back, for a
database that its own tools have restored: run "hold" before the first start.`

/** Files that are copied at the same time. */
const filesAtOnce = 8

type Say = (line: string) => void
interface RestoreOptions {
  readonly config: Config
  readonly place: Place
  readonly secretsPlace: Place
  readonly manifest: Manifest
  /** A private key. */
  readonly identity: string
  /** False where the database has been restored by other means. */
  readonly hasDatabase: boolean
  readonly signal: AbortSignal
  readonly say: Say
  readonly log: Log
}

/** @throws StartRefusal for a folder that holds anything */
const refuseFilled = async (dataDir: string): Promise<void> => {
  const names = await readdir(dataDir).catch((error: NodeJS.ErrnoException) => (error.code === 'ENOENT' ? [] : Promise.reject(error)))
  if (names.length > 0)
    throw new StartRefusal(
      `The data folder ${dataDir} is not empty (${names.slice(0, 3).join(', ')}${names.length > 3 ? ', …' : ''}). A restore writes into an empty one: move it away, or set KAOPU_DATA to another folder.`,
    )
}

/** @throws StartRefusal where the database server cannot take what is in the backup, or has something in it */
const checkTarget = async ({ config, manifest, log }: RestoreOptions): Promise<number> => {
  const { kind, major, platform: from } = manifest.database
  if (config.databaseUrl === undefined) {
    if (kind === 'dump')
      throw new StartRefusal(
        'This backup is of a server of one’s own (pg_dump). Set DATABASE_URL to an empty database on a server of PostgreSQL 15 or later.',
      )
    const here = `${platform()}-${arch()}`
    if (from !== here)
      throw new StartRefusal(
        `This backup holds the files of a bundled server on ${from}; this machine is ${here} and cannot read them. Restore it on a machine of the same kind.`,
      )
    return major
  }
  if (kind === 'files') throw new StartRefusal('This backup is of the bundled server. Restore it without DATABASE_URL.')
  await checkServer(config.databaseUrl)
  const owner = openOwnerPool(config.databaseUrl, log)
  try {
    const { rows } = await owner.query<{ version: string; tables: number }>(
      `select current_setting('server_version_num') as version,
         (select count(*) from pg_class c join pg_namespace n on n.oid = c.relnamespace
          where c.relkind in ('r', 'v', 'S') and n.nspname not in ('pg_catalog', 'information_schema') and n.nspname not like 'pg_toast%')::int as tables`,
    )
    const { version = '0', tables = 0 } = rows[0] ?? {}
    if (tables > 0)
      throw new StartRefusal(
        `The database of DATABASE_URL is not empty: it has ${tables} tables. A restore fills an empty one: make another, or drop it and create it again.`,
      )
    return Math.floor(Number(version) / 10_000)
  } finally {
    await owner.end()
  }
}

/** The bytes of a part, opened; what was changed ends in a StartRefusal. */
const opened = (
  { place, manifest, identity }: RestoreOptions,
  part: { readonly name: string; readonly sha256: string },
): AsyncIterable<Uint8Array> => {
  const [bytes, digest] = digested(place.read(objectOfPart(manifest.id, part.name)))
  async function* checked(): AsyncGenerator<Uint8Array> {
    yield* bytes
    if (digest.sha256 !== part.sha256)
      throw new StartRefusal(`${part.name} was changed or damaged: its digest is not the one in the manifest.`)
  }
  const plain = unseal(identity, checked(), part.name)
  return part.name.includes('.zst') ? decompressed(plain, part.name) : plain
}

const writeSecrets = async (config: Config, content: SecretsPart): Promise<void> => {
  const path = config.secretsFile ?? join(config.dataDir, 'secrets.json')
  const there = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) =>
    error.code === 'ENOENT' ? undefined : Promise.reject(error),
  )
  if (there !== undefined && there !== content.secretsFile)
    throw new StartRefusal(
      `The secrets file ${path} is another than the one in the backup. Move it away, or set KAOPU_SECRETS_FILE to a new file.`,
    )
  if (there === undefined) await writeFile(path, content.secretsFile, { mode: 0o600, flag: 'wx' })
  const quoted = Object.entries(content.settings).map(([name, value]) => `${name}='${value.replaceAll("'", "'\\''")}'`)
  await writeFile(join(config.dataDir, 'restored-settings.env'), `${quoted.join('\n')}\n`, { mode: 0o600 })
  if (content.loginProviders !== null)
    await writeFile(join(config.dataDir, 'restored-login-providers.json'), content.loginProviders, { mode: 0o600 })
}

const writeDataFiles = async (options: RestoreOptions): Promise<void> => {
  const { config, manifest } = options
  for await (const { name, mode, content } of jsonLines<DataFile>(opened(options, manifest.parts.data))) {
    const path = join(config.dataDir, ...name.split('/').filter(step => step !== '..' && step !== '.'))
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    await writeFile(path, Buffer.from(content, 'base64'), { mode: 0o600 })
    await chmod(path, mode)
  }
}

const writeFiles = async ({ config, place, manifest, signal, say }: RestoreOptions): Promise<void> => {
  const folder = join(config.dataDir, 'files')
  let [count, bytes] = [0, 0]
  const progress = progressOf(say, () => `files: ${count} of ${manifest.files.count}, ${megabytes(bytes)}`)
  const write = async (line: FileLine): Promise<void> => {
    const { name, sha256, changedMs } = line
    if (!/^[0-9a-f]{2}\/[0-9a-f]{64}\.kpf$/.test(name)) throw new StartRefusal(`The list of files names ${name}, which is no stored file.`)
    const path = join(folder, name)
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    const [source, digest] = digested(place.read(objectOfFile(sha256)))
    const file = await open(path, 'wx', 0o600)
    try {
      for await (const piece of source) await file.writeFile(piece)
    } finally {
      await file.close()
    }
    if (digest.sha256 !== sha256) throw new StartRefusal(`${objectOfFile(sha256)} in ${place.address} was changed or damaged.`)
    await utimes(path, changedMs / 1_000, changedMs / 1_000)
    count += 1
    bytes += digest.bytes
    progress.tick()
  }
  const lines = readFileList(place, manifest)[Symbol.asyncIterator]()
  const work = async (): Promise<void> => {
    for (let next = await lines.next(); !next.done; next = await lines.next()) {
      signal.throwIfAborted()
      await write(next.value)
    }
  }
  const done = await Promise.allSettled(Array.from({ length: filesAtOnce }, work))
  for (const one of done) if (one.status === 'rejected') throw one.reason
  if (count !== manifest.files.count)
    throw new StartRefusal(`The list of files has ${count} lines, the manifest says ${manifest.files.count}.`)
  progress.end()
}

/** @returns the url of the restored database and what ends it again */
const writeDatabase = async (
  options: RestoreOptions,
  secrets: SecretsPart,
  serverMajor: number,
): Promise<{ readonly url: string; readonly stop: () => Promise<void> }> => {
  const { config, manifest, signal, say, log } = options
  let raw = 0
  const progress = progressOf(say, () => `database: ${megabytes(raw)}`)
  const [source] = digested(opened(options, manifest.parts.database), bytes => {
    raw += bytes
    progress.tick()
  })
  if (config.databaseUrl === undefined) {
    const { clusterPassword } = secrets
    if (clusterPassword === null) throw new StartRefusal('The secrets of this backup hold no password of a bundled server.')
    const embedded = await startEmbedded({
      dataDir: config.dataDir,
      log,
      restored: { password: clusterPassword, fill: pgdata => unpackServerFiles(source, pgdata, signal) },
    })
    progress.end()
    return { url: await ensureDatabase(embedded.url, 'kaopu'), stop: embedded.stop }
  }
  const tools = await findPgTools(config.pgTools, serverMajor)
  const owner = openOwnerPool(config.databaseUrl, log)
  try {
    const client = await owner.connect()
    try {
      await makeRolesOfDump(
        client,
        parseSecrets('the secrets of the backup', secrets.secretsFile).databasePasswords,
        manifest.database.roles,
      )
    } finally {
      client.release()
    }
    const draft = join(config.dataDir, 'database.dump')
    await pipeline(Readable.from(source, { objectMode: false }), createWriteStream(draft, { mode: 0o600, flags: 'wx' }), { signal })
    progress.end()
    say(`database: restored by ${availableParallelism()} connections …`)
    await restoreDatabase(tools, config.databaseUrl, draft, { jobs: availableParallelism(), signal })
    await rm(draft)
    await owner.query('analyze')
    return { url: config.databaseUrl, stop: async () => {} }
  } finally {
    await owner.end()
  }
}

/** Restores a backup. What it writes is refused by the program until it is whole. */
export const restore = async (options: RestoreOptions): Promise<void> => {
  const { config, secretsPlace, manifest, identity, hasDatabase, say } = options
  await refuseFilled(config.dataDir)
  if (!hasDatabase && config.databaseUrl === undefined)
    throw new StartRefusal('--without-database is for a server of one’s own: set DATABASE_URL to the database that has been restored.')
  const serverMajor = hasDatabase ? await checkTarget(options) : 0
  const secrets = await openSecrets(secretsPlace, manifest, identity)
  say(`Restoring ${manifest.id}: data of ${manifest.takenAt}, ${manifest.files.count} files`)
  await mkdir(config.dataDir, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EACCES') throw error
    throw new StartRefusal(
      `This user may not make the data folder ${config.dataDir}. As root: install -d -o <user of the service> -g <its group> -m 0700 ${config.dataDir}`,
    )
  })
  await markUnfinished(config.dataDir)
  await writeSecrets(config, secrets)
  await writeDataFiles(options)
  if (hasDatabase) await restoreDatabaseHeld(options, secrets, serverMajor)
  await writeFiles(options)
  await markFinished(config.dataDir)
}

const restoreDatabaseHeld = async (options: RestoreOptions, secrets: SecretsPart, serverMajor: number): Promise<void> => {
  const { manifest, log } = options
  const { url, stop } = await writeDatabase(options, secrets, serverMajor)
  const reason: HoldReason = { backup: manifest.id, takenAt: manifest.takenAt, restoredAt: systemClock.now().toISOString() }
  const owner = openOwnerPool(url, log)
  try {
    await putOnHold((text, values) => owner.query(text, values as unknown[]), reason)
  } finally {
    await owner.end()
    await stop()
  }
}

/** Holds back or releases the installation of this environment, in an audit line. */
const changeHold = (change: 'hold' | 'release', say: Say): Promise<void> =>
  withInstallation(async ({ config, secrets, databaseUrl, log }) => {
    const pools = openPools(databaseUrl, secrets.databasePasswords, log, 2, await prefixAt(databaseUrl, log))
    const query = <R extends object>(text: string, values?: readonly unknown[]) =>
      pools.kaopu_platform.query<R & Record<string, unknown>>(text, values as unknown[]) as Promise<{ rows: R[] }>
    try {
      const now = systemClock.now()
      const before = await readHold(query)
      if (change === 'release' && before === undefined) throw new StartRefusal('This installation is not held back.')
      const at = now.toISOString()
      const reason = { backup: '', takenAt: at, restoredAt: at }
      const ahead = change === 'release' ? await namesAhead({ config, pools, auditKey: keyRing(secrets, 'auditKey') }) : []
      await createScopes(pools, log).tx(systemOf(platformTenant), now, db =>
        audit(db, undefined, {
          action: change === 'release' ? 'installation.released' : 'installation.held',
          entity: 'installation',
          entityId: null,
          ...(change === 'release' ? { before } : { after: reason }),
        }),
      )
      if (change === 'release') await releaseHold(query, [...ahead, ...(before?.ahead ?? [])])
      else await putOnHold(query, reason)
      say(
        change === 'release'
          ? 'Released: messages, payments, notices and jobs go on, within seconds where the program is running.'
          : `Held back: nothing is sent and no job runs until: ${called('restore', 'release')}`,
      )
    } finally {
      await pools.end()
    }
  })

const parse = (args: readonly string[]) => {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        secrets: { type: 'string' },
        backup: { type: 'string' },
        key: { type: 'string' },
        'without-database': { type: 'boolean' },
      },
    })
  } catch (error) {
    throw new StartRefusal(`${(error as Error).message}\n\n${usage}`)
  }
}

if (import.meta.main)
  await command(async () => {
    const { values, positionals } = parse(process.argv.slice(2))
    const [address, ...more] = positionals
    const say: Say = line => console.log(line)
    if (address === undefined || more.length > 0) throw new StartRefusal(usage)
    if (address === 'hold' || address === 'release') {
      await changeHold(address, say)
      return 0
    }
    if (values.key === undefined) throw new StartRefusal(`Name one of the two private keys with --key.\n\n${usage}`)
    const config = loadConfig()
    const place = placeOf(config, address)
    const manifest = await chooseBackup(place, values.backup)
    if (manifest.secretsApart && values.secrets === undefined)
      throw new StartRefusal('The secrets of this backup lie in another place: name it with --secrets.')
    const began = performance.now()
    await restore({
      config,
      place,
      secretsPlace: values.secrets === undefined ? place : placeOf(config, values.secrets),
      manifest,
      identity: await readIdentity(values.key),
      hasDatabase: values['without-database'] !== true,
      signal: cancelled(),
      say,
      log: createLog(config.logLevel === 'silent' ? 'silent' : 'error'),
    })
    const took = `Restored in ${((performance.now() - began) / 1_000).toFixed(1)} s.`
    say(
      values['without-database'] === true
        ? `${took} Files and secrets are those of ${manifest.takenAt}; the database was left as it is. Before the first start: ${called('restore', 'hold')}`
        : `${took} All that was acknowledged before ${manifest.takenAt} is there.`,
    )
    for (const { endpoint, bucket, files } of manifest.stores)
      if (files > 0) say(`${files} files are not part of it: they lie in the bucket ${bucket} at ${endpoint}.`)
    if (await stat(join(config.dataDir, 'restored-settings.env')).catch(() => undefined))
      say(`The settings of the original are in ${join(config.dataDir, 'restored-settings.env')}.`)
    say(`Start the program, look at it, then let it send again: ${called('restore', 'release')}`)
    return 0
  })
