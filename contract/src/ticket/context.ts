import { accommodationRoutes } from './accommodation.routes.ts'
import { downRoutes } from './down.routes.ts'
import { examDayRoutes } from './exam-day.routes.ts'
import { ticketImports } from './import-kinds.ts'
import { interviewRoutes } from './interview.routes.ts'
import { ticketMenus } from './menus.ts'
import { ticketErrors } from './ticket.errors.ts'
import { ticketRoutes } from './ticket.routes.ts'
import { trailWords } from './trail-words.ts'

export const ticketContext = {
  name: 'ticket',
  routes: [...ticketRoutes, ...examDayRoutes, ...downRoutes, ...accommodationRoutes, ...interviewRoutes],
  imports: Object.values(ticketImports),
  menus: ticketMenus,
  words: trailWords,
  refusals: { ...ticketErrors },
} as const
