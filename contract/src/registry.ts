import type { Resource } from './kernel/resource.ts'
import type { ApiOf, Route } from './kernel/route.ts'
import { param } from './system/param.resource.ts'

/** The only list of all resources and routes: mounting, access, sweeps, OpenAPI and the web's typed client read it. */
export const resources = [param] as const satisfies readonly Resource[]
export const routes = [] as const satisfies readonly Route[]

export type ResourceName = (typeof resources)[number]['name']
/** `'GET /blade-…' → { input, output }` for every route that is not generated from a resource. */
export type Api = ApiOf<(typeof routes)[number]>
