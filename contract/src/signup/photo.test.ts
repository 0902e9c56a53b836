import { describe, expect, it } from 'vitest'
import { checkPhoto, defaultPhotoRule, lookAtPhoto, type PhotoFacts } from './photo.ts'

type Colour = readonly [number, number, number]
/** A head of one colour in the middle of a ground, which may differ from pixel to pixel. */
const draw = (
  width: number,
  height: number,
  ground: (x: number, y: number) => Colour,
  head: Colour = [200, 170, 150],
  channels: 3 | 4 = 3,
) => {
  const pixels = new Uint8Array(width * height * channels).fill(255)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const isHead = x > width * 0.2 && x < width * 0.8 && y > height * 0.15
      pixels.set(isHead ? head : ground(x, y), (y * width + x) * channels)
    }
  }
  return lookAtPhoto(pixels, width, height, channels)
}
const good: PhotoFacts = { format: 'jpeg', sizeBytes: 20_000, widthPx: 295, heightPx: 413, look: { ground: 'white', brightness: 160 } }

describe('look of a photo', () => {
  it.each([
    [[255, 255, 255], 'white'],
    [[222, 226, 230], 'white'],
    [[67, 142, 219], 'blue'],
    [[0, 60, 160], 'blue'],
    [[200, 30, 30], 'red'],
    [[120, 120, 120], 'other'],
    [[30, 160, 60], 'other'],
  ] as [Colour, string][])('ground %j is %s', (colour, ground) => {
    expect(draw(295, 413, () => colour).ground).toBe(ground)
    expect(draw(295, 413, () => colour, [90, 80, 70], 4).ground).toBe(ground)
  })

  it('bears noise, but not a second colour', () => {
    expect(draw(295, 413, (x, y) => [240 + ((x + y) % 15), 240, 245]).ground).toBe('white')
    expect(draw(295, 413, x => (x % 40 < 20 ? [255, 255, 255] : [60, 90, 60])).ground).toBe('mixed')
  })

  it('measures the brightness of the middle', () => {
    expect(draw(1180, 1652, () => [255, 255, 255], [10, 10, 10]).brightness).toBe(10)
    expect(draw(1, 1, () => [0, 0, 0])).toEqual({ ground: 'other', brightness: 0 })
  })
})

describe('automatic photo check', () => {
  it.each([
    [{}, []],
    [{ look: { ground: 'blue', brightness: 120 } }, []],
    [{ format: 'other' }, ['format']],
    [{ sizeBytes: 512_000 }, []],
    [{ sizeBytes: 512_001 }, ['too-large']],
    [{ widthPx: 100, heightPx: 140 }, ['too-small']],
    [{ widthPx: 413, heightPx: 413 }, ['ratio']],
    [{ widthPx: 4000, heightPx: 6000 }, ['ratio']],
    [{ widthPx: 4200, heightPx: 5900 }, ['pixels']],
    [{ look: { ground: 'red', brightness: 120 } }, ['ground']],
    [{ look: { ground: 'mixed', brightness: 30 } }, ['ground-mixed', 'dark']],
    [{ look: { ground: 'white', brightness: 250 } }, ['bright']],
    [{ widthPx: 0, heightPx: 0 }, ['too-small', 'ratio']],
  ] as [Partial<PhotoFacts>, string[]][])('%j → %j', (change, problems) => expect(checkPhoto({ ...good, ...change })).toEqual(problems))

  it('follows the rule of the examination', () => {
    expect(checkPhoto(good, { ...defaultPhotoRule, minWidthPx: 600, minHeightPx: 800 })).toEqual(['too-small'])
  })
})
