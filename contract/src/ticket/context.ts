import { ticketErrors } from './ticket.errors.ts'
import { ticketRoutes } from './ticket.routes.ts'

export const ticketContext = {
  name: 'ticket',
  routes: [...ticketRoutes],
  refusals: { ...ticketErrors },
} as const
