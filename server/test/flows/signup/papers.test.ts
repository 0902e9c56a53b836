import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { PDFDocument } from '@cantoo/pdf-lib'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fromBufferPromise } from 'yauzl'
import { sql } from '#kernel/db/sql.ts'
import { type Answer, type Person, startTestApp, type TestApp, type TestTenant, testStart } from '../../support/app.ts'
import { type BuiltExam, buildExam } from '../../support/factories.ts'
import { pdfText } from '../../support/pdf-text.ts'
import { decide, openReview } from '../../support/reviewing.ts'
import { insertSignups } from '../../support/sign-up-rows.ts'
import { answersOf, submit, upload, uploadAll } from '../../support/signing.ts'
import { waitingFor } from '../../support/to-dos.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())

const forms = '/blade-signup/signup/exportSignUpEach'
const files = '/blade-signup/signup/exportFilesForUser'
const jobs = '/blade-exam/exportjob'
const idCard = '330106199806301023'
const phone = '16000000001'

interface World {
  readonly tenant: TestTenant
  readonly exam: BuiltExam
  readonly candidate: Person
  readonly officer: Person
  readonly id: string
}
const answers = answersOf(idCard, phone, {
  hasRelative: '1',
  relativeInfo: [{ name: '王大', unit: '区卫生监督所', relation: '父亲' }],
  resume: [{ begin: '2018-08', end: '2024-02', unit: '某县中医医院急诊科', post: '护士' }],
})
/** Somebody who has uploaded everything and handed in nothing. */
const beginner = async () => {
  t.clock.set(testStart)
  const tenant = await t.tenant()
  const exam = await buildExam(tenant, { exam: { examine_levels: 1 } })
  const candidate = await tenant.candidate({ idCard, phone, realName: '王·测' })
  return { tenant, exam, candidate, fileIds: await uploadAll(candidate) }
}
const world = async (): Promise<World> => {
  const { tenant, exam, candidate, fileIds } = await beginner()
  const sent = await submit(candidate, exam.examId, { content: answers, fileIds })
  if (sent.body.code !== 200) throw new Error(JSON.stringify(sent.body))
  const officer = await tenant.staff('exam_admin', { realName: '考务丁' })
  return { tenant, exam, candidate, officer, id: sent.body.data.id }
}
const nameOf = (answer: Answer): string =>
  decodeURIComponent(/filename\*=UTF-8''(.*)$/.exec(String(answer.headers['content-disposition']))?.[1] ?? '')
const unpacked = async (bytes: Buffer): Promise<Record<string, Buffer>> => {
  const zip = await fromBufferPromise(bytes, {})
  const found: Record<string, Buffer> = {}
  for await (const entry of zip.eachEntry()) {
    const parts: Buffer[] = []
    for await (const part of await zip.openReadStreamPromise(entry)) parts.push(part as Buffer)
    found[entry.fileName] = Buffer.concat(parts)
  }
  return found
}
/** Kept for a look at the sheets, where a folder is named. */
const keep = (name: string, bytes: Uint8Array): void => {
  const folder = process.env['KAOPU_LOOK']
  if (!folder) return
  mkdirSync(folder, { recursive: true })
  writeFileSync(`${folder}/${name}`, bytes)
}
const diploma = readFileSync(fileURLToPath(new URL('../../../seed/data/portraits/diploma.jpg', import.meta.url)))
/** Whether each quarter of a picture differs from the same of another. */
const touchedQuarters = async (before: Buffer, after: Buffer = Buffer.alloc(0)): Promise<boolean[]> => {
  const { width, height } = await sharp(before).metadata()
  const [w, h] = [Math.floor(width / 2), Math.floor(height / 2)]
  const shade = async (of: Buffer, left: number, top: number) =>
    (await sharp(of).extract({ left, top, width: w, height: h }).greyscale().raw().toBuffer()) as Buffer
  const quarters: boolean[] = []
  for (const [left, top] of [
    [0, 0],
    [w, 0],
    [0, h],
    [w, h],
  ] as const) {
    const [one, other] = [await shade(before, left, top), await shade(after, left, top)]
    // Writing a picture anew changes it by a little everywhere; a mark changes many points by much.
    quarters.push(one.filter((value, i) => Math.abs(value - (other[i] ?? 0)) > 25).length > one.length / 500)
  }
  return quarters
}
const signNoOf = async (w: World): Promise<string> =>
  (await w.tenant.rows(sql<{ no: string }>`select sign_no as no from signup where id = ${w.id}`))[0]?.no ?? ''

describe('registration forms (domain 5.8)', () => {
  test('[S7.47] exportSignUpEach prints all that was answered on at most two sheets, masked for staff, in full for its owner', async () => {
    const w = await world()
    await openReview(w.officer, w.id)
    await decide(w.officer, w.id, { examineResult: 1, examineResultRemark: '材料齐全' })
    const answer = await w.officer.post(forms, { json: { examId: w.exam.examId, ids: w.id } })
    expect(answer.headers['content-type']).toBe('application/pdf')
    const signNo = await signNoOf(w)
    expect(nameOf(answer)).toBe(`${signNo}_王·测.pdf`)
    keep('form.pdf', answer.raw)
    const pages = pdfText(answer.raw)
    expect(pages.length).toBeLessThanOrEqual(2)
    const text = pages.flat()
    const whole = text.join('\n')
    for (const part of [
      ...['2026年区卫生健康系统事业单位公开招聘', '报 名 登 记 表', `报名序号：${signNo}`, '提交时间：2026-03-17 10:00'],
      ...['姓名', '王·测', '证件号码', '330106********1023', '性别', '女', '出生日期', '1998-06-30', '手机号', '160****0001'],
      ...['学历', '本科', '毕业院校', '新疆医科大学', '所学专业', '护理学', '毕业时间', '2018-06-30'],
      ...['报考岗位', '招聘单位', '区人民医院', '岗位类别', '护理', 'B001 护士', '是否服从调剂', '是'],
      ...['亲属情况', '王大', '区卫生监督所', '父亲', '某县中医医院急诊科', '2018-08', '2024-02'],
      ...['诚信承诺', '本人承诺所填信息真实、准确、完整。', '本人签名：', '2026-03-17', '审核意见', '审核通过', '材料齐全', '考务丁'],
    ])
      expect(whole).toContain(part)
    expect(text.at(-1)).toBe(`${signNo} · v1 · 打印 2026-03-17 10:00 考务丁 · 第 ${pages.length} 页 共 ${pages.length} 页`)
    expect(whole).not.toContain(idCard)
    const own = await w.candidate.post(forms, { json: { examId: w.exam.examId } })
    expect(own.headers['content-type']).toBe('application/pdf')
    const ownText = pdfText(own.raw).flat().join('\n')
    expect([ownText.includes(idCard), ownText.includes(phone)]).toEqual([true, true])
    const english = await w.officer.post(forms, { json: { examId: w.exam.examId, ids: w.id }, language: 'en' })
    keep('form-en.pdf', english.raw)
    expect(pdfText(english.raw).flat().join('\n')).toContain('Post applied for')
    expect(
      await w.tenant.rows(sql`select action, entity, entity_id::text as about, after_value->>'what' as what, after_value->>'rows' as rows
        from audit_log where action = 'signup.exported' and user_id = ${w.officer.userId} order by id limit 1`),
    ).toEqual([{ action: 'signup.exported', entity: 'signup', about: w.id, what: 'forms', rows: '1' }])
    // What a role does not see is not printed either, its picture neither.
    const withPhoto = (answer.raw.toString('latin1').match(/\/Subtype \/Image/g) ?? []).length
    await w.tenant.rows(sql`
      insert into role_field_rule (tenant_id, role_id, noun, field, level, views)
      select ${w.tenant.tenantId}, r.id, 'signup', v.field, v.level, '{}' from role r, (values ('school', 2), ('name', 1), ('photo', 2)) as v(field, level) where r.role_alias = 'exam_admin'`)
    const narrowed = await w.tenant.staff('exam_admin')
    const part = await narrowed.post(forms, { json: { examId: w.exam.examId, ids: w.id } })
    const partText = pdfText(part.raw).flat()
    expect(nameOf(part)).toBe(`${signNo}_王·_.pdf`)
    expect([partText.includes('新疆医科大学'), partText.includes('王·测'), partText.includes('照片')]).toEqual([false, false, true])
    expect((part.raw.toString('latin1').match(/\/Subtype \/Image/g) ?? []).length).toBe(withPhoto - 1)
  })

  test('what a candidate reads before the submit is the form that is printed after it, text by text', async () => {
    const { tenant, exam, candidate, fileIds } = await beginner()
    const sheet = (json: object = {}, who: Person = candidate) =>
      who.post('/blade-signup/signup/formSheet', { json: { examId: exam.examId, ...json } })
    expect((await sheet()).status).toBe(404)
    const form = { code: 'B001', content: answers, fileIds }
    const draft = (await sheet(form)).body.data
    expect(draft).toMatchObject({ mark: '草稿，尚未提交', signNo: '', dateText: '', photo: expect.stringContaining('/file/') })
    expect(draft.blocks.map((one: { title: string; field: string }) => [one.title, one.field]).slice(0, 2)).toEqual([
      ['基本信息', 'name'],
      ['报考岗位', 'signup.post'],
    ])
    // Nothing is kept of it, and the picture is the person's own.
    expect(await tenant.rows(sql`select 1 from signup where exam_id = ${exam.examId}`)).toEqual([])
    expect((await candidate.get(draft.photo)).status).toBe(200)
    expect((await sheet(form, await tenant.candidate())).status).toBe(404)
    expect((await sheet({ ...form, content: { ...answers, school: '另一所大学' } })).body.data.blocks).not.toEqual(draft.blocks)

    expect((await submit(candidate, exam.examId, { content: answers, fileIds })).body.code).toBe(200)
    const sent = (await sheet()).body.data
    expect(sent.blocks).toEqual(draft.blocks)
    expect([sent.mark, sent.dateText, sent.undertaking.date]).toEqual([null, '提交时间：2026-03-17 10:00', '2026-03-17'])
    const pages = pdfText((await candidate.post(forms, { json: { examId: exam.examId } })).raw)
    const printed = pages.map(page => page.slice(0, -1).join('')).join('')
    type Block = { title: string; pairs?: { label: string; value: string }[]; heads?: string[]; rows?: string[][] }
    const shown = [
      ...[sent.examName, sent.title, `${sent.numberLabel}${sent.signNo}`, sent.dateText],
      ...(sent.blocks as Block[]).flatMap(({ title, pairs = [], heads = [], rows = [] }) => [
        ...[title, ...pairs.flatMap(pair => [pair.label, pair.value])],
        ...[...heads, ...rows.flat()],
      ]),
      ...[sent.undertaking.title, sent.undertaking.text, sent.undertaking.signLabel, sent.undertaking.dateLabel, sent.undertaking.date],
      ...(sent.opinions as Record<string, string>[]).flatMap(one => [one['title'], one['text'], one['signLabel'], one['dateLabel']]),
    ]
    const flat = (text: string): string => text.replace(/\s/g, '')
    expect(flat(shown.join(''))).toBe(flat(printed))
    expect((await sheet({}, await tenant.candidate())).status).toBe(404)
  })

  test('nobody prints what is not theirs to see', async () => {
    const [w, other] = [await world(), await world()]
    const ask = (who: Person, json: object = {}) => who.post(forms, { json: { examId: w.exam.examId, ids: w.id, ...json } })
    expect((await ask(other.officer)).status).toBe(404)
    expect((await ask(other.candidate)).status).toBe(404)
    expect((await ask(await w.tenant.candidate())).status).toBe(404)
    const hr = await w.tenant.staff('unit_hr', { userCode: 'H02' })
    expect((await ask(hr)).status).toBe(404)
    expect((await ask(await w.tenant.staff('unit_hr', { userCode: 'H01' }))).status).toBe(200)
    for (const role of ['auditor', 'finance', 'reviewer1'] as const) expect((await ask(await w.tenant.staff(role))).status).toBe(403)
    expect((await w.officer.post(forms, { json: { examId: w.exam.examId, ids: `${w.id},${other.id}` } })).status).toBe(404)
    expect((await w.officer.post(forms, { json: { examId: w.exam.examId, code: 'A002' } })).status).toBe(404)
  })

  test('several come as an archive by unit and post, more than fifty through the queue: counted, stopped, fetched in parts', async () => {
    const w = await world()
    const crowd = await insertSignups(
      w.tenant,
      w.exam.examId,
      Array.from({ length: 50 }, (_, i) => ({
        name: i === 0 ? '张䶮' : `李${i}`,
        code: i % 2 === 0 ? 'A001' : 'A002',
        type: 'A',
        unit: i % 2 === 0 ? 'H01' : 'H02',
      })),
    )
    const two = await w.officer.post(forms, { json: { examId: w.exam.examId, ids: `${w.id},${crowd[0]?.id}` } })
    expect(two.headers['content-type']).toBe('application/zip')
    const signNo = await signNoOf(w)
    expect(Object.keys(await unpacked(two.raw)).sort()).toEqual(
      [
        `H01/A001/${(await w.tenant.rows(sql<{ no: string }>`select sign_no as no from signup where id = ${crowd[0]?.id ?? '0'}`))[0]?.no}_张䶮.pdf`,
        `H01/B001/${signNo}_王·测.pdf`,
      ].sort(),
    )
    const ordered = (await w.officer.post(forms, { json: { examId: w.exam.examId } })).body.data
    expect(ordered).toMatchObject({ state: 0, total: 51, done: 0, kind: `POST ${forms}` })
    expect(ordered.fileName).toBe('HZ2026A_2026年区卫生健康系统事业单位公开招聘_报名登记表_20260317100000.zip')
    const stopped = (await w.officer.post(forms, { json: { examId: w.exam.examId } })).body.data
    expect((await w.officer.post(`${jobs}/cancel`, { json: { id: stopped.id } })).body.data).toEqual({ id: stopped.id, state: 6 })
    await t.runTasks()
    const detail = (await w.officer.get(`${jobs}/detail`, { query: { id: ordered.id } })).body.data
    expect(detail).toMatchObject({ state: 4, total: 51, done: 51, problem: null })
    const part = (range?: string, more: Record<string, string> = {}) =>
      w.officer.get(`${jobs}/download`, { query: { id: ordered.id }, headers: { ...(range ? { range } : {}), ...more } })
    const whole = await part()
    expect(whole.headers).toMatchObject({ 'accept-ranges': 'bytes', 'content-length': String(detail.sizeBytes), etag: expect.any(String) })
    expect(Object.keys(await unpacked(whole.raw))).toHaveLength(51)
    const head = await part('bytes=0-999')
    expect([head.status, head.headers['content-range'], head.raw.length]).toEqual([206, `bytes 0-999/${detail.sizeBytes}`, 1000])
    const rest = await part('bytes=1000-', { 'if-range': String(whole.headers['etag']) })
    expect(rest.status).toBe(206)
    expect(Buffer.concat([head.raw, rest.raw]).equals(whole.raw)).toBe(true)
    expect([(await part(`bytes=${detail.sizeBytes}-`)).status, (await part('bytes=1000-', { 'if-range': '"other"' })).status]).toEqual([
      416, 200,
    ])
    // The same by the link that a browser follows.
    const link = await w.officer.get(detail.fileUrl, { headers: { range: 'bytes=-10' } })
    expect([link.status, link.raw.equals(whole.raw.subarray(-10))]).toEqual([206, true])
  })
})

describe('files of people (domain 5.8, P13, P22)', () => {
  test('[S7.47] exportFilesForUser: every picture and PDF with the mark, by person; what cannot have one does not leave', async () => {
    const w = await world()
    const pdf = await w.candidate.post(forms, { json: { examId: w.exam.examId } })
    const uploaded = await upload(w.candidate, pdf.raw, '证明.pdf', 'document')
    await w.tenant.rows(sql`
      update signup set files = files || jsonb_build_array(jsonb_build_object('fileKey', 'diploma', 'fileId', ${uploaded}::text, 'name', '证明.pdf', 'size', 1, 'mime', 'application/pdf', 'sha256', '', 'uploadTime', '2026-03-17 10:00:00'))
      where id = ${w.id}`)
    const answer = await w.officer.post(files, { json: { examId: w.exam.examId, ids: w.id } })
    expect(answer.headers['content-type']).toBe('application/zip')
    const found = await unpacked(answer.raw)
    const at = `H01/B001/${await signNoOf(w)}_王·测`
    expect(Object.keys(found).sort()).toEqual(
      ['学历证书.jpg', '学历证书2.pdf', '身份证人像面.jpg', '身份证国徽面.jpg', '证件照.jpg'].map(name => `${at}/${name}`).sort(),
    )
    const marked = found[`${at}/学历证书2.pdf`] ?? Buffer.alloc(0)
    const document = await PDFDocument.load(marked)
    expect(document.getPageCount()).toBe(pdfText(pdf.raw).length)
    for (const page of document.getPages()) expect(String(page.node.Resources())).toMatch(/EmbeddedPdfPage/)
    expect(await touchedQuarters(diploma, found[`${at}/学历证书.jpg`])).toEqual([true, true, true, true])
    keep('marked.pdf', marked)
    keep('marked.jpg', found[`${at}/学历证书.jpg`] ?? Buffer.alloc(0))
    keep('marked-photo.jpg', found[`${at}/证件照.jpg`] ?? Buffer.alloc(0))
    const onlyDiploma = await unpacked((await w.officer.post(files, { json: { examId: w.exam.examId, ids: w.id, kinds: '5' } })).raw)
    expect(Object.keys(onlyDiploma).every(name => name.includes('学历证书'))).toBe(true)
    expect(
      await w.tenant.rows(
        sql`select action, entity_id::text as about from audit_log where action in ('signup.files-exported') order by id limit 1`,
      ),
    ).toEqual([{ action: 'signup.files-exported', about: w.id }])
    for (const role of ['auditor', 'finance', 'reviewer1'] as const)
      expect((await (await w.tenant.staff(role)).post(files, { json: { examId: w.exam.examId, ids: w.id } })).status).toBe(403)
    const recheck = await w.tenant.staff('recheck', { userCode: 'H01' })
    // A reviewer reads more than that, and takes no more along.
    const both = await w.tenant.staff(['reviewer1', 'recheck'], { userCode: 'H01' })
    for (const shortlist of [0, 3]) {
      await w.tenant.rows(sql`update signup set shortlist = ${shortlist} where id = ${w.id}`)
      for (const one of [recheck, both]) expect((await one.post(files, { json: { examId: w.exam.examId, ids: w.id } })).status).toBe(404)
    }
    await w.tenant.rows(sql`update signup set shortlist = 1 where id = ${w.id}`)
    expect((await recheck.post(files, { json: { examId: w.exam.examId, ids: w.id } })).status).toBe(200)
    expect((await w.candidate.post(files, { json: { examId: w.exam.examId } })).status).toBe(403)
  })

  test('of more than two hundred people somebody else has to agree, and says why when not', async () => {
    const w = await world()
    await insertSignups(
      w.tenant,
      w.exam.examId,
      Array.from({ length: 200 }, (_, i) => ({ name: `李${i}`, code: 'A001', type: 'A', unit: 'H01' })),
    )
    const ask = (reason?: string) => w.officer.post(files, { json: { examId: w.exam.examId, ...(reason ? { reason } : {}) } })
    expect((await ask()).body).toMatchObject({
      code: 400,
      reason: 'signup/files-purpose',
      msg: '超过 200 人的材料导出需他人审批，请填写用途',
    })
    const other = await w.tenant.staff('admin', { realName: '主任' })
    const ordered = (await ask('复审归档')).body.data
    expect(ordered).toMatchObject({ state: 1, total: 201 })
    const waits = (who: Person) => waitingFor(who, w.exam.examId, 'approvals')
    expect([await waits(other), await waits(w.officer)]).toEqual([
      [1, 1],
      [0, undefined],
    ])
    await t.runTasks()
    expect((await w.officer.get(`${jobs}/detail`, { query: { id: ordered.id } })).body.data.state).toBe(1)
    const approve = (who: Person, json: object) => who.post(`${jobs}/approve`, { json: { id: ordered.id, pass: 1, ...json } })
    expect((await approve(w.officer, {})).body).toMatchObject({ reason: 'export/own-approval' })
    for (const who of [await w.tenant.staff('finance'), (await world()).officer]) expect((await approve(who, {})).status).toBe(404)
    expect((await other.get(`${jobs}/approvals`)).body.data.records).toEqual([
      {
        id: ordered.id,
        what: '导出《2026年区卫生健康系统事业单位公开招聘》201 人的报名材料',
        reason: '复审归档',
        total: 201,
        askedBy: '考务丁',
        createTime: '2026-03-17 10:00:00',
        isOwn: false,
      },
    ])
    const told = (who: Person) =>
      w.tenant.rows(
        sql<{
          title: string
          content: string
        }>`select title_zh as title, content_zh as content from notify where user_id = ${who.userId} order by id desc limit 1`,
      )
    expect(await told(other)).toEqual([
      { title: '有一项导出等待审批', content: '考务丁：导出《2026年区卫生健康系统事业单位公开招聘》201 人的报名材料。用途：复审归档' },
    ])
    expect((await approve(other, { pass: 0 })).body).toMatchObject({ reason: 'export/refuse-remark' })
    expect((await approve(other, { pass: 0, remark: '请缩小范围' })).body.data).toEqual({ id: ordered.id, state: 8 })
    expect((await w.officer.get(`${jobs}/detail`, { query: { id: ordered.id } })).body.data).toMatchObject({
      state: 8,
      problem: '请缩小范围',
    })
    expect(await waits(other)).toEqual([0, undefined])
    expect((await approve(other, {})).body).toMatchObject({ reason: 'export/decided' })
    expect((await told(w.officer))[0]?.title).toBe('导出未获同意')
    const again = (await ask('复审归档')).body.data
    expect((await other.post(`${jobs}/approve`, { json: { id: again.id, pass: 1 } })).body.data).toEqual({ id: again.id, state: 0 })
    await t.runTasks()
    expect((await w.officer.get(`${jobs}/detail`, { query: { id: again.id } })).body.data).toMatchObject({ state: 4, done: 201 })
    expect(
      await w.tenant.rows(
        sql`select action, user_id::text as who, reason from audit_log where action in ('export.approved', 'export.refused') order by id`,
      ),
    ).toEqual([
      { action: 'export.refused', who: other.userId, reason: '请缩小范围' },
      { action: 'export.approved', who: other.userId, reason: null },
    ])
  })
})
