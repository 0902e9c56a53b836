import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createAllowedServers } from '#kernel/allowed-servers.ts'
import { createS3Store, tryStore } from '#kernel/files/s3.ts'
import { FileDamagedError, FileMissingError, FileTooLargeError } from '#kernel/files/store.ts'
import { neverHeld } from '#kernel/hold.ts'
import { randomBytes } from '#kernel/random.ts'
import { type FakeS3, s3Keys, startFakeS3 } from '../../support/fake-s3.ts'

let s3: FakeS3
const rootKey = randomBytes(32)
beforeAll(async () => {
  s3 = await startFakeS3()
})
afterAll(() => s3.close())
beforeEach(() => {
  s3.mode = 'well'
  s3.before = undefined
  s3.buckets.clear()
  s3.buckets.set('papers', new Map())
  s3.asked.length = 0
})
const storeOf = (change: Partial<Parameters<typeof createS3Store>[0]> = {}, allowed = s3.origin) =>
  createS3Store(
    { endpoint: s3.origin, bucket: 'papers', ...s3Keys, ...change },
    { outbound: createAllowedServers(allowed, neverHeld).outbound, rootKey },
  )
const objects = () => s3.buckets.get('papers') ?? new Map<string, Buffer>()
const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const failing = (why: string) => ({ name: 'StorageError', why: expect.objectContaining({ en: expect.stringContaining(why) }) })

describe('a bucket as a file store', () => {
  test('gives back what it took at every size around a chunk, and holds neither plain bytes nor names', async () => {
    const store = storeOf()
    for (const size of [0, 1, 65_536, 65_537, 300_000]) {
      const bytes = randomBytes(size)
      const stored = await store.put(Readable.from([bytes]), { maxBytes: 300_000 })
      expect(stored).toEqual({ key: expect.stringMatching(/^[\w-]{43}$/), sizeBytes: size, sha256: digest(bytes) })
      expect((await buffer(await store.open(stored.key))).equals(bytes)).toBe(true)
    }
    const { key } = await store.put(Buffer.from('张三 的身份证'), { maxBytes: 100 })
    for (const [name, bytes] of objects()) {
      expect(name).toMatch(/^kaopu\/[0-9a-f]{2}\/[0-9a-f]{64}\.kpf$/)
      expect(bytes.includes('张三')).toBe(false)
    }
    await store.remove(key)
    await store.remove(key)
    await expect(store.open(key)).rejects.toBeInstanceOf(FileMissingError)
  })

  test('a large file travels in parts, is read by blocks, and any range of it alone', async () => {
    const store = storeOf()
    const bytes = randomBytes(20 * 1024 * 1024)
    const { key } = await store.put(Readable.from([bytes]), { maxBytes: bytes.length })
    expect([s3.asked.filter(call => call.startsWith('PUT')).length, s3.asked.filter(call => call.startsWith('POST')).length]).toEqual([
      3, 2,
    ])
    s3.asked.length = 0
    expect(digest(await buffer(await store.open(key)))).toBe(digest(bytes))
    expect(s3.asked.length).toBe(5)
    s3.asked.length = 0
    const part = await buffer(await store.open(key, { start: 15_000_000, end: 15_000_009 }))
    expect([part.equals(bytes.subarray(15_000_000, 15_000_010)), s3.asked.length]).toEqual([true, 2])
  })

  test('a file that is too large or breaks off leaves nothing, neither an object nor an open upload', async () => {
    const store = storeOf()
    await expect(store.put(randomBytes(10), { maxBytes: 9 })).rejects.toBeInstanceOf(FileTooLargeError)
    const breaking = Readable.from(
      (function* () {
        yield randomBytes(9 * 1024 * 1024)
        throw new Error('the sender is gone')
      })(),
    )
    await expect(store.put(breaking, { maxBytes: 100_000_000 })).rejects.toThrow('the sender is gone')
    expect([objects().size, s3.openUploads()]).toEqual([0, 0])
  })

  test('bytes that were altered or put in the place of others are not given out', async () => {
    const store = storeOf()
    const [one, other] = [await store.put(Buffer.from('one'), { maxBytes: 10 }), await store.put(Buffer.from('two'), { maxBytes: 10 })]
    const [[first, bytes], [second]] = [...objects()] as [[string, Buffer], [string, Buffer]]
    objects().set(second, bytes)
    await expect(store.open(other.key)).rejects.toBeInstanceOf(FileDamagedError)
    bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1)
    objects().set(first, bytes)
    await expect(buffer(await store.open(one.key))).rejects.toBeInstanceOf(FileDamagedError)
  })

  test('each trouble has its words', async () => {
    const bad = 'the access key or secret key is wrong'
    for (const [store, why] of [
      [storeOf({ secretKey: 'wrong' }), bad],
      [storeOf({ accessKey: 'nobody' }), bad],
      [storeOf({ bucket: 'elsewhere' }), 'there is no such bucket'],
      [storeOf({ region: 'eu-west-1' }), 'the region is wrong'],
      [storeOf({}, 'http://127.0.0.1:1'), 'the address is not on the allow list'],
      [
        createS3Store(
          { endpoint: 'http://127.0.0.1:1', bucket: 'papers', ...s3Keys },
          { outbound: createAllowedServers('http://127.0.0.1:1', neverHeld).outbound, rootKey },
        ),
        'it cannot be reached',
      ],
    ] as const)
      await expect(tryStore(store)).rejects.toMatchObject(failing(`writing failed: ${why}`))
    // An answer that denies a key id comes as 404: it is no missing file.
    const { key } = await storeOf().put(Buffer.from('x'), { maxBytes: 1 })
    await expect(storeOf({ accessKey: 'nobody' }).open(key)).rejects.toMatchObject(failing(bad))
    expect(() => storeOf({ secretKey: ' ' })).toThrow(bad)
    s3.mode = 'redirect'
    await expect(tryStore(storeOf())).rejects.toMatchObject(failing('a redirect, which is not followed'))
    s3.mode = 'broken'
    await expect(tryStore(storeOf())).rejects.toMatchObject(failing('the connection broke off'))
    s3.mode = 'full'
    await expect(tryStore(storeOf())).rejects.toMatchObject(failing('the store has no room left'))
  })

  test('a try leaves nothing, and says at which step it failed', async () => {
    await tryStore(storeOf())
    expect([objects().size, s3.asked.map(call => call.split(' ')[0])]).toEqual([0, ['PUT', 'GET', 'DELETE']])
    s3.before = method => method === 'GET' && s3.buckets.clear()
    await expect(tryStore(storeOf())).rejects.toMatchObject(failing('reading failed: there is no such bucket'))
  })
})
