import {
  answerIntegrity,
  confirmIntegrity,
  decideIntegrity,
  integrityList,
  liftIntegrity,
  noteIntegrity,
  ownIntegrity,
} from '#contract/signup/integrity.routes.ts'
import { type Handler, handle } from '#kernel/http/context.ts'
import { answerCase, confirmCase, decideCase, liftCase, listIntegrity, noteCase, readOwnCases } from './commands/integrity.ts'
import type { SignupContext } from './deps.ts'

export const integrityHandlers = (context: SignupContext): Handler[] => [
  handle(integrityList, ({ ctx, db, input }) => listIntegrity(context, ctx, db, input)),
  handle(decideIntegrity, ({ ctx, db, input }) => decideCase(context, ctx, db, input)),
  handle(liftIntegrity, ({ ctx, db, input }) => liftCase(context, ctx, db, input)),
  handle(noteIntegrity, ({ ctx, db, input }) => noteCase(context, db, ctx, input)),
  handle(confirmIntegrity, ({ ctx, input }) => ctx.tx(db => confirmCase(context, db, ctx, input))),
  handle(ownIntegrity, ({ ctx }) => readOwnCases(context, ctx)),
  handle(answerIntegrity, ({ ctx, input }) => answerCase(context, ctx, input)),
]
