import { fieldRuleRoutes } from './field-rule.routes.ts'
import { grantedRoutes } from './granted.routes.ts'
import { menuAdminRoutes } from './menu.routes.ts'
import { accessMenus } from './menus.ts'
import { roleErrors } from './role.errors.ts'
import { roleRoutes } from './role.routes.ts'
import { scopeRoutes } from './scope.routes.ts'
import { topMenuRoutes } from './topmenu.routes.ts'
import { trailWords } from './trail-words.ts'
import { viewAsRoutes } from './view-as.routes.ts'

export const accessContext = {
  name: 'access',
  routes: [...grantedRoutes, ...menuAdminRoutes, ...roleRoutes, ...topMenuRoutes, ...scopeRoutes, ...fieldRuleRoutes, ...viewAsRoutes],
  menus: accessMenus,
  words: trailWords,
  refusals: { ...roleErrors },
} as const
