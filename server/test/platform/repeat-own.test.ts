import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allRoutes, importKinds } from '#contract/registry.ts'
import { sql } from '#kernel/db/sql.ts'
import { roleAliases } from '../../seed/base/menus.ts'
import { type Answer, type Person, startTestApp, type TestApp, type TestTenant, testStart } from '../support/app.ts'
import { buildExam } from '../support/factories.ts'
import { beginPayments, emulatorOf, moneyOf, openCode, payScene } from '../support/pay.ts'
import { wang } from '../support/reviewing.ts'
import { answersOf, submit, uploadAll } from '../support/signing.ts'
import { applicant, rooms } from '../support/ticket-people.ts'
import { workbook } from '../support/workbook.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())

const exam = '/blade-exam/examination'
const keyed = (key: string) => ({ headers: { 'idempotency-key': key } })
const mismatch = [422, 'kernel/idempotency-mismatch']
const told = ({ status, body }: Answer) => [status, body.reason]
/** What is kept of answers, as it lies in the database. */
const keptText = async (of: TestTenant): Promise<string> =>
  (await of.rows(sql<{ text: string }>`select coalesce(string_agg(answer::text, ' '), '') as text from idempotency`))[0]?.text ?? ''
const count = async (of: TestTenant, table: 'stored_file' | 'import_job' | 'ticket' | 'signup'): Promise<number> =>
  (
    await of.rows(
      {
        stored_file: sql<object>`select 1 from stored_file`,
        import_job: sql<object>`select 1 from import_job`,
        ticket: sql<object>`select 1 from ticket`,
        signup: sql<object>`select 1 from signup`,
      }[table],
    )
  ).length
const lines = async (of: TestTenant, action: string): Promise<number> =>
  (await of.rows(sql<object>`select 1 from audit_log where action = ${action}`)).length

describe('[19.19] routes that keep the Idempotency-Key themselves: one effect, one answer, and no other call by the same key', () => {
  const photo = readFileSync(new URL('../../seed/data/portraits/p01-white.jpg', import.meta.url))
  const other = readFileSync(new URL('../../seed/data/portraits/id-back.jpg', import.meta.url))

  test.each([
    ['/file/upload', 'candidate', { purpose: 'image' }],
    ['/blade-resource/oss/endpoint/put-file', 'candidate', {}],
    ['/blade-resource/oss/endpoint/put-file-detail', 'candidate', {}],
    ['/blade-resource/oss/endpoint/put-file-attach', 'admin', {}],
  ] as const)('%s', async (path, role, fields) => {
    const tenant = await t.tenant()
    const person = role === 'candidate' ? await tenant.candidate() : await tenant.staff(role)
    const put = (bytes: Uint8Array, name = '证件.jpg') =>
      person.post(path, { multipart: { fields, files: [{ part: 'file', name, bytes }] }, ...keyed('upload-once-1') })
    const first = await put(photo)
    expect(first.status).toBe(200)
    expect((await put(photo)).body).toEqual(first.body)
    expect([told(await put(other)), told(await put(photo, '另一个.jpg'))]).toEqual([mismatch, mismatch])
    expect(await count(tenant, 'stored_file')).toBe(1)
    expect(await keptText(tenant)).not.toContain(first.body.data.fileId ?? first.body.data.attachId)
  })

  test.each(['/blade-resource/oss/endpoint/put-file-by-name', '/blade-resource/oss/endpoint/put-file-attach-by-name'])(
    '%s: another name is another call',
    async path => {
      const tenant = await t.tenant()
      const admin = await tenant.staff('admin')
      const put = (fileName: string) =>
        admin.post(path, {
          multipart: { fields: { fileName }, files: [{ part: 'file', name: 'a.jpg', bytes: photo }] },
          ...keyed('named-once-1'),
        })
      const first = await put('一.jpg')
      expect(first.status).toBe(200)
      expect((await put('一.jpg')).body).toEqual(first.body)
      expect(told(await put('二.jpg'))).toEqual(mismatch)
      expect(await count(tenant, 'stored_file')).toBe(1)
    },
  )

  test('/blade-signup/signup/submit: a save and a submit', async () => {
    t.clock.set(testStart)
    const tenant = await t.tenant()
    const { examId } = await buildExam(tenant, {})
    const person = await tenant.candidate(wang)
    const fileIds = await uploadAll(person)
    const content = answersOf(wang.idCard, wang.phone)
    const save = (major: string) =>
      person.post('/blade-signup/signup/submit', {
        json: { examId, submitType: 0, content: { ...content, major } },
        ...keyed('signup-save-1'),
      })
    const saved = await save('护理学')
    expect(saved.status).toBe(200)
    expect((await save('护理学')).body).toEqual(saved.body)
    expect(told(await save('助产学'))).toEqual(mismatch)
    const send = (major: string) =>
      submit(person, examId, { content: { ...content, major }, fileIds, headers: { 'idempotency-key': 'signup-send-1' } })
    const sent = await send('护理学')
    expect(sent.status).toBe(200)
    t.clock.advance(60_000)
    expect((await send('护理学')).body).toEqual(sent.body)
    expect(told(await send('助产学'))).toEqual(mismatch)
    expect([await count(tenant, 'signup'), await lines(tenant, 'signup.submitted')]).toEqual([1, 1])
    const kept = await keptText(tenant)
    expect(kept).toContain('sealed')
    for (const secret of [wang.idCard, wang.phone, '护理学', sent.body.data.id]) expect(kept).not.toContain(secret)
  })

  test('creTicketEnd and releaseTickets', async () => {
    t.clock.set('2026-03-23T10:00:00+08:00')
    const tenant = await t.tenant()
    const paper = (itemCode: string, day: number) => ({
      itemCode,
      itemName: `科目${itemCode}`,
      startTime: `2026-03-${day} 09:00:00`,
      endTime: `2026-03-${day} 10:30:00`,
      rooms: rooms(1),
    })
    const { examId, papers } = await buildExam(tenant, { papers: [paper('01', 28), paper('02', 29)] })
    const admin = await tenant.staff('exam_admin')
    for (const name of ['王测', '李测']) await applicant(t, tenant, examId, { name, withPhoto: true })
    const [one = '', two = ''] = [papers['01'], papers['02']]

    const draw = (itemIds: string) => admin.post(`${exam}/creTicketEnd`, { json: { examId, itemIds }, ...keyed('draw-once-1') })
    const drawn = await draw(one)
    expect([drawn.status, drawn.body.data.made]).toEqual([200, 2])
    expect((await draw(one)).body).toEqual(drawn.body)
    // Refused before it has drawn anything, the digest of the other paper's seed too.
    expect(told(await draw(two))).toEqual(mismatch)
    expect([await count(tenant, 'ticket'), await lines(tenant, 'ticket.seed-published'), await lines(tenant, 'ticket.allocated')]).toEqual([
      2, 1, 1,
    ])

    const release = (state: 0 | 1) =>
      admin.post(`${exam}/releaseTickets`, {
        json: { examId, itemIds: one, state, force: 1 },
        ...keyed('release-once-1'),
      })
    const released = await release(1)
    expect(released.body.data).toMatchObject({ step: 'released', changed: 2 })
    expect((await release(1)).body).toEqual(released.body)
    expect(told(await release(0))).toEqual(mismatch)
    expect(await tenant.rows(sql`select ticket_state as state from ticket`)).toEqual([{ state: 'released' }, { state: 'released' }])
    expect(await lines(tenant, 'ticket.released')).toBe(1)
  })

  test('handleUp and backPay', async () => {
    await beginPayments(t)
    const scene = await payScene(t)
    const [byBank, byCode] = [await scene.payer(), await scene.payer()]
    const post = (voucherNo: string) =>
      scene.finance.post(`${exam}/handleUp`, {
        json: { payId: byBank.payId, payWay: 2, amount: 10_000, paidTime: '2026-03-17 09:30:00', voucherNo },
        ...keyed('posting-once-2'),
      })
    const posted = await post('B-1')
    expect(posted.body.data).toEqual({ payId: byBank.payId, state: 2, waitsForSecondPerson: false })
    expect((await post('B-1')).body).toEqual(posted.body)
    expect(told(await post('B-2'))).toEqual(mismatch)
    expect((await moneyOf(scene.tenant, byBank.payId)).ledger).toHaveLength(1)

    const { emulator } = await emulatorOf(t)
    await emulator.payAsPerson((await openCode(byCode.person, byCode.payId)).codeUrl)
    await emulator.runDue()
    const ask = (amount: number) =>
      scene.finance.post(`${exam}/backPay`, { json: { payId: byCode.payId, amount, reason: '其他' }, ...keyed('refund-once-2') })
    const asked = await ask(100)
    expect(asked.status).toBe(200)
    expect((await ask(100)).body).toEqual(asked.body)
    expect(told(await ask(200))).toEqual(mismatch)
    expect((await moneyOf(scene.tenant, byCode.payId)).refunds).toEqual([expect.objectContaining({ fen: 100 })])
  })

  describe('imports', () => {
    let tenant: TestTenant
    let examId: string
    let itemId: string
    let sendId: string
    let books: readonly [Buffer, Buffer]
    let desk: Person
    let operator: Person
    beforeAll(async () => {
      t.clock.set(testStart)
      tenant = t.platform()
      const built = await buildExam(tenant, {
        exam: { exam_code: 'KEY2026' },
        papers: [{ itemCode: '01', itemName: '笔试', startTime: '2026-03-28 09:00:00', endTime: '2026-03-28 10:30:00', rooms: rooms(1) }],
      })
      examId = built.examId
      itemId = built.papers['01'] ?? ''
      books = [await workbook([['甲'], ['1']]), await workbook([['甲'], ['2']])]
      desk = await tenant.staff(roleAliases.filter(alias => !['candidate', 'administrator', 'secadmin', 'auditor'].includes(alias)))
      operator = await tenant.staff('administrator')
      const [template] = await tenant.rows(sql<{ id: string }>`
        insert into send_template (tenant_id, code, name, scene, content) values (${tenant.tenantId}, 'once', '提醒', 'batch', '请查看') returning id::text as id`)
      const drafted = await desk.post('/blade-send/send/draft', { json: { examId, templateId: template?.id ?? '', audience: 'workbook' } })
      sendId = drafted.body.data.task.id
    })

    test.each(importKinds.map(({ path }) => [path] as const))('%s makes one run', async path => {
      const before = await count(tenant, 'import_job')
      const ids: Readonly<Record<string, string>> = { examId, itemId, sendId }
      const { required = [], properties = {} } = (allRoutes().find(route => route.path === path)?.input ?? {}) as {
        readonly required?: readonly string[]
        readonly properties?: object
      }
      // A list of people is for a task; the field is left out where a run goes on.
      const needs = [...required, ...(Object.hasOwn(properties, 'sendId') ? ['sendId'] : [])]
      const send = async (bytes: Buffer, by: Person = desk): Promise<Answer> => {
        const answer = await by.post(path, {
          multipart: {
            fields: Object.fromEntries(needs.map(name => [name, ids[name] ?? ''])),
            files: [{ part: 'file', name: '名单.xlsx', bytes }],
          },
          ...keyed('import-once-1'),
        })
        return answer.status === 403 && by === desk ? send(bytes, operator) : answer
      }
      // A workbook of nobody's columns is a run too, which has failed.
      const first = await send(books[0])
      expect(first.body.data.importId).toMatch(/^\d+$/)
      const again = await send(books[0])
      expect([again.status, again.body.data.importId]).toEqual([200, first.body.data.importId])
      expect(told(await send(books[1]))).toEqual(mismatch)
      expect(await count(tenant, 'import_job')).toBe(before + 1)
      await tenant.rows(sql`delete from idempotency where key = 'import-once-1'`)
    })
  })
})
