import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allRoutes } from '#contract/registry.ts'
import { sql } from '#kernel/db/sql.ts'
import { type Person, startTestApp, type TestApp, type TestTenant } from '../support/app.ts'

let t: TestApp
let tenant: TestTenant
let admin: Person
let candidate: Person
beforeAll(async () => {
  t = await startTestApp()
  tenant = await t.tenant()
  admin = await tenant.staff(['admin'])
  candidate = await tenant.candidate()
})
afterAll(() => t.close())

const jpeg = readFileSync(fileURLToPath(new URL('../../seed/data/portraits/p01-white.jpg', import.meta.url)))
const endpoint = '/blade-resource/oss/endpoint'
const purposes = ['image', 'photo', 'document'] as const

/** Calls that keep one file as it is named: by whom, and where the name is. */
const calls: readonly {
  readonly path: string
  readonly fields?: Record<string, string>
  readonly nameIn?: string
  readonly staff?: true
}[] = [
  ...purposes.map(purpose => ({ path: '/file/upload', fields: { purpose } })),
  ...purposes.map(purpose => ({ path: '/file/upload', fields: { purpose }, nameIn: 'name' })),
  { path: `${endpoint}/put-file` },
  { path: `${endpoint}/put-file-detail` },
  { path: `${endpoint}/put-file-by-name`, nameIn: 'fileName' },
  { path: `${endpoint}/put-file-attach`, staff: true },
  { path: `${endpoint}/put-file-attach-by-name`, nameIn: 'fileName', staff: true },
]
/** Calls that keep files beside other answers, all by `keepUpload` or `receiveAvatar` of the files' module, which prepare them like the calls above. */
const kept = [
  '/blade-system/user/register',
  '/blade-system/user/userUpdate',
  '/blade-exam/examination/handleUp',
  '/blade-exam/examination/importSignUpPhotos',
  '/blade-feeWaiver/feewaiver/ask',
  '/blade-signup/signup/submit',
  '/blade-signup/integrity/answer',
  '/blade-signup/objection/answer',
  '/blade-signup/selection/answerProposal',
  '/blade-ticketNotice/ticketnotice/savePicAndDownInfo',
  '/blade-ticket/day/violation',
  '/blade-ticket/accommodation/ask',
  '/blade-userappeal/userappeal/send',
  '/blade-desk/notice/submit',
]
/** Calls that read a workbook or a process, whose names have rules of their own, and the tenant's picture, which is served under a name of ours. */
const isRead = (path: string): boolean =>
  /\/import([A-Z-]\w*)?$/.test(path) ||
  /\/blade-flow\/manager\/(check|deploy)-upload$/.test(path) ||
  path === '/blade-system/tenant/picture'

const send = (by: Person, { path, fields = {}, nameIn }: (typeof calls)[number], name: string) =>
  by.post(path, {
    multipart: {
      fields: { ...fields, ...(nameIn === undefined ? {} : { [nameIn]: name }) },
      files: [{ part: 'file', name: nameIn === undefined ? name : 'a.jpg', bytes: jpeg }],
    },
  })

describe.each(calls)('$path $fields $nameIn', call => {
  test('takes a JPEG called .png by its content, and none under the name of another kind', async () => {
    for (const by of call.staff ? [admin] : [candidate, admin]) {
      const taken = await send(by, call, '证件.png')
      expect([taken.status, taken.body.data.originalName]).toEqual([200, '证件.jpg'])
      for (const name of ['x.svg', 'x.pdf', 'x.html', 'x.exe']) {
        const refused = await send(by, call, name)
        expect([name, refused.status, refused.body.msg]).toEqual([name, 422, expect.stringContaining('文件扩展名与内容不符')])
      }
    }
  })
})

test('every call that takes a file is one of these', () => {
  const takers = allRoutes().flatMap(({ files, path }) => (files === undefined ? [] : [path]))
  const known = new Set([...calls.map(call => call.path), ...kept])
  expect(takers.filter(path => !known.has(path) && !isRead(path))).toEqual([])
  expect([...known].filter(path => !takers.includes(path))).toEqual([])
})

test('an attachment is renamed by the same rule, and one that is named otherwise already can be sent back', async () => {
  const { attachId: id } = (await send(admin, { path: `${endpoint}/put-file-attach` }, 'a.jpg')).body.data
  const rename = (originalName: string) => admin.post('/blade-resource/attach/submit', { json: { id, originalName } })
  const stored = () =>
    tenant.rows(
      sql`select a.original_name as listed, f.name from attach a join stored_file f on f.tenant_id = a.tenant_id and f.id = a.file_id where a.id = ${id}`,
    )
  for (const name of ['x.svg', 'x.html', 'x.pdf']) {
    const refused = await rename(name)
    expect([name, refused.status, refused.body.data?.fields]).toEqual([name, 400, [{ field: 'originalName', msg: '文件扩展名与内容不符' }]])
  }
  expect(await stored()).toEqual([{ listed: 'a.jpg', name: 'a.jpg' }])
  expect((await rename('b.png')).status).toBe(200)
  expect(await stored()).toEqual([{ listed: 'b.jpg', name: 'b.jpg' }])
  await tenant.db(db => db.run(sql`update attach set original_name = 'old.svg' where id = ${id}`))
  expect((await rename('old.svg')).status).toBe(200)
})
