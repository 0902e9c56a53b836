import { monitorRoutes } from './monitor.routes.ts'
import { watchErrors } from './watch.errors.ts'
import { watchRoutes } from './watch.routes.ts'

export const oversightContext = {
  name: 'oversight',
  routes: [...monitorRoutes, ...watchRoutes],
  refusals: { ...watchErrors },
} as const
