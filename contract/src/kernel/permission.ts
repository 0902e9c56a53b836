import type { PermissionCode } from './route.ts'

export type CrudAction = 'view' | 'add' | 'edit' | 'delete' | 'export' | 'import'
/** Button code of a resource: `param` + `add` → `param_add`. */
export const permissionOf = (prefix: string, action: CrudAction): PermissionCode => `${prefix}_${action}`
