import { expect, test } from 'vitest'
import { lookAtPortrait, type Pixels } from './portrait.ts'

type Rgb = readonly [number, number, number]
const width = 30
const height = 42
const paint = (channels: 3 | 4, colourAt: (x: number, y: number) => Rgb): Pixels => {
  const data = new Uint8ClampedArray(width * height * channels)
  for (let y = 0; y < height; y += 1) for (let x = 0; x < width; x += 1) data.set(colourAt(x, y), (y * width + x) * channels)
  return { width, height, channels, data }
}
/** A head in the middle, before a ground. */
const portrait = (ground: Rgb, channels: 3 | 4 = 4) =>
  paint(channels, (x, y) =>
    Math.hypot(x - 15, y - 20) < 10 ? ((x + y) % 2 === 0 ? ([190, 150, 120] as const) : ([110, 80, 60] as const)) : ground,
  )
const found = (pixels: Pixels) => lookAtPortrait(pixels).map(({ ok, got }) => `${ok} ${got.replace(/\d+(?= ?[,%])|\d+$/g, '#')}`)

test('[19.6] a picture in the browser and the same on the server are looked at alike', () => {
  for (const ground of [
    [245, 245, 245],
    [67, 142, 219],
    [200, 30, 40],
    [120, 120, 120],
  ] as const)
    expect(lookAtPortrait(portrait(ground, 4))).toEqual(lookAtPortrait(portrait(ground, 3)))
})

test('[19.6] grounds are told by their colour, and an empty or dark picture for what it is', () => {
  expect(found(portrait([245, 245, 245]))).toEqual(['true white # %', 'true mean #, spread #'])
  expect(found(portrait([67, 142, 219]))[0]).toBe('true blue # %')
  expect(found(portrait([200, 30, 40]))[0]).toBe('false red # %')
  expect(found(portrait([120, 120, 120]))[0]).toBe('false grey # %')
  expect(found(paint(4, () => [245, 245, 245]))[1]).toBe('false nothing but ground')
  expect(found(paint(4, (x, y) => (Math.hypot(x - 15, y - 20) < 10 ? [20, 20, 20] : [245, 245, 245])))[1]).toBe('false mean #, spread #')
})
