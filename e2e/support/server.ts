import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
export const testCaptcha = 'abcde'
export const testSms = '123456'

/** A start makes a database on its first run and replays its log after a kill. */
const startMs = 120_000

export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => (typeof address === 'object' && address ? resolve(address.port) : reject(new Error('no port'))))
    })
  })

/** A fresh data folder; the database server may run as another user, who must be able to walk to it. */
export const newDataDir = async (): Promise<string> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'kaopu-e2e-'))
  await chmod(dataDir, 0o755)
  return dataDir
}

export interface RunningServer {
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
}

const inherited = ['PATH', 'HOME', 'LANG', 'TMPDIR', 'LD_LIBRARY_PATH', 'SystemRoot'] as const

/** The server as `npm start` runs it, as a process of its own, once it says that it is ready. */
export const startServer = async ({ dataDir, port, env = {} }: ServerOptions): Promise<RunningServer> => {
  const own = Object.fromEntries(inherited.flatMap(name => (process.env[name] === undefined ? [] : [[name, process.env[name]]])))
  const child: ChildProcess = spawn(process.execPath, [join(root, 'server/src/main.ts')], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...own,
      KAOPU_PROFILE: 'test',
      KAOPU_DATA: dataDir,
      KAOPU_TEST_CAPTCHA: testCaptcha,
      KAOPU_TEST_SMS: testSms,
      KAOPU_LOG_LEVEL: 'error',
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
    url,
    dataDir,
    output: () => output,
    kill: async () => void (await end('SIGKILL')),
    stop: () => end('SIGINT'),
  }
}

export const removeData = (dataDir: string): Promise<void> => rm(dataDir, { recursive: true, force: true, maxRetries: 3 })
