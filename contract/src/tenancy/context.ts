import type { Resource } from '../kernel/resource.ts'
import { client } from './client.resource.ts'
import { renewSecret } from './client.routes.ts'
import { datasource } from './datasource.resource.ts'
import { datasourcePassword } from './datasource.routes.ts'
import { paramErrors } from './param.errors.ts'
import { param } from './param.resource.ts'
import { paramRoutes } from './param.routes.ts'
import { paramImport } from './param-import.routes.ts'
import { tenantErrors } from './tenant.errors.ts'
import { tenantRoutes } from './tenant.routes.ts'
import { tenantInfo } from './tenant-info.routes.ts'
import { tenantPackage } from './tenant-package.resource.ts'

export const tenancyContext = {
  name: 'tenancy',
  resources: [param, tenantPackage, datasource, client] as readonly Resource[],
  routes: [tenantInfo, ...paramRoutes, ...tenantRoutes, renewSecret, datasourcePassword, paramImport.run, paramImport.template],
  refusals: { ...tenantErrors, ...paramErrors },
} as const
