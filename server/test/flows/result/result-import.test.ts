import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fromBufferPromise } from 'yauzl'
import { ZipFile } from 'yazl'
import { sql } from '#kernel/db/sql.ts'
import { writeSheet } from '#kernel/sheet/write-sheet.ts'
import { type Person, startTestApp, type TestApp } from '../../support/app.ts'
import { buildExam } from '../../support/factories.ts'
import { sheetCells } from '../../support/sheet-text.ts'
import { insertSignups, insertTickets } from '../../support/sign-up-rows.ts'

let t: TestApp
let folder: string
beforeAll(async () => {
  t = await startTestApp()
  folder = await mkdtemp(join(tmpdir(), 'kaopu-results-'))
})
afterAll(async () => {
  await t.close()
  await rm(folder, { recursive: true, force: true })
})

const headers = ['准考证号*', '姓名*', '科目代码*', '成绩', '考试状态(正常/缺考/违纪/零分/免试)*', '加分', '备注']
let files = 0
const newPath = () => {
  files += 1
  return join(folder, `${files}.xlsx`)
}
const workbook = async (rows: readonly (readonly string[])[]): Promise<Buffer> => {
  const path = newPath()
  await writeSheet(path, { sheets: [{ name: '成绩', columns: headers.map(header => ({ header })), rows }] })
  return readFile(path)
}
const rowsOf = sheetCells

const setUp = async (count: number) => {
  const tenant = await t.tenant()
  const exam = await buildExam(tenant, {
    papers: [{ itemCode: '01', itemName: '综合基础知识', startTime: '2026-03-16 09:00:00', endTime: '2026-03-16 10:30:00' }],
  })
  const importer = await tenant.staff('exam_admin')
  const signups = await insertSignups(
    tenant,
    exam.examId,
    Array.from({ length: count }, (_, i) => ({ name: i === 0 ? '张䶮' : `人${i}`, code: 'B001', type: 'B', unit: 'H01' })),
  )
  // Without statistics, as no database that has been in use is, the planner compares each result with each sign-up.
  await (await t.owner()).query('analyze signup, account')
  const numbers = await insertTickets(tenant, exam.examId, exam.papers['01'] ?? '', signups)
  const rows = signups.map((signup, i) => [numbers[i] ?? '', signup.name, '01', String(60 + (i % 40)), '正常', '', ''])
  const send = async (who: Person, bytes: Buffer | undefined, fields: Record<string, string> = {}) =>
    who.post('/blade-exam/examination/importResult', {
      multipart: {
        fields: { examId: exam.examId, itemId: exam.papers['01'] ?? '', mode: 'commit', ...fields },
        files: bytes ? [{ part: 'file', name: '成绩.xlsx', bytes }] : [],
      },
    })
  const job = async (who: Person, id: string) => (await who.get('/blade-exam/importjob/detail', { query: { id } })).body.data
  const stored = () =>
    tenant.rows(sql`
    select count(*)::int as rows, count(distinct signup_id)::int as people, sum(score) as sum from result where not is_deleted`)
  const paper = () => tenant.rows(sql`select score_state as state, score_import_by::text as by from exam_item`).then(([row]) => row)
  return { tenant, exam, importer, signups, numbers, rows, send, job, stored, paper }
}

/** More than are imported before the answer; they are written in several parts. */
const all = process.env['KAOPU_LONG'] ? 10_000 : 2_500
const middle = Math.floor(all * 0.4)

const brief = (errors: readonly { row: number; column: string; code: string }[]) =>
  errors.map(error => [error.row, error.column, error.code])

describe('result import (T6)', () => {
  test(`[S7.40] scenario 13: three bad rows of ${all} — nothing, then ${all - 3}, then all without duplicates`, async () => {
    const s = await setUp(all)
    const change = (row: number, cells: Record<number, string>) =>
      s.rows.map((cell, i) => (i === row - 2 ? cell.map((value, at) => cells[at] ?? value) : cell))
    const good = s.rows
    const bad = good.map((cells, i) => {
      if (i === 55) return change(57, { 3: '101' })[i] ?? cells
      if (i === middle) return change(middle + 2, { 0: '260399999999' })[i] ?? cells
      if (i === all - 3) return change(all - 1, { 3: '60', 4: '缺考' })[i] ?? cells
      return cells
    })
    const bytes = await workbook(bad)
    const started = (await s.send(s.importer, bytes)).body.data
    expect(started).toMatchObject({ kind: 'T6', mode: 'commit', state: 0, total: all })
    expect(await t.runTasks()).toEqual(['exam.import'])
    const first = await s.job(s.importer, started.importId)
    expect(first).toMatchObject({ state: 5, total: all, done: all, ok: all - 3, failed: 3, inserted: 0, updated: 0 })
    expect(
      first.errors.map((error: { row: number; column: string; value: string; reason: string }) => [
        error.row,
        error.column,
        error.value,
        error.reason,
      ]),
    ).toEqual([
      [57, 'D', '101', '成绩超过满分 100.00'],
      [middle + 2, 'A', '260399999999', '准考证号不存在'],
      [all - 1, 'D', '60', '考试状态不是“正常”时成绩应为空'],
    ])
    expect(await s.stored()).toEqual([{ rows: 0, people: 0, sum: null }])
    expect(await s.paper()).toEqual({ state: 'none', by: null })
    const book = await s.importer.get(first.errorFileUrl)
    const wrong = await rowsOf(book.raw, 1)
    expect(wrong.slice(1)).toEqual([55, middle, all - 3].map(i => bad[i]?.slice(0, 5).map((text, at) => (at === 3 ? Number(text) : text))))

    const again = (await s.send(s.importer, undefined, { importId: started.importId, policy: 'partial' })).body.data
    await t.runTasks()
    expect(await s.job(s.importer, again.importId)).toMatchObject({
      state: 4,
      ok: all - 3,
      failed: 3,
      inserted: all - 3,
      updated: 0,
      skipped: 3,
    })
    const releaser = await s.tenant.staff('exam_admin')
    const early = await releaser.post('/blade-exam/examination/releaseResults', {
      json: { examId: s.exam.examId, itemIds: s.exam.papers['01'], state: 1, confirmCode: 'HZ2026A' },
    })
    expect(early.body).toMatchObject({ code: 2201, msg: '科目 综合基础知识 还有 3 名持准考证考生没有成绩' })

    // The three wrong rows mended and sent alone, then the whole file once more.
    const mended = (await s.send(s.importer, await workbook([good[55] ?? [], good[middle] ?? [], good[all - 3] ?? []]))).body.data
    expect(mended).toMatchObject({ state: 4, total: 3, inserted: 3, updated: 0 })
    const whole = (await s.send(s.importer, await workbook(good))).body.data
    await t.runTasks()
    expect(await s.job(s.importer, whole.importId)).toMatchObject({ state: 4, inserted: 0, updated: all, errors: [] })
    const sum = good.reduce((total, cells) => total + Number(cells[3]), 0)
    expect(await s.stored()).toEqual([{ rows: all, people: all, sum: sum.toFixed(2) }])
    expect(await s.paper()).toEqual({ state: 'imported', by: s.importer.userId })
    const released = await releaser.post('/blade-exam/examination/releaseResults', {
      json: { examId: s.exam.examId, itemIds: s.exam.papers['01'], state: 1, confirmCode: 'HZ2026A' },
    })
    expect(released.body.data).toEqual({ people: all, scheduled: null, plan: null })
    const list = await s.importer.get('/blade-result/result/list', { query: { examId: s.exam.examId, size: 1, current: all - 1 } })
    expect([list.body.data.total, list.body.data.records.length]).toEqual([all, 1])
    const late = await s.send(s.importer, await workbook(good.slice(0, 1)))
    expect([late.status, late.body.code, late.body.msg]).toEqual([409, 2401, '成绩已发布，不可导入'])
    await t.runTasks()
  }, 120_000)

  test('people who are in no row are named; a check writes nothing; another tenant’s tickets are unknown', async () => {
    const s = await setUp(3)
    const other = await setUp(3)
    const few = await s.send(s.importer, await workbook(s.rows.slice(0, 2)))
    expect([few.status, few.body.code]).toEqual([422, 2504])
    expect(few.body.data.errors.map((error: { row: number; reason: string }) => [error.row, error.reason])).toEqual([
      [0, `名单缺少准考证号 ${s.numbers[2]} 科目 01，缺考也须列出`],
    ])
    const checked = await s.send(s.importer, await workbook(s.rows), { mode: 'check' })
    expect(checked.body.data).toMatchObject({ state: 2, ok: 3, failed: 0, inserted: 0, errors: [] })
    expect(await s.stored()).toEqual([{ rows: 0, people: 0, sum: null }])
    const rows = [s.rows[0] ?? [], ['260301999999', '人1', '01', '60', '正常', '', '']]
    expect(brief((await s.send(s.importer, await workbook(rows), { mode: 'check' })).body.data.errors)).toEqual([
      [3, 'A', 'unknown-ticket'],
    ])
    expect((await s.send(other.importer, await workbook(s.rows))).status).toBe(404)
    for (const role of ['admin', 'unit_hr', 'auditor'] as const)
      expect((await s.send(await s.tenant.staff(role), await workbook(s.rows))).status).toBe(403)
  })

  test('[S7.40] hidden rows are imported like the others, and whoever has filtered the sheet is told so', async () => {
    const s = await setUp(3)
    const whole = await workbook(s.rows)
    const zip = await fromBufferPromise(whole)
    const hiding = new ZipFile()
    for await (const entry of zip.eachEntry()) {
      const part = await buffer(await zip.openReadStreamPromise(entry))
      const isSheet = entry.fileName === 'xl/worksheets/sheet1.xml'
      hiding.addBuffer(isSheet ? Buffer.from(part.toString().replace('<row r="3"', '<row r="3" hidden="1"')) : part, entry.fileName)
    }
    hiding.end()
    const checked = await s.send(s.importer, await buffer(hiding.outputStream), { mode: 'check' })
    expect(checked.body.data).toMatchObject({
      ok: 3,
      failed: 0,
      warnings: [{ row: 3, reason: '有 1 行被隐藏，同样导入：第 3 行' }],
    })
    expect((await s.send(s.importer, whole, { mode: 'check' })).body.data).toMatchObject({ ok: 3, warnings: [] })
  })

  test('the template comes with everybody who holds a ticket and goes back in as it is', async () => {
    const s = await setUp(2)
    const template = () =>
      s.importer.get('/blade-exam/examination/importTemplate', {
        query: { kind: 'T6', examId: s.exam.examId, itemId: s.exam.papers['01'] },
      })
    expect(await rowsOf((await template()).raw)).toEqual([
      ['准考证号', '姓名', '科目代码', '成绩', '考试状态(正常/缺考/违纪/零分/免试)', '加分', '备注'],
      [s.numbers[0], '张䶮', '01'],
      [s.numbers[1], '人1', '01'],
    ])
    const rows = [
      [s.numbers[0] ?? '', '张䶮', '01', '78.5', '正常', '2', '=1+1'],
      [s.numbers[1] ?? '', '人1', '01', '', '缺考', '', ''],
    ]
    expect((await s.send(s.importer, await workbook(rows))).body.data).toMatchObject({ state: 4, inserted: 2 })
    expect((await rowsOf((await template()).raw)).slice(1)).toEqual([
      [s.numbers[0], '张䶮', '01', 78.5, '正常', 2, '=1+1'],
      [s.numbers[1], '人1', '01', null, '缺考'],
    ])
    expect((await s.send(s.importer, (await template()).raw)).body.data).toMatchObject({ state: 4, inserted: 0, updated: 2 })
    expect(await s.tenant.rows(sql`select name, score, final_score, result_state, remark from result order by ticket_no`)).toEqual([
      { name: '张䶮', score: '78.50', final_score: '80.50', result_state: 1, remark: '=1+1' },
      { name: '人1', score: null, final_score: null, result_state: 2, remark: null },
    ])
    const templateRead = { action: 'import.exported', inserted: null, updated: null }
    expect(
      await s.tenant.rows(
        sql`select action, after_value ->> 'inserted' as inserted, after_value ->> 'updated' as updated from audit_log where action like 'import.%' order by id`,
      ),
    ).toEqual([
      templateRead,
      { action: 'import.T6', inserted: '2', updated: '0' },
      templateRead,
      templateRead,
      { action: 'import.T6', inserted: '0', updated: '2' },
    ])
    expect(
      (await (await s.tenant.staff('reviewer1')).get('/blade-exam/examination/importTemplate', { query: { kind: 'T6' } })).status,
    ).toBe(403)
  })

  test('[19.14] the lines that stand when results come in are kept with them, those of a new import anew, and go with the results', async () => {
    const s = await setUp(2)
    const lines = () => s.tenant.rows(sql<{ lines: unknown }>`select score_lines as lines from exam_item`).then(([row]) => row?.lines)
    const set = (line: string) => s.tenant.db(db => db.run(sql`update examination set pass_score = ${line}`))
    const bring = async () => {
      const started = (await s.send(s.importer, await workbook(s.rows))).body.data
      await t.runTasks()
      expect(await s.job(s.importer, started.importId)).toMatchObject({ state: 4, ok: 2 })
    }
    await set('55')
    expect(await lines()).toBeNull()
    await bring()
    expect(await lines()).toEqual({ exam: 55, paper: null })
    await set('61')
    expect(await lines()).toEqual({ exam: 55, paper: null })
    const releaser = await s.tenant.staff('exam_admin')
    const plan = async () =>
      (
        await releaser.post('/blade-exam/examination/releaseResults', {
          json: { examId: s.exam.examId, itemIds: s.exam.papers['01'], state: 1, dryRun: 1 },
        })
      ).body.data.plan
    // 60 and 61 points: one of two fails by the new line.
    expect(await plan()).toMatchObject({ refused: null, lines: [{ name: '笔试合格线', before: '55.00', after: '61.00' }], moved: 1 })
    await bring()
    expect(await plan()).toMatchObject({ lines: [], moved: 0 })
    const cleared = await s.importer.post('/blade-exam/examination/delResults', {
      json: { examId: s.exam.examId, itemId: s.exam.papers['01'] },
    })
    expect(cleared.body.data).toEqual({ removed: 2 })
    expect(await lines()).toBeNull()
  })

  test('[28.9] one workbook with several papers: each row goes to the paper it names, with the lock, the absent and the trail of each', async () => {
    const tenant = await t.tenant()
    const on = (itemCode: string, itemName: string, fullScore: string, day = '2026-03-16') => ({
      ...{ itemCode, itemName, fullScore },
      ...{ startTime: `${day} 09:00:00`, endTime: `${day} 10:30:00` },
    })
    const exam = await buildExam(tenant, {
      papers: [
        on('01', '综合基础知识', '100'),
        on('02', '专业知识', '150'),
        on('03', '写作', '100'),
        on('04', '外语', '100', '2036-03-16'),
      ],
    })
    const { examId, papers } = exam
    const importer = await tenant.staff('exam_admin', { realName: '导入人' })
    const releaser = await tenant.staff('exam_admin')
    const [a, b] = await insertSignups(
      tenant,
      examId,
      ['王甲', '王乙'].map(name => ({ name, code: 'B001', type: 'B', unit: 'H01' })),
    )
    if (!a || !b) throw new Error('two people')
    const [first = '', second = ''] = await insertTickets(tenant, examId, papers['01'] ?? '', [a, b])
    // The second sits no second paper; everybody has one number for all papers.
    await insertTickets(tenant, examId, papers['02'] ?? '', [a])
    await insertTickets(tenant, examId, papers['03'] ?? '', [a, b])
    await insertTickets(tenant, examId, papers['04'] ?? '', [a, b])
    const send = async (rows: readonly (readonly string[])[], fields: Record<string, string> = {}) =>
      importer.post('/blade-exam/examination/importResult', {
        multipart: {
          fields: { examId, mode: 'commit', ...fields },
          files: [{ part: 'file', name: '成绩.xlsx', bytes: await workbook(rows) }],
        },
      })
    const stored = () =>
      tenant.rows(sql`
        select i.item_code as paper, r.ticket_no as no, r.score, r.result_state as state from result r join exam_item i on i.id = r.item_id
        where not r.is_deleted order by r.ticket_no, i.item_code`)
    const states = () => tenant.rows(sql`select score_state as state, score_import_by::text as by from exam_item order by item_code`)

    // The third paper is out already: nothing is left to come in for it.
    expect(
      (
        await send(
          [
            [first, '王甲', '03', '70', '正常'],
            [second, '王乙', '03', '', '缺考'],
          ],
          { itemId: papers['03'] ?? '' },
        )
      ).status,
    ).toBe(200)
    const out = await releaser.post('/blade-exam/examination/releaseResults', {
      json: { examId, itemIds: papers['03'], state: 1, confirmCode: 'HZ2026A' },
    })
    expect(out.status).toBe(200)
    await t.runTasks()

    const template = await importer.get('/blade-exam/examination/importTemplate', { query: { kind: 'T6', examId } })
    expect((await rowsOf(template.raw)).slice(1)).toEqual([
      [first, '王甲', '01'],
      [second, '王乙', '01'],
      [first, '王甲', '02'],
    ])
    const good = [
      [first, '王甲', '01', '80', '正常'],
      [second, '王乙', '01', '', '缺考'],
      [first, '王甲', '02', '120.5', '正常'],
    ]
    const wrong = await send([
      ...good.slice(0, 2),
      [first, '王甲', '02', '150.01', '正常'],
      [first, '王甲', '02', '120', '正常'],
      [second, '王乙', '02', '60', '正常'],
      [second, '王乙', '03', '60', '正常'],
      [second, '王乙', '04', '60', '正常'],
      [second, '王乙', '77', '60', '正常'],
    ])
    expect(wrong.body.data.errors.map((one: Record<string, unknown>) => [one['row'], one['column'], one['reason']])).toEqual([
      [4, 'D', '成绩超过满分 150.00'],
      [4, 'A', '与第 5 行重复'],
      [5, 'A', '与第 4 行重复'],
      [6, 'C', '该准考证不含此科目'],
      [7, 'C', '成绩已发布，不可导入'],
      [8, 'C', '科目 外语 于 2036-03-16 10:30 结束，结束前不能导入、更正或发布成绩'],
      [9, 'C', '科目代码不存在: 77'],
    ])
    // Who holds a ticket for a paper of the file must stand in it; a paper that is not in the file asks for nobody.
    expect((await send(good.slice(1, 2))).body.data.errors.map((one: { reason: string }) => one.reason)).toEqual([
      `名单缺少准考证号 ${first} 科目 01，缺考也须列出`,
    ])
    expect(await stored()).toEqual([
      { paper: '03', no: first, score: '70.00', state: 1 },
      { paper: '03', no: second, score: null, state: 2 },
    ])

    expect((await send(good)).body.data).toMatchObject({ state: 4, total: 3, inserted: 3, updated: 0 })
    expect(await stored()).toEqual([
      { paper: '01', no: first, score: '80.00', state: 1 },
      { paper: '02', no: first, score: '120.50', state: 1 },
      { paper: '03', no: first, score: '70.00', state: 1 },
      { paper: '01', no: second, score: null, state: 2 },
      { paper: '03', no: second, score: null, state: 2 },
    ])
    const by = importer.userId
    expect(await states()).toEqual([
      { state: 'imported', by },
      { state: 'imported', by },
      { state: 'released', by },
      { state: 'none', by: null },
    ])
    // One paper alone, sent again in the file of all: the other stays as it is.
    expect((await send(good.slice(2))).body.data).toMatchObject({ state: 4, total: 1, inserted: 0, updated: 1 })
    expect(
      await tenant.rows(sql`
        select entity_id as id, after_value ->> 'paper' as paper, after_value ->> 'inserted' as inserted, after_value ->> 'updated' as updated
        from audit_log where action = 'result.imported' order by paper, inserted desc`),
    ).toEqual([
      { id: papers['01'], paper: '01', inserted: '2', updated: '0' },
      { id: papers['02'], paper: '02', inserted: '1', updated: '0' },
      { id: papers['02'], paper: '02', inserted: '0', updated: '1' },
      { id: papers['03'], paper: '03', inserted: '2', updated: '0' },
    ])
    // Whoever brought them in reads so beside each paper, and may release none of them.
    const listed = async (who: Person) =>
      (await who.get('/blade-exam/examination/findResultItems', { query: { examId } })).body.data.map((one: Record<string, unknown>) => [
        one['itemCode'],
        one['scoreState'],
        one['isOwnWork'],
        one['releaseTime'],
      ])
    expect(await listed(importer)).toEqual([
      ['01', 1, true, null],
      ['02', 1, true, null],
      ['03', 2, false, null],
      ['04', 0, false, null],
    ])
    const own = await importer.post('/blade-exam/examination/releaseResults', {
      json: { examId, itemIds: papers['02'], state: 1, confirmCode: 'HZ2026A' },
    })
    expect(own.body).toMatchObject({ code: 2402 })
    const later = await releaser.post('/blade-exam/examination/releaseResults', {
      json: { examId, itemIds: papers['01'], state: 1, confirmCode: 'HZ2026A', scoreBegin: '2036-03-20 09:00:00' },
    })
    expect(later.status).toBe(200)
    expect((await listed(releaser)).slice(0, 2)).toEqual([
      ['01', 1, false, '2036-03-20 09:00:00'],
      ['02', 1, false, null],
    ])
    // With all papers out or not over there is nothing to fill in.
    for (const code of ['01', '02'])
      await releaser.post('/blade-exam/examination/releaseResults', {
        json: { examId, itemIds: papers[code], state: 1, confirmCode: 'HZ2026A' },
      })
    expect((await listed(releaser)).map((one: unknown[]) => [one[1], one[3]])).toEqual([
      [2, null],
      [2, null],
      [2, null],
      [0, null],
    ])
    expect(await tenant.rows(sql`select state from result_release`)).toEqual([{ state: 'replaced' }])
    expect((await send(good)).body).toMatchObject({ code: 2401, msg: '成绩已发布，不可导入' })
    expect((await importer.get('/blade-exam/examination/importTemplate', { query: { kind: 'T6', examId } })).status).toBe(409)
    await t.runTasks()
  })
})
