import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { plainResources } from '#contract/nouns.ts'
import { databaseRoles, urlFor } from '#kernel/db/pool.ts'
import { nounsOfUnits } from '#kernel/http/row-scope.ts'
import { snakeCase } from '#kernel/names.ts'
import { startTestApp, type TestApp } from '../support/app.ts'

/** Those of this database; the server has roles of others, too. */
const ownRoles = `'{${databaseRoles.join(',')}}'::text[]`
let t: TestApp
let owner: pg.Client
beforeAll(async () => {
  t = await startTestApp()
  owner = await t.owner()
})
afterAll(() => t.close())
const list = async (statement: string): Promise<string[]> => (await owner.query<{ name: string }>(statement)).rows.map(row => row.name)

describe('the database wall by itself', () => {
  test('every table with a tenant has forced row security, a policy for staff and platform, and a key led by the tenant', async () => {
    const tables = await list(
      `select c.table_name as name from information_schema.columns c join information_schema.tables t using (table_schema, table_name) where c.table_schema = 'public' and c.column_name = 'tenant_id' and t.table_type = 'BASE TABLE' order by 1`,
    )
    expect(tables.length).toBeGreaterThan(30)
    const open = await list(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and relname = any('{${tables.join(',')}}') and not (relrowsecurity and relforcerowsecurity)`,
    )
    expect(open).toEqual([])
    const covered = await list(
      `select tablename as name from pg_policies where schemaname = 'public' and 'kaopu_staff' = any(roles) and cmd = 'ALL' and qual like '%app.tenant_id%' and with_check like '%app.tenant_id%'`,
    )
    expect(tables.filter(table => !covered.includes(table))).toEqual([])
    const keyed = await list(
      `select c.conrelid::regclass::text as name from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1] where c.contype = 'p' and a.attname = 'tenant_id'`,
    )
    expect(tables.filter(table => !keyed.includes(table))).toEqual([])
  })

  test('a noun whose declaration is all there is has a column for every field, and what may be left empty may be null', async () => {
    const { rows } = await owner.query<{ place: string; nullable: boolean }>(
      `select table_name || '.' || column_name as place, is_nullable = 'YES' as nullable from information_schema.columns where table_schema = 'public'`,
    )
    const nullable = new Map(rows.map(row => [row.place, row.nullable]))
    const problems = plainResources.flatMap(({ table, fields }) =>
      Object.entries(fields).flatMap(([name, field]) => {
        const place = `${table}.${snakeCase(name)}`
        if (!nullable.has(place)) return [`${place} is missing`]
        const mayBeEmpty = field.form !== false && !field.required && field.default === undefined && field.kind !== 'bool'
        return mayBeEmpty && nullable.get(place) === false ? [`${place} is not null, and the form may leave it empty`] : []
      }),
    )
    expect(plainResources.length).toBeGreaterThan(1)
    expect(problems).toEqual([])
  })

  test('what hangs on an examination is narrowed with it, in every table', async () => {
    const hanging = await list(`
      select distinct c.table_name as name from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
      where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.column_name = any('{exam_id,signup_id,sign_up_id,pay_id,order_id,ticket_id,result_id}') order by 1`)
    const narrowed = await list(`
      select tablename as name from pg_policies where policyname = 'within_departments' and permissive = 'RESTRICTIVE' and (cmd = 'ALL' or tablename = 'sms_message' and cmd = 'SELECT')
        and roles = '{kaopu_staff_narrow,kaopu_system_narrow}' and (qual like '%app_departments()%' or qual like '%app_exams()%')`)
    expect(hanging.length).toBeGreaterThan(25)
    // Letters to a person are read by that person alone. What a narrowed person does may order a text message that they do not read.
    expect(hanging.filter(table => !narrowed.includes(table))).toEqual(['notify'])
    expect(narrowed).toContain('examination')
    // Settings that narrow find no tenant on the role of somebody whom nothing narrows, for reading and for writing.
    const guarded = await list(`
      select tablename as name from pg_policies where policyname = 'tenant_staff' and qual = with_check
        and qual like '%WHEN (%app.departments%CURRENT_USER <> ALL (ARRAY[''kaopu_staff_narrow''::name, ''kaopu_system_narrow''::name])%THEN NULL%'`)
    expect(narrowed.filter(table => !guarded.includes(table))).toEqual([])
  })

  test('policies that narrow are asked of nobody but narrowed people, who are the role behind theirs and cannot become it', async () => {
    const asked = await list(`
      select distinct tablename || '.' || policyname as name from pg_policies
      where roles && '{kaopu_staff,kaopu_system,public}' and qual ~ 'app_(departments|department_ids|exams|units|reaches)'`)
    expect(asked).toEqual([])
    // Before PostgreSQL 16 a membership was one piece: it inherited, and whoever held it could become the role.
    const { rows: memberships } = await owner.query(`
      select m.rolname as narrow, r.rolname as role, a.admin_option as gives, m.rolinherit as "inheritsAll", to_jsonb(a) as options
      from pg_auth_members a join pg_roles m on m.oid = a.member join pg_roles r on r.oid = a.roleid where m.rolname = any(${ownRoles}) order by 1`)
    const member = (role: string) => ({ narrow: `${role}_narrow`, role, gives: false, inherits: true, becomes: false })
    expect(
      memberships.map(({ inheritsAll, options, ...row }) => ({
        ...row,
        inherits: options.inherit_option ?? inheritsAll,
        becomes: options.set_option ?? false,
      })),
    ).toEqual([member('kaopu_staff'), member('kaopu_system')])
    // Rights come with the membership alone: what is taken from the role behind is taken from both.
    expect(
      await list(
        `select table_name as name from information_schema.role_table_grants where grantee = any(${ownRoles}) and grantee like '%\\_narrow'`,
      ),
    ).toEqual([])
  })

  test('units that a policy asks for are sent', async () => {
    const asked = await list(`
      select distinct m[1] as name from pg_policies, regexp_matches(qual, $re$app_(?:units|reaches_unit)\\([^()]*'(\\w+)'$re$, 'g') m`)
    expect(asked).not.toEqual([])
    expect(asked.filter(noun => !(nounsOfUnits as readonly string[]).includes(noun))).toEqual([])
  })

  test('references between tenant tables carry the tenant, unique keys lead with it', async () => {
    const loose = await list(`
      select c.conname as name from pg_constraint c join pg_class f on f.oid = c.confrelid
      where c.contype = 'f' and c.connamespace = 'public'::regnamespace and f.relname <> 'tenant'
        and not exists (select 1 from unnest(c.conkey) k join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k where a.attname = 'tenant_id')`)
    expect(loose).toEqual([])
    const unique = await list(`
      select i.relname as name from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class c on c.oid = x.indrelid
      join pg_attribute a on a.attrelid = c.oid and a.attnum = x.indkey[0]
      where x.indisunique and c.relnamespace = 'public'::regnamespace and a.attname <> 'tenant_id'
        and exists (select 1 from pg_attribute t where t.attrelid = c.oid and t.attname = 'tenant_id')
      order by 1`)
    // Tokens are 256-bit random and looked up before the tenant is known; ids of tenants and domains belong to the platform.
    expect(unique).toEqual(
      [
        'guest_session_access_hash_key',
        'session_access_hash_key',
        'session_key_handle_hash_key',
        'session_previous_refresh_hash_key',
        'session_refresh_hash_key',
        'tenant_id_key',
        // A ciphertext is used up in the whole installation: its key is the installation's.
        'used_cipher_digest_uq',
        'used_cipher_former_uq',
      ]
        .sort()
        .filter(name => unique.includes(name)),
    )
  })

  test('who holds which role, and a role which menus and scopes, is a reference within one tenant: none of them may go missing', async () => {
    const held = [
      ...[
        'account_role.role_id → role',
        'account_role.user_id → account',
        'role_api_scope.role_id → role',
        'role_api_scope.scope_id → api_scope',
      ],
      ...[
        'role_data_scope.role_id → role',
        'role_data_scope.scope_id → data_scope',
        'role_menu.menu_id → menu',
        'role_menu.role_id → role',
      ],
      ...['session.user_id → account', 'top_menu_menu.menu_id → menu', 'top_menu_menu.top_menu_id → top_menu'],
    ]
    const found = await list(`
      select c.conrelid::regclass || '.' || a.attname || ' → ' || c.confrelid::regclass as name
      from pg_constraint c join pg_attribute t on t.attrelid = c.conrelid and t.attnum = c.conkey[1] join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[2]
      where c.contype = 'f' and c.connamespace = 'public'::regnamespace and t.attname = 'tenant_id' and cardinality(c.conkey) = 2`)
    expect(held.filter(reference => !found.includes(reference))).toEqual([])
  })

  test('no view or function widens what a role sees, and the application owns nothing', async () => {
    expect(await list(`select proname as name from pg_proc where pronamespace = 'public'::regnamespace and prosecdef`)).toEqual([])
    expect(
      await list(
        `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('v', 'm') and not coalesce(reloptions, '{}') @> '{security_invoker=true}'`,
      ),
    ).toEqual([])
    expect(
      await list(
        `select relname as name from pg_class c join pg_roles r on r.oid = c.relowner where r.rolname = any(${ownRoles}) and relnamespace = 'public'::regnamespace`,
      ),
    ).toEqual([])
    expect(
      await list(
        `select rolname as name from pg_roles where rolname = any(${ownRoles}) and (rolsuper or rolbypassrls or rolcreaterole or rolcreatedb)`,
      ),
    ).toEqual([])
  })

  test('a role without a tenant sees no row of any table, and cannot write one', async () => {
    const tenant = await t.tenant()
    await tenant.candidate()
    const tables = await list(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and relrowsecurity order by 1`,
    )
    for (const role of ['kaopu_staff', 'kaopu_candidate', 'kaopu_system', 'kaopu_staff_narrow', 'kaopu_system_narrow'] as const) {
      const client = new pg.Client({ connectionString: urlFor(t.databaseUrl, role, t.app.services.secrets.databasePasswords[role]) })
      await client.connect()
      const seen: string[] = []
      for (const table of tables) {
        const { rows } = await client
          .query(`select 1 from "${table}" limit 1`)
          .catch((error: { code?: string }) => ({ rows: error.code === '42501' ? [] : ['error'] }))
        if (rows.length > 0) seen.push(table)
      }
      expect(seen).toEqual([])
      await client.query(`begin; select set_config('app.tenant_id', '', true), set_config('app.now', '2026-01-01', true)`)
      await expect(
        client.query(`insert into param (tenant_id, param_name, param_key, param_value) values ('000000', 'x', 'x', 'x')`),
      ).rejects.toMatchObject({ code: '42501' })
      await client.end()
    }
  })

  test('a row cannot be moved to another tenant, not even by the platform', async () => {
    const one = await t.tenant()
    const two = await t.tenant()
    const client = new pg.Client({
      connectionString: urlFor(t.databaseUrl, 'kaopu_platform', t.app.services.secrets.databasePasswords.kaopu_platform),
    })
    await client.connect()
    await expect(client.query(`update param set tenant_id = $1 where tenant_id = $2`, [two.tenantId, one.tenantId])).rejects.toMatchObject({
      code: '42501',
    })
    await client.end()
  })
})
