import type { TenantDb } from './db/scope.ts'
import { sql } from './db/sql.ts'
import type { Ctx } from './http/context.ts'

export interface AuditEntry {
  /** `<entity>.<past tense>`, as `param.updated`. */
  readonly action: string
  readonly entity: string
  readonly entityId: string | null
  /** Personal data is masked by the caller: the log never holds a full id number or phone. */
  readonly before?: unknown
  readonly after?: unknown
  readonly reason?: string
}

type Origin = Pick<Ctx, 'ip' | 'userAgent' | 'traceId'> & { readonly session: Ctx['session'] }

/** Writes the audit line in the transaction of the change itself (decision 4.3): no change without its line. Without an origin the system acted. */
export const audit = async (db: TenantDb, origin: Origin | undefined, entry: AuditEntry): Promise<void> => {
  db.send(sql`
    insert into audit_log (tenant_id, user_id, actor_kind, session_id, action, entity, entity_id, before_value, after_value, reason, ip, user_agent, trace_id)
    values (${db.actor.tenantId}, ${db.actor.userId}, ${db.actor.kind}, ${origin?.session?.id ?? null}, ${entry.action}, ${entry.entity}, ${entry.entityId},
      ${entry.before === undefined ? null : JSON.stringify(entry.before)}, ${entry.after === undefined ? null : JSON.stringify(entry.after)},
      ${entry.reason ?? null}, ${origin?.ip ?? null}, ${origin?.userAgent ?? null}, ${origin?.traceId ?? null})`)
}
