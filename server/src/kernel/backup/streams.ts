import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib'
import { StartRefusal } from '#kernel/db/embedded-binaries.ts'

export interface Digest {
  bytes: number
  /** Hex; empty until the stream has ended. */
  sha256: string
}

/** Passes bytes on and says of them how many there were and their SHA-256, once they have ended. */
export const digested = (source: AsyncIterable<Uint8Array>, onBytes?: (count: number) => void): [AsyncIterable<Uint8Array>, Digest] => {
  const digest: Digest = { bytes: 0, sha256: '' }
  async function* pass(): AsyncGenerator<Uint8Array> {
    const hash = createHash('sha256')
    for await (const bytes of source) {
      hash.update(bytes)
      digest.bytes += bytes.length
      onBytes?.(bytes.length)
      yield bytes
    }
    digest.sha256 = hash.digest('hex')
  }
  return [pass(), digest]
}

/** Reads to the end. */
export const drain = async (source: AsyncIterable<Uint8Array>): Promise<void> => {
  for await (const _ of source);
}

export const whole = async (source: AsyncIterable<Uint8Array>): Promise<Buffer> => {
  const parts: Uint8Array[] = []
  for await (const bytes of source) parts.push(bytes)
  return Buffer.concat(parts)
}

/** Half a megabyte a piece: what comes in smaller ones costs a call each on its way. */
const pieceBytes = 512 * 1024

/** A stream of Node ends its source when it is left early, and fails when it fails. */
const through = (source: AsyncIterable<Uint8Array>, filter: NodeJS.ReadWriteStream): AsyncIterable<Uint8Array> => {
  const from = Readable.from(source, { objectMode: false, highWaterMark: pieceBytes })
  from.on('error', error => (filter as unknown as Readable).destroy(error))
  ;(filter as unknown as Readable).once('close', () => from.destroy())
  return from.pipe(filter) as unknown as AsyncIterable<Uint8Array>
}

export const compressed = (source: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> =>
  through(source, createZstdCompress({ chunkSize: pieceBytes, params: { [constants.ZSTD_c_compressionLevel]: 3 } }))

/** @throws StartRefusal for what is not compressed, or cut off */
export async function* decompressed(source: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Uint8Array> {
  try {
    yield* through(source, createZstdDecompress({ chunkSize: pieceBytes }))
  } catch (error) {
    if (error instanceof StartRefusal) throw error
    throw new StartRefusal(`${name} is damaged: ${(error as Error).message}.`, { cause: error })
  }
}

/** Lines of text, one JSON value each. */
export async function* jsonLines<T>(source: AsyncIterable<Uint8Array>): AsyncGenerator<T> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const bytes of source) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line !== '') yield JSON.parse(line) as T
  }
  if (rest !== '') yield JSON.parse(rest) as T
}
