import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, createWriteStream, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { newToken } from '#kernel/crypto/token.ts'
import { findFreePort } from '#kernel/free-port.ts'

const binaries = '/usr/lib/postgresql/15/bin'
const needed = ['/usr/bin/patroni', '/usr/bin/etcd', `${binaries}/postgres`]
const packages = ['patroni', 'etcd-server', 'postgresql-15']

/** Why no cluster can be started here; undefined when one can. The packages of Debian are installed where they are missing. */
export const noRealPatroni = (): string | undefined => {
  if (process.getuid?.() !== 0 || process.platform !== 'linux') return 'this is not root on Linux'
  if (!needed.every(existsSync))
    try {
      execFileSync('flock', ['/tmp/apt.lock', 'apt-get', 'install', '-y', '--no-install-recommends', ...packages], { stdio: 'ignore' })
    } catch {
      return 'apt-get could not install patroni, etcd-server and postgresql-15'
    }
  return needed.every(existsSync) ? undefined : 'the packages hold no patroni, etcd or postgres'
}

/** Seconds after which a leader that says nothing is replaced: the least that Patroni takes. */
export const ttlSeconds = 20

export interface RealPatroni {
  /** As the owner of the database `kaopu`, who is no superuser: all members, to whichever takes writes. */
  readonly databaseUrl: string
  /** Configuration file of a member, as `patronictl -c` takes it. */
  readonly configuration: string
  /** Folder of the members' logs. */
  readonly folder: string
  /** Name of the leader; waits until there is one with a synchronous standby. */
  leader(): Promise<string>
  /** kill -9 to Patroni and PostgreSQL of the member, at once. */
  kill(member: string): void
  /** Starts a killed member again; it follows the leader when `leader` says so. */
  revive(member: string): void
  close(): Promise<void>
}

interface Member {
  readonly name: string
  readonly data: string
  readonly configuration: string
  readonly api: string
  process: ChildProcess
}

/** The user of Debian's packages; neither Patroni nor PostgreSQL runs as root. */
const idOf = (what: '-u' | '-g'): number => Number(execFileSync('id', [what, 'postgres'], { encoding: 'utf8' }))

/**
 * Three members of PostgreSQL 15 under Patroni, with etcd, on 127.0.0.1: synchronous replication that is strict and `remote_apply`. The owner and the
 * database are made by the commands that the paper gives, which `prepare` runs against the leader.
 *
 * @param prepare - gets host, port and password of the superuser `postgres` at the leader; returns the owner's password
 */
export const startRealPatroni = async (
  prepare: (leader: { readonly port: number; readonly password: string }) => string,
): Promise<RealPatroni> => {
  const folder = mkdtempSync(join(tmpdir(), 'kaopu-patroni-'))
  const [uid, gid] = [idOf('-u'), idOf('-g')]
  chownSync(folder, uid, gid)
  let nextPort = 21_000
  const port = async (): Promise<number> => {
    const found = await findFreePort(nextPort)
    if (found === undefined) throw new Error('no free port')
    nextPort = found + 1
    return found
  }
  const run = (command: string, args: readonly string[], log: string): ChildProcess => {
    const child = spawn(command, args, { uid, gid, cwd: folder, env: { PATH: process.env['PATH'], HOME: folder, LANG: 'C.UTF-8' } })
    const to = createWriteStream(join(folder, log), { flags: 'a' })
    child.stdout?.pipe(to, { end: false })
    child.stderr?.pipe(to, { end: false })
    return child
  }
  const [client, peer] = [await port(), await port()]
  const etcd = run(
    '/usr/bin/etcd',
    [
      ...['--name', 'one', '--data-dir', join(folder, 'etcd')],
      ...['--listen-client-urls', `http://127.0.0.1:${client}`, '--advertise-client-urls', `http://127.0.0.1:${client}`],
      ...['--listen-peer-urls', `http://127.0.0.1:${peer}`, '--initial-advertise-peer-urls', `http://127.0.0.1:${peer}`],
      ...['--initial-cluster', `one=http://127.0.0.1:${peer}`],
    ],
    'etcd.log',
  )
  const password = newToken()
  const members: Member[] = []
  const ports = new Map<string, number>()
  for (const name of ['one', 'two', 'three']) {
    const [database, api] = [await port(), await port()]
    ports.set(name, database)
    const home = join(folder, name)
    mkdirSync(home)
    chownSync(home, uid, gid)
    const configuration = join(home, 'patroni.yml')
    writeFileSync(
      configuration,
      `scope: kaopu
name: ${name}
restapi: {listen: "127.0.0.1:${api}", connect_address: "127.0.0.1:${api}"}
etcd3: {hosts: "127.0.0.1:${client}"}
bootstrap:
  dcs:
    ttl: ${ttlSeconds}
    loop_wait: 5
    retry_timeout: 5
    synchronous_mode: true
    synchronous_mode_strict: true
    postgresql:
      use_pg_rewind: true
      parameters: {synchronous_commit: remote_apply, max_connections: 200, wal_log_hints: "on"}
  initdb: [{encoding: UTF8}, {locale: C.UTF-8}, data-checksums]
postgresql:
  listen: 127.0.0.1:${database}
  connect_address: 127.0.0.1:${database}
  data_dir: ${home}/data
  bin_dir: ${binaries}
  pgpass: ${home}/pgpass
  authentication:
    superuser: {username: postgres, password: ${password}}
    replication: {username: replicator, password: ${password}}
    rewind: {username: rewinder, password: ${password}}
  parameters: {unix_socket_directories: ${home}, shared_buffers: 64MB}
  pg_hba:
    - host replication replicator 127.0.0.1/32 scram-sha-256
    - host all all 127.0.0.1/32 scram-sha-256
`,
    )
    chownSync(configuration, uid, gid)
    members.push({
      ...{ name, configuration, data: join(home, 'data'), api: `http://127.0.0.1:${api}` },
      process: run('/usr/bin/patroni', [configuration], `${name}.log`),
    })
  }
  const memberOf = (name: string): Member => {
    const found = members.find(one => one.name === name)
    if (found === undefined) throw new Error(`no member ${name}`)
    return found
  }
  interface Seen {
    readonly name: string
    readonly role: string
    readonly state: string
  }
  const look = async (): Promise<readonly Seen[]> => {
    for (const { api } of members)
      try {
        return ((await (await fetch(`${api}/cluster`)).json()) as { readonly members: readonly Seen[] }).members
      } catch {
        // This one is down; another may answer.
      }
    return []
  }
  const leader = async (): Promise<string> => {
    for (const until = performance.now() + 180_000; performance.now() < until; await pause(200)) {
      const seen = await look()
      const found = seen.find(one => one.role === 'leader' && one.state === 'running')
      if (found && seen.some(one => one.role === 'sync_standby' && /^(running|streaming)$/.test(one.state))) return found.name
    }
    throw new Error(`the cluster has no leader with a synchronous standby; its logs are in ${folder}`)
  }
  const first = await leader()
  const ownerPassword = prepare({ port: ports.get(first) ?? 0, password })
  const [one] = members
  return {
    databaseUrl: `postgresql://kaopu_owner:${ownerPassword}@${[...ports.values()].map(at => `127.0.0.1:${at}`).join(',')}/kaopu?target_session_attrs=read-write`,
    configuration: one?.configuration ?? '',
    folder,
    leader,
    kill: name => {
      const member = memberOf(name)
      member.process.kill('SIGKILL')
      const [pid] = readFileSync(join(member.data, 'postmaster.pid'), 'utf8').split('\n')
      process.kill(Number(pid), 'SIGKILL')
    },
    revive: name => {
      const member = memberOf(name)
      member.process = run('/usr/bin/patroni', [member.configuration], `${name}.log`)
    },
    close: async () => {
      // Each takes its server along.
      const living = members.map(member => member.process).filter(child => child.exitCode === null && child.signalCode === null)
      for (const child of living) child.kill('SIGTERM')
      await Promise.all(living.map(child => once(child, 'exit')))
      etcd.kill('SIGTERM')
      if (etcd.exitCode === null && etcd.signalCode === null) await once(etcd, 'exit')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
