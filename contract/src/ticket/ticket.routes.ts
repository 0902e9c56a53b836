import type { Route } from '../kernel/route.ts'

export const ticketRoutes = [] as const satisfies readonly Route[]
