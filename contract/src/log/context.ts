import { logErrors } from './log.errors.ts'
import { logRoutes } from './log.routes.ts'

export const logContext = {
  name: 'log',
  routes: [...logRoutes],
  refusals: { ...logErrors },
} as const
