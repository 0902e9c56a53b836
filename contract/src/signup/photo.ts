import type { Label } from '../kernel/label.ts'

/** What the automatic photo check looks at; head, eyes and likeness are for the reviewer (`photoState`). */
export interface PhotoFacts {
  /** By the bytes, not by the name. */
  readonly format: 'jpeg' | 'png' | 'other'
  readonly sizeBytes: number
  /** After the picture was turned as its orientation mark says. */
  readonly widthPx: number
  readonly heightPx: number
  readonly look: PhotoLook
}

/** `files.pixel` of domain 3.4, with the defaults of a certified photo. */
export interface PhotoRule {
  readonly maxBytes: number
  readonly minWidthPx: number
  readonly minHeightPx: number
  readonly minRatio: number
  readonly maxRatio: number
}
export const defaultPhotoRule: PhotoRule = { maxBytes: 500 * 1024, minWidthPx: 295, minHeightPx: 413, minRatio: 0.7, maxRatio: 0.76 }

/** Largest picture that is decoded at all (decision 4.7). */
export const MAX_PIXELS = 24_000_000

export type PhotoGround = 'white' | 'blue' | 'red' | 'other' | 'mixed'
export type PhotoProblem = 'format' | 'too-large' | 'too-small' | 'ratio' | 'pixels' | 'ground' | 'ground-mixed' | 'dark' | 'bright'

export const photoMessages: Readonly<Record<PhotoProblem, Label>> = {
  format: { zh: '证件照应为 JPG 或 PNG 图片', en: 'The photo must be a JPG or PNG picture' },
  'too-large': { zh: '证件照不能超过 500KB', en: 'The photo must not be larger than 500 KB' },
  'too-small': { zh: '证件照不能小于 295×413 像素', en: 'The photo must have at least 295×413 pixels' },
  ratio: { zh: '证件照宽高比应约为 5:7，请裁剪', en: 'The photo must be about 5:7; please crop it' },
  pixels: { zh: '图片像素过多', en: 'The picture has too many pixels' },
  ground: { zh: '证件照背景应为白色或蓝色', en: 'The ground of the photo must be white or blue' },
  'ground-mixed': { zh: '证件照背景应为单一颜色', en: 'The ground of the photo must be of one colour' },
  dark: { zh: '证件照过暗', en: 'The photo is too dark' },
  bright: { zh: '证件照过亮', en: 'The photo is too bright' },
}

export interface PhotoLook {
  readonly ground: PhotoGround
  /** Mean brightness of the middle of the picture, 0–255. */
  readonly brightness: number
}

/** Share of the edge pixels that must be of the ground's colour, and how far one channel may be off. */
const GROUND_SHARE = 0.85
const GROUND_TOLERANCE = 40

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0

/**
 * Looks at the pixels of a picture: the ground is what the upper two thirds of both sides and the upper edge show, where no shoulder reaches. Runs on a
 * canvas before the upload and on the server after it.
 * @param pixels red, green, blue (and alpha, when `channels` is 4), row by row from the top
 */
export function lookAtPhoto(pixels: ArrayLike<number>, widthPx: number, heightPx: number, channels: 3 | 4): PhotoLook {
  const edge: [number, number, number][] = []
  const step = Math.max(1, Math.floor(Math.min(widthPx, heightPx) / 150))
  const side = Math.max(1, Math.floor(widthPx * 0.06))
  const top = Math.max(1, Math.floor(heightPx * 0.04))
  let light = 0
  let count = 0
  for (let y = 0; y < heightPx; y += step) {
    for (let x = 0; x < widthPx; x += step) {
      const at = (y * widthPx + x) * channels
      const [r, g, b] = [pixels[at] ?? 0, pixels[at + 1] ?? 0, pixels[at + 2] ?? 0]
      if (y < top || (y < heightPx * 0.6 && (x < side || x >= widthPx - side))) edge.push([r, g, b])
      else if (x > widthPx * 0.25 && x < widthPx * 0.75 && y > heightPx * 0.2 && y < heightPx * 0.8) {
        light += 0.299 * r + 0.587 * g + 0.114 * b
        count++
      }
    }
  }
  const middle = [0, 1, 2].map(channel => median(edge.map(pixel => pixel[channel as 0 | 1 | 2]))) as [number, number, number]
  const near = edge.filter(pixel => pixel.every((value, i) => Math.abs(value - (middle[i] ?? 0)) <= GROUND_TOLERANCE)).length
  const [r, g, b] = middle
  const ground: PhotoGround =
    edge.length === 0 || near / edge.length < GROUND_SHARE
      ? 'mixed'
      : Math.min(r, g, b) >= 215
        ? 'white'
        : b >= 110 && b - r >= 40 && b >= g
          ? 'blue'
          : r >= 120 && r - b >= 60 && r - g >= 60
            ? 'red'
            : 'other'
  return { ground, brightness: count === 0 ? 0 : Math.round(light / count) }
}

/** All automatic reasons against a certified photo, in the order of `photoMessages`. */
export function checkPhoto(facts: PhotoFacts, rule: PhotoRule = defaultPhotoRule): PhotoProblem[] {
  const { widthPx, heightPx, look } = facts
  const ratio = widthPx / heightPx
  const problems: PhotoProblem[] = []
  if (facts.format === 'other') problems.push('format')
  if (facts.sizeBytes > rule.maxBytes) problems.push('too-large')
  if (widthPx < rule.minWidthPx || heightPx < rule.minHeightPx) problems.push('too-small')
  if (!(ratio >= rule.minRatio && ratio <= rule.maxRatio)) problems.push('ratio')
  if (widthPx * heightPx > MAX_PIXELS) problems.push('pixels')
  if (look.ground === 'mixed') problems.push('ground-mixed')
  else if (look.ground !== 'white' && look.ground !== 'blue') problems.push('ground')
  if (look.brightness < 50) problems.push('dark')
  if (look.brightness > 245) problems.push('bright')
  return problems
}
