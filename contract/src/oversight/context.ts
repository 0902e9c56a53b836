import { oversightMenus } from './menus.ts'
import { monitorRoutes } from './monitor.routes.ts'
import { trailWords } from './trail-words.ts'
import { watchErrors } from './watch.errors.ts'
import { watchRoutes } from './watch.routes.ts'

export const oversightContext = {
  name: 'oversight',
  routes: [...monitorRoutes, ...watchRoutes],
  menus: oversightMenus,
  words: trailWords,
  refusals: { ...watchErrors },
} as const
