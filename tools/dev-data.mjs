// The data folder of the development loop (tools/dev.mjs): beginning anew, and what to say where the database refuses a changed migration.
// Plain JavaScript: it runs before the packages are there.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { Trouble } from './install.mjs'

const isAlive = pid => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}
const readText = path => (existsSync(path) ? readFileSync(path, 'utf8') : '')

/** Processes that work on the folder: the program by its note, the database by its lock file. */
const workers = folder => {
  const note = readText(join(folder, 'running.json'))
  const locks = readdirSync(folder, { recursive: true })
    .filter(path => basename(path) === 'postmaster.pid')
    .map(lock => readText(join(folder, lock)).split('\n')[0])
  const pids = [...(note === '' ? [] : [JSON.parse(note).pid]), ...locks].map(Number)
  return pids.filter(pid => Number.isInteger(pid) && pid > 0 && isAlive(pid))
}

/** Removes the demo data, so that the next start begins anew. Whatever else may be there is left alone, and said. */
export const beginAnew = (folder, databaseUrl) => {
  if (databaseUrl)
    throw new Trouble('--fresh removes the data folder of a demo; with DATABASE_URL the database is elsewhere. Make an empty one.')
  if (!existsSync(folder)) return
  if (!existsSync(join(folder, 'demo-accounts.json')))
    throw new Trouble(
      `--fresh removes demo data only, and ${folder} has no demo-accounts.json. Remove it yourself if nothing in it is needed.`,
    )
  const busy = workers(folder)
  if (busy.length > 0)
    throw new Trouble(`Kaopu is at work on ${folder} (process ${busy.join(', ')}). Stop it first, then try --fresh again.`)
  rmSync(folder, { recursive: true })
}

/** What to do about a line that the server ended with; undefined for any other. */
export const adviceFor = line => {
  const changed = /The migration (\S+) was changed after it was applied/.exec(line)?.[1]
  if (changed === undefined && !/The database (is newer than this program|structure differs)/.test(line)) return undefined
  const what =
    changed === undefined
      ? 'The demo database was made by other migrations than these.'
      : `${changed} ran in this demo before its last change.`
  return `${what} While a migration is not merged it may change: end this with Ctrl-C, then \`npm run dev -- --fresh\` begins with new demo data. A merged one stays as it is: restore it and write a new one.`
}
