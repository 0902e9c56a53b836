import { messageImports } from './import-kinds.ts'
import { messageMenus } from './menus.ts'
import { messageErrors } from './message.errors.ts'
import { messageRoutes } from './message.routes.ts'
import { sendErrors } from './send.errors.ts'
import { sendRoutes } from './send.routes.ts'
import { toldRoutes } from './told.routes.ts'
import { trailWords } from './trail-words.ts'

export const messageContext = {
  name: 'message',
  routes: [...messageRoutes, ...sendRoutes, ...toldRoutes],
  imports: Object.values(messageImports),
  menus: messageMenus,
  words: trailWords,
  refusals: { ...messageErrors, ...sendErrors },
} as const
