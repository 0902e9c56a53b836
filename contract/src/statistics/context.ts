import { statisticsRoutes } from './statistics.routes.ts'

export const statisticsContext = {
  name: 'statistics',
  resources: [],
  routes: [...statisticsRoutes],
  refusals: {},
} as const
