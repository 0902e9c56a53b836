import { resultImports } from './import-kinds.ts'
import { resultMenus } from './menus.ts'
import { recheckRoutes } from './recheck.routes.ts'
import { resultErrors } from './result.errors.ts'
import { resultRoutes } from './result.routes.ts'
import { trailWords } from './trail-words.ts'

export const resultContext = {
  name: 'result',
  routes: [...resultRoutes, ...recheckRoutes],
  imports: Object.values(resultImports),
  menus: resultMenus,
  words: trailWords,
  refusals: { ...resultErrors },
} as const
