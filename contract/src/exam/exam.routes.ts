import type { Route } from '../kernel/route.ts'

export const examRoutes = [] as const satisfies readonly Route[]
