import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { CHUNK_BYTES, type ChunkCipher, HEADER_BYTES, SEALED_CHUNK_BYTES } from './chunk-cipher.ts'
import { type ByteRange, FileDamagedError, FileTooLargeError } from './store.ts'

/** Seals a file piece by piece as every store keeps it; nothing but sealed bytes goes to `write`. */
export async function sealFile(
  cipher: ChunkCipher,
  source: Readable | Uint8Array,
  maxBytes: number,
  write: (sealed: Buffer) => Promise<unknown>,
): Promise<{ sizeBytes: number; sha256: string }> {
  const hash = createHash('sha256')
  let sizeBytes = 0
  let index = 0
  let pending: Buffer = Buffer.alloc(0)
  await write(cipher.header)
  for await (const part of source instanceof Uint8Array ? [source] : source) {
    const bytes = Buffer.from(part as Uint8Array)
    sizeBytes += bytes.length
    if (sizeBytes > maxBytes) throw new FileTooLargeError(`more than ${maxBytes} bytes`)
    hash.update(bytes)
    pending = pending.length === 0 ? bytes : Buffer.concat([pending, bytes])
    // A full chunk waits for a successor, because only the last one carries the mark of the end.
    while (pending.length > CHUNK_BYTES) {
      await write(cipher.seal(index++, false, pending.subarray(0, CHUNK_BYTES)))
      pending = pending.subarray(CHUNK_BYTES)
    }
  }
  await write(cipher.seal(index, true, pending))
  return { sizeBytes, sha256: hash.digest('hex') }
}

/**
 * @param read - sealed bytes from a position on, fewer where the file ends
 * @param storedBytes - length of the whole, with its header
 */
export async function* openFile(
  read: (position: number, length: number) => Promise<Buffer>,
  cipher: ChunkCipher,
  storedBytes: number,
  range: ByteRange | undefined,
): AsyncGenerator<Buffer> {
  const sealedBytes = storedBytes - HEADER_BYTES
  const last = Math.max(0, Math.ceil(sealedBytes / SEALED_CHUNK_BYTES) - 1)
  const start = range?.start ?? 0
  const end = range?.end ?? Number.MAX_SAFE_INTEGER
  for (let index = Math.floor(start / CHUNK_BYTES); index <= last && index * CHUNK_BYTES <= end; index++) {
    const length = Math.min(SEALED_CHUNK_BYTES, sealedBytes - index * SEALED_CHUNK_BYTES)
    const sealed = await read(HEADER_BYTES + index * SEALED_CHUNK_BYTES, length)
    const plain = sealed.length === length ? cipher.open(index, index === last, sealed) : undefined
    if (!plain) throw new FileDamagedError('a stored file was altered')
    const from = Math.max(0, start - index * CHUNK_BYTES)
    const to = Math.min(plain.length, end - index * CHUNK_BYTES + 1)
    if (from < to) yield plain.subarray(from, to)
  }
}
