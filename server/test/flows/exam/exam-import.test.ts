import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fromBufferPromise } from 'yauzl'
import { ZipFile } from 'yazl'
import { sql } from '#kernel/db/sql.ts'
import { readSheet } from '#kernel/sheet/read-sheet.ts'
import { type Person, startTestApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { buildExam, examplePosts } from '../../support/factories.ts'
import { seedRows, workbook } from '../../support/workbook.ts'

let app: TestApp
let tenant: TestTenant
let office: Person
let number = 10
beforeAll(async () => {
  app = await startTestApp({ start: '2026-03-10T10:00:00+08:00' })
  tenant = await app.tenant()
  office = await tenant.staff('exam_admin')
})
afterAll(() => app.close())

const papers = seedRows('exam-items')
  .slice(1)
  .map(([itemCode = '', itemName = '', type = ''], at) => ({
    itemCode,
    itemName,
    itemType: type.startsWith('2') ? (2 as const) : (1 as const),
    startTime: `2026-03-${28 + Math.floor(at / 6)} ${String(8 + (at % 6) * 2).padStart(2, '0')}:00:00`,
    endTime: `2026-03-${28 + Math.floor(at / 6)} ${String(9 + (at % 6) * 2).padStart(2, '0')}:00:00`,
  }))
const exam = async (posts: typeof examplePosts = [], changes: Record<string, unknown> = {}): Promise<string> => {
  number += 1
  const built = await buildExam(tenant, {
    exam: { exam_name: `导入 ${number}`, exam_code: `IMP${number}`, exam_no: number, state: 'draft', ...changes },
    posts,
    papers,
  })
  return built.examId
}
const send = (who: Person, bytes: Uint8Array | undefined, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  who.post('/blade-exam/examination/importTypeCode', {
    multipart: { fields, files: bytes ? [{ part: 'file', name: '岗位表.xlsx', bytes }] : [] },
    headers,
  })
/** The same workbook with the cell that says FORMULA as a formula without a stored value, as programs write it. */
const withFormula = async (bytes: Buffer): Promise<Buffer> => {
  const source = await fromBufferPromise(bytes, { lazyEntries: true })
  const target = new ZipFile()
  for await (const entry of source.eachEntry()) {
    const part = await buffer(await source.openReadStreamPromise(entry))
    const text = part
      .toString('utf8')
      .replace(/<c r="(AC\d+)"[^>]*>(?:(?!<\/c>).)*FORMULA(?:(?!<\/c>).)*<\/c>/, '<c r="$1"><f>50*2</f></c>')
    target.addBuffer(entry.fileName.endsWith('.xml') ? Buffer.from(text) : part, entry.fileName)
  }
  target.end()
  return buffer(target.outputStream)
}
const countPosts = async (examId: string): Promise<number> =>
  (await tenant.rows(sql<{ n: number }>`select count(*)::int as n from type_code where exam_id = ${examId}`))[0]?.n ?? 0

describe('the post table (T1)', () => {
  test('[19.15] where posts are charged for, a fee that is empty or a formula without a result is refused by row, column and reason', async () => {
    const header = seedRows('posts')[0] ?? []
    const row = (code: string, fee: string) =>
      (seedRows('posts')[1] ?? []).map((cell, at) => (header[at] === '岗位代码' ? code : header[at] === '报名费(元)' ? fee : cell))
    const byPost = await exam([], { fee_mode: 3, fee_fen: 0 })
    const byPerson = await exam([], { fee_mode: 1, fee_fen: 10_000 })
    const book = await workbook([header, row('A001', '100'), row('A002', ''), row('A003', '0')])
    const refused = (await send(office, book, { examId: byPost, mode: 'commit' })).body
    expect([refused.code, refused.data.errors]).toEqual([
      2504,
      [
        {
          row: 3,
          column: 'AC',
          header: '报名费',
          value: '',
          code: 'fee-empty',
          reason: '本考试按岗位收费，请填写报名费，免费岗位填 0',
        },
      ],
    ])
    expect(await countPosts(byPost)).toBe(0)
    expect((await send(office, book, { examId: byPerson, mode: 'commit' })).body.data).toMatchObject({ state: 4, inserted: 3 })
    const unsolved = await withFormula(await workbook([header, row('A001', 'FORMULA')]))
    for (const examId of [byPost, byPerson]) {
      const answer = (await send(office, unsolved, { examId, mode: 'commit' })).body
      expect([answer.code, answer.data.errors.map((error: { reason: string }) => error.reason), answer.data.errors[0]]).toEqual([
        2504,
        ['报名费是公式且文件中没有计算结果，请填写数值，或用表格软件打开并保存后再导入'],
        expect.objectContaining({ row: 2, column: 'AC', code: 'formula', value: '#FORMULA!' }),
      ])
    }
    expect(await countPosts(byPost)).toBe(0)
    // One by one the same.
    const post = {
      examId: byPost,
      unit: 'H01',
      unitName: '某区人民医院',
      type: 'A',
      typeName: '医疗',
      code: 'A009',
      codeName: '内科医师',
      planNum: 1,
    }
    const single = (json: object) => office.post('/blade-typeCode/typecode/submit', { json: { ...post, ...json } })
    for (const json of [{}, { feeFen: null }])
      expect((await single(json)).body.data).toEqual({
        fields: [{ field: 'feeFen', msg: '本考试按岗位收费，请填写报名费，免费岗位填 0' }],
      })
    expect((await single({ feeFen: 0 })).body.code).toBe(200)
    expect((await single({ examId: byPerson })).body.code).toBe(200)
  })

  test('[S7.38] posts.csv as a workbook: the check finds nothing wrong and writes nothing, the commit of the checked file writes all 144', async () => {
    const examId = await exam()
    const book = await workbook(seedRows('posts'))
    const checked = (await send(office, book, { examId, mode: 'check' })).body.data
    expect(checked).toMatchObject({
      kind: 'T1',
      state: 2,
      total: 144,
      ok: 144,
      failed: 0,
      inserted: 0,
      errors: [],
      errorFileUrl: null,
      problem: null,
    })
    expect(checked.warnings.length).toBeGreaterThan(0)
    expect(await countPosts(examId)).toBe(0)
    const done = (await send(office, undefined, { examId, mode: 'commit', importId: checked.importId })).body.data
    expect(done).toMatchObject({ importId: checked.importId, state: 4, total: 144, ok: 144, failed: 0, inserted: 144, updated: 0 })
    expect(await countPosts(examId)).toBe(144)
    const units = await tenant.rows(sql<{ n: number }>`select count(*)::int as n from user_code where code_kind = 1`)
    expect(units[0]?.n).toBeGreaterThanOrEqual(20)
    const [audit] = await tenant.rows(
      sql<{
        after: Record<string, unknown>
      }>`select after_value as after from audit_log where action = 'import.T1' and entity_id = ${checked.importId}`,
    )
    expect(audit?.after).toMatchObject({ examId, total: 144, inserted: 144 })
    // The checked file was used up; a second import of the same table replaces by code.
    expect((await send(office, undefined, { examId, mode: 'commit', importId: checked.importId })).body.code).toBe(2001)
    const again = (await send(office, book, { examId, mode: 'commit' })).body.data
    expect(again).toMatchObject({ state: 4, inserted: 0, updated: 144, warnings: [] })
    expect(await countPosts(examId)).toBe(144)
  })

  test('posts-bad.csv: exactly the named error of every row, nothing written, and a workbook with the wrong rows to mend', async () => {
    const examId = await exam()
    await tenant.db(db =>
      db.run(sql`insert into user_code (tenant_id, code, name, code_kind) select ${db.actor.tenantId}, u.code, u.name, 1
        from unnest(${seedRows('units')
          .slice(1)
          .map(row => row[0] ?? '')}::text[], ${seedRows('units')
          .slice(1)
          .map(row => row[1] ?? '')}::text[]) as u(code, name)
        where not exists (select 1 from user_code c where c.code = u.code)`),
    )
    const [header = [], ...rows] = seedRows('posts-bad')
    const at = header.indexOf('预期错误')
    const book = await workbook([header.slice(0, at), ...rows.map(row => row.slice(0, at))])
    const refused = await send(office, book, { examId, mode: 'commit' })
    expect([refused.status, refused.body.code]).toEqual([422, 2504])
    const { data } = refused.body
    expect(data).toMatchObject({ state: 5, total: 20, ok: 0, failed: 20, inserted: 0 })
    expect(data.errors.map(({ row, reason }: { row: number; reason: string }) => ({ row, reason }))).toEqual(
      rows.map((row, i) => ({
        row: i + 2,
        reason: (row[at] ?? '').replace('与下一行', `与第 ${i + 3} 行`).replace('与上一行', `与第 ${i + 1} 行`),
      })),
    )
    expect(data.errors[0]).toMatchObject({ column: 'J', header: '招聘人数' })
    expect(await countPosts(examId)).toBe(0)

    const file = await office.get(data.errorFileUrl)
    expect(file.status).toBe(200)
    const path = join(tmpdir(), `kaopu-errors-${process.pid}.xlsx`)
    await writeFile(path, file.raw)
    const sheetOf = async (sheet: number) => {
      const read = await readSheet(path, { sheet })
      if ('problem' in read) throw new Error(read.problem)
      return read.rows
    }
    const [own, wrong, summary] = [await sheetOf(0), await sheetOf(1), await sheetOf(2)]
    expect(own).toHaveLength(21)
    expect(own[0]?.cells.slice(-2)).toEqual(['校验结果', '错误原因'])
    expect(own[1]?.cells.at(-1)).toBe('招聘人数: 必填项为空: 招聘人数')
    expect(wrong[0]?.cells).toEqual(header.slice(0, at))
    expect(wrong).toHaveLength(21)
    expect(summary.map(row => row.cells)).toContainEqual(['错误行', '20'])
    // The link is the caller's own.
    expect((await (await tenant.staff('exam_admin')).get(data.errorFileUrl)).status).toBe(404)
  })

  test('[S7.38] a wrong cell is mended without the workbook: the check sees it, and only then the commit writes it', async () => {
    const examId = await exam()
    const [header = [], first = [], second = []] = seedRows('posts')
    const count = header.findIndex(name => name.startsWith('招聘人数'))
    const bad = first.with(count, '若干')
    const checked = (await send(office, await workbook([header, bad, second]), { examId, mode: 'check' })).body.data
    expect(checked).toMatchObject({ state: 2, total: 2, ok: 1, failed: 1 })
    const [{ row, column }] = checked.errors
    const { importId } = checked
    const fixes = (value: string) => JSON.stringify([{ row, column, value }])

    const still = (await send(office, undefined, { examId, mode: 'check', importId, fixes: fixes('0') })).body.data
    expect(still).toMatchObject({ importId, state: 2, ok: 1, failed: 1 })
    const mended = (await send(office, undefined, { examId, mode: 'check', importId, fixes: fixes(first[count] ?? '') })).body.data
    expect(mended).toMatchObject({ importId, state: 2, ok: 2, failed: 0, errors: [], errorFileUrl: null })
    expect(await countPosts(examId)).toBe(0)
    const done = (await send(office, undefined, { examId, mode: 'commit', importId })).body.data
    expect(done).toMatchObject({ state: 4, inserted: 2 })
    const written = await tenant.rows(
      sql<{ code: string; planNum: number }>`select code, plan_num as "planNum" from type_code where exam_id = ${examId} order by code`,
    )
    expect(written.find(post => post.code === first[header.findIndex(name => name.startsWith('岗位代码'))])?.planNum).toBe(
      Number(first[count]),
    )
    const [audit] = await tenant.rows(
      sql<{
        after: Record<string, unknown>
      }>`select after_value as after from audit_log where action = 'import.T1' and entity_id = ${importId}`,
    )
    expect(audit?.after).toMatchObject({ fixedCells: 1, inserted: 2 })
  })

  test('a mended cell of somebody else’s file, and one that no sheet has, are refused', async () => {
    const examId = await exam()
    const { importId } = (await send(office, await workbook(seedRows('posts')), { examId, mode: 'check' })).body.data
    const other = await tenant.staff('exam_admin')
    const fixes = JSON.stringify([{ row: 2, column: 'A', value: 'x' }])
    expect((await send(other, undefined, { examId, importId, fixes })).status).toBe(404)
    const nowhere = await send(office, undefined, { examId, importId, fixes: JSON.stringify([{ row: 1, column: 'a', value: 'x' }]) })
    expect(nowhere.status).toBe(400)
  })

  test('a wrong header, an empty sheet, another kind of file and a missing file each say what is wrong', async () => {
    const examId = await exam()
    const header = await send(
      office,
      await workbook([
        ['岗位代码', '岗位名称'],
        ['A1', '医师'],
      ]),
      { examId },
    )
    expect([header.status, header.body.code]).toEqual([422, 2502])
    expect(header.body.msg).toContain('缺少列: 招聘人数')
    expect((await send(office, await workbook([['岗位代码']]), { examId })).body.code).toBe(2501)
    const text = await send(office, Buffer.from('岗位代码,岗位名称'), { examId })
    expect([text.body.code, text.body.msg]).toEqual([2501, '文件无法读取：这是文本文件(如 csv)，只是改了名，请用表格软件打开后另存为 xlsx'])
    expect((await send(office, undefined, { examId })).body).toMatchObject({ code: 400, msg: '请选择要导入的文件' })
    const partial = await send(office, await workbook(seedRows('posts')), { examId, policy: 'partial' })
    expect(partial.body.code).toBe(2001)
  })

  test('once sign-up has begun a post that stands is not replaced, and a closed examination takes nothing', async () => {
    const begun = await exam(examplePosts, { state: 'released', sign_begin: '2026-03-09 09:00:00' })
    const [header = [], first = []] = seedRows('posts')
    const code = header.indexOf('岗位代码')
    const row = first.map((cell, i) => (i === code ? 'A001' : cell)).map((cell, i) => (header[i] === '考试科目代码(逗号)' ? '01' : cell))
    const unit = header.indexOf('招聘单位')
    const mine = row.map((cell, i) => (i === unit ? '区人民医院' : cell))
    const rename = (name: string) => tenant.db(db => db.run(sql`update user_code set name = ${name} where code = 'H01'`))
    await rename('区人民医院')
    const refused = await send(office, await workbook([header, mine]), { examId: begun, mode: 'commit' })
    expect(refused.body.data.errors).toEqual([
      { row: 2, column: 'G', header: '岗位代码', value: 'A001', code: 'frozen', reason: '报名已开始，不能用导入替换已有岗位' },
    ])
    const added = await send(office, await workbook([header, mine.map((cell, i) => (i === code ? 'N001' : cell))]), {
      examId: begun,
      mode: 'commit',
    })
    expect(added.body.data).toMatchObject({ state: 4, inserted: 1 })
    expect((await office.get('/blade-exam/examination/detail', { query: { id: begun } })).body.data.changes[0].text).toBe(
      '导入岗位表：新增 1 个，修改 0 个岗位',
    )
    const closed = await exam([], { state: 'closed' })
    expect((await send(office, await workbook([header, mine]), { examId: closed, mode: 'commit' })).body).toMatchObject({
      code: 2001,
      msg: '考试已关闭，不能修改',
    })
    const other = await buildExam(await app.tenant())
    expect((await send(office, await workbook([header, mine]), { examId: other.examId })).status).toBe(404)
    await rename(first[unit] ?? '')
  })

  test('one import of a kind at a time: 2503 for the second, whoever starts it', async () => {
    const examId = await exam()
    const book = await workbook(seedRows('posts'))
    const answers = await Promise.all([
      send(office, book, { examId, mode: 'commit' }),
      send(await tenant.staff('exam_admin'), book, { examId, mode: 'commit' }),
    ])
    const codes = answers.map(answer => answer.body.code).sort()
    expect(codes[0]).toBe(200)
    expect([200, 2503]).toContain(codes[1])
    expect(await countPosts(examId)).toBe(144)
    await tenant.db(db =>
      db.run(
        sql`insert into import_job (tenant_id, exam_id, kind, file_id, file_name, state, created_by, started_at) values (${db.actor.tenantId}, ${examId}, 'T1', 1, 'x', 3, 0, app_now())`,
      ),
    )
    expect((await send(office, book, { examId })).body.code).toBe(2503)
  })

  test('a run whose process was killed ends at once and blocks nobody; one whose process lives does', async () => {
    const examId = await exam()
    const book = await workbook(seedRows('posts'))
    const left = (runner: string, state: number) =>
      tenant.db(async db => {
        const { id } = await db.one(sql<{ id: string }>`
          insert into import_job (tenant_id, exam_id, kind, file_id, file_name, state, created_by, started_at, runner)
          values (${db.actor.tenantId}, ${examId}, 'T1', 1, 'x', ${state}, ${office.userId}, app_now(), ${runner}) returning id::text as id`)
        return id
      })
    const detail = async (id: string) => (await office.get('/blade-exam/importjob/detail', { query: { id } })).body.data
    const alive = await left(app.app.services.runner, 1)
    expect((await send(office, book, { examId })).body.code).toBe(2503)
    expect(await detail(alive)).toMatchObject({ state: 1 })
    await tenant.rows(sql`update import_job set state = 6 where id = ${alive}`)

    const [reading, writing] = [await left('123456789012345678', 0), await left('123456789012345678', 3)]
    expect((await send(office, book, { examId })).body.data).toMatchObject({ state: 2, total: 144 })
    for (const id of [reading, writing]) expect(await detail(id)).toMatchObject({ state: 5, problem: '导入被中断，请重新导入' })
    // Whoever waits for the outcome is told as well, without a second import.
    const watched = await left('123456789012345679', 1)
    expect(await detail(watched)).toMatchObject({ state: 5 })
  })

  test('the same call sent twice with its key runs once', async () => {
    const examId = await exam()
    const book = await workbook(seedRows('posts'))
    const headers = { 'idempotency-key': 'import-0001-abcd' }
    const one = await send(office, book, { examId, mode: 'commit' }, headers)
    const two = await send(office, book, { examId, mode: 'commit' }, headers)
    expect(two.body.data).toEqual({ ...one.body.data, errorFileUrl: null })
    expect(two.body.data).toMatchObject({ state: 4, inserted: 144 })
  })

  test('more than 2,000 rows run in the background: progress, result, and cancel before it starts', async () => {
    const examId = await exam()
    const [header = [], ...rows] = seedRows('posts')
    const code = header.indexOf('岗位代码')
    const many = Array.from({ length: 2_100 }, (_, i) => (rows[i % rows.length] ?? []).map((cell, at) => (at === code ? `P${i}` : cell)))
    const book = await workbook([header, ...many])
    const queued = (await send(office, book, { examId, mode: 'commit' })).body.data
    expect(queued).toMatchObject({ state: 0, total: 2_100, done: 0 })
    expect(await app.runTasks()).toEqual(['exam.import'])
    const done = (await office.get('/blade-exam/importjob/detail', { query: { id: queued.importId } })).body.data
    expect(done).toMatchObject({ state: 4, total: 2_100, done: 2_100, ok: 2_100, inserted: 2_100 })
    const stranger = await tenant.staff('exam_admin')
    expect((await stranger.get('/blade-exam/importjob/detail', { query: { id: queued.importId } })).status).toBe(404)

    const second = (await send(office, book, { examId: await exam(), mode: 'commit' })).body.data
    expect((await office.post('/blade-exam/importjob/cancel', { form: { id: second.importId } })).body.data).toEqual({
      id: second.importId,
      state: 6,
    })
    await app.runTasks()
    expect((await office.get('/blade-exam/importjob/detail', { query: { id: second.importId } })).body.data).toMatchObject({
      state: 6,
      inserted: 0,
    })

    // Ordered by a program that kept no reach: it is given up, in words, instead of running for the whole tenant.
    const thirdExam = await exam()
    const third = (await send(office, book, { examId: thirdExam, mode: 'commit' })).body.data
    await tenant.db(db => db.run(sql`update import_job set params = params - 'reach' where id = ${third.importId}`))
    await app.runTasks()
    expect((await office.get('/blade-exam/importjob/detail', { query: { id: third.importId } })).body.data).toMatchObject({
      state: 5,
      inserted: 0,
      problem: '该导入由旧版本发起，没有记录数据范围，请重新导入',
    })
    expect(await countPosts(thirdExam)).toBe(0)
    expect((await office.post('/blade-exam/importjob/cancel', { form: { id: second.importId } })).body.code).toBe(2001)
  })

  test('the template has the 31 columns in order and is for those who may import', async () => {
    const file = await office.get('/blade-exam/examination/importTemplate', { query: { kind: 'T1' } })
    const path = join(tmpdir(), `kaopu-template-${process.pid}.xlsx`)
    await writeFile(path, file.raw)
    const read = await readSheet(path)
    if ('problem' in read) throw new Error(read.problem)
    expect(read.rows[0]?.cells).toEqual(seedRows('posts')[0])
    expect((await (await tenant.staff('finance')).get('/blade-exam/examination/importTemplate', { query: { kind: 'T1' } })).status).toBe(
      403,
    )
    expect(
      (await (await tenant.staff('finance')).post('/blade-exam/examination/importTypeCode', { multipart: { fields: { examId: '1' } } }))
        .status,
    ).toBe(403)
    expect((await office.get('/blade-exam/examination/importTemplate', { query: { kind: 'T9' } })).status).toBe(404)
  })
})
