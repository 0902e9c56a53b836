import { type ByteStore, FileMissingError, type FileStore, StorageError } from './store.ts'

/** Where files may lie beside the disk. */
export interface Places {
  /** Id of the storage that new files of a tenant go to; undefined: the disk. */
  readonly chosen: (tenantId: string) => Promise<string | undefined>
  /** Undefined when there has never been such a storage. */
  readonly find: (storageId: string) => Promise<ByteStore | undefined>
}

/** What a key says: a file on the disk has its name alone, any other one has the id of its storage before it. */
export const placeOfKey = (key: string): { readonly storageId: string | undefined; readonly name: string } => {
  const [, storageId, name = key] = /^(\d{1,19}):(.+)$/.exec(key) ?? []
  return { storageId, name }
}
export const keyIn = (storageId: string | undefined, name: string): string => (storageId === undefined ? name : `${storageId}:${name}`)

export interface FileStores extends FileStore {
  /** One place alone: a storage, or the disk. */
  readonly at: (storageId: string | undefined) => Promise<ByteStore>
}

/** The disk and all other places behind one port: each file is read where it lies, whatever is chosen for new ones. */
export const createFileStores = (disk: ByteStore, places: Places): FileStores => {
  const at = async (storageId: string | undefined): Promise<ByteStore> => {
    const store = storageId === undefined ? disk : await places.find(storageId)
    if (!store) throw new FileMissingError('no such storage')
    return store
  }
  return {
    at,
    async put(source, { tenantId, maxBytes }) {
      const storageId = await places.chosen(tenantId)
      const stored = await (await at(storageId)).put(source, { maxBytes })
      return { ...stored, key: keyIn(storageId, stored.key) }
    },
    async open(key, range) {
      const { storageId, name } = placeOfKey(key)
      return (await at(storageId)).open(name, range)
    },
    async remove(key) {
      const { storageId, name } = placeOfKey(key)
      await (await at(storageId)).remove(name)
    },
  }
}

/**
 * In the place of the disk for a process whose data folder is not the installation's: what it stored there nobody else would find, and files of the
 * installation are not there. Whatever reads, stores, moves or removes is refused, so work of the queue is left for a process that has the folder.
 */
export const foreignDisk = (): ByteStore => {
  const refuse = async (): Promise<never> => {
    throw new StorageError({
      zh: '本进程的数据目录不是存放本系统文件的目录',
      en: 'the data folder of this process is not the one in which the files of the installation lie',
    })
  }
  return { put: refuse, open: refuse, remove: refuse, reseal: refuse, list: () => ({ [Symbol.asyncIterator]: () => ({ next: refuse }) }) }
}
