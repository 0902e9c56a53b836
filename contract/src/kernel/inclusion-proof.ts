/**
 * A proof that a text is one of those a published root was worked out from. The tree is that of RFC 6962: SHA-256, a zero byte before the text of a
 * leaf, a one before a pair of hashes, a lone last hash moves up as it is.
 */

/** What somebody takes away: enough to find the published root again. */
export interface InclusionProof {
  readonly leaf: string
  /** Place of the leaf, from 0. */
  readonly place: number
  /** Leaves of the tree. */
  readonly leaves: number
  /** Hashes beside the way up, in hexadecimal digits, the lowest first. */
  readonly path: readonly string[]
}

type Digest = (bytes: Uint8Array<ArrayBuffer>) => Promise<Uint8Array<ArrayBuffer>>

const bytesOf = (hex: string): Uint8Array => Uint8Array.from(hex.match(/../g) ?? [], pair => Number.parseInt(pair, 16))
const hexOf = (bytes: Uint8Array): string => Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')

/** What is hashed for two hashes side by side. */
export const pairOf = (left: Uint8Array, right: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array([1, ...left, ...right])
/** UTF-8 by what the language itself has: the contract knows neither a browser nor Node. */
const utf8 = (text: string): number[] =>
  (encodeURIComponent(text).match(/%..|./g) ?? []).map(part =>
    part.length === 3 ? Number.parseInt(part.slice(1), 16) : part.charCodeAt(0),
  )
/** What is hashed for a leaf. */
export const leafOf = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array([0, ...utf8(text)])

/** The root that a proof leads to; undefined for one whose path does not fit its place. */
export const rootOfProof = async ({ leaf, place, leaves, path }: InclusionProof, digest: Digest): Promise<string | undefined> => {
  let hash = await digest(leafOf(leaf))
  let [at, width] = [place, leaves]
  const beside = path.map(bytesOf)
  while (width > 1) {
    const isRight = at % 2 === 1
    if (isRight || at + 1 < width) {
      const other = beside.shift()
      if (other === undefined) return undefined
      hash = await digest(isRight ? pairOf(other, hash) : pairOf(hash, other))
    }
    at = Math.floor(at / 2)
    width = Math.ceil(width / 2)
  }
  return at === 0 && beside.length === 0 ? hexOf(hash) : undefined
}
