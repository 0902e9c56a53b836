import { describe, expect, test } from 'vitest'
import { zeroBits } from '#contract/auth/work.ts'
import { firstBlock, sha256Block } from './sha256-block.ts'
import { solve } from './solve-work.ts'

const hex = (text: string): string => Array.from(sha256Block(firstBlock(text)), word => (word >>> 0).toString(16).padStart(8, '0')).join('')

describe('work instead of a picture', () => {
  test('hashes as SHA-256 does: FIPS 180-4, the empty text, and other lengths of one block as OpenSSL has them', () => {
    expect(hex('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
    const long = 'kQ9_-.z7'.repeat(7)
    expect([0, 3, 31, 44, 54, 55].map(length => hex(long.slice(0, length)))).toEqual([
      'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
      '6e7ce897be292d5f90dbb45a3dfb7b68ce39412c39022de460f5619512cf38ac',
      '30ba67bc23b9b20e339dea0cee48b8f1d59c3f63da6f28825eab1f921df58428',
      '3c1b457b30fe03a83436c0c089040b68f524c79bf323f934bccbefde01a6e81e',
      '0c34119e181e5408e6383ac47c15895ba6cc8fd7139d4b62847b8ff7259b81c2',
      'c9a5d75b9e16469de3e8d9e594d1d99204db3287075bb2ae0249fa4fe4c9906d',
    ])
    expect(() => firstBlock('x'.repeat(56))).toThrow(RangeError)
  })

  test('counts zero bits over words', () => {
    expect([[0x80000000], [1], [0, 0x40000000], [0, 0]].map(words => zeroBits(words))).toEqual([0, 31, 33, 64])
  })

  test('finds the least number whose hash begins with enough zero bits', async () => {
    const key = 'A'.repeat(43)
    expect(await solve(key, 10)).toBe('321')
  })
})
