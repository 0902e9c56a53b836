// Where the tests put what lives for minutes: databases and data folders. Plain JavaScript, for the configuration of vitest.
import { mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'

/** A file system in memory. Making a file on a disk takes up to a millisecond, and a database has 1,200 of them. */
export const memory = '/dev/shm'
const enoughBytes = 4 * 1024 ** 3
const prefix = 'kaopu-tests-'

const isRunning = pid => {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}

const freeBytes = place => {
  try {
    const { bavail, bsize } = statfsSync(place)
    return bavail * bsize
  } catch {
    return 0
  }
}

/**
 * From here on temporary files of this process and of those it starts lie in memory, where the system has such a place with room, and nobody has
 * said where they should lie (TMPDIR). They go when the process ends; what a killed one has left goes with the next.
 * @param place - the file system in memory
 * @param enough - bytes that must be free there
 */
export const keepTempInMemory = (place = memory, enough = enoughBytes) => {
  if (process.platform !== 'linux' || process.env.TMPDIR !== undefined || freeBytes(place) < enough) return
  for (const name of readdirSync(place))
    if (name.startsWith(prefix) && !isRunning(Number(name.slice(prefix.length))))
      rmSync(join(place, name), { recursive: true, force: true })
  const folder = join(place, `${prefix}${process.pid}`)
  // The database server may run as another user: it must be able to walk through.
  mkdirSync(folder, { recursive: true, mode: 0o755 })
  process.env.TMPDIR = folder
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
}
