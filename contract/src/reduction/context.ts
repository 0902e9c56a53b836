import { reductionMenus } from './menus.ts'
import { reductionErrors } from './reduction.errors.ts'
import { reductionRoutes } from './reduction.routes.ts'
import { trailWords } from './trail-words.ts'

export const reductionContext = {
  name: 'reduction',
  routes: [...reductionRoutes],
  menus: reductionMenus,
  words: trailWords,
  refusals: { ...reductionErrors },
} as const
