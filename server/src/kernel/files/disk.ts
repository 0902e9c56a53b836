import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { token } from '#kernel/random.ts'
import { createChunkKeys, HEADER_BYTES } from './chunk-cipher.ts'
import { openFile, sealFile } from './sealed-file.ts'
import { type ByteStore, FileDamagedError, FileMissingError, isFileKey, newFileKey } from './store.ts'

export interface DiskStoreOptions {
  /** Outside every folder that is served. */
  readonly folder: string
  /** At least 32 bytes; files of a lost key cannot be read. */
  readonly rootKey: Uint8Array
}

/** No upload takes a day. */
const LEFT_OVER_MS = 24 * 60 * 60 * 1_000

/** Encrypted files on the local disk, `folder/ab/<key>`, written to a temporary name, synced and renamed. */
export async function createDiskStore(options: DiskStoreOptions): Promise<ByteStore> {
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
    if (!isFileKey(key)) throw new FileMissingError('no such file')
    // Letters of one case, so that the folder means the same on file systems that ignore case.
    const folder = join(options.folder, Buffer.from(key).subarray(0, 1).toString('hex'))
    return { folder, path: join(folder, `${Buffer.from(key, 'base64url').toString('hex')}.kpf`) }
  }

  return {
    async put(source, { maxBytes, key = newFileKey() }) {
      const { folder, path } = placeOf(key)
      const temporary = join(incoming, `${token(16)}.part`)
      try {
        const file = await openNew(temporary)
        let written: { sizeBytes: number; sha256: string }
        try {
          written = await sealFile(keys.create(key), source, maxBytes, sealed => file.writeFile(sealed))
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
        const read = async (position: number, length: number): Promise<Buffer> => {
          const sealed = Buffer.alloc(length)
          return sealed.subarray(0, (await file.read(sealed, 0, length, position)).bytesRead)
        }
        const plain = Readable.from(openFile(read, cipher, size, range), { objectMode: false })
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
