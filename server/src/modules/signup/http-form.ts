import { dropDraft, examInfoOrSignUp, signUpFiles, signUpItems } from '#contract/signup/signup.routes.ts'
import { type Handler, handle } from '#kernel/http/context.ts'
import { dropEdits } from './commands/drop-edits.ts'
import { showFiles, showForm, showItems } from './commands/show-form.ts'
import type { SignupContext } from './deps.ts'

/** The form of an examination, for whoever fills it in. */
export const formHandlers = (deps: SignupContext): Handler[] => [
  handle(examInfoOrSignUp, ({ ctx, db, input }) => showForm(deps, ctx, db, input.examId)),
  handle(dropDraft, ({ ctx, db, input }) => dropEdits(deps, ctx, db, input.examId)),
  handle(signUpItems, ({ ctx, db, input }) => showItems(deps, ctx, db, input.examId)),
  handle(signUpFiles, ({ ctx, db, input }) => showFiles(deps, ctx, db, input.examId)),
]
