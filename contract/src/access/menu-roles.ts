import type { MenuButton } from '../kernel/menu-entry.ts'
import { keeperRoles, type SystemRole, systemRoles } from './role.ts'

// Who holds the menus of a new tenant at first, by what they do.

export const everyStaff: readonly SystemRole[] = systemRoles.filter(alias => alias !== 'candidate')
export const office: readonly SystemRole[] = ['admin', 'exam_admin']
export const administrators: readonly SystemRole[] = ['administrator', 'admin']
/** What stands above all tenants: held by this role alone, such menus exist in the platform's own tenant only. */
export const operator: readonly SystemRole[] = ['administrator']
export const keepers = keeperRoles as readonly SystemRole[]
/** Who sees what goes on in a tenant; the audit trail is the auditor's alone (domain 2.1). */
export const watchers: readonly SystemRole[] = [...administrators, 'secadmin', 'auditor']
export const administratorsAndAuditor: readonly SystemRole[] = [...administrators, 'auditor']
/** Two kinds of people, so that there is somebody for an alert about one of them. */
export const alertReaders: readonly SystemRole[] = ['secadmin', 'auditor']

export const crudButtons = (roles: readonly SystemRole[], readers: readonly SystemRole[] = []): readonly MenuButton[] => [
  ['view', '查看', 'View', [...new Set([...roles, ...readers])]],
  ['add', '新增', 'Add', roles],
  ['edit', '编辑', 'Edit', roles],
  ['delete', '删除', 'Delete', roles],
  ['export', '导出', 'Export', roles],
]
