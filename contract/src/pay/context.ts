import { booksRoutes } from './books.routes.ts'
import { payImports } from './import-kinds.ts'
import { payMenus } from './menus.ts'
import { payErrors } from './pay.errors.ts'
import { payRoutes } from './pay.routes.ts'
import { reconciliationRoutes } from './reconciliation.routes.ts'
import { refundRoutes } from './refund.routes.ts'
import { trailWords } from './trail-words.ts'
import { waiverRoutes } from './waiver.routes.ts'
import { wireRoutes } from './wires.routes.ts'

export const payContext = {
  name: 'pay',
  routes: [...payRoutes, ...reconciliationRoutes, ...booksRoutes, ...wireRoutes, ...refundRoutes, ...waiverRoutes],
  imports: Object.values(payImports),
  menus: payMenus,
  words: trailWords,
  refusals: { ...payErrors },
} as const
