import { schoolRoutes } from './school.routes.ts'

export const schoolContext = {
  name: 'school',
  routes: [...schoolRoutes],
  refusals: {},
} as const
