import { exportErrors } from './export.errors.ts'
import { exportRoutes } from './export.routes.ts'

export const transferContext = {
  name: 'transfer',
  routes: [...exportRoutes],
  refusals: { ...exportErrors },
} as const
