import { flowErrors } from './flow.errors.ts'
import { leaveRoutes } from './leave.routes.ts'
import { flowMenus } from './menus.ts'
import { modelRoutes } from './model.routes.ts'
import { trailWords } from './trail-words.ts'
import { workRoutes } from './work.routes.ts'

export const flowContext = {
  name: 'flow',
  routes: [...modelRoutes, ...workRoutes, ...leaveRoutes],
  menus: flowMenus,
  words: trailWords,
  refusals: { ...flowErrors },
} as const
