import { createHash, randomBytes } from 'node:crypto'
import { chmod, chown, lchown, mkdir, open, readdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { platform } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { type Binaries, copyBinaries, findBinaries, type RunAs, run, StartRefusal } from './embedded-binaries.ts'

/** `nobody` on Linux: PostgreSQL refuses to run as root (decision 2.3). */
const nobody: RunAs = { uid: 65_534, gid: 65_534 }

export interface Cluster {
  /** Holds `pgdata`, `password`, `port` and `server.log`. */
  readonly home: string
  readonly pgdata: string
  readonly password: string
  readonly runAs: RunAs | undefined
  readonly binaries: Binaries
}

const exists = async (path: string): Promise<boolean> => (await stat(path).catch(() => undefined)) !== undefined

const readText = async (path: string): Promise<string | undefined> => {
  try {
    return (await readFile(path, 'utf8')).trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Writes a small file whole or not at all, owned by whoever owns its folder. */
export const writeWhole = async (path: string, text: string, mode: number): Promise<void> => {
  const draft = `${path}.new-${process.pid}`
  const file = await open(draft, 'w', mode)
  try {
    await file.chmod(mode)
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  if (process.getuid?.() === 0) {
    const owner = await stat(dirname(path))
    await chown(draft, owner.uid, owner.gid)
  }
  await rename(draft, path)
}

/** Whether `runAs` may pass through every folder down to `path`; access lists beyond the mode bits are not looked at. */
const isSearchable = async (path: string, runAs: RunAs): Promise<boolean> => {
  for (let folder = await realpath(path); ; folder = dirname(folder)) {
    const { uid, gid, mode } = await stat(folder)
    const bit = uid === runAs.uid ? 0o100 : gid === runAs.gid ? 0o010 : 0o001
    if ((mode & bit) === 0) return false
    if (folder === dirname(folder)) return true
  }
}

/** A folder outside the project that an unprivileged server can reach; one per data folder. */
const fallbackHome = async (dataDir: string, runAs: RunAs): Promise<string> => {
  const digest = createHash('sha256').update(dataDir).digest('hex').slice(0, 16)
  for (const base of ['/var/lib/kaopu', '/var/tmp/kaopu']) {
    try {
      const folder = join(base, digest)
      await mkdir(folder, { recursive: true, mode: 0o711 })
      const { uid, mode } = await stat(base)
      // Somebody else's folder under a world-writable parent is not a place for a database.
      if (uid !== 0 || (mode & 0o022) !== 0 || !(await isSearchable(folder, runAs))) continue
      return folder
    } catch {}
  }
  throw new StartRefusal(
    `The database server cannot run as root, the folder ${dataDir} is closed to other users, and neither /var/lib/kaopu nor /var/tmp/kaopu can be used. Start Kaopu as an ordinary user or set KAOPU_DATA to a folder below one that others may enter.`,
  )
}

/** Whether there is a process of this number, of whomever it is. */
export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Drafts of starts that were killed half-way. */
const removeDeadDrafts = async (home: string): Promise<void> => {
  for (const name of await readdir(dirname(home))) {
    const pid = name.startsWith(`${basename(home)}.new-`) ? Number(name.split('-').at(-1)) : Number.NaN
    if (Number.isInteger(pid) && !isAlive(pid)) await rm(join(dirname(home), name), { recursive: true, force: true })
  }
}

/** A server's data folder that comes from a backup. */
export interface RestoredCluster {
  /** Of its superuser. */
  readonly password: string
  /** Writes the files of the server into this empty folder. */
  readonly fill: (pgdata: string) => Promise<void>
}

const giveAway = async (path: string, to: RunAs): Promise<void> => {
  for (const entry of await readdir(path, { withFileTypes: true })) {
    const inner = join(path, entry.name)
    if (entry.isDirectory()) await giveAway(inner, to)
    else await lchown(inner, to.uid, to.gid)
  }
  await chown(path, to.uid, to.gid)
}

/**
 * Makes the cluster in a draft folder and renames it into place, so that a start killed half-way leaves nothing that looks like a cluster,
 * and of two first starts at the same moment one wins.
 */
const initialise = async (home: string, binaries: Binaries, runAs: RunAs | undefined, restored?: RestoredCluster): Promise<void> => {
  await removeDeadDrafts(home)
  const draft = `${home}.new-${process.pid}`
  await mkdir(join(draft, 'pgdata'), { recursive: true, mode: 0o700 })
  await chmod(draft, runAs ? 0o711 : 0o700)
  const password = restored?.password ?? randomBytes(24).toString('base64url')
  try {
    if (restored) {
      await restored.fill(join(draft, 'pgdata'))
      if (runAs) await giveAway(join(draft, 'pgdata'), runAs)
    } else await makeEmpty(home, draft, password, binaries, runAs)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    throw error
  }
  await writeFile(join(draft, 'password'), password, { mode: 0o600 })
  try {
    await rename(draft, home)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    if (restored || !(await exists(join(home, 'password')))) throw error
  }
}

/** `initdb` in the draft of a cluster. */
const makeEmpty = async (home: string, draft: string, password: string, binaries: Binaries, runAs: RunAs | undefined): Promise<void> => {
  const passwordFile = join(draft, 'initial-password')
  await writeFile(passwordFile, password, { mode: 0o600 })
  if (runAs) for (const path of [join(draft, 'pgdata'), passwordFile]) await chown(path, runAs.uid, runAs.gid)
  const { code, output } = await run(
    binaries.initdb,
    // One collation on every operating system, stable over upgrades; Chinese order is asked for by name where it is needed.
    ['-D', join(draft, 'pgdata'), '-U', 'postgres', '-A', 'scram-sha-256', `--pwfile=${passwordFile}`, '-E', 'UTF8'].concat([
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--data-checksums',
      '--no-instructions',
    ]),
    runAs,
  )
  await rm(passwordFile)
  if (code !== 0)
    throw new StartRefusal(`The database in ${dirname(home)} could not be created: ${output.trim().split('\n').slice(-3).join(' ')}`)
}

const refuseForeign = (home: string, uid: number): StartRefusal =>
  new StartRefusal(
    `The database in ${home} belongs to the user with id ${uid} (it was probably first started as root). Start Kaopu as root or as that user, or set KAOPU_DATA to a new folder.`,
  )

/**
 * Where the database of `dataDir` lives and as whom it runs; makes it when there is none. As root the server runs as the owner of an existing
 * cluster, else as nobody; when nobody cannot reach the data folder or the binaries, both move to a folder of their own that
 * `<dataDir>/cluster-path` names.
 * @param restored - where the files of the server come from, instead of an empty one; refused where there is one
 */
export const openCluster = async (dataDir: string, restored?: RestoredCluster): Promise<Cluster> => {
  const isRoot = process.getuid?.() === 0
  if (isRoot && platform() !== 'linux') throw new StartRefusal('The database server cannot run as root. Start Kaopu as an ordinary user.')
  await mkdir(dataDir, { recursive: true, mode: isRoot ? 0o711 : 0o700 })
  const data = await realpath(dataDir)
  const named = await readText(join(data, 'cluster-path'))
  const inside = join(data, 'postgres')
  if (named !== undefined && !(await exists(join(named, 'pgdata')))) {
    throw new StartRefusal(
      `${join(data, 'cluster-path')} says that the database lives in ${named}, but it is not there (or not readable by this user). Put it back, start as root, or set KAOPU_DATA to a new folder.`,
    )
  }
  const known = named ?? ((await exists(join(inside, 'pgdata'))) ? inside : undefined)
  const owner = known === undefined ? undefined : await stat(join(known, 'pgdata'))
  if (known && owner && process.getuid && !isRoot && owner.uid !== process.getuid()) throw refuseForeign(known, owner.uid)
  const runAs = !isRoot ? undefined : owner && owner.uid !== 0 ? { uid: owner.uid, gid: owner.gid } : nobody
  if (runAs === nobody && !(await readText('/etc/passwd'))?.split('\n').some(line => line.split(':')[2] === String(nobody.uid))) {
    throw new StartRefusal(
      `The database server cannot run as root and the user nobody (${nobody.uid}) does not exist here. Start Kaopu as an ordinary user.`,
    )
  }

  const found = await findBinaries(runAs)
  let home = known ?? inside
  let binaries = found
  if (runAs && (!found || (!known && !(await isSearchable(data, runAs))))) {
    const fallback = await fallbackHome(data, runAs)
    home = known ?? join(fallback, 'cluster')
    binaries = await copyBinaries(fallback, runAs)
  }
  binaries ??= await copyBinaries(data, runAs)
  if (restored && known !== undefined) throw new StartRefusal(`There is a database in ${known} already. Nothing was changed.`)
  if (!(await exists(join(home, 'pgdata')))) await initialise(home, binaries, runAs, restored)
  if (home !== inside && named === undefined) await writeWhole(join(data, 'cluster-path'), `${home}\n`, 0o644)

  const password = await readText(join(home, 'password'))
  if (!password)
    throw new StartRefusal(`The password file of the database is missing: ${join(home, 'password')}. Restore it from the backup.`)
  const major = Number(await readText(join(home, 'pgdata', 'PG_VERSION')))
  if (major !== binaries.major) {
    throw new StartRefusal(
      `The database in ${home} was made by PostgreSQL ${major}, this version of Kaopu brings PostgreSQL ${binaries.major}. Nothing was changed. Start it with the Kaopu version that made it and export the data, or set KAOPU_DATA to a new folder.`,
    )
  }
  return { home, pgdata: join(home, 'pgdata'), password, runAs, binaries }
}
