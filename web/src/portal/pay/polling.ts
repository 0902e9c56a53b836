/** First asked every 3 seconds, after two minutes every 10 (domain 6.3). */
const fastMs = 3_000
const slowMs = 10_000
const fastForMs = 120_000

/** How long to wait before the order is looked at again. @param sinceMs - time since the code was shown */
export const pollGap = (sinceMs: number): number => (sinceMs < fastForMs ? fastMs : slowMs)

/** Order states of the wire (domain 3.13): anything but created and pending is an end. */
export const isOpen = (state: number): boolean => state === 0 || state === 1
