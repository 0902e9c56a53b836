import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Readable } from 'node:stream'
import type { KeyRing } from '#kernel/crypto/key-ring.ts'
import { token } from '#kernel/random.ts'
import { createChunkKeys, HEADER_BYTES } from './chunk-cipher.ts'
import { openFile, sealFile } from './sealed-file.ts'
import { type ByteStore, FileDamagedError, FileMissingError, isFileKey, newFileKey } from './store.ts'

export interface DiskStoreOptions {
  /** Outside every folder that is served. */
  readonly folder: string
  /** At least 32 bytes; files of a lost key cannot be read. */
  readonly rootKey: Uint8Array | KeyRing
}

/** While this folder exists, files that are removed go there instead, by whatever process. */
const removedFolder = 'removed'

/**
 * From now on every file that is there can be copied: one that is removed meanwhile goes to a folder of its own.
 * @param folder - of the disk store
 * @returns ends it, and deletes what was removed
 */
export const keepRemovedFiles = async (folder: string): Promise<() => Promise<void>> => {
  await mkdir(join(folder, removedFolder), { recursive: true, mode: 0o700 })
  return () => rm(join(folder, removedFolder), { recursive: true, force: true })
}

export interface DiskFile {
  /** Where it belongs, below the folder of the store: `ab/<hex>.kpf`. */
  readonly name: string
  /** Where it is, and where it is if it has been removed meanwhile. */
  readonly paths: readonly string[]
}
/** All files of a disk store, those that were removed while they are kept too. */
export async function* listDiskFiles(folder: string): AsyncGenerator<DiskFile> {
  const filesIn = async (at: string): Promise<readonly string[]> =>
    (
      await readdir(join(folder, at)).catch((error: NodeJS.ErrnoException) => (error.code === 'ENOENT' ? [] : Promise.reject(error)))
    ).filter(name => name.endsWith('.kpf'))
  const nameOf = (file: string): string =>
    `${Buffer.from(Buffer.from(file.slice(0, -4), 'hex').toString('base64url'))
      .subarray(0, 1)
      .toString('hex')}/${file}`
  const folders = await readdir(folder).catch((error: NodeJS.ErrnoException) => (error.code === 'ENOENT' ? [] : Promise.reject(error)))
  const seen = new Set<string>()
  // Those that are removed last: what goes while the others are listed is there then.
  for (const at of [...folders.filter(name => /^[0-9a-f]{2}$/.test(name)).sort(), removedFolder])
    for (const file of await filesIn(at)) {
      if (at === removedFolder && seen.has(file)) continue
      seen.add(file)
      yield { name: nameOf(file), paths: [join(folder, at, file), join(folder, removedFolder, file)] }
    }
}

const listedAtOnce = 500
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

    async *list() {
      for (const folder of await readdir(options.folder, { withFileTypes: true })) {
        if (!folder.isDirectory() || !/^[0-9a-f]{2}$/.test(folder.name)) continue
        const path = join(options.folder, folder.name)
        const names = (await readdir(path)).filter(name => /^[0-9a-f]{64}\.kpf$/.test(name))
        for (let from = 0; from < names.length; from += listedAtOnce) {
          const page = await Promise.all(
            names.slice(from, from + listedAtOnce).map(async name => {
              // What was removed since the folder was read is not there.
              const found = await stat(join(path, name)).catch(() => undefined)
              return found ? [{ key: Buffer.from(name.slice(0, 64), 'hex').toString('base64url'), at: found.mtime }] : []
            }),
          )
          yield page.flat()
        }
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

    async reseal(key) {
      const file = await open(placeOf(key).path, 'r+').catch((error: NodeJS.ErrnoException) => {
        throw error.code === 'ENOENT' ? new FileMissingError('no such file') : error
      })
      try {
        const header = Buffer.alloc(HEADER_BYTES)
        const { bytesRead } = await file.read(header, 0, HEADER_BYTES, 0)
        const next = bytesRead === HEADER_BYTES ? keys.rewrap(key, header) : undefined
        if (next === 'same') return false
        if (!next) throw new FileDamagedError('a stored file has no readable header')
        // In place: the header lies within the first sector, which a disk writes whole or not at all, and the chunks stay as they are.
        await file.write(next, 0, next.length, 0)
        await file.sync()
        return true
      } finally {
        await file.close()
      }
    },

    async remove(key) {
      const { path } = placeOf(key)
      try {
        // While a backup is taken its database still names the file.
        await rename(path, join(options.folder, removedFolder, basename(path)))
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
        await rm(path, { force: true })
      }
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
