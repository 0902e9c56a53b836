import { statisticsMenus } from './menus.ts'
import { statisticsRoutes } from './statistics.routes.ts'

export const statisticsContext = {
  name: 'statistics',
  routes: [...statisticsRoutes],
  menus: statisticsMenus,
  refusals: {},
} as const
