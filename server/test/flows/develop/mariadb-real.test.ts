import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Person, startTestApp, type TestApp } from '../../support/app.ts'
import { sealFor } from '../../support/login.ts'
import { noRealMariaDb, type RealMariaDb, startRealMariaDb } from '../../support/real-mariadb.ts'

/** Needs root, and the first time Debian's packages; part of `npm run test:long`. */
const missing = noRealMariaDb()
if (missing !== undefined) console.warn(`\n!!! A real MariaDB was NOT tried: ${missing}.\n`)

const tables = [
  'create database stat character set utf8mb4',
  `create table stat.\`门诊 量\` (
    id int unsigned auto_increment primary key, name varchar(40) not null comment '科室''名称"', code char(6) not null unique, total bigint unsigned,
    ratio decimal(5,2), score double, is_open tinyint(1) not null default 1, flag bit(1), bits bit(9), at datetime(3) not null, day date, made timestamp null,
    clock time, of_year year, kind enum('a','b)'), tags set('x','y'), note longtext, body json, bytes blob, raw varbinary(20), place point,
    doubled int generated always as (of_year * 2) stored) comment '门诊量*/'`,
  'create table stat.pointing (id int primary key, big int unsigned, small smallint unsigned, owner int unsigned, foreign key (owner) references stat.`门诊 量` (id))',
  "create user reader identified by 'pw-reader'",
  'grant select on stat.* to reader',
  "create user writer identified by 'pw-writer'",
  'grant select, insert on stat.* to writer',
  "create user stranger identified by 'pw-stranger'",
]

describe.runIf(missing === undefined)('[S7.27][S7.28] a real MariaDB as a data source', () => {
  let real: RealMariaDb
  let t: TestApp
  let operator: Person
  beforeAll(async () => {
    real = await startRealMariaDb(tables)
    t = await startTestApp({ dataSources: `${real.host}:${real.port}` })
    operator = await t.platform().staff('administrator')
  }, 120_000)
  afterAll(async () => {
    await t?.close()
    await real?.close()
  })
  let count = 0
  const add = async (username: string, databaseName = 'stat'): Promise<string> => {
    const row = { name: `源${++count}`, kind: 'mysql', host: real.host, port: real.port, databaseName, username }
    const { id } = (await operator.post('/blade-develop/datasource/submit', { json: row })).body.data
    await operator.post('/blade-develop/datasource/password', { json: { id, password: sealFor(t, `pw-${username}`) } })
    return id
  }
  const check = async (id: string) => (await operator.post('/blade-develop/datasource/check', { json: { id } })).body.data

  test('it is reached, an account that may write is warned of, and one without rights is told so', async () => {
    expect(await check(await add('reader'))).toMatchObject({
      isReached: 1,
      mayWrite: 0,
      tables: 2,
      version: expect.stringContaining('MariaDB'),
    })
    expect(await check(await add('writer'))).toMatchObject({
      isReached: 1,
      mayWrite: 1,
      warnings: expect.arrayContaining(['该账号可以写入或建表，请改用只读账号']),
    })
    expect(await check(await add('stranger'))).toMatchObject({ isReached: 0, text: expect.stringContaining('没有该库，或账号无权使用') })
    expect(await check(await add('reader', 'no_such'))).toMatchObject({
      isReached: 0,
      text: expect.stringContaining('没有该库，或账号无权使用'),
    })
  })

  test('its tables and columns are read, none of the server’s own, and every type has its place', async () => {
    const datasourceId = await add('reader', 'stat')
    const { data } = (await operator.get('/blade-develop/model/table-list', { query: { datasourceId } })).body
    expect(data).toEqual([
      { name: 'pointing', comment: '' },
      { name: '门诊 量', comment: '门诊量*/' },
    ])
    const system = await add('reader', 'information_schema')
    expect((await operator.get('/blade-develop/model/table-list', { query: { datasourceId: system } })).body.data).toEqual([])
    const info = (await operator.get('/blade-develop/model/table-info', { query: { datasourceId, tableName: '门诊 量' } })).body.data
    type Field = {
      jdbcName: string
      propertyType: string
      leftOut: string
      isForm: number
      isRequired: number
      isUnique: number
      jdbcComment: string
    }
    const brief = (info.fields as Field[]).map(({ jdbcName, propertyType, leftOut, isForm, isRequired }) => [
      jdbcName,
      leftOut || propertyType,
      isForm,
      isRequired,
    ])
    expect(brief).toEqual([
      ['id', 'BigDecimal', 0, 0],
      ['name', 'String', 1, 1],
      ['code', 'String', 1, 1],
      ['total', 'BigDecimal', 1, 0],
      ['ratio', 'BigDecimal', 1, 0],
      ['score', 'BigDecimal', 1, 0],
      ['is_open', 'Integer', 1, 0],
      ['flag', 'Integer', 1, 0],
      ['bits', 'other', 0, 0],
      ['at', 'Date', 1, 1],
      ['day', 'LocalDate', 1, 0],
      ['made', 'Date', 1, 0],
      ['clock', 'String', 1, 0],
      ['of_year', 'Integer', 1, 0],
      ['kind', 'enum', 0, 0],
      ['tags', 'enum', 0, 0],
      ['note', 'String', 1, 0],
      ['body', 'String', 1, 0],
      ['bytes', 'bytes', 0, 0],
      ['raw', 'bytes', 0, 0],
      ['place', 'other', 0, 0],
      ['doubled', 'generated', 0, 0],
    ])
    expect(info.fields[1]).toMatchObject({ jdbcComment: `科室'名称"` })
    expect(info.fields[2]).toMatchObject({ isUnique: 1 })
    const pointing = (await operator.get('/blade-develop/model/table-info', { query: { datasourceId, tableName: 'pointing' } })).body.data
    expect(pointing.fields.map(({ isForeign }: { isForeign: number }) => isForeign)).toEqual([0, 0, 0, 1])
  })
})
