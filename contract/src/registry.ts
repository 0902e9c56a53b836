import { authRoutes } from './auth/auth.routes.ts'
import { fileRoutes } from './file/file.routes.ts'
import { crudRoutes } from './kernel/crud-routes.ts'
import type { Resource } from './kernel/resource.ts'
import type { ApiOf, Route } from './kernel/route.ts'
import { param } from './system/param.resource.ts'
import { systemRoutes } from './system/system.routes.ts'

/** The only list of all resources and routes: mounting, access, sweeps, OpenAPI and the web's typed client read it. */
export const resources: readonly Resource[] = [param]
export const routes = [...authRoutes, ...fileRoutes, ...systemRoutes] as const satisfies readonly Route[]

/** Every route, those generated from resources too. */
export const allRoutes = (): readonly Route[] => [...routes, ...resources.flatMap(resource => Object.values(crudRoutes(resource)))]

/** `'GET /blade-…' → { input, output }` for every route that is not generated from a resource. */
export type Api = ApiOf<(typeof routes)[number]>
