import type { Route } from '../kernel/route.ts'

export const statisticsRoutes = [] as const satisfies readonly Route[]
