import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type InclusionProof, rootOfProof } from '#contract/kernel/inclusion-proof.ts'
import { sql } from '#kernel/db/sql.ts'
import { type Person, startTestApp, type TestApp } from '../../support/app.ts'
import { buildExam } from '../../support/factories.ts'
import { insertSignups } from '../../support/sign-up-rows.ts'

let t: TestApp
const folder = mkdtempSync(join(tmpdir(), 'kaopu-proof-'))
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(async () => {
  await t.close()
  rmSync(folder, { recursive: true })
})

type Proof = InclusionProof & { readonly root: string; readonly rootNo: number; readonly examName: string; readonly publishedAt: string }

const digest = async (bytes: Uint8Array) => new Uint8Array(createHash('sha256').update(bytes).digest())
const program = fileURLToPath(new URL('../../../../docs/verify/verify-score.mjs', import.meta.url))
/** What the public program of thirty lines says. */
const checkByProgram = (proof: object, root: string) => {
  const file = join(folder, 'proof.json')
  writeFileSync(file, JSON.stringify(proof))
  const { status, stdout } = spawnSync(process.execPath, [program, file, root], { encoding: 'utf8' })
  return { status, last: stdout.trim().split('\n').at(-1) }
}

const sat = [{ itemCode: '01', itemName: '综合基础知识', startTime: '2026-03-16 09:00:00', endTime: '2026-03-16 10:30:00' }]

/** Five people with scores of one paper, two of whom can log in. */
const setUp = async () => {
  const tenant = await t.tenant()
  const exam = await buildExam(tenant, { papers: sat })
  const importer = await tenant.staff('exam_admin', { realName: '导入人' })
  const releaser = await tenant.staff('exam_admin', { realName: '发布人' })
  const admin = await tenant.staff('admin', { realName: '管理员' })
  const wang = await tenant.candidate({ realName: '王测' })
  const li = await tenant.candidate({ realName: '李测' })
  const people = await insertSignups(tenant, exam.examId, [
    { name: '王测', code: 'B001', type: 'B', unit: 'H01', userId: wang.userId },
    { name: '李测', code: 'B001', type: 'B', unit: 'H01', userId: li.userId },
    ...['张测', '赵测', '钱测'].map(name => ({ name, code: 'B001', type: 'B', unit: 'H01' })),
  ])
  const itemId = exam.papers['01'] ?? ''
  await tenant.db(async db => {
    for (const [i, { id, userId, name }] of people.entries())
      await db.run(sql`
        insert into result (tenant_id, exam_id, item_id, signup_id, user_id, ticket_no, name, score, result_state, bonus, final_score, created_by, updated_by)
        values (${tenant.tenantId}, ${exam.examId}, ${itemId}, ${id}, ${userId}, ${`26030100100${i}`}, ${name}, ${i === 4 ? null : 60 + i}, ${i === 4 ? 2 : 1}, 0, ${i === 4 ? null : 60 + i},
          ${importer.userId}, ${importer.userId})`)
    await db.run(
      sql`update exam_item set score_state = 'imported', score_import_by = ${importer.userId}, score_import_at = app_now() where id = ${itemId}`,
    )
  })
  const of = { examId: exam.examId, itemIds: itemId, confirmCode: 'HZ2026A' }
  const proofOf = (who: Person) => who.get('/blade-signup/score/getScoreProof', { query: { examId: exam.examId } })
  return {
    ...{ tenant, exam, itemId, importer, releaser, admin, wang, li, people, proofOf },
    release: () => releaser.post('/blade-exam/examination/releaseResults', { json: { ...of, state: 1 } }),
    withdraw: () => admin.post('/blade-exam/examination/releaseResults', { json: { ...of, state: 0, reason: '成绩有误' } }),
    roots: async () => (await wang.get('/blade-exam/examination/scoreRoots', { query: { examId: exam.examId } })).body,
  }
}

describe('proof of scores', () => {
  test('[12.2.4] a release publishes a root, everybody’s scores lead to it, and the public program agrees', async () => {
    const s = await setUp()
    const other = await setUp()
    expect((await s.proofOf(s.wang)).body).toMatchObject({ code: 2403, msg: '成绩尚未发布' })
    expect((await s.roots()).data).toEqual({
      examName: '2026年区卫生健康系统事业单位公开招聘',
      examCode: 'HZ2026A',
      roots: [],
      draws: [],
    })
    await s.release()
    await other.release()

    const proof = (await s.proofOf(s.wang)).body.data as Proof
    const salt = proof.leaf.split('\n').at(-1)
    expect(proof).toEqual({
      examName: '2026年区卫生健康系统事业单位公开招聘',
      leaf: `kaopu-score-1\n${s.tenant.tenantId}\nHZ2026A\n260301001000|01|1|60.00|0.00\n${salt}`,
      place: expect.any(Number),
      leaves: 5,
      path: expect.any(Array),
      root: expect.stringMatching(/^[0-9a-f]{64}$/),
      rootNo: 1,
      publishedAt: '2026-03-17 10:00:00',
    })
    expect(salt).toMatch(/^[0-9a-f]{32}$/)
    expect(await rootOfProof(proof, digest)).toBe(proof.root)
    expect(checkByProgram(proof, proof.root)).toEqual({ status: 0, last: `These scores are part of root ${proof.root}.` })
    expect(checkByProgram({ ...proof, leaf: proof.leaf.replace('60.00', '90.00') }, proof.root)).toEqual({
      status: 1,
      last: `These scores are NOT part of root ${proof.root}.`,
    })
    expect((await s.roots()).data.roots).toEqual([
      { rootNo: 1, root: proof.root, leaves: 5, cause: 'release', publishedAt: '2026-03-17 10:00:00' },
    ])
    const [line] = await s.tenant.rows(
      sql`select entity, entity_id as id, after_value as after from audit_log where action = 'score-root.published'`,
    )
    expect(line).toEqual({ entity: 'examination', id: s.exam.examId, after: { rootNo: 1, root: proof.root, leaves: 5, cause: 'release' } })

    // The other tenant has the same scores, and not one hash in common.
    const theirs = (await other.proofOf(other.wang)).body.data as Proof
    expect(theirs.root).not.toBe(proof.root)
    expect(theirs.path.filter(hash => proof.path.includes(hash))).toEqual([])
    expect((await other.proofOf(s.wang)).body.code).toBe(404)
    expect((await s.releaser.get('/blade-signup/score/getScoreProof', { query: { examId: s.exam.examId } })).status).toBe(403)
  })

  test('[19] a score that is changed later shows: the next root is another, the one before stays, and a row changed by hand leads to none', async () => {
    const s = await setUp()
    await s.release()
    const before = (await s.proofOf(s.wang)).body.data as Proof
    const neighbour = (await s.proofOf(s.li)).body.data as Proof
    const [row] = await s.tenant.rows<{ id: string }>(sql`select id::text as id from result where signup_id = ${s.people[0]?.id}`)
    const submit = (who: Person, json: object) => who.post('/blade-result/result/submit', { json: { id: row?.id, ...json } })
    const { correctionId } = (await submit(s.importer, { score: '70.5', reason: '登分有误' })).body.data
    expect((await s.roots()).data.roots).toHaveLength(1)
    expect((await submit(s.releaser, { correctionId, confirm: 1 })).body.data.state).toBe('applied')
    const after = (await s.proofOf(s.wang)).body.data as Proof
    expect(after.leaf).toBe(before.leaf.replace('60.00', '70.50'))
    expect([after.rootNo, after.leaves, after.place]).toEqual([2, 5, before.place])
    expect(await rootOfProof(after, digest)).toBe(after.root)
    expect(await rootOfProof(before, digest)).toBe(before.root)
    const beside = (await s.proofOf(s.li)).body.data as Proof
    expect([beside.leaf, await rootOfProof(beside, digest)]).toEqual([neighbour.leaf, after.root])
    expect((await s.roots()).data.roots).toEqual([
      { rootNo: 2, root: after.root, leaves: 5, cause: 'correction', publishedAt: '2026-03-17 10:00:00' },
      { rootNo: 1, root: before.root, leaves: 5, cause: 'release', publishedAt: '2026-03-17 10:00:00' },
    ])

    // Somebody with the database in hand is caught by the person whose score it is.
    await s.tenant.db(db => db.run(sql`update result set score = 99 where signup_id = ${s.people[1]?.id}`))
    const forged = (await s.proofOf(s.li)).body.data as Proof
    expect(forged.leaf).toContain('|99.00|')
    expect(await rootOfProof(forged, digest)).not.toBe(forged.root)
  })

  test('[S7.40] a withdrawal leaves nothing to prove, and says so in a root of no scores; the next release proves again', async () => {
    const s = await setUp()
    await s.release()
    const first = (await s.proofOf(s.wang)).body.data as Proof
    await s.withdraw()
    expect((await s.proofOf(s.wang)).body.code).toBe(2403)
    const nothing = createHash('sha256').digest('hex')
    expect(
      (await s.roots()).data.roots.map(({ rootNo, root, leaves, cause }: Record<string, unknown>) => [rootNo, root, leaves, cause]),
    ).toEqual([
      [2, nothing, 0, 'withdrawal'],
      [1, first.root, 5, 'release'],
    ])
    await s.release()
    const again = (await s.proofOf(s.wang)).body.data as Proof
    expect([again.rootNo, again.root, again.leaf]).toEqual([3, first.root, first.leaf])
  })
})

describe('races', () => {
  test('[28.8] a release while a correction is saved: one comes after the other, and root, rank and score are of one moment', async () => {
    for (let round = 0; round < 4; round++) {
      const s = await setUp()
      const [row] = await s.tenant.rows<{ id: string }>(sql`select id::text as id from result where signup_id = ${s.people[0]?.id}`)
      const corrector = await s.tenant.staff('exam_admin', { realName: '更正人' })
      const correct = () => corrector.post('/blade-result/result/submit', { json: { id: row?.id, score: '95', reason: '登分有误' } })
      const calls = round % 2 === 0 ? [s.release(), correct()] : [correct(), s.release()]
      const answers = await Promise.all(calls)
      expect(answers.map(answer => answer.body.code)).toEqual([200, 200])
      const corrected = answers[round % 2 === 0 ? 1 : 0]?.body.data.state
      const score = corrected === 'applied' ? '95.00' : '60.00'
      const proof = (await s.proofOf(s.wang)).body.data as Proof
      expect(proof.leaf).toContain(`|01|1|${score}|`)
      expect(await rootOfProof(proof, digest)).toBe((await s.roots()).data.roots[0].root)
      await t.app.catchUp()
      const seen = (await s.wang.get('/blade-signup/score/getExamScore', { query: { examId: s.exam.examId } })).body.data
      expect([seen.items[0].score, seen.rank]).toEqual([score, corrected === 'applied' ? 1 : 4])
      const trail = await s.tenant.rows<{ action: string }>(
        sql`select action from audit_log where action in ('result.corrected', 'result.correction-proposed', 'result.released') order by id`,
      )
      expect(trail.map(one => one.action)).toEqual(
        corrected === 'applied' ? ['result.corrected', 'result.released'] : ['result.released', 'result.correction-proposed'],
      )
    }
  })

  test('[28.8] two corrections are confirmed at once: two roots, each of the scores of its moment', async () => {
    const s = await setUp()
    await s.release()
    const rows = await s.tenant.rows<{ id: string }>(sql`select id::text as id from result order by ticket_no limit 2`)
    const submit = (who: Person, id: string | undefined, json: object) => who.post('/blade-result/result/submit', { json: { id, ...json } })
    const proposed = await Promise.all(rows.map(({ id }, i) => submit(s.importer, id, { score: String(80 + i), reason: '登分有误' })))
    await Promise.all(proposed.map(({ body }, i) => submit(s.releaser, rows[i]?.id, { correctionId: body.data.correctionId, confirm: 1 })))
    const { roots } = (await s.roots()).data
    expect(roots.map(({ rootNo, cause }: Record<string, unknown>) => [rootNo, cause])).toEqual([
      [3, 'correction'],
      [2, 'correction'],
      [1, 'release'],
    ])
    for (const who of [s.wang, s.li]) expect(await rootOfProof((await s.proofOf(who)).body.data, digest)).toBe(roots[0].root)
  })
})

describe('[A17] re-check of a score', () => {
  test('within its window, once a paper, with a reason, answered in the account by what was really done', async () => {
    const s = await setUp()
    const other = await setUp()
    await s.release()
    await other.release()
    const own = async (who: Person = s.wang) =>
      (await who.get('/blade-signup/score/getRechecks', { query: { examId: s.exam.examId } })).body.data
    const ask = (who: Person, json: object = {}) =>
      who.post('/blade-signup/score/askRecheck', {
        json: { examId: s.exam.examId, itemId: s.itemId, reason: '估分与成绩相差很大', ...json },
      })
    const list = async (query: object = {}) =>
      (await s.importer.get('/blade-result/recheck/list', { query: { examId: s.exam.examId, ...query } })).body.data
    const answer = (id: string, outcome: number, more: object = {}) =>
      s.importer.post('/blade-result/recheck/answer', { json: { id, outcome, answer: '已由两人重新核对答题卡', ...more } })

    expect(await own()).toEqual({
      ...{ begin: null, end: null, isOpen: false },
      papers: [{ itemId: s.itemId, itemName: '综合基础知识', canAsk: false, asked: null }],
    })
    expect((await ask(s.wang)).body).toMatchObject({ code: 2001, msg: '本次考试没有开放成绩复查' })
    const window = (begin: string, end: string, more: object = {}) =>
      s.importer.post('/blade-result/recheck/saveWindow', { json: { examId: s.exam.examId, begin, end, ...more } })
    expect((await window('2026-03-18 09:00:00', '2026-03-18 09:00:00')).body.data.fields).toEqual([
      { field: 'end', msg: '截止时间须晚于开始时间' },
    ])
    expect((await window('2026-03-18 09:00:00', '2026-03-20 17:00:00')).body.data).toEqual({
      begin: '2026-03-18 09:00:00',
      end: '2026-03-20 17:00:00',
      version: 0,
    })
    expect((await ask(s.wang)).body).toMatchObject({
      code: 2102,
      msg: '成绩复查申请时间为 2026-03-18 09:00 至 2026-03-20 17:00，现在不能申请',
    })
    expect((await window('2026-03-17 09:00:00', '2026-03-20 17:00:00', { version: 7 })).body.code).toBe(2002)
    expect((await window('2026-03-17 09:00:00', '2026-03-20 17:00:00', { version: 0 })).body.data.version).toBe(1)

    expect((await ask(s.wang, { reason: '错' })).status).toBe(400)
    expect((await ask(other.wang)).body.code).toBe(404)
    const [first, second] = await Promise.all([ask(s.wang), ask(s.wang)])
    expect([first.body.code, second.body.code].sort()).toEqual([200, 2201])
    expect((await ask(s.wang)).body.msg).toBe('科目 综合基础知识 已申请过复查，每科只能申请一次')
    await ask(s.li, { reason: '少加了一道大题的分' })

    const rows = (await list()).records
    expect(rows.map((row: Record<string, unknown>) => [row.name, row.ticketNo, row.askedScore, row.score, row.state, row.reason])).toEqual([
      ['王测', '260301001000', '60.00', '60.00', 0, '估分与成绩相差很大'],
      ['李测', '260301001001', '61.00', '61.00', 0, '少加了一道大题的分'],
    ])
    expect((await list({ keyword: '李测' })).total).toBe(1)
    expect((await other.importer.get('/blade-result/recheck/list', { query: { examId: s.exam.examId } })).body.data?.total ?? 0).toBe(0)
    expect(
      (await other.importer.post('/blade-result/recheck/answer', { json: { id: rows[0].id, outcome: 1, answer: '无误' } })).body.code,
    ).toBe(404)

    expect((await answer(rows[0].id, 2)).body.msg).toContain('没有生效的成绩更正')
    expect((await answer(rows[0].id, 1)).body.data).toEqual({ id: rows[0].id, state: 1 })
    expect((await answer(rows[0].id, 1)).body.msg).toBe('该复查申请已答复')
    const submit = (who: Person, json: object) => who.post('/blade-result/result/submit', { json: { id: rows[1].resultId, ...json } })
    const { correctionId } = (await submit(s.importer, { score: '71', reason: '漏加一题' })).body.data
    expect((await answer(rows[1].id, 1)).body.msg).toBe('该成绩已有待确认的更正')
    await submit(s.releaser, { correctionId, confirm: 1 })
    expect((await answer(rows[1].id, 1)).body.msg).toBe('申请之后成绩已更正，不能答复“无误”')
    expect((await answer(rows[1].id, 2)).body.data).toEqual({ id: rows[1].id, state: 2 })

    expect((await own(s.li)).papers[0].asked).toEqual({
      state: 2,
      reason: '少加了一道大题的分',
      askedTime: '2026-03-17 10:00:00',
      answer: '已由两人重新核对答题卡',
      answerTime: '2026-03-17 10:00:00',
    })
    expect(
      (await list()).records.map((row: Record<string, unknown>) => [row.name, row.state, row.askedScore, row.score, row.answeredBy]),
    ).toEqual([
      ['王测', 1, '60.00', '60.00', '导入人'],
      ['李测', 2, '61.00', '71.00', '导入人'],
    ])
    const told = await s.tenant.rows(
      sql`select user_id::text as user, content_zh as text from notify where title_zh = '成绩复查已答复' order by id`,
    )
    expect(told).toEqual(
      [s.wang, s.li].map(who => ({
        user: who.userId,
        text: '2026年区卫生健康系统事业单位公开招聘（综合基础知识）成绩复查已有结果，请登录查看。',
      })),
    )
    const trail = await s.tenant.rows<{ action: string }>(sql`select action from audit_log where action like 'score-recheck.%' order by id`)
    expect(trail.map(row => row.action)).toEqual([
      ...['score-recheck.window-set', 'score-recheck.window-set', 'score-recheck.asked', 'score-recheck.asked'],
      ...['score-recheck.answered', 'score-recheck.answered'],
    ])
  })

  test('what arrives at the end of the window is late', async () => {
    const s = await setUp()
    await s.release()
    const window = { examId: s.exam.examId, begin: '2026-03-16 09:00:00', end: '2026-03-17 10:00:00' }
    await s.importer.post('/blade-result/recheck/saveWindow', { json: window })
    const json = { examId: s.exam.examId, itemId: s.itemId, reason: '估分与成绩相差很大' }
    expect((await s.wang.post('/blade-signup/score/askRecheck', { json })).body.code).toBe(2102)
  })
})
