import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'

/** Parts that a tenant has, and those of them that running tasks may use. */
export interface Balance {
  readonly balance: number
  readonly frozen: number
}
export const readBalance = async (db: TenantDb): Promise<Balance> =>
  (await db.maybe(sql<Balance>`select balance, frozen from send_account where tenant_id = ${db.actor.tenantId}`)) ?? {
    balance: 0,
    frozen: 0,
  }

const note = async (
  db: TenantDb,
  kind: 'recharge' | 'freeze' | 'settle' | 'release',
  parts: number,
  of: { readonly sendId?: string; readonly sendPayId?: string },
): Promise<void> => {
  await db.run(sql`
    insert into send_ledger (tenant_id, kind, parts, send_id, send_pay_id, created_by)
    values (${db.actor.tenantId}, ${kind}, ${parts}, ${of.sendId ?? null}, ${of.sendPayId ?? null}, ${db.actor.userId})`)
}

/** Promises parts to a task. @returns false when so many are not left */
export const freezeParts = async (db: TenantDb, sendId: string, parts: number): Promise<boolean> => {
  if (parts === 0) return true
  const done = await db.run(sql`
    update send_account set frozen = frozen + ${parts} where tenant_id = ${db.actor.tenantId} and balance - frozen >= ${parts}`)
  if (done === 1) await note(db, 'freeze', parts, { sendId })
  return done === 1
}

/** What was promised to rows that have their end now: paid for where the provider took them, given back otherwise. Each row once. */
export const settleRows = async (db: TenantDb, sendId: string, ids: readonly string[]): Promise<void> => {
  const { used, freed } = await db.one(sql<{ used: number; freed: number }>`
    with done as (
      update sms_message set is_settled = true
      where send_id = ${sendId} and id = any(${[...ids]}::bigint[]) and not is_settled and state in (1, 2, 3, 4) returning state, segments)
    select coalesce(sum(segments) filter (where state in (1, 2)), 0)::int as used, coalesce(sum(segments) filter (where state in (3, 4)), 0)::int as freed from done`)
  if (used + freed === 0) return
  await db.run(sql`
    update send_account set balance = balance - ${used}, frozen = frozen - ${used + freed} where tenant_id = ${db.actor.tenantId}`)
  if (used > 0) await note(db, 'settle', used, { sendId })
  if (freed > 0) await note(db, 'release', freed, { sendId })
}

/** Credits a purchase; the unique key of the ledger lets each in once. */
export const creditParts = async (db: TenantDb, sendPayId: string, parts: number): Promise<void> => {
  await note(db, 'recharge', parts, { sendPayId })
  await db.run(sql`
    insert into send_account (tenant_id, balance) values (${db.actor.tenantId}, ${parts})
    on conflict (tenant_id) do update set balance = send_account.balance + ${parts}`)
}
