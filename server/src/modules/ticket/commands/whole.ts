import { refuse } from '#contract/kernel/errors.ts'
import { type Ctx, Refused } from '#kernel/http/context.ts'
import { isNarrowed } from '#kernel/http/row-scope.ts'

/** What is done to all tickets of a paper is for who sees all of them. */
export const needWhole = ({ session }: Ctx): void => {
  if (isNarrowed(session, 'ticket')) throw new Refused(refuse('kernel/whole-needed', {}))
}
/** The same for whoever hands the call on. */
export const needWholeOf = (ctx: Ctx): Ctx => {
  needWhole(ctx)
  return ctx
}
