import {
  groupSignups,
  importSignUp,
  importSignUpPhotos,
  ownGroups,
  ownInvitations,
  remindGroup,
  takeInvitation,
} from '#contract/signup/group.routes.ts'
import { type Handler, handle } from '#kernel/http/context.ts'
import type { RunImport } from '#modules/transfer/index.ts'
import { importGroup, importPhotos, listGroup, readOwnGroups, remindPeople } from './commands/group.ts'
import { readInvitations, takeOwnInvitation } from './commands/take-invitation.ts'
import type { SignupContext } from './deps.ts'

/** Sign-ups that staff or a school hand in. */
export const groupHandlers = (deps: SignupContext, run: RunImport): Handler[] => [
  handle(importSignUp, ({ ctx, input }) => importGroup(run, ctx, importSignUp.path, input)),
  handle(importSignUpPhotos, ({ ctx, input }) => importPhotos(deps, ctx, input)),
  handle(groupSignups, ({ ctx, db, input }) => listGroup(db, ctx, input)),
  handle(ownGroups, ({ ctx, db, input }) => readOwnGroups(db, ctx, input)),
  handle(remindGroup, ({ ctx, db, input }) => remindPeople(deps, db, ctx, input)),
  handle(ownInvitations, ({ ctx, input }) => readInvitations(ctx, input)),
  handle(takeInvitation, ({ ctx, input }) => takeOwnInvitation(deps, ctx, input)),
]
