import { examErrors } from './exam.errors.ts'
import { examRoutes } from './exam.routes.ts'
import { examImports } from './import-kinds.ts'
import { examMenus } from './menus.ts'
import { openRoutes } from './open.routes.ts'
import { trailWords } from './trail-words.ts'

export const examContext = {
  name: 'exam',
  routes: [...examRoutes, ...openRoutes],
  imports: Object.values(examImports),
  menus: examMenus,
  words: trailWords,
  refusals: { ...examErrors },
} as const
