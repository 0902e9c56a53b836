import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const version = 'v1.8.0'
const cache = fileURLToPath(new URL('../../../node_modules/.cache/', import.meta.url))
const binary = join(cache, 'go-bin', 'versitygw')
/** Building takes two minutes of a processor the first time. */
const buildMs = 15 * 60_000
const startMs = 30_000

const hasGo = (): boolean => {
  try {
    execFileSync('go', ['version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
/** Why no real service can be started here; undefined when one can. */
export const noRealS3 = (): string | undefined => (existsSync(binary) || hasGo() ? undefined : 'there is no go')

/** The program, built once. @returns its path */
export const versitygw = (): string => {
  if (existsSync(binary)) return binary
  mkdirSync(join(cache, 'go-bin'), { recursive: true })
  execFileSync('go', ['install', `github.com/versity/versitygw/cmd/versitygw@${version}`], {
    env: { ...process.env, GOBIN: join(cache, 'go-bin') },
    stdio: 'inherit',
    timeout: buildMs,
  })
  return binary
}

const freePort = (): Promise<number> =>
  new Promise(resolve => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo
      probe.close(() => resolve(port))
    })
  })

export interface RealS3 {
  readonly origin: string
  readonly accessKey: string
  readonly secretKey: string
  readonly region: string
  /** Names of what lies in a bucket, half finished uploads too. */
  objects(bucket: string): string[]
  /** A bucket is a folder of the server. */
  makeBucket(name: string): void
  /** Takes a bucket away under whoever uses it, and brings it back. */
  hideBucket(name: string): void
  showBucket(name: string): void
  kill(): Promise<void>
  start(): Promise<void>
  close(): Promise<void>
}

/** versitygw, a service of the S3 protocol that checks secrets, links, lengths and conditions, on a folder of its own. */
export const startRealS3 = async (): Promise<RealS3> => {
  versitygw()
  const folder = mkdtempSync(join(tmpdir(), 'kaopu-s3-'))
  const data = join(folder, 'data')
  mkdirSync(data)
  mkdirSync(join(folder, 'versions'))
  mkdirSync(join(folder, 'hidden'))
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const keys = { accessKey: 'kaopukey', secretKey: 'kaopusecret123', region: 'us-east-1' }
  let child: ChildProcess | undefined
  const start = async (): Promise<void> => {
    const started = spawn(
      binary,
      ['--port', `127.0.0.1:${port}`, '--region', keys.region, 'posix', '--versioning-dir', join(folder, 'versions'), data],
      { env: { ...process.env, ROOT_ACCESS_KEY: keys.accessKey, ROOT_SECRET_KEY: keys.secretKey }, stdio: 'ignore' },
    )
    child = started
    for (const until = Date.now() + startMs; Date.now() < until; await pause(50)) {
      if (started.exitCode !== null) break
      if (
        await fetch(origin).then(
          answer => answer.body?.cancel().then(() => true) ?? true,
          () => false,
        )
      )
        return
    }
    throw new Error('versitygw did not start')
  }
  const kill = async (): Promise<void> => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise(resolve => child?.once('exit', resolve))
    child.kill('SIGKILL')
    await ended
  }
  await start()
  return {
    origin,
    ...keys,
    objects: bucket =>
      readdirSync(join(data, bucket), { recursive: true, withFileTypes: true })
        .filter(entry => entry.isFile())
        .map(entry => relative(join(data, bucket), join(entry.parentPath, entry.name))),
    makeBucket: name => mkdirSync(join(data, name)),
    hideBucket: name => renameSync(join(data, name), join(folder, 'hidden', name)),
    showBucket: name => renameSync(join(folder, 'hidden', name), join(data, name)),
    kill,
    start,
    close: async () => {
      await kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
