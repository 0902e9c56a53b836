import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { buildExam } from '../../support/factories.ts'
import { insertSignups, insertTickets } from '../../support/sign-up-rows.ts'
import { applicant, rooms } from '../../support/ticket-people.ts'
import { workbook } from '../../support/workbook.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp({ start: '2026-03-23T10:00:00+08:00' })
})
afterAll(() => t.close())

const headers = ['准考证号*', '姓名*', '科目代码*', '成绩', '考试状态(正常/缺考/违纪/零分/免试)*', '加分', '备注']

test('[28.8] an import while tickets are voided takes all rows or none, and a release goes by who holds a ticket', async () => {
  for (let round = 0; round < 3; round++) {
    const tenant = await t.tenant()
    const papers = [{ itemCode: '01', itemName: '综合基础知识', startTime: '2026-03-22 09:00:00', endTime: '2026-03-22 10:30:00' }]
    const exam = await buildExam(tenant, { papers })
    const itemId = exam.papers['01'] ?? ''
    const importer = await tenant.staff('exam_admin')
    const other = await tenant.staff('exam_admin')
    const people = await insertSignups(
      tenant,
      exam.examId,
      Array.from({ length: 60 }, (_, i) => ({ name: `人${i}`, code: 'B001', type: 'B', unit: 'H01' })),
    )
    const numbers = await insertTickets(tenant, exam.examId, itemId, people)
    const [victim] = await tenant.rows<{ id: string }>(sql`select id::text as id from ticket where ticket_no = ${numbers[0]}`)
    const bytes = await workbook([headers, ...people.map(({ name }, i) => [numbers[i] ?? '', name, '01', '60', '正常', '', ''])])
    const send = () =>
      importer.post('/blade-exam/examination/importResult', {
        multipart: {
          fields: { examId: exam.examId, itemId, mode: 'commit' },
          files: [{ part: 'file', name: '成绩.xlsx', bytes }],
        },
      })
    const drop = () => other.post('/blade-exam/examination/delTicket', { json: { id: victim?.id, reason: '冒名顶替' } })
    const [first, second] = round % 2 === 0 ? [send(), drop()] : [drop(), send()]
    const [a, b] = [await first, await second]
    const imported = round % 2 === 0 ? a : b
    expect((round % 2 === 0 ? b : a).body.code).toBe(200)
    const [{ rows } = { rows: -1 }] = await tenant.rows<{ rows: number }>(
      sql`select count(*)::int as rows from result where not is_deleted`,
    )
    if (imported.body.code === 200) expect(rows).toBe(60)
    else {
      expect(imported.body.data.errors.map((one: Record<string, unknown>) => [one.row, one.column, one.code])).toEqual([
        [2, 'A', 'unknown-ticket'],
      ])
      expect(rows).toBe(0)
    }
    const plan = await other.post('/blade-exam/examination/releaseResults', {
      json: { examId: exam.examId, itemIds: itemId, state: 1, dryRun: 1 },
    })
    expect(plan.body.data.plan.papers[0]).toMatchObject({ holders: 59, missing: rows === 0 ? 59 : 0, results: rows })
  }
})

test('[28.8] a disk that is full while tickets are rendered leaves no file and no half count, and the next try renders all', async () => {
  const tenant = await t.tenant()
  const exam = await buildExam(tenant, {
    papers: [
      { itemCode: '01', itemName: '综合基础知识', startTime: '2026-03-28 09:00:00', endTime: '2026-03-28 10:30:00', rooms: rooms(1) },
    ],
  })
  const itemIds = exam.papers['01'] ?? ''
  const admin = await tenant.staff('exam_admin')
  for (const name of ['张测', '李测', '王测']) await applicant(t, tenant, exam.examId, { name })
  await admin.post('/blade-exam/examination/creTicketEnd', { json: { examId: exam.examId, itemIds } })
  const release = () => admin.post('/blade-exam/examination/releaseTickets', { json: { examId: exam.examId, itemIds } })
  expect((await release()).body.data.step).toBe('rendering')
  const folder = join(t.app.services.config.dataDir, 'files')
  const onDisk = () => readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.kpf')).length
  const { files } = t.app.services
  const put = files.put
  const before = onDisk()
  let writes = 0
  Object.assign(files, {
    put: (...of: Parameters<typeof put>) => {
      writes += 1
      // The second of three finds the disk full.
      if (writes === 2) return Promise.reject(Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' }))
      return put(...of)
    },
  })
  const owner = await t.owner()
  const { rows: orders } = await owner.query("select * from outbox where task = 'ticket.render'")
  try {
    await expect(t.runTasks()).rejects.toThrow('ENOSPC')
  } finally {
    Object.assign(files, { put })
  }
  const rendered = () =>
    tenant.rows(sql`
      select count(pdf_file_id)::int as tickets, (select count(*)::int from stored_file where owner_kind = 'ticket') as files,
        (select done from ticket_render order by id desc limit 1) as done from ticket`)
  expect([writes, onDisk() - before, await rendered()]).toEqual([2, 0, [{ tickets: 0, files: 0, done: 0 }]])
  expect((await release()).body).toMatchObject({ code: 2304, msg: '准考证生成未完成（0/3）' })

  // The queue tries again by itself.
  const task = t.app.modules.tasks.find(one => one.name === 'ticket.render')
  for (const { payload } of orders) await task?.run(payload as never, { attempt: 2, now: t.clock.now() })
  expect([onDisk() - before, await rendered()]).toEqual([3, [{ tickets: 3, files: 3, done: 3 }]])
  expect((await release()).body.data.step).toBe('released')
})
