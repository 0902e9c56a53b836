const halfDayMs = 12 * 3_600_000

/** How long a leave is, in days: begun half days count. */
export const leaveDays = (startAt: Date, endAt: Date): number => Math.ceil((endAt.getTime() - startAt.getTime()) / halfDayMs) / 2
