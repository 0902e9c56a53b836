import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { type Person, startTestApp, type TestApp } from '../../support/app.ts'
import { decide, openReview as open, reviewWorld, type ReviewWorld as World } from '../../support/reviewing.ts'
import { answersOf, submit, upload, uploadAll } from '../../support/signing.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())

const idCard = '330106199806301023'
const phone = '16000000001'
const world = () => reviewWorld(t)

const saveTo = (person: Person, examId: string, json: object) =>
  person.post('/blade-signup/signup/submit', { json: { examId, submitType: 0, ...json } })
const save = (w: World, json: object) => saveTo(w.candidate, w.exam.examId, json)
const formOf = async (person: Person, examId: string) =>
  (await person.get('/blade-signup/signup/getExamInfoOrSignUpInfo', { query: { examId } })).body.data
const form = (w: World) => formOf(w.candidate, w.exam.examId)
const mine = async (w: World) => (await w.candidate.get('/blade-signup/signup/myExamList', { query: {} })).body.data.records[0]
const changed = (extra: object) => ({ content: answersOf(idCard, phone, { ...extra }) })

describe('[19.3] changes to a submitted sign-up that are not handed in', () => {
  test('[S5.22][S7.46] are told on home, in the list and in the form with a way to hand them in, and are gone once they are', async () => {
    const w = await world()
    expect([(await mine(w)).unsent, (await form(w)).unsent]).toEqual([null, null])
    await save(w, changed({ major: '助产学', educationType: '2' }))
    const row = await mine(w)
    expect([row.unsent, row.canEdit]).toEqual([{ count: 2, savedAt: '2026-03-17 10:00:00' }, true])
    expect(row.nextAction).toEqual({
      code: 'sendEdits',
      text: '有 2 处改动没有提交',
      hint: expect.any(String),
      deadline: '2026-03-20 17:00:00',
      link: `/signup/form/${w.exam.examId}?step=4`,
    })
    const cards = await w.candidate.get('/blade-signup/signup/examList', { query: {} })
    expect(cards.body.data.records[0].my.nextAction.code).toBe('sendEdits')
    const opened = await form(w)
    expect([opened.unsent, opened.canSubmit]).toEqual([
      { savedAt: '2026-03-17 10:00:00', labels: ['学习形式', '所学专业'], locked: [] },
      true,
    ])
    // What says the same as what was handed in is no change.
    await save(w, changed({}))
    expect((await mine(w)).unsent).toBeNull()
    await save(w, changed({ major: '助产学' }))
    const sent = await submit(w.candidate, w.exam.examId, { ...changed({ major: '助产学' }), fileIds: w.fileIds, signVersion: 1 })
    expect(sent.body.code).toBe(200)
    expect([(await mine(w)).unsent, await w.tenant.rows(sql<object>`select 1 from signup_draft`)]).toEqual([null, []])
  })

  test('the form never says that it may be changed while a reviewer reads it, nor after the end of sign-up', async () => {
    const w = await world()
    await save(w, changed({ major: '助产学' }))
    await open(w.r1, w.id)
    const locked = await form(w)
    expect([locked.canSubmit, locked.reason, locked.unsent.labels]).toEqual([false, '正在审核中，暂时不能修改', ['所学专业']])
    const row = await mine(w)
    expect([row.canEdit, row.canWithdraw, row.nextAction.code, row.nextAction.hint]).toEqual([
      false,
      false,
      'wait',
      expect.stringContaining('有 1 处改动没有提交，审核以已提交的内容为准'),
    ])
    t.clock.set('2026-03-20T17:00:00.000+08:00')
    expect([(await form(w)).canSubmit, (await mine(w)).canEdit]).toEqual([false, false])
  })

  test('after a pass they are kept and told, and the candidate may let them go', async () => {
    const w = await world()
    await save(w, changed({ major: '助产学' }))
    await open(w.r1, w.id)
    await decide(w.r1, w.id, { examineResult: 1 })
    await open(w.r2, w.id)
    await decide(w.r2, w.id, { examineResult: 1 })
    const row = await mine(w)
    expect([row.nextAction.code, row.nextAction.hint, row.unsent.count]).toEqual([
      'pay',
      '有 1 处改动没有提交，审核通过的是已提交的内容',
      1,
    ])
    const opened = await form(w)
    expect([opened.canSubmit, opened.unsent.labels, opened.signup.content.major]).toEqual([false, ['所学专业'], '护理学'])
    const drop = () => w.candidate.post('/blade-signup/signup/dropDraft', { json: { examId: w.exam.examId } })
    expect([(await drop()).body.data, (await drop()).body.data]).toEqual([{ dropped: true }, { dropped: false }])
    expect((await mine(w)).unsent).toBeNull()
    // One line for what was let go, naming the fields and nothing of what they said; none where there was nothing.
    const lines = () =>
      w.tenant.rows(sql<object>`
        select entity, entity_id::text as "entityId", before_value as "before", after_value as "after" from audit_log where action = 'signup.edits-dropped'`)
    const dropped = { entity: 'signup', entityId: w.id, before: { fields: ['major'] }, after: null }
    expect(await lines()).toEqual([dropped])
    const stranger = await w.tenant.candidate({ realName: '李测', phone: '16000000077', idCard: '510107199309094510' })
    await save(w, changed({ major: '助产学' }))
    expect((await stranger.post('/blade-signup/signup/dropDraft', { json: { examId: w.exam.examId } })).body.data).toEqual({
      dropped: false,
    })
    expect((await mine(w)).unsent.count).toBe(1)
    expect(await lines()).toEqual([dropped])
  })

  test('a return offers those that were asked for; the others are kept through the correction, where they may be used again', async () => {
    const w = await world()
    await save(w, changed({ major: '助产学', educationType: '2' }))
    await open(w.r1, w.id)
    await decide(w.r1, w.id, {
      examineResult: 2,
      examineResultRemark: '请改专业',
      advisementList: [{ kind: 'item', key: 'major', advice: '请改专业' }],
    })
    const returned = await form(w)
    expect(returned.unsent).toMatchObject({ labels: ['所学专业'], locked: ['学习形式'] })
    expect([returned.draft.content.major, returned.draft.content.educationType]).toEqual(['助产学', '2'])
    // A client that sends the whole form with what was locked as it was handed in takes nothing away.
    await save(w, changed({ major: '助产学专业' }))
    expect((await form(w)).draft.content).toMatchObject({ major: '助产学专业', educationType: '2' })
    const sent = await submit(w.candidate, w.exam.examId, { ...changed({ major: '助产学专业' }), fileIds: w.fileIds, signVersion: 1 })
    expect(sent.body.code).toBe(200)
    const waiting = await form(w)
    expect([waiting.signup.content.major, waiting.signup.content.educationType, waiting.canSubmit]).toEqual(['助产学专业', '1', true])
    expect(waiting.unsent).toMatchObject({ labels: ['学习形式'], locked: [] })
    expect((await mine(w)).nextAction.code).toBe('sendEdits')
  })
})

/** Another device: the same account, another session. */
describe('[19.4] one draft on two devices', () => {
  const edits = (base: number, ...keys: string[]) => Object.fromEntries(keys.map(key => [key, { at: t.clock.now().getTime(), base }]))
  const draftWorld = async () => {
    const w = await world()
    const person = await w.tenant.candidate({ realName: '李测', phone: '16000000077', idCard: '510107199309094510' })
    const on = (json: object) => saveTo(person, w.exam.examId, json)
    const stored = async () => (await formOf(person, w.exam.examId)).signup
    return { w, person, on, stored, examId: w.exam.examId }
  }

  test('[S5.22] fields and files of both are kept, each device hears of the other', async () => {
    const { on, stored, person } = await draftWorld()
    const first = await on({
      code: 'B001',
      content: { nation: '01', school: '甲校' },
      draft: { seen: 0, edits: edits(0, 'nation', 'school', 'signup.post') },
    })
    expect([first.body.data.draftVersion, first.body.data.conflicts, first.body.data.draft]).toEqual([1, [], null])
    // Two devices that know version 1; each sends its whole form, in which the other's change is missing.
    const idFront = await upload(
      person,
      readFileSync(new URL('../../../seed/data/portraits/id-front-1.jpg', import.meta.url)),
      'f.jpg',
      'image',
    )
    const a = await on({
      code: 'B001',
      content: { nation: '02', school: '甲校' },
      fileIds: {},
      draft: { seen: 1, edits: edits(1, 'nation') },
    })
    expect([a.body.data.draftVersion, a.body.data.draft]).toEqual([2, null])
    const b = await on({
      ...{ code: 'A001', content: { nation: '01', school: '乙校' }, fileIds: { idFront: [idFront] } },
      draft: { seen: 1, edits: edits(1, 'school', 'signup.post', 'file:idFront') },
    })
    expect(b.body.data).toMatchObject({
      draftVersion: 3,
      conflicts: [],
      draft: { content: { nation: '02', school: '乙校' }, code: 'A001', post: { codeName: '内科医师' } },
    })
    const kept = await stored()
    expect([kept.code, kept.content.nation, kept.content.school, kept.files.map((file: { fileKey: string }) => file.fileKey)]).toEqual([
      'A001',
      '02',
      '乙校',
      ['idFront'],
    ])
  })

  test('a field both have changed stays until the candidate chooses; nothing else waits for that', async () => {
    const { on, stored } = await draftWorld()
    await on({ content: { school: '甲校' }, draft: { seen: 0, edits: edits(0, 'school') } })
    const at = t.clock.now().getTime()
    await on({ content: { school: '乙校' }, draft: { seen: 1, edits: edits(1, 'school') } })
    t.clock.advance(60_000)
    const late = await on({ content: { school: '丙校', nation: '02' }, draft: { seen: 1, edits: edits(1, 'school', 'nation') } })
    expect(late.body.data).toMatchObject({
      draftVersion: 3,
      conflicts: [{ key: 'school', at }],
      draft: { content: { school: '乙校', nation: '02' } },
    })
    expect((await stored()).content).toMatchObject({ school: '乙校', nation: '02' })
    const chosen = await on({ content: { school: '丙校', nation: '02' }, draft: { seen: 3, edits: edits(3, 'school') } })
    expect([chosen.body.data.conflicts, (await stored()).content.school]).toEqual([[], '丙校'])
  })

  test('[S5.22] after a submit, an edit on an older save is asked about with both values, also when the device has heard of the submit', async () => {
    const { on, person, examId } = await draftWorld()
    const content = answersOf('510107199309094510', '16000000077', { name: '李测' })
    const fileIds = await uploadAll(person)
    await on({ code: 'B001', content, fileIds, draft: { seen: 0, edits: edits(0, ...Object.keys(content)) } })
    const at = t.clock.now().getTime()
    await on({ code: 'B001', content: { ...content, school: '丁校' }, fileIds, draft: { seen: 1, edits: edits(1, 'school') } })
    const handedIn = await submit(person, examId, {
      content: { ...content, school: '丁校' },
      fileIds,
      extra: { draft: { seen: 2, edits: {} } },
    })
    expect(handedIn.body.code).toBe(200)
    const v = handedIn.body.data.draftVersion

    t.clock.advance(60_000)
    const late = { content: { ...content, school: '戊校', nation: '02' }, fileIds }
    const mineAt = t.clock.now().getTime()
    const asked = { conflicts: [{ key: 'school', at }], draft: { content: { school: '丁校', nation: '02' } } }
    const first = await on({ ...late, draft: { seen: 1, edits: edits(1, 'school', 'nation') } })
    expect(first.body.data).toMatchObject({ examine: 1, signVersion: 1, draftVersion: v + 1, ...asked })
    // The form began anew with what was typed: it knows the last save, its edit still stands on the first one.
    const again = await on({ ...late, draft: { seen: v + 1, edits: { school: { at: mineAt, base: 1, was: [mineAt] } } } })
    expect(again.body.data).toMatchObject({ draftVersion: v + 1, ...asked })

    const chosen = await on({ ...late, draft: { seen: v + 1, edits: edits(v + 1, 'school') } })
    expect([chosen.body.data.draftVersion, chosen.body.data.conflicts]).toEqual([v + 2, []])
    // What a third device saves beside it takes nothing away.
    await on({ content: { ...content, school: '丁校', major: '助产学' }, fileIds, draft: { seen: v, edits: edits(v, 'major') } })
    const opened = await formOf(person, examId)
    expect([opened.signup.content.school, opened.draft.content.school, opened.unsent.labels]).toEqual([
      '丁校',
      '戊校',
      expect.arrayContaining(['毕业院校', '所学专业']),
    ])
    expect(opened.draftVersion).toBe(v + 3)
  })

  test('a client that sends no versions works as before, and its changes count', async () => {
    const { on, stored } = await draftWorld()
    await on({ content: { school: '甲校', nation: '01' } })
    await on({ content: { school: '乙校' } })
    expect([(await stored()).content.school, 'nation' in (await stored()).content]).toEqual(['乙校', false])
    const late = await on({ content: { school: '丙校' }, draft: { seen: 1, edits: edits(1, 'school') } })
    expect(late.body.data.conflicts.map((one: { key: string }) => one.key)).toEqual(['school'])
  })

  test('a submit that knows nothing of what another device saved asks first and stores nothing', async () => {
    const { w, on, person, examId } = await draftWorld()
    const content = answersOf('510107199309094510', '16000000077', { name: '李测' })
    const fileIds = await uploadAll(person)
    await on({ code: 'B001', content, fileIds, draft: { seen: 0, edits: edits(0, ...Object.keys(content)) } })
    await on({ code: 'B001', content: { ...content, major: '助产学' }, fileIds, draft: { seen: 1, edits: edits(1, 'major') } })
    const blind = await submit(person, examId, { content, fileIds, extra: { draft: { seen: 1, edits: {} } } })
    expect([blind.body.code, blind.body.msg]).toEqual([2201, '另一台设备或窗口刚保存了改动，请核对后再提交'])
    const states = () => w.tenant.rows(sql<{ examine: string }>`select examine from signup order by id`)
    expect(await states()).toEqual([{ examine: 'waiting' }, { examine: 'draft' }])
    const seen = await submit(person, examId, { content, fileIds, extra: { draft: { seen: 2, edits: {} } } })
    expect([seen.body.code, await states()]).toEqual([200, [{ examine: 'waiting' }, { examine: 'waiting' }]])
  })

  test('a form is begun while it can be handed in; what was begun is kept after the end too', async () => {
    const { w, on, person, examId } = await draftWorld()
    const late = await w.tenant.candidate({ realName: '赵测', phone: '16000000078', idCard: '110101199003074514' })
    const begin = async () => {
      const { body } = await saveTo(late, examId, { content: { school: '甲校' } })
      return [body.code, body.msg]
    }
    const outside = [2102, '不在报名时间（2026-03-16 09:00 至 2026-03-20 17:00）']
    t.clock.set(new Date('2026-03-01T09:00:00+08:00'))
    expect(await begin()).toEqual(outside)
    t.clock.set(new Date('2026-03-20T16:00:00+08:00'))
    expect((await on({ content: { school: '甲校' } })).body.code).toBe(200)
    // Files may follow for ten minutes, and so may what a device was late to send.
    t.clock.set(new Date('2026-03-20T17:10:00+08:00'))
    expect(await begin()).toEqual(outside)
    await w.tenant.db(db => db.run(sql`update examination set state = 'closed' where id = ${examId}`))
    expect(await begin()).toEqual([2101, '考试未开放或已关闭'])
    expect((await on({ content: { school: '乙校' } })).body.code).toBe(200)
    expect((await formOf(person, examId)).signup.content.school).toBe('乙校')
    expect(await w.tenant.rows(sql`select 1 from signup where user_id = ${late.userId}`)).toEqual([])
  })
})
