import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { unpackTar } from 'modern-tar/fs'

/** Writes the files of a server's base backup into a folder, readable for their owner alone as the server wants them. */
export const unpackServerFiles = (source: AsyncIterable<Uint8Array>, folder: string, signal: AbortSignal): Promise<void> =>
  pipeline(Readable.from(source, { objectMode: false }), unpackTar(folder, { fmode: 0o600, dmode: 0o700 }), { signal })
