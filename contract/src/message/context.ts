import { messageMenus } from './menus.ts'
import { messageErrors } from './message.errors.ts'
import { messageRoutes } from './message.routes.ts'
import { trailWords } from './trail-words.ts'

export const messageContext = {
  name: 'message',
  routes: [...messageRoutes],
  menus: messageMenus,
  words: trailWords,
  refusals: { ...messageErrors },
} as const
