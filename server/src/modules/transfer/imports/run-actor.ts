import { refuseExam } from '#contract/exam/exam.errors.ts'
import { refuse } from '#contract/kernel/errors.ts'
import type { Refusal } from '#contract/kernel/refusal.ts'
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

/** What a stored run says of it; nothing where it says nothing whole. */
const reachIn = ({ params }: ImportJobRow): Pick<RunActor, 'departments' | 'units'> | undefined => {
  const { departments, units } = (params['reach'] ?? {}) as Partial<RunActor>
  return departments === undefined ? undefined : { departments, ...(units ? { units } : {}) }
}

export type RunActor = Actor & { readonly kind: 'staff' }
/**
 * In whose name a run works. One that was ordered before reach was kept says nothing of it: it is given up rather than run for the whole
 * tenant, and whoever ordered it starts it again.
 */
export const actorOfRun = (job: ImportJobRow, tenantId: string): RunActor | Refusal => {
  const reach = reachIn(job)
  return reach ? { kind: 'staff', tenantId, userId: job.createdBy, ...reach } : refuseExam('import/no-reach', {})
}
