import { performance } from 'node:perf_hooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { buildExam } from '../../support/factories.ts'
import { insertSignups } from '../../support/sign-up-rows.ts'

/** The posts of a province, in the long suite. */
const all = process.env['KAOPU_LONG'] ? 6_000 : 40
/** Valid people of the posts by turns; each post has two places and asks for three people a place. */
const turns = [
  { valid: 0, proposal: 2, proposedNum: 0 },
  { valid: 2, proposal: 2, proposedNum: 0 },
  { valid: 4, proposal: 1, proposedNum: 1 },
  { valid: 7, proposal: 0, proposedNum: 0 },
]

let t: TestApp
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())

test(`[S7.46] of ${all} posts those with too few people are proposed, each with what is left of it`, async () => {
  const tenant = await t.tenant()
  const { examId } = await buildExam(tenant, { posts: [] })
  const officer = await tenant.staff('exam_admin')
  await tenant.rows(sql`
    insert into type_code (tenant_id, exam_id, unit, unit_name, type, type_name, code, code_name, plan_num, cur_num, sort)
    select e.tenant_id, e.id, 'H01', '区人民医院', 'B', '护理', 'P' || lpad(n::text, 5, '0'), '岗位' || n, 2, 2, n from examination e, generate_series(0, ${all} - 1) n
    where e.id = ${examId}`)
  const codeOf = (at: number): string => `P${String(at).padStart(5, '0')}`
  const turnOf = (at: number) => turns[at % turns.length] ?? turns[0]
  await insertSignups(
    tenant,
    examId,
    Array.from({ length: all }, (_, at) =>
      Array.from({ length: turnOf(at)?.valid ?? 0 }, () => ({
        code: codeOf(at),
        type: 'B',
        unit: 'H01',
        examine: 'passed',
        payState: 'paid',
      })),
    ).flat(),
  )
  t.clock.set('2026-03-22T18:00:00+08:00')
  const begin = performance.now()
  const { body } = await officer.get('/blade-signup/signup/getPostReductionList', { query: { examId, all: 0 } })
  if (process.env['KAOPU_LONG'])
    process.stdout.write(
      `the proposal for ${all} posts took ${Math.round(performance.now() - begin)} ms, ${JSON.stringify(body).length} characters\n`,
    )
  expect(
    body.data.posts.map((post: Record<string, unknown>) => [post['code'], post['valid'], post['proposal'], post['proposedNum']]),
  ).toEqual(
    Array.from({ length: all }, (_, at) => at)
      .filter(at => turnOf(at)?.proposal !== 0)
      .map(at => [codeOf(at), turnOf(at)?.valid, turnOf(at)?.proposal, turnOf(at)?.proposedNum]),
  )
}, 600_000)
