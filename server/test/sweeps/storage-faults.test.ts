import { readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Route } from '#contract/kernel/route.ts'
import { allRoutes } from '#contract/registry.ts'
import { sql } from '#kernel/db/sql.ts'
import { tryStore } from '#kernel/files/s3.ts'
import { storageFaultOf } from '#kernel/files/storage-fault.ts'
import { type ByteStore, FileDamagedError, newFileKey, StorageError } from '#kernel/files/store.ts'
import { failureOf } from '#kernel/http/failure.ts'
import { type Answer, type Person, startTestApp, type TestApp, type TestTenant } from '../support/app.ts'
import { requiredInput } from '../support/route-calls.ts'
import { everyRight } from '../support/victim.ts'
import { workbook } from '../support/workbook.ts'

let t: TestApp
let tenant: TestTenant
let holder: Person
let operator: Person
let candidate: Person

const errno = (code: string, syscall: string): Error => Object.assign(new Error(`${code}: ${syscall}`), { code, syscall, errno: -1 })
const faults: Readonly<Record<string, () => Error>> = {
  'a full disk': () => errno('ENOSPC', 'write'),
  'a disk that fails': () => errno('EIO', 'fsync'),
  'a folder that takes no writing': () => errno('EROFS', 'open'),
  'a full store': () => new StorageError({ zh: '存储服务空间已满', en: 'the store has no room left' }, { isFull: true }),
  'wrong bytes': () => new FileDamagedError('a stored file has no readable header'),
}
/** How often bytes were to be kept while a fault is there. */
let met = 0
let heal = (): void => {}
const inject = (fault: () => Error): void => {
  const { files } = t.app.services
  const sound = { put: files.put, at: files.at }
  met = 0
  const fail = async (): Promise<never> => {
    met += 1
    throw fault()
  }
  const store: ByteStore = {
    put: fail,
    open: fail,
    remove: async () => {},
    reseal: fail,
    list: () => ({ [Symbol.asyncIterator]: () => ({ next: fail }) }),
  }
  Object.assign(files, { put: fail, at: async () => store })
  heal = () => void Object.assign(files, sound)
}

beforeAll(async () => {
  t = await startTestApp()
  tenant = await t.tenant()
  await everyRight(tenant)
  holder = await tenant.staff(['admin', 'exam_admin'])
  operator = await t.platform().staff(['administrator', 'exam_admin'])
  await everyRight(t.platform())
  candidate = await tenant.candidate()
})
afterEach(() => heal())
afterAll(() => t.close())

const picture = readFileSync(fileURLToPath(new URL('../../seed/data/portraits/id-front-1.jpg', import.meta.url)))
const callerOf = ({ access }: Route): Person =>
  'platform' in access ? operator : 'candidate' in access && !('staff' in access) ? candidate : holder
/** A call with a sound file of each kind in its first part. */
const send = async (route: Route, name: string, bytes: Uint8Array): Promise<Answer> => {
  const part = (route.files?.[0]?.name ?? 'file').replace(/\*$/, '')
  const fields = Object.fromEntries(Object.entries(requiredInput(route, {})).map(([key, value]) => [key, String(value)]))
  return callerOf(route).post(route.path, { multipart: { fields, files: [{ part, name, bytes }] } })
}
const rows = async () => (await tenant.rows(sql<{ n: number }>`select count(*)::int as n from stored_file`))[0]?.n ?? 0

describe('a call that keeps a file and cannot says what is wrong, keeps nothing and may be repeated', () => {
  test.each(Object.entries(faults))(
    '%s, at every call that takes a file',
    async (_what, fault) => {
      const sheet = await workbook([['姓名'], ['王测']])
      const routes = allRoutes().filter(({ files, access }) => files !== undefined && !('guest' in access) && !('public' in access))
      expect(routes.length).toBeGreaterThan(20)
      const wrong: string[] = []
      const told = new Set<string>()
      for (const route of routes)
        for (const [name, bytes] of [
          ['a.jpg', picture],
          ['a.xlsx', sheet],
        ] as const) {
          const before = await rows()
          inject(fault)
          const { status, body } = await send(route, name, bytes)
          heal()
          const at = `${route.path} ${name} → ${status} ${body?.reason}`
          if (status === 500 || (await rows()) !== before) wrong.push(at)
          if (met === 0) continue
          told.add(route.path)
          if (!['kernel/storage', 'kernel/storage-full', 'kernel/file-damaged', 'file/try-failed'].includes(body?.reason)) wrong.push(at)
          if (!/没有保存任何内容|没有作任何改动/.test(body?.msg ?? '') || !/放心重试/.test(body?.msg ?? ''))
            wrong.push(`${at} ${body?.msg}`)
        }
      expect(wrong).toEqual([])
      expect([...told]).toEqual(
        expect.arrayContaining(['/file/upload', '/blade-resource/oss/endpoint/put-file', '/blade-resource/oss/endpoint/put-file-attach']),
      )
    },
    120_000,
  )

  test('of a picture the content decides at every call that keeps one: under the ending of another picture it is taken, under any other it is not', async () => {
    const routes = allRoutes().filter(({ files, access }) => files !== undefined && !('guest' in access) && !('public' in access))
    const taken: Record<string, string[]> = {}
    for (const name of ['a.jpg', 'a.png', 'a.svg', 'a.html', 'a.pdf']) {
      taken[name] = []
      for (const route of routes) {
        inject(() => errno('ENOSPC', 'write'))
        await send(route, name, picture)
        heal()
        if (met > 0) taken[name].push(route.path)
      }
    }
    expect(taken['a.jpg']).toContain('/file/upload')
    expect(taken).toEqual({ 'a.jpg': taken['a.jpg'], 'a.png': taken['a.jpg'], 'a.svg': [], 'a.html': [], 'a.pdf': [] })
  })

  test('what was refused for a fault is kept when it is repeated', async () => {
    const upload = () =>
      holder.post('/file/upload', {
        multipart: { fields: { purpose: 'image' }, files: [{ part: 'file', name: 'a.jpg', bytes: picture }] },
        headers: { 'idempotency-key': 'one-upload-twice' },
      })
    inject(() => errno('ENOSPC', 'write'))
    const refused = await upload()
    expect([refused.status, refused.body.reason, refused.body.msg]).toEqual([
      507,
      'kernel/storage-full',
      '存储空间不足（服务器磁盘已满），本次操作没有保存任何内容，您填写的内容仍在，腾出空间后可放心重试；已向运维人员告警',
    ])
    heal()
    expect((await upload()).status).toBe(200)
  })

  test('operators are alarmed once, however many calls meet it', async () => {
    const storm = errno('ENXIO', 'open')
    const notices = () =>
      t.platform().rows(sql<{ title: string }>`
        select title_zh as title from notify where user_id = ${operator.userId} and content_zh like '%ENXIO%'`)
    for (let at = 0; at < 20; at += 1) {
      inject(() => storm)
      const { status } = await holder.post('/file/upload', {
        multipart: { fields: { purpose: 'image' }, files: [{ part: 'file', name: 'a.jpg', bytes: picture }] },
      })
      heal()
      expect(status).toBe(503)
    }
    await expect.poll(notices).toEqual([{ title: '告警：文件存储出错，文件无法存取' }])
  })
})

describe('a storage that is tried or switched on', () => {
  test.each(Object.entries(faults))('%s is an answer about the store, not a defect of ours', async (_what, fault) => {
    inject(fault)
    await expect(tryStore(await t.app.services.files.at(undefined))).rejects.toBeInstanceOf(StorageError)
    expect(met).toBe(1)
  })

  test('bytes that come back changed are an answer of the store, not a defect of ours', async () => {
    const wrong: ByteStore = {
      put: async () => ({ key: newFileKey(), sizeBytes: 1, sha256: '' }),
      open: async () => Readable.from([Buffer.from('other')]),
      remove: async () => {},
      reseal: async () => true,
      list: () => ({ [Symbol.asyncIterator]: () => ({ next: async () => ({ done: true as const, value: undefined }) }) }),
    }
    await expect(tryStore(wrong)).rejects.toMatchObject({ why: { zh: '读回的内容与写入的不同' } })
    const fail = function (this: Readable): void {
      this.destroy(new FileDamagedError('a chunk'))
    }
    const broken: ByteStore = {
      ...wrong,
      open: async () => new Readable({ read: fail }),
    }
    await expect(tryStore(broken)).rejects.toMatchObject({ why: { zh: '读取失败：存储中的文件内容与原来不同' } })
  })
})

describe('which errors are those of a place of files', () => {
  test.each([
    ['the folder of temporary files', errno('ENOSPC', 'write'), 507, 'kernel/storage-full', '服务器磁盘已满'],
    ['a quota', errno('EDQUOT', 'open'), 507, 'kernel/storage-full', '服务器磁盘已满'],
    ['a disk', errno('EIO', 'read'), 503, 'kernel/storage', '服务器磁盘读写出错 EIO'],
    [
      'the disk of the database',
      Object.assign(new Error('could not extend file'), { code: '53100' }),
      507,
      'kernel/storage-full',
      '数据库磁盘已满',
    ],
    ['one that wraps another', new Error('outer', { cause: errno('EIO', 'fsync') }), 503, 'kernel/storage', '服务器磁盘读写出错 EIO'],
  ] as const)('%s', (_what, error, status, reason, why) => {
    const { refusal } = failureOf(error)
    expect([refusal.status, refusal.reason, storageFaultOf(error)?.why.zh]).toEqual([status, reason, why])
  })

  test('a line that breaks and a defect of ours are none', () => {
    for (const error of [errno('ECONNRESET', 'read'), errno('ECONNREFUSED', 'connect'), new TypeError('x'), 'text', undefined])
      expect([error, storageFaultOf(error)]).toEqual([error, undefined])
  })
})
