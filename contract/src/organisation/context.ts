import type { Resource } from '../kernel/resource.ts'
import { accountRoutes } from './account.routes.ts'
import { deptRoutes } from './dept.routes.ts'
import { deptTemplate, importDepts } from './dept-import.routes.ts'
import { post } from './post.resource.ts'
import { postImport } from './post-import.routes.ts'
import { userErrors } from './user.errors.ts'
import { userRoutes } from './user.routes.ts'
import { importUsers, userTemplate } from './user-import.routes.ts'

export const organisationContext = {
  name: 'organisation',
  resources: [post] as readonly Resource[],
  routes: [
    ...accountRoutes,
    ...userRoutes,
    ...deptRoutes,
    postImport.run,
    postImport.template,
    importUsers,
    userTemplate,
    importDepts,
    deptTemplate,
  ],
  refusals: { ...userErrors },
} as const
