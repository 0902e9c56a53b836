import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { type Person, startTestApp, type TestApp } from '../../support/app.ts'
import { decide, openReview, type ReviewWorld, reviewWorld, wang } from '../../support/reviewing.ts'
import { answersOf, submit, upload, uploadAll } from '../../support/signing.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())

const base = '/blade-signup/signup'
const other = { idCard: '330106198811205058', phone: '16000000002', realName: '陈八' }
/** The world of a review with a second sign-up beside it. */
const world = async (exam: Record<string, unknown> = {}): Promise<ReviewWorld & { secondId: string; second: Person }> => {
  const w = await reviewWorld(t, { exam: { examine_levels: 1, ...exam } })
  const second = await w.tenant.candidate(other)
  const sent = await submit(second, w.exam.examId, {
    content: answersOf(other.idCard, other.phone, { name: other.realName }),
    fileIds: await uploadAll(second),
  })
  return { ...w, second, secondId: sent.body.data.id }
}
const wall = async (w: ReviewWorld, who: Person, query: Record<string, string> = {}, language?: 'en') =>
  (await who.get(`${base}/getExamAvatarList`, { query: { examId: w.exam.examId, ...query }, ...(language ? { language } : {}) })).body
const mark = (w: ReviewWorld, who: Person, marks: object[]) =>
  who.post(`${base}/savePhotoMarks`, { json: { examId: w.exam.examId, marks } })
const back = (w: ReviewWorld, who: Person, signUpIds: string, more: object = {}) =>
  who.post(`${base}/returnPhotos`, { json: { examId: w.exam.examId, signUpIds, ...more } })
const stateOf = (w: ReviewWorld) =>
  w.tenant.rows(sql`select name, examine, photo_state as photo, photo_advice as advice, advisements from signup order by id`)
const ground = '背景应为白色或蓝色，请重新上传'

test('[S7.46] marks are kept at once, are read back by whoever comes later, and leave with a new photo', async () => {
  const w = await world()
  const page = (await wall(w, w.r1)).data
  expect(page).toEqual({
    records: [
      {
        signUpId: w.id,
        signNo: '20260300000001',
        name: '王·测',
        unit: 'H01',
        code: 'B001',
        codeName: '护士',
        examine: 1,
        signVersion: 1,
        photoState: 0,
        advice: null,
        markedBy: null,
        findings: [],
        link: expect.stringMatching(/^\/api\/file\//),
        mayReturn: true,
      },
      expect.objectContaining({ signUpId: w.secondId, name: '陈八', photoState: 0 }),
    ],
    total: 2,
    size: 10,
    current: 1,
    pages: 1,
    counts: { unseen: 2, good: 0, bad: 0 },
  })
  expect((await w.r1.get(page.records[0].link)).headers['content-type']).toBe('image/jpeg')
  const unsaid = await mark(w, w.r1, [{ signUpId: w.id, signVersion: 1, photoState: 2 }])
  expect(unsaid.body.data.fields).toEqual([{ field: 'marks.0.advice', msg: '照片不合格时请选择或填写原因' }])
  expect(
    (
      await mark(w, w.r1, [
        { signUpId: w.id, signVersion: 1, photoState: 2, advice: 'The background must be white or blue; please upload again' },
        { signUpId: w.secondId, signVersion: 1, photoState: 1 },
        { signUpId: '1', signVersion: 1, photoState: 1 },
      ])
    ).body.data,
  ).toEqual({ saved: 2, stale: ['1'] })
  expect(await stateOf(w)).toEqual([
    { name: '王·测', examine: 'waiting', photo: 2, advice: ground, advisements: [] },
    { name: '陈八', examine: 'waiting', photo: 1, advice: null, advisements: [] },
  ])
  const bad = (await wall(w, w.officer, { photoState: '2' })).data
  expect(bad).toMatchObject({ total: 1, counts: { unseen: 0, good: 1, bad: 1 }, records: [{ advice: ground, markedBy: '初审甲' }] })
  expect((await wall(w, w.officer, { photoState: '2' }, 'en')).data.records[0].advice).toBe(
    'The background must be white or blue; please upload again',
  )
  // The candidate replaces the photo meanwhile: what was looked at is gone, and so is the mark; an old version is not marked.
  const photo = readFileSync(fileURLToPath(new URL('../../../seed/data/portraits/p02-blue.jpg', import.meta.url)))
  const newer = await upload(w.candidate, photo, 'p02-blue.jpg', 'photo')
  const again = await submit(w.candidate, w.exam.examId, {
    content: answersOf(wang.idCard, wang.phone),
    fileIds: { ...w.fileIds, photo: [newer] },
    signVersion: 1,
  })
  expect(again.body.code).toBe(200)
  expect((await stateOf(w))[0]).toMatchObject({ photo: 0, advice: null })
  expect((await mark(w, w.r1, [{ signUpId: w.id, signVersion: 1, photoState: 1 }])).body.data).toEqual({ saved: 0, stale: [w.id] })
  expect((await back(w, w.r1, w.id)).body.data).toEqual({
    returned: 0,
    kept: [{ signUpId: w.id, signNo: '20260300000001', reason: '照片已更换或已不是“不合格”，未退回' }],
  })
  for (const role of ['auditor', 'finance', 'unit_hr'] as const) expect((await wall(w, await w.tenant.staff(role))).code).toBe(403)
  const stranger = await world()
  expect((await wall(w, stranger.r1)).code).toBe(404)
  expect((await mark(w, stranger.r1, [{ signUpId: w.id, signVersion: 1, photoState: 1 }])).status).toBe(404)
})

test('[S7.46] photos that are not good go back in one go, each by the rules of a single return; what cannot is named and keeps its mark', async () => {
  const w = await world()
  await mark(
    w,
    w.r1,
    [w.id, w.secondId].map(signUpId => ({ signUpId, signVersion: 1, photoState: 2, advice: ground })),
  )
  await openReview(w.officer, w.secondId)
  expect((await back(w, w.r1, `${w.id},${w.secondId},1`)).body.data).toEqual({
    returned: 1,
    kept: [
      { signUpId: w.secondId, signNo: '20260300000002', reason: '未退回：考务丁 正在审核' },
      { signUpId: '1', signNo: null, reason: '记录不存在' },
    ],
  })
  expect(await stateOf(w)).toEqual([
    { name: '王·测', examine: 'returned', photo: 2, advice: ground, advisements: [{ kind: 'file', key: 'photo', advice: ground }] },
    { name: '陈八', examine: 'waiting', photo: 2, advice: ground, advisements: [] },
  ])
  expect(
    await w.tenant.rows(
      sql`select level, result, remark, examiner_name as who, before_state as before, after_state as after from examine_record order by id`,
    ),
  ).toEqual([{ level: 1, result: 2, remark: '请按修改意见逐项更正后重新提交', who: '初审甲', before: 'waiting', after: 'returned' }])
  expect(
    await w.tenant.rows(sql`select title_zh as title from notify where user_id = ${w.candidate.userId} and title_zh = '报名需要修改'`),
  ).toHaveLength(1)
  expect(await w.tenant.rows(sql`select reason from audit_log where action = 'signup.examined'`)).toHaveLength(1)
  // What the candidate may change now is the photo and nothing else.
  const form = await w.candidate.get(`${base}/detail`, { query: { id: w.id } })
  expect(form.body.data.openParts).toEqual({ everything: false, itemKeys: [], fileKeys: ['photo'], post: false })
  // Twice is once: it waits no more.
  expect((await back(w, w.r1, w.id)).body.data).toMatchObject({ returned: 0, kept: [{ signUpId: w.id }] })
  await w.officer.post('/blade-signup/examine/release', { query: { signUpId: w.secondId } })
  // After the time for corrections a return needs an extension, here as there.
  t.clock.set('2026-03-21T12:30:00+08:00')
  expect((await back(w, w.r1, w.secondId)).body.data.kept[0].reason).toContain('修改时间已过')
  expect((await back(w, w.officer, w.secondId, { extendHours: 24 })).body.data).toEqual({ returned: 1, kept: [] })
})

test('a reviewer sees, marks and returns what was given to them; a conflict keeps a sign-up from going back by them', async () => {
  const w = await world({ allot_mode: 3 })
  const r2 = await w.tenant.staff('reviewer1', { realName: '初审乙' })
  await w.officer.post('/blade-exam/examination/saveCheck', { json: { examId: w.exam.examId, list: [{ userId: w.r1.userId, level: 1 }] } })
  await t.runTasks()
  expect((await wall(w, r2)).data).toMatchObject({ total: 0 })
  expect((await mark(w, r2, [{ signUpId: w.id, signVersion: 1, photoState: 1 }])).body.data).toEqual({ saved: 0, stale: [w.id] })
  await mark(w, w.r1, [{ signUpId: w.id, signVersion: 1, photoState: 2, advice: ground }])
  expect((await back(w, r2, w.id)).body.data).toMatchObject({ returned: 0, kept: [{ reason: '记录不存在' }] })
  await w.tenant.rows(sql`
    insert into recuse (tenant_id, exam_id, reviewer_id, signup_id, reason) values (${w.tenant.tenantId}, ${w.exam.examId}, ${w.r1.userId}, ${w.id}, '亲属')`)
  expect((await back(w, w.r1, w.id)).body.data.kept[0].reason).toBe('未退回：您与该考生存在回避关系')
  expect((await decide(w.r1, w.id, { examineResult: 1 })).body.code).toBe(2204)
})
