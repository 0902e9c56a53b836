import { sql } from '#kernel/db/sql.ts'
import type { Invariant } from '#kernel/invariant.ts'

const counted = sql`
  select tenant_id, 'account ' || user_type as counted, count(*) as n from account where not is_deleted group by 1, 2
  union all select tenant_id, 'param', count(*) from param where not is_deleted group by 1`

/** What is kept of accounts and departments beside them. */
export const organisationInvariants: readonly Invariant[] = [
  {
    name: 'organisation.reach',
    label: { zh: '人员所属部门的展开', en: 'Which departments a person is in' },
    means: {
      zh: '按部门限定的人看到了不该看的人，或看不到该看的人。',
      en: 'Somebody narrowed to departments sees people they should not, or misses some.',
    },
    watches: ['account_dept'],
    page: '/system/user',
    by: 'tenant',
    broken: () => sql`
      with due as (
        select distinct a.id as user_id, above as dept_id from account a, unnest(a.dept_ids) own join dept d on d.id = own, unnest(d.ancestor_ids || d.id) above where not a.is_deleted)
      select coalesce(d.user_id, k.user_id) as id, coalesce(a.account, coalesce(d.user_id, k.user_id)::text) as name, count(k.user_id) as found, count(d.user_id) as expected
      from due d full join account_dept k on k.user_id = d.user_id and k.dept_id = d.dept_id left join account a on a.id = coalesce(d.user_id, k.user_id)
      group by 1, 2 having count(k.user_id) <> count(*) or count(d.user_id) <> count(*)`,
    healer: {
      label: { zh: '重新展开', en: 'Place the person anew' },
      heal: async (db, id) => void (await db.run(sql`select place_people(${db.actor.tenantId}, array[${id}::bigint])`)),
    },
  },
  {
    name: 'organisation.ancestors',
    label: { zh: '部门层级', en: 'Chains of departments' },
    means: { zh: '上级链断开，数据权限按错误的层级计算。', en: 'A chain does not lead to the top: rights go by a wrong tree.' },
    watches: ['dept.ancestor_ids'],
    page: '/system/dept',
    by: 'tenant',
    broken: () => sql`
      select d.id, d.dept_name as name, d.ancestor_ids::text as found, coalesce((p.ancestor_ids || p.id)::text, '-') as expected
      from dept d left join dept p on p.tenant_id = d.tenant_id and p.id = d.parent_id
      where not d.is_deleted and d.ancestor_ids is distinct from case when d.parent_id = 0 then '{}'::bigint[] else p.ancestor_ids || p.id end`,
  },
  {
    name: 'organisation.counts',
    label: { zh: '列表总数', en: 'Totals of long lists' },
    means: {
      zh: '用户、参数列表的总数和分页不对。',
      en: 'The lists of users and parameters show a wrong total, and pages too many or too few.',
    },
    watches: ['row_count'],
    page: '/system/user',
    by: 'tenant',
    broken: () => sql`
      select coalesce(c.counted, k.counted) as id, coalesce(c.counted, k.counted) as name, coalesce(k.n, 0) as found, coalesce(c.n, 0) as expected
      from (${counted}) c full join (select counted, sum(n) as n from row_count group by 1) k on k.counted = c.counted where coalesce(c.n, 0) <> coalesce(k.n, 0)`,
    healer: {
      label: { zh: '重新计数', en: 'Count anew' },
      heal: async (db, id) =>
        void (await db.run(sql`
          insert into row_count (tenant_id, counted, n)
          select ${db.actor.tenantId}, ${id}, d.n from (
            select coalesce((select n from (${counted}) c where c.counted = ${id}), 0) - coalesce((select sum(n) from row_count where counted = ${id}), 0) as n) d
          where d.n <> 0`)),
    },
  },
  {
    name: 'organisation.search',
    label: { zh: '按姓名、账号、名称查找', en: 'Finding people, departments and menus' },
    means: { zh: '查找时漏掉人、部门或菜单。', en: 'A search misses people, departments or menus.' },
    watches: ['search_part'],
    page: '/system/user',
    by: 'tenant',
    broken: () => sql`
      with kept as materialized (select field, row_id, count(*) as n from search_part group by 1, 2),
      due as (
        select 'an' as field, id, real_name as word, 1 as shortest from account where not is_deleted and real_name <> ''
        union all select 'dn', id, dept_name, 0 from dept where not is_deleted and dept_name <> ''
        union all select 'mn', id, name, 0 from menu where not is_deleted and not is_system and name <> '')
      select d.field || ' ' || d.id as id, d.field || ' ' || d.id as name, 0::bigint as found, '≥ 1' as expected
        from due d, lateral (select part from search_parts(d.word, d.shortest) part limit 1) any_of
        where not exists (select 1 from search_part k where k.field = d.field and k.part = any_of.part and k.row_id = d.id offset 0)
      union all
      select k.field || ' ' || k.row_id, k.field || ' ' || k.row_id, k.n, '0' from kept k
        where k.field in ('an', 'aa') and not exists (select 1 from account a where a.id = k.row_id and not a.is_deleted)
          or k.field in ('dn', 'df') and not exists (select 1 from dept d where d.id = k.row_id and not d.is_deleted)
          or k.field in ('mc', 'mn', 'me', 'ma') and not exists (select 1 from menu m where m.id = k.row_id and not m.is_deleted)`,
    healer: {
      label: { zh: '重建查找条目', en: 'Write the entries anew' },
      heal: async (db, id) => {
        const [field = '', row = '0'] = id.split(' ')
        await db.run(sql`delete from search_part where field = ${field} and row_id = ${row}`)
        await db.run(sql`
          insert into search_part (tenant_id, field, part, row_id)
          select ${db.actor.tenantId}, ${field}, p, ${row}::bigint from (
            select case ${field} when 'an' then real_name when 'aa' then account end as word, case ${field} when 'an' then 1 else 3 end as shortest
              from account where id = ${row} and not is_deleted and ${field} in ('an', 'aa')
            union all select case ${field} when 'dn' then dept_name else full_name end, 0 from dept where id = ${row} and not is_deleted and ${field} in ('dn', 'df')
            union all select case ${field} when 'mc' then code when 'mn' then name when 'me' then name_en else alias end,
                case ${field} when 'mn' then 0 when 'me' then 1 else 3 end
              from menu where id = ${row} and not is_deleted and not is_system and ${field} in ('mc', 'mn', 'me', 'ma')) w, search_parts(w.word, w.shortest) p`)
      },
    },
  },
  {
    name: 'organisation.quota',
    label: { zh: '工作人员不超过机构额度', en: 'No more staff than the organisation may have' },
    means: {
      zh: '超出额度的账号不能登录，机构应续购或停用账号。',
      en: 'Accounts beyond the quota cannot log in: widen it or remove accounts.',
    },
    watches: ['tenant.account_number'],
    page: '/system/user',
    by: 'tenant',
    broken: () => sql`
      select t.id, t.tenant_name as name, a.n as found, '≤ ' || t.account_number as expected
      from tenant t cross join lateral (
        select count(*) as n from account a where a.tenant_id = t.tenant_id and a.user_type = 1 and a.status in (1, 2, 4) and not a.is_deleted) a
      where t.tenant_id = app_tenant() and t.account_number > 0 and a.n > t.account_number`,
  },
  {
    name: 'organisation.apart',
    label: { zh: '三员分立', en: 'Three who are not one person' },
    means: {
      zh: '一人同时是系统管理员、安全管理员、审计员中的两员，审计失去意义。',
      en: 'One person is two of administrator, security administrator and auditor: nobody watches them.',
    },
    watches: ['account_role'],
    page: '/system/user',
    by: 'tenant',
    broken: () => sql`
      select a.id, a.account as name, string_agg(r.role_alias, ' + ' order by r.role_alias) as found, '1' as expected
      from account a join account_role k on k.tenant_id = a.tenant_id and k.user_id = a.id
      join role r on r.tenant_id = k.tenant_id and r.id = k.role_id and not r.is_deleted and r.role_alias in ('admin', 'secadmin', 'auditor')
      where not a.is_deleted group by a.id, a.account having count(*) > 1`,
  },
]
