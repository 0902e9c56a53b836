// node server/test/platform/upgrade/take.ts <data folder> <release>: keeps a stopped demo installation as the fixture <release>.json.gz, from which
// upgrade.test.ts starts. Keys and passwords in it open demo data and nothing else.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import pg from 'pg'
import { startEmbedded } from '#kernel/db/embedded.ts'
import { createLog } from '#kernel/log.ts'

/** What every installation reads from the program's own files, and what a later start makes anew. */
const leftOut = ['region', 'school', 'schema_migration', 'session', 'idempotency', 'login_challenge', 'used_cipher']

const [dataDir = '', release = ''] = process.argv.slice(2)
const read = (name: string): unknown => JSON.parse(readFileSync(join(dataDir, name), 'utf8'))
const database = await startEmbedded({ dataDir, log: createLog('error') })
const url = new URL(database.url)
url.pathname = '/kaopu'
const client = new pg.Client({ connectionString: url.href })
await client.connect()
const { rows: migrations } = await client.query<{ name: string; checksum: string }>(
  'select name, checksum from schema_migration order by name',
)
const { rows: names } = await client.query<{ name: string }>(
  `select tablename as name from pg_tables where schemaname = 'public' order by tablename`,
)
// Rows stay text: their ids are longer than a number of JavaScript.
const tables: Record<string, string> = {}
for (const { name } of names) {
  if (leftOut.includes(name)) continue
  const { rows } = await client.query<{ rows: string | null }>(`select json_agg(t)::text as rows from "${name}" t`)
  if (rows[0]?.rows) tables[name] = rows[0].rows
}
const { rows: now } = await client.query<{ now: Date }>('select now()')
await client.end()
await database.stop()
const { databasePasswords: _, ...secrets } = read('secrets.json') as Record<string, unknown>
const fixture = { takenAt: now[0]?.now, migrations, accounts: read('demo-accounts.json'), secrets, tables }
writeFileSync(join(import.meta.dirname, `${release}.json.gz`), gzipSync(JSON.stringify(fixture), { level: 9 }))
