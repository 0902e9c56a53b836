import type { Clock } from '../clock.ts'

/** An answer that everybody may read, as it was last given. */
export interface LastAnswer {
  readonly type: string
  readonly body: string | Buffer
  readonly atMs: number
}

/**
 * What was last answered to everybody, in memory: shown while there is no database, and for some seconds in a rush instead of asking it. Only what
 * is the same for all readers of an address comes in here.
 */
export interface LastAnswers {
  readonly keep: (key: string, answer: Omit<LastAnswer, 'atMs'>) => void
  /** @param maxAgeMs - older ones do not count; without it any age does */
  readonly find: (key: string, maxAgeMs?: number) => LastAnswer | undefined
  /** There was no database for a call. */
  readonly noteAway: () => void
  /** There was none a moment ago: whoever can be answered from memory need not wait until a try has failed. */
  readonly isAway: () => boolean
}

/** Of all answers together; addresses are many, those that people read are few. */
const mostBytes = 32 * 1_048_576
const largestBytes = 1_048_576
/** So long one failure speaks for the calls that follow; then one of them tries again. */
const awayMs = 2_000

/**
 * The header of every answer given while there is no database, milliseconds since 1970: from when it is where memory gave it, now where it is the
 * refusal `kernel/no-database`. By it a client knows why it is refused, and shows its own copies as such.
 */
export const answeredAtHeader = 'X-Answered-At'

export const createLastAnswers = (clock: Clock): LastAnswers => {
  const known = new Map<string, LastAnswer>()
  let bytes = 0
  let awayUntilMs = 0
  const nowMs = (): number => clock.now().getTime()
  const drop = (key: string): void => {
    bytes -= known.get(key)?.body.length ?? 0
    known.delete(key)
  }
  return {
    keep: (key, { type, body }) => {
      awayUntilMs = 0
      drop(key)
      if (body.length > largestBytes) return
      known.set(key, { type, body, atMs: nowMs() })
      bytes += body.length
      for (const oldest of known.keys()) {
        if (bytes <= mostBytes) break
        drop(oldest)
      }
    },
    find: (key, maxAgeMs) => {
      const answer = known.get(key)
      return answer !== undefined && (maxAgeMs === undefined || nowMs() - answer.atMs <= maxAgeMs) ? answer : undefined
    },
    noteAway: () => {
      awayUntilMs = nowMs() + awayMs
    },
    isAway: () => nowMs() < awayUntilMs,
  }
}
