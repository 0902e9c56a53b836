import { refuse } from '#contract/kernel/errors.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, Refused } from '#kernel/http/context.ts'
import { findHearing, heardOf } from '#modules/signup/index.ts'
import type { SelectionKit } from '../deps.ts'

/** What was answered to one proposal, with links to its files. */
export const heardIn = async (kit: SelectionKit, db: TenantDb, ctx: Ctx, id: string) => {
  const found = await findHearing(db, 'selection_disqualification', id)
  if (!found) throw new Refused(refuse('kernel/not-found', {}))
  return heardOf(kit, ctx, found)
}
