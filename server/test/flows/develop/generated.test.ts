import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Field } from '#contract/kernel/field.ts'
import type { Resource } from '#contract/kernel/resource.ts'
import { type Person, startTestApp, type TestApp } from '../../support/app.ts'
import { createStatements, hostileTables, hostileTexts, hostileTypes } from '../../support/hostile-tables.ts'
import { sealFor } from '../../support/login.ts'
import { openSourceDatabase, type SourceDatabase } from '../../support/source-database.ts'
import { copySourceTree, filesInZip, type RunningTree, type SourceTree } from '../../support/source-tree.ts'

/** All of them in `npm run test:long`. */
const isLong = process.env['KAOPU_LONG'] !== undefined
const tables = isLong ? hostileTables : hostileTables.slice(0, 3)

let source: SourceDatabase
let t: TestApp
let operator: Person
let sourceId: string
let tree: SourceTree
let running: RunningTree
beforeAll(async () => {
  source = await openSourceDatabase()
  await source.run(hostileTypes)
  for (const table of tables) await source.run(createStatements(table))
  await source.run(
    'create table parent_row (id serial primary key, label varchar(20), parent_id int); create table child_row (id serial primary key, main_id int, note text)',
  )
  t = await startTestApp({ dataSources: `${source.host}:${source.port}` })
  operator = await t.platform().staff('administrator')
  const row = { kind: 'postgresql', host: source.host, port: source.port, databaseName: source.database, username: source.reader }
  sourceId = (await operator.post('/blade-develop/datasource/submit', { json: { name: '来源', ...row } })).body.data.id
  await operator.post('/blade-develop/datasource/password', { json: { id: sourceId, password: sealFor(t, source.password) } })
  tree = copySourceTree()
})
afterAll(async () => {
  await running?.stop()
  tree?.remove()
  await t?.close()
  await source?.close()
})

const addModel = async (table: string, name: string, no: number): Promise<string> => {
  const json = { datasourceId: sourceId, modelTable: table, modelName: name, modelCode: `model${no}`, modelClass: `Model${no}` }
  const answer = await operator.post('/blade-develop/model/submit', { json })
  expect(answer.body).toMatchObject({ code: 200, data: json })
  return answer.body.data.id
}
const addCode = async (json: object): Promise<string> => {
  const answer = await operator.post('/blade-develop/code/submit', { json: { serviceName: 'school', ...json } })
  expect(answer.body).toMatchObject({ code: 200 })
  return answer.body.data.id
}

const sampleOf = (name: string, field: Field, no: number): unknown => {
  switch (field.kind) {
    case 'int':
      return Math.min(Math.max(field.min ?? 0, 0) + no, field.max ?? 9)
    case 'bool':
      return no % 2
    case 'decimal':
      return String(no)
    case 'date':
      return `2026-03-0${no}`
    case 'instant':
      return `2026-03-0${no} 09:00:00`
    case 'dict':
      return '1'
    default:
      return `${no}${name}`.slice(0, Math.min(field.max ?? 20, 20))
  }
}
const bodyOf = ({ fields }: Resource, no: number): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) =>
      field.form === false || field.kind === 'ref' ? [] : [[name, sampleOf(name, field, no)]],
    ),
  )
/** A number may come back with the decimals of its column. */
const sameAs = ({ fields }: Resource, body: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      fields[name]?.kind === 'decimal' ? expect.stringMatching(new RegExp(`^${String(value)}(\\.0*)?$`)) : value,
    ]),
  )

test(
  `[S7.27][S7.28] what is generated of ${tables.length} tables runs: types, start, list, add, edit, delete; hostile text stays a text`,
  async () => {
    const ids: string[] = []
    for (const [at, { name, noun, comment }] of tables.entries()) {
      const modelId = await addModel(name, `模型${at}`, at)
      const nounName = noun ?? ''
      // A comment of the table is what people call it; the configuration takes it as typed.
      const codeName = (comment ?? name)
        .replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ')
        .slice(0, 60)
        .trim()
      const english = (hostileTexts[at % hostileTexts.length] ?? '')
        .replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ')
        .slice(0, 60)
        .trim()
      ids.push(await addCode({ modelId, codeName, englishName: english, templateType: 'crud', nounName: nounName || `noun-${at}` }))
      if (at === 0) {
        const fields = (await operator.get('/blade-develop/model/model-prototype', { query: { modelId } })).body.data
        const [chosen] = fields.filter((field: { jdbcName: string }) => field.jdbcName === 'select')
        const list = [{ ...chosen, modelId, dictCode: 'site_word', componentType: 'select' }]
        expect((await operator.post('/blade-develop/model-prototype/submit-list', { json: list })).body).toMatchObject({
          data: { changed: 1 },
        })
      }
    }
    const parent = await addModel('parent_row', '主表', 90)
    const child = await addModel('child_row', '子表', 91)
    ids.push(
      await addCode({
        modelId: parent,
        codeName: '主表',
        templateType: 'sub',
        nounName: 'main-row',
        subModelId: child,
        subFkId: 'main_id',
      }),
      await addCode({
        modelId: parent,
        codeName: '树',
        templateType: 'tree',
        nounName: 'tree-row',
        treePid: 'parent_id',
        treeName: 'label',
      }),
    )
    const zip = await operator.post('/blade-develop/code/gen-code', { query: { ids: ids.join(',') } })
    expect([zip.status, zip.headers['content-type']]).toEqual([200, 'application/zip'])
    const files = await filesInZip(zip.raw)
    for (const path of files.keys())
      expect(path).toMatch(
        /^(contract\/src\/school\/[a-z0-9-]+\.resource\.ts|server\/migrations\/\d{4}_[a-z0-9_]+\.sql|server\/test\/flows\/school\/[a-z0-9-]+\.test\.ts|README-generated\.md)$/,
      )
    const resources = await tree.unpack(files)
    expect(resources).toHaveLength(tables.length + 3)
    expect((globalThis as { pwned?: unknown }).pwned).toBeUndefined()
    expect(await tree.typeCheck()).toBe('')

    running = await tree.start()
    const call = await running.staff(['admin'])
    const ask = async (method: 'GET' | 'POST', path: string, values: Record<string, unknown>) => {
      const { status, body } = await call(method, path, values)
      if (status !== 200) throw new Error(`${method} ${path} ${JSON.stringify(values)}: ${JSON.stringify(body)}`)
      return body.data
    }
    const made = new Map<string, string>()
    const ordered = [...resources].sort((a, b) => Number('mainRowId' in a.fields) - Number('mainRowId' in b.fields))
    for (const resource of ordered) {
      const { basePath, name, fields } = resource
      const refs = Object.fromEntries(
        Object.entries(fields).flatMap(([field, { kind, ref, required }]) =>
          kind === 'ref' && required ? [[field, made.get(ref ?? '')]] : [],
        ),
      )
      const first = { ...bodyOf(resource, 1), ...refs }
      const second = { ...bodyOf(resource, 2), ...refs }
      const { id } = await ask('POST', `${basePath}/submit`, first)
      made.set(name, id)
      expect(await ask('GET', `${basePath}/list`, {}), name).toMatchObject({ total: 1, records: [{ id, ...sameAs(resource, first) }] })
      for (const [field, { search, kind }] of Object.entries(fields)) {
        if (search === undefined || kind === 'ref') continue
        const suffix = search === 'range' ? '_ge' : ''
        expect(await ask('GET', `${basePath}/list`, { [`${field}${suffix}`]: first[field] }), `${name} by ${field}`).toMatchObject({
          total: 1,
        })
      }
      await ask('POST', `${basePath}/submit`, { id, ...second })
      expect(await ask('GET', `${basePath}/detail`, { id }), name).toMatchObject({ id, ...sameAs(resource, second), version: 1 })
    }
    const tree1 = resources.find(({ name }) => name === 'tree-row')
    const below = await ask('POST', `${tree1?.basePath}/submit`, { label: '下级', parentId: made.get('tree-row') })
    expect(await ask('GET', `${tree1?.basePath}/list`, { parentId: made.get('tree-row') })).toMatchObject({
      records: [{ id: below.id, parentName: '2label' }],
    })
    await ask('POST', `${tree1?.basePath}/remove`, { ids: below.id })
    for (const { basePath, name } of ordered.reverse()) {
      expect(await ask('POST', `${basePath}/remove`, { ids: made.get(name) })).toEqual({ removed: 1 })
      expect(await ask('GET', `${basePath}/list`, {})).toMatchObject({ total: 0 })
    }
    const words = await ask('GET', '/blade-system/dict-biz/dictionary', { code: 'site_word' })
    expect(words).toMatchObject([{ dictKey: '1', dictValue: '待定' }])
    if (isLong) expect(await tree.test([...files.keys()].filter(path => path.endsWith('.test.ts')))).toBe('')
  },
  isLong ? 600_000 : 120_000,
)
