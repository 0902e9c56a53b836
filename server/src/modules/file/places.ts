import { storageKind } from '#contract/file/storage-kind.ts'
import { platformTenant } from '#contract/kernel/platform.ts'
import type { AllowedServers } from '#kernel/allowed-servers.ts'
import type { Clock } from '#kernel/clock.ts'
import type { FieldCipher } from '#kernel/crypto/field.ts'
import type { KeyRing } from '#kernel/crypto/key-ring.ts'
import type { Scopes } from '#kernel/db/scope.ts'
import type { Places } from '#kernel/files/places.ts'
import { type Bucket, changeBucket, createS3Store } from '#kernel/files/s3.ts'
import type { ByteStore } from '#kernel/files/store.ts'
import { listAllStorages, type StorageRow } from './data/storage.repo.ts'

/** The region that services take which have none. */
const usualRegion = 'us-east-1'

export const secretPlace = (id: string) => ({ table: 'oss', column: 'key_sealed', rowId: id })

export interface StoragePlaces extends Places {
  /** What was read is read anew: a storage has changed. */
  readonly forget: () => void
  /** The bucket of a row, with these keys. */
  readonly open: (row: Omit<Bucket, 'bucket'> & Pick<StorageRow, 'category' | 'bucketName' | 'appId'>) => ByteStore
  /** Makes or removes another bucket at the service of a row, by its keys. */
  readonly changeBucket: (row: StorageRow, bucketName: string, change: 'make' | 'remove') => Promise<void>
  /** The storage that a tenant's new files go to, of its own or the platform's; undefined: neither has one. */
  readonly chosenRow: (tenantId: string) => Promise<StorageRow | undefined>
}

const bucketOf = ({ category, bucketName, appId }: Pick<StorageRow, 'category' | 'bucketName' | 'appId'>): string =>
  category === storageKind.tencent && appId !== '' && !bucketName.endsWith(`-${appId}`) ? `${bucketName}-${appId}` : bucketName

/** Storages beside the disk, as their rows say; read once and kept until one changes. */
export const createStoragePlaces = (deps: {
  readonly scopes: Scopes
  readonly clock: Clock
  readonly cipher: FieldCipher
  readonly servers: AllowedServers
  readonly rootKey: Uint8Array | KeyRing
}): StoragePlaces => {
  const { scopes, clock, cipher, servers, rootKey } = deps
  let known: Promise<readonly StorageRow[]> | undefined
  const opened = new Map<string, { readonly version: number; readonly store: ByteStore }>()
  const rows = (): Promise<readonly StorageRow[]> => {
    const reading = known ?? scopes.asPlatform('files lie in storages of their tenant or of the platform', clock.now(), listAllStorages)
    known = reading
    reading.catch(() => {
      if (known === reading) known = undefined
    })
    return reading
  }
  const open: StoragePlaces['open'] = row =>
    createS3Store(
      { ...row, bucket: bucketOf(row), region: row.region === '' ? usualRegion : row.region },
      { outbound: servers.outbound, rootKey },
    )
  const chosenRow = async (tenantId: string): Promise<StorageRow | undefined> => {
    const on = (await rows()).filter(row => row.status === 2 && !row.isDeleted)
    return on.find(row => row.tenantId === tenantId) ?? on.find(row => row.tenantId === platformTenant)
  }
  return {
    forget: () => {
      known = undefined
    },
    open,
    chosenRow,
    changeBucket: (row, bucketName, change) =>
      changeBucket(
        {
          ...row,
          bucket: bucketName,
          region: row.region === '' ? usualRegion : row.region,
          secretKey: row.secret === null ? '' : cipher.open(row.tenantId, secretPlace(row.id), row.secret),
        },
        servers.outbound,
        change,
      ),
    chosen: async tenantId => {
      const row = await chosenRow(tenantId)
      return row === undefined || row.category === storageKind.local ? undefined : row.id
    },
    find: async storageId => {
      const row = (await rows()).find(({ id }) => id === storageId)
      if (!row || row.secret === null) return undefined
      const before = opened.get(row.id)
      if (before?.version === row.version) return before.store
      const store = open({ ...row, secretKey: cipher.open(row.tenantId, secretPlace(row.id), row.secret) })
      opened.set(row.id, { version: row.version, store })
      return store
    },
  }
}
