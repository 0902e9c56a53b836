import { resources } from '#contract/nouns.ts'
import { allRoutes } from '#contract/registry.ts'
import { sql } from '#kernel/db/sql.ts'
import { attempt, call, rowsOf, sampleOf, tenantTables } from '../ask.ts'
import { expectText, type Installation, judged, type Reading } from '../reading.ts'

const rightsOfRoles = async (at: Installation): Promise<Reading> => {
  const roles = await rowsOf(
    at,
    sql<{ tenant: string; role: string; people: number; menus: number }>`
      select r.tenant_id as tenant, r.role_alias as role,
        (select count(*)::int from account_role ar where ar.tenant_id = r.tenant_id and ar.role_id = r.id) as people,
        (select count(*)::int from role_menu m where m.tenant_id = r.tenant_id and m.role_id = r.id) as menus
      from role r where not r.is_deleted order by 1, 2 limit 500`,
  )
  const without = await rowsOf(
    at,
    sql<{ n: number }>`
      select count(*)::int as n from account a where a.user_type = 1 and a.status = 1 and not a.is_deleted
        and not exists (select 1 from account_role ar where ar.tenant_id = a.tenant_id and ar.user_id = a.id)`,
  )
  return {
    settings: [
      {
        name: { zh: '没有任何角色的工作人员（登录后无权限）', en: 'Staff without a role (they may do nothing)' },
        value: without[0]?.n ?? 0,
      },
    ],
    tests: [
      judged(
        { zh: '每个角色的菜单和按钮由授权决定', en: 'What a role may do is granted' },
        'roles with grants',
        `${roles.filter(({ menus }) => menus > 0).length} of ${roles.length} roles have grants`,
        roles.some(({ menus }) => menus > 0),
      ),
    ],
    samples: [sampleOf({ zh: '角色、人数和授权数', en: 'Roles, people and grants' }, roles)],
  }
}

/** Every declared call without a session: nothing but the public ones may answer. */
const closedByDefault = async (at: Installation): Promise<Reading> => {
  const guarded = allRoutes().filter(({ access }) => !('public' in access))
  const open: string[] = []
  for (const { method, path } of guarded) {
    const { status } = await call(
      at,
      method,
      `/api${path}`,
      method === 'POST' ? { headers: { 'content-type': 'application/json' }, payload: {} } : {},
    )
    if (status !== 401) open.push(`${method} ${path}: ${status}`)
  }
  return {
    settings: [
      { name: { zh: '接口总数', en: 'Calls' }, value: allRoutes().length },
      { name: { zh: '无需登录的接口', en: 'Calls without a log-in' }, value: allRoutes().length - guarded.length },
    ],
    tests: [
      expectText(
        { zh: `未登录调用全部 ${guarded.length} 个受保护接口`, en: `All ${guarded.length} guarded calls without a session` },
        'HTTP 401 from each',
        open.length === 0 ? 'HTTP 401 from each' : open.join('; '),
      ),
    ],
    samples: [
      sampleOf(
        { zh: '无需登录的接口及理由', en: 'Calls without a log-in, and why' },
        allRoutes().flatMap(({ method, path, access }) => ('public' in access ? [{ method, path, because: access.because }] : [])),
      ),
    ],
  }
}

const databaseRoles = async (at: Installation): Promise<Reading> => {
  const { pools } = at.application.services
  const rows = await Promise.all(
    (['kaopu_staff', 'kaopu_candidate', 'kaopu_system', 'kaopu_platform', 'kaopu_worker'] as const).map(async pool => {
      const { rows: found } = await pools[pool].query<{
        role: string
        superuser: boolean
        bypass: boolean
        create: boolean
        tables: number
      }>(
        `select r.rolname as role, r.rolsuper as superuser, r.rolbypassrls as bypass, r.rolcreatedb or r.rolcreaterole as create,
           (select count(*)::int from pg_catalog.pg_class c where c.relowner = r.oid) as tables from pg_catalog.pg_roles r where r.rolname = current_user`,
      )
      return found[0] ?? { role: pool, superuser: true, bypass: true, create: true, tables: -1 }
    }),
  )
  const strong = rows.filter(({ superuser, bypass, create, tables }) => superuser || bypass || create || tables !== 0)
  return {
    tests: [
      expectText(
        {
          zh: '程序使用的数据库角色没有超级用户、绕过行级安全、建库建角色权限，也不拥有任何表',
          en: 'Roles of the program are no superusers, bypass no row-level security, create nothing and own no table',
        },
        'none',
        strong.length === 0 ? 'none' : strong.map(({ role }) => role).join(', '),
      ),
    ],
    samples: [sampleOf({ zh: '数据库角色', en: 'Roles of the database' }, rows)],
  }
}

const rowSecurity = async (at: Installation): Promise<Reading> => {
  const tables = await tenantTables(at)
  const open = tables.filter(({ isForced, policies }) => !isForced || policies === 0).map(({ name }) => name)
  const pool = at.application.services.pools.kaopu_staff
  const leaks: string[] = []
  for (const { name } of tables) {
    const seen = await attempt(pool, [`select 1 from "${name}" limit 1`])
    if (seen.startsWith('rows: ') && seen !== 'rows: 0') leaks.push(name)
  }
  return {
    settings: [{ name: { zh: '按机构隔离的表', en: 'Tables with a tenant' }, value: tables.length }],
    tests: [
      expectText(
        { zh: '没有强制行级安全或没有策略的表', en: 'Tables without forced row-level security or without a policy' },
        'none',
        open.join(', ') || 'none',
      ),
      expectText(
        { zh: '不声明机构的工作人员连接能读到数据的表', en: 'Tables that a connection of staff reads without naming a tenant' },
        'none',
        leaks.join(', ') || 'none',
      ),
    ],
    samples: [sampleOf({ zh: '表、强制行级安全、策略数', en: 'Tables, forced row-level security, policies' }, tables)],
  }
}

const fieldRules = async (at: Installation): Promise<Reading> => {
  const rules = await rowsOf(
    at,
    sql<{ tenant: string; role: string; field: string; level: string }>`
      select f.tenant_id as tenant, r.role_alias as role, f.noun || '.' || f.field as field, case f.level when 1 then 'masked' else 'hidden' end as level
      from role_field_rule f join role r on r.tenant_id = f.tenant_id and r.id = f.role_id order by 1, 2, 3 limit 500`,
  )
  const refused = await call(at, 'GET', '/api/blade-system/user/page')
  return {
    settings: [
      { name: { zh: '可按字段设置规则的数据种类', en: 'Kinds of data whose fields take rules' }, value: resources.length },
      { name: { zh: '已设置的字段规则', en: 'Rules that are set' }, value: rules.length },
    ],
    tests: [
      judged(
        { zh: '人员列表不经授权不可读', en: 'The list of people is closed without a grant' },
        'HTTP 401',
        `HTTP ${refused.status}`,
        refused.status === 401,
      ),
    ],
    samples: [sampleOf({ zh: '字段规则', en: 'Rules of fields' }, rules)],
  }
}

/** What may be done, and by whom. */
export const accessProbes = {
  'rights-of-roles': { title: { zh: '角色与授权', en: 'Roles and grants' }, read: rightsOfRoles },
  'closed-by-default': { title: { zh: '默认关闭', en: 'Closed by default' }, read: closedByDefault },
  'database-roles': { title: { zh: '数据库角色', en: 'Roles of the database' }, read: databaseRoles },
  'row-security': { title: { zh: '行级安全', en: 'Row-level security' }, read: rowSecurity },
  'field-rules': { title: { zh: '字段规则', en: 'Rules of fields' }, read: fieldRules },
} as const
