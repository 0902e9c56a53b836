import type { Label } from '#contract/kernel/label.ts'
import { FileDamagedError, FileMissingError, StorageError } from './store.ts'

/** Why bytes could not be written or read: no room, something broken, or what lies there is not what was stored. */
export interface StorageFault {
  readonly kind: 'full' | 'broken' | 'damaged'
  /** What is full or broken, for the reader of an answer. */
  readonly why: Label
}

const full = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])
const broken = new Set(['EIO', 'EROFS', 'ENXIO', 'ENODEV', 'ESTALE', 'EACCES', 'EPERM', 'EMFILE', 'ENFILE', 'EBUSY', 'ENOENT', 'ENOTDIR'])
/** Of the calls that a program makes of its file system; the same codes come from sockets too. */
const fileCalls =
  /^(f?write|p?writev?|open|close|f(data)?sync|rename|mkdir|mkdtemp|read(dir|link)?|scandir|stat|lstat|fstat|unlink|rm(dir)?|copyfile|ftruncate|access|utime)$/

const disk = { zh: '服务器磁盘', en: 'the disk of the server' }
const database = { zh: '数据库磁盘', en: 'the disk of the database' }
const isFull = ({ zh, en }: Label): Label => ({ zh: `${zh}已满`, en: `${en} is full` })
const isBroken = ({ zh, en }: Label, code: string): Label => ({ zh: `${zh}读写出错 ${code}`, en: `${en} fails with ${code}` })

/** What an error says of the place of files, of the disk or of the database's disk; undefined when it is about something else. */
export const storageFaultOf = (error: unknown): StorageFault | undefined => {
  if (error instanceof StorageError) return { kind: error.isFull ? 'full' : 'broken', why: error.why }
  if (error instanceof FileDamagedError)
    return { kind: 'damaged', why: { zh: '存储中的文件内容与原来不同', en: 'what lies in the store is not what was stored' } }
  if (error instanceof FileMissingError) return { kind: 'damaged', why: { zh: '存储中没有该文件', en: 'the file is not in the store' } }
  if (!(error instanceof Error)) return undefined
  const { code = '', syscall, cause } = error as NodeJS.ErrnoException
  if (code === '53100') return { kind: 'full', why: isFull(database) }
  if (code === '58030') return { kind: 'broken', why: isBroken(database, 'io_error') }
  if (syscall !== undefined && fileCalls.test(syscall)) {
    if (full.has(code)) return { kind: 'full', why: isFull(disk) }
    if (broken.has(code)) return { kind: 'broken', why: isBroken(disk, code) }
  }
  return cause === undefined ? undefined : storageFaultOf(cause)
}
