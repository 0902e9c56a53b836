import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { childEnv, run, StartRefusal } from '#kernel/db/embedded-binaries.ts'

/** `pg_dump` and `pg_restore` of the server that `DATABASE_URL` names. */
export interface PgTools {
  readonly dump: string
  readonly restore: string
  readonly major: number
}

const versionOf = async (file: string): Promise<number | undefined> => {
  const { code, output } = await run(file, ['--version'])
  const major = /\(PostgreSQL\) (\d+)/.exec(output)?.[1]
  return code === 0 && major !== undefined ? Number(major) : undefined
}

/**
 * @param folder - of the tools; undefined: they are found by PATH
 * @param serverMajor - of the server that they work with: a pg_dump that is older refuses to read it
 * @throws StartRefusal where they are missing or too old
 */
export const findPgTools = async (folder: string | undefined, serverMajor: number): Promise<PgTools> => {
  const file = (name: string): string => (folder === undefined ? name : join(folder, name))
  const where = folder === undefined ? 'on the PATH' : `in ${folder} (KAOPU_PG_TOOLS)`
  const mend = `Install the client of PostgreSQL ${serverMajor} or later (Debian: postgresql-client-${serverMajor}) and name its folder with KAOPU_PG_TOOLS, as /usr/lib/postgresql/${serverMajor}/bin.`
  const [dump, restore] = [file('pg_dump'), file('pg_restore')]
  const [major, restoreMajor] = [await versionOf(dump), await versionOf(restore)]
  if (major === undefined || restoreMajor === undefined)
    throw new StartRefusal(
      `There is no ${major === undefined ? 'pg_dump' : 'pg_restore'} ${where}: a server of one's own is backed up with its own tools. ${mend}`,
    )
  const older = Math.min(major, restoreMajor)
  if (older < serverMajor)
    throw new StartRefusal(
      `pg_dump ${older} ${where} is older than the server, which is PostgreSQL ${serverMajor}, and would refuse to read it. ${mend}`,
    )
  return { dump, restore, major }
}

/** What the tools connect with; the password is in no list of processes. */
const connection = (databaseUrl: string): { readonly args: readonly string[]; readonly env: NodeJS.ProcessEnv } => {
  // Not by URL: an address may name several hosts.
  const [, before = '', user = '', password = '', after = ''] = /^(postgres(?:ql)?:\/\/)([^:@/]*):([^@/]*)(@.*)$/.exec(databaseUrl) ?? []
  return password === ''
    ? { args: [`--dbname=${databaseUrl}`], env: childEnv() }
    : { args: [`--dbname=${before}${user}${after}`], env: { ...childEnv(), PGPASSWORD: decodeURIComponent(password) } }
}

const ended = async (child: ChildProcess, name: string, said: () => string): Promise<void> => {
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null]
  if (code !== 0) throw new StartRefusal(`${name} ended with ${signal ?? code}: ${said().trim().split('\n').slice(-5).join(' ')}`)
}

/** One snapshot of the whole database in the custom format of pg_dump, compressed. */
export async function* dumpDatabase(tools: PgTools, databaseUrl: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const { args, env } = connection(databaseUrl)
  const child = spawn(tools.dump, [...args, '--format=custom', '--compress=1', '--no-password', '--lock-wait-timeout=60s'], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    signal,
  })
  let said = ''
  child.stderr.on('data', chunk => {
    said = (said + chunk).slice(-4_000)
  })
  const end = ended(child, 'pg_dump', () => said)
  // Heard of below, when all that it wrote has been read.
  end.catch(() => {})
  yield* child.stdout as AsyncIterable<Buffer>
  await end
}

/** Entries of a dump's list that switch row-level security on. */
const rowSecurity = /^\d+; \d+ \d+ (?:ROW SECURITY|POLICY) /

/**
 * Restores a dump into an empty database, by as many connections as are given. Row-level security comes last: it binds the owner too, and the check of a
 * reference would find no row.
 * @param file - pg_restore reads it at several places at once, so it is a file and no stream
 */
export const restoreDatabase = async (
  tools: PgTools,
  databaseUrl: string,
  file: string,
  { jobs, signal }: { readonly jobs: number; readonly signal: AbortSignal },
): Promise<void> => {
  const { args, env } = connection(databaseUrl)
  const pgRestore = async (more: readonly string[]): Promise<string> => {
    const child = spawn(tools.restore, [...more], { env, stdio: ['ignore', 'pipe', 'pipe'], signal })
    let [listed, said] = ['', '']
    ;(child.stdout as Readable).on('data', chunk => {
      listed += chunk
    })
    ;(child.stderr as Readable).on('data', chunk => {
      said = (said + chunk).slice(-4_000)
    })
    await ended(child, 'pg_restore', () => said)
    return listed
  }
  const entries = (await pgRestore(['--list', file])).split('\n')
  const [first, last] = [`${file}.first`, `${file}.last`]
  try {
    await writeFile(first, entries.filter(line => !rowSecurity.test(line)).join('\n'), { mode: 0o600 })
    await writeFile(last, entries.filter(line => rowSecurity.test(line)).join('\n'), { mode: 0o600 })
    const common = [...args, '--no-owner', '--exit-on-error', '--no-password']
    await pgRestore([...common, `--jobs=${jobs}`, `--use-list=${first}`, file])
    await pgRestore([...common, `--use-list=${last}`, file])
  } finally {
    for (const list of [first, last]) await rm(list, { force: true })
  }
}
