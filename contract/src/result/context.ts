import { resultErrors } from './result.errors.ts'
import { resultRoutes } from './result.routes.ts'

export const resultContext = {
  name: 'result',
  routes: [...resultRoutes],
  refusals: { ...resultErrors },
} as const
