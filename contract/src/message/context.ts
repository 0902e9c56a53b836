import { messageErrors } from './message.errors.ts'
import { messageRoutes } from './message.routes.ts'
import { trailWords } from './trail-words.ts'

export const messageContext = {
  name: 'message',
  routes: [...messageRoutes],
  words: trailWords,
  refusals: { ...messageErrors },
} as const
