import { expect, test } from 'vitest'
import { lookAtPortrait, whitened } from './portrait.ts'

type Rgb = readonly [number, number, number]
const [width, height] = [40, 56]
const isPerson = (x: number, y: number) => Math.hypot(x - 20, y - 22) < 11 || (y > 36 && Math.abs(x - 20) < 16)
const picture = (colorAt: (x: number, y: number) => Rgb) => {
  const data = new Uint8ClampedArray(width * height * 3)
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) data.set(colorAt(x, y), (y * width + x) * 3)
  return { width, height, channels: 3, data } as const
}
const skin: Rgb = [205, 160, 130]
const on = (ground: Rgb, person: (x: number, y: number) => Rgb = (x, y) => [60 + ((x * y) % 90), 50, 45]) =>
  picture((x, y) => (isPerson(x, y) ? person(x, y) : ground))
const pixel = (data: ArrayLike<number>, x: number, y: number) => [0, 1, 2].map(channel => data[(y * width + x) * 3 + channel])

test('a plain grey or beige ground becomes white, the person stays as they are, and the judge of photos sees white', () => {
  for (const ground of [
    [180, 180, 178],
    [225, 205, 170],
    [205, 60, 60],
  ] as const) {
    const before = on(ground)
    const made = whitened(before)
    if (!made) throw new Error('whitened')
    expect(pixel(made, 2, 2)).toEqual([255, 255, 255])
    for (const [x, y] of [
      [20, 22],
      [20, 48],
    ] as const)
      expect(pixel(made, x, y)).toEqual(pixel(before.data, x, y))
    expect(lookAtPortrait({ ...before, data: made })[0]).toMatchObject({ ok: true, got: 'white 100 %' })
  }
})

test('what has the colour of the ground inside the person is not touched', () => {
  const ground: Rgb = [190, 190, 190]
  const before = on(ground, (x, y) => (Math.hypot(x - 20, y - 22) < 4 ? ground : skin))
  expect(pixel(whitened(before) ?? [], 20, 22)).toEqual([190, 190, 190])
})

test('a white ground stays as it is, and one of several colours is not guessed at', () => {
  expect(whitened(on([250, 250, 250]))).toBeUndefined()
  expect(whitened(picture((x, y) => (isPerson(x, y) ? skin : x % 8 < 4 ? [200, 200, 200] : [60, 90, 60])))).toBeUndefined()
})
