// Constants of the client; the statement that fixes each is named. Imported as `* as settings`, so that a program has only those it uses.

export const apiBase = '/api'
/** The web's own client row: public by nature, it proves nothing (decision 1.4). */
export const client = { id: 'kaopu-web', secret: 'kaopu-web' } as const
/** S9.01 */
export const requestTimeoutMs = 60_000
/** Leaving does not wait longer for the server. */
export const leaveTimeoutMs = 5_000
/** S9.02: an access token older than this is renewed … */
export const tokenTimeS = 3000
/** … and this often somebody looks (S4.05). */
export const tokenCheckMs = 10_000
/** S9.03 */
export const pageSizes = [10, 30, 50, 100, 200] as const
/** S8.08: codes that reach the caller without a message. 423: the page goes to /lock instead (decision 3.9). 2923: the login asks on. */
export const silentCodes: readonly number[] = [423, 2923]
/** S8.13: a part of the program that has not come after this long will not come. */
export const chunkTimeoutMs = 120_000
/** S9.15: from locking to /lock. */
export const lockDelayMs = 100
/** S9.15: a greater number of errors is shown as 99+. */
export const maxBadge = 99
/** The same text is shown once within this time. */
export const sameMessageMs = 2_000
/** Decision 3.16: a file is sent again up to this often, with the same key. */
export const uploadTries = 5
