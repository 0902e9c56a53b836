import type { Route } from '../kernel/route.ts'

export const payRoutes = [] as const satisfies readonly Route[]
