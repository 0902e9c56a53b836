import { allotRoutes } from './allot.routes.ts'
import { examineRoutes } from './examine.routes.ts'
import { signupErrors } from './signup.errors.ts'
import { signupRoutes } from './signup.routes.ts'

export const signupContext = {
  name: 'signup',
  routes: [...signupRoutes, ...examineRoutes, ...allotRoutes],
  refusals: { ...signupErrors },
} as const
