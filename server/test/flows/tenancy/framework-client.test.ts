import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { type Person, startTestApp, type TestApp, type TestTenant, testCaptcha } from '../../support/app.ts'
import { recordedForms, recordedLists } from '../../support/framework-client-calls.ts'
import { sealFor } from '../../support/login.ts'

// A client of the framework that nobody here wrote (framework-contract 8).
const system = '/blade-system'
type Row = Readonly<Record<string, unknown>>
let t: TestApp
let operator: Person
let tenant: TestTenant
/** What `{name}` in a recorded call stands for. */
let ids: Readonly<Record<string, string>>
beforeAll(async () => {
  t = await startTestApp()
  operator = await t.platform().staff('administrator')
  tenant = await t.tenant()
  const one = async (statement: ReturnType<typeof sql<{ id: string }>>) => (await t.platform().rows(statement))[0]?.id ?? ''
  ids = {
    notices: await one(sql`select id::text as id from dict where code = 'notice' and dict_key = '-1'`),
    finance: await one(sql`select id::text as id from role where role_alias = 'finance'`),
    dept: (await operator.post(`${system}/dept/submit`, { json: { deptName: '局', fullName: '卫健局', deptCategory: 1, sort: 1 } })).body
      .data.id,
    post: (await operator.post(`${system}/post/submit`, { json: { category: '1', postCode: 'fc0', postName: '主管', sort: 1 } })).body.data
      .id,
    postMenu: await one(sql`select id::text as id from menu where code = 'post'`),
  }
})
afterAll(() => t.close())

const filled = <T>(value: T): T => JSON.parse(JSON.stringify(value).replace(/\{(\w+)\}/g, (all, name: string) => ids[name] ?? all)) as T
const rowsOf = async (table: string, column: string, value: string): Promise<Row[]> =>
  (await (await t.owner()).query(`select to_jsonb(x)::text as row from ${table} x where x.${column} = $1`, [value])).rows.map(({ row }) =>
    // An id has more digits than a number holds.
    JSON.parse(row.replace(/: (\d{16,})/g, ': "$1"')),
  )
/** The row that a form is filled with, of whatever shape the answer is. */
const found = (data: unknown, by: string, value: string): Row => {
  const all = (Array.isArray(data) ? data : ((data as { records?: Row[] }).records ?? [data])) as Row[]
  return all.find(row => String(row[by]) === value) ?? {}
}
/** Sends a body as it is, without a test's own JSON in between. */
const raw = async (who: Person, path: string, payload: string, type = 'application/json') => {
  const answer = await t.app.server.inject({
    method: 'POST',
    url: `/api${path}`,
    headers: { 'blade-auth': `bearer ${who.token}`, 'content-type': type },
    payload,
  })
  return { status: answer.statusCode, body: answer.json() }
}

describe('[21.7] the recorded forms', () => {
  for (const form of recordedForms)
    test(`${form.what}: what is added and changed stands in its row`, async () => {
      const { table, column, value } = form.row
      const added = await operator.post(form.add.path, { json: filled(form.add.json) })
      expect([added.status, added.body.msg, added.body.success]).toEqual([200, '操作成功', true])
      const [stored, ...others] = await rowsOf(table, column, value)
      expect([stored, others]).toMatchObject([form.stored, []])

      const { read } = form.change
      const answer = await operator.get(read.path, {
        query: read.by === 'id' ? { id: added.body.data.id } : { [read.by]: value, current: 1, size: 10 },
      })
      const shown = found(answer.body.data, read.by, read.by === 'id' ? added.body.data.id : value)
      expect(shown).not.toEqual({})
      const changed = await operator.post(form.change.path ?? form.add.path, { json: { ...shown, ...filled(form.change.json) } })
      expect([changed.status, changed.body.msg]).toEqual([200, '操作成功'])
      const { url, ...same } = (await rowsOf(table, column, value))[0] ?? {}
      expect({ ...same, url }).toMatchObject({ ...form.stored, ...form.changed })
      expect(same['id']).toEqual(stored?.['id'])
    })

  test('every list opens', async () => {
    const answers = await Promise.all(
      recordedLists.map(async path => {
        const { status, body } = await operator.get(`${filled(path)}&current=1&size=10`)
        return [path, status, Array.isArray(body.data) || Array.isArray(body.data?.records)]
      }),
    )
    expect(answers).toEqual(recordedLists.map(path => [path, 200, true]))
    // The drawers of a menu hold what belongs to it and to its buttons.
    const of = async (kind: string, menuId: string | undefined) =>
      (await operator.get(`${system}/${kind}/list`, { query: { menuId, current: 1, size: 10 } })).body.data.records.map(
        (row: Row) => row['scopeName'],
      )
    expect([
      await of('data-scope', ids['postMenu']),
      await of('api-scope', ids['postMenu']),
      await of('data-scope', '1'),
      await of('api-scope', '1'),
    ]).toEqual([['职务管理 [本人可见]'], ['导出职务'], [], []])
  })
})

describe('[21.7] fields that only the server writes', () => {
  test('are ignored and stay as they are; unknown ones are refused', async () => {
    const owned = {
      tenantId: tenant.tenantId,
      createUser: '1',
      createDept: '1',
      createTime: '2000-01-01 00:00:00',
      updateUser: '1',
      status: 9,
      isDeleted: 1,
    }
    const sent = { paramName: '甲', paramKey: 'fc.owned', paramValue: 'x', ...owned, hasChildren: true, $paramKey: 'y', isOwn: 0 }
    expect((await operator.post(`${system}/param/submit`, { json: sent })).status).toBe(200)
    expect(await rowsOf('param', 'param_key', 'fc.owned')).toMatchObject([
      { tenant_id: '000000', created_by: operator.userId, is_deleted: false, param_value: 'x' },
    ])
    const unknown = await operator.post(`${system}/param/submit`, { json: { ...sent, paramKey: 'fc.other', colour: 'red' } })
    expect([unknown.status, unknown.body.data.fields]).toEqual([400, [{ field: 'colour', msg: expect.stringContaining('不是允许的字段') }]])
    expect(await rowsOf('param', 'param_key', 'fc.other')).toEqual([])
    // Neither are they taken beside other calls, nor by nouns that no client of the framework knows.
    expect((await operator.post(`${system}/role/grant`, { json: { roleIds: ['1'], menuIds: [], createUser: '1' } })).status).toBe(400)
    const remark = { title: '甲', content: '乙', createUser: '1' }
    expect((await operator.post('/blade-ticketRemark/ticketremark/submit', { json: remark })).status).not.toBe(200)
  })

  test('an account is never made in, or moved to, another tenant than its administrator’s', async () => {
    const json = { account: 'fcother', realName: '李雷', tenantId: tenant.tenantId }
    const refused = await operator.post(`${system}/user/submit`, { json })
    expect([refused.status, refused.body.data.fields[0].field]).toEqual([400, 'tenantId'])
    expect(await rowsOf('account', 'account', 'fcother')).toEqual([])
    const saved = await operator.post(`${system}/user/saveUser`, { json: { ...json, tenantId: '000000', status: 2, userTypeName: '考生' } })
    expect(saved.status).toBe(200)
    expect(await rowsOf('account', 'account', 'fcother')).toMatchObject([{ tenant_id: '000000', status: 1, user_type: 1 }])
  })

  test('a phone that comes back as it is shown stays, another mask is refused, and a digest is no password', async () => {
    const id = (await operator.post(`${system}/user/submit`, { json: { account: 'fcphone', realName: '韩梅', phone: '13912345678' } })).body
      .data.id
    const phone = (value: string) => operator.post(`${system}/user/update`, { json: { id, phone: value } })
    expect([(await phone('139****5678')).status, (await phone('139****0000')).status]).toEqual([200, 400])
    expect(await rowsOf('account', 'account', 'fcphone')).toMatchObject([{ phone_mask: '139****5678' }])
    const digest = await operator.post(`${system}/user/submit`, {
      json: { account: 'fcmd5', realName: '韩梅', password: 'e10adc3949ba59abbe56e057f20f883e' },
    })
    expect([digest.status, digest.body.data.fields[0].field]).toEqual([400, 'password'])
  })
})

describe('[21.8] numbers, texts and lists', () => {
  test('a number for a text and a text for a number are the same; what could be two things is refused', async () => {
    const submit = (json: object) =>
      operator.post(`${system}/post/submit`, { json: { category: 1, postCode: 'fc-n', postName: 7, sort: '3', ...json } })
    expect((await submit({})).status).toBe(200)
    expect(await rowsOf('post', 'post_code', 'fc-n')).toMatchObject([{ category: '1', post_name: '7', sort: 3 }])
    for (const wrong of [
      { sort: '03' },
      { sort: '3.0' },
      { sort: ' ' },
      { sort: '1e3' },
      { sort: true },
      { postName: true },
      { postName: ['a'] },
    ])
      expect([wrong, (await submit({ postCode: 'fc-w', ...wrong })).status]).toEqual([wrong, 400])
    expect(await rowsOf('post', 'post_code', 'fc-w')).toEqual([])
    // True and false stand for 1 and 0 where nothing else can stand.
    const group = (await operator.post(`${system}/dict/submit`, { json: { code: 'fc_flag', dictValue: '旗', sort: 1, isSealed: true } }))
      .body.data.id
    expect((await operator.get(`${system}/dict/detail`, { query: { id: group } })).body.data.isSealed).toBe(1)
  })

  test('an id as a number that has lost digits is refused, a short one is taken', async () => {
    const [row] = await rowsOf('post', 'post_code', 'fc-n')
    const exact = JSON.stringify({ postName: '八', sort: 1 }).slice(1, -1)
    const lossy = await raw(operator, `${system}/post/submit`, `{"id":384057844913143828,${exact}}`)
    expect([lossy.status, lossy.body.data.fields]).toEqual([400, [{ field: 'id', msg: expect.stringContaining('请加引号以文本发送') }]])
    const grant = await raw(operator, `${system}/role/grant`, '{"roleIds":[384057844913143828],"menuIds":[]}')
    expect([grant.status, grant.body.data.fields[0].field]).toEqual([400, 'roleIds'])
    expect((await raw(operator, `${system}/post/submit`, `{"id":12,${exact}}`)).body.reason).toBe('kernel/not-found')
    expect((await raw(operator, `${system}/post/submit`, `{"id":"${row?.['id']}",${exact}}`)).status).toBe(200)
  })

  test('an empty body of type JSON is no body', async () => {
    const made = await operator.post(`${system}/post/submit`, { json: { category: 1, postCode: 'fc-e', postName: '空', sort: 1 } })
    const removed = await raw(operator, `${system}/post/remove?ids=${made.body.data.id}`, '')
    expect([removed.status, removed.body.data]).toEqual([200, { removed: 1 }])
    expect((await raw(operator, `${system}/post/remove?ids=1`, '{')).body.reason).toBe('kernel/unreadable-body')
  })

  test('ids as repeated keys, with commas too many, in a form or as a list name all of them', async () => {
    let serial = 0
    const two = async (): Promise<string[]> => {
      const made: string[] = []
      for (const _ of [1, 2]) {
        serial += 1
        made.push(
          (await operator.post(`${system}/post/submit`, { json: { category: 1, postCode: `fc-i${serial}`, postName: '多', sort: 1 } })).body
            .data.id,
        )
      }
      return made
    }
    const at = `${system}/post/remove`
    const ways: ((a: string, b: string) => Promise<{ status: number; body: { data: unknown } }>)[] = [
      (a, b) => raw(operator, `${at}?ids=${a}&ids=${b}`, ''),
      (a, b) => raw(operator, `${at}?ids=${a},${b},`, ''),
      (a, b) => raw(operator, `${at}?ids=,${a},,${b}`, ''),
      (a, b) => raw(operator, at, `ids=${a}&ids=${b}`, 'application/x-www-form-urlencoded'),
      (a, b) => raw(operator, at, JSON.stringify({ ids: [a, b] })),
      (a, b) => raw(operator, at, JSON.stringify({ ids: `${a},${b},` })),
    ]
    for (const way of ways) {
      const [a = '', b = ''] = await two()
      const { status, body } = await way(a, b)
      expect([status, body.data]).toEqual([200, { removed: 2 }])
    }
    const [a = ''] = await two()
    expect((await raw(operator, `${at}?ids=${a}&ids=x`, '')).status).toBe(400)
    expect((await raw(operator, `${at}?ids=,`, '')).body.reason).toBe('kernel/select-one')
  })

  test('save and update stand beside submit', async () => {
    const made = await operator.post(`${system}/role/save`, { json: { roleName: '保存', roleAlias: 'fc_saved', sort: 1 } })
    expect(
      (await operator.post(`${system}/role/update`, { json: { id: made.body.data.id, roleName: '更新', roleAlias: 'fc_saved', sort: 1 } }))
        .status,
    ).toBe(200)
    expect(await rowsOf('role', 'role_alias', 'fc_saved')).toMatchObject([{ role_name: '更新' }])
    for (const noun of [
      'menu',
      'dept',
      'dict',
      'dict-biz',
      'region',
      'tenant',
      'user',
      'post',
      'param',
      'client',
      'topmenu',
      'data-scope',
      'api-scope',
    ])
      for (const verb of ['save', 'update'])
        expect([noun, verb, (await operator.post(`${system}/${noun}/${verb}`, { json: {} })).status]).toEqual([noun, verb, 400])
  })
})

describe('[21.9] menus, rights and what is chosen from', () => {
  const nodes = (tree: readonly Row[]): Row[] => tree.flatMap(node => [node, ...nodes((node['children'] ?? []) as Row[])])
  test('the log-in of the open edition, its session and its side bar', async () => {
    const person = await tenant.staff(['admin'])
    const hash = await t.app.services.passwords.hash('old river stone 9')
    await tenant.db(db => db.run(sql`update account set password_hash = ${hash} where id = ${person.userId}`))
    const account = (await tenant.rows(sql<{ account: string }>`select account from account where id = ${person.userId}`))[0]?.account ?? ''
    // The captcha is the tenant's whose it is asked for.
    const guest = t.anonymous(tenant.tenantId)
    const basic = { authorization: `Basic ${Buffer.from('kaopu-web:kaopu-web').toString('base64')}` }
    const { key } = (await guest.get('/blade-auth/captcha')).body.data
    const query = { grantType: 'captcha', tenantId: tenant.tenantId, account, password: sealFor(t, 'old river stone 9'), type: 'account' }
    const headers = { ...basic, 'captcha-key': key, 'captcha-code': testCaptcha }
    const wrong = await guest.post('/blade-auth/token', { query: { ...query, password: sealFor(t, 'no') }, headers })
    expect([wrong.status, wrong.body.success]).toEqual([400, false])
    const next = (await guest.get('/blade-auth/captcha')).body.data.key
    const login = await guest.post('/blade-auth/token', {
      query: { ...query, password: sealFor(t, 'old river stone 9') },
      headers: { ...headers, 'captcha-key': next },
    })
    expect(login.body).toMatchObject({
      code: 200,
      success: true,
      data: { account, tenantId: tenant.tenantId, authority: 'admin', tokenType: 'bearer' },
    })
    // No cookie opens anything: the one that comes says in a rush that staff need not wait.
    expect([
      [login.headers['set-cookie']].flat().map(text => String(text).split('=')[0]),
      login.body.data.refreshToken.length > 20,
    ]).toEqual([['kaopu-staff'], true])
    const fresh = await guest.post('/blade-auth/token', {
      query: { grantType: 'refresh_token', scope: 'all', refreshToken: login.body.data.refreshToken },
      headers: basic,
    })
    expect(fresh.body.data).toMatchObject({ account, authority: 'admin' })
    const token = { 'blade-auth': `bearer ${fresh.body.data.accessToken}` }

    const routes = nodes((await guest.get(`${system}/menu/routes`, { headers: token })).body.data)
    // As such a client asks: for the list of roles that it holds, for one of them, and before it knows any.
    for (const roles of [['admin'], 'admin', []])
      expect(routes.filter(({ meta }) => (meta as { roles?: string }).roles?.includes(roles as string) === false)).toEqual([])
    const { roleName: _, ...role } = routes.find(menu => menu['code'] === 'role') as Row
    expect(role).toMatchObject({
      name: '角色管理',
      path: '/authority/role',
      source: 'people',
      isOpen: 1,
      category: 1,
      meta: { roles: 'admin', i18n: { en: 'Roles' } },
    })
    expect(routes.flatMap(menu => (['datascope', 'apiscope'].includes(String(menu['code'])) ? [menu['path']] : []))).toEqual([
      '/authority/datascope',
      '/authority/apiscope',
    ])
    const codes = nodes((await guest.get(`${system}/menu/buttons`, { headers: token })).body.data).map(button => button['code'])
    expect(codes).toEqual(
      expect.arrayContaining(['role_add', 'role_edit', 'role_delete', 'role_view', 'data_scope_setting', 'api_scope_setting']),
    )

    await guest.post('/blade-auth/logout', { headers: token })
    expect((await guest.get(`${system}/menu/routes`, { headers: token })).status).toBe(401)
  })

  test('a menu that only stands above something granted lists no roles', async () => {
    const person = await tenant.staff(['reviewer1'])
    await tenant.db(db =>
      db.run(
        sql`delete from role_menu where menu_id in (select id from menu where code = 'review') and role_id in (select id from role where role_alias = 'reviewer1')`,
      ),
    )
    const again = await tenant.staff(['reviewer1', 'finance'])
    expect(person.userId).not.toBe(again.userId)
    const tree = (await again.get(`${system}/menu/routes`)).body.data as Row[]
    const review = tree.find(menu => menu['code'] === 'review')
    expect([
      (review?.['meta'] as Row | undefined)?.['roles'],
      nodes([review ?? {}])
        .slice(1)
        .map(menu => (menu['meta'] as Row)['roles']),
    ]).toEqual([undefined, expect.arrayContaining(['finance,reviewer1'])])
  })

  test('whoever does not hold the buttons gets neither name of them', async () => {
    const person = await tenant.staff(['exam_admin'])
    const codes = nodes((await person.get(`${system}/menu/buttons`)).body.data).map(button => String(button['code']))
    expect(codes.filter(code => /scope/.test(code))).toEqual([])
  })

  test('administrators of a tenant choose from their own tenant and read the regions, and write neither', async () => {
    const admin = await tenant.staff(['admin'])
    const names = async (who: Person) => (await who.get(`${system}/tenant/select`)).body.data.map((row: Row) => row['tenantId'])
    expect(await names(admin)).toEqual([tenant.tenantId])
    expect(await names(operator)).toEqual(expect.arrayContaining(['000000', tenant.tenantId]))
    expect((await admin.get(`${system}/tenant/list`)).status).toBe(403)
    const provinces = (await admin.get(`${system}/region/lazy-tree`, { query: { parentCode: '00' } })).body.data
    expect([provinces.length > 30, (await admin.get(`${system}/region/detail`, { query: { code: '33' } })).body.data.name]).toEqual([
      true,
      '浙江省',
    ])
    expect((await admin.post(`${system}/region/submit`, { json: { code: '330000', name: '甲' } })).status).toBe(403)
  })

  test('the dictionaries of the framework stand in the system dictionary', async () => {
    const keys = async (code: string) =>
      (await operator.get(`${system}/dict/dictionary`, { query: { code } })).body.data.map((row: Row) => row['dictKey']).join()
    expect(
      Object.fromEntries(
        await Promise.all(
          [
            'sex',
            'menu_category',
            'button_func',
            'yes_no',
            'flow',
            'org_category',
            'data_scope_type',
            'api_scope_type',
            'scope_category',
            'oss',
            'sms',
            'post_category',
            'region',
            'user_type',
            'datasource_category',
          ].map(async code => [code, await keys(code)] as const),
        ),
      ),
    ).toEqual({
      sex: '1,2',
      menu_category: '1,2',
      button_func: '1,2,3',
      yes_no: '1,2',
      flow: '1,2,3,4',
      org_category: '1,2,3,4',
      data_scope_type: '1,2,3,4,5',
      api_scope_type: '1,2',
      scope_category: '1,2',
      oss: '1,2,3,4,5,6,7',
      sms: '1,2,3,4',
      post_category: '1,2,3,4',
      region: '0,1,2,3,4,5',
      user_type: '1,2,3',
      datasource_category: '1,2',
    })
    expect(await keys('notice')).toMatch(/^1,2,3,4,5,6/)
    expect(
      (await operator.get(`${system}/dict/dictionary`, { query: { code: 'flow' } })).body.data.map((row: Row) => row['remark']),
    ).toEqual(['leave', 'expense', 'userupdate', 'general'])
  })

  test('regions as such a client writes their codes: the code above and its own digits', async () => {
    const shown = (await operator.get(`${system}/region/detail`, { query: { code: '330000' } })).body.data as Row
    const save = (json: object) => operator.post(`${system}/region/submit`, { json })
    // The province itself: its code without the first `00`.
    expect((await save({ ...shown, subCode: '3300', code: '3300', remark: '改' })).body.data).toEqual({ id: '330000' })
    // A city below it, from the form that held the province, which leaves the province's id and version in it.
    const version = (await operator.get(`${system}/region/detail`, { query: { code: '330000' } })).body.data.version
    const city = {
      ...shown,
      version,
      parentCode: '330000',
      parentName: '浙江省',
      name: '往来市',
      subCode: '98',
      code: '33000098',
      level: 2,
      sort: 98,
    }
    expect((await save(city)).body.data).toEqual({ id: '339800' })
    expect(await rowsOf('region', 'code', '339800')).toMatchObject([{ name: '往来市', parent_code: '330000', level: 2 }])
    expect((await save({ ...city, name: '又一市' })).body.data.fields[0].field).toBe('code')
    const edited = (await operator.get(`${system}/region/detail`, { query: { code: '3398' } })).body.data as Row
    expect((await save({ ...edited, subCode: '339800', code: '330000339800', name: '来往市' })).body.data).toEqual({ id: '339800' })
    expect(await rowsOf('region', 'code', '339800')).toMatchObject([{ name: '来往市' }])
    expect((await operator.post(`${system}/region/remove`, { query: { id: '339800' } })).body.data).toEqual({ removed: 1 })
  })

  test('an unlocking without a reason says so in the trail', async () => {
    const other = await t.platform().staff('finance')
    await operator.post(`${system}/user/lock`, { json: { userIds: other.userId, reason: '核查' } })
    expect((await raw(operator, `${system}/user/unlock?userIds=${other.userId}`, '')).body.data).toEqual({ changed: 1 })
    expect(
      await t.platform().rows(sql<object>`select reason from audit_log where action = 'account.unlocked' and entity_id = ${other.userId}`),
    ).toEqual([{ reason: '未填写原因' }])
  })
})
