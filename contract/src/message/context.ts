import { messageErrors } from './message.errors.ts'
import { messageRoutes } from './message.routes.ts'

export const messageContext = {
  name: 'message',
  resources: [],
  routes: [...messageRoutes],
  refusals: { ...messageErrors },
} as const
