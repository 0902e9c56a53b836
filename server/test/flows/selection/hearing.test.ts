import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { subjectOf } from '#contract/kernel/proposals.ts'
import { sql } from '#kernel/db/sql.ts'
import { hearingTables, proposalOf } from '#modules/signup/data/hearing.repo.ts'
import { type Person, startTestApp, type TestApp } from '../../support/app.ts'
import { buildExam } from '../../support/factories.ts'
import { applicant, rooms } from '../../support/ticket-people.ts'

const start = '2026-03-23T10:00:00+08:00'
let t: TestApp
beforeAll(async () => {
  t = await startTestApp({ start })
})
afterAll(() => t.close())

const image = readFileSync(new URL('../../../seed/data/portraits/p01-white.jpg', import.meta.url))
const paper = {
  itemCode: '01',
  itemName: '综合基础知识',
  startTime: '2026-03-28 09:00:00',
  endTime: '2026-03-28 10:30:00',
  rooms: rooms(1),
}
/** @param role - of the two who decide */
const scene = async (role: 'admin' | 'exam_admin' = 'admin') => {
  t.clock.set(start)
  const tenant = await t.tenant()
  const { examId } = await buildExam(tenant, { papers: [paper] })
  const admins = [await tenant.staff(role, { realName: '甲主管' }), await tenant.staff(role, { realName: '乙主管' })] as const
  const { person, signupId } = await applicant(t, tenant, examId, { name: '张测' })
  const office = await tenant.staff('exam_admin', { realName: '考务丙' })
  return { tenant, examId, admins, person, signupId, office }
}
type Scene = Awaited<ReturnType<typeof scene>>

/** How each kind of proposal is made, decided on and answered; a further table of proposals has to say it here. */
const kinds = {
  integrity_case: {
    calls: '/blade-signup/integrity',
    own: '/blade-signup/integrity/own',
    answer: '/blade-signup/integrity/answer',
    early: 'integrity/early',
    done: { state: 1 },
    role: 'admin',
    propose: async ({ tenant, signupId, office }: Scene): Promise<string> =>
      (
        await tenant.rows(sql<{ id: string }>`
          insert into integrity_case (tenant_id, exam_id, signup_id, user_id, source, source_id, id_card_index, name_mask, reason, answer_until, created_by)
          select tenant_id, exam_id, id, user_id, 'violation', id, id_card_index, '张*', '使用手机', app_now() + interval '5 days', ${office.userId} from signup where id = ${signupId}
          returning id::text as id`)
      )[0]?.id ?? '',
    decide: (who: Person, id: string, more: object) =>
      who.post('/blade-signup/integrity/decide', { json: { id, outcome: 1, level: 'life', decision: '情节严重', ...more } }),
    noted: { statement: '承认使用手机' },
    shown: async (who: Person, _of: Scene) => (await who.get('/blade-signup/integrity/list')).body.data.records[0],
  },
  selection_objection: {
    calls: '/blade-signup/objection',
    own: '/blade-signup/objection/own',
    answer: '/blade-signup/objection/answer',
    early: 'selection/objection-early',
    done: {},
    role: 'exam_admin',
    propose: async ({ tenant, signupId, office }: Scene): Promise<string> =>
      (
        await tenant.rows(sql<{ id: string }>`
          insert into selection_objection (tenant_id, exam_id, signup_id, user_id, content, source, by_name, answer_until, created_by)
          select tenant_id, exam_id, id, user_id, '学历存疑', '来信', '考务丙', app_now() + interval '5 days', ${office.userId} from signup where id = ${signupId}
          returning id::text as id`)
      )[0]?.id ?? '',
    decide: (who: Person, id: string, more: object) =>
      who.post('/blade-signup/selection/endObjection', { json: { id, state: 3, decision: '经核查属实', ...more } }),
    noted: {},
    shown: async (who: Person, { examId }: Scene) =>
      (await who.get('/blade-signup/selection/objections', { query: { examId } })).body.data[0],
  },
  selection_disqualification: {
    calls: '/blade-signup/selection',
    own: '/blade-signup/selection/ownProposals',
    answer: '/blade-signup/selection/answerProposal',
    early: 'selection/disqualify-early',
    done: { state: 1 },
    role: 'admin',
    propose: async ({ tenant, signupId, office }: Scene): Promise<string> => {
      await office.post('/blade-signup/examine/examine', {
        json: { signUpId: signupId, level: 4, examineResult: 3, examineResultRemark: '工作经历不符', signVersion: 1 },
      })
      await t.runTasks()
      return (await tenant.rows(sql<{ id: string }>`select id::text as id from selection_disqualification`))[0]?.id ?? ''
    },
    decide: (who: Person, id: string, more: object) =>
      who.post('/blade-signup/selection/decideDisqualify', { json: { id, outcome: 1, decision: '经核查属实', ...more } }),
    noted: { statement: '电话，无异议', statementWay: 2, statementTime: '2026-03-23 10:00:00' },
    shown: async (who: Person, { signupId }: Scene) =>
      (await who.get('/blade-signup/selection/standing', { query: { signUpId: signupId } })).body.data.disqualifications[0],
  },
} as const

describe.each(hearingTables)('a proposal against a person: %s', table => {
  const kind = kinds[table]
  const note = (who: Person, id: string, statement = '电话，无异议') =>
    who.post(`${kind.calls}/noteStatement`, { json: { id, statement, statementWay: 2, statementTime: '2026-03-23 10:00:00' } })
  const confirm = (who: Person, id: string, by: object) => who.post(`${kind.calls}/confirmStatement`, { json: { id, ...by } })
  const ownOf = async ({ person }: Scene) => (await person.get(kind.own)).body.data[0]
  const codeOf = async ({ tenant }: Scene) => {
    const [sent] = await tenant.rows(
      sql<{ content: string }>`select content from sms_message where template = 'statement-code' order by id desc limit 1`,
    )
    return /确认码 (\d{6})/.exec(sent?.content ?? '')?.[1] ?? ''
  }

  test('what staff say that the person said shortens nothing, with the decision or before it; it is shown as noted by whom, how and when', async () => {
    const s = await scene(kind.role)
    const id = await kind.propose(s)
    const [first, second] = s.admins
    t.clock.advance(39_000)
    const early = async () => expect((await kind.decide(first, id, {})).body.reason).toBe(kind.early)
    await early()
    expect((await kind.decide(first, id, kind.noted)).body.reason).toBe(kind.early)
    expect((await note(first, id)).body.data).toEqual({ id, confirmed: null })
    await early()
    expect((await kind.decide(second, id, {})).body.reason).toBe(kind.early)
    expect(await ownOf(s)).toMatchObject({
      ...{ state: 0, statement: '电话，无异议', statementWay: 2, statementTime: '2026-03-23 10:00:00', notedBy: '甲主管', confirmed: null },
    })
    const [told] = await s.tenant.rows(sql<{ content: string }>`
      select content_zh as content from notify where user_id = ${s.person.userId} and event_key like ${`${table}:noted:%`}`)
    expect(told?.content).toBe(
      '甲主管登记您于 2026-03-23 10:00 电话陈述：“电话，无异议”。未经您确认，答复期限不会缩短；您也可以在线自行陈述。',
    )
  })

  test('the code of the person’s phone confirms it, five wrong ones do not; a new note has a new code', async () => {
    const s = await scene(kind.role)
    const id = await kind.propose(s)
    const [first] = s.admins
    await note(first, id)
    const wrong = (await codeOf(s)) === '000000' ? '000001' : '000000'
    for (let i = 0; i < 5; i += 1) expect((await confirm(first, id, { code: wrong })).body.reason).toBe('hearing/code')
    expect((await confirm(first, id, { code: await codeOf(s) })).body.reason).toBe('hearing/tries')
    const former = await codeOf(s)
    await note(first, id, '承认')
    expect(await codeOf(s)).not.toBe(former)
    expect((await confirm(first, id, { code: former })).body.reason).toBe('hearing/code')
    expect((await confirm(first, id, { code: await codeOf(s) })).body.data).toEqual({ id, confirmed: 'code' })
    expect((await kind.decide(first, id, {})).body.data).toMatchObject({ id, ...kind.done })
  })

  test('[two persons: integrityPaper, disqualifyPaper, objectionPaper] a signed paper confirms it by another official than who noted it', async () => {
    const s = await scene(kind.role)
    const id = await kind.propose(s)
    const [first, second] = s.admins
    expect((await confirm(second, id, { paper: '本人签字的笔录' })).body.reason).toBe('hearing/nothing')
    await note(first, id)
    expect((await confirm(first, id, { paper: '本人签字的笔录' })).body.reason).toBe('kernel/two-persons-own')
    expect((await confirm(second, id, { paper: '本人签字的笔录' })).body.data).toEqual({ id, confirmed: 'paper' })
    expect(await ownOf(s)).toMatchObject({ notedBy: '甲主管', confirmed: 'paper', confirmedBy: '乙主管' })
    expect((await kind.decide(first, id, {})).body.data).toMatchObject(kind.done)
  })

  test('the person answers with files in the account, which nobody rewrites; without any answer the days have to pass', async () => {
    const s = await scene(kind.role)
    const id = await kind.propose(s)
    const [first] = s.admins
    const answer = (who: Person, statement: string, files: object[] = []) =>
      who.post(kind.answer, { multipart: { fields: { id, statement }, files: files as never } })
    const stranger = await s.tenant.candidate({})
    expect((await answer(stranger, '不是我')).status).toBe(404)
    expect((await answer(s.person, '手机已关机上交', [{ part: 'proof', name: '证明.jpg', bytes: image }])).body.data).toMatchObject({ id })
    const own = await ownOf(s)
    expect(own).toMatchObject({
      statement: '手机已关机上交',
      statementWay: 4,
      notedBy: null,
      confirmed: 'own',
      statementFiles: [{ name: '证明.jpg' }],
    })
    expect((await s.person.get(own.statementFiles[0].link.replace('/api', ''))).status).toBe(200)
    // Files with an answer are files of the sign-up: who may not see those gets no link.
    expect((await kind.shown(first, s)).statementFiles).toMatchObject([{ name: '证明.jpg', link: expect.stringContaining('/api/') }])
    const keeper = await s.tenant.staff('secadmin')
    const [role] = await s.tenant.rows(sql<{ id: string }>`select id::text as id from role where role_alias = ${kind.role}`)
    const ruled = await keeper.post('/blade-system/field-rule/submit', {
      json: { roleId: role?.id, rules: [{ noun: 'signup', field: 'files', level: 'hidden' }] },
    })
    expect(ruled.status).toBe(200)
    await t.app.catchUp()
    expect((await kind.shown(first, s)).statementFiles).toMatchObject([{ name: '证明.jpg', link: '' }])
    expect((await note(first, id)).body.reason).toBe('hearing/own')
    expect((await kind.decide(first, id, { ...kind.noted, statement: '另一种说法' })).body.data.fields).toMatchObject([
      { field: 'statement' },
    ])
    expect((await kind.decide(first, id, {})).body.data).toMatchObject(kind.done)
    expect((await answer(s.person, '再说一次')).body.reason).toBe('hearing/decided')

    const silent = await scene(kind.role)
    const other = await kind.propose(silent)
    t.clock.set('2026-03-28T09:59:00+08:00')
    expect((await kind.decide(silent.admins[0], other, {})).body.reason).toBe(kind.early)
    t.clock.set('2026-03-28T10:00:01+08:00')
    expect((await kind.decide(silent.admins[0], other, {})).body.data).toMatchObject(kind.done)
  })
})

describe.each(hearingTables)('whoever was not told has not begun to have days: %s', table => {
  const kind = kinds[table]
  test('a refused text message starts nothing, nor does the last day that was written; a noted call does, or the message opened in the account', async () => {
    const s = await scene(kind.role)
    const id = await kind.propose(s)
    const [first, second] = s.admins
    const of = subjectOf(proposalOf[table], id)
    await s.tenant.rows(sql`delete from person_notice where subject = ${of} returning id`)
    await s.tenant.rows(sql`
      insert into person_notice (tenant_id, subject, user_id, exam_id, sms_state, sms_sent_at, sms_fail_kind, sms_fail_reason, event_key)
      values (${s.tenant.tenantId}, ${of}, ${s.person.userId}, ${s.examId}, 3, app_now(), 'person', '该号码拒收（isv.BLACK_KEY_CONTROL_LIMIT）', 'told') returning id`)
    t.clock.set('2026-03-29T10:00:00+08:00')
    expect((await kind.decide(first, id, {})).body.reason).toBe('hearing/untold')
    const call = await second.post('/blade-send/told/call', { json: { of, note: '电话告知，本人知悉' } })
    expect(call.body.data).toMatchObject({ toldTime: '2026-03-29 10:00:00', persons: [{ sms: 'failed', calledBy: '乙主管' }] })
    t.clock.set('2026-04-03T09:59:00+08:00')
    const early = await kind.decide(first, id, {})
    expect([early.body.reason, early.body.msg.includes('2026-04-03 10:00')]).toEqual([kind.early, true])
    expect(await ownEnd(s)).toBe('2026-04-03 10:00:00')
    t.clock.set('2026-04-03T10:00:01+08:00')
    expect((await kind.decide(first, id, {})).body.data).toMatchObject(kind.done)
  })
  const ownEnd = async ({ person }: Scene) => (await person.get(kind.own)).body.data[0].answerUntil
})

test('a proposed disqualification is told by text message and in the account, and both are shown to whoever decides', async () => {
  const s = await scene()
  const id = await kinds.selection_disqualification.propose(s)
  expect(
    await s.tenant.rows(
      sql`select template, content, state from sms_message where user_id = ${s.person.userId} and template = 'proposal-made'`,
    ),
  ).toEqual([
    {
      ...{ template: 'proposal-made', state: 1 },
      content: expect.stringMatching(/^【考谱】.+：拟取消您的报名资格。请于 2026-03-28 10:00 前登录查看，可陈述申辩。$/),
    },
  ])
  const shown = await kinds.selection_disqualification.shown(s.admins[0], s)
  expect(shown.bar).toContain('2026-03-28 10:00')
  expect((await kinds.selection_disqualification.shown(s.office, s)).bar).toContain('提议')
  t.clock.set('2026-03-28T10:00:01+08:00')
  expect((await kinds.selection_disqualification.shown(s.admins[0], s)).bar).toBeNull()
  t.clock.set(start)
  const state = await s.admins[0].get('/blade-send/told/state', { query: { of: `disqualification-${id}` } })
  expect(state.body.data).toMatchObject({
    toldTime: '2026-03-23 10:00:00',
    persons: [{ sms: 'accepted', sentTime: '2026-03-23 10:00:00' }],
  })
})

test('every table that proposes something against a person has the columns of an answer', async () => {
  const s = await scene()
  const found = await s.tenant.rows(sql<{ name: string; answers: boolean }>`
    select c.table_name as name, exists (select 1 from information_schema.columns a where a.table_name = c.table_name and a.column_name = 'statement_confirmed') as answers
    from information_schema.columns c where c.column_name = 'answer_until' and c.table_schema = 'public' order by 1`)
  expect(found).toEqual([...hearingTables].sort().map(name => ({ name, answers: true })))
})
