import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Resource } from '#contract/kernel/resource.ts'
import { resources } from '#contract/nouns.ts'
import { sql } from '#kernel/db/sql.ts'
import { type Person, startTestApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { buildExam } from '../../support/factories.ts'
import { everyRight } from '../../support/victim.ts'

let t: TestApp
let tenant: TestTenant
let office: Person
let examId: string
beforeAll(async () => {
  t = await startTestApp()
  tenant = await t.tenant()
  examId = (await buildExam(tenant)).examId
  await everyRight(tenant)
  office = await tenant.staff('exam_admin')
})
afterAll(() => t.close())

const paths = resources.flatMap((noun): [Resource, string][] => {
  const verb = (['page', 'list'] as const).find(one => noun.verbs.includes(one))
  return verb === undefined ? [] : [[noun, `${noun.basePath}/${verb}`]]
})

/** Ids of a list, page by page until there is none left. */
const walked = async (path: string, query: Record<string, unknown>, size: number): Promise<string[]> => {
  const ids: string[] = []
  for (let current = 1; ; current++) {
    const { records } = (await office.get(path, { query: { ...query, current, size } as Record<string, string | number> })).body.data
    ids.push(...records.map((row: { id: string }) => row.id))
    if (records.length < size) return ids
  }
}

const sortable = ({ fields }: Resource): string[] =>
  Object.entries(fields).flatMap(([name, field]) => (field.kind === 'json' ? [] : [name]))

test('[21.5] pages of every list neither repeat nor lose a row, whichever column it is sorted by', async () => {
  // Ties in every column: six duty posts of two names, and remarks of tickets that are all alike.
  for (const no of [1, 2, 3, 4, 5, 6])
    await office.post('/blade-system/post/submit', {
      json: { category: '1', postCode: `T${no}`, postName: no % 2 ? '医师' : '护士', sort: 1, remark: '同' },
    })
  for (const _ of [1, 2, 3, 4, 5])
    await office.post('/blade-ticketRemark/ticketremark/submit', { json: { examId, title: '备注', content: '同一句话', sort: 1 } })
  const wrong: unknown[] = []
  let compared = 0
  for (const [noun, path] of paths) {
    const query = 'examId' in noun.fields ? { examId } : {}
    const whole = await office.get(path, { query: { ...query, size: 200 } })
    if (whole.status !== 200 || whole.body.data.total < 2) continue
    const ids = whole.body.data.records.map((row: { id: string }) => row.id).sort()
    if (ids.length !== whole.body.data.total) continue
    for (const name of sortable(noun))
      for (const way of ['ascs', 'descs']) {
        const pages = await walked(path, { ...query, [way]: name }, Math.ceil(ids.length / 3))
        compared++
        if (JSON.stringify([...pages].sort()) !== JSON.stringify(ids)) wrong.push([noun.name, name, way, pages.length, ids.length])
      }
  }
  expect(wrong).toEqual([])
  expect(compared).toBeGreaterThan(20)
}, 120_000)

test('[21.5] words sort by pinyin, both ways; codes by their characters', async () => {
  const other = await t.tenant()
  const admin = await other.staff('admin')
  const names = ['主任', '重症监护', '阿姨', '行政', '护士', '医师', '长期聘用', 'CT室', '123']
  for (const [at, postName] of names.entries())
    await admin.post('/blade-system/post/submit', { json: { category: '1', postCode: at % 2 ? `a${at}` : `B${at}`, postName, sort: 1 } })
  const found = async (query: Record<string, string>, shown: string) =>
    (await admin.get('/blade-system/post/list', { query: { ...query, size: 50 } })).body.data.records.map(
      (row: Record<string, unknown>) => row[shown],
    )
  const sorted = await found({ ascs: 'postName' }, 'postName')
  expect(sorted.filter((name: string) => names.includes(name))).toEqual([
    '123',
    '阿姨',
    '护士',
    '行政',
    '医师',
    '长期聘用',
    '重症监护',
    '主任',
    'CT室',
  ])
  expect(await found({ descs: 'postName' }, 'postName')).toEqual([...sorted].reverse())
  expect((await found({ ascs: 'postCode' }, 'postCode')).filter((code: string) => /^[aB]\d$/.test(code))).toEqual([
    'B0',
    'B2',
    'B4',
    'B6',
    'B8',
    'a1',
    'a3',
    'a5',
    'a7',
  ])
})

test('[21.5] the database has the collation, and does not change with the machine', async () => {
  expect(
    await tenant.rows(sql<object>`select collprovider as provider, colllocale as locale from pg_collation where collname = 'pinyin'`),
  ).toEqual([{ provider: 'i', locale: 'zh-u-co-pinyin' }])
})
