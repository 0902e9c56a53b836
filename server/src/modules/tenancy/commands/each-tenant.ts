import { platformTenant } from '#contract/kernel/platform.ts'
import type { Scopes } from '#kernel/db/scope.ts'
import type { ProcessorCall } from '#kernel/queue/processor.ts'
import { listTenantsAtWork } from '../data/tenant.repo.ts'

/**
 * Work of a job on every tenant that is not in the recycle bin, or on its own where a tenant's job asks for it. What fails in one is said in the
 * log and keeps no other from theirs; the run fails in the end, so that it is tried again.
 *
 * @param work - safe to repeat
 * @returns how many tenants there are
 */
export const eachTenant = async (
  scopes: Scopes,
  call: Pick<ProcessorCall, 'tenantId' | 'now' | 'log' | 'signal'>,
  work: (tenantId: string) => Promise<void>,
): Promise<number> => {
  const tenants =
    call.tenantId === platformTenant
      ? await scopes.asPlatform('work of the program is done in every tenant', call.now, listTenantsAtWork)
      : [call.tenantId]
  const failed: string[] = []
  for (const tenantId of tenants) {
    call.signal.throwIfAborted()
    try {
      await work(tenantId)
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      failed.push(tenantId)
      call.log(4, { zh: `机构 ${tenantId} 执行出错：${why}`, en: `It failed in tenant ${tenantId}: ${why}` })
    }
  }
  if (failed.length > 0) throw new Error(failed.join(', '))
  return tenants.length
}
