import { parseArgs } from 'node:util'
import { called } from '#kernel/called.ts'
import { StartRefusal } from '#kernel/db/embedded-binaries.ts'
import { type Preparation, prepareDatabase } from '#kernel/db/migrate.ts'
import { openOwnerPool } from '#kernel/db/pool.ts'
import { command, withInstallation } from '#server/operator.ts'

// `npm run migrate`: brings the database to this release without starting it; a start does the same.

const usage = `Brings the database to this release, as a start does.

  ${called('migrate', '--dry-run')}    tries it, says how long each step takes and what it locks, and takes everything back
  ${called('migrate').padEnd(called('migrate', '--dry-run').length)}    does it

The trial runs on the database itself in one transaction that is rolled back: its tables are locked meanwhile, so no process of Kaopu may be
connected. To try while the release before runs, restore a backup into another database and set DATABASE_URL to that.`

/** @returns the lines to print */
export const reportOf = ({ tried, exclusive }: Pick<Preparation, 'tried' | 'exclusive'>): readonly string[] => {
  if (tried.length === 0 && exclusive.length === 0) return ['The database is at this release: nothing to migrate.']
  const names = (title: string, tables: readonly string[]): string => (tables.length === 0 ? '' : `; ${title}: ${tables.join(', ')}`)
  // A lock lasts to the end of its transaction, so a later step has those of the ones before; each is named where it was taken.
  const seen = new Set<string>()
  const fresh = (tables: readonly string[]): string[] => tables.filter(table => !seen.has(table) && seen.add(table))
  return [
    ...tried.map(
      one =>
        `${one.name.slice(0, -4)}: ${one.durationMs} ms${names('nobody reads', fresh(one.closed))}${names('nobody writes', fresh(one.readOnly))}`,
    ),
    `${tried.length} migrations, ${tried.reduce((sum, { durationMs }) => sum + durationMs, 0)} ms. Everything was taken back.`,
    exclusive.length === 0
      ? 'The release before keeps running meanwhile and afterwards: processes can be restarted one by one.'
      : `Stop every process of Kaopu for the upgrade: ${exclusive.join('; ')}`,
  ]
}

if (import.meta.main)
  await command(async () => {
    let isTrial: boolean
    try {
      isTrial = parseArgs({ options: { 'dry-run': { type: 'boolean', default: false } } }).values['dry-run']
    } catch (error) {
      throw new StartRefusal(`${(error as Error).message}\n\n${usage}`)
    }
    await withInstallation(async ({ databaseUrl, secrets, log }) => {
      const owner = openOwnerPool(databaseUrl, log)
      try {
        const prepared = await prepareDatabase(owner, log, { passwords: secrets.databasePasswords, isTrial })
        for (const line of isTrial ? reportOf(prepared) : [`The database is at this release; ${prepared.migrated} migrations ran.`])
          console.log(line)
      } finally {
        await owner.end()
      }
    })
    return 0
  })
