import { decideIntegrity, integrityList, liftIntegrity } from '#contract/signup/integrity.routes.ts'
import { type Handler, handle } from '#kernel/http/context.ts'
import { decideCase, liftCase, listIntegrity } from './commands/integrity.ts'
import type { SignupContext } from './deps.ts'

export const integrityHandlers = (context: SignupContext): Handler[] => [
  handle(integrityList, ({ db, input }) => listIntegrity(db, input)),
  handle(decideIntegrity, ({ ctx, db, input }) => decideCase(context, ctx, db, input)),
  handle(liftIntegrity, ({ ctx, db, input }) => liftCase(context, ctx, db, input)),
]
