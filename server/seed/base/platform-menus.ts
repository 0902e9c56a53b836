import type { SystemRole } from '#contract/access/role.ts'
import type { MenuSeed } from './menu-seed.ts'

const operator: readonly SystemRole[] = ['administrator']
const buttons = (...more: readonly (readonly [action: string, zh: string, en: string])[]) =>
  ([['view', '查看', 'View'], ['add', '新增', 'Add'], ['edit', '编辑', 'Edit'], ['delete', '删除', 'Delete'], ...more] as const).map(
    ([action, zh, en]) => [action, zh, en, operator] as const,
  )

/** What stands above all tenants. Held by the role administrator alone, these menus exist in the platform's own tenant only. */
export const platformMenuSeeds: readonly MenuSeed[] = [
  {
    code: 'tenant',
    zh: '租户管理',
    en: 'Tenants',
    path: '/system/tenant',
    icon: 'unit',
    roles: operator,
    buttons: buttons(['setting', '授权配置', 'Quota, expiry and package'], ['export', '导出', 'Export']),
  },
  {
    code: 'tenantpackage',
    zh: '租户套餐',
    en: 'Tenant packages',
    path: '/system/tenant-package',
    icon: 'list',
    roles: operator,
    buttons: buttons(['export', '导出', 'Export']),
  },
  {
    code: 'platformparam',
    zh: '平台参数',
    en: 'Platform parameters',
    path: '/system/platformParam',
    icon: 'param',
    roles: operator,
    buttons: [
      ['view', '查看', 'View', operator],
      ['edit', '编辑', 'Edit', operator],
    ],
  },
  {
    code: 'client',
    zh: '客户端管理',
    en: 'Clients',
    path: '/system/client',
    icon: 'key',
    roles: operator,
    buttons: buttons(['export', '导出', 'Export']),
  },
  {
    code: 'region',
    zh: '行政区划',
    en: 'Regions',
    path: '/base/region',
    icon: 'unit',
    roles: operator,
    buttons: buttons(['import', '导入', 'Import'], ['export', '导出', 'Export'], ['debug', '级联试用', 'Try the choice']),
  },
  {
    code: 'datasource',
    zh: '数据源',
    en: 'Data sources',
    path: '/tool/datasource',
    icon: 'param',
    roles: operator,
    buttons: buttons(['export', '导出', 'Export']),
  },
]
