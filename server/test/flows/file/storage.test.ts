import { createHash, randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createAllowedServers } from '#kernel/allowed-servers.ts'
import { sql } from '#kernel/db/sql.ts'
import { createS3Store } from '#kernel/files/s3.ts'
import { neverHeld } from '#kernel/hold.ts'
import { resealAll } from '#server/reseal.ts'
import { type Person, startTestApp, type TestApp, type TestTenant, testStart } from '../../support/app.ts'
import { type FakeS3, s3Keys, startFakeS3 } from '../../support/fake-s3.ts'
import { sealFor } from '../../support/login.ts'

let s3: FakeS3
let t: TestApp
let tenant: TestTenant
let other: TestTenant
let admin: Person
beforeAll(async () => {
  s3 = await startFakeS3()
  t = await startTestApp({ storageServers: `${s3.origin},http://10.0.0.9:9000` })
})
afterAll(async () => {
  await t.close()
  await s3.close()
})
beforeEach(async () => {
  t.clock.set(testStart)
  s3.mode = 'well'
  s3.before = undefined
  s3.buckets.clear()
  s3.buckets.set('papers', new Map())
  ;[tenant, other] = [await t.tenant(), await t.tenant()]
  admin = await tenant.staff('admin')
})

const objects = (bucket = 'papers') => s3.buckets.get(bucket) ?? new Map<string, Buffer>()
const form = (change: object = {}) => ({
  category: '1',
  ossCode: 'minio',
  endpoint: s3.origin,
  bucketName: 'papers',
  accessKey: s3Keys.accessKey,
  secretKey: sealFor(t, s3Keys.secretKey),
  region: s3Keys.region,
  ...change,
})
const submit = (person: Person, change: object = {}, language: 'zh' | 'en' = 'zh') =>
  person.post('/blade-resource/oss/submit', { json: form(change), language })
const add = async (person: Person, change: object = {}): Promise<string> => {
  const answer = await submit(person, change)
  expect([answer.status, answer.body.msg]).toEqual([200, expect.any(String)])
  return answer.body.data.id
}
const enable = (person: Person, id: string) => person.post('/blade-resource/oss/enable', { json: { id } })
const addOn = async (person: Person, change: object = {}): Promise<string> => {
  const id = await add(person, change)
  expect((await enable(person, id)).body).toMatchObject({ success: true, data: { id, status: 2 } })
  return id
}
const addLocal = (person: Person) =>
  addOn(person, {
    category: '7',
    ossCode: 'disk',
    endpoint: null,
    bucketName: null,
    accessKey: null,
    secretKey: null,
  })
const paper = (text: string): Buffer =>
  Buffer.from(`%PDF-1.7\n1 0 obj\n<<>>\nendobj\n% ${text}\ntrailer\n<</Root 1 0 R>>\n%%EOF\n`, 'latin1')
const upload = (person: Person, text: string, headers: Record<string, string> = {}) =>
  person.post('/file/upload', {
    multipart: { fields: { purpose: 'document' }, files: [{ part: 'file', name: 'a.pdf', bytes: paper(text) }] },
    headers,
  })
const uploaded = async (person: Person, text: string): Promise<{ fileId: string; link: string }> => {
  const answer = await upload(person, text)
  expect([answer.status, answer.body.msg]).toEqual([200, expect.any(String)])
  return answer.body.data
}
const read = async (person: Person, link: string) => (await person.get(link)).raw.toString('latin1')
const lies = async (of: TestTenant) =>
  (
    await of.rows(
      sql<{
        code: string
      }>`select coalesce(o.oss_code, 'no') as code from stored_file f left join oss o on o.id = f.storage_id order by f.id`,
    )
  ).map(row => row.code)
const trail = (of: TestTenant, entity: string) =>
  of.rows(sql`select action, before_value as before, after_value as after from audit_log where entity = ${entity} order by id`)
const onDisk = () =>
  readdirSync(join(t.app.services.config.dataDir, 'files'), { recursive: true, withFileTypes: true }).filter(entry => entry.isFile()).length

describe('[S7.24] storage', () => {
  test('is added, read and changed without its keys ever coming out, in answers and in the trail', async () => {
    const id = await add(admin)
    const detail = (await admin.get('/blade-resource/oss/detail', { query: { id } })).body.data
    expect(detail).toMatchObject({
      id,
      category: '1',
      categoryName: 'MinIO',
      ossCode: 'minio',
      endpoint: s3.origin,
      bucketName: 'papers',
      accessKey: s3Keys.accessKey,
      secretKey: '',
      region: 'us-east-1',
      status: 1,
      statusName: '停用',
    })
    expect((await submit(admin, { id, secretKey: '', remark: '主存储', ossCode: 'minio' })).status).toBe(200)
    expect((await admin.post('/blade-resource/oss/try-upload', { json: { id } })).body).toMatchObject({ success: true, data: { id } })
    expect(objects().size).toBe(0)
    const lines = await trail(tenant, 'oss')
    expect(lines).toMatchObject([
      { action: 'oss.added', after: { ossCode: 'minio', bucketName: 'papers', secretSet: true } },
      { action: 'oss.updated', before: { remark: '' }, after: { remark: '主存储', secretSet: false } },
    ])
    const stored = await tenant.rows(sql`select * from oss`)
    for (const text of [JSON.stringify(lines), JSON.stringify(stored)]) expect(text).not.toContain(s3Keys.secretKey)
    expect(JSON.stringify(lines)).not.toContain(s3Keys.accessKey)
    expect(
      (await admin.get('/blade-resource/oss/list', { query: { accessKey: 'kaopu', ossCode: 'min', category: '1' } })).body.data.total,
    ).toBe(1)
  })

  test('belongs to its tenant and to whoever holds the rights', async () => {
    const id = await add(admin)
    const stranger = await other.staff('admin')
    expect((await stranger.get('/blade-resource/oss/list')).body.data.total).toBe(0)
    for (const path of ['try-upload', 'enable'])
      expect((await stranger.post(`/blade-resource/oss/${path}`, { json: { id } })).status).toBe(404)
    expect((await stranger.post('/blade-resource/oss/remove', { query: { ids: id } })).status).toBe(404)
    expect((await submit(stranger, { id })).status).toBe(404)
    for (const person of [await tenant.staff('exam_admin'), await tenant.candidate()])
      for (const path of ['try-upload', 'enable', 'submit', 'remove', 'move', 'cancel-move'])
        expect([path, (await person.post(`/blade-resource/oss/${path}`, { json: { id } })).status]).toEqual([path, 403])
    expect(await tenant.rows(sql`select status, is_deleted as gone from oss`)).toEqual([{ status: 1, gone: false }])
  })

  test('bad input is refused in words, at its field, and stores nothing', async () => {
    const cases: [object, string, string, string][] = [
      [{ endpoint: 'http://10.0.0.8:9000' }, 'endpoint', '地址 http://10.0.0.8:9000 不在允许之列', 'KAOPU_STORAGE_SERVERS'],
      [{ endpoint: `${s3.origin}/path` }, 'endpoint', '不在允许之列', 'not on the allow list'],
      [{ endpoint: 'file:///etc/passwd' }, 'endpoint', '不在允许之列', 'not on the allow list'],
      [{ endpoint: s3.origin.replace('//', '//a:b@') }, 'endpoint', '不在允许之列', 'not on the allow list'],
      [{ bucketName: 'My Bucket!' }, 'bucketName', '空间名', 'Bucket'],
      [{ bucketName: '../up' }, 'bucketName', '空间名', 'Bucket'],
      [{ secretKey: '' }, 'secretKey', '请输入SecretKey', 'Please enter secret key'],
      [{ accessKey: '' }, 'accessKey', '请输入AccessKey', 'Please enter access key'],
      [{ ossCode: '中 文' }, 'ossCode', '资源编号', 'Code'],
      [{ category: '99' }, 'category', '存储类型不在字典中', 'Kind: there is no such entry'],
    ]
    for (const [change, field, zh, en] of cases) {
      const [a, b] = [
        await submit(admin, change),
        await submit(admin, { ...change, ...('secretKey' in change ? {} : { secretKey: sealFor(t, 'x') }) }, 'en'),
      ]
      expect([a.status, a.body.msg, a.body.data?.fields?.[0]?.field]).toEqual([400, expect.stringContaining(zh), field])
      expect([b.status, b.body.msg]).toEqual([400, expect.stringContaining(en)])
    }
    expect(await tenant.rows(sql`select 1 from oss`)).toEqual([])
    await add(admin)
    expect((await submit(admin)).body).toMatchObject({ success: false, msg: expect.stringContaining('minio') })
  })

  test('a known secret is not sent to another address: it is typed again', async () => {
    const id = await add(admin)
    const moved = await submit(admin, { id, endpoint: 'http://10.0.0.9:9000', secretKey: '' })
    expect([moved.status, moved.body.data.fields[0].field]).toEqual([400, 'secretKey'])
    expect((await admin.get('/blade-resource/oss/detail', { query: { id } })).body.data.endpoint).toBe(s3.origin)
  })

  test('what does not work cannot be switched on, and says why', async () => {
    for (const [ossCode, change, why] of [
      ['a', { secretKey: sealFor(t, 'wrong') }, '存储“a”写入失败：AccessKey 或 SecretKey 不正确'],
      ['b', { accessKey: 'nobody' }, '存储“b”写入失败：AccessKey 或 SecretKey 不正确'],
      ['c', { bucketName: 'elsewhere' }, '存储“c”写入失败：存储桶不存在'],
      ['d', { region: 'eu-west-1' }, '存储“d”写入失败：地域不正确'],
    ] as const) {
      const id = await add(admin, { ossCode, secretKey: sealFor(t, s3Keys.secretKey), ...change })
      for (const path of ['try-upload', 'enable']) {
        const answer = await admin.post(`/blade-resource/oss/${path}`, { json: { id } })
        expect([answer.status, answer.body.msg]).toEqual([409, expect.stringContaining(why)])
      }
    }
    const id = await add(admin)
    s3.mode = 'redirect'
    s3.redirectTo = 'http://169.254.169.254/latest/meta-data/'
    expect((await enable(admin, id)).body.msg).toBe('存储“minio”写入失败：应答为跳转，已拒绝')
    expect(await tenant.rows(sql`select 1 from oss where status = 2`)).toEqual([])
  })

  test('new files go to the one that is on; old ones are read where they lie, whatever is chosen', async () => {
    const person = await tenant.candidate()
    const first = await uploaded(person, 'first')
    const id = await addOn(admin)
    const second = await uploaded(person, 'second')
    s3.buckets.set('more', new Map())
    const next = await addOn(admin, { ossCode: 'more', bucketName: 'more' })
    const third = await uploaded(person, 'third')
    await addLocal(admin)
    const fourth = await uploaded(person, 'fourth')
    expect(await lies(tenant)).toEqual(['no', 'minio', 'more', 'no'])
    expect([objects().size, objects('more').size]).toEqual([1, 1])
    for (const [file, text] of [
      [first, 'first'],
      [second, 'second'],
      [third, 'third'],
      [fourth, 'fourth'],
    ] as const)
      expect(await read(person, file.link)).toBe(paper(text).toString('latin1'))
    expect([...objects().values()].some(bytes => bytes.includes('second'))).toBe(false)
    expect(await tenant.rows(sql`select oss_code as code from oss where status = 2`)).toEqual([{ code: 'disk' }])
    for (const [one, code] of [
      [id, 'minio'],
      [next, 'more'],
    ] as const) {
      const kept = await admin.post('/blade-resource/oss/remove', { query: { ids: one } })
      expect([kept.status, kept.body.msg]).toEqual([409, expect.stringContaining(`存储“${code}”中还有 1 个文件`)])
      const elsewhere = await submit(admin, { id: one, ossCode: code, bucketName: 'third' })
      expect([elsewhere.status, elsewhere.body.msg]).toEqual([409, expect.stringContaining('还有 1 个文件')])
    }
    expect(await trail(tenant, 'oss')).toMatchObject([
      {},
      { action: 'oss.enabled', before: { ossCode: null }, after: { ossCode: 'minio' } },
      {},
      { action: 'oss.enabled', before: { ossCode: 'minio' }, after: { ossCode: 'more' } },
      {},
      { action: 'oss.enabled', before: { ossCode: 'more' }, after: { ossCode: 'disk' } },
    ])
  })

  test('of the platform serves tenants that have none of their own, and no tenant sees it', async () => {
    const platform = t.platform()
    const operator = await platform.staff(['administrator', 'admin'])
    s3.buckets.set('all', new Map())
    const id = await addOn(operator, { ossCode: 'for-all', bucketName: 'all' })
    await addOn(admin)
    const [own, following] = [await uploaded(await tenant.candidate(), 'own'), await uploaded(await other.candidate(), 'following')]
    expect([own.fileId !== following.fileId, objects().size, objects('all').size]).toEqual([true, 1, 1])
    const stranger = await other.staff('admin')
    expect((await stranger.get('/blade-resource/oss/list')).body.data.total).toBe(0)
    expect((await stranger.get('/blade-resource/oss/places')).body.data).toMatchObject({
      places: [{ ossId: id, ossCode: '', files: 1, isChosen: 1, isPlatform: 1 }],
      elsewhere: 0,
      mayAll: 0,
    })
    expect((await stranger.get('/blade-resource/oss/places', { query: { all: 1 } })).status).toBe(403)
    await operator.post('/blade-resource/oss/enable', {
      json: {
        id: await add(operator, { category: '7', ossCode: 'disk', endpoint: null, bucketName: null, accessKey: null, secretKey: null }),
      },
    })
    await uploaded(await other.candidate(), 'later')
    expect(await lies(other)).toEqual(['no', 'no'])
    expect((await operator.post('/blade-resource/oss/remove', { query: { ids: id } })).status).toBe(409)
  })

  test('a store that fails an upload leaves no row, no bytes and a sentence; the same key works once it is back', async () => {
    await addOn(admin)
    const person = await tenant.candidate()
    const key = { 'idempotency-key': 'upload-1' }
    const onDiskBefore = onDisk()
    s3.mode = 'broken'
    const failed = await upload(person, 'x', key)
    expect([failed.status, failed.body.code, failed.body.msg]).toEqual([503, 2804, expect.stringContaining('连接中断')])
    s3.mode = 'well'
    const [first, again] = [await upload(person, 'x', key), await upload(person, 'x', key)]
    expect([first.status, again.body.data.fileId === first.body.data.fileId]).toEqual([200, true])
    expect([objects().size, onDisk() - onDiskBefore, (await lies(tenant)).length]).toEqual([1, 0, 1])
    s3.buckets.delete('papers')
    const gone = await person.get(first.body.data.link)
    expect([gone.status, gone.body.msg]).toEqual([503, expect.stringContaining('存储桶不存在')])
  })

  test('one that is on is changed only to what works', async () => {
    const id = await addOn(admin)
    const wrong = await submit(admin, { id, secretKey: sealFor(t, 'wrong') })
    expect([wrong.status, wrong.body.msg]).toEqual([409, expect.stringContaining('AccessKey 或 SecretKey 不正确')])
    expect((await upload(await tenant.candidate(), 'x')).status).toBe(200)
  })

  test('another process heeds the change', async () => {
    const beside = await t.beside()
    const person = await tenant.candidate()
    const headers = { 'blade-auth': `bearer ${person.token}` }
    const send = () =>
      beside.anonymous().post('/file/upload', {
        multipart: { fields: { purpose: 'document' }, files: [{ part: 'file', name: 'a.pdf', bytes: paper('x') }] },
        headers,
      })
    expect((await send()).status).toBe(200)
    await addOn(admin)
    await beside.app.catchUp()
    expect((await send()).status).toBe(200)
    expect(await lies(tenant)).toEqual(['no', 'minio'])
  })
})

describe('moving files', () => {
  const places = async (person = admin) => (await person.get('/blade-resource/oss/places')).body.data
  const move = (person = admin, json: object = {}) => person.post('/blade-resource/oss/move', { json })
  const digestOf = async (person: Person, link: string) =>
    createHash('sha256')
      .update((await person.get(link)).raw)
      .digest('hex')

  test('to the bucket and back keeps every byte; the former copies go when nobody can be reading them', async () => {
    const person = await tenant.candidate()
    const files = []
    for (let i = 0; i < 60; i++) files.push(await uploaded(person, `paper ${i}`))
    const disk = onDisk()
    await addOn(admin)
    expect(await places()).toMatchObject({
      places: [
        { ossCode: 'minio', files: 0, isChosen: 1 },
        { ossId: '', files: 60 },
      ],
      elsewhere: 60,
      move: null,
    })
    expect((await move()).body.data).toEqual({ files: 60 })
    expect((await move()).body.msg).toContain('正在迁移')
    await t.runTasks()
    expect(await places()).toMatchObject({
      places: [{ ossCode: 'minio', files: 60 }],
      elsewhere: 0,
      move: { state: 2, total: 60, moved: 60, failed: 0, problem: '' },
    })
    expect([objects().size, onDisk()]).toEqual([60, disk])
    t.clock.advance(15 * 60_000)
    await t.runTasks()
    expect([objects().size, onDisk()]).toEqual([60, disk - 60])
    expect((await move()).body.msg).toContain('无需迁移')
    for (const [i, { fileId }] of files.entries()) {
      const link = t.app.modules.file.linkFor({ tenantId: tenant.tenantId, userId: person.userId }, fileId, t.clock.now())
      expect(await digestOf(person, link)).toBe(
        createHash('sha256')
          .update(paper(`paper ${i}`))
          .digest('hex'),
      )
    }
    await addLocal(admin)
    await move()
    await t.runTasks()
    t.clock.advance(24 * 60 * 60_000)
    await t.runTasks()
    expect([objects().size, onDisk(), new Set(await lies(tenant))]).toEqual([0, disk, new Set(['no'])])
    expect(await trail(tenant, 'file-move')).toMatchObject([
      { action: 'file-move.begun', after: { files: 60 } },
      { action: 'file-move.finished', after: { total: 60, moved: 60, failed: 0 } },
      { action: 'file-move.begun', after: { files: 60 } },
      { action: 'file-move.finished', after: { total: 60, moved: 60, failed: 0 } },
    ])
  })

  test('a bucket that vanishes in the middle stops it with the reason; nothing is lost, and it goes on where it was', async () => {
    const person = await tenant.candidate()
    const files = []
    for (let i = 0; i < 12; i++) files.push(await uploaded(person, `paper ${i}`))
    await addOn(admin)
    await move()
    let puts = 0
    s3.before = method => {
      if (method === 'PUT' && ++puts > 5) s3.mode = 'broken'
    }
    await expect(t.runTasks()).rejects.toMatchObject({ name: 'StorageError' })
    const between = await lies(tenant)
    expect([between.includes('minio'), between.includes('no')]).toEqual([true, true])
    // The queue's last try.
    const [{ id } = { id: '' }] = await tenant.rows(sql<{ id: string }>`select id::text as id from file_move`)
    const task = t.app.modules.file.tasks.find(({ name }) => name === 'file.move')
    await expect(task?.run({ tenantId: tenant.tenantId, id } as never, { attempt: 7, now: t.clock.now() })).rejects.toThrow()
    expect((await places()).move).toMatchObject({ state: 3, problem: '连接中断' })
    s3.mode = 'well'
    s3.before = undefined
    for (const [i, { link }] of files.entries()) expect(await read(person, link)).toBe(paper(`paper ${i}`).toString('latin1'))
    await move()
    await t.runTasks()
    expect((await places()).move).toMatchObject({ state: 2, failed: 0 })
    expect(new Set(await lies(tenant))).toEqual(new Set(['minio']))
    // Copies that no row came to name are gone a day later.
    t.clock.advance(24 * 60 * 60_000)
    await t.runTasks()
    expect(objects().size).toBe(12)
    for (const [i, { fileId }] of files.entries()) {
      const link = t.app.modules.file.linkFor({ tenantId: tenant.tenantId, userId: person.userId }, fileId, t.clock.now())
      expect(await read(person, link)).toBe(paper(`paper ${i}`).toString('latin1'))
    }
  })

  test('a file that is damaged or changed in its store stays there, is counted and named; the others go', async () => {
    const person = await tenant.candidate()
    await uploaded(person, 'good')
    const bad = await uploaded(person, 'bad')
    await tenant.rows(sql`update stored_file set sha256 = repeat('0', 64) where id = ${bad.fileId}`)
    await addOn(admin)
    await move()
    await t.runTasks()
    expect((await places()).move).toMatchObject({ state: 2, total: 2, moved: 1, failed: 1, problem: '“a.pdf”的内容与登记的摘要不符' })
    expect(await lies(tenant)).toEqual(['minio', 'no'])
    expect(objects().size).toBe(1)
    expect((await places()).elsewhere).toBe(1)
  })

  test('a copy that is not read back as it was written does not replace the file', async () => {
    const person = await tenant.candidate()
    await uploaded(person, 'good')
    await addOn(admin)
    await move()
    s3.before = (method, path) => {
      const bytes = method === 'GET' ? objects().get(path.replace('/papers/', '')) : undefined
      bytes?.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1)
    }
    await expect(t.runTasks()).rejects.toThrow()
    expect(await lies(tenant)).toEqual(['no'])
  })

  test('cancelled, what was moved stays moved and the rest where it is; a file removed meanwhile leaves no copy', async () => {
    const person = await tenant.candidate()
    for (let i = 0; i < 8; i++) await uploaded(person, `paper ${i}`)
    await addOn(admin)
    await move()
    let puts = 0
    s3.before = method => (method === 'PUT' && ++puts === 6 ? admin.post('/blade-resource/oss/cancel-move', { json: {} }) : undefined)
    await t.runTasks()
    const { move: ended, elsewhere } = await places()
    expect([ended.state, ended.moved + elsewhere, objects().size]).toEqual([4, 8, ended.moved])
    expect((await admin.post('/blade-resource/oss/cancel-move', { json: {} })).body.msg).toContain('没有正在进行的迁移')
    expect(await trail(tenant, 'file-move')).toMatchObject([{ action: 'file-move.begun' }, { action: 'file-move.cancelled' }])
  })

  test('of the whole installation is the platform’s: each tenant’s files go where that tenant’s new ones go', async () => {
    const whole = await startTestApp({ storageServers: s3.origin })
    try {
      const [one, two] = [await whole.tenant(), await whole.tenant()]
      const [operator, own] = [await whole.platform().staff(['administrator', 'admin']), await one.staff('admin')]
      await uploaded(await one.candidate(), 'a')
      await uploaded(await two.candidate(), 'b')
      s3.buckets.set('all', new Map())
      const on = async (person: Person, bucketName: string) => {
        const { id } = (
          await person.post('/blade-resource/oss/submit', { json: form({ bucketName, secretKey: sealFor(whole, s3Keys.secretKey) }) })
        ).body.data
        expect((await enable(person, id)).status).toBe(200)
        return id as string
      }
      const theirs = await on(operator, 'all')
      await on(own, 'papers')
      expect((await move(own, { all: 1 })).status).toBe(403)
      // An administrator of the first tenant looks after that tenant's files, not after the installation.
      const merely = await whole.platform().staff('admin')
      expect((await move(merely, { all: 1 })).status).toBe(403)
      expect((await merely.get('/blade-resource/oss/places', { query: { all: 1 } })).status).toBe(403)
      expect((await merely.post('/blade-resource/oss/cancel-move', { json: { all: 1 } })).status).toBe(403)
      const seen = await merely.get('/blade-resource/oss/places')
      expect([seen.status, seen.body.data.mayAll]).toEqual([200, 0])
      expect((await move(operator, { all: 1 })).body.data).toEqual({ files: 2 })
      await whole.runTasks()
      expect([await lies(one), objects().size, objects('all').size]).toEqual([['minio'], 1, 1])
      expect(await two.rows(sql`select storage_id::text as id from stored_file`)).toEqual([{ id: theirs }])
      const all = (await operator.get('/blade-resource/oss/places', { query: { all: 1 } })).body.data
      expect(all).toMatchObject({ elsewhere: 0, mayAll: 1, move: { state: 2, total: 1, moved: 1 } })
      expect(all.places.map(({ files }: { files: number }) => files)).toEqual([1, 1])
    } finally {
      await whole.close()
    }
  })
})

describe('a new root key', () => {
  test('files in a bucket are sealed anew; stopped in the middle the rest follows, and afterwards the former key opens none', async () => {
    await addOn(admin)
    const links = await Promise.all(['一', '二', '三', '四'].map(async text => [text, (await uploaded(admin, text)).link] as const))
    const before = { ...t.app.keys.secrets }
    const stored = new Map(objects())
    expect(stored.size).toBe(4)
    t.app.keys.replace({
      ...before,
      fieldRootKey: randomBytes(32),
      former: { ...before.former, fieldRootKey: [{ key: before.fieldRootKey, until: t.clock.now() }] },
    })
    try {
      const { pools, cipher, files } = t.app.services
      const reseal = (signal: AbortSignal) => resealAll({ platform: pools.kaopu_platform, cipher, files, say: () => {}, signal })
      const stopper = new AbortController()
      let sent = 0
      s3.before = method => {
        if (method !== 'PUT') return
        sent += 1
        if (sent === 2) stopper.abort(new Error('Ctrl-C'))
      }
      await expect(reseal(stopper.signal)).rejects.toThrow('Ctrl-C')
      const anew = () => [...objects()].filter(([name, bytes]) => !stored.get(name)?.equals(bytes)).length
      expect(anew()).toBe(2)
      for (const [, link] of links) expect(await read(admin, link)).toContain('%PDF-1.7')

      const done = await reseal(new AbortController().signal)

      // Other tests have left rows behind.
      expect(done.files).toBeGreaterThanOrEqual(2)
      expect([await lies(tenant), anew()]).toEqual([['minio', 'minio', 'minio', 'minio'], 4])
      expect((await reseal(new AbortController().signal)).files).toBe(0)
      const storeWith = (rootKey: Uint8Array) =>
        createS3Store(
          { endpoint: s3.origin, bucket: 'papers', accessKey: s3Keys.accessKey, secretKey: s3Keys.secretKey, region: s3Keys.region },
          { outbound: createAllowedServers(s3.origin, neverHeld).outbound, rootKey },
        )
      const keys = (await tenant.rows(sql<{ key: string }>`select storage_key as key from stored_file order by id`)).map(row =>
        row.key.slice(row.key.indexOf(':') + 1),
      )
      for (const key of keys) {
        expect((await buffer(await storeWith(t.app.keys.secrets.fieldRootKey).open(key))).toString('latin1')).toContain('%PDF-1.7')
        await expect(storeWith(before.fieldRootKey).open(key).then(buffer)).rejects.toThrow()
      }
    } finally {
      t.app.keys.replace(before)
    }
  })
})
