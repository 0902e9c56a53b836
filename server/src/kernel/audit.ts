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

/** Lines of one statement. */
const linesAtOnce = 1_000

/** The lines of a change that touches many rows: the same as `audit` for each of them. */
export const auditEach = async (db: TenantDb, origin: Origin | undefined, entries: readonly AuditEntry[]): Promise<void> => {
  for (let from = 0; from < entries.length; from += linesAtOnce)
    db.send(sql`
      insert into audit_log (tenant_id, user_id, actor_kind, session_id, action, entity, entity_id, before_value, after_value, reason, ip, user_agent, trace_id)
      select ${db.actor.tenantId}, ${db.actor.userId}, ${db.actor.kind}, ${origin?.session?.id ?? null}, e.action, e.entity, e."entityId", e.before, e.after, e.reason,
        ${origin?.ip ?? null}, ${origin?.userAgent ?? null}, ${origin?.traceId ?? null}
      from jsonb_to_recordset(${JSON.stringify(entries.slice(from, from + linesAtOnce))}::jsonb)
        as e(action text, entity text, "entityId" text, before jsonb, after jsonb, reason text)`)
}

/** Writes the audit line in the transaction of the change itself (decision 4.3): no change without its line. Without an origin the system acted. */
export const audit = async (db: TenantDb, origin: Origin | undefined, entry: AuditEntry): Promise<void> => {
  db.send(sql`
    insert into audit_log (tenant_id, user_id, actor_kind, session_id, action, entity, entity_id, before_value, after_value, reason, ip, user_agent, trace_id)
    values (${db.actor.tenantId}, ${db.actor.userId}, ${db.actor.kind}, ${origin?.session?.id ?? null}, ${entry.action}, ${entry.entity}, ${entry.entityId},
      ${entry.before === undefined ? null : JSON.stringify(entry.before)}, ${entry.after === undefined ? null : JSON.stringify(entry.after)},
      ${entry.reason ?? null}, ${origin?.ip ?? null}, ${origin?.userAgent ?? null}, ${origin?.traceId ?? null})`)
}
