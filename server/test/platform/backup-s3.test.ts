import { createHash, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openPlace } from '#kernel/backup/place.ts'
import { createDiskStore } from '#kernel/files/disk.ts'
import { loadSecrets } from '#kernel/secrets.ts'
import { type BackedUp, installationToBackUp } from '../support/backing-up.ts'
import { s3Keys, startFakeS3 } from '../support/fake-s3.ts'
import { operateCommand } from '../support/operate-docs.ts'
import { noRealS3, startRealS3 } from '../support/real-s3.ts'

interface Service {
  readonly origin: string
  readonly makeBucket: (name: string) => void
  readonly objects: (bucket: string) => readonly string[]
  /** Uploads in parts that were begun and neither ended nor broken off. */
  readonly open: (bucket: string) => number
  readonly close: () => Promise<void>
}
const fake = async (): Promise<Service> => {
  const s3 = await startFakeS3()
  return {
    origin: s3.origin,
    makeBucket: name => void s3.buckets.set(name, new Map()),
    objects: bucket => [...(s3.buckets.get(bucket)?.keys() ?? [])].sort(),
    open: () => s3.openUploads(),
    close: () => s3.close(),
  }
}
const real = async (): Promise<Service> => {
  const s3 = await startRealS3()
  const parts = (bucket: string) => s3.objects(bucket).filter(name => name.startsWith('.sgwtmp'))
  return {
    ...{ origin: s3.origin, makeBucket: s3.makeBucket, close: s3.close },
    objects: bucket =>
      s3
        .objects(bucket)
        .filter(name => !name.startsWith('.sgwtmp'))
        .sort(),
    open: bucket => parts(bucket).length,
  }
}
/** The real one is built with Go once. */
const services = [
  { name: 'a service of the same protocol', start: fake },
  ...(process.env['KAOPU_LONG'] ? [{ name: 'a real versitygw 1.8.0', start: real }] : []),
]
const missing = process.env['KAOPU_LONG'] ? noRealS3() : undefined
if (missing !== undefined) throw new Error(`This test needs Go once, to build versitygw: ${missing}`)

const place = 's3://backups/kaopu/nightly'

describe.each(services)('a backup in a bucket of $name', ({ start }) => {
  let s3: Service
  let it: BackedUp
  let access: Readonly<Record<string, string>>
  beforeAll(async () => {
    s3 = await start()
    s3.makeBucket('backups')
    it = await installationToBackUp()
    access = { AWS_ENDPOINT_URL: s3.origin, AWS_ACCESS_KEY_ID: s3Keys.accessKey, AWS_SECRET_ACCESS_KEY: s3Keys.secretKey }
    expect(await it.operate(operateCommand('backup-keys', { '/media/first': it.keys[0], '/media/second': it.keys[1] }))).toMatchObject({
      code: 0,
    })
  }, 900_000)
  afterAll(async () => {
    await it.close()
    await s3.close()
  })
  const operate = (id: string, replace: Readonly<Record<string, string>> = {}, env = access) =>
    it.operate(operateCommand(id, { '/mnt/backup/kaopu': place, ...replace }), env)

  test('comes back from it; the next one copies new files alone; a check opens it, and prune leaves what is named', async () => {
    const { fieldRootKey } = await loadSecrets({ dataDir: it.dataDir })
    const store = await createDiskStore({ folder: join(it.dataDir, 'files'), rootKey: fieldRootKey })
    const kept: [string, string][] = []
    const put = async (text: string) => void kept.push([(await store.put(Buffer.from(text), { maxBytes: 100 })).key, text])
    await put('身份证照片')
    await it.rows("insert into installation (key, value) values ('before-backup', '1')")

    expect(await operate('backup-take')).toMatchObject({ code: 0, said: expect.stringContaining('files: 1 looked at, 1 copied') })
    await put('第二份')
    const second = await operate('backup-take')
    expect(second).toMatchObject({ code: 0, said: expect.stringMatching(/files: 2 looked at, 1 copied[\s\S]*is whole and was read back/) })
    await it.rows("insert into installation (key, value) values ('after-backup', '1')")
    const objects = s3.objects('backups')
    expect(objects.filter(name => name.startsWith('kaopu/nightly/files/'))).toHaveLength(2)
    expect(objects.filter(name => name.endsWith('/manifest.json'))).toHaveLength(2)
    expect(await operate('backup-check', { '/media/first': it.keys[0] })).toMatchObject({
      code: 0,
      said: expect.stringMatching(/secrets: open;[\s\S]*database\.tar\.zst\.age: open;[\s\S]*is whole/),
    })
    const pruned = await operate('backup-prune', { '14': '1' })
    expect(pruned).toMatchObject({ code: 0, said: expect.stringMatching(/1 backups left; 0 files that none of them names removed/) })
    expect(s3.objects('backups').filter(name => name.includes('/backups/'))).toHaveLength(5)

    await it.loseDisk()
    expect(await operate('restore-bundled', { '/media/second': it.keys[1] })).toMatchObject({
      code: 0,
      said: expect.stringMatching(/files: 2 of 2[\s\S]*Restored in/),
    })
    await it.startDatabase()
    expect(await it.rows("select key from installation where key like '%-backup' order by 1")).toEqual([{ key: 'before-backup' }])
    const back = await createDiskStore({ folder: join(it.dataDir, 'files'), rootKey: fieldRootKey })
    for (const [key, text] of kept) {
      const chunks: Buffer[] = []
      for await (const chunk of await back.open(key)) chunks.push(chunk as Buffer)
      expect(Buffer.concat(chunks).toString()).toBe(text)
    }
  }, 300_000)

  test('what is set up wrong is said in a sentence, and nothing is left behind', async () => {
    const before = s3.objects('backups')
    const right = { endpoint: s3.origin, region: undefined, accessKey: s3Keys.accessKey, secretKey: s3Keys.secretKey }
    const said = async (where: string, of: Parameters<typeof openPlace>[1]): Promise<string> => {
      try {
        await openPlace(where, of).put('x', Readable.from([Buffer.from('x')]))
        return 'written'
      } catch (error) {
        return `${(error as Error).name}: ${(error as Error).message}`
      }
    }
    expect(await said(place, { ...right, accessKey: undefined })).toBe(
      `StartRefusal: A backup in ${place} needs the service's address and keys: set AWS_ENDPOINT_URL, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and, unless it is us-east-1, AWS_REGION.`,
    )
    expect(await said(place, { ...right, secretKey: 'another-secret' })).toMatch(
      /^StartRefusal: s3:\/\/backups\/kaopu\/nightly: .*secret key is wrong/,
    )
    expect(await said('s3://nowhere/kaopu', right)).toMatch(/^StartRefusal: s3:\/\/nowhere\/kaopu: .*no such bucket/)
    expect(await said('s3:///kaopu', right)).toBe('StartRefusal: s3:///kaopu is no place for backups: write s3://<bucket>/<prefix>.')
    expect(s3.objects('backups')).toEqual(before)
  })

  test('an object of several parts is read back as it was; one whose source fails leaves nothing', async () => {
    const at = openPlace(place, { endpoint: s3.origin, region: undefined, accessKey: s3Keys.accessKey, secretKey: s3Keys.secretKey })
    const piece = randomBytes(1024 * 1024)
    const [sent, read] = [createHash('sha256'), createHash('sha256')]
    const pieces = async function* (count: number, end?: Error) {
      for (let i = 0; i < count; i += 1) {
        piece.writeUInt32BE(i)
        sent.update(piece)
        yield Buffer.from(piece)
      }
      if (end) throw end
    }
    await at.put('large', pieces(130))
    for await (const bytes of at.read('large')) read.update(bytes)
    expect(read.digest('hex')).toBe(sent.copy().digest('hex'))
    expect([...(await at.list(''))].filter(name => name === 'large')).toEqual(['large'])

    await expect(at.put('broken', pieces(70, new Error('cancelled')))).rejects.toThrow('cancelled')
    expect([(await at.list('')).has('broken'), s3.open('backups')]).toEqual([false, 0])
    await at.remove('large')
    expect((await at.list('')).has('large')).toBe(false)
    await expect(async () => {
      for await (const _ of at.read('large'));
    }).rejects.toThrow(`large is missing in ${place}: the backup is not whole.`)
  }, 120_000)
})
