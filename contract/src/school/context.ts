import { schoolRoutes } from './school.routes.ts'

export const schoolContext = {
  name: 'school',
  resources: [],
  routes: [...schoolRoutes],
  refusals: {},
} as const
