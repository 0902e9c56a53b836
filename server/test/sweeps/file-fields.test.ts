import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FileUse, fileUses, isFor } from '#contract/file/file-use.ts'
import { allRoutes } from '#contract/registry.ts'
import { sql } from '#kernel/db/sql.ts'
import { type Answer, type Person, startTestApp, type TestApp, type TestTenant } from '../support/app.ts'
import { type BuiltExam, buildExam } from '../support/factories.ts'
import { sealFor } from '../support/login.ts'
import { upload } from '../support/signing.ts'

let t: TestApp
let tenant: TestTenant
let exam: BuiltExam
let clerk: Person
let candidate: Person
/** Files that nobody here may name, by what they are; those of a person are theirs and taken, or of another kind. */
let foreign: (by: Person, purposes: readonly string[]) => Promise<readonly (readonly [what: string, id: string])[]>

const picture = readFileSync(fileURLToPath(new URL('../../seed/data/portraits/id-front-1.jpg', import.meta.url)))
const card = (person: Person): Promise<string> => upload(person, picture, 'id-front.jpg', 'image')

beforeAll(async () => {
  t = await startTestApp()
  tenant = await t.tenant()
  exam = await buildExam(tenant)
  clerk = await tenant.staff(['exam_admin', 'admin'])
  candidate = await tenant.candidate()
  const another = await tenant.candidate()
  const colleague = await tenant.staff('exam_admin')
  const elsewhere = await t.tenant()
  const stranger = await elsewhere.staff('exam_admin')
  foreign = async (by, purposes) => {
    const taken = await card(by)
    await tenant.db(db => db.run(sql`update stored_file set owner_kind = 'account', owner_id = ${by.userId} where id = ${taken}`))
    const others = ['image', 'document', 'photo'].filter(purpose => !purposes.includes(purpose))
    return [
      ['a candidate’s identity card', await card(another)],
      ['the caller’s own identity card', taken],
      ['a colleague’s upload', await card(colleague)],
      ['a file of another tenant', await card(stranger)],
      ['no file', '7'],
      ...(await Promise.all(
        others.map(async purpose => [`the caller’s ${purpose}`, await upload(by, picture, 'a.jpg', purpose)] as const),
      )),
    ]
  }
})
afterAll(() => t.close())

interface Field {
  readonly use: FileUse
  readonly by: () => Person
  readonly purpose: string
  readonly send: (by: Person, fileId: string) => Promise<Answer>
}
const notice = { title: '公告', noticeType: 2, content: '<p>正文</p>' }
const libraryRow = async (): Promise<string> =>
  (await clerk.get('/blade-files/files/list', { query: { fileKey: 'idFront' } })).body.data.records[0].id
/** Every field of a call that names an uploaded file, with a call that is right but for it. */
const fields: Readonly<Record<string, Field>> = {
  '/blade-exam/examination/submit coverFileId': {
    ...{ use: 'examCover', by: () => clerk, purpose: 'image' },
    send: (by, coverFileId) => by.post('/blade-exam/examination/submit', { json: { id: exam.examId, coverFileId } }),
  },
  '/blade-exam/examination/submit signfiles.sampleFileId': {
    ...{ use: 'formSample', by: () => clerk, purpose: 'document' },
    send: (by, sampleFileId) =>
      by.post('/blade-exam/examination/submit', {
        json: { id: exam.examId, signfiles: Object.values(exam.signFiles).map((id, at) => (at === 0 ? { id, sampleFileId } : { id })) },
      }),
  },
  '/blade-files/files/submit sampleFileId': {
    ...{ use: 'formSample', by: () => clerk, purpose: 'document' },
    send: async (by, sampleFileId) => by.post('/blade-files/files/submit', { json: { id: await libraryRow(), sampleFileId } }),
  },
  '/blade-signfiles/signfiles/submit sampleFileId': {
    ...{ use: 'formSample', by: () => clerk, purpose: 'document' },
    send: (by, sampleFileId) =>
      by.post('/blade-signfiles/signfiles/submit', { json: { id: Object.values(exam.signFiles)[0], sampleFileId } }),
  },
  '/blade-system/user/update-info avatar': {
    ...{ use: 'avatar', by: () => candidate, purpose: 'image' },
    send: (by, avatar) => by.post('/blade-system/user/update-info', { json: { avatar } }),
  },
  '/blade-system/user/userUpdate avatar': {
    ...{ use: 'avatar', by: () => clerk, purpose: 'image' },
    send: (by, avatar) => by.post('/blade-system/user/update-info', { json: { avatar } }),
  },
  '/blade-userupdateinfo/userupdateinfo/submit proofFileIds': {
    ...{ use: 'changeProof', by: () => candidate, purpose: 'document' },
    send: (by, proofFileIds) =>
      by.post('/blade-userupdateinfo/userupdateinfo/submit', {
        json: { field: 'name', value: sealFor(t, '王改名'), reason: '登记有误', proofFileIds },
      }),
  },
  '/blade-resource/attach/submit link': {
    ...{ use: 'attachment', by: () => clerk, purpose: 'document' },
    send: (by, link) => by.post('/blade-resource/attach/submit', { json: { originalName: '附件', link } }),
  },
  '/blade-news/news/submit coverId': {
    ...{ use: 'news', by: () => clerk, purpose: 'image' },
    send: (by, coverId) => by.post('/blade-news/news/submit', { json: { title: '新闻', content: '<p>文</p>', source: '局', coverId } }),
  },
  '/blade-desk/notice/submit fileIds': {
    ...{ use: 'notice', by: () => clerk, purpose: 'document' },
    send: (by, fileIds) => by.post('/blade-desk/notice/submit', { json: { ...notice, fileIds } }),
  },
  '/blade-noticeFile/noticefile/submit fileId': {
    ...{ use: 'notice', by: () => clerk, purpose: 'document' },
    send: async (by, fileId) => {
      const { id } = (await by.post('/blade-desk/notice/submit', { json: notice })).body.data
      return by.post('/blade-noticeFile/noticefile/submit', { json: { noticeId: id, name: '附件', fileId } })
    },
  },
}
/** Fields whose calls ask for a whole scene: their tests name somebody else's file too. All of them decide by `isFor`. */
const elsewhere: Readonly<Record<string, readonly [use: FileUse, test: string]>> = {
  '/blade-signup/signup/submit fileIds': ['signupFile', 'signup.test.ts'],
  '/blade-signup/signup/submit signatureFileId': ['signature', 'signup.test.ts'],
  '/blade-signup/signup/formSheet fileIds': ['signupFile', 'signup.test.ts'],
  '/blade-signup/signup/formSheet signatureFileId': ['signature', 'signup.test.ts'],
  '/blade-signup/signup/savePostReductionInfoByExamId rows.approveFile': ['cutApproval', 'reduction.test.ts'],
  '/blade-signup/selection/handIn fileIds': ['signupFile', 'recheck.test.ts'],
}
/** What only looks like one: names of stored attachments, asked by right, and rows of the library of forms. */
const noFile = /fileNames?$|filesId$|fileKey$|fileLabel(En)?$|sampleLink$|removeFileIds$|photoState$|needSignature$|isCovered$|signfiles$/

type Schema = {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly patternProperties?: Readonly<Record<string, Schema>>
}
const named = /file|avatar|cover|picture|signature|proof|photo|image|attach|^link$/i
const namesIn = (schema: Schema, above = ''): string[] => [
  ...Object.entries(schema.properties ?? {}).flatMap(([name, below]) => [
    ...(named.test(name) ? [above + name] : []),
    ...namesIn(below, `${above}${name}.`),
  ]),
  ...(schema.items ? namesIn(schema.items, above) : []),
  ...(schema.anyOf ?? []).flatMap(one => namesIn(one, above)),
]

describe('a field that names a file takes what its caller has uploaded for that use, and nothing else', () => {
  test('every such field of every call is tried', () => {
    const found = allRoutes()
      .filter(({ method }) => method === 'POST')
      .flatMap(({ path, input }) => namesIn(input as unknown as Schema).map(name => `${path} ${name}`))
    const known = new Set([...Object.keys(fields), ...Object.keys(elsewhere)])
    expect(found.filter(name => !noFile.test(name) && !known.has(name))).toEqual([])
  })

  test.each(Object.entries(fields))('%s', async (_name, { use, by, purpose, send }) => {
    const person = by()
    const taken: string[] = []
    for (const [what, id] of await foreign(person, fileUses[use].purposes)) {
      const before = await tenant.rows(sql`select owner_kind, owner_id from stored_file where id = ${id}`)
      const { status } = await send(person, id)
      const after = await tenant.rows(sql`select owner_kind, owner_id from stored_file where id = ${id}`)
      if (status === 200 || JSON.stringify(after) !== JSON.stringify(before)) taken.push(`${what} → ${status}`)
    }
    expect(taken).toEqual([])
    const right = await send(person, await upload(person, picture, '正.jpg', purpose))
    expect([right.status, right.body.msg]).toEqual([200, '操作成功'])
  })

  test('the decision of each use: whose, what for, of what kind, and taken by what', () => {
    const userId = '1'
    for (const [name, { owner, purposes }] of Object.entries(fileUses)) {
      const use = name as FileUse
      const fresh = { userId, purpose: purposes[0], ext: 'jpg', ownerKind: null, ownerId: null }
      const decide = (change: object, ownerId?: string) => isFor(use, { ...fresh, ...change }, { userId, ownerId })
      expect([use, decide({})]).toEqual([use, true])
      expect([use, isFor(use, undefined, { userId })]).toEqual([use, false])
      expect([use, decide({ userId: '2' }), decide({ purpose: 'made' }), decide({ ownerKind: 'other', ownerId: '9' })]).toEqual([
        ...[use, false, false, false],
      ])
      expect([use, decide({ ownerKind: owner, ownerId: '9' }, '8')]).toEqual([use, false])
    }
    expect(isFor('avatar', { userId, purpose: 'image', ext: 'jpg', ownerKind: 'account', ownerId: '1' }, { userId })).toBe(false)
    expect(isFor('signature', { userId, purpose: 'image', ext: 'pdf', ownerKind: null, ownerId: null }, { userId })).toBe(false)
  })
})
