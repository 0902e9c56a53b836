import { selectionMenus } from './menus.ts'
import { selectionErrors } from './selection.errors.ts'
import { selectionRoutes } from './selection.routes.ts'
import { trailWords } from './trail-words.ts'

export const selectionContext = {
  name: 'selection',
  routes: [...selectionRoutes],
  menus: selectionMenus,
  words: trailWords,
  refusals: { ...selectionErrors },
} as const
