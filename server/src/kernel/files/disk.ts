import { createHash } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { token } from '#kernel/random.ts'
import { CHUNK_BYTES, type ChunkCipher, createChunkKeys, HEADER_BYTES, SEALED_CHUNK_BYTES } from './chunk-cipher.ts'
import { type ByteRange, FileDamagedError, FileMissingError, type FileStore, FileTooLargeError } from './store.ts'

export interface DiskStoreOptions {
  /** Outside every folder that is served. */
  readonly folder: string
  /** At least 32 bytes; files of a lost key cannot be read. */
  readonly rootKey: Uint8Array
}

/** 43 characters: 256 random bits. */
const KEY = /^[A-Za-z0-9_-]{43}$/

/** No upload takes a day. */
const LEFT_OVER_MS = 24 * 60 * 60 * 1_000

/** Encrypted files on the local disk, `folder/ab/<key>`, written to a temporary name, synced and renamed. */
export async function createDiskStore(options: DiskStoreOptions): Promise<FileStore> {
  const keys = createChunkKeys(options.rootKey)
  const incoming = join(options.folder, 'incoming')
  await mkdir(incoming, { recursive: true, mode: 0o700 })
  await clearIncoming(incoming)

  /** The folder may be cleared away while the program runs: it is made again. */
  const openNew = async (path: string): Promise<FileHandle> => {
    try {
      return await open(path, 'wx', 0o600)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
      await mkdir(incoming, { recursive: true, mode: 0o700 })
      return open(path, 'wx', 0o600)
    }
  }
  const placeOf = (key: string): { folder: string; path: string } => {
    if (!KEY.test(key)) throw new FileMissingError('no such file')
    // Letters of one case, so that the folder means the same on file systems that ignore case.
    const folder = join(options.folder, Buffer.from(key).subarray(0, 1).toString('hex'))
    return { folder, path: join(folder, `${Buffer.from(key, 'base64url').toString('hex')}.kpf`) }
  }

  return {
    async put(source, { maxBytes }) {
      const key = token(32)
      const { folder, path } = placeOf(key)
      const temporary = join(incoming, `${token(16)}.part`)
      try {
        const file = await openNew(temporary)
        let written: { sizeBytes: number; sha256: string }
        try {
          written = await writeSealed(file, keys.create(key), source, maxBytes)
          await file.sync()
        } finally {
          await file.close()
        }
        await mkdir(folder, { recursive: true, mode: 0o700 })
        await rename(temporary, path)
        await syncFolder(folder)
        await syncFolder(options.folder)
        return { key, ...written }
      } catch (error) {
        await rm(temporary, { force: true })
        throw error
      }
    },

    async open(key, range) {
      const file = await open(placeOf(key).path, 'r').catch((error: NodeJS.ErrnoException) => {
        throw error.code === 'ENOENT' ? new FileMissingError('no such file') : error
      })
      try {
        const header = Buffer.alloc(HEADER_BYTES)
        const { bytesRead } = await file.read(header, 0, HEADER_BYTES, 0)
        const cipher = bytesRead === HEADER_BYTES ? keys.read(key, header) : undefined
        if (!cipher) throw new FileDamagedError('a stored file has no readable header')
        const { size } = await file.stat()
        const plain = Readable.from(readSealed(file, cipher, size - HEADER_BYTES, range), { objectMode: false })
        // Also when nobody ever reads: a generator that was not started has no `finally`.
        return plain.once('close', () => void file.close())
      } catch (error) {
        await file.close()
        throw error
      }
    },

    async remove(key) {
      await rm(placeOf(key).path, { force: true })
    },
  }
}

/** A killed process leaves its temporary file; another process may be writing the younger ones right now. */
async function clearIncoming(incoming: string): Promise<void> {
  for (const name of await readdir(incoming)) {
    const path = join(incoming, name)
    const found = await stat(path).catch(() => undefined)
    if (found && Date.now() - found.mtimeMs > LEFT_OVER_MS) await rm(path, { force: true })
  }
}

async function writeSealed(
  file: FileHandle,
  cipher: ChunkCipher,
  source: Readable | Uint8Array,
  maxBytes: number,
): Promise<{ sizeBytes: number; sha256: string }> {
  const hash = createHash('sha256')
  let sizeBytes = 0
  let index = 0
  let pending: Buffer = Buffer.alloc(0)
  await file.writeFile(cipher.header)
  for await (const part of source instanceof Uint8Array ? [source] : source) {
    const bytes = Buffer.from(part as Uint8Array)
    sizeBytes += bytes.length
    if (sizeBytes > maxBytes) throw new FileTooLargeError(`more than ${maxBytes} bytes`)
    hash.update(bytes)
    pending = pending.length === 0 ? bytes : Buffer.concat([pending, bytes])
    // A full chunk waits for a successor, because only the last one carries the mark of the end.
    while (pending.length > CHUNK_BYTES) {
      await file.writeFile(cipher.seal(index++, false, pending.subarray(0, CHUNK_BYTES)))
      pending = pending.subarray(CHUNK_BYTES)
    }
  }
  await file.writeFile(cipher.seal(index, true, pending))
  return { sizeBytes, sha256: hash.digest('hex') }
}

async function* readSealed(
  file: FileHandle,
  cipher: ChunkCipher,
  sealedBytes: number,
  range: ByteRange | undefined,
): AsyncGenerator<Buffer> {
  const last = Math.max(0, Math.ceil(sealedBytes / SEALED_CHUNK_BYTES) - 1)
  const start = range?.start ?? 0
  const end = range?.end ?? Number.MAX_SAFE_INTEGER
  for (let index = Math.floor(start / CHUNK_BYTES); index <= last && index * CHUNK_BYTES <= end; index++) {
    const sealed = Buffer.alloc(Math.min(SEALED_CHUNK_BYTES, sealedBytes - index * SEALED_CHUNK_BYTES))
    const { bytesRead } = await file.read(sealed, 0, sealed.length, HEADER_BYTES + index * SEALED_CHUNK_BYTES)
    const plain = bytesRead === sealed.length ? cipher.open(index, index === last, sealed) : undefined
    if (!plain) throw new FileDamagedError('a stored file was altered')
    const from = Math.max(0, start - index * CHUNK_BYTES)
    const to = Math.min(plain.length, end - index * CHUNK_BYTES + 1)
    if (from < to) yield plain.subarray(from, to)
  }
}

/** Makes a rename survive a power cut; Windows has no such call and syncs the entry itself. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
