import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { type EmbeddedDatabase, startEmbedded } from '#kernel/db/embedded.ts'
import { isAlive } from '#kernel/db/embedded-cluster.ts'
import { ensureDatabase } from '#kernel/db/embedded-probe.ts'
import { createLog } from '#kernel/log.ts'
import { freePort, removeData } from './support/server.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

let folder: string
let database: EmbeddedDatabase
let databaseUrl: string
let squatter: ReturnType<typeof createServer> | undefined

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kaopu-production-'))
  await chmod(folder, 0o755)
  database = await startEmbedded({ dataDir: join(folder, 'cluster'), log: createLog('silent') })
  databaseUrl = await ensureDatabase(database.url, 'production')
})
afterEach(() => squatter?.close())
afterAll(async () => {
  await database?.stop()
  await removeData(folder)
})

interface Started {
  readonly npm: ChildProcess
  readonly lines: string[]
  /** All processes of the start have ended: nobody holds their common output any more. */
  readonly ended: Promise<unknown>
  readonly ready: Promise<string>
}

/** What an operator types: npm, which runs a shell, which runs start.mjs, which runs the server. */
const startProduction = (port: number): Started => {
  const { PATH, HOME, TMPDIR, npm_execpath: npmScript } = process.env
  const command = ['run', 'start:production']
  const npm = spawn(npmScript === undefined ? 'npm' : process.execPath, npmScript === undefined ? command : [npmScript, ...command], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, as a shell makes one.
    detached: true,
    env: {
      PATH,
      HOME,
      TMPDIR,
      PORT: String(port),
      DATABASE_URL: databaseUrl,
      KAOPU_DATA: join(folder, 'data'),
      KAOPU_PUBLIC_URL: 'https://kaopu.example.org',
      KAOPU_HOST: '127.0.0.1',
    },
  })
  const lines: string[] = []
  const outputs = [npm.stdout, npm.stderr].map(stream => createInterface({ input: stream }))
  const ended = Promise.all(outputs.map(output => once(output, 'close')))
  const ready = new Promise<string>((done, fail) => {
    for (const output of outputs)
      output.on('line', line => {
        lines.push(line)
        if (line.startsWith('Kaopu is ready at ')) done(`http://127.0.0.1:${port}`)
      })
    void ended.then(() => fail(new Error(lines.join('\n'))))
  })
  ready.catch(() => {})
  return { npm, lines, ended, ready }
}

interface Processes {
  readonly starter: number
  readonly server: number
}

/** The two processes of ours below npm, found by what they run. */
const processesOf = async (npm: ChildProcess): Promise<Processes> => {
  const { stdout } = spawn('ps', ['-eo', 'pid=,ppid=,args='])
  const rows: { readonly pid: number; readonly parent: number; readonly command: string }[] = []
  for await (const line of createInterface({ input: stdout })) {
    const [, pid, parent, command = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? []
    rows.push({ pid: Number(pid), parent: Number(parent), command })
  }
  const below = (pid: number): typeof rows => rows.filter(one => one.parent === pid).flatMap(one => [one, ...below(one.pid)])
  const ours = below(npm.pid ?? 0)
  const starter = ours.find(({ command }) => /^\S*node start\.mjs/.test(command))
  const server = ours.find(({ command }) => command.includes('server/dist/main.mjs'))
  if (starter === undefined || server === undefined) throw new Error(`not found among ${JSON.stringify(ours)}`)
  return { starter: starter.pid, server: server.pid }
}

const hardest = [['SIGKILL', 'npm']] as const
const all = [
  ...hardest,
  ['SIGTERM', 'npm'],
  ['SIGHUP', 'npm'],
  // Ctrl-C reaches all processes of the terminal; npm alone would wait for them.
  ['SIGINT', 'all'],
  ['SIGKILL', 'starter'],
] as const

test.each(process.env['KAOPU_LONG'] ? all : hardest)('a production start ends wholly by %s to %s', async (signal, whom) => {
  const run = startProduction(await freePort())
  const url = await run.ready
  const { starter, server } = await processesOf(run.npm)
  expect((await fetch(`${url}/api/health`)).status).toBe(200)

  const npm = run.npm.pid ?? 0
  process.kill({ npm, all: -npm, starter }[whom], signal)
  await run.ended

  // A process lets go of its output a moment before it is gone.
  await vi.waitFor(() => expect({ starter: isAlive(starter), server: isAlive(server) }).toEqual({ starter: false, server: false }), {
    timeout: 30_000,
  })
  await expect(fetch(`${url}/api/health`)).rejects.toThrow('fetch failed')
})

test('a production start refuses a taken port before it touches anything, and says what to do', async () => {
  const port = await freePort()
  squatter = createServer().listen(port, '127.0.0.1')
  await once(squatter, 'listening')

  const run = startProduction(port)
  await expect(run.ready).rejects.toThrow(
    `Kaopu did not start: Port ${port} is taken by another program (ss -ltnp 'sport = :${port}' names it), perhaps by another Kaopu that still runs. In production no other port is chosen, because the proxy in front would go on to reach that program. Stop it, or set PORT to another number and change the proxy with it.`,
  )
  expect(run.lines.filter(line => line.includes('ready'))).toEqual([])
})
