import pg from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { urlFor } from '#kernel/db/pool.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'
import { listMenuLines } from '#modules/access/data/menu-admin.repo.ts'
import { countUsers, listUsers } from '#modules/organisation/data/user.repo.ts'
import { type Person, startTestApp, type TestApp, type TestTenant } from '../../support/app.ts'

let t: TestApp
let tenant: TestTenant
let admin: Person
beforeAll(async () => {
  t = await startTestApp()
  tenant = await t.tenant()
  admin = await tenant.staff('admin', { realName: '管理员' })
})
afterAll(() => t.close())

const dept = async (deptName: string, parentId: string): Promise<string> =>
  (await admin.post('/blade-system/dept/submit', { json: { deptName, fullName: deptName, deptCategory: 2, sort: 1, parentId } })).body.data
    .id
const place = (id: string, deptName: string, parentId: string) =>
  admin.post('/blade-system/dept/submit', { json: { id, deptName, fullName: deptName, deptCategory: 2, sort: 1, parentId } })
const person = async (account: string, realName: string, deptId = ''): Promise<string> =>
  (await admin.post('/blade-system/user/submit', { json: { account, realName, deptId } })).body.data.id
const found = async (query: object, by = admin): Promise<readonly string[]> => {
  const { records, total } = (await by.get('/blade-system/user/page', { query: { size: 100, ...query } })).body.data
  expect(total).toBe(records.length)
  return records.map((row: { account: string }) => row.account).sort()
}

/** What the tables should hold, counted from the accounts, menus and departments themselves. */
const wantedParts = sql<{ field: string; part: string; id: string }>`
  select w.field, p as part, w.id::text as id from (
    select 'an' as field, real_name as word, 1 as shortest, id from account where not is_deleted
    union all select 'aa', account, 3, id from account where not is_deleted
    union all select 'sn', real_name, 0, id from account where not is_deleted and user_type = 1
    union all select 'sa', account, 3, id from account where not is_deleted and user_type = 1
    union all select 'mc', code, 3, id from menu where not is_deleted and not is_system
    union all select 'mn', name, 0, id from menu where not is_deleted and not is_system
    union all select 'me', name_en, 1, id from menu where not is_deleted and not is_system
    union all select 'ma', alias, 3, id from menu where not is_deleted and not is_system
    union all select 'dn', dept_name, 0, id from dept where not is_deleted
    union all select 'df', full_name, 0, id from dept where not is_deleted) w,
    lateral (select distinct substr(x, at, size) as p
      from (select search_fold(w.word) as x union all select unnest(string_to_array(pinyin_initials(w.word), ' ')) where w.shortest = 0) text,
      generate_series(greatest(w.shortest, 1), 3) size, generate_series(1, length(x) - size + 1) at) parts
  order by 1, 2, 3`
const keptParts = sql<{ field: string; part: string; id: string }>`
  select field, part, row_id::text as id from search_part order by 1, 2, 3`
const wantedPlaces = sql<{ dept: string; user: string; type: number }>`
  select distinct above::text as dept, a.id::text as user, a.user_type as type from account a join dept d on d.id = any(a.dept_ids), unnest(d.ancestor_ids || d.id) above
  where not a.is_deleted order by 1, 2`
const keptPlaces = sql<{ dept: string; user: string; type: number }>`
  select dept_id::text as dept, user_id::text as user, user_type as type from account_dept order by 1, 2`

describe('[S7.19] people of a large tenant are looked up by an index', () => {
  test('by part of a name or account, in whichever case, whole or longer than what is kept', async () => {
    await person('Chen.Jing', '陈静')
    await person('chen.jingyi', '陈静怡')
    await person('wang.wei', '欧阳陈静怡')
    const candidate = await tenant.candidate({ realName: '陈静宜' })
    const [{ account: ofCandidate } = { account: '' }] = await tenant.rows(
      sql<{ account: string }>`select account from account where id = ${candidate.userId}`,
    )
    const staff = { userType: 1 }
    expect(await found({ ...staff, realName: '陈' })).toEqual(['Chen.Jing', 'chen.jingyi', 'wang.wei'])
    expect(await found({ ...staff, realName: '陈静怡' })).toEqual(['chen.jingyi', 'wang.wei'])
    expect(await found({ ...staff, realName: '阳陈静怡' })).toEqual(['wang.wei'])
    expect(await found({ realName: '陈静' })).toEqual(['Chen.Jing', 'chen.jingyi', ofCandidate, 'wang.wei'].sort())
    expect(await found({ userType: 2, realName: '静' })).toEqual([ofCandidate])
    expect(await found({ ...staff, account: 'JIN' })).toEqual(['Chen.Jing', 'chen.jingyi'])
    expect(await found({ ...staff, account: 'chen.jingy' })).toEqual(['chen.jingyi'])
    // Shorter than what is kept of accounts: compared row by row.
    expect(await found({ ...staff, account: 'gy' })).toEqual(['chen.jingyi'])
    expect(await found({ ...staff, account: 'gy', realName: '陈静' })).toEqual(['chen.jingyi'])
    expect(await found({ ...staff, realName: '%' })).toEqual([])
    const elsewhere = await (await t.tenant()).staff('admin', { realName: '别处' })
    expect(await found({ realName: '陈静' }, elsewhere)).toEqual([])
  })

  test('by a department with all below it, through moves, changes and removals; what is kept is what there is', async () => {
    const root = (await admin.get('/blade-system/dept/lazy-list', { query: { parentId: 0 } })).body.data[0].id
    const [north, south] = [await dept('北院', root), await dept('南院', root)]
    const ward = await dept('内科', north)
    const room = await dept('一病区', ward)
    const one = await person('in.ward', '病区人', room)
    const two = await person('in.both', '两处人', `${room},${south}`)
    const by = (deptId: string) => found({ userType: 1, deptId })
    expect([await by(room), await by(north), await by(south)]).toEqual([['in.both', 'in.ward'], ['in.both', 'in.ward'], ['in.both']])
    expect(await found({ deptId: north, realName: '病区' })).toEqual(['in.ward'])
    expect(await found({ deptId: north, userType: 3 })).toEqual([])

    await place(ward, '内科', south)
    expect([await by(north), await by(south), await by(ward)]).toEqual([[], ['in.both', 'in.ward'], ['in.both', 'in.ward']])
    await admin.post('/blade-system/user/submit', { json: { id: one, realName: '改名人', deptId: north } })
    expect([await by(north), await by(room)]).toEqual([['in.ward'], ['in.both']])
    expect([await found({ realName: '病区' }), await found({ realName: '改名' })]).toEqual([[], ['in.ward']])
    expect(await tenant.rows(keptPlaces)).toEqual(await tenant.rows(wantedPlaces))

    expect((await admin.post('/blade-system/dept/remove', { query: { ids: room } })).body).toMatchObject({ code: 2004 })
    await admin.post('/blade-system/user/remove', { query: { ids: two } })
    expect([await by(room), await by(south), await found({ realName: '两处' })]).toEqual([[], [], []])
    expect(await tenant.rows(sql`select 1 from account_role where user_id = ${two}`)).toEqual([])
    expect((await admin.post('/blade-system/dept/remove', { query: { ids: room } })).body).toMatchObject({ code: 200 })
    expect(await tenant.rows(keptPlaces)).toEqual(await tenant.rows(wantedPlaces))
    expect(await tenant.rows(keptParts)).toEqual(await tenant.rows(wantedParts))
  })

  test('who is put into a department while it is being moved waits for the move and stands where it has gone', async () => {
    const root = (await admin.get('/blade-system/dept/lazy-list', { query: { parentId: 0 } })).body.data[0].id
    const [from, to] = [await dept('原址', root), await dept('新址', root)]
    const ward = await dept('迁移科', from)
    const moved = Promise.withResolvers<void>()
    const go = Promise.withResolvers<void>()
    const mover = tenant.db(async db => {
      await db.run(sql`update dept set parent_id = ${to}, ancestor_ids = array[${root}, ${to}]::bigint[] where id = ${ward}`)
      moved.resolve()
      await go.promise
    })
    await moved.promise
    const saved = person('in.move', '迁移人', ward)
    const owner = new pg.Client({ connectionString: t.databaseUrl })
    await owner.connect()
    const isWaiting = async (): Promise<boolean> =>
      (
        await owner.query(
          `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query ~ 'account'`,
        )
      ).rows.length > 0
    await expect.poll(isWaiting).toBe(true)
    go.resolve()
    await Promise.all([mover, saved])
    await owner.end()
    expect([await found({ deptId: from }), await found({ deptId: to })]).toEqual([[], ['in.move']])
    expect(await tenant.rows(keptPlaces)).toEqual(await tenant.rows(wantedPlaces))
  })

  test('[S7.17] menus and departments by part of their names and codes', async () => {
    const menus = async (query: object) =>
      (await admin.get('/blade-system/menu/lazy-list', { query: { ...query } })).body.data.map((row: { code: string }) => row.code).sort()
    expect(await menus({ code: 'user_lock' })).toEqual(['user_lock'])
    expect(await menus({ code: 'USER_LOC' })).toEqual(['user_lock'])
    expect(await menus({ name: 'Departmen' })).toEqual(await menus({ name: 'dEPARTMEN' }))
    expect(await menus({ name: '部门' })).toContain('dept')
    const own = { parentId: '0', code: 'own-page', name: '自建栏目', nameEn: 'Own page', path: '/own/page', sort: 1, category: 1 }
    const { id } = (await admin.post('/blade-system/menu/submit', { json: own })).body.data
    expect([await menus({ name: '自建' }), await menus({ name: 'wn pag' }), await menus({ code: 'WN-P' })]).toEqual([
      ['own-page'],
      ['own-page'],
      ['own-page'],
    ])
    await admin.post('/blade-system/menu/submit', { json: { ...own, id, name: '改名栏目' } })
    expect([await menus({ name: '自建' }), await menus({ name: '改名栏目' })]).toEqual([[], ['own-page']])
    expect(await tenant.rows(keptParts)).toEqual(await tenant.rows(wantedParts))
    const depts = async (query: object) =>
      (await admin.get('/blade-system/dept/lazy-list', { query: { ...query } })).body.data.map((row: { deptName: string }) => row.deptName)
    expect([await depts({ deptName: '南' }), await depts({ fullName: '南院' }), await depts({ deptName: '北南' })]).toEqual([
      ['南院'],
      ['南院'],
      [],
    ])
  })

  test('the index answers below the row policies: no comparison of theirs is one that might leak', async () => {
    const client = new pg.Client({
      connectionString: urlFor(t.databaseUrl, 'kaopu_staff', t.app.services.secrets.databasePasswords.kaopu_staff),
    })
    await client.connect()
    onTestFinished(() => client.end())
    // As many people as it takes for one index to be better than another.
    const owner = await t.owner()
    // They need not exist for a plan to be made; every later statement of this connection is checked again.
    await owner.query('set session_replication_role = replica')
    await owner.query(
      'insert into account_dept (tenant_id, dept_id, user_id, user_type) select $1, 1 + g % 50, 9000000 + g, 1 from generate_series(1, 5000) g',
      [tenant.tenantId],
    )
    await owner.query('reset session_replication_role')
    onTestFinished(async () => {
      await owner.query('delete from account_dept where user_id > 9000000 and dept_id <= 50')
    })
    await owner.query('analyze account_dept')
    await client.query(`begin; set local enable_seqscan = off; set local enable_bitmapscan = off`)
    await client.query(`select set_config('app.tenant_id', $1, true)`, [tenant.tenantId])
    const conditionOf = async (text: string): Promise<string> => {
      const { rows } = await client.query<Record<'QUERY PLAN', string>>(`explain (costs off) ${text}`)
      return rows.map(row => row['QUERY PLAN']).find(line => line.includes('Index Cond:')) ?? ''
    }
    expect(
      await conditionOf(`select row_id from search_part where field = 'an' and part = lower('陈静') order by row_id desc limit 10`),
    ).toContain('part')
    expect(await conditionOf(`select user_id from account_dept where dept_id = 1 order by user_id desc limit 10`)).toContain('dept_id = ')
    expect(await conditionOf(`select id from account where real_name like '%陈静%' and not is_deleted`)).not.toContain('real_name')
  })

  test('[S9.07] searches of people and menus by a word keep their plan; what hangs on a department or a role is planned anew', async () => {
    const actor = { kind: 'staff', tenantId: tenant.tenantId, userId: admin.userId, departments: null } as const
    const modeAfter = (work: (db: TenantDb) => Promise<unknown>) =>
      t.app.services.scopes.tx(actor, t.clock.now(), async db => {
        await work(db)
        return (await db.one(sql<{ mode: string }>`select current_setting('plan_cache_mode') as mode`)).mode
      })
    const modes = [
      await modeAfter(db => listUsers(db, { realName: '陈' }, undefined, 10, 0)),
      await modeAfter(db => countUsers(db, { account: 'abc' }, undefined, 1_000)),
      await modeAfter(db => listMenuLines(db, '0', { name: '角色' })),
      await modeAfter(db => listUsers(db, { realName: '陈', roleId: '1' }, undefined, 10, 0)),
      await modeAfter(db => listUsers(db, { realName: '陈', deptId: '1' }, undefined, 10, 0)),
      await modeAfter(db => listUsers(db, {}, undefined, 10, 0)),
      await modeAfter(db => listMenuLines(db, '0', {})),
    ]
    expect(modes).toEqual([...Array(3).fill('force_generic_plan'), ...Array(4).fill('auto')])
  })

  test('a candidate’s own transaction sees the parts of nobody else', async () => {
    const candidate = await tenant.candidate({ realName: '自己' })
    const { kaopu_candidate: password } = t.app.services.secrets.databasePasswords
    const client = new pg.Client({ connectionString: urlFor(t.databaseUrl, 'kaopu_candidate', password) })
    await client.connect()
    await client.query(
      `begin; select set_config('app.tenant_id', '${tenant.tenantId}', true), set_config('app.user_id', '${candidate.userId}', true)`,
    )
    const { rows } = await client.query(`select distinct row_id::text as id from search_part`)
    await client.end()
    expect(rows).toEqual([{ id: candidate.userId }])
  })

  test('an account never changes its kind, so what is kept of staff stays true', async () => {
    await expect(tenant.db(db => db.run(sql`update account set user_type = 2 where id = ${admin.userId}`))).rejects.toMatchObject({
      code: '42501',
    })
  })
})
