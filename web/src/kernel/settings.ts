/** Constants of the client; the statement that fixes each is named. */
export const settings = {
  apiBase: '/api',
  /** The web's own client row: public by nature, it proves nothing (decision 1.4). */
  client: { id: 'kaopu-web', secret: 'kaopu-web' },
  /** S9.01 */
  requestTimeoutMs: 60_000,
  /** Leaving does not wait longer for the server. */
  leaveTimeoutMs: 5_000,
  /** S9.02: an access token older than this is renewed … */
  tokenTimeS: 3000,
  /** … and this often somebody looks (S4.05). */
  tokenCheckMs: 10_000,
  /** S9.03 */
  pageSizes: [10, 30, 50, 100, 200],
  /** S8.08: codes that reach the caller without a message. 423: the page goes to /lock instead (decision 3.9). 2923: the login asks on. */
  silentCodes: [423, 2923] as readonly number[],
  /** S8.13: a part of the program that has not come after this long will not come. */
  chunkTimeoutMs: 120_000,
  /** S9.15: from locking to /lock. */
  lockDelayMs: 100,
  /** S9.15: a greater number of errors is shown as 99+. */
  maxBadge: 99,
  /** The same text is shown once within this time. */
  sameMessageMs: 2_000,
  /** Decision 3.16: a file is sent again up to this often, with the same key. */
  uploadTries: 5,
} as const
