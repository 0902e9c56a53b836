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

  test('a stored password stays with the account and server it was typed for: after a change of either it has to be typed again', async () => {
    const stateAfter = async (change: object): Promise<unknown> => {
      const id = await add()
      expect((await operator.post(`${base}/submit`, { json: { id, ...change } })).status).toBe(200)
      const [row] = await t
        .platform()
        .rows(sql<{ isKept: boolean }>`select password_sealed is not null as "isKept" from datasource where id = ${id}`)
      const { passwordState } = (await operator.get(`${base}/detail`, { query: { id } })).body.data
      return [row?.isKept, passwordState]
    }
    expect(await stateAfter({ remark: '统计用' })).toEqual([true, 1])
    expect(await stateAfter({ host: source.host, port: source.port, username: source.reader })).toEqual([true, 1])
    for (const change of [
      { host: 'db.example.org' },
      { port: 1 },
      { username: source.writer },
      { kind: 'mysql' },
      { url: `jdbc:postgresql://other.example.org:${source.port}/${source.database}` },
    ])
      expect([change, await stateAfter(change)]).toEqual([change, [false, 0]])
    expect(await stateAfter({ port: 1, password: 'typed-again' })).toEqual([true, 1])
    const moved = await add()
    await operator.post(`${base}/submit`, { json: { id: moved, host: 'localhost' } })
    await operator.post(`${base}/submit`, { json: { id: moved, host: source.host } })
    expect(await check(moved)).toMatchObject({ isReached: 0, text: expect.stringContaining('没有设置密码，请先设置') })
    const trail = await t.platform().rows(sql<{ after: unknown }>`
      select after_value as after from audit_log where action = 'datasource.password-set' and entity_id = ${moved} order by id`)
    expect(trail).toEqual([{ after: { isSet: true } }, { after: { isSet: false } }])
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
