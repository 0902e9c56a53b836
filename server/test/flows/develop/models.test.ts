import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { type Person, startTestApp, type TestApp } from '../../support/app.ts'
import { sealFor } from '../../support/login.ts'
import { createSerial } from '../../support/serial.ts'
import { openSourceDatabase, type SourceDatabase } from '../../support/source-database.ts'
import { filesInZip } from '../../support/source-tree.ts'

let source: SourceDatabase
let t: TestApp
let operator: Person
let sourceId: string
const next = createSerial()
beforeAll(async () => {
  source = await openSourceDatabase()
  await source.run(`
    create schema other;
    create table other.hidden (id int);
    create table visit (id serial primary key, "visitCode" varchar(20) not null unique, note text, tags text[], amount numeric(10, 2));
    comment on table visit is '门诊记录';
    comment on column visit."visitCode" is '就诊编号'`)
  t = await startTestApp({ dataSources: `${source.host}:${source.port}` })
  operator = await t.platform().staff('administrator')
  sourceId = await addSource('来源')
})
afterAll(async () => {
  await t?.close()
  await source?.close()
})

const addSource = async (name: string): Promise<string> => {
  const row = { name, kind: 'postgresql', host: source.host, port: source.port, databaseName: source.database, username: source.reader }
  const { id } = (await operator.post('/blade-develop/datasource/submit', { json: row })).body.data
  await operator.post('/blade-develop/datasource/password', { json: { id, password: sealFor(t, source.password) } })
  return id
}
const model = '/blade-develop/model'
const code = '/blade-develop/code'
const addModel = async (over: object = {}): Promise<string> => {
  const no = next()
  const json = {
    datasourceId: sourceId,
    modelTable: 'visit',
    modelName: `门诊${no}`,
    modelCode: `visit-${no}x`,
    modelClass: 'Visit',
    ...over,
  }
  return (await operator.post(`${model}/submit`, { json })).body.data.id
}
const addCode = async (modelId: string, over: object = {}): Promise<string> => {
  const json = { codeName: '门诊', modelId, templateType: 'crud', serviceName: 'school', ...over }
  return (await operator.post(`${code}/submit`, { json })).body.data.id
}
const prototype = async (modelId: string) => (await operator.get(`${model}/model-prototype`, { query: { modelId } })).body.data
const generate = (ids: string) => operator.post(`${code}/gen-code`, { query: { ids } })

describe('[S7.27] models', () => {
  test('tables are listed with their comments, none of the server’s own; of the program’s own those with rows of the tenant', async () => {
    const tables = (await operator.get(`${model}/table-list`, { query: { datasourceId: sourceId } })).body.data
    expect(tables).toEqual([
      { name: 'clinic', comment: '' },
      { name: 'visit', comment: '门诊记录' },
    ])
    const own = ((await operator.get(`${model}/table-list`)).body.data as { name: string }[]).map(({ name }) => name)
    expect(own).toContain('ticket_remark')
    for (const hidden of ['installation', 'migration', 'pg_class', 'secrets', 'other.hidden']) expect(own).not.toContain(hidden)
  })

  test('a submit answers the saved row; what a table says of its columns is read, what somebody chose is kept', async () => {
    const no = next()
    const json = {
      datasourceId: sourceId,
      modelTable: 'visit',
      modelName: '门诊',
      modelCode: `saved-${no}x`,
      modelClass: 'Visit',
      modelRemark: '备注',
    }
    const saved = (await operator.post(`${model}/submit`, { json })).body.data
    expect(saved).toMatchObject({ ...json, datasourceName: '来源', version: 0 })
    const fresh = await prototype(saved.id)
    expect(fresh.map((row: { jdbcName: string; leftOut: string }) => [row.jdbcName, row.leftOut])).toEqual([
      ['id', ''],
      ['visitCode', ''],
      ['note', ''],
      ['tags', 'array'],
      ['amount', ''],
    ])
    expect(fresh[1]).toMatchObject({
      propertyName: 'visitCode',
      jdbcComment: '就诊编号',
      isRequired: 1,
      isUnique: 1,
      isQuery: 1,
      propertyType: 'String',
    })
    const sent = [{ ...fresh[1], modelId: saved.id, jdbcComment: '门诊号', isUnique: 0, jdbcType: 'int', isQuery: 0 }]
    expect((await operator.post('/blade-develop/model-prototype/submit-list', { json: sent })).body.data).toEqual({
      changed: 1,
      newDictionaries: [],
    })
    const kept = await operator.get('/blade-develop/model-prototype/select', { query: { modelId: saved.id } })
    // Facts of the table are not taken from whoever calls.
    expect(kept.body.data[1]).toMatchObject({ jdbcComment: '门诊号', isUnique: 1, jdbcType: 'character varying(20)', isQuery: 0 })
    await source.run('alter table visit add column seen boolean; alter table visit drop column amount')
    expect((await operator.post(`${model}/refresh`, { json: { id: saved.id } })).body.data).toEqual({ added: 1, removed: 1, changed: 0 })
    const again = await prototype(saved.id)
    expect(again.map((row: { jdbcName: string }) => row.jdbcName)).toEqual(['id', 'visitCode', 'note', 'tags', 'seen'])
    expect(again[1]).toMatchObject({ jdbcComment: '门诊号', isQuery: 0 })
    expect((await operator.get(`${model}/select`)).body.data).toContainEqual({ id: saved.id, modelName: '门诊' })
  })

  test('what cannot be is refused in words: odd names, a table or a source that is gone, names that clash', async () => {
    for (const tableName of [
      '__proto__',
      'constructor',
      "x'; drop table visit; --",
      'no_such_table',
      'pg_class',
      'information_schema.tables',
      '',
    ]) {
      const answer = await operator.get(`${model}/table-info`, { query: { datasourceId: sourceId, tableName } })
      expect([answer.status, answer.body.msg]).toEqual([404, `数据源“来源”中没有表“${tableName}”，或该账号无权读取`])
    }
    const gone = await addModel({ modelTable: '__proto__' })
    expect((await operator.get(`${model}/model-prototype`, { query: { modelId: gone } })).status).toBe(404)
    const id = await addModel()
    const put = async (...list: object[]) => (await operator.post(`${model}/submit-list`, { json: { modelId: id, list } })).body
    expect(await put({ jdbcName: '__proto__', isList: 1 })).toMatchObject({
      code: 400,
      msg: expect.stringContaining('没有这些字段：__proto__'),
    })
    expect(await put({ jdbcName: 'note', propertyName: 'constructor' })).toMatchObject({
      code: 400,
      msg: expect.stringContaining('属性名“constructor”不能使用'),
    })
    expect(await put({ jdbcName: 'note', propertyName: 'visitCode' })).toMatchObject({
      code: 400,
      msg: expect.stringContaining('“visitCode”'),
    })
    const several = [
      { jdbcName: 'visitCode', propertyName: 'class' },
      { jdbcName: 'note', propertyName: '2nd' },
      { jdbcName: 'seen', propertyName: 'id' },
    ]
    expect((await put(...several)).data.fields).toEqual([
      { field: 'list.0.propertyName', msg: expect.stringContaining('字段 visitCode 的属性名“class”不能使用') },
      { field: 'list.1.propertyName', msg: expect.stringContaining('字段 note 的属性名“2nd”不能使用') },
      { field: 'list.2.propertyName', msg: expect.stringContaining('字段 seen 的属性名“id”不能使用') },
    ])
    expect((await put({ jdbcName: 'note', dictCode: 'no_such_dictionary' })).data).toEqual({
      changed: 1,
      newDictionaries: ['no_such_dictionary'],
    })
    const shown = async () => {
      const { data } = (await operator.get(`${model}/model-prototype`, { query: { modelId: id } })).body
      return data.flatMap((row: { jdbcName: string; isNewDict: number }) => (row.isNewDict === 1 ? [row.jdbcName] : []))
    }
    expect(await shown()).toEqual(['note'])
    expect((await put({ jdbcName: 'note', dictCode: 'sex' })).data).toEqual({ changed: 1, newDictionaries: [] })
    expect(await shown()).toEqual([])
    expect((await operator.post(`${model}/submit-list`, { json: [{ jdbcName: 'note' }] })).status).toBe(404)
    const lost = await addSource('将删除')
    const orphan = await addModel({ datasourceId: lost })
    await operator.post('/blade-develop/datasource/remove', { query: { ids: lost } })
    const answer = await operator.get(`${model}/model-prototype`, { query: { modelId: orphan } })
    expect(answer.body).toMatchObject({ code: 2001, msg: expect.stringContaining('数据源已被删除') })
  })

  test('nothing of it is there for another tenant, by any id', async () => {
    const modelId = await addModel()
    const codeId = await addCode(modelId)
    const stranger = await (await t.tenant()).staff('admin')
    const calls = [
      stranger.get(`${model}/detail`, { query: { id: modelId } }),
      stranger.get(`${model}/model-prototype`, { query: { modelId } }),
      stranger.post(`${model}/submit-list`, { json: { modelId, list: [{ jdbcName: 'note' }] } }),
      stranger.post(`${code}/gen-code`, { query: { ids: codeId } }),
      stranger.get(`${code}/preview`, { query: { id: codeId } }),
      stranger.post(`${code}/copy`, { query: { id: codeId } }),
    ]
    for (const answer of await Promise.all(calls)) expect(answer.status).toBe(403)
  })
})

describe('[S7.28] code', () => {
  let modelId: string
  beforeEach(async () => {
    modelId = await addModel()
  })

  test('a configuration is copied, generated and compared with what it made last', async () => {
    const id = await addCode(modelId, { nounName: 'visit-note' })
    const first = (await operator.get(`${code}/preview`, { query: { id } })).body.data
    expect([first.generatedTime, first.files.map((file: { before: unknown }) => file.before)]).toEqual(['', [null, null, null, null]])
    const zip = await generate(id)
    const files = await filesInZip(zip.raw)
    expect([...files.keys()]).toEqual(first.files.map((file: { path: string }) => file.path))
    const same = (await operator.get(`${code}/preview`, { query: { id } })).body.data
    expect(same.files.every((file: { text: string; before: string }) => file.text === file.before)).toBe(true)
    await operator.post(`${model}/submit-list`, { json: { modelId, list: [{ jdbcName: 'note', jdbcComment: '说明' }] } })
    const later = (await operator.get(`${code}/preview`, { query: { id } })).body.data
    const changed = later.files.filter((file: { text: string; before: string }) => file.text !== file.before)
    expect(changed.map((file: { path: string }) => file.path)).toEqual(['contract/src/school/visit-note.resource.ts'])
    const copied = (await operator.post(`${code}/copy`, { query: { id } })).body.data.id
    expect((await operator.get(`${code}/detail`, { query: { id: copied } })).body.data).toMatchObject({
      codeName: '门诊-copy',
      nounName: 'visit-note-copy',
      generatedTime: '',
    })
    const trail = await t
      .platform()
      .rows(sql<{ action: string }>`select action from audit_log where entity = 'code' and entity_id = ${id} order by id`)
    expect(trail.map(({ action }) => action)).toEqual(['code.added', 'code.generated'])
  })

  test('a client of the framework names a table and paths of its own: a model is found or made, no path is used', async () => {
    const json = {
      ...{ datasourceId: sourceId, serviceName: 'blade-desk', codeName: '诊所', tableName: 'clinic', tablePrefix: 'blade_', pkName: 'id' },
      ...{ packageName: 'org.springblade.desk', baseMode: 2, wrapMode: 2, apiPath: '/etc/cron.d', webPath: '../../..' },
    }
    const { id } = (await operator.post(`${code}/submit`, { json })).body.data
    const row = (await operator.get(`${code}/detail`, { query: { id } })).body.data
    expect(row).toMatchObject({ codeName: '诊所', templateType: 'crud', serviceName: 'develop', modelName: '诊所' })
    const again = (await operator.post(`${code}/submit`, { json: { ...json, codeName: '诊所二' } })).body.data.id
    expect((await operator.get(`${code}/detail`, { query: { id: again } })).body.data.modelId).toBe(row.modelId)
    for (const path of (await filesInZip((await operator.post(`${code}/gen-code`, { query: { ids: id, system: 'saber3' } })).raw)).keys())
      expect(path).toMatch(/^(contract\/src\/develop|server\/migrations|server\/test\/flows\/develop|README)/)
  })

  test('of a table alone, with nothing saved', async () => {
    const zip = await operator.post(`${code}/gen-code-fast`, {
      json: { datasourceId: sourceId, tableName: 'clinic', serviceName: 'school' },
    })
    expect([...(await filesInZip(zip.raw)).keys()][0]).toBe('contract/src/school/clinic.resource.ts')
    const own = await operator.post(`${code}/gen-code-fast`, { json: { tableName: 'ticket_remark', nounName: 'remark-twin' } })
    expect((await filesInZip(own.raw)).get('contract/src/develop/remark-twin.resource.ts')).not.toMatch(/idValue|tenantId/)
  })

  test('what cannot be generated is refused in words', async () => {
    const refused = async (over: object): Promise<unknown> => {
      const { status, body } = await generate(await addCode(modelId, over))
      return [status, body.msg]
    }
    const atSaving = async (over: object): Promise<unknown> => {
      const json = { codeName: '门诊', modelId, templateType: 'crud', serviceName: 'school', ...over }
      const { status, body } = await operator.post(`${code}/submit`, { json })
      return [status, body.data.fields]
    }
    for (const noun of ['post', 'account'])
      expect(await atSaving({ nounName: noun })).toEqual([400, [{ field: 'nounName', msg: `接口名称“${noun}”已被占用，请换一个` }]])
    expect(await atSaving({ roles: 'admin,__proto__' })).toEqual([
      400,
      [{ field: 'roles', msg: expect.stringContaining('没有角色“__proto__”') }],
    ])
    await operator.post(`${model}/submit-list`, { json: { modelId, list: [{ jdbcName: 'note', isList: 1 }] } })
    const tree = { templateType: 'tree', treePid: 'no_such', treeName: 'note' }
    expect(await atSaving(tree)).toEqual([400, [{ field: 'treePid', msg: expect.stringContaining('“树父级字段”须是模型') }]])
    const child = { templateType: 'sub', subModelId: modelId, subFkId: 'no_such' }
    expect(await atSaving(child)).toEqual([400, [{ field: 'subFkId', msg: expect.stringContaining('“子表外键字段”须是模型') }]])
    // What was free when it was saved may be taken when it is generated.
    const late = await addCode(modelId, { nounName: 'late-one' })
    await t.platform().rows(sql`update code set noun_name = 'post' where id = ${late} returning 1 as one`)
    expect((await generate(late)).body.msg).toBe('接口名称“post”已被占用，请换一个')
    expect((await operator.post(`${code}/submit`, { json: { id: late, codeName: '改名' } })).status).toBe(200)
    const wrong = await operator.post(`${code}/submit`, {
      json: { codeName: 'x', modelId, templateType: 'crud', serviceName: '../../etc' },
    })
    expect([wrong.status, wrong.body.msg]).toEqual([400, expect.stringContaining('没有模块“../../etc”')])
    const half = await operator.post(`${code}/submit`, { json: { codeName: 'x', modelId, templateType: 'sub', serviceName: 'school' } })
    expect(half.body.msg).toBe('请选择子表模型')
    await operator.post(`${model}/submit-list`, {
      json: { modelId, list: ['id', 'visitCode', 'note', 'seen'].map(jdbcName => ({ jdbcName, isForm: 0 })) },
    })
    expect(await refused({ nounName: 'empty-one' })).toEqual([409, expect.stringContaining('没有可用于生成的字段')])
    const first = await addCode(await addModel(), { nounName: 'same-one' })
    const second = await addCode(await addModel(), { nounName: 'sameone' })
    expect((await generate(`${first},${second}`)).body.msg).toBe('接口名称“sameone”已被占用，请换一个')
    expect((await generate(`${first},1`)).status).toBe(404)
    expect((await generate('')).status).toBe(400)
    const used = await operator.post(`${model}/remove`, { query: { ids: modelId } })
    expect([used.status, used.body.msg]).toEqual([409, expect.stringContaining('已用于代码生成配置')])
  })
})
