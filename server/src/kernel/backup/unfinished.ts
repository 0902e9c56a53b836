import { rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { StartRefusal } from '#kernel/db/embedded-binaries.ts'

/** There from the first byte of a restore to its end. */
const markOf = (dataDir: string): string => join(dataDir, 'restore-unfinished')

export const markUnfinished = (dataDir: string): Promise<void> => writeFile(markOf(dataDir), '', { mode: 0o600, flag: 'wx' })
export const markFinished = (dataDir: string): Promise<void> => rm(markOf(dataDir))

/** @throws StartRefusal for a data folder that a restore broke off in */
export const refuseUnfinished = async (dataDir: string): Promise<void> => {
  if (await stat(markOf(dataDir)).catch(() => undefined))
    throw new StartRefusal(
      `A restore into ${dataDir} was not finished. Empty the folder (and the database, where it is not the bundled one) and restore again.`,
    )
}
