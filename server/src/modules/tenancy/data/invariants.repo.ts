import { sql } from '#kernel/db/sql.ts'
import type { Invariant } from '#kernel/invariant.ts'

export const tenancyInvariants: readonly Invariant[] = [
  {
    name: 'tenancy.package',
    label: { zh: '功能不超出套餐', en: 'No rights beyond the package' },
    means: { zh: '机构里有人持有套餐之外的菜单。', en: 'Somebody in the organisation holds a menu that its package does not have.' },
    watches: ['role_menu'],
    page: '/authority/role',
    by: 'tenant',
    broken: () => sql`
      select r.id, r.role_alias as name, m.code as found, '-' as expected
      from tenant t join role_menu k on k.tenant_id = t.tenant_id join role r on r.tenant_id = k.tenant_id and r.id = k.role_id and not r.is_deleted
      join menu m on m.tenant_id = k.tenant_id and m.id = k.menu_id
      where t.tenant_id = app_tenant() and m.is_platform and t.tenant_id <> '000000'`,
  },
]
