/** A key that can be replaced while the program runs. */
export interface KeyRing {
  /** Makes what is made from now on. */
  readonly current: () => Uint8Array
  /** All that open or verify, the present one first. */
  readonly accepted: () => readonly Uint8Array[]
}

/** One key for good, or a ring as it is. */
export const ringOf = (key: Uint8Array | KeyRing): KeyRing =>
  key instanceof Uint8Array ? { current: () => key, accepted: () => [key] } : key

/** What is derived from keys, each made once: `made.of(key)`. Rings are small, so nothing is ever dropped. */
export const derivedOnce = <T>(derive: (key: Uint8Array) => T): ((key: Uint8Array) => T) => {
  const known = new Map<string, T>()
  return key => {
    const name = Buffer.from(key).toString('base64')
    const before = known.get(name)
    if (before !== undefined) return before
    const made = derive(key)
    known.set(name, made)
    return made
  }
}
