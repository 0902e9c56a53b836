import { type ChildProcess, spawn } from 'node:child_process'
import { open, readFile, readlink, realpath, rename, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { platform } from 'node:os'
import { join, resolve } from 'node:path'
import type { Log } from '../log.ts'
import { childEnv, run, StartRefusal } from './embedded-binaries.ts'
import { type Cluster, isAlive, openCluster, type RestoredCluster, writeWhole } from './embedded-cluster.ts'
import { serves } from './embedded-probe.ts'

export interface EmbeddedDatabase {
  /** Superuser url of the maintenance database: by the socket in its folder where there is one, else on 127.0.0.1. */
  readonly url: string
  readonly port: number
  /** The server was already running: it outlived the process that started it, or another process uses it. */
  readonly reused: boolean
  /** Starts the server again on the same port when it died; does nothing when it runs. */
  ensure(): Promise<void>
  /** Ends sessions, writes a checkpoint and stops; after it a start needs no recovery. */
  stop(): Promise<void>
}

/** A killed server's processes and its shared memory linger until they are reaped; measured 1–2 s, containers without an init take longer. */
const patienceMs = 30_000
/** Recovery after a crash replays at most max_wal_size; a slow disk needs minutes, not seconds. */
const recoveryMs = 300_000
const stopMs = 30_000
const logLimitBytes = 5 * 1024 * 1024

/**
 * Durability settings (fsync, synchronous_commit, full_page_writes, checksums) stay at their defaults, on (security 3.12).
 * The server's log carries no statement and no key values: they would be personal data.
 */
const settings = (port: number, hasSocket: boolean): string[] =>
  Object.entries({
    port: String(port),
    listen_addresses: '127.0.0.1',
    // In its own folder, where the server stands: nobody else may enter it, and a message costs both sides a third less than on 127.0.0.1.
    unix_socket_directories: hasSocket ? '.' : '',
    unix_socket_permissions: '0700',
    max_connections: '120',
    shared_buffers: '128MB',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_error_verbosity: 'terse',
    log_min_error_statement: 'panic',
  }).flatMap(([name, value]) => ['-c', `${name}=${value}`])

const pause = (ms: number): Promise<void> => new Promise(next => setTimeout(next, ms))

const freePort = (): Promise<number> =>
  new Promise((done, fail) => {
    const server = createServer()
    server.on('error', fail)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => (address && typeof address === 'object' ? done(address.port) : fail(new Error('no port'))))
    })
  })

interface LockFile {
  readonly pid: number
  readonly port: number
  readonly hasSocket: boolean
  readonly status: string
}

/** `postmaster.pid`: the server's own lock file. It is read, never written or removed here. */
const readLockFile = async (pgdata: string): Promise<LockFile | undefined> => {
  const lines = (await readFile(join(pgdata, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')
  const pid = Number(lines[0])
  return Number.isInteger(pid) && pid > 0
    ? { pid, port: Number(lines[3]), hasSocket: (lines[4] ?? '').trim() !== '', status: (lines[7] ?? '').trim() }
    : undefined
}

/**
 * Whether the process of a lock file is a server of this folder. After a reboot, or in a new container, the number may belong to any other
 * process. Undefined where the system does not tell.
 */
const isServerOf = async (pid: number, pgdata: string): Promise<boolean | undefined> => {
  if (platform() !== 'linux') return undefined
  // A server's working directory is its data folder; a process that was killed but not yet reaped has none.
  const folder = await readlink(`/proc/${pid}/cwd`).catch((error: NodeJS.ErrnoException) => (error.code === 'ENOENT' ? '' : undefined))
  return folder === undefined ? undefined : folder === (await realpath(pgdata))
}

const urlOf = (port: number, password: string): string => `postgresql://postgres:${password}@127.0.0.1:${port}/postgres?sslmode=disable`

/** Longest name of a socket that every system takes. */
const longestSocket = 103
/** Whether a socket may stand in this folder: Windows has none, and names end somewhere. */
const mayHaveSocket = (pgdata: string): boolean =>
  platform() !== 'win32' && Buffer.byteLength(join(pgdata, '.s.PGSQL.65535')) <= longestSocket
const withSocket = (url: string, pgdata: string): string => `${url}&host=${encodeURIComponent(pgdata)}`

const findRunning = async ({ pgdata, password }: Cluster): Promise<LockFile | undefined> => {
  const lock = await readLockFile(pgdata)
  return lock?.status === 'ready' && (await serves(urlOf(lock.port, password), pgdata)) ? lock : undefined
}

interface Launch {
  readonly child: ChildProcess
  /** What the server said before it gave up; undefined = it is ready. */
  readonly failure: string | undefined
}

const launch = async ({ home, pgdata, binaries, runAs }: Cluster, port: number, hasSocket: boolean): Promise<Launch> => {
  const logPath = join(home, 'server.log')
  if (((await stat(logPath).catch(() => undefined))?.size ?? 0) > logLimitBytes) await rename(logPath, `${logPath}.1`)
  const output = await open(logPath, 'a', 0o600)
  const from = (await output.stat()).size
  const lock = await readLockFile(pgdata)
  // The server takes a lock file as stale when its process is gone. This variable is how its own starter names a number that does not
  // count; shared memory that is still in use makes it refuse all the same.
  const stale = lock && (await isServerOf(lock.pid, pgdata)) === false ? { PG_GRANDPARENT_PID: String(lock.pid) } : {}
  const child = spawn(binaries.postgres, ['-D', pgdata, ...settings(port, hasSocket)], {
    cwd: '/',
    env: { ...childEnv(), ...stale },
    stdio: ['ignore', output.fd, output.fd],
    // Its own process group: Ctrl-C reaches the application, which stops the server after its last transaction.
    detached: true,
    windowsHide: true,
    ...runAs,
  })
  child.unref()
  await output.close()
  let failure: string | undefined
  child.once('error', error => {
    failure = error.message
  })
  for (const until = performance.now() + recoveryMs; failure === undefined; await pause(20)) {
    if (child.exitCode !== null || child.signalCode !== null)
      failure = (await readFile(logPath)).subarray(from).toString('utf8').trim() || 'no message'
    else if (performance.now() > until) failure = 'it did not become ready'
    else {
      const own = await readLockFile(pgdata)
      if (own?.pid === child.pid && own?.status === 'ready') break
    }
  }
  return { child, failure }
}

const lastLine = (text: string): string => text.split('\n').findLast(line => line.includes('FATAL')) ?? text.split('\n').at(-1) ?? text

/** Finds the running server of this cluster or starts one; retries while the remains of a killed one fade. */
const bringUp = async (cluster: Cluster, log: Log, wanted?: number): Promise<LockFile & { child?: ChildProcess }> => {
  const stored = Number(await readFile(join(cluster.home, 'port'), 'utf8').catch(() => ''))
  let port = wanted ?? (stored > 0 ? stored : await freePort())
  let hasSocket = mayHaveSocket(cluster.pgdata)
  for (let until = performance.now() + patienceMs, tries = 0; ; tries += 1) {
    const running = await findRunning(cluster)
    if (running) return running
    const { child, failure } = await launch(cluster, port, hasSocket)
    if (failure === undefined && child.pid !== undefined) {
      if (port !== stored) await writeWhole(join(cluster.home, 'port'), `${port}\n`, 0o600)
      return { pid: child.pid, port, hasSocket, status: 'ready', child }
    }
    const reason = failure ?? 'no process'
    if (hasSocket && /Unix-domain socket/.test(reason)) {
      // Some network and container volumes hold no sockets.
      hasSocket = false
      continue
    }
    if (/could not create any TCP\/IP sockets|could not bind/.test(reason) && wanted === undefined) {
      log.warn({ port }, 'database port is taken, choosing another')
      port = await freePort()
    } else if (!/lock file|shared memory block|could not bind|TCP\/IP sockets/.test(reason)) {
      throw new StartRefusal(
        `The database in ${cluster.home} does not start: ${lastLine(reason)} (more in ${join(cluster.home, 'server.log')})`,
      )
    }
    if ((await readLockFile(cluster.pgdata))?.status === 'starting') until = Math.max(until, performance.now() + 1_000)
    if (performance.now() > until) {
      throw new StartRefusal(
        `The database in ${cluster.home} does not start: ${lastLine(reason)}. Another server may be using it; stop that process, then start again.`,
      )
    }
    if (tries === 0) log.info('waiting for the remains of an earlier database server to end')
    await pause(Math.min(500, 50 * (tries + 1)))
  }
}

const stopServer = async (cluster: Cluster, log: Log): Promise<void> => {
  const lock = await readLockFile(cluster.pgdata)
  if (!lock || (await isServerOf(lock.pid, cluster.pgdata)) === false) return
  if (platform() === 'win32') {
    await run(cluster.binaries.pgCtl, ['stop', '-D', cluster.pgdata, '-m', 'fast', '-w'])
    return
  }
  try {
    // SIGINT = fast shutdown: sessions are ended, transactions rolled back, a checkpoint is written.
    process.kill(lock.pid, 'SIGINT')
  } catch {
    return
  }
  // Until its process has ended: the lock file goes first, and its last words are written after that.
  for (const until = performance.now() + stopMs; performance.now() < until; await pause(20)) {
    const isServer = await isServerOf(lock.pid, cluster.pgdata)
    if (isServer === undefined ? !isAlive(lock.pid) : !isServer) return
  }
  // Never killed: it goes on shutting down, and the next start waits for it.
  log.warn('the database server is still writing its checkpoint')
}

/**
 * Starts the bundled PostgreSQL on `<dataDir>/postgres`, or joins the server that already runs there: there is never a second one on a folder.
 * @throws StartRefusal with a sentence for the person who starts Kaopu.
 */
export const startEmbedded = async ({
  dataDir,
  log,
  restored,
}: {
  readonly dataDir: string
  readonly log: Log
  readonly restored?: RestoredCluster
}): Promise<EmbeddedDatabase> => {
  const cluster = await openCluster(resolve(dataDir), restored)
  const server = await bringUp(cluster, log)
  let stopping = false
  const { port } = server
  const url = urlOf(port, cluster.password)
  return {
    url: server.hasSocket ? withSocket(url, cluster.pgdata) : url,
    port,
    reused: server.child === undefined,
    ensure: async () => {
      if (!stopping) await bringUp(cluster, log, port)
    },
    stop: async () => {
      stopping = true
      await stopServer(cluster, log)
    },
  }
}
