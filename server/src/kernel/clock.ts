/** The only source of time. Deadlines use the instant at which the request's headers arrived (decision 4.8), never SQL now(). */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date(Date.now()) }

/** A clock that a demo page can move: real time plus a stored offset that every process shares (decision 1.6). */
export interface OffsetClock extends Clock {
  offsetMs: number
}
export const createOffsetClock = (offsetMs = 0, base: Clock = systemClock): OffsetClock => ({
  offsetMs,
  now() {
    return new Date(base.now().getTime() + this.offsetMs)
  },
})

/** A clock that stands still until a test moves it. */
export interface ManualClock extends Clock {
  set(instant: string | Date): void
  advance(ms: number): void
}
export const createManualClock = (start: string | Date): ManualClock => {
  let current = new Date(start).getTime()
  return {
    now: () => new Date(current),
    set: instant => {
      current = new Date(instant).getTime()
    },
    advance: ms => {
      current += ms
    },
  }
}
