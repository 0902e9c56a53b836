import { expect, test } from 'vitest'
import { lookAt, remarksOf } from './photo-look.ts'

const width = 30
const height = 42
const paint = (colourAt: (x: number, y: number) => readonly [number, number, number]): Uint8ClampedArray => {
  const data = new Uint8ClampedArray(width * height * 4)
  for (let y = 0; y < height; y += 1) for (let x = 0; x < width; x += 1) data.set([...colourAt(x, y), 255], (y * width + x) * 4)
  return data
}
const results = (data: Uint8ClampedArray) => remarksOf(lookAt(data, width, height)).map(remark => `${remark.key} ${remark.result}`)
/** A head in the middle, before a ground. */
const portrait = (ground: readonly [number, number, number]) =>
  paint((x, y) => (Math.hypot(x - 15, y - 20) < 10 ? [190, 150, 120] : ground))

test('a head before white or blue is fine', () => {
  expect(results(portrait([245, 245, 245]))).toEqual(['light ok', 'ground ok'])
  expect(results(portrait([67, 142, 219]))).toEqual(['light ok', 'ground ok'])
})

test('a busy ground and a dark room are named', () => {
  expect(results(paint((x, y) => ((x + y) % 6 < 3 ? [240, 240, 240] : [90, 120, 60])))).toEqual(['light ok', 'ground warn'])
  expect(results(paint(() => [30, 30, 30]))).toEqual(['light warn', 'ground ok'])
})
