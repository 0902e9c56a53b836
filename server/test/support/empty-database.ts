import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { inject } from 'vitest'
import { newToken } from '#kernel/crypto/token.ts'

/** A database without anything, and a data folder, for processes that begin an installation of their own beside the prepared ones. */
export interface EmptyDatabase {
  readonly url: string
  readonly dataDir: string
  /** Its login roles go too: they belong to it alone. */
  close(): Promise<void>
}

export const emptyDatabase = async (): Promise<EmptyDatabase> => {
  const name = `kaopu_e_${process.pid}_${newToken()
    .replace(/[^a-zA-Z0-9]/g, '')
    .slice(0, 8)
    .toLowerCase()}`
  const admin = new pg.Client({ connectionString: inject('adminUrl') })
  await admin.connect()
  await admin.query(`create database ${name}`)
  const url = new URL(inject('adminUrl'))
  url.pathname = `/${name}`
  const dataDir = await mkdtemp(join(tmpdir(), 'kaopu-empty-'))
  await chmod(dataDir, 0o755)
  return {
    url: url.href,
    dataDir,
    close: async () => {
      await admin.query(`drop database ${name} with (force)`)
      const { rows } = await admin.query<{ name: string }>('select rolname as name from pg_roles where starts_with(rolname, $1)', [
        `${name}_`,
      ])
      for (const role of rows) await admin.query(`drop role ${role.name}`)
      await admin.end()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
