import { statisticsRoutes } from './statistics.routes.ts'

export const statisticsContext = {
  name: 'statistics',
  routes: [...statisticsRoutes],
  refusals: {},
} as const
