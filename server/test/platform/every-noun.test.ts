import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Field } from '#contract/kernel/field.ts'
import { type Resource, refNameOf, titleFieldOf } from '#contract/kernel/resource.ts'
import { plainResources } from '#contract/nouns.ts'
import { sql } from '#kernel/db/sql.ts'
import { type Person, startTestApp, type TestApp, type TestTenant } from '../support/app.ts'
import { buildExam, makeDept } from '../support/factories.ts'
import { sheetCells } from '../support/sheet-text.ts'
import { everyRight } from '../support/victim.ts'

let t: TestApp
let tenant: TestTenant
let examId: string
let closedId: string
let office: Person
beforeAll(async () => {
  t = await startTestApp()
  tenant = await t.tenant()
  examId = (await buildExam(tenant)).examId
  closedId = (await buildExam(tenant, { exam: { state: 'closed', exam_name: '已结束的考试', exam_code: 'CLOSED', exam_no: 98 } })).examId
  await everyRight(tenant)
  office = await tenant.staff('exam_admin')
})
afterAll(() => t.close())

/** A value that the declaration takes, another for each number. */
const sampleOf = async (name: string, field: Field, no: number): Promise<unknown> => {
  if (field.ref === 'examination') return examId
  if (field.dict !== undefined) {
    const [entry] = await tenant.rows(sql<{ key: string }>`
      select dict_key as key from (select code, dict_key from dict_biz union all select code, dict_key from dict) d
      where code = ${field.dict} and dict_key <> '-1' order by dict_key limit 1`)
    return field.kind === 'int' ? Number(entry?.key) : entry?.key
  }
  if (field.words !== undefined) return field.kind === 'int' ? Number(Object.keys(field.words)[0]) : Object.keys(field.words)[0]
  if (field.kind === 'int' || field.kind === 'money') return Math.min((field.min ?? 0) + no, field.max ?? 9)
  if (field.kind === 'bool') return 1
  if (field.kind === 'decimal') return String((field.min ?? 0) + 1)
  if (field.kind === 'date') return '2026-03-01'
  if (field.kind === 'instant') return '2026-03-01 09:00:00'
  const texts = [`${name.slice(0, (field.max ?? 60) - 1)}${no}`, `${10_000 + no}`, `0${no}`, `0${no}-00${no}`]
  const { pattern = '' } = field
  const fitting = texts.find(text => new RegExp(pattern, 'u').test(text))
  if (fitting === undefined) throw new Error(`${name}: a noun whose pattern this test cannot write for needs a test of its own`)
  return fitting
}
const bodyOf = async ({ fields }: Resource, no: number): Promise<Record<string, unknown>> =>
  Object.fromEntries(
    await Promise.all(
      Object.entries(fields).flatMap(([name, field]) =>
        field.form === false || field.kind === 'json' || (field.ref !== undefined && field.ref !== 'examination')
          ? []
          : [sampleOf(name, field, no).then(value => [name, value] as const)],
      ),
    ),
  )
const listPath = ({ basePath, verbs }: Resource): string => `${basePath}/${verbs.includes('page') ? 'page' : 'list'}`

const written = plainResources.filter(({ verbs, scope }) => verbs.includes('submit') && scope === 'tenant')

describe('[20.5][S7.60] a noun that is a declaration and a table, whichever it is', () => {
  test('there are some', () => expect(written.map(({ name }) => name)).toEqual(expect.arrayContaining(['post', 'ticket-remark'])))

  test.each(written.map(noun => [noun.name, noun] as const))(
    '%s is added, listed, searched, read, changed and removed, and the trail has each',
    async (_, noun) => {
      const body = await bodyOf(noun, 1)
      const { id } = (await office.post(`${noun.basePath}/submit`, { json: body })).body.data
      const other = (await office.post(`${noun.basePath}/submit`, { json: await bodyOf(noun, 2) })).body.data.id
      const detail = (await office.get(`${noun.basePath}/detail`, { query: { id } })).body.data
      expect(detail).toMatchObject({ id, ...body, version: 0 })
      const found = async (query: Record<string, unknown>): Promise<string[]> =>
        (await office.get(listPath(noun), { query: { size: 200, ...query } })).body.data.records.map((row: { id: string }) => row.id)
      expect((await found({})).sort()).toEqual([id, other].sort())
      for (const [name, field] of Object.entries(noun.fields)) {
        if (field.search === undefined || field.form === false) continue
        expect([name, (await found({ [field.search === 'range' ? `${name}_ge` : name]: String(detail[name]) })).includes(id)]).toEqual([
          name,
          true,
        ])
        // Values that other rows cannot have find none.
        const foreign = field.kind === 'text' ? 'no such text' : '918273645'
        expect([name, await found({ [field.search === 'range' ? `${name}_equal` : name]: foreign })]).toEqual([name, []])
      }
      const title = titleFieldOf(noun.fields) ?? ''
      const changed = noun.fields[title]?.pattern === undefined ? 'changed' : (await bodyOf(noun, 9))[title]
      expect((await office.post(`${noun.basePath}/submit`, { json: { id, version: 0, [title]: changed } })).body.data).toEqual({ id })
      expect((await office.get(`${noun.basePath}/detail`, { query: { id } })).body.data).toMatchObject({
        ...body,
        [title]: changed,
        version: 1,
      })
      expect((await office.post(`${noun.basePath}/remove`, { query: { ids: `${id},${other}` } })).body.data).toEqual({ removed: 2 })
      expect(await found({})).toEqual([])
      expect(
        await tenant.rows(sql<object>`select action, entity_id::text as "entityId" from audit_log where entity = ${noun.name} order by id`),
      ).toEqual([
        { action: `${noun.name}.added`, entityId: id },
        { action: `${noun.name}.added`, entityId: other },
        { action: `${noun.name}.updated`, entityId: id },
        { action: `${noun.name}.removed`, entityId: expect.any(String) },
        { action: `${noun.name}.removed`, entityId: expect.any(String) },
      ])
    },
  )

  test.each(written.map(noun => [noun.name, noun] as const))(
    '%s names what is missing, and leaves what is empty to its default',
    async (_, noun) => {
      const empty = await office.post(`${noun.basePath}/submit`, { json: {} })
      const required = Object.entries(noun.fields).flatMap(([name, field]) => (field.required && field.form !== false ? [name] : []))
      expect(empty.body.data.fields.map((one: { field: string }) => one.field)).toEqual(required)
      const defaults = Object.entries(noun.fields).filter(([, field]) => field.default !== undefined && !field.required)
      const body = { ...(await bodyOf(noun, 3)), ...Object.fromEntries(defaults.map(([name]) => [name, null])) }
      const { id } = (await office.post(`${noun.basePath}/submit`, { json: body })).body.data
      const row = (await office.get(`${noun.basePath}/detail`, { query: { id } })).body.data
      expect(defaults.map(([name]) => [name, row[name]])).toEqual(defaults.map(([name, field]) => [name, field.default]))
      await office.post(`${noun.basePath}/remove`, { query: { ids: id } })
    },
  )

  test.each(written.filter(({ verbs }) => verbs.includes('export')).map(noun => [noun.name, noun] as const))(
    '%s leaves as a workbook of its listed columns, in words',
    async (_, noun) => {
      const body = await bodyOf(noun, 4)
      const { id } = (await office.post(`${noun.basePath}/submit`, { json: body })).body.data
      const row = (await office.get(`${noun.basePath}/detail`, { query: { id } })).body.data
      for (const language of ['zh', 'en'] as const) {
        const file = await office.get(`${noun.basePath}/export`, { language })
        const listed = Object.entries(noun.fields).filter(([, field]) => field.list !== false || noun.workbook !== undefined)
        const [, header, line] = await sheetCells(file.raw)
        expect(header).toEqual(listed.map(([, field]) => field.label[language]))
        for (const [at, [name, field]] of listed.entries()) {
          if (field.dict !== undefined) continue
          const value = field.ref === undefined ? (field.words?.[String(row[name])]?.[language] ?? row[name]) : row[refNameOf(name)]
          expect([name, String(line?.[at])]).toEqual([name, String(value)])
        }
      }
      await office.post(`${noun.basePath}/remove`, { query: { ids: id } })
    },
  )

  test.each(written.map(noun => [noun.name, noun] as const))(
    '%s is closed to who has no right to it, and to who may only look',
    async (_, noun) => {
      const own = await t.tenant()
      const knowing = new Set<string>([...(noun.menu?.roles ?? []), ...(noun.menu?.readers ?? [])])
      const stranger = await own.staff((['school', 'site'] as const).find(role => !knowing.has(role)) ?? 'recheck')
      expect((await stranger.get(listPath(noun))).status).toBe(403)
      expect((await stranger.post(`${noun.basePath}/submit`, { json: await bodyOf(noun, 5) })).status).toBe(403)
      for (const role of noun.menu?.roles ?? [])
        if (role !== 'administrator')
          expect([role, (await (await own.staff(role as 'admin')).get(listPath(noun))).status]).toEqual([role, 200])
      for (const role of noun.menu?.readers ?? []) {
        const reader = await own.staff(role as 'admin')
        expect([role, (await reader.get(listPath(noun))).status]).toEqual([role, 200])
        expect([role, (await reader.post(`${noun.basePath}/submit`, { json: await bodyOf(noun, 5) })).status]).toEqual([role, 403])
      }
    },
  )
})

const within = written.filter(noun => noun.within !== undefined)
describe('[20.5][S4.11] a noun within an examination', () => {
  test.each(within.map(noun => [noun.name, noun] as const))(
    '%s goes with its examination: unseen elsewhere, read-only once it is closed, named in lists',
    async (_, noun) => {
      const body = await bodyOf(noun, 6)
      const { id } = (await office.post(`${noun.basePath}/submit`, { json: body })).body.data
      const row = (await office.get(`${noun.basePath}/detail`, { query: { id } })).body.data
      const [exam] = await tenant.rows(
        sql<{ code: string; name: string }>`select exam_code as code, exam_name as name from examination where id = ${examId}`,
      )
      if (noun.fields['examId']?.list !== false) expect(row['examName']).toBe(`${exam?.code} ${exam?.name}`)
      const closed = await office.post(`${noun.basePath}/submit`, { json: { ...body, examId: closedId } })
      expect(closed.body).toMatchObject({ code: 2001, reason: 'exam/read-only' })
      const gone = await office.post(`${noun.basePath}/submit`, { json: { ...body, examId: '918273645' } })
      expect(gone.body).toMatchObject({ reason: 'exam/no-exam' })

      const [theirs, elsewhere] = [await makeDept(tenant, `招考科 ${noun.name}`), await makeDept(tenant, `疾控中心 ${noun.name}`)]
      await tenant.db(db => db.run(sql`update examination set dept_id = ${theirs} where id = ${examId}`))
      const colleague = await tenant.staff('exam_admin', { deptId: theirs })
      const outside = await tenant.staff('exam_admin', { deptId: elsewhere })
      const seen = async (person: Person): Promise<string[]> =>
        (await person.get(listPath(noun))).body.data.records.map((one: { id: string }) => one.id)
      expect([await seen(colleague), await seen(outside)]).toEqual([[id], []])
      expect((await outside.get(`${noun.basePath}/detail`, { query: { id } })).status).toBe(404)
      expect((await outside.post(`${noun.basePath}/submit`, { json: body })).body).toMatchObject({ reason: 'exam/no-exam' })
      expect((await outside.post(`${noun.basePath}/remove`, { query: { ids: id } })).status).toBe(404)
      await tenant.db(db => db.run(sql`update examination set dept_id = null where id = ${examId}`))
      await office.post(`${noun.basePath}/remove`, { query: { ids: id } })
    },
  )
})
