/**
 * The queue of a rush without a list of who is in it. Each instance counts the tickets it draws in each second; the counts, and one number for
 * how far the queue has come, are all that the instances share. A ticket says in which second, where and as which of that second it was drawn,
 * and that is enough for every instance to say at which position it stands.
 */
export interface Drawn {
  readonly second: number
  readonly instance: string
  readonly index: number
}
export interface Count {
  readonly second: number
  readonly instance: string
  readonly count: number
}

/** Seconds younger than this may still grow: the instances tell each other once a second. */
export const settlingSeconds = 2

export interface Queue {
  /** Sets counts; a smaller one than is known is old news. */
  readonly learn: (counts: readonly Count[]) => void
  /** How many tickets stand before this one, counted from the first second on. Undefined for one that was drawn before that. */
  readonly positionOf: (ticket: Drawn) => number | undefined
  /** Tickets drawn up to the end of this second. */
  readonly totalUntil: (second: number) => number
  readonly clear: (firstSecond: number) => void
}

export const createQueue = (): Queue => {
  let first = 0
  const seconds = new Map<number, Map<string, number>>()
  /** `before[i]`: tickets drawn before second `first + i`; as far as it is known to be right. */
  let before: number[] = [0]
  const sumOf = (second: number): number => {
    let sum = 0
    for (const count of seconds.get(second)?.values() ?? []) sum += count
    return sum
  }
  const beforeSecond = (second: number): number => {
    const at = Math.max(0, second - first)
    for (let i = before.length; i <= at; i += 1) before.push((before[i - 1] ?? 0) + sumOf(first + i - 1))
    return before[at] ?? 0
  }
  return {
    learn: counts => {
      for (const { second, instance, count } of counts) {
        if (second < first) continue
        const of = seconds.get(second) ?? new Map<string, number>()
        if ((of.get(instance) ?? 0) >= count) continue
        of.set(instance, count)
        seconds.set(second, of)
        before = before.slice(0, Math.max(1, second - first + 1))
      }
    },
    positionOf: ({ second, instance, index }) => {
      if (second < first) return undefined
      const start = beforeSecond(second)
      const all = sumOf(second)
      const own = seconds.get(second)?.get(instance) ?? 0
      // An instance that died before it told of this ticket: it stands at the end of its second, and holds nobody up.
      if (index >= own) return start + all - 0.5
      // The instances of one second take turns.
      return start + ((index + 0.5) * all) / own - 0.5
    },
    totalUntil: second => (second < first ? 0 : beforeSecond(second + 1)),
    clear: firstSecond => {
      first = firstSecond
      seconds.clear()
      before = [0]
    },
  }
}
