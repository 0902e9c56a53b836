import { authErrors } from './auth.errors.ts'
import { authRoutes } from './auth.routes.ts'
import { secondFactorRoutes } from './second-factor.routes.ts'

export const authContext = {
  name: 'auth',
  routes: [...authRoutes, ...secondFactorRoutes],
  refusals: { ...authErrors },
} as const
