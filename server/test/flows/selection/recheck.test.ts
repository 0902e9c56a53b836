import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { fromWireTime } from '#contract/kernel/when.ts'
import { ruledNouns } from '#contract/registry.ts'
import { sql } from '#kernel/db/sql.ts'
import { type Person, startTestApp, type TestApp } from '../../support/app.ts'
import { doWork } from '../../support/own-work.ts'
import { render } from '../../support/pdf-sample.ts'
import { type Recruited, recruit } from '../../support/selecting.ts'
import { waitingFor } from '../../support/to-dos.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())

const begin = '2026-03-17 10:00:00'
const at = (wire: string) => fromWireTime(wire) ?? new Date(0)
beforeEach(() => t.clock.set(at(begin)))

const started = async (exam: Readonly<Record<string, unknown>> = {}): Promise<Recruited> => {
  const w = await recruit(t, exam)
  await w.release('01')
  await t.runTasks()
  expect((await w.start()).body.code).toBe(200)
  return w
}
const row = (name: string, review: number, shortlist: number, stage: number, examine = 'passed') => ({
  name,
  review,
  shortlist,
  stage,
  examine,
})

describe('[S7.49] the re-review', () => {
  test('begins with the shortlist of released results: a trial changes nothing, each is called once with a message to be answered', async () => {
    const w = await recruit(t)
    const other = await started()
    const early = await w.start()
    expect([early.status, early.body.code, early.body.msg]).toEqual([409, 2403, '笔试成绩尚未发布，不能确定入围人员：综合基础知识'])
    await w.release('01')
    await t.runTasks()
    const before = await w.states()
    expect((await w.start({ dryRun: 1 })).body.data).toEqual({
      people: 3,
      off: 0,
      deadline: '2026-03-19 10:00:00',
      posts: [
        { code: 'A002', codeName: '全科医师', places: 2, called: 0, now: 1 },
        { code: 'B001', codeName: '护士', places: 2, called: 0, now: 2 },
      ].sort((a, b) => (a.code === 'B001' ? -1 : b.code === 'B001' ? 1 : 0)),
    })
    expect(await w.states()).toEqual(before)
    const past = await w.start({ deadline: '2026-03-17 09:59:00' })
    expect([past.status, past.body.msg]).toEqual([400, '确认期限须晚于现在'])
    expect((await w.start({ deadline: '2026-03-20 17:00:00' })).body.data.people).toBe(3)
    expect(await w.states()).toEqual([
      row('王一', 1, 1, 3),
      row('李二', 1, 1, 3),
      row('张三', 0, 0, 1),
      row('赵四', 0, 0, 1),
      row('钱五', 0, 0, 1),
      row('孙六', 1, 1, 3),
    ])
    const [notice] = await w.tenant.rows(sql`
      select kind, title_zh as title, content_zh as content, need_sure, link from notify where user_id = ${w.at(w.candidates, 0).userId} and kind = 6`)
    expect(notice).toEqual({
      kind: 6,
      title: '您已入围资格复审，请确认',
      content:
        '2026年区卫生健康系统事业单位公开招聘：您已入围资格复审，请于 2026-03-20 17:00 前在“复审与聘用”中确认并提交复审材料；逾期未确认视为放弃。',
      need_sure: true,
      link: '/signup/selection',
    })
    const sms = await w.tenant.rows(sql`select template, content from sms_message order by id`)
    expect(sms).toHaveLength(3)
    expect(sms[0]).toEqual({
      template: 'recheck-call',
      content: '【考谱】2026年区卫生健康系统事业单位公开招聘 您已入围资格复审，请于 2026-03-20 17:00 前登录确认，逾期视为放弃。',
    })
    const again = await w.start()
    expect([again.body.code, again.body.msg]).toEqual([2201, '没有需要通知的入围人员'])
    // Nobody of the other tenant was touched, and its office sees nothing of this one.
    expect(await other.states()).toEqual(await w.states())
    expect((await w.start({}, other.office)).status).toBe(404)
    expect((await other.review(0, 1, {}, w.office)).status).toBe(404)
    for (const role of ['unit_hr', 'recheck', 'auditor', 'finance'] as const)
      expect((await w.start({}, await w.tenant.staff(role))).status).toBe(403)
    // Nobody is called of an examination that is over, not even for a trial.
    await other.tenant.rows(sql`update examination set state = 'closed' where id = ${other.exam.examId}`)
    expect((await other.start({ dryRun: 1 })).body).toMatchObject({ code: 2101, msg: '考试未开放或已关闭' })
  })

  test('passed, more papers until they are handed in, and each decision is on record; nothing goes a second time', async () => {
    const w = await started()
    await w.tenant.db(db => db.run(sql`update sign_file set stage = 2 where exam_id = ${w.exam.examId} and file_key = 'diploma'`))
    // Nobody passes without the papers by a slip: it takes a reason, which stays on record.
    const slip = await w.review(0, 1)
    expect([slip.status, slip.body.code, slip.body.msg]).toEqual([422, 2106, '必交材料未提交：学历证书。仍要通过的，请填写理由'])
    expect((await w.review(0, 1, { remark: '已核对原件' })).body.data).toEqual({
      reviewState: 2,
      nextId: w.at(w.signups, 1).id,
      substitutes: 0,
    })
    const twice = await w.review(0, 1)
    expect([twice.status, twice.body.code, twice.body.msg]).toEqual([409, 2201, '王一 现为“复审通过”，不能通过，请刷新'])
    expect((await w.review(1, 2)).body.msg).toBe('补充材料时请至少写明一项需要补充的内容')
    const advice = { kind: 'file', key: 'diploma', label: '学历证书', advice: '请补充学信网备案表' }
    expect((await w.review(1, 2, { advisementList: [advice] })).body.data).toMatchObject({ reviewState: 5 })
    const own = await w.mine(1)
    expect(own).toMatchObject({
      reviewState: 5,
      advisements: [{ label: '学历证书', advice: '请补充学信网备案表' }],
      mayUpload: true,
      next: '请按要求补充复审材料',
    })
    expect(own.files.map((file: { fileKey: string; required: number }) => [file.fileKey, file.required])).toEqual([['diploma', 1]])
    const li = w.at(w.candidates, 1)
    const handIn = (fileIds: object, by = li) =>
      by.post('/blade-signup/selection/handIn', { json: { signupId: w.at(w.signups, 1).id, fileIds: JSON.stringify(fileIds) } })
    const missing = await handIn({})
    expect([missing.status, missing.body.code]).toEqual([422, 2106])
    expect(missing.body.data.fields).toEqual([{ field: 'file:diploma', msg: missing.body.msg }])
    const upload = async (by = li) =>
      (
        await by.post('/file/upload', {
          multipart: {
            fields: { purpose: 'document' },
            files: [{ part: 'file', name: '备案表.pdf', bytes: await render({ name: '王测' }) }],
          },
        })
      ).body.data.fileId as string
    expect((await handIn({ diploma: [await upload(w.at(w.candidates, 0))] })).status).toBe(404)
    const fileId = await upload()
    expect((await handIn({ diploma: [fileId] })).body.data).toEqual({ reviewState: 1 })
    const info = (await w.office.get('/blade-signup/selection/recheckInfo', { query: { signUpId: w.at(w.signups, 1).id } })).body.data
    expect(info.files[0].uploads.map((one: { fileId: string; name: string }) => [one.fileId, one.name])).toEqual([[fileId, '备案表.pdf']])
    expect((await w.office.get(info.files[0].uploads[0].link)).status).toBe(200)
    expect(info.records).toMatchObject([{ level: 3, result: 2, examinerName: '考务人' }])
    expect((await w.review(1, 1)).body.data).toMatchObject({ reviewState: 2 })
    expect((await handIn({ diploma: [fileId] })).body.msg).toBe('现在不能提交复审材料')
    expect((await w.chainOf()).find(post => post.code === 'B001')?.steps.map(step => [step.kind, step.name, step.byName])).toEqual([
      ['called', '王一', '考务人'],
      ['called', '李二', '考务人'],
      ['passed', '王一', '考务人'],
      ['askedMore', '李二', '考务人'],
      ['handedIn', '李二', '李二'],
      ['passed', '李二', '考务人'],
    ])
    expect(
      await w.tenant.rows(
        sql`select action, before_value as before, after_value as after from audit_log where action = 'recheck.rechecked' order by id`,
      ),
    ).toEqual([
      { action: 'recheck.rechecked', before: { reviewState: 1 }, after: { reviewState: 2 } },
      { action: 'recheck.rechecked', before: { reviewState: 1 }, after: { reviewState: 5 } },
      { action: 'recheck.rechecked', before: { reviewState: 1 }, after: { reviewState: 2 } },
    ])
  })

  test('not passed: out with the reason, and the next rank moves up with everybody who shares it, until the list ends', async () => {
    const w = await started()
    expect((await w.review(0, 3)).body.msg).toBe('请填写原因')
    expect((await w.review(0, 3, { remark: '学历不符' })).body.data).toMatchObject({ reviewState: 3, substitutes: 2 })
    expect(await w.states()).toEqual([
      row('王一', 3, 3, 9, 'disqualified'),
      row('李二', 1, 1, 3),
      row('张三', 1, 2, 3),
      row('赵四', 1, 2, 3),
      row('钱五', 0, 0, 1),
      row('孙六', 1, 1, 3),
    ])
    const steps = (await w.chainOf(w.office, { code: 'B001' }))[0]?.steps ?? []
    expect(steps.slice(2).map(step => [step.kind, step.name, step.otherName, step.text])).toEqual([
      ['refused', '王一', null, '复审不通过，取消资格：学历不符'],
      ['substituted', '张三', '王一', '递补：应有 2 人，现有 1 人，按名次由下一名递补（名次 3，成绩 80.00）；请于 2026-03-19 10:00 前确认'],
      ['substituted', '赵四', '王一', '递补：应有 2 人，现有 1 人，按名次由下一名递补（名次 3，成绩 80.00）；请于 2026-03-19 10:00 前确认'],
    ])
    // Called or moved up and not confirmed: work for whoever leads the re-review, until the people have answered.
    const waits = () => waitingFor(w.office, w.exam.examId, 'calls')
    expect(await waits()).toEqual([4, 4])
    // Three are in for two places: one who leaves is not replaced, the next one is.
    expect((await w.answer(2, 2, { confirm: '放弃' })).body.data).toEqual({ state: 2 })
    await t.runTasks()
    expect((await w.answer(1, 2, { confirm: '放弃' })).body.data).toEqual({ state: 2 })
    expect((await w.answer(3, 2, { confirm: '放弃' })).body.data).toEqual({ state: 2 })
    // 孙六 of the other post, and 钱五, who was the last to move up.
    expect(await waits()).toEqual([2, 2])
    const end = (await w.chainOf(w.office, { code: 'B001' }))[0]?.steps.slice(5) ?? []
    expect(end.map(step => [step.kind, step.name, step.text])).toEqual([
      ['declined', '张三', '本人放弃'],
      ['enough', null, '不需递补：应有 2 人，现有 2 人'],
      ['declined', '李二', '本人放弃'],
      ['substituted', '钱五', expect.stringContaining('应有 2 人，现有 1 人')],
      ['declined', '赵四', '本人放弃'],
      ['listEnded', null, '无人可递补：应有 2 人，现有 1 人，名单已用完'],
    ])
    // The auditor reads the chain with its reasons; the candidate reads their own part of it.
    const auditor = await w.tenant.staff('auditor')
    const read = (await w.chainOf(auditor, { code: 'B001' }))[0]?.steps ?? []
    expect(read.map(step => step.kind)).toEqual([...steps, ...end].map(step => step.kind))
    // Without the one who is out everybody ranks one higher, as in the lists.
    expect(read.filter(step => step.kind === 'called').map(step => [step.name, step.text])).toEqual([
      ['王*', '入围，名次 1，成绩 90.00；请于 2026-03-19 10:00 前确认'],
      ['李*', '入围，名次 1，成绩 85.00；当时名次 2；请于 2026-03-19 10:00 前确认'],
    ])
    expect((await w.mine(4)).steps.map((step: { text: string }) => step.text)).toEqual([
      expect.stringContaining('递补：应有 2 人，现有 1 人，按名次由下一名递补'),
    ])
    expect(await t.runTasks()).toContain('result.rank-anew')
    expect(
      await w.tenant.rows(sql`select count(*)::int as n from score_total where exam_id = ${w.exam.examId} and shortlist in (1, 2)`),
    ).toEqual([{ n: 2 }])
  })

  test('[28.6] a corrected score moves people in the re-review: results, re-review and the candidate read the same place, and the office is told', async () => {
    const w = await started()
    await w.review(0, 3, { remark: '学历不符' })
    await t.runTasks()
    const correct = async (i: number, score: string) => {
      const [result] = await w.tenant.rows(
        sql<{ id: string }>`select id::text as id from result where signup_id = ${w.at(w.signups, i).id}`,
      )
      const submit = (by: typeof w.office, json: object) => by.post('/blade-result/result/submit', { json: { id: result?.id, ...json } })
      const { correctionId } = (await submit(w.importer, { score, reason: '登分有误' })).body.data
      expect((await submit(w.office, { correctionId, confirm: 1 })).body.data.state).toBe('applied')
      await t.app.catchUp()
      return correctionId as string
    }
    const listed = async () => {
      const { records } = (await w.office.get('/blade-signup/selection/recheckList', { query: { examId: w.exam.examId, code: 'B001' } }))
        .body.data
      return records.map((one: Record<string, unknown>) => [
        one['name'],
        one['rank'],
        one['score'],
        one['calledRank'],
        one['calledScore'],
        one['shortlist'],
        one['off'],
      ])
    }
    const ofResults = async () => {
      const { records } = (await w.office.get('/blade-result/result/list', { query: { examId: w.exam.examId, code: 'B001' } })).body.data
      return Object.fromEntries(
        records.map((one: { name: string; rank: number; shortlist: number }) => [one.name, [one.rank, one.shortlist]]),
      )
    }
    const first = await correct(2, '86.00')
    expect(await listed()).toEqual([
      ['王一', 1, '90.00', 1, '90.00', 3, 0],
      ['张三', 1, '86.00', 3, '80.00', 2, 0],
      ['李二', 2, '85.00', 2, '85.00', 1, 0],
      // Shared the last rank with somebody who stands before them now: two places are taken without them.
      ['赵四', 3, '80.00', 3, '80.00', 2, 1],
    ])
    expect(await ofResults()).toMatchObject({ 张三: [1, 2], 李二: [2, 1], 赵四: [3, 0] })
    const scores = await w.at(w.candidates, 2).get('/blade-signup/score/getExamScore', { query: { examId: w.exam.examId } })
    expect([scores.body.data.rank, scores.body.data.shortlist]).toEqual([1, 2])
    expect(await w.mine(2)).toMatchObject({ rank: 1, kind: 2 })
    const office = await w.tenant.rows(
      sql`select user_id::text as user, content_zh as said from notify where event_key = ${`result-corrected|${first}|office`} order by user_id`,
    )
    expect(office).toEqual(
      [w.importer, w.office].map(({ userId }) => ({
        user: userId,
        said: expect.stringMatching(/岗位 B001 因成绩更正，3 名已通知资格复审的考生名次或入围情况有变化/),
      })),
    )
    // The chain tells the same place as the list, and the one by which was decided where it was another.
    const standings = async (by: Person, name: string) =>
      ((await w.chainOf(by, { code: 'B001' }))[0]?.steps ?? [])
        .filter(step => step.name === name && ['called', 'substituted'].includes(step.kind))
        .map(step => step.text)
    expect(await standings(w.office, '王一')).toEqual(['入围，名次 1，成绩 90.00；请于 2026-03-19 10:00 前确认'])
    const moved =
      '递补：应有 2 人，现有 1 人，按名次由下一名递补（名次 1，成绩 86.00；当时名次 3，成绩 80.00）；请于 2026-03-19 10:00 前确认'
    expect(await standings(w.office, '张三')).toEqual([moved])
    expect((await w.mine(2)).steps).toEqual([{ text: moved, time: expect.any(String) }])
    // Who may not see scores in lists reads none in the words of a step.
    const auditor = await w.tenant.staff('auditor')
    await w.tenant.rows(sql`
      insert into role_field_rule (tenant_id, role_id, noun, field, level, views)
      select ${w.tenant.tenantId}, id, 'result', 'score', 2, ${[...(ruledNouns.find(noun => noun.code === 'result')?.views ?? [])]}::text[] from role where role_alias = 'auditor'`)
    await t.app.catchUp()
    expect(await standings(auditor, '张*')).toEqual(['递补：应有 2 人，现有 1 人，按名次由下一名递补；请于 2026-03-19 10:00 前确认'])
    // Corrected below the line, somebody who was called stays until people decide, and the list says so.
    await correct(1, '10.00')
    expect((await listed()).find(([name]: [string]) => name === '李二')).toEqual(['李二', 4, '10.00', 2, '85.00', 1, 1])
    expect((await ofResults())['李二']).toEqual([4, 0])
  })

  test('[28.7] a paper of posts for which nobody passed has no results and keeps nobody waiting; one that somebody sits does', async () => {
    const w = await recruit(t)
    const add = (code: string, name: string, post: string) =>
      w.tenant.rows(sql`
        insert into exam_item select (jsonb_populate_record(i, jsonb_build_object('id', next_id(), 'item_code', ${code}::text, 'item_name', ${name}::text,
          'type_codes', jsonb_build_array(${post}::text)))).* from exam_item i where i.exam_id = ${w.exam.examId} and i.item_code = '01'`)
    await add('16', '口腔医学', 'C009')
    await add('18', '全科医学', 'A002')
    await w.release('01')
    await t.runTasks()
    const early = await w.start({ dryRun: 1 })
    expect([early.body.code, early.body.msg]).toEqual([2403, '笔试成绩尚未发布，不能确定入围人员：全科医学'])
    await w.tenant.rows(sql`update signup set pay_state = 'refunded' where exam_id = ${w.exam.examId} and code = 'A002'`)
    expect((await w.start({ dryRun: 1 })).body.data.people).toBe(2)
    // Whoever passed and never paid got no seat: once its tickets are out, a paper without one has no results to wait for.
    await w.tenant.rows(sql`update signup set pay_state = 'overdue' where exam_id = ${w.exam.examId} and code = 'A002'`)
    expect((await w.start({ dryRun: 1 })).body.code).toBe(2403)
    await w.tenant.rows(sql`update exam_item set ticket_state = 'released' where exam_id = ${w.exam.examId} and item_code = '18'`)
    const given = (state: string) =>
      w.tenant.rows(sql`
        insert into ticket (tenant_id, exam_id, item_id, signup_id, user_id, ticket_no, site_code, site_name, room_no, seat_no, start_time, end_time, ticket_state, qr_token)
        select s.tenant_id, s.exam_id, i.id, s.id, s.user_id, '260301800101', '01', '第一中学', '001', '01', i.start_time, i.end_time, ${state}, repeat('q', 43)
        from signup s join exam_item i on i.exam_id = s.exam_id and i.item_code = '18' where s.exam_id = ${w.exam.examId} and s.code = 'A002'`)
    await given('void')
    expect((await w.start({ dryRun: 1 })).body.data.people).toBe(2)
    await given('released')
    expect((await w.start({ dryRun: 1 })).body.code).toBe(2403)
    await w.tenant.rows(sql`update ticket set ticket_state = 'void' where exam_id = ${w.exam.examId}`)
    expect((await w.start()).body.data.people).toBe(2)
  })

  test('two officers decide on one person at once: one decision, one record, and nobody moves up twice', async () => {
    const w = await started()
    const other = await w.tenant.staff('exam_admin', { realName: '另一人' })
    const both = await Promise.all([w.review(0, 3, { remark: '学历不符' }), w.review(0, 3, { remark: '学历不符' }, other)])
    expect(both.map(one => one.status).sort()).toEqual([200, 409])
    expect(await w.tenant.rows(sql`select count(*)::int as n from examine_record where level = 3`)).toEqual([{ n: 1 }])
    expect((await w.chainOf(w.office, { code: 'B001' }))[0]?.steps.map(step => step.kind)).toEqual([
      ...['called', 'called', 'refused', 'substituted', 'substituted'],
    ])
    expect(await w.tenant.rows(sql`select count(*)::int as n from selection_call`)).toEqual([{ n: 5 }])
  })

  test('nobody moves up once interview tickets are released', async () => {
    const w = await started()
    await w.tenant.db(db => db.run(sql`update exam_item set ticket_state = 'released' where id = ${w.exam.papers['02']}`))
    expect((await w.answer(0, 2, { confirm: '放弃' })).body.data).toEqual({ state: 2 })
    expect((await w.states())[2]).toEqual(row('张三', 0, 0, 1))
    expect((await w.chainOf(w.office, { code: 'B001' }))[0]?.steps.at(-1)?.text).toBe('不再递补：面试准考证已发布')
  })

  test('while results are being checked nobody moves up, and the place is filled once they are out again', async () => {
    const w = await started()
    const withdraw = await (await w.tenant.staff('admin')).post('/blade-exam/examination/releaseResults', {
      json: { examId: w.exam.examId, itemIds: w.exam.papers['01'], state: 0, reason: '核对', confirmCode: 'HZ2026A' },
    })
    expect(withdraw.body.code).toBe(200)
    expect((await w.answer(0, 2, { confirm: 'give up' })).body.data).toEqual({ state: 2 })
    expect((await w.chainOf(w.office, { code: 'B001' }))[0]?.steps.at(-1)?.text).toBe(
      '暂不递补：成绩正在核对，重新发布后用“通知入围人员”补足',
    )
    await w.release('01')
    await t.runTasks()
    expect((await w.start()).body.data.people).toBe(2)
    expect((await w.states()).slice(0, 4)).toEqual([row('王一', 4, 3, 9), row('李二', 1, 1, 3), row('张三', 1, 2, 3), row('赵四', 1, 2, 3)])
    // A correction puts somebody else above them: that is the office's matter, and it is told.
    await w.tenant.db(db => db.run(sql`update score_total set shortlist = 0 where signup_id = ${w.at(w.signups, 3).id}`))
    expect((await w.start({ dryRun: 1 })).body.data).toMatchObject({ people: 0, off: 1 })
  })

  test('the first page counts for a re-review officer what the list has: their own units, or nobody without one', async () => {
    const w = await started()
    const [own, none] = [await w.tenant.staff('recheck', { userCode: 'H01' }), await w.tenant.staff('recheck')]
    await w.answer(0, 1)
    const listed = async (person: Person, query: Readonly<Record<string, number>>) =>
      (await person.get('/blade-signup/selection/recheckList', { query: { examId: w.exam.examId, ...query } })).body.data.records.map(
        (row: { readonly name: string }) => row.name,
      )
    const counted = async (person: Person) =>
      (await person.get('/me/home')).body.data.todos.find(({ key }: { readonly key: string }) => key === 'rechecks')?.count
    const stepOf = async (person: Person) =>
      (await person.get('/blade-exam/examination/overview', { query: { examId: w.exam.examId } })).body.data.steps.find(
        ({ key }: { readonly key: string }) => key === 'rereview',
      )?.count
    const seen = async (person: Person) => ({
      rechecks: [await counted(person), await stepOf(person)],
      calls: await waitingFor(person, w.exam.examId, 'calls'),
      toReview: await listed(person, { reviewState: 1 }),
      toConfirm: await listed(person, { callState: 0 }),
    })
    expect([await seen(w.office), await seen(own), await seen(none)]).toEqual([
      { rechecks: [3, 3], calls: [2, 2], toReview: ['王一', '李二', '孙六'], toConfirm: ['李二', '孙六'] },
      { rechecks: [2, 2], calls: [1, 1], toReview: ['王一', '李二'], toConfirm: ['李二'] },
      { rechecks: [0, 0], calls: [0, undefined], toReview: [], toConfirm: [] },
    ])
  })

  test('who reviewed a sign-up before does not re-review it, unless the examination allows it; units see their own', async () => {
    const w = await started()
    const reviewer = await w.tenant.staff(['reviewer1', 'recheck'], { userCode: 'H01', realName: '初审人' })
    const record = (level: number) =>
      w.tenant.db(db =>
        db.run(sql`
          insert into examine_record (tenant_id, signup_id, exam_id, user_id, sign_version, level, result, before_state, after_state, examiner_id, examiner_name)
          values (${w.tenant.tenantId}, ${w.at(w.signups, 0).id}, ${w.exam.examId}, ${w.at(w.candidates, 0).userId}, 1, ${level}, 1, 'waiting', 'passed', ${reviewer.userId}, '初审人')`),
      )
    await record(1)
    const own = await w.review(0, 1, {}, reviewer)
    expect([own.status, own.body.code, own.body.msg]).toEqual([403, 2205, '您审核过这份报名，资格复审须由另一人进行'])
    const list = (await reviewer.get('/blade-signup/selection/recheckList', { query: { examId: w.exam.examId } })).body.data.records
    expect(list.map((one: { name: string; mayDecide: boolean }) => [one.name, one.mayDecide])).toEqual([
      ['王一', false],
      ['李二', true],
    ])
    expect((await w.review(5, 1, {}, reviewer)).status).toBe(404)
    expect((await w.review(1, 1, {}, reviewer)).body.data).toMatchObject({ reviewState: 2, nextId: null })
    await w.tenant.db(db => db.run(sql`update examination set allow_same_reviewer = true where id = ${w.exam.examId}`))
    expect((await w.review(0, 1, {}, reviewer)).body.code).toBe(200)
    await w.tenant.db(db =>
      db.run(sql`
        insert into recuse (tenant_id, exam_id, reviewer_id, signup_id, reason) values (${w.tenant.tenantId}, ${w.exam.examId}, ${w.office.userId}, ${w.at(w.signups, 5).id}, '亲属')`),
    )
    expect((await w.review(5, 1)).body.code).toBe(2204)
  })
})

describe('a call and its deadline', () => {
  test('confirming twice at once is one answer; whoever confirmed may still give up', async () => {
    const w = await started()
    const call = (await w.mine(0)).call
    expect(call).toMatchObject({ kind: 1, stage: 3, state: 0, deadline: '2026-03-19 10:00:00' })
    const confirm = () => w.at(w.candidates, 0).post('/blade-signup/selection/answer', { json: { callId: call.id, answer: 1 } })
    const both = await Promise.all([confirm(), confirm()])
    expect(both.map(one => [one.status, one.body.data])).toEqual([
      [200, { state: 1 }],
      [200, { state: 1 }],
    ])
    expect(await w.tenant.rows(sql`select state from selection_call where id = ${call.id}`)).toEqual([{ state: 'confirmed' }])
    expect((await w.chainOf(w.office, { code: 'B001' }))[0]?.steps.filter(step => step.kind === 'confirmed')).toHaveLength(1)
    expect(
      await w.tenant.rows(sql`select sure_at is not null as sure from notify where user_id = ${w.at(w.candidates, 0).userId} and kind = 6`),
    ).toEqual([{ sure: true }])
    const strangers = await w.at(w.candidates, 1).post('/blade-signup/selection/answer', { json: { callId: call.id, answer: 1 } })
    expect(strangers.status).toBe(404)
    const giveUp = (confirm: string) =>
      w.at(w.candidates, 0).post('/blade-signup/selection/giveUp', { json: { signupId: w.at(w.signups, 0).id, confirm } })
    expect((await giveUp('是')).body.msg).toBe('放弃不能撤回，请输入“放弃”以确认')
    expect((await giveUp('放弃')).body.data).toEqual({ stage: 9 })
    expect((await giveUp('放弃')).body.msg).toBe('王一 现为“放弃”，不能放弃，请刷新')
    expect((await w.mine(0)).next).toBe('您已放弃（资格复审）')
  })

  test('silence counts only where it is proven that the person was told; else the office is told to call, and the place stays', async () => {
    const w = await started()
    await w.tenant.db(db => db.run(sql`update notify set read_at = app_now() where user_id = ${w.at(w.candidates, 0).userId} and kind = 6`))
    t.clock.set(at('2026-03-19 10:00:30'))
    await doWork(t, 'selection.deadlines')
    const late = await w.answer(0, 1)
    expect([late.status, late.body.code, late.body.msg]).toEqual([409, 2201, '确认期限已过（2026-03-19 10:00），请联系招聘单位'])
    t.clock.set(at('2026-03-19 10:01:00'))
    await doWork(t, 'selection.deadlines')
    await doWork(t, 'selection.deadlines')
    expect(await w.states()).toEqual([
      row('王一', 4, 3, 9),
      row('李二', 1, 1, 3),
      row('张三', 1, 2, 3),
      row('赵四', 1, 2, 3),
      row('钱五', 0, 0, 1),
      row('孙六', 1, 1, 3),
    ])
    expect((await w.chainOf(w.office, { code: 'B001' }))[0]?.steps.slice(2).map(step => [step.kind, step.name, step.byName])).toEqual([
      ['lapsed', '王一', '系统'],
      ['substituted', '张三', '系统'],
      ['substituted', '赵四', '系统'],
      ['notProven', '李二', '系统'],
    ])
    expect(
      await w.tenant.rows(
        sql`select distinct content_zh as content from notify where kind = 7 and user_id = ${w.office.userId} and event_key like 'selection-unproven%' order by content`,
      ),
    ).toEqual(
      ['孙六', '李二'].map(name => ({
        content: `2026年区卫生健康系统事业单位公开招聘：${name} 逾期未确认，但没有送达凭证，不视为放弃。请电话联系并登记。`,
      })),
    )
    const refused = await w.review(1, 4, { remark: '未到场' })
    expect(refused.body.msg).toContain('没有送达凭证，不能视为放弃')
    const callId = (await w.mine(1)).call.id
    const note = (outcome: number) => w.office.post('/blade-signup/selection/noteContact', { json: { callId, outcome, note: '办公电话' } })
    expect((await note(2)).body.data).toMatchObject({
      state: 0,
      deadline: '2026-03-21 10:01:00',
      proven: false,
      contacts: [{ outcome: 2, note: '办公电话', byName: '考务人' }],
    })
    expect((await w.answer(1, 1)).body.data).toEqual({ state: 1 })
    expect((await note(1)).body.msg).toBe('这项通知已处理：已确认参加')
    // Sun had no proof either and answers late: the place is still theirs.
    expect((await w.mine(5)).next).toBe('确认期限已过，但您的资格仍保留，请尽快确认')
    expect((await w.answer(5, 1)).body.data).toEqual({ state: 1 })
  })

  test('the deadline closes while somebody confirms: what arrived in time counts, whichever comes first', async () => {
    const w = await started()
    await w.tenant.db(db => db.run(sql`update notify set read_at = app_now() where kind = 6`))
    t.clock.set(at('2026-03-19 09:59:59'))
    const ids = [(await w.mine(0)).call.id, (await w.mine(1)).call.id]
    const confirm = (i: number) => w.at(w.candidates, i).post('/blade-signup/selection/answer', { json: { callId: ids[i], answer: 1 } })
    // Somebody else holds the list while both arrive; then the deadline is long over and its job waits behind them.
    const owner = await t.owner()
    await owner.query('begin')
    await owner.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`${w.tenant.tenantId}|selection|${w.exam.examId}`])
    const hanging = [confirm(0), confirm(1)]
    const waiting = async () =>
      (await owner.query("select count(*)::int as n from pg_locks where locktype = 'advisory' and not granted")).rows[0].n
    while ((await waiting()) < 2);
    t.clock.set(at('2026-03-19 10:05:00'))
    const job = doWork(t, 'selection.deadlines')
    while ((await waiting()) < 3);
    await owner.query('commit')
    const [first, second] = await Promise.all(hanging)
    await job
    expect([first?.body.data, second?.body.data]).toEqual([{ state: 1 }, { state: 1 }])
    expect((await w.states()).slice(0, 4)).toEqual([row('王一', 1, 1, 3), row('李二', 1, 1, 3), row('张三', 0, 0, 1), row('赵四', 0, 0, 1)])
  })

  test('a tenant writes the words of a call itself', async () => {
    const w = await recruit(t)
    await w.release('01')
    await w.tenant.db(db =>
      db.run(sql`
        insert into send_template (tenant_id, code, name, scene, title, title_en, content, content_en)
        values (${w.tenant.tenantId}, 'recheck', '复审', 'recheck-call', '本区复审通知', 'Our re-review', '\${exam}：\${deadline} 前确认', '\${exam} until \${deadline}')`),
    )
    expect((await w.start()).body.code).toBe(200)
    expect(
      await w.tenant.rows(sql`
        select title_zh, title_en, content_zh from notify where user_id = ${w.at(w.candidates, 0).userId} and kind = 6`),
    ).toEqual([
      {
        title_zh: '本区复审通知',
        title_en: 'Our re-review',
        content_zh: '2026年区卫生健康系统事业单位公开招聘：2026-03-19 10:00 前确认',
      },
    ])
  })

  test('whoever has not answered is reminded a day and three hours before the end, by text message too the first time; who answered is not', async () => {
    const w = await started()
    const nextOf = async (i: number) => (await w.at(w.candidates, i).get('/blade-signup/signup/myExamList')).body.data.records[0].nextAction
    expect(await nextOf(1)).toEqual({
      code: 'selection',
      text: '确认是否参加资格复审',
      hint: '逾期未确认视为放弃',
      deadline: '2026-03-19 10:00:00',
      link: '/signup/selection',
    })
    expect((await w.answer(1, 1)).body.code).toBe(200)
    expect(await nextOf(1)).toMatchObject({ code: 'viewScore', link: '/signup/score' })
    const told = () =>
      w.tenant.rows(sql<{ user: string; title: string; content: string }>`
        select user_id::text as "user", title_zh as title, content_zh as content from notify where event_key like 'selection-ends:%' order by created_at, user_id`)
    const texts = async () => (await w.tenant.rows(sql`select 1 from sms_message where user_id = ${w.at(w.candidates, 0).userId}`)).length
    t.clock.set(at('2026-03-18 09:59:00'))
    await doWork(t, 'selection.remind')
    expect([await told(), await texts()]).toEqual([[], 1])
    t.clock.set(at('2026-03-18 10:05:00'))
    await doWork(t, 'selection.remind')
    await doWork(t, 'selection.remind')
    const first = {
      title: '确认即将截止',
      content:
        '2026年区卫生健康系统事业单位公开招聘：您还没有确认是否参加资格复审，请于 2026-03-19 10:00 前在“复审与聘用”中确认；逾期未确认视为放弃。',
    }
    expect(await told()).toEqual([0, 5].map(i => ({ user: w.at(w.candidates, i).userId, ...first })))
    expect(await texts()).toBe(2)
    expect((await w.answer(5, 1)).body.code).toBe(200)
    t.clock.set(at('2026-03-19 07:05:00'))
    await doWork(t, 'selection.remind')
    expect((await told()).map(row => row.user)).toEqual([0, 5, 0].map(i => w.at(w.candidates, i).userId))
    expect(await texts()).toBe(2)
  })
})
