import { copyFile, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'

/**
 * A data folder for a process of its own, with the secrets of all tests: the common one remembers the audit of other tests' databases, and a
 * process that finds its own database older than that holds itself back.
 */
export const ownFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'kaopu-own-'))
  await copyFile(join(inject('dataDir'), 'secrets.json'), join(folder, 'secrets.json'))
  return folder
}
