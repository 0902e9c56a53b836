import type { InputOf } from '#contract/kernel/route.ts'
import type { examine } from '#contract/signup/examine.routes.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, sessionOf } from '#kernel/http/context.ts'
import type { SignupContext } from '../deps.ts'
import { correctPassed } from './correct-passed.ts'
import { examineSignup } from './examine-signup.ts'
import { undoExamine } from './undo-examine.ts'

/** Decides on a sign-up, takes the last decision back, or corrects one that has passed: the wire has one call for all; 0 is no decision, 4 no reviewer. */
export const decideReview = (deps: SignupContext, ctx: Ctx, db: TenantDb, input: InputOf<typeof examine>) =>
  (input.examineResult === 0 ? undoExamine : input.level === 4 ? correctPassed : examineSignup)(deps, db, ctx, sessionOf(ctx), input)
