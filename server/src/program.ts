import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { refuseUnfinished } from '#kernel/backup/unfinished.ts'
import { called } from '#kernel/called.ts'
import { startEmbedded } from '#kernel/db/embedded.ts'
import { StartRefusal } from '#kernel/db/embedded-binaries.ts'
import { checkServer, ensureDatabase, takeOwnership } from '#kernel/db/embedded-probe.ts'
import { findFreePort, isFree } from '#kernel/free-port.ts'
import { createLog, type Log } from '#kernel/log.ts'
import { loadSecrets } from '#kernel/secrets.ts'
import { createApplication } from '#server/app.ts'
import { type Config, loadConfig } from '#server/config.ts'
import { loadSecretsFor } from '#server/installation-identity.ts'

/** Requests in flight get this long after a stop signal (security 3.12). */
const drainMs = 10_000
/** A killed process's database session ends within milliseconds; on a machine under load it takes longer. */
const ownershipWaitMs = 10_000

const say = (line: string): void => void process.stdout.write(`${line}\n`)

/** What to undo at the end, last first. */
const closers: (() => Promise<unknown>)[] = []
let stopping: Promise<void> | undefined
/** Undefined until the settings are read. */
let running: Log | undefined
let opening: Promise<unknown> = Promise.resolve()

const within = (ms: number, work: Promise<unknown>): Promise<boolean> => {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<boolean>(done => {
    timer = setTimeout(() => done(false), ms)
  })
  return Promise.race([work.then(() => true), limit]).finally(() => clearTimeout(timer))
}

const stop = (exitCode: number): Promise<void> => {
  stopping ??= (async () => {
    // A database that is just being created is finished first, so that it can be stopped properly.
    await within(
      drainMs,
      opening.catch(() => {}),
    )
    for (const close of closers.reverse()) {
      await close().catch((error: Error) => running?.error({ err: error }, 'not stopped in order'))
    }
    process.exit(exitCode)
  })()
  return stopping
}

interface RunningNote {
  readonly url: string
  readonly pid: number
}

const notePath = (config: Config): string => join(config.dataDir, 'running.json')

const readNote = async (config: Config): Promise<RunningNote | undefined> => {
  try {
    const note = JSON.parse(await readFile(notePath(config), 'utf8')) as RunningNote
    process.kill(note.pid, 0)
    return note
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' ? { url: 'another address', pid: 0 } : undefined
  }
}

/** The bundled server, joined or started, with this process as its only application. */
const openEmbedded = async (config: Config, log: Log): Promise<string> => {
  const embedded = await startEmbedded({ dataDir: config.dataDir, log })
  const note = await readNote(config)
  const ownership = await takeOwnership(embedded.url, note ? 0 : ownershipWaitMs, embedded.ensure, reason => {
    log.fatal({ reason }, 'the database was lost')
    void stop(1)
  })
  if (!ownership) {
    const where = note ? `at ${note.url} (process ${note.pid})` : 'in another process'
    throw new StartRefusal(
      `Kaopu already runs ${where} on the data folder ${config.dataDir}. Use it, stop it first, or set KAOPU_DATA to another folder.`,
    )
  }
  if (embedded.reused) say('The database of an earlier run was still up; it is used again.')
  closers.push(async () => {
    // The lock is held until the server is down: nobody joins a database that is about to stop.
    ownership.letGo()
    await embedded.stop()
  })
  return ensureDatabase(embedded.url, 'kaopu')
}

const openDatabase = async (config: Config, log: Log): Promise<string> => {
  if (config.databaseUrl === undefined) return openEmbedded(config, log)
  await checkServer(config.databaseUrl, { seconds: config.databaseWaitSeconds, onWait: say, isOver: () => stopping !== undefined })
  return config.databaseUrl
}

interface DemoAccount {
  readonly role: string
  readonly account: string
  readonly password: string
  readonly tenantId: string
  readonly userType: number
}

const printDemoAccounts = async (config: Config): Promise<void> => {
  if (config.profile === 'production') return
  const text = await readFile(join(config.dataDir, 'demo-accounts.json'), 'utf8').catch(() => undefined)
  if (text === undefined) return
  const accounts = JSON.parse(text) as readonly DemoAccount[]
  const rows = [['tenant', 'role', 'account', 'password'], ...accounts.map(one => [one.tenantId, one.role, one.account, one.password])]
  const widths = [0, 1, 2].map(column => Math.max(...rows.map(row => (row[column] ?? '').length)))
  say('Demo accounts:')
  for (const row of rows) say(`  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`)
}

const takenPort = (port: number): StartRefusal =>
  new StartRefusal(
    `Port ${port} is taken by another program (ss -ltnp 'sport = :${port}' names it), perhaps by another Kaopu that still runs. In production no other port is chosen, because the proxy in front would go on to reach that program. Stop it, or set PORT to another number and change the proxy with it.`,
  )

/** Before anything is touched: the program that holds the port may be an installation that the proxy in front would mistake for this one. */
const holdToPort = async ({ profile, port, host }: Config): Promise<void> => {
  if (profile === 'production' && !(await isFree(port, host))) throw takenPort(port)
}

const choosePort = async (config: Config): Promise<number> => {
  if (config.profile === 'production') return config.port
  const port = await findFreePort(config.port)
  if (port === undefined) throw new StartRefusal(`No free port from ${config.port} on. Set PORT to another number.`)
  if (port !== config.port) say(`Port ${config.port} is taken; using ${port}.`)
  return port
}

/** What only the start needed goes back to the system: a server that nobody asks anything would keep it for good. */
const giveBack = (): void => void globalThis.gc?.({ type: 'major', flavor: 'last-resort' })

const start = async (): Promise<void> => {
  const settings = loadConfig()
  await holdToPort(settings)
  const log = createLog(settings.logLevel)
  running = log
  await refuseUnfinished(settings.dataDir)
  // Those of a bundled database come first: it stands in the same folder, and one in use that lost its keys is refused.
  const own = settings.databaseUrl === undefined ? await loadSecrets({ dataDir: settings.dataDir, file: settings.secretsFile }) : undefined
  const database = openDatabase(settings, log)
  opening = database
  const databaseUrl = await database
  const secrets = own ?? (await loadSecretsFor({ ...settings, databaseUrl }))
  if (stopping) return
  const port = await choosePort(settings)
  const config: Config = { ...settings, port, publicUrl: settings.publicUrl ?? `http://localhost:${port}` }
  const application = await createApplication({ config, secrets, databaseUrl, log, fillsDemo: true })
  application.metrics.addProcess()
  closers.push(async () => {
    // A proxy learns from `/api/ready` that this process goes before it finds nobody there.
    application.drain()
    await new Promise(next => setTimeout(next, config.drainSeconds * 1_000))
    if (!(await within(drainMs, application.close()))) log.warn('requests were still open after the drain time')
  })
  if (stopping) return
  const { url } = await application.listen(port)
  if (config.databaseUrl === undefined) {
    await writeFile(notePath(config), JSON.stringify({ url, pid: process.pid } satisfies RunningNote))
    closers.push(() => rm(notePath(config), { force: true }))
  }
  const held = application.hold.reason()
  if (held) {
    const [first] = held.ahead ?? []
    const origin =
      first !== undefined
        ? `The database is older than what was written down of its audit: it does not have ${held.ahead?.length} of those heads, as ${first}. Somebody put it back to an older state`
        : held.backup === ''
          ? 'The database was put back to an older state'
          : `Restored from the backup ${held.backup}`
    say(`${origin} (data of ${held.takenAt}). Nothing is sent, no job runs: no text message, payment, refund, notice to another server.`)
    say(`Look at it, then release it: ${called('restore', 'release')}`)
  }
  await printDemoAccounts(config)
  giveBack()
  say(`Kaopu is ready at ${url}`)
}

/** Faults of the machine that a person can mend, by the code of the operating system. */
const machineFaults: Readonly<Record<string, string>> = {
  EACCES: 'this user may not use',
  EPERM: 'this user may not use',
  EROFS: 'the disk is read-only at',
  ENOSPC: 'the disk is full at',
  ENOTDIR: 'something that is not a folder stands at',
}

const explain = (error: unknown): string | undefined => {
  if (error instanceof StartRefusal) return error.message
  const { code = '', path, port } = error as NodeJS.ErrnoException & { readonly port?: number }
  if (code === 'EADDRINUSE' && port) return takenPort(port).message
  if (code === 'EACCES' && port) return `this user may not listen on port ${port}. Set PORT to a number from 1024 on.`
  const fault = machineFaults[code]
  return fault && path ? `${fault} ${path}. Mend that or set KAOPU_DATA to another folder.` : undefined
}

const fail = (error: unknown): Promise<void> => {
  if (stopping) return stopping
  const sentence = explain(error)
  process.stderr.write(`Kaopu did not start: ${sentence ?? (error instanceof Error ? error.message : String(error))}\n`)
  // What explains itself needs no more; anything else is a defect whose place is worth knowing.
  if (sentence === undefined && error instanceof Error) process.stderr.write(`${error.stack?.split('\n').slice(1, 6).join('\n')}\n`)
  return stop(1)
}

// Whoever reads the output may go away; the server stays.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(0))
// start.mjs holds a channel to this process: when it is killed outright, the application must not stay behind.
if (process.connected) process.on('disconnect', () => void stop(0))
process.on('unhandledRejection', error => {
  // As every other line of a running process; before there is a log, for whoever started it.
  if (running) running.fatal({ err: error }, 'unhandled')
  else process.stderr.write(`Unhandled: ${error instanceof Error ? error.stack : String(error)}\n`)
  void stop(1)
})

await start().catch(fail)
