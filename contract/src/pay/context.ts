import type { Resource } from '../kernel/resource.ts'
import { payErrors } from './pay.errors.ts'
import { payResources } from './pay.resources.ts'
import { payRoutes } from './pay.routes.ts'

export const payContext = {
  name: 'pay',
  resources: [...payResources] as readonly Resource[],
  routes: [...payRoutes],
  refusals: { ...payErrors },
} as const
