import { platformTenant } from '#contract/kernel/platform.ts'
import { audit } from '#kernel/audit.ts'
import { tellCaches } from '#kernel/db/changes.ts'
import type { PlatformDb, TenantDb } from '#kernel/db/scope.ts'
import type { Ctx } from '#kernel/http/context.ts'
import { enqueue } from '#kernel/queue/outbox.ts'

type AuditEntry = Parameters<typeof audit>[2]

/** The same scope with a name: what is recorded in it (audit lines, files, runs) is of this tenant and person. */
export const inNameOf = (
  db: PlatformDb | TenantDb,
  { tenantId, userId }: { readonly tenantId: string; readonly userId: string },
): TenantDb => ({ ...db, actor: { kind: 'platform', tenantId, userId } }) as TenantDb

/** Which tenants an act of the platform touches: all, the named ones, or those without a row of their own that is switched on. */
export type Touched = 'all' | readonly string[] | { readonly without: 'oss' | 'sms_provider' }
/** An act of the platform, as the task gets it that writes it into the trails of others. */
export interface PlatformAct {
  readonly entry: AuditEntry
  readonly touches: Touched
  readonly origin: Pick<Ctx, 'ip' | 'userAgent' | 'traceId'>
  /** Tenant and account of who acted: the others cannot look the id up. */
  readonly by: string
}
export const platformActTask = 'log.platform-act'

const tellTouched = async (ctx: Ctx, db: TenantDb, entry: AuditEntry, touches: Touched): Promise<void> => {
  const { ip, userAgent, traceId } = ctx
  const by = `${ctx.tenantId} ${ctx.session?.account ?? ''}`.trim()
  await enqueue(db, platformActTask, { entry, touches, origin: { ip, userAgent, traceId }, by } satisfies PlatformAct)
}

/** The audit line of a change made above the tenants, here and in each tenant that it touches: a scope of the platform has no tenant of its own, the one who acts has. */
export const platformAudit = async (ctx: Ctx, db: PlatformDb | TenantDb, entry: AuditEntry, touches?: Touched): Promise<void> => {
  const named = inNameOf(db, { tenantId: ctx.tenantId, userId: ctx.session?.userId ?? '0' })
  await audit(named, ctx, entry)
  if (touches !== undefined) await tellTouched(ctx, named, entry, touches)
}

/** The audit line of what is the tenant's own; in the platform's own tenant it is an act for others too, and stands with them. */
export const sharedAudit = async (ctx: Ctx, db: TenantDb, entry: AuditEntry, touches: Touched): Promise<void> => {
  await audit(db, ctx, entry)
  if (db.actor.tenantId === platformTenant) await tellTouched(ctx, db, entry, touches)
}

/** Told to every process after the commit: sessions, domains and figures are read anew, so a change of a tenant holds at once. */
export const forgetEverywhere = (db: PlatformDb | TenantDb): Promise<void> => tellCaches(db, '')

/** The same for what is kept of parameters. */
export const forgetParameters = (db: PlatformDb | TenantDb): Promise<void> => tellCaches(db, 'param')
