import pg from 'pg'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { type Answer, type Person, startTestApp, type TestApp, type TestTenant, testCaptcha } from '../../support/app.ts'
import { sealFor } from '../../support/login.ts'

const at = '/blade-system/tenant'
let t: TestApp
let operator: Person
let neighbour: TestTenant
beforeAll(async () => {
  t = await startTestApp()
  operator = await t.platform().staff('administrator')
  neighbour = await t.tenant()
})
afterAll(() => t.close())

const seal = (plain: string): string => sealFor(t, plain)
const login = async (tenantId: string, username: string, password: string): Promise<Answer> => {
  const guest = t.anonymous(tenantId)
  const { body } = await guest.get('/blade-auth/oauth/captcha')
  return guest.post('/blade-auth/oauth/token', {
    query: { grant_type: 'captcha', username, password: seal(password) },
    headers: { 'captcha-key': body.key, 'captcha-code': testCaptcha },
  })
}
let made = 0
const form = () => {
  made += 1
  return { tenantName: `第${made}区卫生健康局`, linkman: '李联系', adminAccount: 'guanli' }
}
const rowOf = async (tenantId: string) => (await operator.get(`${at}/list`, { query: { tenantId } })).body.data.records[0]
/** What a token opens; the cache of sessions has heard what was told before. */
const statusOf = async (token: string, path: string): Promise<number> => {
  await t.app.catchUp()
  return (await t.anonymous().get(path, { headers: { 'blade-auth': `bearer ${token}` } })).status
}
const idOf = async (tenant: TestTenant) => (await rowOf(tenant.tenantId)).id
const menuIds = async (codes: readonly string[]): Promise<string> =>
  (await t.platform().rows(sql<{ id: string }>`select id::text as id from menu where code = any(${[...codes]}) order by id`))
    .map(row => row.id)
    .join(',')
const codesOf = (nodes: readonly { code: string; children?: never[] }[]): string[] =>
  nodes.flatMap(node => [node.code, ...codesOf(node.children ?? [])])

describe('[S1.03][S7.16] the platform makes a tenant', () => {
  test('a tenant whose making breaks off is not there at all, and the same form makes it with its line of the trail in one transaction', async () => {
    const owner = new pg.Client({ connectionString: t.databaseUrl })
    await owner.connect()
    const counted = async () => (await owner.query<{ n: number }>('select count(*)::int as n from tenant')).rows[0]?.n
    const before = await counted()
    // The last thing that is written: everything before it has been.
    await owner.query(`create function broken() returns trigger language plpgsql as $$ begin raise exception 'power cut'; end $$;
      create trigger broken before insert on account_role for each row execute function broken()`)
    const input = form()
    expect((await operator.post(`${at}/submit`, { json: input })).status).toBe(500)
    expect(await counted()).toBe(before)
    expect(
      (await owner.query(`select 1 from audit_log where action = 'tenant.added' and after_value->>'tenantName' = $1`, [input.tenantName]))
        .rows,
    ).toEqual([])
    await owner.query('drop trigger broken on account_role; drop function broken()')
    const { tenantId, account, password } = (await operator.post(`${at}/submit`, { json: input })).body.data
    const written = await owner.query(
      `select l.tenant_id, l.user_id::text, l.actor_kind, l.xmin::text = t.xmin::text as "isOneTransaction"
       from audit_log l join tenant t on t.tenant_id = l.entity_id where l.action = 'tenant.added' and l.entity_id = $1`,
      [tenantId],
    )
    expect(written.rows).toEqual([{ tenant_id: '000000', user_id: operator.userId, actor_kind: 'platform', isOneTransaction: true }])
    await owner.end()
    expect((await login(tenantId, account, password)).status).toBe(200)
  })

  test('one form makes a whole one: administrator with a password shown once, roles, menus, dictionaries, department, post', async () => {
    const input = {
      ...form(),
      contactNumber: '0571-8888',
      domain: 'North.Example:7300',
      titleZh: '北区招聘',
      titleEn: 'North jobs',
      accountNumber: 20,
    }
    const answer = await operator.post(`${at}/submit`, { json: input })
    expect([answer.status, answer.body.msg]).toEqual([200, '操作成功'])
    const { id, tenantId, account, password } = answer.body.data
    expect([account, /^\d{6}$/.test(tenantId), /^[a-z2-9]{5}(-[a-z2-9]{5}){3}$/.test(password)]).toEqual(['guanli', true, true])
    expect(await rowOf(tenantId)).toEqual({
      id,
      tenantId,
      tenantName: input.tenantName,
      domain: 'north.example:7300',
      domainUrl: 'north.example:7300',
      linkman: '李联系',
      contactNumber: '0571-8888',
      address: '',
      titleZh: '北区招聘',
      titleEn: 'North jobs',
      accountNumber: 20,
      accountCount: 1,
      expireTime: '',
      packageId: '',
      packageName: '',
      datasourceId: '',
      datasourceName: '',
      logoUrl: '',
      backgroundUrl: '',
      status: 1,
      createTime: '2026-03-17 10:00:00',
      version: 0,
    })
    const info = await t.anonymous().get(`${at}/info`, { query: { domain: 'https://north.example:7300' } })
    expect(info.body.data).toMatchObject({ tenantId, title: { zh: '北区招聘', en: 'North jobs' } })

    // Nobody but the answer knows the password, and it opens nothing but its own change.
    const traces = await t.platform().rows(
      sql<{
        text: string
      }>`select before_value::text || after_value::text as text from audit_log union all select answer::text from idempotency`,
    )
    expect(traces.filter(line => line.text?.includes(password))).toEqual([])
    const first = await login(tenantId, 'guanli', password)
    expect(first.body).toMatchObject({ tenant_id: tenantId, account: 'guanli', role_name: 'admin' })
    const own = (path: string, json?: object) => {
      const headers = { 'blade-auth': `bearer ${first.body.access_token}` }
      return json ? t.anonymous().post(path, { json, headers }) : t.anonymous().get(path, { headers })
    }
    expect((await own('/blade-system/dept/list')).body.reason).toBe('kernel/password-due')
    await own('/blade-system/user/update-password', {
      oldPassword: seal(password),
      newPassword: seal('green hill lantern 7'),
      newPassword1: seal('green hill lantern 7'),
    })
    expect((await own('/blade-system/dept/list')).body.data).toMatchObject([{ deptName: input.tenantName, parentId: '0' }])
    expect((await own('/blade-system/post/list')).body.data.records).toMatchObject([{ postCode: 'head', postName: '负责人' }])
    expect((await own('/blade-system/dict-biz/dictionary?code=sex')).body.data).toHaveLength(2)
    expect(codesOf((await own('/blade-system/menu/routes')).body.data)).toEqual(expect.arrayContaining(['examination', 'param', 'dictbiz']))
    const inside = <T>(statement: ReturnType<typeof sql<T>>) =>
      t.app.services.scopes.tx({ kind: 'system', tenantId, userId: '0' }, t.clock.now(), db => db.all(statement))
    expect(await inside(sql`select count(*)::int as n from role where not is_deleted`)).toEqual([{ n: 13 }])
    expect(await inside(sql`select code from menu where code like 'tenant%' or code = 'dict_add'`)).toEqual([])
    expect(await inside(sql`select (count(*) > 2000) as many from school`)).toEqual([{ many: true }])
  })

  test.each([
    [{ tenantName: '' }, '请输入租户名称', 'tenantName'],
    [{ linkman: '' }, '请输入联系人', 'linkman'],
    [{ adminAccount: '' }, '管理员账号长度不能少于 2', 'adminAccount'],
  ])('%o is refused in words', async (change, msg, field) => {
    const answer = await operator.post(`${at}/submit`, { json: { ...form(), ...change } })
    expect([answer.status, answer.body.data.fields]).toEqual([400, [{ field, msg }]])
  })

  test('names and domains belong to one tenant; of two forms at once one wins and no half tenant stays', async () => {
    const wish = { ...form(), domain: 'twice.example' }
    const answers = await Promise.all([operator.post(`${at}/submit`, { json: wish }), operator.post(`${at}/submit`, { json: wish })])
    expect(answers.map(answer => answer.status).sort()).toEqual([200, 400])
    expect(answers.find(answer => answer.status === 400)?.body.msg).toBe('该租户名称已存在')
    const other = await operator.post(`${at}/submit`, { json: { ...form(), domain: 'TWICE.example' }, language: 'en' })
    expect(other.body).toMatchObject({ msg: 'Another tenant has this domain', data: { fields: [{ field: 'domain' }] } })
    // The page's origin finds a tenant whatever scheme either was written with.
    for (const domain of ['https://twice.example', 'http://twice.example'])
      expect((await operator.post(`${at}/submit`, { json: { ...form(), domain }, language: 'en' })).body.msg).toBe(other.body.msg)
    const [row] = (await operator.get(`${at}/list`, { query: { tenantName: wish.tenantName } })).body.data.records
    const changed = await operator.post(`${at}/submit`, {
      json: { id: row.id, version: row.version, ...wish, linkman: '王接任', address: '一号路' },
    })
    expect(changed.status).toBe(200)
    expect(await rowOf(row.tenantId)).toMatchObject({ linkman: '王接任', address: '一号路', domain: 'twice.example' })
    const stale = await operator.post(`${at}/submit`, { json: { id: row.id, version: row.version, ...wish } })
    expect(stale.body.code).toBe(2002)
  })

  test('[S6.04] [PF 13] only staff of the platform’s tenant pass, whatever a role elsewhere is called or holds', async () => {
    const everything = await t.tenant()
    await everything.db(async db => {
      await db.run(
        sql`insert into menu (tenant_id, code, name, name_en, category) select ${everything.tenantId}, c, c, c, 2 from unnest(array['tenant_view','tenant_add','tenant_delete','tenant_setting','tenantpackage_view','dict_add']) c`,
      )
      await db.run(
        sql`insert into role_menu (tenant_id, role_id, menu_id) select ${everything.tenantId}, r.id, m.id from role r cross join menu m where r.role_alias = 'administrator' on conflict do nothing`,
      )
    })
    const pretender = await everything.staff('administrator')
    const bureau = await t.platform().staff('admin')
    const id = await idOf(neighbour)
    for (const person of [pretender, bureau]) {
      const seen = await Promise.all([
        person.get(`${at}/list`),
        person.get(`${at}/detail`, { query: { id } }),
        person.post(`${at}/submit`, { json: form() }),
        person.post(`${at}/recycle`, { query: { ids: id } }),
        person.post(`${at}/setting`, { query: { ids: id, accountNumber: 1 } }),
        person.get('/blade-system/tenant-package/list'),
        person.post('/blade-system/dict/submit', { json: { code: 'x', dictValue: 'x', sort: 1, isSealed: 0 } }),
      ])
      expect(seen.map(answer => answer.status)).toEqual([403, 403, 403, 403, 403, 403, 403])
    }
    expect((await rowOf(neighbour.tenantId)).status).toBe(1)
  })
})

describe('[S2.47][S3.04][S6.05] a package caps what a tenant has', () => {
  test('[S5.19] its name and its menus are required, each in the words of the specification', async () => {
    const menuId = await menuIds(['param'])
    const say = async (json: object, language: 'zh' | 'en' = 'zh') => {
      const { status, body } = await operator.post('/blade-system/tenant-package/submit', { json, language })
      return [status, ...(body.data?.fields ?? []).map(({ field, msg }: { field: string; msg: string }) => `${field}: ${msg}`)]
    }
    expect(await say({ menuId })).toEqual([400, 'packageName: 请输入产品包名称'])
    expect(await say({ packageName: '', menuId })).toEqual([400, 'packageName: 请输入产品包名称'])
    expect(await say({ packageName: '基础版二' })).toEqual([400, 'menuId: 请选择菜单'])
    expect(await say({}, 'en')).toEqual([400, 'packageName: Please enter the package name', 'menuId: Please select the menus'])
    expect(await t.platform().rows(sql`select 1 from tenant_package where package_name = '基础版二'`)).toEqual([])
  })

  test('assigned, shrunk and grown it holds at once in menus and in calls, in this tenant only', async () => {
    const tenant = await t.tenant()
    const admin = await tenant.staff(['admin', 'exam_admin'])
    const other = await neighbour.staff('admin')
    const at2 = '/blade-system/tenant-package'
    const add = await operator.post(`${at2}/submit`, {
      json: { packageName: '基础版', menuId: await menuIds(['param', 'post', 'examination']), remark: '试用' },
    })
    const { id: packageId } = add.body.data
    expect((await operator.post(`${at2}/submit`, { json: { packageName: '基础版', menuId: '1' } })).body.msg).toBe(
      '有菜单不存在，请重新选择',
    )
    const routes = async (person: Person) => codesOf((await person.get('/blade-system/menu/routes')).body.data).sort()
    const before = await routes(admin)
    const otherBefore = await routes(other)

    await operator.post(`${at}/package-setting`, { query: { tenantId: tenant.tenantId, packageId } })
    await t.app.catchUp()
    expect(await routes(admin)).toEqual(['exam', 'examination', 'param', 'post', 'system', 'wel'])
    expect(codesOf((await admin.get('/blade-system/menu/buttons')).body.data)).toContain('param_add')
    expect((await admin.get('/blade-system/param/list')).status).toBe(200)
    expect((await admin.get('/blade-system/dict-biz/list')).status).toBe(403)
    expect((await operator.get(`${at}/package-detail`, { query: { tenantId: await idOf(tenant) } })).body.data).toMatchObject({
      id: packageId,
      packageName: '基础版',
      remark: '试用',
    })
    expect(await rowOf(tenant.tenantId)).toMatchObject({ packageId, packageName: '基础版' })

    await operator.post(`${at2}/submit`, { json: { id: packageId, menuId: await menuIds(['post']) } })
    await t.app.catchUp()
    expect(await routes(admin)).toEqual(['post', 'system', 'wel'])
    expect([(await admin.get('/blade-system/param/list')).status, (await admin.get('/blade-system/post/list')).status]).toEqual([403, 200])
    expect(await routes(other)).toEqual(otherBefore)
    // The wall of the database by itself: the tenant's own staff scope does not see a menu beyond the package.
    const seen = await t.app.services.scopes.tx(
      { kind: 'staff', tenantId: tenant.tenantId, userId: admin.userId, departments: null },
      t.clock.now(),
      db => db.all(sql<{ code: string }>`select code from menu where code in ('param', 'param_add', 'post', 'post_add') order by code`),
    )
    expect(seen.map(row => row.code)).toEqual(['post', 'post_add'])

    expect((await operator.post(`${at2}/remove`, { query: { ids: packageId } })).body.code).toBe(2004)
    await operator.post(`${at}/package-setting`, { query: { tenantId: await idOf(tenant), packageId: '' } })
    await t.app.catchUp()
    expect(await routes(admin)).toEqual(before)
    expect((await operator.get(`${at}/package-detail`, { query: { tenantId: tenant.tenantId } })).body.data).toEqual({})
    expect((await operator.post(`${at2}/remove`, { query: { ids: packageId } })).body.data).toEqual({ removed: 1 })
    const own = await operator.post(`${at}/package-setting`, { query: { tenantId: '000000', packageId } })
    expect([own.status, own.body.success]).toEqual([404, false])
    const lines = await t.platform().rows(sql<object>`
      select action, before_value->>'packageId' as before, after_value->>'packageId' as after from audit_log where entity_id = ${tenant.tenantId} order by id`)
    expect(lines).toEqual([
      { action: 'tenant.package-set', before: '', after: packageId },
      { action: 'tenant.package-set', before: packageId, after: '' },
    ])
  })
})

describe('[S4.07] quota, expiry, recycle bin', () => {
  const hashed = async (tenant: TestTenant, people: readonly Person[], password: string) => {
    const hash = await t.app.services.passwords.hash(password)
    await tenant.db(db =>
      db.run(sql`update account set password_hash = ${hash} where id = any(${people.map(person => person.userId)}::bigint[])`),
    )
  }

  test('a smaller number of accounts closes the newest ones: their sessions end and no login opens another', async () => {
    const tenant = await t.tenant()
    const [first, second] = [await tenant.staff('admin'), await tenant.staff('finance')]
    const candidate = await tenant.candidate()
    await hashed(tenant, [first, second], 'old river stone 9')
    const account = async (person: Person) =>
      (await tenant.rows(sql<{ account: string }>`select account from account where id = ${person.userId}`))[0]?.account ?? ''
    const names = [await account(first), await account(second)]
    const set = await operator.post(`${at}/setting`, { query: { ids: await idOf(tenant), accountNumber: 1 } })
    expect(set.body.data).toEqual({ changed: 1, endedSessions: 1 })
    const own = '/blade-system/user/info'
    expect([await statusOf(first.token, own), await statusOf(second.token, own), await statusOf(candidate.token, own)]).toEqual([
      200, 401, 200,
    ])
    expect((await login(tenant.tenantId, names[0] ?? '', 'old river stone 9')).status).toBe(200)
    expect((await login(tenant.tenantId, names[1] ?? '', 'old river stone 9')).body).toMatchObject({
      error_code: 2919,
      msg: '机构的账号数超出额度，请联系平台管理员',
    })
    await operator.post(`${at}/setting`, { query: { ids: await idOf(tenant), accountNumber: -1 } })
    expect((await login(tenant.tenantId, names[1] ?? '', 'old river stone 9')).status).toBe(200)
  })

  test('after its time a tenant answers nobody, and does again when the time is moved', async () => {
    const tenant = await t.tenant()
    const admin = await tenant.staff('admin')
    const own = '/blade-system/user/info'
    await operator.post(`${at}/setting`, { query: { ids: await idOf(tenant), expireTime: '2026-03-17 09:59:59' } })
    expect(await statusOf(admin.token, own)).toBe(401)
    await hashed(tenant, [admin], 'old river stone 9')
    const [{ account } = { account: '' }] = await tenant.rows(
      sql<{ account: string }>`select account from account where id = ${admin.userId}`,
    )
    expect((await login(tenant.tenantId, account, 'old river stone 9')).body).toMatchObject({ error_code: 2919 })
    await operator.post(`${at}/setting`, { query: { ids: await idOf(tenant), expireTime: '' } })
    expect(await statusOf(admin.token, own)).toBe(200)
    expect(
      (await operator.post(`${at}/setting`, { query: { ids: await idOf(t.platform()), expireTime: '2020-01-01 00:00:00' } })).body.code,
    ).toBe(2001)
  })

  test('recycled: nobody is in, nobody comes in, nobody registers; passed: the data is as it was; removed: from the bin only', async () => {
    const tenant = await t.tenant()
    const admin = await tenant.staff('admin')
    const id = await idOf(tenant)
    const move = (to: string, ids: string) => operator.post(`${at}/${to}`, { query: { ids } })
    expect((await move('remove', id)).body).toMatchObject({ code: 2001, reason: 'tenant/not-in-bin' })
    expect((await move('recycle', `${id},1`)).status).toBe(404)
    expect((await move('recycle', `${id},${await idOf(t.platform())}`)).body.reason).toBe('tenant/platform-stays')
    expect(await statusOf(admin.token, '/blade-system/user/info')).toBe(200)
    expect((await move('recycle', id)).body.data).toEqual({ changed: 1 })
    expect(await statusOf(admin.token, '/blade-system/user/info')).toBe(401)
    expect((await login(tenant.tenantId, 'whoever', 'old river stone 9')).status).toBe(400)
    expect((await t.anonymous().get(`${at}/info`, { query: { tenantId: tenant.tenantId } })).body.data).toEqual({})
    const sealed = { phone: seal('16000000099'), password: seal('Sunny-river-27'), password2: seal('Sunny-river-27') }
    const register = await t.anonymous(tenant.tenantId).post('/blade-system/user/register', {
      multipart: {
        fields: { username: 'newcomer', realName: '李测', idCard: '330199199505050016', smsId: 'x', smsCode: '1', consent: '1', ...sealed },
      },
    })
    expect(register.body.reason).toBe('auth/tenant-expired')
    const bin = (await operator.get(`${at}/list`, { query: { status_equal: -1 } })).body.data.records
    expect(bin.map((row: { tenantId: string }) => row.tenantId)).toEqual([tenant.tenantId])
    await move('pass', id)
    expect((await rowOf(tenant.tenantId)).status).toBe(1)
    const again = await tenant.staff('admin')
    expect((await again.get('/blade-system/user/info')).status).toBe(200)
    await move('recycle', id)
    expect((await move('remove', id)).body.data).toEqual({ changed: 1 })
    expect([await rowOf(tenant.tenantId), (await operator.get(`${at}/detail`, { query: { id } })).status]).toEqual([undefined, 404])
    const lines = await t.platform().rows(sql<object>`select action from audit_log where entity_id = ${tenant.tenantId} order by id`)
    expect(lines).toEqual(['recycled', 'passed', 'recycled', 'removed'].map(done => ({ action: `tenant.${done}` })))
  })
})

describe('branding and data sources', () => {
  test('[S1.07][S7.14] the login page of a tenant shows its own pictures: decoded anew, gone when taken away', async () => {
    const tenant = await t.tenant()
    const png = await sharp({ create: { width: 600, height: 300, channels: 3, background: '#0a6' } })
      .png()
      .toBuffer()
    const put = (kind: string, bytes: Buffer, name = 'a.png') =>
      operator.post(`${at}/picture`, { multipart: { fields: { tenantId: tenant.tenantId, kind }, files: [{ part: 'file', name, bytes }] } })
    const { url } = (await put('logo', png)).body.data
    const info = async () => (await t.anonymous().get(`${at}/info`, { query: { tenantId: tenant.tenantId } })).body.data
    expect(await info()).toMatchObject({ logoUrl: url, backgroundUrl: '' })
    const shown = await t.anonymous().get(url)
    expect([shown.status, shown.headers['content-type'], (await sharp(shown.raw).metadata()).width]).toEqual([200, 'image/png', 256])
    expect((await put('background', Buffer.from('<svg onload="alert(1)"/>'))).body).toMatchObject({ code: 2802 })
    expect((await put('background', png.subarray(0, 200))).status).toBe(422)
    await operator.post(`${at}/picture`, { json: { tenantId: tenant.tenantId, kind: 'logo', remove: 1 } })
    expect([await info(), (await t.anonymous().get(url)).status]).toMatchObject([{ logoUrl: '' }, 404])
  })

  test('[PF 11] driver and address follow from typed fields, nobody writes them; the password goes in and never comes out', async () => {
    const base = '/blade-develop/datasource'
    const source = { name: '统计库', kind: 'mysql', host: 'db.example.org', port: 3306, databaseName: 'stat', username: 'reader' }
    const { id } = (await operator.post(`${base}/submit`, { json: source })).body.data
    const derived = { driverClass: 'com.mysql.cj.jdbc.Driver', url: 'jdbc:mysql://db.example.org:3306/stat', passwordState: 0 }
    expect((await operator.get(`${base}/detail`, { query: { id } })).body.data).toMatchObject({ ...source, ...derived })
    for (const bad of [
      { url: 'jdbc:h2:mem:;INIT=RUNSCRIPT' },
      { driverClass: 'x' },
      { host: 'a/b?allowLoadLocalInfile=true' },
      { databaseName: 'x;y' },
    ])
      expect((await operator.post(`${base}/submit`, { json: { id, ...bad } })).status).toBe(400)
    // One that somebody added to the dictionary has no driver.
    const [group] = (await operator.get('/blade-system/dict/list', { query: { code: 'datasource_kind' } })).body.data
    const other = { code: 'x', parentId: group.id, dictKey: 'other', dictValue: '其他', sort: 9, isSealed: 0 }
    expect((await operator.post('/blade-system/dict/submit', { json: other })).status).toBe(200)
    expect((await operator.post(`${base}/submit`, { json: { id, kind: 'other' } })).body).toMatchObject({
      code: 400,
      data: { fields: [{ field: 'kind', msg: '程序不支持这种数据库' }] },
    })
    const set = await operator.post(`${base}/password`, { json: { id, password: seal('s3cret-of-the-database') } })
    expect(set.body.data).toEqual({ passwordState: 1 })
    const answers = [await operator.get(`${base}/detail`, { query: { id } }), await operator.get(`${base}/list`)]
    expect(answers.some(answer => answer.raw.includes('s3cret'))).toBe(false)
    expect(
      await t
        .platform()
        .rows(sql<object>`select position('s3cret' in encode(password_sealed, 'escape')) as at from datasource where id = ${id}`),
    ).toEqual([{ at: 0 }])
    await operator.post(`${at}/datasource`, { query: { tenantId: neighbour.tenantId, datasourceId: id } })
    expect(await rowOf(neighbour.tenantId)).toMatchObject({ datasourceId: id, datasourceName: '统计库' })
    expect((await operator.post(`${base}/remove`, { query: { ids: id } })).body.code).toBe(2004)
    await operator.post(`${at}/datasource`, { query: { tenantId: neighbour.tenantId, datasourceId: '' } })
    expect((await operator.post(`${base}/remove`, { query: { ids: id } })).body.data).toEqual({ removed: 1 })
  })
})

test('[S7.16] selectors of the platform: tenants by name, packages and data sources by theirs; nothing of it for a tenant', async () => {
  const name = (await rowOf(neighbour.tenantId)).tenantName
  expect((await operator.get(`${at}/find-by-name`, { query: { name: name.slice(1) } })).body.data).toContainEqual({
    tenantId: neighbour.tenantId,
    tenantName: name,
  })
  expect((await operator.get(`${at}/find-by-name`, { query: { name: '没有这个' } })).body.data).toEqual([])
  const packages = '/blade-system/tenant-package'
  const pack = await operator.post(`${packages}/submit`, { json: { packageName: '选择用', menuId: await menuIds(['post']) } })
  expect((await operator.get(`${packages}/select`)).body.data).toContainEqual({ id: pack.body.data.id, packageName: '选择用' })
  const sources = '/blade-develop/datasource'
  const source = await operator.post(`${sources}/submit`, {
    json: { name: '选择库', kind: 'mysql', host: 'db.test', port: 5432, databaseName: 'a', username: 'u' },
  })
  expect((await operator.get(`${sources}/select`)).body.data).toContainEqual({ id: source.body.data.id, name: '选择库' })
  const chief = await neighbour.staff('admin')
  for (const call of [`${at}/find-by-name?name=a`, `${packages}/select`, `${sources}/select`])
    expect((await chief.get(call)).status).toBe(403)
})
