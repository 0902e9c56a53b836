import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { resources } from '#contract/nouns.ts'
import { sql } from '#kernel/db/sql.ts'
import { type Answer, type Person, startTestApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { type BuiltExam, buildExam } from '../../support/factories.ts'
import { sheetCells } from '../../support/sheet-text.ts'
import { insertSignups } from '../../support/sign-up-rows.ts'

let t: TestApp
let tenant: TestTenant
let office: Person
let exam: BuiltExam
let other: BuiltExam
beforeAll(async () => {
  t = await startTestApp({ start: '2026-03-16T10:00:00+08:00' })
  tenant = await t.tenant()
  office = await tenant.staff('exam_admin')
  exam = await buildExam(tenant)
  other = await buildExam(tenant, { exam: { exam_name: '另一场', exam_code: 'OTHER', exam_no: 9 } })
  await insertSignups(tenant, exam.examId, [
    { name: '张·测', code: 'A001', type: 'A', unit: 'H01', examine: 'passed' },
    { name: '撤回者', code: 'A001', type: 'A', unit: 'H01', examine: 'withdrawn' },
  ])
  const foreign = await t.tenant()
  await buildExam(foreign, { exam: { exam_name: '外租户考试' } })
})
afterAll(async () => {
  await t.close()
})

const rowsOf = async (answer: Answer): Promise<unknown[][]> => {
  expect(answer.status).toBe(200)
  return sheetCells(answer.raw)
}
const audited = (action: string) =>
  tenant
    .rows(sql<{ after: unknown }>`select after_value as after from audit_log where action = ${action} order by id`)
    .then(rows => rows.map(row => row.after))

describe('[S7.61] every list of an examination leaves as a workbook for whoever holds its button', () => {
  test('posts: of the examination searched for, dictionary words instead of keys, and the search in the audit line', async () => {
    const query = { examId: exam.examId, unit: 'H01' }
    const [watermark, header, ...rows] = await rowsOf(await office.get('/blade-typeCode/typecode/export', { query }))
    expect(watermark).toEqual([expect.stringContaining('内部资料 注意保密')])
    const shown = await tenant.rows(
      sql<{
        code: string
        name: string
      }>`select code, code_name as name from type_code where exam_id = ${exam.examId} and unit = 'H01' order by sort, id`,
    )
    const at = (name: string) => header?.indexOf(name) ?? -1
    expect(rows.map(row => ({ code: row[at('岗位代码')], name: row[at('岗位名称')], state: row[at('岗位状态')] }))).toEqual(
      shown.map(row => ({ ...row, state: '正常' })),
    )
    const english = await rowsOf(await office.get('/blade-typeCode/typecode/export', { query, language: 'en' }))
    expect(english[1]).toContain('Post code')
    const columns = expect.arrayContaining(['unit', 'code', 'postState'])
    expect(await audited('type-code.exported')).toEqual([
      { filter: query, columns, rows: rows.length, large: false },
      { filter: query, columns, rows: rows.length, large: false },
    ])
  })

  test('[19.16] an amount stands only where the examination charges by it: no 0.00 of posts and papers beside one fee for everybody', async () => {
    const headers = async (feeMode: number) => {
      await tenant.rows(sql`update examination set fee_mode = ${feeMode} where id = ${exam.examId} returning id`)
      const query = { examId: exam.examId }
      const [, post] = await rowsOf(await office.get('/blade-typeCode/typecode/export', { query }))
      const [, paper] = await rowsOf(await office.get('/blade-examitem/examitem/export', { query }))
      return [post, paper].map(header => header?.some(name => /费/.test(String(name))))
    }
    const before =
      (await tenant.rows(sql<{ mode: number }>`select fee_mode as mode from examination where id = ${exam.examId}`))[0]?.mode ?? 0
    expect([await headers(1), await headers(2), await headers(3)]).toEqual([
      [false, false],
      [false, true],
      [true, false],
    ])
    await headers(before)
  })

  test('fields, files, papers, units and both libraries have one too, and nobody without the button gets any', async () => {
    const auditor = await tenant.staff('auditor')
    const nouns = ['signitems', 'signfiles', 'examitem', 'items', 'files', 'userCode']
    for (const noun of nouns) {
      const path = `/blade-${noun}/${noun.toLowerCase()}`
      const hangs = ['signitems', 'signfiles', 'examitem'].includes(noun)
      const query = hangs ? { examId: exam.examId } : {}
      const { total } = (await office.get(`${path}/list`, { query })).body.data
      const rows = await rowsOf(await office.get(`${path}/export`, { query }))
      expect([noun, rows.length - 2]).toEqual([noun, total])
      // May look at them, has no button to take them along.
      expect([noun, (await auditor.get(`${path}/list`, { query })).status]).toEqual([noun, 200])
      expect([noun, (await auditor.get(`${path}/export`, { query })).status]).toEqual([noun, 403])
    }
  })

  test('[19.16] states and kinds stand in words, as on the page: no column of a workbook has bare codes', async () => {
    await tenant.rows(
      sql`update exam_item set ticket_state = 'released', score_state = 'imported' where exam_id = ${exam.examId} returning id`,
    )
    for (const resource of resources.filter(one => one.menuPath.startsWith('/exam/') && one.verbs.includes('export'))) {
      const query = 'examId' in resource.fields ? { examId: exam.examId } : {}
      for (const language of ['zh', 'en'] as const) {
        const [, header, ...rows] = await rowsOf(await office.get(`${resource.basePath}/export`, { query, language }))
        for (const field of Object.values(resource.fields)) {
          const names = field.words ?? (field.widget === 'switch' ? { 0: { zh: '否', en: 'No' }, 1: { zh: '是', en: 'Yes' } } : undefined)
          const at = header?.indexOf(field.label[language]) ?? -1
          if (names === undefined || at < 0) continue
          const allowed = [...Object.values(names).map(name => name[language]), '']
          expect([resource.name, field.label[language], rows.filter(row => !allowed.includes(String(row[at] ?? '')))]).toEqual([
            resource.name,
            field.label[language],
            [],
          ])
        }
        if (resource.name !== 'exam-item') continue
        const said = ['准考证', '成绩'].map(
          (zh, n) => rows[0]?.[header?.indexOf(language === 'zh' ? zh : (['Tickets', 'Scores'][n] ?? '')) ?? -1],
        )
        expect(said).toEqual(language === 'zh' ? ['已发布', '已导入'] : ['Released', 'Imported'])
      }
    }
    await tenant.rows(sql`update exam_item set ticket_state = 'none', score_state = 'none' where exam_id = ${exam.examId} returning id`)
  })

  test('[S7.38] the examinations themselves, as the list has them: drafts for the office, live sign-ups counted, no other tenant’s', async () => {
    const rows = await rowsOf(await office.get('/blade-exam/examination/exportExam', { query: { examCode: '2026' } }))
    const listed = (await office.get('/blade-exam/examination/page', { query: { examCode: '2026', size: 200 } })).body.data.records
    expect(listed.map((row: { id: string }) => row.id)).toEqual([exam.examId])
    const [, header = [], ...lines] = rows
    const line = Object.fromEntries(header.map((name, i) => [String(name), lines[0]?.[i]]))
    expect(lines).toHaveLength(1)
    expect(line).toMatchObject({
      考试编码: exam.examCode,
      考试名称: listed[0].examName,
      年度: '2026',
      状态: '已发布',
      阶段: listed[0].phaseLabel,
      报名开始: listed[0].signBegin,
      岗位数: listed[0].postCount,
      报名人数: 1,
      审核通过: 1,
    })
    const all = await rowsOf(await office.get('/blade-exam/examination/exportExam', { language: 'en' }))
    expect(all.slice(2).map(row => row[0])).toEqual([other.examCode, exam.examCode])
    expect(all.flat()).not.toContain('外租户考试')
    expect(all[1]?.slice(0, 2)).toEqual(['Code', 'Name'])
    expect(await audited('examination.exported')).toEqual([
      expect.objectContaining({ filter: { examCode: '2026' }, rows: 1, large: false }),
      expect.objectContaining({ filter: {}, rows: 2, large: false }),
    ])
    const hr = await tenant.staff('unit_hr')
    expect((await hr.get('/blade-exam/examination/page')).status).toBe(200)
    expect((await hr.get('/blade-exam/examination/exportExam')).status).toBe(403)
  })
})
