import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { leafOf, pairOf, rootOfProof } from '#contract/kernel/inclusion-proof.ts'
import { hashTree, placesBeside } from './hash-tree.ts'

const digest = (bytes: Uint8Array): Uint8Array => createHash('sha256').update(bytes).digest()
const digestLater = async (bytes: Uint8Array) => new Uint8Array(digest(bytes))
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

describe('the tree over hashes', () => {
  // The leaves and roots of the published test of Certificate Transparency (RFC 6962), which many programs have in common.
  const inputs = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f']
  const known = [
    'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
    'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
    'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
    'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
    '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
    'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
    '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
  ]
  it.each(known.map((root, leaves) => [leaves, root] as const))('of %i leaves of the published example has its root', (leaves, root) => {
    const hashes = inputs.slice(0, leaves).map(text => digest(Buffer.concat([Buffer.of(0), Buffer.from(text, 'hex')])))
    expect(hex(hashTree(hashes, digest, pairOf).at(-1) as Uint8Array)).toBe(root)
  })

  it('leads from every leaf of every small tree to the root, and from no changed one', async () => {
    for (let leaves = 1; leaves <= 40; leaves++) {
      const texts = Array.from({ length: leaves }, (_, i) => `leaf ${i}`)
      const levels = hashTree(
        texts.map(text => digest(leafOf(text))),
        digest,
        pairOf,
      )
      const root = hex(levels.at(-1) as Uint8Array)
      for (let place = 0; place < leaves; place++) {
        const path = placesBeside(place, leaves).map(at =>
          hex((levels[at.level] as Uint8Array).subarray(at.place * 32, at.place * 32 + 32)),
        )
        const proof = { leaf: texts[place] ?? '', place, leaves, path }
        expect(await rootOfProof(proof, digestLater)).toBe(root)
        expect(await rootOfProof({ ...proof, leaf: 'leaf of somebody else' }, digestLater)).not.toBe(root)
        expect(await rootOfProof({ ...proof, path: [...path, root] }, digestLater)).toBe(undefined)
        if (path.length > 0) expect(await rootOfProof({ ...proof, path: path.slice(1) }, digestLater)).toBe(undefined)
      }
    }
  })
})
