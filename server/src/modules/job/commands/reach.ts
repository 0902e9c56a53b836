import { refuse } from '#contract/kernel/errors.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import type { RawBuilder } from '#kernel/db/sql.ts'
import { type Ctx, Refused } from '#kernel/http/context.ts'
import type { Processor } from '#kernel/queue/processor.ts'
import { findJob, ofOneTenant } from '../data/job.repo.ts'
import type { JobKit } from '../deps.ts'

/** Whether a caller may have to do with work on all tenants. An administrator of the platform's own tenant who is no more than that may not. */
const reachesPlatform = (ctx: Ctx): boolean => ctx.actsForPlatform()

/** Which jobs a caller sees; undefined: all of the tenant. */
export const visibleJobs = (kit: JobKit, ctx: Ctx): RawBuilder<unknown> | undefined =>
  reachesPlatform(ctx) ? undefined : ofOneTenant(kit.processors.ofPlatform())

/** What a job of this caller may name. */
export const processorFor = (kit: JobKit, ctx: Ctx, name: string): Processor | undefined => {
  const found = kit.processors.find(ctx.tenantId, name)
  return found?.scope === 'platform' && !reachesPlatform(ctx) ? undefined : found
}

/** @throws Refused kernel/not-found for a job that works on all tenants, where the caller may not have to do with it */
export const refuseUnreached = (kit: JobKit, ctx: Ctx, job: { readonly isOwn: unknown; readonly processorInfo: unknown }): void => {
  if (reachesPlatform(ctx)) return
  if (job.isOwn === true || kit.processors.ofPlatform().includes(String(job.processorInfo)))
    throw new Refused(refuse('kernel/not-found', {}))
}
export const refuseUnreachedId = async (kit: JobKit, ctx: Ctx, db: TenantDb, id: string): Promise<void> => {
  const job = await findJob(db, id)
  if (job) refuseUnreached(kit, ctx, job)
}
