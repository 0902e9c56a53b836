import type { Route } from '../kernel/route.ts'

export const signupRoutes = [] as const satisfies readonly Route[]
