import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { type Person, startTestApp, type TestApp } from '../../support/app.ts'
import { sealFor } from '../../support/login.ts'
import { openSourceDatabase, type SourceDatabase } from '../../support/source-database.ts'

let source: SourceDatabase
let t: TestApp
let operator: Person
beforeAll(async () => {
  source = await openSourceDatabase()
  t = await startTestApp({ dataSources: `${source.host}:${source.port},127.0.0.1:1` })
  operator = await t.platform().staff('administrator')
})
afterAll(async () => {
  await t?.close()
  await source?.close()
})

const base = '/blade-develop/datasource'
const add = async (over: object = {}, password = source.password): Promise<string> => {
  const row = { kind: 'postgresql', host: source.host, port: source.port, databaseName: source.database, username: source.reader, ...over }
  const { id } = (await operator.post(`${base}/submit`, { json: { name: `源${Math.round(performance.now() * 1e6)}`, ...row } })).body.data
  await operator.post(`${base}/password`, { json: { id, password: await sealFor(t, password) } })
  return id
}
const check = async (id: string, language: 'zh' | 'en' = 'zh') =>
  (await operator.post(`${base}/check`, { json: { id }, language })).body.data

describe('[S7.28] the connection of a data source is tried', () => {
  test('an account that only reads is reached; one that could write is warned of; the trail has both', async () => {
    const reading = await add({ name: '只读库' })
    expect(await check(reading)).toMatchObject({ isReached: 1, mayWrite: 0, tables: 1, text: expect.stringContaining('已连接“只读库”') })
    const writing = await add({ name: '可写库', username: source.writer })
    expect(await check(writing, 'en')).toMatchObject({
      isReached: 1,
      mayWrite: 1,
      warnings: expect.arrayContaining(['This account can write or make tables: use one that only reads']),
    })
    const trail = await t.platform().rows(sql<{ after: unknown }>`
      select after_value as after from audit_log where action = 'datasource.checked' and entity_id = any(${[reading, writing]}) order by id`)
    expect(trail).toEqual([
      { after: { isReached: true, mayWrite: false, isEncrypted: false } },
      { after: { isReached: true, mayWrite: true, isEncrypted: false } },
    ])
  })

  test('what cannot be reached is said in words, and the password stands in no answer and no line', async () => {
    const secret = 'geheim-7391'
    const wrong = await add({ name: '错密码' }, secret)
    const cases = [
      [wrong, '用户名或密码不正确'],
      [await add({ name: '没有库', databaseName: 'no_such_base' }), '没有该库，或账号无权使用'],
      [await add({ name: '没有端口', host: '127.0.0.1', port: 1 }), '无法连接，请检查主机、端口和网络'],
      [await add({ name: '不允许', host: 'db.example.org' }), '请联系运维人员在服务器设置 KAOPU_DATA_SOURCES 中加入'],
      [await add({ name: '甲骨文', kind: 'oracle' }), '程序目前只能连接 PostgreSQL 和 MySQL/MariaDB，其他类型的数据源不可用'],
    ] as const
    for (const [id, why] of cases) expect(await check(id)).toMatchObject({ isReached: 0, text: expect.stringContaining(why) })
    const lines = await t.platform().rows(sql<object>`
      select 1 from audit_log where before_value::text like ${`%${secret}%`} or after_value::text like ${`%${secret}%`}`)
    expect(lines).toEqual([])
    expect(JSON.stringify((await operator.get(`${base}/detail`, { query: { id: wrong } })).body)).not.toContain(secret)
    expect((await operator.get('/blade-develop/model/table-list', { query: { datasourceId: wrong } })).body).toMatchObject({
      code: 2001,
      msg: '数据源“错密码”读取失败：用户名或密码不正确',
    })
  })

  test('a stored password stays with the account and server it was typed for: with another of either it is typed again', async () => {
    const change = async (over: object): Promise<unknown> => {
      const id = await add()
      const { status, body } = await operator.post(`${base}/submit`, { json: { id, ...over } })
      const { host, passwordState, password } = (await operator.get(`${base}/detail`, { query: { id } })).body.data
      return [status, body.data.fields ?? [], host === source.host, passwordState, password]
    }
    const kept = [200, [], true, 1, '']
    for (const same of [{ remark: '统计用' }, { host: source.host, port: source.port, username: source.reader, password: '' }])
      expect([same, await change(same)]).toEqual([same, kept])
    const refused = [400, [{ field: 'password', msg: '更换类型、主机、端口或用户名时请重新输入密码' }], true, 1, '']
    for (const moved of [
      { host: 'db.example.org' },
      { port: 1 },
      { username: source.writer },
      { kind: 'mysql', password: '' },
      { url: `jdbc:postgresql://other.example.org:${source.port}/${source.database}` },
    ])
      expect([moved, await change(moved)]).toEqual([moved, refused])
    expect(await change({ port: 1, password: await sealFor(t, 'typed-again') })).toEqual(kept)
  })

  test('a source is added with its password in one form, and one without a password says so when it is tried', async () => {
    const json = { kind: 'postgresql', host: source.host, port: source.port, databaseName: source.database, username: source.reader }
    const added = async (more: object): Promise<string> =>
      (await operator.post(`${base}/submit`, { json: { ...json, ...more } })).body.data.id
    expect(await check(await added({ name: '一次填好', password: await sealFor(t, source.password) }))).toMatchObject({ isReached: 1 })
    expect(await check(await added({ name: '没有密码' }))).toMatchObject({
      isReached: 0,
      text: expect.stringContaining('没有设置密码，请先设置'),
    })
  })

  test('nobody of another tenant tries or reads one, whatever they hold', async () => {
    const id = await add({ name: '平台的库' })
    const stranger = await (await t.tenant()).staff('admin')
    for (const answer of [
      await stranger.post(`${base}/check`, { json: { id } }),
      await stranger.get('/blade-develop/model/table-list', { query: { datasourceId: id } }),
      await stranger.get('/blade-develop/model/list'),
      await stranger.post('/blade-develop/code/gen-code-fast', { json: { tableName: 'post' } }),
    ])
      expect(answer.status).toBe(403)
    expect((await operator.post(`${base}/check`, { json: { id: '1' } })).status).toBe(404)
  })
})
