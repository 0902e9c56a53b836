import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { cpus, homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseWhole, wholeNumber } from '#modules/job/powerjob/json.ts'

const parts = fileURLToPath(new URL('powerjob-real/', import.meta.url))
/** Packages of the server are kept between runs, as other downloads are. */
const libFolder = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'kaopu', 'powerjob-4.3.9')

const has = (program: string, ...args: string[]): boolean => {
  try {
    execFileSync(program, args, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
/** Why no real server can be started here; undefined when one can. */
export const noRealPowerJob = (): string | undefined =>
  !has('java', '-version') ? 'there is no java' : !existsSync(join(libFolder, 'done')) && !has('mvn', '-v') ? 'there is no mvn' : undefined

const fetchServer = (): void => {
  if (existsSync(join(libFolder, 'done'))) return
  mkdirSync(libFolder, { recursive: true })
  copyFileSync(join(parts, 'pom.xml'), join(libFolder, 'pom.xml'))
  execFileSync('mvn', ['-q', '-B', 'dependency:copy-dependencies', '-DincludeScope=runtime', '-DoutputDirectory=lib'], {
    cwd: libFolder,
    stdio: 'inherit',
  })
  copyFileSync(join(parts, 'pom.xml'), join(libFolder, 'done'))
}

const freePort = (): Promise<number> =>
  new Promise(resolve => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo
      probe.close(() => resolve(port))
    })
  })

export interface RealPowerJob {
  readonly origin: string
  /** Makes an application; the server asks nobody who wants it. */
  register(app: string, password: string): Promise<void>
  /** A worker that runs the jobs of an application: it gets the processor's name and parameters, and answers the result. */
  work(app: string, run: (processor: string, params: string) => string): Promise<{ close(): void }>
  kill(): void
  close(): Promise<void>
}

const post = async (url: string, body: unknown): Promise<string> => {
  const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
  return answer.text()
}

/** A PowerJob server 4.3.9 out of its packages, with a database of its own in a folder that goes with it. */
export const startRealPowerJob = async (): Promise<RealPowerJob> => {
  fetchServer()
  const folder = mkdtempSync(join(tmpdir(), 'kaopu-powerjob-'))
  copyFileSync(join(parts, 'application-kaopu.properties'), join(folder, 'application-kaopu.properties'))
  const [port, workerPort] = [await freePort(), await freePort()]
  const origin = `http://127.0.0.1:${port}`
  const child: ChildProcess = spawn(
    'java',
    [
      ...[
        '-Xmx512m',
        '-XX:+UseSerialGC',
        '-Duser.timezone=Asia/Shanghai',
        '-Dpowerjob.network.local.address=127.0.0.1',
        `-Duser.home=${folder}`,
      ],
      ...['-cp', `.:${join(libFolder, 'lib')}/*`, 'tech.powerjob.server.PowerJobServerApplication', '--spring.profiles.active=kaopu'],
      ...[
        `--server.port=${port}`,
        '--server.address=127.0.0.1',
        `--oms.http.port=${workerPort}`,
        '--oms.transporter.active.protocols=HTTP',
      ],
    ],
    { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] },
  )
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => (output = (output + chunk.toString()).slice(-4_000)))
  const ended = new Promise<void>(resolve => child.once('exit', () => resolve()))
  const isReady = async (): Promise<boolean> => {
    try {
      return (
        await fetch(`${origin}/openApi/assert`, {
          method: 'POST',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body: 'appName=x&password=x',
        })
      ).ok
    } catch {
      return false
    }
  }
  for (let left = 600; !(await isReady()); left -= 1) {
    if (left === 0 || child.exitCode !== null) throw new Error(`PowerJob does not come up\n${output}`)
    await new Promise(next => setTimeout(next, 200))
  }
  return {
    origin,
    register: async (app, password) => void (await post(`${origin}/appInfo/save`, { appName: app, password })),
    work: async (app, run) => {
      const { data: appId } = JSON.parse(await (await fetch(`${origin}/server/assert?appName=${app}`)).text())
      const own = await freePort()
      const me = `127.0.0.1:${own}`
      const acquired = await fetch(`${origin}/server/acquire?appId=${appId}&protocol=HTTP&clientVersion=kaopu&currentServer=`)
      const { data: server } = JSON.parse(await acquired.text())
      const tell = (path: string, body: unknown): Promise<string> => post(`http://${server}${path}`, body)
      const seen = new Set<string>()
      const work = async (order: Record<string, unknown>): Promise<void> => {
        const id = String(order['instanceId'])
        if (seen.has(id)) return
        seen.add(id)
        const startTime = Date.now()
        const report = (instanceStatus: number, result: string) =>
          tell('/server/reportInstanceStatus', {
            ...{ appId, jobId: order['jobId'], instanceId: wholeNumber(id), wfInstanceId: null, instanceStatus, result, totalTaskNum: 1 },
            ...{
              succeedTaskNum: instanceStatus === 5 ? 1 : 0,
              failedTaskNum: 0,
              startTime,
              endTime: instanceStatus === 3 ? null : Date.now(),
            },
            ...{ reportTime: Date.now(), sourceAddress: me, needAlert: false },
          })
        await report(3, '')
        const result = run(String(order['processorInfo']), String(order['instanceParams'] ?? ''))
        if (result !== '') await report(5, result)
        // Repeated by its server it comes again under its number.
        if (result !== '') seen.delete(id)
      }
      const listener = createServer((request, response) => {
        let body = ''
        request.on('data', chunk => (body += chunk))
        request.on('end', () => {
          if (request.url?.endsWith('/runJob')) {
            response.end()
            void work(parseWhole(body) as Record<string, unknown>)
          } else response.setHeader('content-type', 'application/json').end('{"success":true}')
        })
      })
      await new Promise<void>(ready => listener.listen(own, '127.0.0.1', ready))
      const beat = () =>
        tell('/server/workerHeartbeat', {
          ...{
            workerAddress: me,
            appName: app,
            appId,
            heartbeatTime: Date.now(),
            containerInfos: [],
            version: 'kaopu',
            protocol: 'HTTP',
            client: 'kaopu',
          },
          ...{ overload: false, isOverload: false, lightTaskTrackerNum: 0, heavyTaskTrackerNum: 0 },
          systemMetrics: {
            ...{ cpuProcessors: cpus().length, cpuLoad: 0.1, jvmUsedMemory: 0.2, jvmMaxMemory: 2, jvmMemoryUsage: 0.1 },
            ...{ diskUsed: 1, diskTotal: 100, diskUsage: 0.01, score: 50 },
          },
        })
      await beat()
      const timer = setInterval(() => void beat().catch(() => {}), 5_000)
      return {
        close: () => {
          clearInterval(timer)
          listener.closeAllConnections()
          listener.close()
        },
      }
    },
    kill: () => child.kill('SIGKILL'),
    close: async () => {
      child.kill('SIGKILL')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
