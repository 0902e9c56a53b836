import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createConnection } from 'node:net'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePort } from '#kernel/free-port.ts'

/** Packages of the server are kept between runs, as other downloads are. */
const folder = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'kaopu', 'mariadb')
const packages = ['mariadb-server-core', 'mariadb-client-core', 'liburing2', 'libaio1', 'libnuma1']

const has = (program: string, ...args: string[]): boolean => {
  try {
    execFileSync(program, args, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
const isFetched = (): boolean => existsSync(join(folder, 'root/usr/sbin/mariadbd'))

/** Why no real server can be started here; undefined when one can. The packages of Debian are unpacked into a folder, nothing is installed. */
export const noRealMariaDb = (): string | undefined => {
  if (process.getuid?.() !== 0 || process.platform !== 'linux') return 'this is not root on Linux'
  if (isFetched()) return undefined
  if (!has('apt-get', '--version') || !has('dpkg', '--version')) return 'there is no apt-get'
  mkdirSync(folder, { recursive: true })
  try {
    execFileSync('apt-get', ['download', ...packages], { cwd: folder, stdio: 'ignore' })
  } catch {
    return 'apt-get could not download it'
  }
  for (const name of readdirSync(folder)) if (name.endsWith('.deb')) execFileSync('dpkg', ['-x', join(folder, name), join(folder, 'root')])
  return isFetched() ? undefined : 'the packages hold no mariadbd'
}

/** The user nobody: a database server does not run as root. */
const nobody = 65_534

export interface RealMariaDb {
  readonly host: string
  readonly port: number
  close(): Promise<void>
}

const answers = (port: number): Promise<boolean> =>
  new Promise(done => {
    const socket = createConnection(port, '127.0.0.1')
    socket.once('data', () => {
      socket.destroy()
      done(true)
    })
    socket.once('error', () => done(false))
  })

/** A server with a folder of its own. @param statements - run before it listens, as its owner */
export const startRealMariaDb = async (statements: readonly string[]): Promise<RealMariaDb> => {
  const root = join(folder, 'root')
  const libraries = { LD_LIBRARY_PATH: ['usr/lib/x86_64-linux-gnu', 'lib/x86_64-linux-gnu'].map(path => join(root, path)).join(':') }
  // Packages lie where others may not look: the server reads a copy of none, so it begins as root and changes over by itself.
  const data = mkdtempSync(join(tmpdir(), 'kaopu-maria-'))
  chownSync(data, nobody, nobody)
  const port = (await findFreePort(17_600)) ?? 0
  const init = join(data, 'init.sql')
  const share = join(root, 'usr/share/mysql')
  const common = [
    '--no-defaults',
    '--user=nobody',
    `--datadir=${join(data, 'db')}`,
    `--lc-messages-dir=${share}`,
    `--character-sets-dir=${join(share, 'charsets')}`,
    `--pid-file=${join(data, 'pid')}`,
    `--socket=${join(data, 's')}`,
  ]
  mkdirSync(join(data, 'db'))
  chownSync(join(data, 'db'), nobody, nobody)
  const scripts = ['mysql_system_tables.sql', 'mysql_performance_tables.sql', 'mysql_system_tables_data.sql'].map(name => join(share, name))
  const mysqld = join(root, 'usr/sbin/mariadbd')
  execFileSync(
    'sh',
    [
      '-c',
      `(printf 'create database mysql;\nuse mysql;\n'; cat ${scripts.map(path => `'${path}'`).join(' ')}) | "$0" "$@"`,
      mysqld,
      ...common,
      '--bootstrap',
      '--silent-startup',
    ],
    { env: { ...process.env, ...libraries }, stdio: ['ignore', 'ignore', 'pipe'] },
  )
  writeFileSync(init, `${['set names utf8mb4', ...statements].map(statement => statement.replaceAll(/\s*\n\s*/g, ' ')).join(';\n')};\n`)
  const child = spawn(mysqld, [...common, `--port=${port}`, '--bind-address=127.0.0.1', `--init-file=${init}`], {
    env: { ...process.env, ...libraries },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const said: string[] = []
  const ready = new Promise<void>((done, fail) => {
    child.stderr.on('data', (chunk: Buffer) => {
      said.push(chunk.toString())
      if (/ready for connections/.test(said.join(''))) done()
      // A statement that failed ends the start file and not the server.
      if (/\[ERROR\]/.test(said.join(''))) fail(new Error(said.join('')))
    })
    child.once('exit', () => fail(new Error(said.join(''))))
  })
  await ready
  if (!(await answers(port))) throw new Error(`the server says it is ready and does not answer: ${said.join('')}`)
  return {
    host: '127.0.0.1',
    port,
    close: async () => {
      child.kill('SIGTERM')
      await once(child, 'exit')
      rmSync(data, { recursive: true, force: true })
    },
  }
}
