/** Thrown when a bounded queue is full; the edge answers 429 with Retry-After. */
export class BusyError extends Error {
  override readonly name = 'BusyError'
  readonly reason = 'busy'
}

export interface Gate {
  /** Runs `work` when a place is free. @throws BusyError when the queue is full. */
  readonly run: <T>(work: () => Promise<T>) => Promise<T>
}

/** At most `places` works at once and `queueLength` waiting, first come first served. */
export function createGate(places: number, queueLength: number): Gate {
  let busy = 0
  const waiting: (() => void)[] = []
  return {
    async run(work) {
      if (busy >= places) {
        if (waiting.length >= queueLength) throw new BusyError('too many requests are waiting')
        // The place is handed over, so `busy` stays as it is while a waiter takes its turn.
        await new Promise<void>(resolve => waiting.push(resolve))
      } else {
        busy++
      }
      try {
        return await work()
      } finally {
        const next = waiting.shift()
        if (next) next()
        else busy--
      }
    },
  }
}
