import { Readable, type Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { ZipFile } from 'yazl'

/** A file of an archive: its bytes, or where they come from when its turn has come. */
export interface ZipEntry {
  readonly name: string
  readonly content: Buffer | (() => Promise<Readable>)
  readonly time: Date
}

/** Packs entries one after the other as they are read, so that an archive is never whole in memory. */
export const zipOf = (entries: readonly ZipEntry[]): Readable => {
  const zip = new ZipFile()
  for (const { name, content, time } of entries) {
    const options = { mtime: time, mode: 0o100600 }
    if (Buffer.isBuffer(content)) zip.addBuffer(content, name, options)
    else
      zip.addReadStreamLazy(name, { ...options, compress: false }, done => {
        content().then(
          stream => done(null, stream),
          (error: unknown) => done(error, Readable.from([])),
        )
      })
  }
  zip.end()
  const archive = zip.outputStream as Readable
  // What cannot be read ends the archive: a reader must not take half of one for the whole.
  zip.on('error', (error: Error) => archive.destroy(error))
  return archive
}

/**
 * Packs groups of entries one after the other while they are made: the next group is asked for when the one before has been packed, so that an
 * archive of any size holds a group in memory at most. Ends the target; fails when the target does.
 */
export const writeZip = async (target: Writable, groups: AsyncIterable<readonly ZipEntry[]>): Promise<void> => {
  const zip = new ZipFile()
  const done = finished(zip.outputStream.pipe(target))
  const packed = ({ name, content, time }: ZipEntry): Promise<void> =>
    new Promise((resolve, reject) => {
      zip.once('error', reject)
      zip.addReadStreamLazy(name, { mtime: time, mode: 0o100600, compress: Buffer.isBuffer(content) }, give => {
        const open = Buffer.isBuffer(content) ? Promise.resolve(Readable.from([content])) : content()
        open.then(
          stream => {
            stream.once('end', () => {
              zip.removeListener('error', reject)
              resolve()
            })
            stream.once('error', reject)
            give(null, stream)
          },
          (error: unknown) => {
            reject(error)
            give(error, Readable.from([]))
          },
        )
      })
    })
  try {
    for await (const group of groups) for (const entry of group) await Promise.race([packed(entry), done])
    zip.end()
    await done
  } catch (error) {
    target.destroy(error as Error)
    await done.catch(() => undefined)
    throw error
  }
}
