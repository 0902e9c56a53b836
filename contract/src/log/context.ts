import { logErrors } from './log.errors.ts'
import { logRoutes } from './log.routes.ts'
import { logMenus } from './menus.ts'
import { trailWords } from './trail-words.ts'

export const logContext = {
  name: 'log',
  routes: [...logRoutes],
  menus: logMenus,
  words: trailWords,
  refusals: { ...logErrors },
} as const
