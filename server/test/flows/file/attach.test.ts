import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { type Person, startTestApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { buildExam } from '../../support/factories.ts'
import { doWork } from '../../support/own-work.ts'

let t: TestApp
let tenant: TestTenant
let admin: Person
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())
beforeEach(async () => {
  tenant = await t.tenant()
  admin = await tenant.staff('admin', { realName: '李管理' })
})

const paper = (text: string): Buffer =>
  Buffer.from(`%PDF-1.7\n1 0 obj\n<<>>\nendobj\n% ${text}\ntrailer\n<</Root 1 0 R>>\n%%EOF\n`, 'latin1')
const photo = readFileSync(fileURLToPath(new URL('../../../seed/data/portraits/id-back.jpg', import.meta.url)))
const put = (
  person: Person,
  name: string,
  bytes: Buffer,
  {
    path = 'put-file-attach',
    fields = {},
    headers = {},
  }: { path?: string; fields?: Record<string, string>; headers?: Record<string, string> } = {},
) => person.post(`/blade-resource/oss/endpoint/${path}`, { multipart: { fields, files: [{ part: 'file', name, bytes }] }, headers })
const list = async (person: Person, query = {}) => (await person.get('/blade-resource/attach/list', { query })).body.data
const names = async (query = {}) => (await list(admin, query)).records.map((row: { originalName: string }) => row.originalName)
const trail = () =>
  tenant.rows(sql`select action, before_value as before, after_value as after from audit_log where entity = 'attach' order by id`)
const onDisk = () =>
  readdirSync(join(t.app.services.config.dataDir, 'files'), { recursive: true, withFileTypes: true }).filter(entry => entry.isFile()).length

describe('[S7.24] attachments', () => {
  test('an upload is listed with who sent it, is found, opened by its link, renamed and removed with its bytes', async () => {
    const before = onDisk()
    const sent = await put(admin, '通知.pdf', paper('notice'))
    expect([sent.status, sent.body.data]).toEqual([
      200,
      {
        link: expect.stringMatching(/^\/api\/file\/\d+\?/),
        domain: 'http://localhost:7300',
        name: expect.stringMatching(/^\d+\.pdf$/),
        originalName: '通知.pdf',
        attachId: expect.stringMatching(/^\d+$/),
      },
    ])
    const { attachId: id, name } = sent.body.data
    await put(admin, '照片.jpg', photo)
    const [row] = (await list(admin, { originalName: '通知' })).records
    expect(row).toMatchObject({
      id,
      name,
      originalName: '通知.pdf',
      extension: 'pdf',
      attachSize: paper('notice').length,
      uploader: '李管理',
      domainUrl: 'http://localhost:7300',
    })
    expect((await admin.get(row.link)).raw.equals(paper('notice'))).toBe(true)
    expect([
      await names({ extension: 'jpg' }),
      await names({ name }),
      await names({ domainUrl: 'localhost' }),
      await names({ uploader: '李' }),
    ]).toEqual([['照片.jpg'], ['通知.pdf'], ['照片.jpg', '通知.pdf'], ['照片.jpg', '通知.pdf']])
    expect((await admin.post('/blade-resource/attach/submit', { json: { id, originalName: '../放假通知.pdf' } })).status).toBe(200)
    const detail = (await admin.get('/blade-resource/attach/detail', { query: { id } })).body.data
    const opened = await admin.get(detail.link)
    expect([detail.originalName, decodeURIComponent(String(opened.headers['content-disposition']))]).toEqual([
      '放假通知.pdf',
      expect.stringContaining('放假通知.pdf'),
    ])
    expect((await admin.post('/blade-resource/attach/remove', { query: { ids: id } })).body.data).toEqual({ removed: 1 })
    await t.runTasks()
    expect([await names(), (await admin.get(detail.link)).status, onDisk() - before]).toEqual([['照片.jpg'], 404, 1])
    expect(await trail()).toMatchObject([
      { action: 'attach.added', after: { originalName: '通知.pdf', name, attachSize: paper('notice').length } },
      { action: 'attach.added' },
      { action: 'attach.updated', before: { originalName: '通知.pdf' }, after: { originalName: '放假通知.pdf' } },
      { action: 'attach.removed', before: { originalName: '放假通知.pdf', name } },
    ])
  })

  test('are seen by whoever holds the rights in this tenant, and by nobody else', async () => {
    const { attachId: id } = (await put(admin, '通知.pdf', paper('notice'))).body.data
    const fileId = (await list(admin)).records[0].fileId
    const stranger = await (await t.tenant()).staff('admin')
    expect((await list(stranger)).total).toBe(0)
    expect((await stranger.get('/blade-resource/attach/detail', { query: { id } })).status).toBe(404)
    expect((await stranger.post('/blade-resource/attach/remove', { query: { ids: id } })).status).toBe(404)
    expect((await stranger.post('/blade-resource/attach/submit', { json: { id, originalName: 'x.pdf' } })).status).toBe(404)
    for (const person of [await tenant.staff('exam_admin'), await tenant.candidate()]) {
      expect((await person.get('/blade-resource/attach/list')).status).toBe(403)
      expect((await put(person, 'a.pdf', paper('x'))).status).toBe(403)
      // Not even by a link that somebody made for them.
      const link = t.app.modules.file.linkFor({ tenantId: tenant.tenantId, userId: person.userId }, fileId, t.clock.now())
      expect((await person.get(link)).status).toBe(404)
    }
    const colleague = await tenant.staff('admin')
    const [row] = (await list(colleague)).records
    expect((await colleague.get(row.link)).status).toBe(200)
    expect(await tenant.rows(sql`select user_id::text as who from audit_log where action = 'file.read' and entity_id = ${fileId}`)).toEqual(
      [{ who: colleague.userId }],
    )
  })

  test('what is wrong is refused in words and leaves nothing: size, kind, content, name, nothing chosen', async () => {
    const before = onDisk()
    for (const [name, bytes, status, words] of [
      [
        '大.pdf',
        Buffer.concat([paper('x').subarray(0, 20), Buffer.alloc(10_240 * 1_024), paper('x').subarray(20)]),
        413,
        '文件“大.pdf”超过 10 MB',
      ],
      ['网页.html', Buffer.from('<html><script>1</script></html>'), 422, '只接受 pdf、docx、xlsx、jpg、png'],
      ['程序.exe', Buffer.from('MZ\x90\0'), 422, '只接受 pdf、docx、xlsx、jpg、png'],
      ['假.pdf', photo, 422, '文件扩展名与内容不符'],
      ['半张.jpg', photo.subarray(0, 4_000), 422, '文件不完整或已损坏'],
      ['空.pdf', Buffer.alloc(0), 422, '文件为空'],
    ] as const) {
      const answer = await put(admin, name, bytes)
      expect([name, answer.status, answer.body.msg]).toEqual([name, status, expect.stringContaining(words)])
    }
    const nothing = await admin.post('/blade-resource/oss/endpoint/put-file-attach', { multipart: { fields: {} } })
    expect([nothing.status, nothing.body.msg]).toEqual([422, expect.stringContaining('请选择文件')])
    expect((await put(admin, 'a.pdf', paper('x'), { fields: { code: 'nowhere' } })).body.msg).toContain('没有编号为“nowhere”的存储')
    expect([(await list(admin)).total, onDisk() - before, (await tenant.rows(sql`select 1 from stored_file`)).length]).toEqual([0, 0, 0])
  })

  test('a repeated call stores nothing twice; a name of the caller’s choice is taken', async () => {
    const headers = { 'idempotency-key': 'attach-1' }
    const [first, again] = [await put(admin, 'a.pdf', paper('x'), { headers }), await put(admin, 'a.pdf', paper('x'), { headers })]
    expect(again.body.data.attachId).toBe(first.body.data.attachId)
    await put(admin, 'a.pdf', paper('y'), { path: 'put-file-attach-by-name', fields: { fileName: '年报.pdf' } })
    expect(await names()).toEqual(['年报.pdf', 'a.pdf'])
  })

  test('a file that one has uploaded becomes an attachment by its link; somebody else’s does not', async () => {
    const upload = async (person: Person) =>
      (
        await person.post('/file/upload', {
          multipart: { fields: { purpose: 'document' }, files: [{ part: 'file', name: 'b.pdf', bytes: paper('z') }] },
        })
      ).body.data
    const [own, foreign] = [await upload(admin), await upload(await tenant.candidate())]
    expect((await admin.post('/blade-resource/attach/submit', { json: { originalName: '附件一.pdf', link: own.link } })).status).toBe(200)
    expect(await names()).toEqual(['附件一.pdf'])
    for (const link of [own.link, foreign.link, '', '../etc/passwd', '12345']) {
      const refused = await admin.post('/blade-resource/attach/submit', { json: { originalName: 'x.pdf', link } })
      expect([refused.status, refused.body.data.fields[0].field]).toEqual([400, 'link'])
    }
  })
  test('single files by their stored names: told and sent to whoever may read them, copied and removed by right', async () => {
    const call = (person: Person, path: string, fileName: string) =>
      person.get(`/blade-resource/oss/endpoint/${path}`, { query: { fileName } })
    const { name, link } = (await put(admin, '通知.pdf', paper('notice'))).body.data
    const fileId = name.replace('.pdf', '')
    for (const way of [name, fileId, link]) {
      const known = (await call(admin, 'stat-file', way)).body.data
      expect(known).toMatchObject({ name: '通知.pdf', length: paper('notice').length, contentType: 'application/pdf' })
      expect((await admin.get(known.link)).status).toBe(200)
    }
    expect((await call(admin, 'file-link', name)).body.data).toMatch(/^http:\/\/localhost:7300\/api\/file\/\d+\?/)
    expect((await call(admin, 'file-path', name)).body.data).toMatch(/^\/api\/file\/\d+\?/)
    expect((await call(await tenant.staff('admin'), 'file-content', name)).raw.equals(paper('notice'))).toBe(true)
    expect(await tenant.rows(sql`select 1 from audit_log where action = 'file.read' and entity_id = ${fileId}`)).toHaveLength(1)
    const candidate = await tenant.candidate()
    const avatar = (await put(candidate, '我.jpg', photo, { path: 'put-file-by-name', fields: { fileName: '头像.jpg' } })).body.data
    expect([avatar.name, (await call(candidate, 'stat-file', avatar.attachId)).body.data.name]).toEqual(['头像.jpg', '头像.jpg'])
    const strangers = [candidate, await tenant.staff('exam_admin'), await (await t.tenant()).staff('admin')]
    for (const person of strangers)
      for (const path of ['stat-file', 'file-path', 'file-link', 'file-content'])
        for (const way of [name, fileId, '../../etc/passwd', '0', 'x'])
          expect([path, way, (await call(person, path, way)).status]).toEqual([path, way, 404])
    // Nobody's own file becomes everybody's by a right to attachments.
    expect((await call(admin, 'stat-file', avatar.attachId)).status).toBe(404)
    const copy = (await admin.post('/blade-resource/oss/endpoint/copy-file', { json: { fileName: name } })).body.data
    expect([copy.originalName, copy.name === name, (await admin.get(copy.link)).raw.equals(paper('notice'))]).toEqual([
      '通知.pdf',
      false,
      true,
    ])
    for (const person of strangers.slice(0, 2))
      for (const path of ['copy-file', 'remove-file'])
        expect((await person.post(`/blade-resource/oss/endpoint/${path}`, { json: { fileName: name } })).status).toBe(403)
    const remove = (fileNames: string) => admin.post('/blade-resource/oss/endpoint/remove-files', { json: { fileNames } })
    expect([(await remove(`${name},999.pdf`)).status, (await names()).length]).toEqual([404, 2])
    expect((await remove(`${name}, ${copy.name}`)).body.data).toEqual({ removed: 2 })
    expect(await names()).toEqual([])
    const bucket = await admin.post('/blade-resource/oss/endpoint/make-bucket', { json: { bucketName: 'papers' } })
    expect([bucket.status, bucket.body.msg]).toEqual([409, expect.stringContaining('没有指定存储服务')])
  })
})

const upload = async (by: Person): Promise<string> => {
  const bytes = await sharp({ create: { width: 30, height: 20, channels: 3, background: '#36c' } })
    .png()
    .toBuffer()
  const files = [{ part: 'file', name: '图.png', bytes }]
  return (await by.post('/file/upload', { multipart: { fields: { purpose: 'image' }, files } })).body.data.fileId
}

test('[S7.24] what a candidate uploaded and nothing names goes after thirty days with its bytes; what is begun, sent, worn or of staff stays', async () => {
  const other = await t.tenant()
  const [person, stranger] = [await tenant.candidate(), await other.candidate()]
  const exam = await buildExam(tenant, {})
  const [lost, begun, worn, sent, , elsewhere] = [
    await upload(person),
    await upload(person),
    await upload(person),
    await upload(person),
    await upload(admin),
    await upload(stranger),
  ]
  await put(admin, '通知.pdf', paper('kept'))
  await tenant.rows(sql`
    insert into signup_draft (tenant_id, exam_id, user_id, data)
    values (${tenant.tenantId}, ${exam.examId}, ${person.userId}, ${JSON.stringify({ files: [{ fileKey: 'idCard', fileIds: [begun] }] })}) returning 1`)
  await tenant.rows(sql`update account set avatar_file_id = ${worn} where id = ${person.userId} returning 1`)
  await tenant.rows(sql`
    insert into signup (tenant_id, exam_id, user_id, code, type, unit, examine, files)
    values (${tenant.tenantId}, ${exam.examId}, ${person.userId}, 'B001', 'B', 'H01', 'waiting', ${JSON.stringify([{ fileKey: 'idCard', fileId: sent }])}) returning 1`)
  const isThere = (key: string): Promise<boolean> =>
    t.app.services.files.open(key).then(
      stream => {
        stream.destroy()
        return true
      },
      () => false,
    )
  const files = (of = tenant) =>
    of
      .rows(sql<{ id: string; key: string }>`select id::text as id, storage_key as key from stored_file order by id`)
      .then(rows => Promise.all(rows.map(async ({ id, key }) => ({ id, key, isThere: await isThere(key) }))))
  const start = t.clock.now().getTime()
  const before = await files()
  expect([before.length, before.every(file => file.isThere), await files(other)]).toMatchObject([
    6,
    true,
    [{ id: elsewhere, isThere: true }],
  ])
  const at = async (days: number) => {
    t.clock.set(new Date(start + days * 24 * 3_600_000).toISOString())
    await doWork(t, 'file.sweep')
    await t.runTasks()
  }
  await at(29)
  expect(await files()).toEqual(before)
  await at(31)
  expect([await files(), await files(other)]).toEqual([before.filter(({ id }) => id !== lost), []])
  expect(await isThere(before.find(({ id }) => id === lost)?.key ?? '')).toBe(false)
  expect(await tenant.rows(sql`select entity, after_value as after from audit_log where action = 'file.swept'`)).toEqual([
    { entity: 'stored_file', after: { files: 1 } },
  ])
})
