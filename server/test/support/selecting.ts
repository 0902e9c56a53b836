import { sql } from '#kernel/db/sql.ts'
import type { Person, TestApp } from './app.ts'
import { type BuiltExam, buildExam, type TenantRunner } from './factories.ts'
import { insertSignups, type SignupRef } from './sign-up-rows.ts'

/** What an import of this paper leaves behind. */
export const writeScores = (
  tenant: TenantRunner & { readonly tenantId: string },
  exam: BuiltExam,
  paper: string,
  importer: { readonly userId: string },
  scores: readonly (readonly [SignupRef, string])[],
): Promise<void> =>
  tenant.db(async db => {
    for (const [i, [signup, score]] of scores.entries())
      await db.run(sql`
        insert into result (tenant_id, exam_id, item_id, signup_id, user_id, ticket_no, name, score, result_state, bonus, final_score, created_by, updated_by)
        values (${tenant.tenantId}, ${exam.examId}, ${exam.papers[paper]}, ${signup.id}, ${signup.userId}, ${`26030${paper}0010${String(i).padStart(2, '0')}`}, ${signup.name},
          ${score}, 1, 0, ${score}, ${importer.userId}, ${importer.userId})`)
    await db.run(sql`
      update exam_item set score_state = 'imported', score_import_by = ${importer.userId}, score_import_at = app_now() where id = ${exam.papers[paper]}`)
  })

const people = [
  ['王一', 'B001', 'B', 'H01', '90.00'],
  ['李二', 'B001', 'B', 'H01', '85.00'],
  ['张三', 'B001', 'B', 'H01', '80.00'],
  ['赵四', 'B001', 'B', 'H01', '80.00'],
  ['钱五', 'B001', 'B', 'H01', '70.00'],
  ['孙六', 'A002', 'A', 'H02', '66.00'],
] as const

/**
 * A recruitment after its written paper: post B001 of H01 has one place and calls two to the interview, and five people sat, the third and the fourth
 * with the same score; post A002 of H02 has one person. The interview is one of the papers and has no results yet.
 */
export const recruit = async (t: TestApp, exam: Readonly<Record<string, unknown>> = {}) => {
  const tenant = await t.tenant()
  const built = await buildExam(tenant, {
    exam: { shortlist_ratio: 2, written_weight: 50, interview_weight: 50, ...exam },
    posts: [
      { code: 'B001', codeName: '护士', unit: 'H01', unitName: '区人民医院', type: 'B', typeName: '护理', planNum: 1 },
      { code: 'A002', codeName: '全科医师', unit: 'H02', unitName: '社区卫生服务中心', type: 'A', typeName: '医疗', planNum: 1 },
    ],
    papers: [
      { itemCode: '01', itemName: '综合基础知识', startTime: '2026-03-16 09:00:00', endTime: '2026-03-16 10:30:00' },
      { itemCode: '02', itemName: '面试', itemType: 2, startTime: '2026-03-16 13:00:00', endTime: '2026-03-16 17:00:00' },
    ],
  })
  const importer = await tenant.staff('exam_admin', { realName: '导入人' })
  const office = await tenant.staff('exam_admin', { realName: '考务人' })
  const candidates: Person[] = []
  for (const [realName] of people) candidates.push(await tenant.candidate({ realName }))
  const signups = await insertSignups(
    tenant,
    built.examId,
    people.map(([name, code, type, unit], i) => ({ name, code, type, unit, userId: candidates[i]?.userId ?? '' })),
  )
  const at = <T>(list: readonly T[], i: number): T => {
    const found = list[i]
    if (found === undefined) throw new Error(`nobody is number ${i}`)
    return found
  }
  await writeScores(
    tenant,
    built,
    '01',
    importer,
    people.map(([, , , , score], i) => [at(signups, i), score]),
  )
  const release = (paper: string) =>
    office.post('/blade-exam/examination/releaseResults', {
      json: { examId: built.examId, itemIds: built.papers[paper], state: 1, confirmCode: 'HZ2026A' },
    })
  const start = (json: Record<string, unknown> = {}, by: Person = office) =>
    by.post('/blade-signup/selection/startRecheck', { json: { examId: built.examId, ...json } })
  const review = (i: number, examineResult: number, json: Record<string, unknown> = {}, by: Person = office) =>
    by.post('/blade-signup/examine/reviewInfo', { json: { signUpId: at(signups, i).id, examineResult, ...json } })
  const mine = async (i: number) => (await at(candidates, i).get('/blade-signup/selection/mine')).body.data[0]
  const answer = async (i: number, value: 1 | 2, json: Record<string, unknown> = {}) =>
    at(candidates, i).post('/blade-signup/selection/answer', { json: { callId: (await mine(i)).call.id, answer: value, ...json } })
  const states = () =>
    tenant.rows(sql<{ name: string; review: number; shortlist: number; stage: number; examine: string }>`
      select name, review_state as review, shortlist, stage, examine from signup where exam_id = ${built.examId} order by sign_no`)
  const chainOf = async (by: Person = office, query: Record<string, string> = {}) =>
    (await by.get('/blade-signup/selection/chain', { query: { examId: built.examId, ...query } })).body.data as {
      code: string
      steps: { kind: string; text: string; name: string | null; otherName: string | null; byName: string; stageName: string }[]
    }[]
  return { tenant, exam: built, importer, office, candidates, signups, at, release, start, review, mine, answer, states, chainOf }
}
export type Recruited = Awaited<ReturnType<typeof recruit>>
