/** Deterministic numbers in [0, 1) by splitmix32: the same seed always makes the same demo people. Never for secrets. */
export interface SeedRandom {
  next(): number
  /** Whole number of `from`…`to`, both included. */
  int(from: number, to: number): number
  pick<T>(list: readonly T[]): T
}

export function seedRandom(start: number): SeedRandom {
  let state = start >>> 0
  const next = () => {
    state = (state + 0x9e3779b9) >>> 0
    let t = state ^ (state >>> 16)
    t = Math.imul(t, 0x21f0aaad)
    t ^= t >>> 15
    t = Math.imul(t, 0x735a2d97)
    return ((t ^ (t >>> 15)) >>> 0) / 4294967296
  }
  return {
    next,
    int: (from, to) => from + Math.floor(next() * (to - from + 1)),
    pick: <T>(list: readonly T[]) => list[Math.floor(next() * list.length)] as T,
  }
}

/** Picks from a list in proportion to weights. */
export function weightedPicker<T>(list: readonly T[], weightOf: (item: T) => number, random: SeedRandom): () => T {
  let sum = 0
  const upTo = list.map(item => {
    sum += weightOf(item)
    return sum
  })
  return () => {
    const at = random.next() * sum
    let low = 0
    let high = upTo.length - 1
    while (low < high) {
      const middle = (low + high) >> 1
      if ((upTo[middle] as number) > at) high = middle
      else low = middle + 1
    }
    return list[low] as T
  }
}
