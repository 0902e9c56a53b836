import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import { inject } from 'vitest'
import { fromBufferPromise } from 'yauzl'
import type { Resource } from '#contract/kernel/resource.ts'
import { isResource } from '#contract/nouns.ts'
import { hashToken, newToken } from '#kernel/crypto/token.ts'
import { findFreePort } from '#kernel/free-port.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const run = promisify(execFile)

/** The files of a zip, by their paths. */
export const filesInZip = async (bytes: Buffer): Promise<ReadonlyMap<string, string>> => {
  const files = new Map<string, string>()
  const zip = await fromBufferPromise(bytes, {})
  for await (const entry of zip.eachEntry()) {
    const chunks: Buffer[] = []
    for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk as Buffer)
    files.set(entry.fileName, Buffer.concat(chunks).toString())
  }
  return files
}

/** A copy of the program into which generated files are unpacked. */
export interface SourceTree {
  readonly folder: string
  unpack(files: ReadonlyMap<string, string>): Promise<readonly Resource[]>
  /** What the compiler says of the contract, the server and the generated tests; empty when all is well. */
  typeCheck(): Promise<string>
  /** What `vitest` says of generated tests. */
  test(files: readonly string[]): Promise<string>
  /** The program of this copy on a database of its own. */
  start(): Promise<RunningTree>
  remove(): void
}
export interface RunningTree {
  /** Somebody of the first tenant with these roles. */
  staff(
    roles: readonly string[],
  ): Promise<(method: 'GET' | 'POST', path: string, values?: Readonly<Record<string, unknown>>) => Promise<TreeAnswer>>
  stop(): Promise<void>
}
export interface TreeAnswer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape -- parsing border
  readonly body: any
}

export const copySourceTree = (): SourceTree => {
  const folder = mkdtempSync(join(tmpdir(), 'kaopu-tree-'))
  for (const part of ['contract', 'server', 'tools', 'assets', 'package.json', 'package-lock.json', 'tsconfig.base.json', 'start.mjs'])
    if (existsSync(join(root, part))) cpSync(join(root, part), join(folder, part), { recursive: true })
  // Packages are the same; what they keep of earlier runs is not.
  mkdirSync(join(folder, 'node_modules'))
  for (const name of readdirSync(join(root, 'node_modules')))
    if (name !== '.cache') symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name))
  const generated: string[] = []
  return {
    folder,
    unpack: async files => {
      for (const [path, text] of files) {
        mkdirSync(dirname(join(folder, path)), { recursive: true })
        writeFileSync(join(folder, path), text)
        generated.push(path)
      }
      await run(process.execPath, ['tools/nouns.ts'], { cwd: folder })
      const found: Resource[] = []
      for (const path of files.keys()) {
        if (!path.endsWith('.resource.ts')) continue
        const module = (await import(pathToFileURL(join(folder, path)).href)) as Readonly<Record<string, unknown>>
        found.push(...Object.values(module).filter(isResource))
      }
      return found
    },
    typeCheck: async () => {
      const options = { compilerOptions: { lib: ['es2024', 'esnext'], types: ['node'] } }
      writeFileSync(
        join(folder, 'tsconfig.json'),
        JSON.stringify({
          extends: './tsconfig.base.json',
          ...options,
          include: ['contract/src', 'server/src', 'server/test/support/cluster.ts', ...generated],
          exclude: ['**/src/**/*.test.ts'],
        }),
      )
      try {
        await run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', '.', '--noEmit'], { cwd: folder })
        return ''
      } catch (error) {
        return (error as { stdout: string }).stdout
      }
    },
    test: async files => {
      const vitest = join(folder, 'node_modules/vitest/vitest.mjs')
      try {
        await run(process.execPath, [vitest, 'run', '--config', 'server/test/vitest.config.ts', ...files], {
          cwd: folder,
          maxBuffer: 64 * 2 ** 20,
        })
        return ''
      } catch (error) {
        const { stdout, stderr } = error as { stdout: string; stderr: string }
        return `${stdout}\n${stderr}`
      }
    },
    start: () => startTree(folder),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

const startTree = async (folder: string): Promise<RunningTree> => {
  const adminUrl = inject('adminUrl')
  const name = `tree_${newToken()
    .replace(/[^a-zA-Z0-9]/g, '')
    .slice(0, 12)
    .toLowerCase()}`
  const admin = new pg.Client({ connectionString: adminUrl })
  await admin.connect()
  await admin.query(`create database ${name} template ${inject('template')}`)
  const url = new URL(adminUrl)
  url.pathname = `/${name}`
  const owner = new pg.Client({ connectionString: url.href })
  await owner.connect()
  await owner.query("select set_config('app.now', now()::text, false)")
  const dataDir = mkdtempSync(join(tmpdir(), 'kaopu-tree-data-'))
  const port = await findFreePort(17_400)
  const child: ChildProcess = spawn(process.execPath, [join(folder, 'server/src/main.mjs')], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      KAOPU_PROFILE: 'test',
      KAOPU_DATA: dataDir,
      KAOPU_LOG_LEVEL: 'error',
      KAOPU_SECRETS_FILE: join(inject('dataDir'), 'secrets.json'),
      DATABASE_URL: url.href,
      PORT: String(port),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM')
      await once(child, 'exit')
    }
    await owner.end()
    await admin.query(`drop database if exists ${name} with (force)`)
    await admin.end()
    rmSync(dataDir, { recursive: true, force: true })
  }
  const said: string[] = []
  createInterface({ input: child.stderr as Readable }).on('line', line => said.push(line))
  const address = await new Promise<string>((done, fail) => {
    createInterface({ input: child.stdout as Readable }).on('line', line => {
      const found = /^Kaopu is ready at (\S+)$/.exec(line)?.[1]
      if (found !== undefined) done(found)
    })
    child.on('exit', () => fail(new Error(said.join('\n'))))
  }).catch(async (error: unknown) => {
    await stop()
    throw error
  })
  return {
    stop,
    staff: async roles => {
      const access = newToken()
      const far = new Date(Date.now() + 86_400_000)
      const account = `tree${newToken().slice(0, 8)}`
      const { rows } = await owner.query<{ id: string }>(
        "insert into account (tenant_id, account, account_key, user_type, nick_name, real_name) values ('000000', $1, $1, 1, $1, $1) returning id::text as id",
        [account],
      )
      const id = rows[0]?.id
      await owner.query(
        "insert into account_role (tenant_id, user_id, role_id) select '000000', $1, id from role where tenant_id = '000000' and role_alias = any($2)",
        [id, roles],
      )
      await owner.query(
        `insert into session (tenant_id, user_id, user_type, client_id, access_hash, access_until, refresh_hash, refresh_until, fingerprint, role_ids, created_at, active_at)
         values ('000000', $1, 1, 'kaopu-web', $2, $3, $4, $3, $5,
           coalesce((select jsonb_agg(role_id::text) from account_role where tenant_id = '000000' and user_id = $1), '[]'), now(), now())`,
        [id, hashToken(access), far, hashToken(newToken()), 'f'.repeat(64)],
      )
      const headers = {
        authorization: `Basic ${Buffer.from('kaopu-web:kaopu-web').toString('base64')}`,
        'blade-auth': `bearer ${access}`,
        'user-agent': 'kaopu-test',
      }
      return async (method, path, values = {}) => {
        const query = method === 'GET' ? `?${new URLSearchParams(Object.entries(values).map(([key, value]) => [key, String(value)]))}` : ''
        const answer = await fetch(`${address}/api${path}${query}`, {
          method,
          headers: method === 'GET' ? headers : { ...headers, 'content-type': 'application/json' },
          ...(method === 'GET' ? {} : { body: JSON.stringify(values) }),
        })
        return { status: answer.status, body: await answer.json() }
      }
    },
  }
}
