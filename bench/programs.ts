import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { findFreePort } from '#kernel/free-port.ts'
import { build, serverProgram } from '../tools/install.mjs'

const freePort = async (wanted: number): Promise<number> => {
  const port = await findFreePort(wanted)
  if (port === undefined) throw new Error(`no free port near ${wanted}`)
  return port
}

/** What `npm start` gives the server's process along. */
const flags = JSON.parse(readFileSync(new URL('../server/node-flags.json', import.meta.url), 'utf8')) as readonly string[]

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** A server that runs as a process of its own. */
export interface Program {
  readonly url: string
  readonly pid: number
  /** From the start of the process to its ready line. */
  readonly startMs: number
  /** Longest time the event loop was held up since the last call; the product only. */
  blockMs(): Promise<number>
  stop(): Promise<void>
}

const readyLine = / is ready at (\S+)$/

const launch = async (args: readonly string[], env: Readonly<Record<string, string>>): Promise<Program> => {
  const began = performance.now()
  // Nothing of the caller's own settings may change what is measured.
  const inherited = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(KAOPU_|DATABASE_URL|PG|NODE_OPTIONS)/.test(name)))
  const child: ChildProcess = spawn(process.execPath, [...args], {
    env: { ...inherited, ...env },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const ended = new Promise<void>(done => child.once('exit', () => done()))
  const { stdout } = child
  if (!stdout) throw new Error('the program has no output')
  const url = await new Promise<string>((done, fail) => {
    createInterface({ input: stdout }).on('line', line => {
      const found = readyLine.exec(line)?.[1]
      if (found !== undefined) done(found)
    })
    child.once('error', fail)
    child.once('exit', code => fail(new Error(`${args.at(-1)} ended with code ${code} before it was ready`)))
  })
  return {
    url,
    pid: child.pid ?? 0,
    startMs: performance.now() - began,
    blockMs: () =>
      new Promise(done => {
        child.once('message', answer => {
          child.send('bench:reset')
          done((answer as { blockMs: number }).blockMs)
        })
        child.send('bench:read')
      }),
    stop: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}

export interface ProductSettings {
  readonly databaseUrl: string
  readonly dataDir: string
  /** First port to try. */
  readonly port: number
  /** Where V8 writes a CPU profile at the end. */
  readonly profileDir?: string | undefined
}

/** Of the sources as they are, whichever of the benchmarks is run; built once. */
let built: Promise<number> | undefined

/** The real server: as `npm start` builds it, in the test profile, so that a fixed captcha opens the login. */
export const startProduct = async (settings: ProductSettings): Promise<Program> => {
  built ??= build(process.execPath, 'server')
  await built
  const port = await freePort(settings.port)
  const profiling = settings.profileDir === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${settings.profileDir}`]
  return launch([...flags, ...profiling, '--import', new URL('./probe.mjs', import.meta.url).href, serverProgram], {
    KAOPU_PROFILE: 'test',
    KAOPU_DATA: settings.dataDir,
    KAOPU_HOST: '127.0.0.1',
    KAOPU_PUBLIC_URL: `http://127.0.0.1:${port}`,
    KAOPU_TEST_CAPTCHA: 'abcde',
    // The benchmark measures how quick calls are, not how they are held back.
    KAOPU_WAITING_ROOM: 'off',
    KAOPU_TEST_SMS: '123456',
    DATABASE_URL: settings.databaseUrl,
    PORT: String(port),
  })
}

/** Bare Fastify and pg with the same queries: `floor/server.ts`. */
export const startFloor = async (databaseUrl: string, secretsFolder: string, port: number): Promise<Program> =>
  launch([here('./floor/server.ts')], {
    DATABASE_URL: databaseUrl,
    FLOOR_SECRETS: secretsFolder,
    PORT: String(await freePort(port)),
  })
