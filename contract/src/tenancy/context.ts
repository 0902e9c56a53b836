import { renewSecret } from './client.routes.ts'
import { datasourcePassword } from './datasource.routes.ts'
import { tenancyMenus } from './menus.ts'
import { paramErrors } from './param.errors.ts'
import { paramRoutes } from './param.routes.ts'
import { tenantErrors } from './tenant.errors.ts'
import { tenantRoutes } from './tenant.routes.ts'
import { tenantInfo } from './tenant-info.routes.ts'
import { trailWords } from './trail-words.ts'

export const tenancyContext = {
  name: 'tenancy',
  routes: [tenantInfo, ...paramRoutes, ...tenantRoutes, renewSecret, datasourcePassword],
  menus: tenancyMenus,
  words: trailWords,
  refusals: { ...tenantErrors, ...paramErrors },
} as const
