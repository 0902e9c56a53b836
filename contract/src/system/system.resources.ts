import type { Resource } from '../kernel/resource.ts'
import { client } from './client.resource.ts'
import { datasource } from './datasource.resource.ts'
import { param } from './param.resource.ts'
import { post } from './post.resource.ts'
import { tenantPackage } from './tenant-package.resource.ts'
import { topmenu } from './topmenu.resource.ts'

/** The plain nouns of system administration: a declaration listed here has its routes, checks, rights and screen. */
export const systemResources: readonly Resource[] = [post]
/** The same, with rules of their own. */
export const ruledResources: readonly Resource[] = [param, tenantPackage, datasource, topmenu, client]
