import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Lays bytes down as a file for as long as the work takes. */
export const withTempFile = async <T>(bytes: Uint8Array, work: (path: string) => Promise<T>): Promise<T> => {
  const folder = await mkdtemp(join(tmpdir(), 'kaopu-'))
  try {
    const path = join(folder, 'file')
    await writeFile(path, bytes)
    return await work(path)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
