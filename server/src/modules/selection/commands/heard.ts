import { refuse } from '#contract/kernel/errors.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, Refused } from '#kernel/http/context.ts'
import { findHearing, type HearingTable, heardOf } from '#modules/signup/index.ts'
import type { SelectionKit } from '../deps.ts'

/** What was answered to one proposal, with links to its files. */
export const heardIn = async (
  kit: Pick<SelectionKit, 'file'>,
  db: TenantDb,
  ctx: Ctx,
  id: string,
  table: HearingTable = 'selection_disqualification',
) => {
  const found = await findHearing(db, table, id)
  if (!found) throw new Refused(refuse('kernel/not-found', {}))
  return heardOf(kit, ctx, found)
}
