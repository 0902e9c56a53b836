import type { Route } from '../kernel/route.ts'

export const resultRoutes = [] as const satisfies readonly Route[]
