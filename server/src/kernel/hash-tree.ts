/** SHA-256, handed in so that this folder needs no crypto library. */
type Digest = (bytes: Uint8Array) => Uint8Array

const width = 32

/**
 * The tree over the hashes of all leaves, as RFC 6962 builds it: one row of hashes for each level, the leaves first and the root last. A lone last
 * hash moves up as it is. Of no leaves there is the hash of nothing.
 * @param pair what is hashed for two hashes side by side
 */
export const hashTree = (
  leaves: readonly Uint8Array[],
  digest: Digest,
  pair: (left: Uint8Array, right: Uint8Array) => Uint8Array,
): Uint8Array[] => {
  const levels = [leaves.length === 0 ? digest(new Uint8Array()) : joined(leaves)]
  for (;;) {
    const below = levels.at(-1) as Uint8Array
    const count = below.length / width
    if (count <= 1) return levels
    const hashes: Uint8Array[] = []
    for (let i = 0; i < count; i += 2) {
      const left = below.subarray(i * width, (i + 1) * width)
      hashes.push(i + 1 < count ? digest(pair(left, below.subarray((i + 1) * width, (i + 2) * width))) : left)
    }
    levels.push(joined(hashes))
  }
}

const joined = (hashes: readonly Uint8Array[]): Uint8Array => {
  const all = new Uint8Array(hashes.length * width)
  hashes.forEach((hash, i) => void all.set(hash, i * width))
  return all
}

/** Places of the hashes beside the way from a leaf to the root, the lowest level first; a level where the hash moves up alone has none. */
export const placesBeside = (place: number, leaves: number): { readonly level: number; readonly place: number }[] => {
  const beside: { level: number; place: number }[] = []
  let [at, count, level] = [place, leaves, 0]
  while (count > 1) {
    if (at % 2 === 1) beside.push({ level, place: at - 1 })
    else if (at + 1 < count) beside.push({ level, place: at + 1 })
    at = Math.floor(at / 2)
    count = Math.ceil(count / 2)
    level += 1
  }
  return beside
}
