import { tidyLine } from '#contract/kernel/tidy-text.ts'

/** Five wrong tries within 15 minutes lock the account for 15 minutes, each further lock twice as long, at most a day (decision 4.7). */
export const attemptWindowMs = 15 * 60_000
const firstLockMs = 15 * 60_000
const longestLockMs = 24 * 3_600_000

/** How long the next lock lasts. `level` counts the locks since the last successful login. */
export const lockMs = (level: number): number => Math.min(firstLockMs * 2 ** Math.min(level, 12), longestLockMs)

/** Whole minutes to wait, never zero. */
export const waitMinutes = (untilMs: number, nowMs: number): number => Math.max(1, Math.ceil((untilMs - nowMs) / 60_000))

/** One spelling per account: tidied, NFKC, lower case, so that look-alike spellings share one counter. */
export const accountKey = (account: string): string => tidyLine(account.normalize('NFKC')).toLowerCase()

/** Where tries at a phone that nobody has are counted, by whatever spelling and door; no number can be read from it. */
export const phoneKey = (phoneIndex: string): string => `phone:${phoneIndex.slice(0, 40)}`
