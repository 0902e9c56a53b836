import { exportErrors } from './export.errors.ts'
import { exportRoutes } from './export.routes.ts'
import { importRoutes } from './import.routes.ts'

export const transferContext = {
  name: 'transfer',
  routes: [...importRoutes, ...exportRoutes],
  refusals: { ...exportErrors },
} as const
