// Files to and from the disk and an S3-compatible service on this machine (versitygw), both encrypted. `node bench/storage.ts`
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAllowedServers } from '#kernel/allowed-servers.ts'
import { createDiskStore } from '#kernel/files/disk.ts'
import { createS3Store } from '#kernel/files/s3.ts'
import type { ByteStore } from '#kernel/files/store.ts'
import { neverHeld } from '#kernel/hold.ts'
import { randomBytes } from '#kernel/random.ts'
import { noRealS3, startRealS3 } from '../server/test/support/real-s3.ts'

const missing = noRealS3()
if (missing !== undefined) throw new Error(`no service to measure: ${missing}`)
const rootKey = randomBytes(32)
const folder = await mkdtemp(join(tmpdir(), 'kaopu-bench-storage-'))
const s3 = await startRealS3()
s3.makeBucket('papers')

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now()
  await work()
  return (performance.now() - began) / 1000
}
/** Four at a time, as moves do. */
const each = async <T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> => {
  let next = 0
  const hand = async (): Promise<void> => {
    for (let item = items[next++]; item !== undefined; item = items[next++]) await work(item)
  }
  await Promise.all([hand(), hand(), hand(), hand()])
}
const readAll = async (store: ByteStore, key: string): Promise<void> => {
  for await (const _ of await store.open(key));
}

try {
  const stores: readonly (readonly [string, ByteStore])[] = [
    ['disk', await createDiskStore({ folder, rootKey })],
    [
      's3',
      createS3Store(
        { endpoint: s3.origin, bucket: 'papers', accessKey: s3.accessKey, secretKey: s3.secretKey, region: s3.region },
        { outbound: createAllowedServers(s3.origin, neverHeld).outbound, rootKey },
      ),
    ],
  ]
  for (const [size, count] of [
    [300_000, 300],
    [64 * 1024 * 1024, 4],
  ] as const)
    for (const [name, store] of stores) {
      const bytes = randomBytes(size)
      const keys: string[] = []
      const up = await timed(() =>
        each([...Array(count).keys()], async () => void keys.push((await store.put(bytes, { maxBytes: size })).key)),
      )
      const down = await timed(() => each(keys, key => readAll(store, key)))
      const rate = (seconds: number): string =>
        `${Math.round(count / seconds)} files/s, ${Math.round((size * count) / seconds / 1024 / 1024)} MB/s`
      console.log(`${name}: ${count} files of ${size} bytes: up ${rate(up)}; down ${rate(down)}`)
    }
} finally {
  await s3.close()
  await rm(folder, { recursive: true, force: true })
}
