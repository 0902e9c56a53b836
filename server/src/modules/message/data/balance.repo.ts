import type { PlatformDb, TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'
import { lastSecond } from '../domain/validity.ts'

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
  kind: 'recharge' | 'freeze' | 'settle' | 'release' | 'expire',
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
  await expireParts(db)
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
  if (used > 0) {
    await takeOldest(db, used)
    await note(db, 'settle', used, { sendId })
  }
  if (freed > 0) await note(db, 'release', freed, { sendId })
}

/** Parts are used in the order in which they run out; those that never do come last. The account is locked by the caller's update of it. */
const takeOldest = async (db: TenantDb, used: number): Promise<void> => {
  await db.run(sql`
    update send_pay p set left_parts = p.left_parts - least(p.left_parts, ${used} - o.before)
    from (
      select id, sum(left_parts) over (order by expire_time, id) - left_parts as before from send_pay
      where tenant_id = ${db.actor.tenantId} and left_parts > 0 and not is_deleted) o
    where p.tenant_id = ${db.actor.tenantId} and p.id = o.id and o.before < ${used}`)
}

/** A purchase whose parts run out, or have run out. */
export interface RunningOut {
  readonly id: string
  readonly packageName: string
  readonly parts: number
  readonly expireTime: Date
  readonly validDays: number
}
const runningOutColumns = sql`
  id::text as id, package_name as "packageName", left_parts as parts, expire_time as "expireTime", coalesce(valid_days, 0) as "validDays"`

/** What is left of purchases that run out, the next first. */
export const listRunningOut = (db: TenantDb, until?: Date): Promise<RunningOut[]> =>
  db.all(sql<RunningOut>`
    select ${runningOutColumns} from send_pay
    where tenant_id = ${db.actor.tenantId} and left_parts > 0 and not is_deleted and expire_time <= coalesce(${until ?? null}::timestamptz, 'infinity')
    order by expire_time, id`)

/**
 * Takes away what has run out. Parts that are promised to tasks which run are not taken from them: they go when the task gives them back.
 * @returns the purchases with the parts they lost
 */
export const expireParts = async (db: TenantDb): Promise<readonly RunningOut[]> => {
  const account = await db.maybe(sql<Balance>`
    select balance, frozen from send_account where tenant_id = ${db.actor.tenantId} and exists (
      select 1 from send_pay where tenant_id = ${db.actor.tenantId} and left_parts > 0 and not is_deleted and expire_time <= app_now())
    for update`)
  if (!account) return []
  let free = account.balance - account.frozen
  const lost: RunningOut[] = []
  for (const over of await listRunningOut(db, db.now)) {
    const parts = Math.min(free, over.parts)
    if (parts === 0) break
    free -= parts
    await db.run(sql`update send_pay set left_parts = left_parts - ${parts} where tenant_id = ${db.actor.tenantId} and id = ${over.id}`)
    await db.run(sql`update send_account set balance = balance - ${parts} where tenant_id = ${db.actor.tenantId}`)
    await note(db, 'expire', parts, { sendPayId: over.id })
    lost.push({ ...over, parts })
  }
  return lost
}

/** Tenants where something runs out before this time. */
export const tenantsRunningOut = (db: PlatformDb, until: Date): Promise<{ tenantId: string }[]> =>
  db.all(sql<{ tenantId: string }>`
    select distinct tenant_id as "tenantId" from send_pay where left_parts > 0 and not is_deleted and expire_time <= ${until} order by 1`)

/** Credits a purchase; the unique key of the ledger lets each in once. */
export const creditParts = async (
  db: TenantDb,
  purchase: { readonly id: string; readonly count: number; readonly validDays: number | null },
): Promise<void> => {
  const { id, count, validDays } = purchase
  await note(db, 'recharge', count, { sendPayId: id })
  await db.run(sql`
    insert into send_account (tenant_id, balance) values (${db.actor.tenantId}, ${count})
    on conflict (tenant_id) do update set balance = send_account.balance + ${count}`)
  if (validDays !== null)
    await db.run(sql`
      update send_pay set expire_time = ${lastSecond(db.now, validDays)}, left_parts = ${count}
      where tenant_id = ${db.actor.tenantId} and id = ${id}`)
}
