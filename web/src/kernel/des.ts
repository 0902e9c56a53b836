/**
 * The block decryption of DES (FIPS 46-3), for values that an older system left behind and nothing else: 56 bits are no
 * protection (decision 3.13). Bits are counted from 1 at the left, as in the standard, so that the tables read as they are printed there.
 */
const initial = [
  58, 50, 42, 34, 26, 18, 10, 2, 60, 52, 44, 36, 28, 20, 12, 4, 62, 54, 46, 38, 30, 22, 14, 6, 64, 56, 48, 40, 32, 24, 16, 8, 57, 49, 41,
  33, 25, 17, 9, 1, 59, 51, 43, 35, 27, 19, 11, 3, 61, 53, 45, 37, 29, 21, 13, 5, 63, 55, 47, 39, 31, 23, 15, 7,
]
const final = [
  40, 8, 48, 16, 56, 24, 64, 32, 39, 7, 47, 15, 55, 23, 63, 31, 38, 6, 46, 14, 54, 22, 62, 30, 37, 5, 45, 13, 53, 21, 61, 29, 36, 4, 44, 12,
  52, 20, 60, 28, 35, 3, 43, 11, 51, 19, 59, 27, 34, 2, 42, 10, 50, 18, 58, 26, 33, 1, 41, 9, 49, 17, 57, 25,
]
const expansion = [
  32, 1, 2, 3, 4, 5, 4, 5, 6, 7, 8, 9, 8, 9, 10, 11, 12, 13, 12, 13, 14, 15, 16, 17, 16, 17, 18, 19, 20, 21, 20, 21, 22, 23, 24, 25, 24, 25,
  26, 27, 28, 29, 28, 29, 30, 31, 32, 1,
]
const permutation = [16, 7, 20, 21, 29, 12, 28, 17, 1, 15, 23, 26, 5, 18, 31, 10, 2, 8, 24, 14, 32, 27, 3, 9, 19, 13, 30, 6, 22, 11, 4, 25]
const choice1 = [
  57, 49, 41, 33, 25, 17, 9, 1, 58, 50, 42, 34, 26, 18, 10, 2, 59, 51, 43, 35, 27, 19, 11, 3, 60, 52, 44, 36, 63, 55, 47, 39, 31, 23, 15, 7,
  62, 54, 46, 38, 30, 22, 14, 6, 61, 53, 45, 37, 29, 21, 13, 5, 28, 20, 12, 4,
]
const choice2 = [
  14, 17, 11, 24, 1, 5, 3, 28, 15, 6, 21, 10, 23, 19, 12, 4, 26, 8, 16, 7, 27, 20, 13, 2, 41, 52, 31, 37, 47, 55, 30, 40, 51, 45, 33, 48,
  44, 49, 39, 56, 34, 53, 46, 42, 50, 36, 29, 32,
]
const shifts = [1, 1, 2, 2, 2, 2, 2, 2, 1, 2, 2, 2, 2, 2, 2, 1]
/** Rows of the eight S-boxes, a hexadecimal digit per entry. */
const boxes = [
  'E4D12FB83A6C5907 0F74E2D1A6CB9538 41E8D62BFC973A50 FC8249175B3EA06D',
  'F18E6B34972DC05A 3D47F28EC01A69B5 0E7BA4D158C6932F D8A13F42B67C05E9',
  'A09E63F51DC7B428 D709346A285ECBF1 D6498F30B12C5AE7 1AD069874FE3B52C',
  '7DE3069A1285BC4F D8B56F03472C1AE9 A690CB7DF13E5284 3F06A1D8945BC72E',
  '2C417AB6853FD0E9 EB2C47D150FA3986 421BAD78F9C5630E B8C71E2D6F09A453',
  'C1AF92680D34E75B AF427C9561DE0B38 9EF528C3704A1DB6 432C95FABE17608D',
  '4B2EF08D3C975A61 D0B7491AE35C2F86 14BDC37EAF680592 6BD814A7950FE23C',
  'D2846FB1A93E50C7 1FD8A374C56B0E92 7B419CE206ADF358 21E74A8DFC90356B',
].map(rows => [...rows.replaceAll(' ', '')].map(digit => Number.parseInt(digit, 16)))

type Bits = readonly number[]
const pick = (bits: Bits, table: readonly number[]): Bits => table.map(place => bits[place - 1] ?? 0)
const bitsOf = (bytes: Uint8Array): Bits => [...bytes].flatMap(byte => [7, 6, 5, 4, 3, 2, 1, 0].map(shift => (byte >> shift) & 1))
const numberOf = (bits: Bits): number => bits.reduce((sum, bit) => sum * 2 + bit, 0)
const xor = (a: Bits, b: Bits): Bits => a.map((bit, index) => bit ^ (b[index] ?? 0))

const roundKeys = (key: Uint8Array): readonly Bits[] => {
  const chosen = pick(bitsOf(key), choice1)
  let [left, right] = [chosen.slice(0, 28), chosen.slice(28)]
  return shifts.map(shift => {
    left = [...left.slice(shift), ...left.slice(0, shift)]
    right = [...right.slice(shift), ...right.slice(0, shift)]
    return pick([...left, ...right], choice2)
  })
}

const round = (half: Bits, key: Bits): Bits => {
  const mixed = xor(pick(half, expansion), key)
  const out = boxes.flatMap((box, index) => {
    const six = mixed.slice(index * 6, index * 6 + 6)
    const row = (six[0] ?? 0) * 2 + (six[5] ?? 0)
    const value = box[row * 16 + numberOf(six.slice(1, 5))] ?? 0
    return [8, 4, 2, 1].map(weight => (value & weight ? 1 : 0))
  })
  return pick(out, permutation)
}

/** Decrypts blocks of 8 bytes in ECB mode, padding included. */
export const desDecryptBlocks = (bytes: Uint8Array, key: Uint8Array): Uint8Array => {
  const keys = [...roundKeys(key)].reverse()
  const plain = new Uint8Array(bytes.length)
  for (let at = 0; at < bytes.length; at += 8) {
    const block = pick(bitsOf(bytes.subarray(at, at + 8)), initial)
    let [left, right]: [Bits, Bits] = [block.slice(0, 32), block.slice(32)]
    for (const each of keys) [left, right] = [right, xor(left, round(right, each))]
    const out = pick([...right, ...left], final)
    for (let byte = 0; byte < 8; byte += 1) plain[at + byte] = numberOf(out.slice(byte * 8, byte * 8 + 8))
  }
  return plain
}
