import { groupSignups, importSignUp, importSignUpPhotos } from '#contract/signup/group.routes.ts'
import { type Handler, handle } from '#kernel/http/context.ts'
import type { RunImport } from '#modules/transfer/index.ts'
import { importGroup, importPhotos, listGroup } from './commands/group.ts'
import type { SignupContext } from './deps.ts'

/** Sign-ups that staff or a school hand in. */
export const groupHandlers = (deps: SignupContext, run: RunImport): Handler[] => [
  handle(importSignUp, ({ ctx, input }) => importGroup(run, ctx, importSignUp.path, input)),
  handle(importSignUpPhotos, ({ ctx, input }) => importPhotos(deps, ctx, input)),
  handle(groupSignups, ({ ctx, db, input }) => listGroup(db, ctx, input)),
]
