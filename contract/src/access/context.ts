import { fieldRuleRoutes } from './field-rule.routes.ts'
import { grantedRoutes } from './granted.routes.ts'
import { menuAdminRoutes } from './menu.routes.ts'
import { roleErrors } from './role.errors.ts'
import { roleRoutes } from './role.routes.ts'
import { scopeRoutes } from './scope.routes.ts'
import { topMenuRoutes } from './topmenu.routes.ts'
import { viewAsRoutes } from './view-as.routes.ts'

export const accessContext = {
  name: 'access',
  routes: [...grantedRoutes, ...menuAdminRoutes, ...roleRoutes, ...topMenuRoutes, ...scopeRoutes, ...fieldRuleRoutes, ...viewAsRoutes],
  refusals: { ...roleErrors },
} as const
