import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cannedAdvice } from '#contract/signup/canned-advice.ts'
import { sql } from '#kernel/db/sql.ts'
import { type Person, startTestApp, type TestApp, type TestTenant } from '../../support/app.ts'
import type { buildExam } from '../../support/factories.ts'
import { sealFor } from '../../support/login.ts'
import { decide, openReview as open, type ReviewWorld, reviewWorld, wang } from '../../support/reviewing.ts'
import { answersOf, submit, upload } from '../../support/signing.ts'
import { bothAtOnce } from '../../support/two-persons.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())

const picture = fileURLToPath(new URL('../../../seed/data/portraits/diploma.jpg', import.meta.url))
const world = (overrides: Parameters<typeof buildExam>[1] = {}): Promise<ReviewWorld> => reviewWorld(t, overrides)
const state = async (tenant: TestTenant) =>
  (await tenant.rows(sql<{ examine: string; pay_state: string }>`select examine, pay_state from signup order by id`))[0]

describe('reviewing a sign-up', () => {
  test('a page that stays open is one look in the trail; another person and a lock taken anew are others', async () => {
    const w = await world()
    const looks = async () =>
      (
        await w.tenant.rows(
          sql<{ who: string }>`select user_id::text as who from audit_log where action = 'signup.opened-for-review' order by id`,
        )
      ).map(({ who }) => (who === w.r1.userId ? 'r1' : 'officer'))
    await open(w.r1, w.id)
    for (const minutes of [2, 2, 2]) {
      t.clock.advance(minutes * 60_000)
      await open(w.r1, w.id)
    }
    expect(await looks()).toEqual(['r1'])
    await open(w.officer, w.id)
    expect(await looks()).toEqual(['r1', 'officer'])
    t.clock.advance(11 * 60_000)
    await open(w.r1, w.id)
    expect(await looks()).toEqual(['r1', 'officer', 'r1'])
  })

  test('[S1.04][S3.13][S4.10][S7.48][S7.49] scenario 1: two levels, two people, then the due arises', async () => {
    const w = await world()
    const list = await w.r1.get('/blade-signup/examine/getExamineList', { query: { examId: w.exam.examId, level: 1 } })
    expect(list.body.data).toMatchObject({
      total: 1,
      records: [{ id: w.id, name: '王·测', idCardMask: '3301**********1023', examine: 1, autoCheck: expect.any(String), lockedBy: null }],
    })
    const info = await open(w.r1, w.id)
    expect(info.body.data).toMatchObject({
      level: 1,
      mayDecide: true,
      readOnlyReason: null,
      lockedBy: '初审甲',
      lockUntil: '2026-03-17 10:10:00',
      signup: { content: { idCard: '330106********1023', phone: '160****0001' } },
    })
    t.clock.advance(20_000)
    expect((await decide(w.r1, w.id, { examineResult: 1 })).body.data).toEqual({ examine: 2, nextId: null, payState: 0 })
    await open(w.r2, w.id)
    expect((await decide(w.r2, w.id, { examineResult: 1 })).body.data).toEqual({ examine: 5, nextId: null, payState: 1 })
    expect(await state(w.tenant)).toEqual({ examine: 'passed', pay_state: 'due' })
    expect(await w.tenant.rows(sql<object>`select amount_fen, state, source from exam_pay`)).toEqual([
      { amount_fen: 10_000, state: 'due', source: 1 },
    ])
    expect(
      await w.tenant.rows(
        sql<object>`select level, result, examiner_name, before_state, after_state, duration_ms from examine_record order by id`,
      ),
    ).toEqual([
      { level: 1, result: 1, examiner_name: '初审甲', before_state: 'waiting', after_state: 'second', duration_ms: 20_000 },
      { level: 2, result: 1, examiner_name: '复核乙', before_state: 'second', after_state: 'passed', duration_ms: 0 },
    ])
    expect(await w.tenant.rows(sql<object>`select action from audit_log where action = 'signup.examined'`)).toEqual([
      { action: 'signup.examined' },
      { action: 'signup.examined' },
    ])
    expect(await t.runTasks()).toContain('message.send-sms')
    expect(
      (await w.tenant.rows(sql<{ content: string }>`select content from sms_message where template = 'signup-passed'`))[0]?.content,
    ).toContain('100.00 元')
  })

  test('[S4.10] the second reviewer gives it back to the first: with a reason, the candidate hears nothing, and the first decides anew', async () => {
    const w = await world()
    const back = {
      examineResult: 2,
      examineResultRemark: '学历未核对',
      advisementList: [{ kind: 'other', key: 'reviewer', label: '初审', advice: '请核对学历' }],
    }
    await open(w.r1, w.id)
    // Of the first level there is nobody to give it back to: it goes to the candidate.
    await decide(w.r1, w.id, { examineResult: 1 })
    const told = () =>
      w.tenant.rows(
        sql<object>`select title_zh as title from notify where exam_id = ${w.exam.examId} and kind = 1 and title_zh like '%需要修改%'`,
      )
    await open(w.r2, w.id)
    expect((await decide(w.r2, w.id, { ...back, examineResultRemark: ' ' })).body.code).not.toBe(200)
    expect((await decide(w.r2, w.id, { ...back, advisementList: [] })).body.code).not.toBe(200)
    expect((await state(w.tenant))?.examine).toBe('second')
    expect((await decide(w.r2, w.id, back)).body.data).toMatchObject({ examine: 1, payState: 0 })
    expect(await told()).toEqual([])
    expect(
      await w.tenant.rows(
        sql<object>`select level, result, before_state, after_state, remark from examine_record order by id desc limit 1`,
      ),
    ).toEqual([{ level: 2, result: 2, before_state: 'second', after_state: 'waiting', remark: '学历未核对' }])
    expect((await open(w.r1, w.id)).body.data).toMatchObject({ level: 1, mayDecide: true })
    expect((await decide(w.r1, w.id, { examineResult: 1 })).body.data).toMatchObject({ examine: 2 })
  })

  test('with one level the first reviewer’s pass is final', async () => {
    const w = await world({ exam: { examine_levels: 1 } })
    await open(w.r1, w.id)
    expect((await decide(w.r1, w.id, { examineResult: 1 })).body.data).toMatchObject({ examine: 5, payState: 1 })
  })

  test('[S7.48][S7.49] a client that only looks by GET decides where nobody holds the lock, and on the version that it has seen', async () => {
    const w = await world({ exam: { examine_levels: 1 } })
    const look = async () => (await w.r1.get('/blade-signup/examine/getExamineInfo', { query: { signUpId: w.id } })).body.data
    expect(await look()).toMatchObject({ lockedBy: null, signup: { signVersion: 1 } })
    const stale = await decide(w.r1, w.id, { examineResult: 1, signVersion: 2 })
    await open(w.officer, w.id)
    const held = await decide(w.r1, w.id, { examineResult: 1 })
    expect([stale.body.reason, held.body.reason]).toEqual(['examine/stale', 'examine/no-lock'])
    t.clock.advance(11 * 60_000)
    expect((await decide(w.r1, w.id, { examineResult: 1 })).body.data).toMatchObject({ examine: 5 })
  })

  test('scenario 7: the second reviewer who opens it reads only, and a decision without the lock is refused', async () => {
    const w = await world()
    await open(w.r1, w.id)
    const rival = await w.tenant.staff('reviewer1', { realName: '初审丙' })
    expect((await open(rival, w.id)).body.data).toMatchObject({ mayDecide: false, lockedBy: '初审甲', readOnlyReason: '初审甲 正在审核' })
    expect((await decide(rival, w.id, { examineResult: 1 })).body).toMatchObject({
      code: 2202,
      msg: '未持有审核锁，请重新打开（当前：初审甲）',
    })
    t.clock.advance(10 * 60_000)
    expect((await open(rival, w.id)).body.data).toMatchObject({ mayDecide: true, lockedBy: '初审丙' })
    expect((await decide(w.r1, w.id, { examineResult: 1 })).body.code).toBe(2202)
    expect(await w.tenant.rows(sql`select 1 from examine_record`)).toEqual([])
  })

  test('scenario 7: a decision on a version that the candidate has replaced stores nothing', async () => {
    const w = await world()
    await open(w.r1, w.id)
    expect(
      (
        await submit(w.candidate, w.exam.examId, {
          content: answersOf(wang.idCard, wang.phone, { school: '浙江大学' }),
          fileIds: w.fileIds,
          signVersion: 1,
        })
      ).body.code,
    ).toBe(2111)
    t.clock.advance(10 * 60_000)
    expect(
      (
        await submit(w.candidate, w.exam.examId, {
          content: answersOf(wang.idCard, wang.phone, { school: '浙江大学' }),
          fileIds: w.fileIds,
          signVersion: 1,
        })
      ).body.data,
    ).toMatchObject({ signVersion: 2, signNo: '20260300000001' })
    const info = await open(w.r1, w.id)
    expect(info.body.data.changedItems).toEqual([{ key: 'school', label: expect.any(String), before: '新疆医科大学', after: '浙江大学' }])
    expect((await decide(w.r1, w.id, { examineResult: 1, signVersion: 1 })).body).toMatchObject({
      code: 2203,
      msg: '报名信息已更新，请刷新后重新审核',
    })
    expect(await w.tenant.rows(sql`select 1 from examine_record`)).toEqual([])
    expect((await decide(w.r1, w.id, { examineResult: 1, signVersion: 2 })).body.data.examine).toBe(2)
  })

  test('one person may not review both levels, and a recused reviewer gets neither lock nor decision', async () => {
    const w = await world()
    const both = await w.tenant.staff(['reviewer1', 'reviewer2'], { realName: '双角色' })
    await open(both, w.id)
    await decide(both, w.id, { examineResult: 1 })
    expect((await open(both, w.id)).body.data).toMatchObject({ mayDecide: false, readOnlyReason: '您已做过初审，不能再复核' })
    expect((await decide(both, w.id, { examineResult: 1 })).body.reason).toBe('examine/same-reviewer')
    await w.tenant.db(db =>
      db.run(
        sql`insert into recuse (tenant_id, exam_id, reviewer_id, signup_id, reason) values (${w.tenant.tenantId}, ${w.exam.examId}, ${w.r2.userId}, ${w.id}, '亲属')`,
      ),
    )
    expect((await open(w.r2, w.id)).body).toMatchObject({ code: 403, reason: 'signup/recused' })
    expect((await decide(w.r2, w.id, { examineResult: 1 })).body.code).toBe(2204)
    expect((await state(w.tenant))?.examine).toBe('second')
  })

  test('[S4.10] where the examination allows it, the first reviewer opens and decides the second review too', async () => {
    const w = await world({ exam: { allow_same_reviewer: true } })
    const both = await w.tenant.staff(['reviewer1', 'reviewer2'], { realName: '双角色' })
    await open(both, w.id)
    await decide(both, w.id, { examineResult: 1 })
    expect((await open(both, w.id)).body.data).toMatchObject({ level: 2, mayDecide: true, readOnlyReason: null, lockedBy: '双角色' })
    expect((await decide(both, w.id, { examineResult: 1 })).body.data).toMatchObject({ examine: 5 })
  })

  test('[S4.10] scenario 9: returned with two advisements, only these are open, the reviewer sees exactly two differences', async () => {
    const w = await world()
    await open(w.r1, w.id)
    const advisementList = [
      { kind: 'file', key: 'photo', label: '证件照', advice: '背景应为白色' },
      { kind: 'item', key: 'major', label: '所学专业', advice: '与毕业证不一致' },
    ]
    expect((await decide(w.r1, w.id, { examineResult: 2, examineResultRemark: '请修改两处' })).body.code).toBe(400)
    expect((await decide(w.r1, w.id, { examineResult: 2, advisementList })).body.code).toBe(400)
    expect((await decide(w.r1, w.id, { examineResult: 2, examineResultRemark: '请修改两处', advisementList })).body.data.examine).toBe(3)

    const returned = await w.candidate.get('/blade-signup/signup/detail', { query: { id: w.id } })
    // The decision is the bureau's: its author and the time they took are for colleagues.
    expect(returned.body.data.records).toMatchObject([{ result: 2, remark: '请修改两处', examinerName: '', durationMs: null }])
    const asStaff = await w.r1.get('/blade-signup/signup/detail', { query: { id: w.id } })
    expect(asStaff.body.data.records).toMatchObject([{ result: 2, examinerName: '初审甲', durationMs: expect.any(Number) }])
    expect(returned.body.data.openParts).toEqual({
      everything: false,
      itemKeys: expect.arrayContaining(['major', 'majorCode']),
      fileKeys: ['photo'],
      post: false,
    })
    expect(returned.body.data.advisementList.map((one: { key: string; resolved: boolean }) => [one.key, one.resolved])).toEqual([
      ['photo', false],
      ['major', false],
    ])
    expect((await w.candidate.get('/blade-signup/signup/myExamList')).body.data.records[0].nextAction).toMatchObject({
      code: 'fix',
      text: '修改 2 处后重新提交',
      deadline: '2026-03-21 12:00:00',
    })

    const { readFileSync } = await import('node:fs')
    const photo = await upload(
      w.candidate,
      readFileSync(new URL('../../../seed/data/portraits/p03-white.jpg', import.meta.url)),
      'p03-white.jpg',
      'photo',
    )
    const fileIds = { ...w.fileIds, photo: [photo] }
    const locked = await submit(w.candidate, w.exam.examId, {
      content: answersOf(wang.idCard, wang.phone, { major: '助产学', school: '别的大学' }),
      fileIds,
      signVersion: 1,
    })
    expect(locked.body).toMatchObject({ code: 2003, msg: expect.stringContaining('毕业院校') })
    const fixed = await submit(w.candidate, w.exam.examId, {
      content: answersOf(wang.idCard, wang.phone, { major: '助产学', majorCode: '' }),
      fileIds,
      signVersion: 1,
    })
    expect(fixed.body.data).toMatchObject({ examine: 1, signVersion: 2 })
    const info = await open(w.r1, w.id)
    expect(info.body.data.changedItems.map((one: { key: string }) => one.key).filter((key: string) => key !== 'majorCode')).toEqual([
      'major',
    ])
    expect(info.body.data.changedFiles).toEqual(['photo'])
    expect(info.body.data.previousFiles.map((file: { fileKey: string; fileId: string }) => [file.fileKey, file.fileId])).toEqual([
      ['photo', w.fileIds['photo']?.[0]],
    ])
    expect(info.body.data.signup.advisementList.map((one: { key: string; resolved: boolean }) => [one.key, one.resolved])).toEqual([
      ['photo', true],
      ['major', true],
    ])
  })

  test('[S7.49] nobody is sent back to mend what their form does not have, or without a word', async () => {
    const w = await world()
    await open(w.r1, w.id)
    const back = async (kind: string, key: string, advice = '请核对') => {
      const sent = { examineResult: 2, examineResultRemark: '请修改', advisementList: [{ kind, key, advice }] }
      const { status, body } = await decide(w.r1, w.id, sent)
      return [status, body.reason, body.msg]
    }
    const unknown = (key: string) => [400, 'examine/unknown-advice', `报名表没有“${key}”这一项，不能要求修改`]
    expect(await back('item', 'nosuch')).toEqual(unknown('nosuch'))
    expect(await back('file', 'major')).toEqual(unknown('major'))
    expect(await back('file', 'promiseSignature')).toEqual(unknown('promiseSignature'))
    expect(await back('item', 'major', '  ')).toEqual([400, 'kernel/invalid-input', expect.stringContaining('修改意见')])
    expect(await state(w.tenant)).toEqual({ examine: 'waiting', pay_state: 'none' })
    expect((await back('item', 'major')).slice(0, 1)).toEqual([200])
    expect(await state(w.tenant)).toEqual({ examine: 'returned', pay_state: 'none' })
  })

  test('[S3.12][S7.49] a signature that was returned is named in the reader’s language, drawn anew, and then done', async () => {
    const w = await world()
    await w.tenant.db(db => db.run(sql`update examination set need_signature = true`))
    await open(w.r1, w.id)
    const advisementList = [{ kind: 'file', key: 'promiseSignature', label: '承诺书签名', advice: '签名看不清' }]
    const back = await decide(w.r1, w.id, { examineResult: 2, examineResultRemark: '请重新签名', advisementList })
    expect(back.body.data.examine).toBe(3)
    const form = await w.candidate.get('/blade-signup/signup/getExamInfoOrSignUpInfo', {
      query: { examId: w.exam.examId },
      language: 'en',
    })
    const asked = { kind: 'file', key: 'promiseSignature', advice: '签名看不清', oldValue: [], newValue: [] }
    expect(form.body.data.signup.advisementList).toEqual([{ ...asked, label: 'Signature of the undertaking', resolved: false }])
    const pen = await upload(w.candidate, readFileSync(picture), 'signature.jpg', 'image')
    const content = answersOf(wang.idCard, wang.phone)
    const again = { content, fileIds: w.fileIds, signVersion: 1, extra: { signatureFileId: pen } }
    expect((await submit(w.candidate, w.exam.examId, again)).body).toMatchObject({ code: 200, data: { examine: 1, signVersion: 2 } })
    const seen = (await open(w.r1, w.id)).body.data.signup
    expect(seen.advisementList).toEqual([{ ...asked, label: '承诺书签名', resolved: true }])
    expect(seen.files.find((file: { fileKey: string }) => file.fileKey === 'promiseSignature').fileId).toBe(pen)
  })

  test('[S7.49] what is read out of the id number is mended by another number, which the account takes by a request', async () => {
    const w = await world()
    await open(w.r1, w.id)
    const advisementList = [{ kind: 'item', key: 'birthday', label: '出生日期', advice: '与身份证不符' }]
    await decide(w.r1, w.id, { examineResult: 2, examineResultRemark: '请核对', advisementList })
    const change = (person: Person, json: object) => person.post('/blade-userupdateinfo/userupdateinfo/submit', { json })
    const proofFileIds = await upload(w.candidate, readFileSync(picture), '证明.jpg', 'image')
    const value = sealFor(t, '440106199202290082')
    const { id } = (await change(w.candidate, { field: 'idCard', value, reason: '登记有误', proofFileIds })).body.data
    const colleague = await w.tenant.staff('exam_admin')
    const passed = await bothAtOnce([w.officer, colleague], (who, more) => change(who, { id, state: 1, ...more }))
    expect(passed.status).toBe(200)
    const form = { content: answersOf('440106199202290082', wang.phone), fileIds: w.fileIds, signVersion: 2 }
    expect((await submit(w.candidate, w.exam.examId, form)).body).toMatchObject({ code: 200, data: { examine: 1, signVersion: 3 } })
    const shown = (await open(w.r1, w.id)).body.data.signup.advisementList
    expect(shown).toMatchObject([{ key: 'birthday', resolved: true, oldValue: '1998-06-30', newValue: '1992-02-29' }])
  })

  test('whoever opens a sign-up after the windows is told what is over, and may still decide', async () => {
    const w = await world()
    expect((await open(w.r1, w.id)).body.data.late).toEqual([])
    await w.tenant.db(db => db.run(sql`update examination set examine_end = '2026-03-17 09:00:00+08' where id = ${w.exam.examId}`))
    expect((await open(w.r1, w.id)).body.data).toMatchObject({ mayDecide: true, late: ['审核已于 2026-03-17 09:00 截止'] })
  })

  test('[S7.49] a closed examination is decided about no more', async () => {
    const w = await world()
    await open(w.r1, w.id)
    await w.tenant.db(db => db.run(sql`update examination set state = 'closed'`))
    expect((await decide(w.r1, w.id, { examineResult: 1 })).body).toMatchObject({ code: 2101, reason: 'signup/exam-not-open' })
    expect((await open(w.r1, w.id)).body.data).toMatchObject({ mayDecide: false, readOnlyReason: '考试已关闭，不再审核' })
    expect(await state(w.tenant)).toEqual({ examine: 'waiting', pay_state: 'none' })
  })

  test('[S4.10] a common advice chosen in English is stored in Chinese and read in the reader’s language', async () => {
    const w = await world()
    await open(w.r1, w.id)
    const [mismatch] = cannedAdvice.item
    const [again] = cannedAdvice.returned
    const answer = await w.r1.post('/blade-signup/examine/examine', {
      language: 'en',
      json: {
        signUpId: w.id,
        signVersion: 1,
        examineResult: 2,
        examineResultRemark: again.en,
        advisementList: [
          { kind: 'item', key: 'major', label: 'Major', advice: mismatch.en },
          { kind: 'item', key: 'school', label: 'School', advice: 'see page 3' },
        ],
      },
    })
    expect(answer.body).toMatchObject({ success: true })
    expect(await w.tenant.rows(sql<object>`select remark, advisements -> 0 ->> 'advice' as advice from examine_record`)).toEqual([
      { remark: again.zh, advice: mismatch.zh },
    ])
    const read = async (language: 'zh' | 'en') => {
      const { body } = await w.candidate.get('/blade-signup/signup/detail', { language, query: { id: w.id } })
      return {
        remark: body.data.examineRemark,
        list: body.data.advisementList.map((one: { label: string; advice: string }) => [one.label, one.advice]),
      }
    }
    expect(await read('zh')).toEqual({
      remark: again.zh,
      list: [
        ['所学专业', mismatch.zh],
        ['毕业院校', 'see page 3'],
      ],
    })
    expect(await read('en')).toMatchObject({
      remark: again.en,
      list: [
        [expect.any(String), mismatch.en],
        [expect.any(String), 'see page 3'],
      ],
    })
  })

  test('scenario 9: after modifyEnd a correction is late, and a return then needs an extension by an exam administrator', async () => {
    const w = await world()
    await open(w.r1, w.id)
    await decide(w.r1, w.id, {
      examineResult: 2,
      examineResultRemark: '请修改',
      advisementList: [{ kind: 'item', key: 'major', advice: '按证书填写' }],
    })
    t.clock.set('2026-03-21T12:00:00.000+08:00')
    const late = await submit(w.candidate, w.exam.examId, {
      content: answersOf(wang.idCard, wang.phone, { major: '助产学' }),
      fileIds: w.fileIds,
      signVersion: 1,
    })
    expect(late.body.code).toBe(2102)
    const other = await world()
    t.clock.set('2026-03-21T12:00:00.000+08:00')
    await open(other.r1, other.id)
    const advisementList = [{ kind: 'item', key: 'major', advice: '按证书填写' }]
    expect(
      (await decide(other.r1, other.id, { examineResult: 2, examineResultRemark: '请修改', advisementList, extendHours: 24 })).body.code,
    ).toBe(2206)
    await other.r1.post('/blade-signup/examine/release', { query: { signUpId: other.id } })
    const officer = await other.tenant.staff('exam_admin')
    await open(officer, other.id)
    expect(
      (await decide(officer, other.id, { examineResult: 2, examineResultRemark: '请修改', advisementList, extendHours: 24 })).body.data
        .examine,
    ).toBe(3)
    t.clock.set('2026-03-22T11:59:59.999+08:00')
    const form = await other.candidate.get('/blade-signup/signup/getExamInfoOrSignUpInfo', { query: { examId: other.exam.examId } })
    expect([form.body.data.canSubmit, form.body.data.reason]).toEqual([true, null])
    expect(
      (
        await submit(other.candidate, other.exam.examId, {
          content: answersOf(wang.idCard, wang.phone, { major: '助产学', majorCode: '' }),
          fileIds: other.fileIds,
          signVersion: 1,
        })
      ).body.data.examine,
    ).toBe(1)
  })

  test('[S4.10] advice about the post is done once another post is chosen, and what changed is named in the reader’s language', async () => {
    const w = await world()
    await open(w.r1, w.id)
    const advisementList = [
      { kind: 'post', key: 'code', advice: '请改报' },
      { kind: 'item', key: 'school', advice: '请核对' },
    ]
    await decide(w.r1, w.id, { examineResult: 2, examineResultRemark: '请修改', advisementList })
    const done = async () => {
      const { body } = await w.candidate.get('/blade-signup/signup/detail', { query: { id: w.id } })
      return body.data.advisementList.map((one: Record<string, unknown>) => [one['key'], one['resolved'], one['oldValue'], one['newValue']])
    }
    expect(await done()).toEqual([
      ['code', false, 'B001', 'B001'],
      ['school', false, '新疆医科大学', '新疆医科大学'],
    ])
    const content = answersOf(wang.idCard, wang.phone, { school: '浙江大学' })
    await submit(w.candidate, w.exam.examId, { code: 'A002', content, fileIds: w.fileIds, signVersion: 1 })
    expect(await done()).toEqual([
      ['code', true, 'B001', 'A002'],
      ['school', true, '新疆医科大学', '浙江大学'],
    ])
    const info = await w.r1.post('/blade-signup/examine/open', { language: 'en', json: { signUpId: w.id } })
    expect(info.body.data.changedItems).toEqual([{ key: 'school', label: 'School', before: '新疆医科大学', after: '浙江大学' }])
  })

  test('what passed is offered to be taken back as long as it may be: unpaid, until payment ends', async () => {
    const w = await world({ exam: { examine_levels: 1 } })
    await open(w.r1, w.id)
    await decide(w.r1, w.id, { examineResult: 1 })
    const offered = async () => (await w.candidate.get('/blade-signup/signup/myExamList')).body.data.records[0].canWithdraw
    expect(await offered()).toBe(true)
    t.clock.set('2026-03-22T17:00:00.000+08:00')
    expect(await offered()).toBe(false)
    expect((await w.candidate.post('/blade-signup/signup/remove', { json: { ids: w.id } })).body.reason).toBe('signup/outside-window')
  })

  test('a refused candidate is offered one appeal until its day, and no second one', async () => {
    const w = await world({
      exam: { sign_end: '2026-03-18 17:00:00', examine_end: '2026-03-25 17:00:00', appeal_end: '2026-03-21 17:00:00' },
    })
    const offered = async () => {
      const list = await w.candidate.get('/blade-signup/signup/myExamList')
      const form = await w.candidate.get('/blade-signup/signup/getExamInfoOrSignUpInfo', { query: { examId: w.exam.examId } })
      return [list.body.data.records[0].canAppeal, form.body.data.canAppeal, form.body.data.canSubmit]
    }
    const again = (signVersion: number) =>
      w.candidate.post('/blade-signup/signup/submit', {
        json: {
          examId: w.exam.examId,
          code: 'B001',
          submitType: 1,
          promise: 1,
          appeal: 1,
          signVersion,
          content: answersOf(wang.idCard, wang.phone),
          fileIds: w.fileIds,
        },
      })
    expect(await offered()).toEqual([false, false, true])
    await open(w.r1, w.id)
    await decide(w.r1, w.id, { examineResult: 3, examineResultRemark: '专业不符' })
    t.clock.set('2026-03-21T16:59:59.999+08:00')
    expect(await offered()).toEqual([true, true, true])
    t.clock.set('2026-03-21T17:00:00.000+08:00')
    expect(await offered()).toEqual([false, false, false])
    t.clock.set('2026-03-20T12:00:00.000+08:00')
    const appealed = await again(1)
    expect([appealed.status, appealed.body.data?.examine]).toEqual([200, 1])
    await open(w.r1, w.id)
    await decide(w.r1, w.id, { signVersion: appealed.body.data.signVersion, examineResult: 3, examineResultRemark: '维持' })
    expect(await offered()).toEqual([false, false, false])
    expect((await again(appealed.body.data.signVersion)).body.reason).toBe('signup/changed')
  })

  test('a refused sign-up gives its place back and may choose another post', async () => {
    const w = await world()
    await open(w.r1, w.id)
    await decide(w.r1, w.id, { examineResult: 3, examineResultRemark: '专业不符' })
    const used = () =>
      w.tenant.rows(sql<object>`select code, used_sign as used from type_code where code in ('B001', 'A002') order by code`)
    expect(await used()).toEqual([
      { code: 'A002', used: 0 },
      { code: 'B001', used: 0 },
    ])
    expect(
      (await submit(w.candidate, w.exam.examId, { content: answersOf(wang.idCard, wang.phone), fileIds: w.fileIds, signVersion: 1 })).body
        .code,
    ).toBe(2201)
    expect(
      (
        await submit(w.candidate, w.exam.examId, {
          code: 'A002',
          content: answersOf(wang.idCard, wang.phone),
          fileIds: w.fileIds,
          signVersion: 1,
        })
      ).body.data,
    ).toMatchObject({ examine: 1, signVersion: 2 })
    expect(await used()).toEqual([
      { code: 'A002', used: 1 },
      { code: 'B001', used: 0 },
    ])
  })

  test('who may see and decide: unit staff only their unit, finance and other tenants nothing', async () => {
    const w = await world()
    const ownUnit = await w.tenant.staff('unit_hr', { userCode: 'H01' })
    const otherUnit = await w.tenant.staff('unit_hr', { userCode: 'H02' })
    const finance = await w.tenant.staff('finance')
    const stranger = await (await t.tenant()).staff('reviewer1')
    const total = async (person: Person) =>
      (await person.get('/blade-signup/examine/getExamineList', { query: { examId: w.exam.examId } })).body.data?.total
    expect([await total(ownUnit), await total(otherUnit), await total(stranger)]).toEqual([1, 0, 0])
    expect((await finance.get('/blade-signup/examine/getExamineList', { query: { examId: w.exam.examId } })).status).toBe(403)
    for (const person of [otherUnit, stranger]) expect((await open(person, w.id)).status).toBe(404)
    expect((await decide(ownUnit, w.id, { examineResult: 1 })).status).toBe(403)
    expect((await decide(stranger, w.id, { examineResult: 1 })).status).toBe(404)
    expect((await w.candidate.post('/blade-signup/examine/open', { json: { signUpId: w.id } })).status).toBe(403)
    expect((await decide(w.r2, w.id, { examineResult: 1 })).body.code).toBe(2202)
    expect(await state(w.tenant)).toEqual({ examine: 'waiting', pay_state: 'none' })
  })
})
