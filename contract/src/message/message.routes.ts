import type { Route } from '../kernel/route.ts'

export const messageRoutes = [] as const satisfies readonly Route[]
