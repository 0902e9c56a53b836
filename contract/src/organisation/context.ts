import { accountRoutes } from './account.routes.ts'
import { deptRoutes } from './dept.routes.ts'
import { deptTemplate, importDepts } from './dept-import.routes.ts'
import { organisationImports } from './import-kinds.ts'
import { organisationMenus } from './menus.ts'
import { trailWords } from './trail-words.ts'
import { userErrors } from './user.errors.ts'
import { userRoutes } from './user.routes.ts'
import { importUsers, userTemplate } from './user-import.routes.ts'

export const organisationContext = {
  name: 'organisation',
  routes: [...accountRoutes, ...userRoutes, ...deptRoutes, importUsers, userTemplate, importDepts, deptTemplate],
  imports: Object.values(organisationImports),
  menus: organisationMenus,
  words: trailWords,
  refusals: { ...userErrors },
} as const
