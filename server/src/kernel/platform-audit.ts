import { audit } from '#kernel/audit.ts'
import { tellCaches } from '#kernel/db/changes.ts'
import type { PlatformDb, TenantDb } from '#kernel/db/scope.ts'
import type { Ctx } from '#kernel/http/context.ts'

type AuditEntry = Parameters<typeof audit>[2]

/** The same scope with a name: what is recorded in it (audit lines, files, runs) is of this tenant and person. */
export const inNameOf = (
  db: PlatformDb | TenantDb,
  { tenantId, userId }: { readonly tenantId: string; readonly userId: string },
): TenantDb => ({ ...db, actor: { kind: 'platform', tenantId, userId } }) as TenantDb

/** The audit line of a change made above the tenants: a scope of the platform has no tenant of its own, the one who acts has. */
export const platformAudit = (ctx: Ctx, db: PlatformDb | TenantDb, entry: AuditEntry): Promise<void> =>
  audit(inNameOf(db, { tenantId: ctx.tenantId, userId: ctx.session?.userId ?? '0' }), ctx, entry)

/** Told to every process after the commit: sessions, domains and figures are read anew, so a change of a tenant holds at once. */
export const forgetEverywhere = (db: PlatformDb | TenantDb): Promise<void> => tellCaches(db, '')

/** The same for what is kept of parameters. */
export const forgetParameters = (db: PlatformDb | TenantDb): Promise<void> => tellCaches(db, 'param')
