import { fileRoutes } from './file.routes.ts'

export const fileContext = {
  name: 'file',
  routes: [...fileRoutes],
  refusals: {},
} as const
