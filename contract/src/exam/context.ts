import { examErrors } from './exam.errors.ts'
import { examRoutes } from './exam.routes.ts'

export const examContext = {
  name: 'exam',
  routes: [...examRoutes],
  refusals: { ...examErrors },
} as const
