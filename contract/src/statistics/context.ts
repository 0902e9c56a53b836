import { statisticsMenus } from './menus.ts'
import { overviewRoutes } from './overview.routes.ts'
import { statisticsRoutes } from './statistics.routes.ts'

export const statisticsContext = {
  name: 'statistics',
  routes: [...statisticsRoutes, ...overviewRoutes],
  menus: statisticsMenus,
  refusals: {},
} as const
