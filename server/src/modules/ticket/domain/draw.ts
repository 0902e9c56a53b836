/** HMAC-SHA-256 of `data` under `key`; handed in, so that this folder needs no crypto library. */
export type Hmac = (key: Uint8Array, data: string) => Uint8Array

export interface DrawKey {
  /** The 32 random bytes S whose SHA-256 was published before sign-up data were frozen (decision 4.9). */
  readonly seed: Uint8Array
  readonly examId: string
  /** Items with equal seat group use one draw. */
  readonly itemGroup: string
  readonly version: number
}

/**
 * The stream of random numbers of one draw. Block i is HMAC-SHA-256(S, `examId‖itemGroup‖version‖i`) with `|` for ‖ and decimal i from 0;
 * each block gives eight big-endian 32-bit words. A number below n is the word modulo n; words from the last incomplete multiple of
 * n upwards are skipped, so every outcome is equally likely. Whoever has S and the sorted list can compute all of it again.
 */
export function drawStream(hmac: Hmac, key: DrawKey): (below: number) => number {
  let counter = 0
  let block: DataView = new DataView(new ArrayBuffer(0))
  let at = 0
  const word = (): number => {
    if (at + 4 > block.byteLength) {
      const bytes = hmac(key.seed, `${key.examId}|${key.itemGroup}|${key.version}|${counter++}`)
      block = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      at = 0
    }
    at += 4
    return block.getUint32(at - 4)
  }
  return below => {
    const limit = 0x1_0000_0000 - (0x1_0000_0000 % below)
    for (;;) {
      const value = word()
      if (value < limit) return value % below
    }
  }
}

/** Fisher–Yates from the end: for i = n−1 … 1 swap i with a number of 0…i. */
export function shuffle<T>(list: readonly T[], next: (below: number) => number): T[] {
  const result = [...list]
  for (let i = result.length - 1; i > 0; i--) {
    const j = next(i + 1)
    const [a, b] = [result[i] as T, result[j] as T]
    result[i] = b
    result[j] = a
  }
  return result
}
