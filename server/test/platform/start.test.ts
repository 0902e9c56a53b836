import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { startEmbedded } from '#kernel/db/embedded.ts'
import { findFreePort } from '#kernel/free-port.ts'
import { createLog } from '#kernel/log.ts'
import { build, serverProgram } from '../../../tools/install.mjs'

/** One for all tests: making its database takes longer than all that they look at. Each finds it stopped. */
let dataDir: string
let started: Run[]
let squatters: Server[]

beforeAll(async () => {
  await build(process.execPath, 'server')
  dataDir = await mkdtemp(join(tmpdir(), '考 谱-'))
  await chmod(dataDir, 0o755)
})
beforeEach(() => {
  started = []
  squatters = []
})
afterEach(async () => {
  for (const squatter of squatters) squatter.close()
  for (const run of started) run.child.kill('SIGKILL')
  await Promise.all(started.map(run => run.end))
  const remains = await stat(join(dataDir, 'postgres')).catch(() => undefined)
  if (remains) await (await startEmbedded({ dataDir, log: createLog('silent') })).stop()
})
afterAll(() => rm(dataDir, { recursive: true }))

interface Run {
  readonly child: ChildProcess
  readonly lines: string[]
  readonly errors: string[]
  /** The address of the ready line; rejects with what was said when the process ends before it. */
  readonly ready: Promise<string>
  readonly end: Promise<number | null>
}

const start = (env: Record<string, string> = {}): Run => {
  const child = spawn(process.execPath, [serverProgram], {
    env: { PATH: process.env.PATH, KAOPU_PROFILE: 'test', KAOPU_DATA: dataDir, KAOPU_LOG_LEVEL: 'error', ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const lines: string[] = []
  const errors: string[] = []
  const output = createInterface({ input: child.stdout as Readable })
  const complaints = createInterface({ input: child.stderr as Readable }).on('line', line => errors.push(line))
  const end = Promise.all([once(child, 'exit'), once(output, 'close'), once(complaints, 'close')]).then(([[code]]) => code as number | null)
  const ready = new Promise<string>((done, fail) => {
    output.on('line', line => {
      lines.push(line)
      const url = /^Kaopu is ready at (\S+)$/.exec(line)?.[1]
      if (url) done(url)
    })
    void end.then(() => fail(new Error(errors.join('\n'))))
  })
  ready.catch(() => {})
  const run = { child, lines, errors, ready, end }
  started.push(run)
  return run
}

const freePort = async (): Promise<number> => {
  // Away from the default, which a developer's own server may hold.
  const port = await findFreePort(17_300)
  if (port === undefined) throw new Error('no free port')
  return port
}

const health = async (url: string): Promise<unknown> => (await fetch(`${url}/api/health`)).json()

/** The signal ends it without a complaint, and the database with it. */
const expectCleanStop = async (run: Run, signal: 'SIGINT' | 'SIGTERM'): Promise<void> => {
  run.child.kill(signal)
  expect(await run.end).toBe(0)
  expect(run.errors).toEqual([])
  const log = await readFile(join(dataDir, 'postgres/server.log'), 'utf8')
  expect(log.trim().split('\n').at(-1)).toContain('database system is shut down')
  await expect(stat(join(dataDir, 'running.json'))).rejects.toThrow('ENOENT')
}

// A start takes two seconds, so each is seen from its first line to its end.

test('start › serves at the address of the ready line, which is the last one; SIGINT stops the application and its database cleanly', async () => {
  const port = await freePort()
  const run = start({ PORT: String(port) })

  const url = await run.ready

  expect(url).toBe(`http://localhost:${port}`)
  expect(await health(url)).toEqual({ ready: true })
  expect(run.lines.at(-1)).toBe(`Kaopu is ready at ${url}`)
  expect((await stat(join(dataDir, 'secrets.json'))).mode & 0o777).toBe(0o600)
  await expectCleanStop(run, 'SIGINT')
})

test('start › a taken port is replaced by the next free one, and said; SIGTERM stops cleanly too', async () => {
  const port = await freePort()
  const squatter = createServer().listen(port, '0.0.0.0')
  squatters.push(squatter)
  await once(squatter, 'listening')

  const run = start({ PORT: String(port) })
  const url = await run.ready

  const chosen = Number(new URL(url).port)
  expect(chosen).toBeGreaterThan(port)
  expect(run.lines).toContain(`Port ${port} is taken; using ${chosen}.`)
  expect(await health(url)).toEqual({ ready: true })
  await expectCleanStop(run, 'SIGTERM')
})

test('start › a second one on the same data folder names the first and leaves it alone; the first stops when the process that started it is gone', async () => {
  const first = start({ PORT: String(await freePort()) })
  const url = await first.ready

  const second = start({ PORT: String(await freePort()) })

  expect(await second.end).toBe(1)
  expect(second.errors).toEqual([
    `Kaopu did not start: Kaopu already runs at ${url} (process ${first.child.pid}) on the data folder ${dataDir}. Use it, stop it first, or set KAOPU_DATA to another folder.`,
  ])
  expect(await health(url)).toEqual({ ready: true })

  first.child.disconnect()

  expect(await first.end).toBe(0)
})

test('start › after kill -9 the next start needs no hand', async () => {
  const env = { PORT: String(await freePort()) }
  const first = start(env)
  await first.ready
  first.child.kill('SIGKILL')
  await first.end

  const second = start(env)

  expect(await health(await second.ready)).toEqual({ ready: true })
  expect(second.lines).toContain('The database of an earlier run was still up; it is used again.')
})

test.each([
  [{ KAOPU_TEST_SMS: '12' }, /^Kaopu did not start: KAOPU_TEST_SMS must be text like/],
  [{ KAOPU_COLOUR: 'red' }, /^Kaopu did not start: Unknown setting KAOPU_COLOUR\./],
  [{ KAOPU_PROFILE: 'production' }, /^Kaopu did not start: The production profile needs DATABASE_URL/],
  [
    { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none', KAOPU_DATABASE_WAIT_SECONDS: '0' },
    /^Kaopu did not start: The database at 127\.0\.0\.1:1 cannot be reached: .*; it was waited for 0 s \(KAOPU_DATABASE_WAIT_SECONDS\)\.$/,
  ],
])('start › refuses %o in one sentence', async (env, sentence) => {
  const run = start(env)

  expect(await run.end).toBe(1)
  expect(run.errors).toHaveLength(1)
  expect(run.errors[0]).toMatch(sentence)
  expect(run.lines).toEqual([])
})
