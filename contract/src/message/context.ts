import { messageErrors } from './message.errors.ts'
import { messageRoutes } from './message.routes.ts'

export const messageContext = {
  name: 'message',
  routes: [...messageRoutes],
  refusals: { ...messageErrors },
} as const
