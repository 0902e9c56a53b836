import { authErrors } from './auth.errors.ts'
import { authRoutes } from './auth.routes.ts'
import { openEditionRoutes } from './open-edition.routes.ts'
import { secondFactorRoutes } from './second-factor.routes.ts'
import { trailWords } from './trail-words.ts'

export const authContext = {
  name: 'auth',
  routes: [...authRoutes, ...openEditionRoutes, ...secondFactorRoutes],
  words: trailWords,
  refusals: { ...authErrors },
} as const
