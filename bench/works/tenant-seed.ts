import { ensureTenant } from '../../server/seed/base/seed-base.ts'
import { type Cluster, createDatabase, type Database } from '../cluster.ts'
import { createHolders, type Holder, recountRows } from '../seed.ts'

/** How large a tenant is. */
export interface TenantSize {
  readonly depts: number
  readonly users: number
  /** Menus and buttons together; never fewer than a new tenant has. */
  readonly menus: number
}

export interface SeededTenant {
  readonly database: Database
  readonly tenantId: string
  readonly staff: Holder
  readonly logins: readonly string[]
  readonly password: string
  readonly menus: number
  readonly deptId: string
  /** Of that department. */
  readonly deptName: string
  /** A branch of departments, and one of menus. */
  readonly branch: { readonly dept: string; readonly menu: string }
  readonly roleId: string
  readonly userId: string
  /** Sessions that no process has seen yet. */
  readonly strangers: readonly Holder[]
}

const tenantId = 'bench'
const strangers = 400

/** Departments as a tree of five levels with ten below each, as many as asked for. */
const deptSql = `
  with recursive made as (
    select g as n, case when g = 1 then 0 else (g + 8) / 10 end as above from generate_series(1, $2::int) g),
  numbered as (select n, above, next_id() as id from made),
  chained as (
    select n, id, 0::bigint as parent_id, '{}'::bigint[] as chain from numbered where above = 0
    union all select d.n, d.id, c.id, c.chain || c.id from numbered d join chained c on d.above = c.n)
  insert into dept (tenant_id, id, parent_id, ancestor_ids, dept_name, full_name, dept_category, sort)
  select $1::varchar, id, parent_id, chain, '科室' || n, '区卫生健康局科室' || n, case when n = 1 then 1 else 2 end, n from chained`
/** Staff and candidates as they are in a district: one in ten is staff, with a department, a role and a name that others have too. */
const userSql = `
  insert into account (tenant_id, id, account, account_key, user_type, nick_name, real_name, user_code, dept_id, created_at)
  select $1::varchar, next_id(), 'u' || g, 'u' || g, case when g % 10 = 0 then 1 else 2 end, '王测', (array['王','李','张','刘','陈','杨','黄','赵','吴','周'])[1 + g % 10] || (array['伟','芳','娜','敏','静','丽','强','磊','军','洋','勇','艳'])[1 + g / 10 % 12] || '测',
    case when g % 10 = 0 then null else 'K' || lpad(g::text, 10, '0') end, case when g % 10 = 0 then (array(select id::text from dept where tenant_id = $1::varchar order by sort))[1 + g / 10 % $3::int] end, now() - (g || ' seconds')::interval
  from generate_series(1, $2::int) g`
const roleSql = `
  insert into account_role (tenant_id, user_id, role_id)
  select a.tenant_id, a.id, r.id from account a join role r on r.tenant_id = a.tenant_id and r.role_alias = case when a.user_type = 2 then 'candidate' else (array['reviewer1', 'reviewer2', 'finance', 'unit_hr'])[1 + (a.id % 4)::int] end
  where a.tenant_id = $1::varchar and a.account ~ '^u[0-9]+$'`
const loginSql = `
  insert into login_log (tenant_id, user_id, account_key, grant_type, result, ip, user_agent)
  select tenant_id, id, account_key, 'password', 'ok', '10.0.0.1', 'Mozilla/5.0' from account where tenant_id = $1::varchar and user_type = 1`
/** Sections with eight pages of six buttons each, none of them granted to the callers. */
const menuSql = `
  with section as (
    insert into menu (tenant_id, id, parent_id, code, name, name_en, path, sort, category)
    select $1::varchar, next_id(), 0, 'section' || g, '栏目' || g, 'Section ' || g, '/section' || g, 100 + g, 1 from generate_series(1, greatest(1, $2::int / 57)) g returning id, code),
  page as (
    insert into menu (tenant_id, id, parent_id, code, name, name_en, path, sort, category)
    select $1::varchar, next_id(), s.id, s.code || 'p' || g, '页面' || g, 'Page ' || g, '/' || s.code || '/p' || g, g, 1 from section s, generate_series(1, 8) g returning id, code)
  insert into menu (tenant_id, id, parent_id, code, name, name_en, sort, category)
  select $1::varchar, next_id(), p.id, p.code || '_b' || g, '按钮' || g, 'Button ' || g, g, 2 from page p, generate_series(1, 6) g`

/** What triggers keep, in one statement each: row by row it takes minutes. */
const partSql = `
  insert into search_part
  select a.tenant_id, w.field, p, a.id from account a, lateral (values ('an', a.real_name, 1), ('aa', a.account, 3), ('sn', a.real_name, 1), ('sa', a.account, 3)) w(field, word, shortest),
    search_parts(w.word, w.shortest) p
  where a.tenant_id = $1::varchar and a.account ~ '^u[0-9]+$' and (a.user_type = 1 or w.field in ('an', 'aa'))`
const menuPartSql = `
  insert into search_part
  select m.tenant_id, w.field, p, m.id from menu m, lateral (values ('mc', m.code, 3), ('mn', m.name, 1), ('me', m.name_en, 1)) w(field, word, shortest), search_parts(w.word, w.shortest) p
  where m.tenant_id = $1::varchar and m.code ~ '^section[0-9]'`
const placeSql = `
  insert into account_dept
  select a.tenant_id, above, a.id, a.user_type from account a, unnest(a.dept_ids) own join dept d on d.id = own, unnest(d.ancestor_ids || d.id) above
  where a.tenant_id = $1::varchar and d.tenant_id = a.tenant_id`

/** A tenant of this size on a database of its own, with people who are logged in. */
export const seedTenant = async (cluster: Cluster, name: string, size: TenantSize): Promise<SeededTenant> => {
  const database = await createDatabase(cluster, name)
  const { owner, scopes } = database
  const now = new Date()
  await ensureTenant(scopes, now, { tenantId, name: '测试区卫生健康局', domain: null })
  await owner.query(`select set_config('app.now', $1, false), set_config('app.tenant_id', $2, false)`, [now.toISOString(), tenantId])
  const count = async (table: string): Promise<number> =>
    Number(
      (
        await owner.query<{ n: string }>(`select count(*)::text as n from ${table} where tenant_id = $1::varchar and not is_deleted`, [
          tenantId,
        ])
      ).rows[0]?.n,
    )
  await owner.query('delete from dept where tenant_id = $1::varchar', [tenantId])
  await owner.query(deptSql, [tenantId, size.depts])
  await owner.query('set session_replication_role = replica')
  await owner.query(userSql, [tenantId, size.users, size.depts])
  await owner.query(roleSql, [tenantId])
  await owner.query(loginSql, [tenantId])
  // Entry by entry an index of millions takes minutes.
  await owner.query('alter table search_part drop constraint search_part_pkey')
  await owner.query(partSql, [tenantId])
  await owner.query('alter table search_part add primary key (tenant_id, field, part, row_id)')
  await owner.query('analyze account, dept')
  await owner.query(placeSql, [tenantId])
  const missing = size.menus - (await count('menu'))
  if (missing > 57) {
    await owner.query(menuSql, [tenantId, missing])
    await owner.query(menuPartSql, [tenantId])
  }
  await owner.query('set session_replication_role = origin')
  await recountRows(owner)
  const holders = createHolders(database, tenantId, now)
  const staff = await holders.staff('bench-admin', ['admin'])
  const password = 'bench-Password-2026'
  const hash = await cluster.passwords.hash(password)
  const logins: string[] = []
  for (let i = 0; i < 40; i += 1) {
    logins.push(`login${i}`)
    await holders.account(`login${i}`, 1, ['reviewer1'], hash)
  }
  const unseen: Holder[] = []
  for (let i = 0; i < strangers; i += 1) unseen.push(await holders.staff(`stranger${i}`, ['reviewer1']))
  const one = async (text: string): Promise<string> => (await owner.query<{ id: string }>(text, [tenantId])).rows[0]?.id ?? '0'
  const seeded = {
    ...{ database, tenantId, staff, logins, password, strangers: unseen, menus: await count('menu') },
    deptName: `科室${size.depts}`,
    deptId: await one('select id::text as id from dept where tenant_id = $1::varchar order by sort desc limit 1'),
    branch: {
      dept: await one('select id::text as id from dept where tenant_id = $1::varchar and parent_id = 0 limit 1'),
      menu: await one(`select id::text as id from menu where tenant_id = $1::varchar and code = 'system' limit 1`),
    },
    roleId: await one(`select id::text as id from role where tenant_id = $1::varchar and role_alias = 'finance'`),
    userId: await one(`select id::text as id from account where tenant_id = $1::varchar and user_type = 1 order by id desc limit 1`),
  }
  await owner.query('vacuum (analyze)')
  await owner.query('checkpoint')
  return seeded
}
