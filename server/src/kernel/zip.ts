import { Readable } from 'node:stream'
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
  return zip.outputStream as Readable
}
