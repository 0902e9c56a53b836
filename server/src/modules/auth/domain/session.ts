/** Decision 4.7; how long one access token lives stands with its client. */
const staffAbsoluteMs = 12 * 3_600_000
const candidateAbsoluteMs = 7 * 24 * 3_600_000
/** A member of staff who made no request of their own for so long finds the session locked, not ended. */
export const staffIdleMs = 30 * 60_000
/** The refresh token before the last change answers once more for so long, to the same client: open tabs race. */
export const refreshGraceMs = 10_000
export const sessionsPerUser = 5

/** The same for the evidence that an assessor reads. */
export const sessionLimits = { staffMs: staffAbsoluteMs, candidateMs: candidateAbsoluteMs, staffIdleMs, perUser: sessionsPerUser } as const

/** How long a session can last at most, whatever is done with it. */
export const absoluteMs = (userType: number): number => (userType === 2 ? candidateAbsoluteMs : staffAbsoluteMs)
