import { revealSignup } from '#contract/signup/examine.routes.ts'
import { formSheet, intend as intendRoute, ownErasures, removeSignup, signupDetail, submitSignup } from '#contract/signup/signup.routes.ts'
import { type Handler, handle, sessionOf } from '#kernel/http/context.ts'
import { intend } from './commands/intend.ts'
import { ownErasuresOf } from './commands/own-erasures.ts'
import { readSignup } from './commands/read-signup.ts'
import { reveal } from './commands/reveal.ts'
import { sendForm } from './commands/send-form.ts'
import { showSheet } from './commands/show-sheet.ts'
import { withdrawOwn } from './commands/withdraw-signup.ts'
import type { SignupContext } from './deps.ts'
import { formHandlers } from './http-form.ts'
import { ownListHandlers } from './http-own.ts'

export const signupHandlers = (deps: SignupContext): Handler[] => [
  ...ownListHandlers(deps),
  ...formHandlers(deps),
  handle(signupDetail, ({ ctx, db, input }) => readSignup(deps, ctx, db, input.id)),
  handle(submitSignup, ({ ctx, input }) => sendForm(deps, ctx, input)),
  handle(formSheet, ({ ctx, input }) => showSheet(deps, ctx, input)),
  handle(ownErasures, ({ ctx, db }) => ownErasuresOf(ctx, db)),
  handle(intendRoute, ({ ctx, db, input }) => intend(ctx, db, input)),
  handle(removeSignup, ({ ctx, input }) => withdrawOwn(deps, ctx, input.ids.split(','))),
  handle(revealSignup, ({ ctx, input }) => reveal(deps, ctx, sessionOf(ctx), input)),
]
