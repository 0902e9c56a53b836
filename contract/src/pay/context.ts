import { payErrors } from './pay.errors.ts'
import { payRoutes } from './pay.routes.ts'

export const payContext = {
  name: 'pay',
  routes: [...payRoutes],
  refusals: { ...payErrors },
} as const
