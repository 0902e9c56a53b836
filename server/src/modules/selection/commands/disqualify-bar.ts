import { step as nextOf } from '#contract/kernel/machine.ts'
import type { Refusal } from '#contract/kernel/refusal.ts'
import { refuseSelection } from '#contract/selection/selection.errors.ts'
import { stage as stages } from '#contract/selection/words.ts'
import { reductionStates } from '#contract/signup/reduction-state.ts'
import { signupMachine } from '#contract/signup/signup.state.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, sessionOf } from '#kernel/http/context.ts'
import { findHearing, isHeard, unheardProblem } from '#modules/signup/index.ts'
import type { DisqualificationRow } from '../data/disqualification.repo.ts'
import type { Holder } from '../data/person.repo.ts'
import type { SelectionKit } from '../deps.ts'

/** Why this sign-up cannot be disqualified now. */
export const barOf = (ctx: Ctx, person: Holder): Refusal | undefined => {
  if (nextOf(signupMachine, person.examine, 'disqualify') === undefined)
    return refuseSelection('selection/not-passed', { name: person.name, state: ctx.say(signupMachine.label[person.examine]) })
  if (person.reductionState === reductionStates.choosing || person.reductionState === reductionStates.inReview)
    return refuseSelection('selection/disqualify-moving', {})
  if (person.stage === stages.hire && person.step === 'passed') return refuseSelection('selection/disqualify-hired', {})
  return undefined
}

/** What the decision to disqualify would be refused for now, as the caller; undefined where it would be taken. */
export const disqualifyBar = async (
  kit: SelectionKit,
  ctx: Ctx,
  db: TenantDb,
  proposal: DisqualificationRow,
  person: Holder,
): Promise<Refusal | undefined> => {
  if (proposal.proposedById === sessionOf(ctx).userId) return refuseSelection('selection/disqualify-own', {})
  const heard = await findHearing(db, 'selection_disqualification', proposal.id)
  const early =
    heard && isHeard(heard)
      ? undefined
      : await unheardProblem(kit, db, 'selection_disqualification', proposal, time =>
          refuseSelection('selection/disqualify-early', { time }),
        )
  return early ?? barOf(ctx, person)
}
