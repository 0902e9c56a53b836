import { fileRoutes } from './file.routes.ts'

export const fileContext = {
  name: 'file',
  resources: [],
  routes: [...fileRoutes],
  refusals: {},
} as const
