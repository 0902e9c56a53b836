import { createHash } from 'node:crypto'
import type { Label } from '#contract/kernel/label.ts'
import { audit } from '#kernel/audit.ts'
import { systemOf, type TenantDb } from '#kernel/db/scope.ts'
import { keyIn } from '#kernel/files/places.ts'
import { storageFaultOf } from '#kernel/files/storage-fault.ts'
import { FileDamagedError, FileMissingError, newFileKey, StorageError, type StoredFile } from '#kernel/files/store.ts'
import { enqueue, type Task } from '#kernel/queue/outbox.ts'
import { countFailed, countMoved, endMove, findMove, listElsewhere, listNamed, type MovingFile, repoint } from '../data/move.repo.ts'
import type { StorageKit } from '../deps.ts'

export const moveTask = 'file.move'
export const dropTask = 'file.drop'

/** Files of one run of the task. */
const batch = 50
const atOnce = 4
/** Runs of a batch while a store does not answer: some minutes in all. */
const attempts = 7
/** Somebody may be in the middle of reading the former copy. */
const readingMs = 15 * 60_000
const dayMs = 24 * 60 * 60_000
/** Nothing that is stored is larger. */
const maxBytes = 1024 * 1024 * 1024

/** The move was cancelled: what was just done is taken back. */
class Ended extends Error {}

/** Bytes that no file names any more go with the queue, which tries again where a store does not answer. */
export const dropBytes = (db: TenantDb, keys: readonly string[], runAt?: Date): Promise<void> =>
  enqueue(db, dropTask, { keys }, runAt === undefined ? {} : { runAt })

export const moveTasks = (kit: StorageKit): readonly Task[] => {
  const { services, places } = kit
  const { files, scopes, clock } = services
  const inTenant = <T>(tenantId: string, work: (db: TenantDb) => Promise<T>): Promise<T> => scopes.tx(systemOf(tenantId), clock.now(), work)

  const isThere = async (file: MovingFile, key: string): Promise<boolean> => {
    const hash = createHash('sha256')
    for await (const chunk of await files.open(key)) hash.update(chunk as Buffer)
    return hash.digest('hex') === file.sha256
  }

  /** Copies one file, reads the copy back, and only then lets the row name it. */
  const moveOne = async (
    tenantId: string,
    moveId: string,
    file: MovingFile,
    storageId: string | undefined,
    name: string,
  ): Promise<void> => {
    const key = keyIn(storageId, name)
    const stays = async (why: Label): Promise<void> => {
      if (!(await inTenant(tenantId, db => countFailed(db, moveId, { zh: `“${file.name}”${why.zh}`, en: `“${file.name}” ${why.en}` }))))
        throw new Ended()
    }
    const store = await files.at(storageId)
    let copy: StoredFile
    try {
      copy = await store.put(await files.open(file.storageKey), { maxBytes, key: name })
    } catch (error) {
      if (error instanceof FileMissingError) return stays({ zh: '在原存储中已不存在', en: 'is not in its store any more' })
      if (error instanceof FileDamagedError) return stays({ zh: '在原存储中已损坏', en: 'is damaged in its store' })
      throw error
    }
    if (copy.sha256 !== file.sha256 || !(await isThere(file, key))) {
      await store.remove(name)
      if (copy.sha256 !== file.sha256) return stays({ zh: '的内容与登记的摘要不符', en: 'differs from the digest noted for it' })
      throw new StorageError({ zh: '读回的内容与写入的不同', en: 'what was read back differs from what was written' })
    }
    const hasMoved = await inTenant(tenantId, async db => {
      if (!(await repoint(db, file.id, file.storageKey, key))) return false
      if (!(await countMoved(db, moveId, file.sizeBytes))) throw new Ended()
      await dropBytes(db, [file.storageKey], new Date(clock.now().getTime() + readingMs))
      return true
    }).catch(async (error: unknown) => {
      if (error instanceof Ended) await store.remove(name)
      throw error
    })
    // Somebody removed the file meanwhile.
    if (!hasMoved) await store.remove(name)
  }

  const end = (tenantId: string, id: string, state: 2 | 3, problem?: Label): Promise<void> =>
    inTenant(tenantId, async db => {
      if (!(await endMove(db, id, state, problem))) return
      const move = await findMove(db, id)
      await audit(db, undefined, {
        action: `file-move.${state === 2 ? 'finished' : 'failed'}`,
        entity: 'file-move',
        entityId: id,
        after: { total: move?.total, moved: move?.moved, failed: move?.failed, ...(problem ? { problem: problem.en } : {}) },
      })
    })

  const run = async (tenantId: string, id: string, after: string): Promise<void> => {
    const move = await inTenant(tenantId, db => findMove(db, id))
    if (move?.state !== 1) return
    const storageId = await places.chosen(tenantId)
    const found = await inTenant(tenantId, db => listElsewhere(db, storageId, after, batch))
    const last = found.at(-1)
    if (last === undefined) return end(tenantId, id, 2)
    const names = found.map(newFileKey)
    // Where this process dies, the copies that no row came to name go a day later.
    await inTenant(tenantId, db =>
      dropBytes(
        db,
        names.map(name => keyIn(storageId, name)),
        new Date(clock.now().getTime() + dayMs),
      ),
    )
    let next = 0
    let isOver = false
    const hand = async (): Promise<void> => {
      for (let at = next++; at < found.length && !isOver; at = next++)
        try {
          await moveOne(tenantId, id, found[at] as MovingFile, storageId, names[at] as string)
        } catch (error) {
          isOver = true
          throw error
        }
    }
    const ends = await Promise.allSettled(Array.from({ length: atOnce }, hand))
    const failures = ends.flatMap(one => (one.status === 'rejected' ? [one.reason as unknown] : []))
    if (failures.some(error => error instanceof Ended)) return
    if (failures.length > 0) throw failures[0]
    await inTenant(tenantId, db => enqueue(db, moveTask, { id, after: last.id }))
  }

  return [
    {
      name: moveTask,
      maxAttempts: attempts,
      run: async ({ tenantId, id = '0', after = '0' }: { tenantId: string; id?: string; after?: string }, { attempt }) => {
        try {
          await run(tenantId, id, after)
        } catch (error) {
          if (attempt >= attempts) await end(tenantId, id, 3, storageFaultOf(error)?.why ?? { zh: '系统错误', en: 'System error' })
          throw error
        }
      },
    } satisfies Task<{ id?: string; after?: string }> as Task,
    {
      name: dropTask,
      run: async ({ tenantId, keys = [] }: { tenantId: string; keys?: readonly string[] }) => {
        const named = await inTenant(tenantId, db => listNamed(db, keys))
        for (const key of keys) if (!named.has(key)) await files.remove(key)
      },
    } satisfies Task<{ keys?: readonly string[] }> as Task,
  ]
}
