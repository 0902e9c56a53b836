import { fromBufferPromise, openPromise } from 'yauzl'

/** What keeps an archive from being read. */
export type ZipProblem = 'broken' | 'entries' | 'size'

export interface ZipLimits {
  readonly maxEntries: number
  /** Unpacked, of one file; what says less and is more ends there. */
  readonly maxFileBytes: number
}

/**
 * Hands the files of an archive over one by one, folders left out. Names go by their last part: nothing is ever written where they say.
 *
 * @param archive - its path, or its bytes where it was not written anywhere
 * @param visit - `bytes` is undefined for a file that is too large
 */
export const readZip = async (
  archive: string | Buffer,
  { maxEntries, maxFileBytes }: ZipLimits,
  visit: (file: { readonly name: string; readonly bytes: Buffer | undefined }) => Promise<void>,
): Promise<ZipProblem | undefined> => {
  try {
    const how = { strictFileNames: false, validateEntrySizes: true }
    const zip = await (typeof archive === 'string' ? openPromise(archive, how) : fromBufferPromise(archive, how))
    try {
      if (zip.entryCount > maxEntries) return 'entries'
      for await (const entry of zip.eachEntry()) {
        const name = entry.fileName.split(/[/\\]/).at(-1) ?? ''
        // What other systems keep beside files is none.
        if (name === '' || entry.fileName.startsWith('__MACOSX/') || name.startsWith('.')) continue
        if (entry.uncompressedSize > maxFileBytes) await visit({ name, bytes: undefined })
        else {
          const parts: Buffer[] = []
          for await (const part of await zip.openReadStreamPromise(entry)) parts.push(part as Buffer)
          await visit({ name, bytes: Buffer.concat(parts) })
        }
      }
      return undefined
    } finally {
      zip.close()
    }
  } catch (error) {
    if (
      error instanceof Error &&
      /^(invalid|end of central|unexpected|too many|not enough|unsupported|expected|truncated)/i.test(error.message)
    )
      return 'broken'
    throw error
  }
}
