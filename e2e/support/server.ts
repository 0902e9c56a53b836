import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { access, chmod, mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { copyKept, copyWhole } from '../../server/test/support/kept-cluster.ts'
import { serverProgram } from '../../tools/install.mjs'

/** What the files of one run share: templates of data folders, compiled server code. Without it nothing is shared. */
const runDir = process.env['KAOPU_E2E_RUN']

const root = fileURLToPath(new URL('../..', import.meta.url))
export const testCaptcha = 'abcde'
export const testSms = '123456'

/** Two files ask for the same template at once; the second one looks so often whether it is there. */
const lookAgainMs = 100

/** A start makes a database on its first run and replays its log after a kill. */
const startMs = 240_000

/** Below the ports that systems hand out to connections; each of the files that run side by side has its own third. */
const ports = { from: 16_000, each: 5_000 } as const

const isFree = (port: number): Promise<boolean> =>
  new Promise(resolve => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })

/** A port for a server that starts some seconds later: nobody else gets it meanwhile. */
export const freePort = async (): Promise<number> => {
  const third = Number(process.env['VITEST_POOL_ID'] ?? 1) % 3
  for (;;) {
    const port = ports.from + third * ports.each + randomInt(ports.each)
    if (await isFree(port)) return port
  }
}

export type Profile = 'test' | 'demo'

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

/** An empty data folder; the database server may run as another user, who must be able to walk to it. */
const emptyDataDir = async (): Promise<string> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'kaopu-e2e-'))
  await chmod(dataDir, 0o755)
  return dataDir
}

/**
 * What a first start of the profile leaves behind, made once a run by a real start. @returns undefined where nothing is shared, or
 * a copy would not be whole because the database lies outside of the data folder.
 */
const templateOf = async (profile: Profile): Promise<string | undefined> => {
  if (runDir === undefined) return undefined
  const template = join(runDir, profile)
  const turn = `${template}.turn`
  while (!(await exists(template))) {
    const isOurs = await mkdir(turn).then(
      () => true,
      () => false,
    )
    // Another file is making it, or has just failed to.
    if (!isOurs) await pause(lookAgainMs)
    else
      try {
        await makeTemplate(profile, template)
      } finally {
        await rm(turn, { recursive: true })
      }
  }
  return (await exists(join(template, 'cluster-path'))) ? undefined : template
}

const makeTemplate = async (profile: Profile, template: string): Promise<void> => {
  if (await exists(template)) return
  const draft = await emptyDataDir()
  // Roles and tables are there already where the medium tests have run: the start goes on from them.
  await copyKept(draft, 'migrated')
  const first = await startServer({ dataDir: draft, port: await freePort(), env: { KAOPU_PROFILE: profile } })
  await first.stop()
  await rename(draft, template)
}

/** The data folder of an installation that a test run started before; first starts of empty folders are proven in server/test/platform. */
export const newDataDir = async (profile: Profile = 'test'): Promise<string> => {
  const template = await templateOf(profile)
  const dataDir = await emptyDataDir()
  if (template !== undefined) await copyWhole(template, dataDir)
  return dataDir
}

export interface RunningServer {
  readonly pid: number
  readonly url: string
  readonly dataDir: string
  /** Everything the process has written so far. */
  output(): string
  /** SIGKILL, as when the power fails for this process; its database goes on. */
  kill(): Promise<void>
  /** Ctrl-C. @returns the exit code */
  stop(): Promise<number | null>
}

export interface ServerOptions {
  readonly dataDir: string
  readonly port: number
  readonly env?: Readonly<Record<string, string>>
  /** It ends when the process that started it does. */
  readonly endsWithUs?: boolean
}

const inherited = ['PATH', 'HOME', 'LANG', 'TMPDIR', 'LD_LIBRARY_PATH', 'SystemRoot'] as const

/** The server as `npm start` runs it, as a process of its own, once it says that it is ready. */
export const startServer = async ({ dataDir, port, env = {}, endsWithUs = false }: ServerOptions): Promise<RunningServer> => {
  const own = Object.fromEntries(inherited.flatMap(name => (process.env[name] === undefined ? [] : [[name, process.env[name]]])))
  const child: ChildProcess = spawn(process.execPath, [serverProgram], {
    cwd: root,
    // The channel tells the server when we are gone.
    stdio: ['ignore', 'pipe', 'pipe', ...(endsWithUs ? ['ipc' as const] : [])],
    env: {
      ...own,
      KAOPU_PROFILE: 'test',
      KAOPU_DATA: dataDir,
      KAOPU_TEST_CAPTCHA: testCaptcha,
      KAOPU_TEST_SMS: testSms,
      KAOPU_LOG_LEVEL: 'error',
      // Tests call by the hundred and keep no cookies.
      KAOPU_WAITING_ROOM: 'off',
      ...(runDir === undefined ? {} : { NODE_COMPILE_CACHE: join(runDir, 'compiled') }),
      PORT: String(port),
      ...env,
    },
  })
  let output = ''
  const ended = once(child, 'exit')
  const ready = new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`The server was not ready in time:\n${output}`)), startMs)
    const read = (chunk: Buffer) => {
      output += chunk.toString('utf8')
      const url = /^Kaopu is ready at (\S+)$/m.exec(output)?.[1]
      if (url === undefined) return
      clearTimeout(timer)
      resolve(url)
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    child.once('exit', code => {
      clearTimeout(timer)
      reject(new Error(`The server ended with ${code} before it was ready:\n${output}`))
    })
  })
  const url = await ready
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill(signal)
      await ended
    }
    return child.exitCode
  }
  return {
    pid: child.pid ?? 0,
    url,
    dataDir,
    output: () => output,
    kill: async () => void (await end('SIGKILL')),
    stop: () => end('SIGINT'),
  }
}

export const removeData = (dataDir: string): Promise<void> => rm(dataDir, { recursive: true, force: true, maxRetries: 3 })
