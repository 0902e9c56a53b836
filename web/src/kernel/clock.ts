/**
 * The server's time as this page knows it. Deadlines are the server's (decision 4.8) and the clock of a phone may be wrong,
 * so each answer's `X-Server-Time` (epoch milliseconds) corrects an offset.
 */
let offsetMs = 0

/** @param header - value of X-Server-Time @param sentAtMs - local time when the request left @param cameAtMs - when the answer came */
export const learnServerTime = (header: string | null, sentAtMs: number, cameAtMs: number): void => {
  if (header === null) return
  const serverMs = /^\d+$/.test(header) ? Number(header) : Date.parse(header)
  if (!Number.isFinite(serverMs)) return
  offsetMs = serverMs + (cameAtMs - sentAtMs) / 2 - cameAtMs
}

/** Milliseconds since the epoch by the server's clock. */
export const serverNow = (): number => Date.now() + offsetMs
