import { refuse } from '#contract/kernel/errors.ts'
import type { Actor } from '#kernel/db/scope.ts'
import { type Ctx, Refused } from '#kernel/http/context.ts'
import { actorOf } from '#kernel/http/mount.ts'
import type { ImportJobRow } from '../data/import-job.repo.ts'

/** What narrowed the call that ordered a run, kept with it: the run reaches no further, whoever works on it and whenever. */
export const reachOf = ({ session }: Ctx): Pick<Actor, 'departments' | 'units'> => {
  if (!session) throw new Refused(refuse('kernel/no-token', {}))
  const { departments, units } = actorOf(session)
  return { departments: departments ?? null, ...(units ? { units } : {}) }
}

/** Runs ordered before reach was kept have none: they work as they were ordered, for the whole tenant. */
export const actorOfRun = (job: ImportJobRow, tenantId: string): Actor & { kind: 'staff' } => ({
  ...{ kind: 'staff', tenantId, userId: job.createdBy, departments: null },
  ...(job.params['reach'] as ReturnType<typeof reachOf> | undefined),
})
