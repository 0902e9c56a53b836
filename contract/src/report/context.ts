import { reportMenus } from './menus.ts'
import { reportErrors } from './report.errors.ts'
import { reportRoutes } from './report.routes.ts'
import { trailWords } from './trail-words.ts'

export const reportContext = {
  name: 'report',
  routes: [...reportRoutes],
  menus: reportMenus,
  words: trailWords,
  refusals: { ...reportErrors },
} as const
