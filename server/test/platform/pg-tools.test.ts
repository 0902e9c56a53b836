import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findPgTools } from '#kernel/backup/pg-tools.ts'

test('tools of an older release than the server, or none, are refused with the way out', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kaopu-tools-'))
  const put = async (major: number): Promise<void> => {
    for (const name of ['pg_dump', 'pg_restore'])
      await writeFile(join(folder, name), `#!/bin/sh\necho "${name} (PostgreSQL) ${major}.4 (Debian)"\n`, { mode: 0o755 })
  }
  try {
    await expect(findPgTools(folder, 17)).rejects.toThrow(
      `There is no pg_dump in ${folder} (KAOPU_PG_TOOLS): a server of one's own is backed up with its own tools. Install the client of PostgreSQL 17 or later (Debian: postgresql-client-17)`,
    )
    await put(15)
    await expect(findPgTools(folder, 17)).rejects.toThrow(
      `pg_dump 15 in ${folder} (KAOPU_PG_TOOLS) is older than the server, which is PostgreSQL 17`,
    )
    expect(await findPgTools(folder, 15)).toEqual({ dump: join(folder, 'pg_dump'), restore: join(folder, 'pg_restore'), major: 15 })
  } finally {
    await rm(folder, { recursive: true })
  }
})
