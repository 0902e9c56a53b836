import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { type Answer, type Person, startTestApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { sheetRows } from '../../support/sheet-text.ts'
import { workbook } from '../../support/workbook.ts'

let t: TestApp
let tenant: TestTenant
let admin: Person
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())

const header = ['上级部门', '部门名称', '部门全称', '部门类型', '负责人账号', '排序', '备注']
const rowsOf = async (answer: Answer): Promise<readonly string[][]> => {
  expect(answer.status).toBe(200)
  return sheetRows(answer.raw)
}
const dept = async (deptName: string, parentId = '', by = admin): Promise<string> =>
  (await by.post('/blade-system/dept/submit', { json: { deptName, fullName: `${deptName}全称`, deptCategory: 2, sort: 1, parentId } })).body
    .data.id
const send = async (
  rows: readonly (readonly string[])[],
  fields: Record<string, string> = { mode: 'check' },
  by = admin,
  first: readonly string[] = header,
) => {
  const files = [{ part: 'file', name: '部门.xlsx', bytes: await workbook([first, ...rows]) }]
  return by.post('/blade-system/dept/import-dept', { multipart: { fields, files } })
}
const treeOf = (of = tenant) =>
  of.rows(sql<{ path: string }>`
    select concat_ws('/', (select string_agg(p.dept_name, '/' order by array_position(d.ancestor_ids, p.id)) from dept p where p.id = any(d.ancestor_ids)), d.dept_name) as path
    from dept d where not d.is_deleted and d.dept_name like '验%' order by 1`)
const problems = (answer: Answer): string[] =>
  answer.body.data.errors.map(({ row, header: of, code }: { row: number; header: string; code: string }) => `${row} ${of} ${code}`)

const fresh = async () => {
  tenant = await t.tenant()
  admin = await tenant.staff('admin', { realName: '管理员' })
}

describe('[S7.15] departments out of a workbook', () => {
  beforeAll(fresh)

  test('what is wrong is said cell by cell with an error workbook, and nothing is written', async () => {
    await dept('验局')
    const wrong = await send([
      ['没有', '验甲', '', '部门'],
      ['验局', '', '', '部门'],
      ['验局', '验乙', '', '国家', 'nobody.here', 'x'],
      [' 验局 ', '验丙', '', '2'],
      ['验局', '验丙', '', '科室'],
      ['验局/验乙', '验丁', '', '小组'],
      ['', '验/戊', '', '1'],
      ['', '验'.repeat(61), '', '1', '', '10000'],
    ])
    expect(wrong.body.data).toMatchObject({ kind: 'T0d', state: 2, total: 8, ok: 1, inserted: 0, updated: 0 })
    expect(problems(wrong)).toEqual([
      '2 上级部门 parent-missing',
      '3 部门名称 required',
      '4 部门类型 unknown',
      '4 负责人账号 unknown',
      '4 排序 number',
      '6 部门名称 duplicate',
      '7 上级部门 parent-wrong',
      '8 部门名称 slash',
      '9 部门名称 too-long',
      '9 排序 number',
    ])
    expect(wrong.body.data.errors[0].reason).toBe('上级部门不存在，也不在文件中')
    expect(await treeOf()).toEqual([{ path: '验局' }])
    const book = await sheetRows((await admin.get(wrong.body.data.errorFileUrl)).raw)
    expect(book[0]?.slice(-2)).toEqual(['校验结果', '错误原因'])
    expect(book[1]?.at(-1)).toContain('上级部门不存在')
    expect((await send([['没有', '验甲', '', '部门']], { mode: 'commit' })).body).toMatchObject({
      reason: 'import/invalid',
      data: { state: 5 },
    })
    expect(await treeOf()).toEqual([{ path: '验局' }])
  })

  test('a tree in any order is added below what is there; what is there is changed and never moved; audit lines name the run', async () => {
    const leader = await tenant.staff('finance')
    const [{ account } = { account: '' }] = await tenant.rows(
      sql<{ account: string }>`select account from account where id = ${leader.userId}`,
    )
    const rows = [
      ['验局 ／ 验医院', '验内科', '验医院内科', '科室', account, '7', '=1+1'],
      ['验局', '验医院', '', '机构'],
      ['', '验局', '验局新全称', '机构'],
      ['', '验学校', '', '1'],
    ]
    const checked = await send(rows)
    expect(checked.body.data).toMatchObject({ state: 2, ok: 4, failed: 0 })
    const { importId } = checked.body.data
    const done = await admin.post('/blade-system/dept/import-dept', { multipart: { fields: { mode: 'commit', importId } } })
    expect(done.body.data).toMatchObject({ state: 4, inserted: 3, updated: 1, skipped: 0 })
    expect((await treeOf()).map(row => row.path)).toEqual(['验学校', '验局', '验局/验医院', '验局/验医院/验内科'])
    expect(
      await tenant.rows(sql<object>`
        select dept_name as name, full_name as "fullName", dept_category as kind, leader_id = ${leader.userId} as led, sort, remark from dept where dept_name like '验%' order by 1`),
    ).toEqual([
      { name: '验内科', fullName: '验医院内科', kind: 3, led: true, sort: 7, remark: '=1+1' },
      { name: '验医院', fullName: '验医院', kind: 1, led: false, sort: 1, remark: '' },
      { name: '验学校', fullName: '验学校', kind: 1, led: false, sort: expect.any(Number), remark: '' },
      // What a workbook leaves empty stays as it was.
      { name: '验局', fullName: '验局新全称', kind: 1, led: false, sort: 1, remark: '' },
    ])
    expect(
      await tenant.rows(sql<object>`
        select action, after_value->>'path' as path, user_id::text as by from audit_log
        where action like 'dept.%' and after_value->>'importId' = ${importId} order by id`),
    ).toEqual([
      { action: 'dept.updated', path: '验局', by: admin.userId },
      { action: 'dept.added', path: '验学校', by: admin.userId },
      { action: 'dept.added', path: '验局/验医院', by: admin.userId },
      { action: 'dept.added', path: '验局/验医院/验内科', by: admin.userId },
    ])
    expect((await send(rows, { mode: 'commit' })).body.data).toMatchObject({ inserted: 0, updated: 0, skipped: 4 })
  })

  test('the right rows alone, where that is asked for', async () => {
    const rows = [
      ['验学校', '验一年级', '', '部门'],
      ['验学校', '验二年级', '', '没有'],
      ['验学校/验二年级', '验一班', '', '小组'],
    ]
    expect((await send(rows, { mode: 'commit', policy: 'partial' })).body.data).toMatchObject({ state: 4, inserted: 1, failed: 2 })
    expect((await treeOf()).map(row => row.path)).toContain('验学校/验一年级')
    expect((await treeOf()).map(row => row.path)).not.toContain('验学校/验二年级/验一班')
  })

  test('what was exported is taken back as it came, watermark and all, in either language; its rows are counted as they stand there', async () => {
    for (const language of ['zh', 'en'] as const) {
      const { raw: bytes } = await admin.get('/blade-system/dept/export-dept', { language })
      const [mark = [], first = [], ...rest] = await sheetRows(bytes)
      expect(mark).toHaveLength(1)
      const files = [{ part: 'file', name: '部门.xlsx', bytes }]
      const back = await admin.post('/blade-system/dept/import-dept', { multipart: { fields: { mode: 'commit' }, files } })
      expect(back.body.data).toMatchObject({ state: 4, total: rest.length, inserted: 0, updated: 0, skipped: rest.length })
      expect(problems(await send([first, ...rest, ['没有', '验甲', '', '1']], { mode: 'check' }, admin, mark))).toEqual([
        `${rest.length + 3} 上级部门 parent-missing`,
      ])
      // Without the watermark the header is row 1; a row that only says so is none.
      expect((await send(rest, { mode: 'commit' }, admin, first)).body.data).toMatchObject({ skipped: rest.length })
      expect((await send([first, ...rest], { mode: 'check' }, admin, ['内部资料 注意保密'])).body.data.warnings[0]).toEqual({
        row: 2,
        reason: '表头在第 2 行，其上的内容没有导入: 内部资料 注意保密',
      })
    }
  })

  test('[PF9] only who holds the right, in their own tenant, and only who reaches every department', async () => {
    const reviewer = await tenant.staff('reviewer1')
    const auditor = await tenant.staff('auditor')
    expect((await send([['', '验外', '', '1']], { mode: 'commit' }, reviewer)).status).toBe(403)
    expect((await send([['', '验外', '', '1']], { mode: 'commit' }, auditor)).status).toBe(403)
    for (const path of ['/blade-system/dept/export-template', '/blade-system/dept/export-dept'])
      expect([path, (await reviewer.get(path)).status]).toEqual([path, 403])
    const template = await rowsOf(await admin.get('/blade-system/dept/export-template'))
    expect(template).toEqual(await rowsOf(await admin.get('/blade-exam/examination/importTemplate', { query: { kind: 'T0d' } })))
    expect(template[0]).toEqual(header)
    const other = await t.tenant()
    const theirs = await other.staff('admin')
    expect(problems(await send([['验局', '验外', '', '1']], { mode: 'check' }, theirs))).toEqual(['2 上级部门 parent-missing'])
  })
})

describe('[S3.11][S7.15] departments as a workbook', () => {
  beforeAll(fresh)

  test('each with the path above it, as text, as the list is searched', async () => {
    const top = await dept('验局')
    await dept('=1+1', top)
    const rows = await rowsOf(await admin.get('/blade-system/dept/export-dept', { query: { deptName: '=1' } }))
    expect(rows).toEqual([
      ['部门 · 管理员 · 2026-03-17 10:00:00 · 内部资料 注意保密'],
      header,
      ['验局', '=1+1', '=1+1全称', '部门', '', '1'],
    ])
    expect(
      await tenant.rows(
        sql<object>`select user_id::text as by, after_value->'filter' as filter from audit_log where action = 'dept.exported'`,
      ),
    ).toEqual([{ by: admin.userId, filter: { deptName: '=1' } }])
  })

  test('reaches as far as the reader’s data scope, and such a reader imports nothing', async () => {
    const house = await dept('验院')
    await dept('验科', house)
    await dept('验别处')
    const keeper = await tenant.staff('secadmin')
    const { id: scopeId } = (
      await keeper.post('/blade-system/data-scope/submit', {
        json: { scopeName: '本部门及下级', resourceCode: 'dept', scopeType: 4, scopeValue: [] },
      })
    ).body.data
    await tenant.db(db =>
      db.run(sql`
        with made as (insert into role (tenant_id, role_name, role_alias, sort) values (${tenant.tenantId}, '分院管理', 'branch', 50) returning id),
        held as (insert into role_menu (tenant_id, role_id, menu_id)
          select ${tenant.tenantId}, made.id, m.id from made, menu m where m.code in ('dept_view', 'dept_export', 'dept_import') returning 1)
        insert into role_data_scope (tenant_id, role_id, scope_id) select ${tenant.tenantId}, id, ${scopeId} from made`),
    )
    const narrow = await tenant.staff(['branch' as never], { deptId: house })
    const rows = await rowsOf(await narrow.get('/blade-system/dept/export-dept'))
    expect(rows.slice(2).map(row => row.slice(0, 2))).toEqual([
      ['', '验院'],
      ['验院', '验科'],
    ])
    expect((await send([['验院', '验新', '', '1']], { mode: 'commit' }, narrow)).body.reason).toBe('kernel/whole-needed')
    expect((await treeOf()).map(row => row.path)).not.toContain('验院/验新')
  })
})
