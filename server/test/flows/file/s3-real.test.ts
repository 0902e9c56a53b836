import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { S3mini } from 's3mini'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAllowedServers } from '#kernel/allowed-servers.ts'
import { sql } from '#kernel/db/sql.ts'
import { createS3Store, tryStore } from '#kernel/files/s3.ts'
import { FileMissingError } from '#kernel/files/store.ts'
import { neverHeld } from '#kernel/hold.ts'
import { randomBytes } from '#kernel/random.ts'
import { type Person, startTestApp, type TestApp, type TestTenant, testStart } from '../../support/app.ts'
import { sealFor } from '../../support/login.ts'
import { noRealS3, type RealS3, startRealS3 } from '../../support/real-s3.ts'

/** Needs Go once, to build the service; part of `npm run test:long`. */
const missing = noRealS3()
if (missing !== undefined) console.warn(`\n!!! The real S3-compatible service was NOT tried: ${missing}.\n`)

describe.runIf(missing === undefined)('a real S3-compatible service, versitygw 1.8.0', () => {
  let s3: RealS3
  let t: TestApp
  let tenant: TestTenant
  let admin: Person
  let storageId: string
  const rootKey = randomBytes(32)
  beforeAll(async () => {
    s3 = await startRealS3()
    s3.makeBucket('papers')
    t = await startTestApp({ storageServers: s3.origin })
    tenant = await t.tenant()
    admin = await tenant.staff('admin')
  }, 900_000)
  afterAll(async () => {
    await t?.close()
    await s3?.close()
  })

  const storeOf = (change: Partial<Parameters<typeof createS3Store>[0]> = {}) =>
    createS3Store(
      { endpoint: s3.origin, bucket: 'papers', accessKey: s3.accessKey, secretKey: s3.secretKey, region: s3.region, ...change },
      { outbound: createAllowedServers(s3.origin, neverHeld).outbound, rootKey },
    )
  const client = (change: object = {}) =>
    new S3mini({
      endpoint: `${s3.origin}/papers`,
      accessKeyId: s3.accessKey,
      secretAccessKey: s3.secretKey,
      region: s3.region,
      ...change,
    })
  const objects = () => s3.objects('papers')
  const failing = (why: string) => ({ name: 'StorageError', why: expect.objectContaining({ en: expect.stringContaining(why) }) })
  const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
  const paper = (text: string): Buffer =>
    Buffer.from(`%PDF-1.7\n1 0 obj\n<<>>\nendobj\n% ${text}\ntrailer\n<</Root 1 0 R>>\n%%EOF\n`, 'latin1')
  const upload = async (person: Person, text: string) =>
    person.post('/file/upload', {
      multipart: { fields: { purpose: 'document' }, files: [{ part: 'file', name: 'a.pdf', bytes: paper(text) }] },
    })
  const post = async (path: string, json: object) => (await admin.post(`/blade-resource/oss/${path}`, { json })).body

  test('a wrong secret, an unknown key, a wrong region and a missing bucket each have their words', async () => {
    const bad = 'the access key or secret key is wrong'
    for (const [change, why] of [
      [{ secretKey: 'wrong' }, bad],
      [{ accessKey: 'nobody' }, bad],
      [{ region: 'eu-west-1' }, 'the region is wrong'],
      [{ bucket: 'elsewhere' }, 'there is no such bucket'],
    ] as const)
      await expect(tryStore(storeOf(change))).rejects.toMatchObject(failing(`writing failed: ${why}`))
    const { key } = await storeOf().put(Buffer.from('x'), { maxBytes: 1 })
    for (const change of [{ accessKey: 'nobody' }, { secretKey: 'wrong' }]) {
      await expect(storeOf(change).open(key)).rejects.toMatchObject(failing(bad))
      await expect(storeOf(change).remove(key)).rejects.toMatchObject(failing(bad))
    }
    await storeOf().remove(key)
    await expect(storeOf().open(key)).rejects.toBeInstanceOf(FileMissingError)
    await tryStore(storeOf())
    expect(objects()).toEqual([])
  })

  test('a big file travels in parts and comes back as it was, whole and by ranges; one that breaks off leaves nothing', async () => {
    const store = storeOf()
    const bytes = randomBytes(70 * 1024 * 1024)
    const stored = await store.put(Readable.from([bytes.subarray(0, 50_000_000), bytes.subarray(50_000_000)]), { maxBytes: bytes.length })
    expect(stored).toEqual({ key: expect.any(String), sizeBytes: bytes.length, sha256: digest(bytes) })
    expect(digest(await buffer(await store.open(stored.key)))).toBe(digest(bytes))
    for (const [start, end] of [
      [0, 9],
      [33_333_333, 33_400_000],
      [bytes.length - 5, bytes.length + 5],
    ] as const)
      expect((await buffer(await store.open(stored.key, { start, end }))).equals(bytes.subarray(start, end + 1))).toBe(true)
    await store.remove(stored.key)
    const breaking = Readable.from(
      (function* () {
        yield randomBytes(20 * 1024 * 1024)
        throw new Error('the sender is gone')
      })(),
    )
    await expect(store.put(breaking, { maxBytes: 100_000_000 })).rejects.toThrow('the sender is gone')
    expect(objects()).toEqual([])
  })

  test('its own links are never given out; one made with the keys shows sealed bytes, and neither expired nor changed ones open', async () => {
    const { key } = await storeOf().put(Buffer.from('身份证'), { maxBytes: 100 })
    const [name = ''] = objects()
    const link = await client().getPresignedUrl('GET', name, 1)
    const open = await fetch(link)
    expect([open.status, Buffer.from(await open.arrayBuffer()).includes('身份证')]).toEqual([200, false])
    for (const [wrong, status] of [
      [link.replace(name, `${name}x`), 403],
      [link.replace('X-Amz-Expires=1', 'X-Amz-Expires=9999'), 403],
      [link.replace(/Signature=../, 'Signature=00'), 403],
      [link.split('?')[0] ?? '', 403],
    ] as const)
      expect([wrong, (await fetch(wrong)).status]).toEqual([wrong, status])
    await expect.poll(async () => (await fetch(link)).status, { timeout: 10_000 }).toBe(403)
    await storeOf().remove(key)
  })

  test('is set up as a storage; links of the program to a file there open for ten minutes and for their reader alone', async () => {
    const form = {
      category: '6',
      ossCode: 'real',
      endpoint: s3.origin,
      bucketName: 'papers',
      accessKey: s3.accessKey,
      secretKey: sealFor(t, 'wrong'),
      region: s3.region,
    }
    storageId = (await post('submit', form)).data.id
    expect((await post('enable', { id: storageId })).msg).toContain('AccessKey 或 SecretKey 不正确')
    await post('submit', { id: storageId, secretKey: sealFor(t, s3.secretKey) })
    expect(await post('enable', { id: storageId })).toMatchObject({ success: true })
    expect(await post('endpoint/make-bucket', { bucketName: 'more' })).toMatchObject({ success: true })
    expect((await post('endpoint/make-bucket', { bucketName: 'more' })).msg).toContain('同名存储桶已存在')
    expect((await post('endpoint/remove-bucket', { bucketName: 'papers' })).msg).toContain('正在使用存储桶“papers”')
    expect(await post('endpoint/remove-bucket', { bucketName: 'more' })).toMatchObject({ success: true })
    expect((await post('endpoint/remove-bucket', { bucketName: 'more' })).msg).toContain('存储桶不存在')
    const [person, other] = [await tenant.candidate(), await tenant.candidate()]
    const { link } = (await upload(person, 'mine')).body.data
    expect((await person.get(link)).raw.equals(paper('mine'))).toBe(true)
    expect((await other.get(link)).status).toBe(404)
    expect((await person.get(link.replace(/s=[^&]+/, 's=0.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'))).status).toBe(404)
    t.clock.advance(10 * 60_000)
    expect((await person.get(link)).status).toBe(403)
    t.clock.set(testStart)
  })

  test('a bucket that vanishes in the middle of an upload is said; nothing half stored is left, and the same call works once it is back', async () => {
    const person = await tenant.candidate()
    const vanishing = Readable.from(
      (async function* () {
        yield randomBytes(12 * 1024 * 1024)
        s3.hideBucket('papers')
        yield randomBytes(12 * 1024 * 1024)
      })(),
    )
    await expect(storeOf().put(vanishing, { maxBytes: 100_000_000 })).rejects.toMatchObject({ name: 'StorageError' })
    const headers = { 'idempotency-key': 'vanish-1' }
    const send = () =>
      person.post('/file/upload', {
        multipart: { fields: { purpose: 'document' }, files: [{ part: 'file', name: 'a.pdf', bytes: paper('again') }] },
        headers,
      })
    const refused = await send()
    expect([refused.status, refused.body.msg]).toEqual([503, expect.stringContaining('存储桶不存在')])
    s3.showBucket('papers')
    const sent = await send()
    expect([sent.status, (await person.get(sent.body.data.link)).raw.equals(paper('again'))]).toEqual([200, true])
    expect(objects().length).toBe(2)
  })

  test('1,000 files move there and back, with a cut in the middle each time: every byte is as it was, and nothing is left behind', async () => {
    const count = 1_000
    const own = await t.tenant()
    const keeper = await own.staff('admin')
    const ask = async (path: string, json: object) => (await keeper.post(`/blade-resource/oss/${path}`, { json })).body
    const places = async () => (await keeper.get('/blade-resource/oss/places')).body.data
    const person = await own.candidate()
    const digests = new Map<string, string>()
    await own.db(async db => {
      for (let i = 0; i < count; i++) {
        const bytes = i % 100 === 0 ? randomBytes(300_000) : paper(`paper ${i}`)
        const row = await t.app.modules.file.keepBytes(db, {
          bytes,
          name: `${i}.pdf`,
          kind: 'pdf',
          userId: person.userId,
          ownerKind: 'signup',
          ownerId: '1',
        })
        digests.set(row.id, digest(bytes))
      }
    })
    const check = async () => {
      const rows = await own.rows(sql<{ id: string }>`select id::text as id from stored_file order by id`)
      expect(rows.length).toBe(count)
      for (const { id } of rows) {
        const file = await own.db(db => t.app.modules.file.find(db, id))
        expect(file && digest(await t.app.modules.file.read(file))).toBe(digests.get(id))
      }
    }
    const lying = async () =>
      Number((await own.rows(sql<{ n: string }>`select count(*)::text as n from stored_file where storage_id is not null`))[0]?.n)
    const before = objects().length
    const { id } = (
      await ask('submit', {
        category: '6',
        ossCode: 'real',
        endpoint: s3.origin,
        bucketName: 'papers',
        accessKey: s3.accessKey,
        secretKey: sealFor(t, s3.secretKey),
        region: s3.region,
      })
    ).data
    /** The service is killed while files travel, comes back, and the queue goes on with the batch it had. */
    const withCut = async (until: () => Promise<boolean>) => {
      const running = t.runTasks()
      running.catch(() => {})
      await expect.poll(until, { timeout: 120_000, interval: 20 }).toBe(true)
      await s3.kill()
      await expect(running).rejects.toThrow()
      const between = await lying()
      expect([between > 0, between < count]).toEqual([true, true])
      await s3.start()
      const [{ move: moveId } = { move: '' }] = await own.rows(
        sql<{ move: string }>`select id::text as move from file_move where state = 1`,
      )
      const task = t.app.modules.file.tasks.find(({ name }) => name === 'file.move')
      await task?.run({ tenantId: own.tenantId, id: moveId } as never, { attempt: 2, now: t.clock.now() })
      await t.runTasks()
    }
    await ask('enable', { id })
    expect(await ask('move', {})).toMatchObject({ data: { files: count } })
    await withCut(async () => (await lying()) > 300)
    expect(await places()).toMatchObject({ elsewhere: 0, move: { state: 2, total: count, moved: count, failed: 0 } })
    await check()
    t.clock.advance(24 * 60 * 60_000)
    await t.runTasks()
    expect(objects().length - before).toBe(count)

    const { id: disk } = (await ask('submit', { category: '7', ossCode: 'disk' })).data
    await ask('enable', { id: disk })
    await ask('move', {})
    await withCut(async () => (await lying()) < 700)
    expect(await places()).toMatchObject({ elsewhere: 0, move: { state: 2, moved: count, failed: 0 } })
    await check()
    t.clock.advance(24 * 60 * 60_000)
    await t.runTasks()
    expect(objects().length - before).toBe(0)
    t.clock.set(testStart)
  }, 600_000)
})
