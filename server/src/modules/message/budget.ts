import { fromWireTime, toWireDay } from '#contract/kernel/when.ts'
import { refuseMessage } from '#contract/message/message.errors.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'
import { Refused } from '#kernel/http/context.ts'

/** Parts a day where the tenant has no parameter `sms.dailyBudget`; a parameter never lifts it above the platform's. */
const defaultBudget = 5_000
const platformBudget = 200_000
/** Administrators are told when so much of the budget is gone, and once more when all of it is. */
const warnShare = 0.8

export type BudgetNews = 'nearlyUsed' | 'usedUp'

/** Parts of a day by the tenant's parameter; 0 sends nothing. */
export const budgetOf = (parameter: string | undefined): number =>
  parameter !== undefined && /^\d{1,9}$/.test(parameter.trim()) ? Math.min(Number(parameter), platformBudget) : defaultBudget

const secondsToMidnight = (now: Date): number => {
  const midnight = fromWireTime(`${toWireDay(now)} 00:00:00`) ?? now
  return Math.ceil((midnight.getTime() + 24 * 3_600_000 - now.getTime()) / 1_000)
}

/**
 * Takes the parts of one message from the day's budget; false when they are not left. One statement, so that processes sending at once
 * never pass the budget together. Its transaction must be short: messages of the tenant wait for it.
 *
 * @returns what administrators are to be told, if anything, beside whether it may be sent
 */
export const takeFromBudget = async (
  db: TenantDb,
  segments: number,
  budget: number,
): Promise<{ readonly may: boolean; readonly news?: BudgetNews }> => {
  const day = toWireDay(db.now)
  await db.run(sql`insert into sms_day (tenant_id, day) values (${db.actor.tenantId}, ${day}) on conflict do nothing`)
  const taken = await db.maybe(sql<{ used: number }>`
    update sms_day set used = used + ${segments} where day = ${day} and used + ${segments} <= ${budget} returning used`)
  if (!taken) return { may: false, news: 'usedUp' }
  return taken.used >= budget * warnShare ? { may: true, news: 'nearlyUsed' } : { may: true }
}

/** Refuses a message that somebody waits for when the day's budget, messages on their way included, has no room for it. */
export const refuseBeyondBudget = async (db: TenantDb, segments: number, budget: number): Promise<void> => {
  const { spoken } = await db.one(sql<{ spoken: number }>`
    select coalesce((select used from sms_day where day = ${toWireDay(db.now)}), 0)
      + coalesce((select sum(segments) from sms_message where state = 0), 0)::int as spoken`)
  if (spoken + segments > budget) throw new Refused(refuseMessage('sms/daily-budget', {}, { retryAfterSeconds: secondsToMidnight(db.now) }))
}
