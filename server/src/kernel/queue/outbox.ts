import type { TenantDb } from '../db/scope.ts'
import { sql } from '../db/sql.ts'
import { currentTrace } from '../trace.ts'

/** A kind of asynchronous work. The handler may run more than once for the same payload, so it must be safe to repeat. */
export interface Task<P extends object = object> {
  readonly name: string
  readonly run: (payload: P & { readonly tenantId: string }, job: { readonly attempt: number; readonly now: Date }) => Promise<void>
  readonly maxAttempts?: number
  /** Its end is worth a line in the log; of others only a failure is. */
  readonly isNotable?: true
}

export interface Order {
  readonly runAt?: Date
  /** A second order with the same key replaces the first while it has not run. */
  readonly jobKey?: string
  /** Orders of one queue run one after another. */
  readonly queue?: string
}

/** The same of many at once. */
export const enqueueEach = async (
  db: TenantDb,
  task: string,
  orders: readonly { readonly payload: object; readonly jobKey: string }[],
  runAt: Date,
): Promise<void> => {
  const { tenantId, userId } = db.actor
  db.send(sql`
    insert into outbox (tenant_id, task, payload, run_at, job_key, created_by, trace_id)
    select ${tenantId}, ${task}, p, ${runAt}, k, ${userId}, ${currentTrace() ?? null}
    from unnest(${orders.map(one => JSON.stringify({ ...one.payload, tenantId }))}::jsonb[], ${orders.map(one => `${tenantId}|${one.jobKey}`)}::text[]) as g(p, k)`)
}

/** Orders work as part of the transaction: it is done if and only if the transaction commits. */
export const enqueue = async (db: TenantDb, task: string, payload: object, order: Order = {}): Promise<void> => {
  db.send(sql`
    insert into outbox (tenant_id, task, payload, run_at, job_key, queue, created_by, trace_id)
    values (${db.actor.tenantId}, ${task}, ${JSON.stringify({ ...payload, tenantId: db.actor.tenantId })}, ${order.runAt ?? null},
      ${order.jobKey === undefined ? null : `${db.actor.tenantId}|${order.jobKey}`}, ${order.queue === undefined ? null : `${db.actor.tenantId}|${order.queue}`}, ${db.actor.userId}, ${currentTrace() ?? null})`)
}
