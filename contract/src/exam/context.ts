import type { Resource } from '../kernel/resource.ts'
import { examErrors } from './exam.errors.ts'
import { examResources } from './exam.resources.ts'
import { examRoutes } from './exam.routes.ts'

export const examContext = {
  name: 'exam',
  resources: [...examResources] as readonly Resource[],
  routes: [...examRoutes],
  refusals: { ...examErrors },
} as const
