import { platformTenant } from '#contract/kernel/platform.ts'
import { keyIn } from '#kernel/files/places.ts'
import { FileMissingError } from '#kernel/files/store.ts'
import type { Invariant, WalkInvariant } from '#kernel/invariant.ts'
import { findKeys, pageOfLying, stillNames } from '../data/lying.repo.ts'
import { listAllStorages } from '../data/storage.repo.ts'
import type { StorageKit } from '../deps.ts'

/** Bytes are there before their row, copies of a move a day longer: younger ones may belong to something that goes on. */
const youngMs = 2 * 24 * 3_600_000
const rowsAtOnce = 2_000
const because = 'the files of all tenants lie in the same places'

/** 48 of the 256 random bits of a key: a million of them fit into 8 MB, and two of the same come once in some hundred runs of as many. */
const shortOf = (key: string): number => Buffer.from(key, 'base64url').readUIntBE(0, 6)
const has = (sorted: Float64Array, value: number): boolean => {
  let [low, high] = [0, sorted.length - 1]
  while (low <= high) {
    const middle = (low + high) >> 1
    const found = sorted[middle] ?? 0
    if (found === value) return true
    if (found < value) low = middle + 1
    else high = middle - 1
  }
  return false
}

type Walk = WalkInvariant['walk']
/** Each place where files may lie: the disk, and every storage that was ever set up. */
const placesOf = async ({ services }: StorageKit, now: Date): Promise<readonly (string | undefined)[]> => [
  undefined,
  ...(await services.scopes.asPlatform(because, now, listAllStorages)).filter(({ secret }) => secret !== null).map(({ id }) => id),
]

/** Files that no row names. */
const orphans =
  (kit: StorageKit): Walk =>
  async (report, { now, signal }) => {
    for (const storageId of await placesOf(kit, now)) {
      const store = await kit.services.files.at(storageId)
      for await (const page of store.list()) {
        signal.throwIfAborted()
        const old = page.filter(({ at }) => now.getTime() - at.getTime() > youngMs)
        const named = await kit.services.scopes.asPlatform(because, now, db =>
          findKeys(
            db,
            old.map(({ key }) => keyIn(storageId, key)),
          ),
        )
        for (const { key } of old) {
          const name = keyIn(storageId, key)
          if (!named.has(name)) report(platformTenant, { id: name, name, found: '1', expected: '0' })
        }
      }
    }
  }

/** Rows that name a file which is not there. */
const missing =
  (kit: StorageKit): Walk =>
  async (report, { now, signal }) => {
    const { scopes, files } = kit.services
    for (const storageId of await placesOf(kit, now)) {
      const began = kit.services.clock.now()
      const store = await files.at(storageId)
      const there: number[] = []
      for await (const page of store.list()) {
        signal.throwIfAborted()
        for (const { key } of page) there.push(shortOf(key))
      }
      const sorted = Float64Array.from(there).sort()
      for (let after: { readonly tenantId: string; readonly id: string } | undefined = { tenantId: '', id: '0' }; after !== undefined; ) {
        signal.throwIfAborted()
        const from: { readonly tenantId: string; readonly id: string } = after
        const rows = await scopes.asPlatform(because, now, db => pageOfLying(db, storageId, from, began, rowsAtOnce))
        for (const row of rows) {
          const name = storageId === undefined ? row.key : row.key.slice(storageId.length + 1)
          if (has(sorted, shortOf(name))) continue
          // Moved or removed since the place was listed, or truly gone.
          if (!(await scopes.asPlatform(because, now, db => stillNames(db, row)))) continue
          const stream = await files.open(row.key).catch((error: unknown) => {
            if (error instanceof FileMissingError) return undefined
            throw error
          })
          if (stream) stream.destroy()
          else
            report(row.tenantId, {
              id: row.id,
              name: `${row.ownerKind ?? '-'} ${row.ownerId ?? ''} ${row.id}`.trim(),
              found: '0',
              expected: '1',
            })
        }
        after = rows.length < rowsAtOnce ? undefined : rows.at(-1)
      }
    }
  }

export const fileInvariants = (kit: StorageKit): readonly Invariant[] => [
  {
    name: 'file.missing',
    label: { zh: '登记的文件都在', en: 'Every file that is on record is there' },
    means: {
      zh: '考生或工作人员打不开该文件，须从备份恢复。',
      en: 'Nobody can open the file any more: it has to come back from a backup.',
    },
    watches: ['stored_file.storage_key'],
    page: '/resource/oss',
    by: 'installation',
    walk: missing(kit),
  },
  {
    name: 'file.orphans',
    label: { zh: '存储中的文件都有登记', en: 'Every file in the stores is on record' },
    means: {
      zh: '占用空间的无主文件；也可能是数据库恢复到了较早的备份，此时切勿删除。',
      en: 'Bytes that nothing names take room. They may also belong to a newer database than this one: do not remove them then.',
    },
    watches: ['stored_file'],
    page: '/resource/oss',
    by: 'installation',
    walk: orphans(kit),
  },
]
