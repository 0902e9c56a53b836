import { expect, test } from 'vitest'
import { isCutOff } from './picture-end.ts'

const bytes = (...parts: readonly (readonly number[] | string)[]) =>
  Uint8Array.from(parts.flatMap(part => (typeof part === 'string' ? [...part].map(letter => letter.charCodeAt(0)) : [...part])))
const head = [0xff, 0xd8]
const thumbnail = [0xff, 0xe1, 0, 8, 0xff, 0xd8, 1, 2, 0xff, 0xd9]
const scan = [0xff, 0xda, 0, 4, 1, 1, 0x33, 0xff, 0, 0x44]
const end = [0xff, 0xd9]
const png = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

test.each([
  ['a whole JPEG', bytes(head, scan, end), false],
  ['a JPEG with a thumbnail and filling bytes', bytes(head, thumbnail, [0xff], scan, end), false],
  ['a JPEG with a film after it', bytes(head, scan, end, 'a film of a second'), false],
  ['a JPEG that broke off, though its thumbnail ends', bytes(head, thumbnail, scan), true],
  ['a JPEG that broke off between the two bytes of its end', bytes(head, scan, [0xff]), true],
  ['a JPEG that broke off in its head', bytes(head, thumbnail.slice(0, 6)), true],
  ['a whole PNG', bytes(png, 'IHDR IDAT', 'IEND', [1, 2, 3, 4]), false],
  ['a PNG that broke off', bytes(png, 'IHDR IDAT'), true],
  ['a PNG whose end stands far before its end', bytes(png, 'IEND', 'x'.repeat(2_000)), true],
  ['nothing', bytes(), false],
  ['something else', bytes('%PDF-1.7'), false],
])('[S3.12] a picture that broke off is known before anything is drawn from it: %s', (_, given, isBroken) => {
  expect(isCutOff(given)).toBe(isBroken)
})
