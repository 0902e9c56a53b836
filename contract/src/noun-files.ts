// Written by `npm run nouns` from the files that are there. Do not edit.
import * as scopeResources from './access/scope.resources.ts'
import * as topmenuResource from './access/topmenu.resource.ts'
import * as examResources from './exam/exam.resources.ts'
import * as postResource from './organisation/post.resource.ts'
import * as payResources from './pay/pay.resources.ts'
import * as clientResource from './tenancy/client.resource.ts'
import * as datasourceResource from './tenancy/datasource.resource.ts'
import * as paramResource from './tenancy/param.resource.ts'
import * as tenantPackageResource from './tenancy/tenant-package.resource.ts'

export const nounFiles: readonly Readonly<Record<string, unknown>>[] = [
  scopeResources,
  topmenuResource,
  examResources,
  postResource,
  payResources,
  clientResource,
  datasourceResource,
  paramResource,
  tenantPackageResource,
]
