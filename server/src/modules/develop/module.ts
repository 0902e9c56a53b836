import type { Handler } from '#kernel/http/context.ts'
import type { DevelopDeps } from './deps.ts'
import { developHandlers } from './http.ts'

/** Models after tables of data sources, and code that is generated of them. */
export interface DevelopModule {
  readonly handlers: readonly Handler[]
}
export const createDevelopModule = (deps: DevelopDeps): DevelopModule => ({ handlers: developHandlers(deps) })
