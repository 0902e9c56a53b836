import { fromWireTime, toWireDay } from '#contract/kernel/when.ts'
import { refuseMessage } from '#contract/message/message.errors.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { Refused } from '#kernel/http/context.ts'
import { countSpoken, takeParts } from './data/sms.repo.ts'

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
 * Takes the parts of one message from the day's budget. Its transaction must be short: messages of the tenant wait for it.
 *
 * @returns what administrators are to be told, if anything, beside whether it may be sent
 */
export const takeFromBudget = async (
  db: TenantDb,
  segments: number,
  budget: number,
): Promise<{ readonly may: boolean; readonly news?: BudgetNews }> => {
  const used = await takeParts(db, segments, budget)
  if (used === undefined) return { may: false, news: 'usedUp' }
  return used >= budget * warnShare ? { may: true, news: 'nearlyUsed' } : { may: true }
}

/** Refuses a message that somebody waits for when the day's budget, messages on their way included, has no room for it. */
export const refuseBeyondBudget = async (db: TenantDb, segments: number, budget: number): Promise<void> => {
  if ((await countSpoken(db)) + segments > budget)
    throw new Refused(refuseMessage('sms/daily-budget', {}, { retryAfterSeconds: secondsToMidnight(db.now) }))
}
