import type sharp from 'sharp'
import type { Sharp } from 'sharp'
import { lazily } from '#kernel/lazy.ts'
import { sniffKind } from './kinds.ts'

const images = lazily<typeof sharp>('sharp')

/** 24 MP (decision 4.7): what a phone's camera makes; more is refused before it is decoded. */
const MAX_IMAGE_PIXELS = 24_000_000

export interface PortraitRules {
  readonly minWidth: number
  readonly minHeight: number
  /** Width divided by height. */
  readonly minRatio: number
  readonly maxRatio: number
  readonly maxBytes: number
}

/** One-inch photo of domain.md 3.4; 512,000 bytes by S2.51. */
const PORTRAIT_RULES: PortraitRules = { minWidth: 295, minHeight: 413, minRatio: 0.7, maxRatio: 0.76, maxBytes: 512_000 }

/**
 * format: JPEG or PNG by content, and the file name says the same; bytes: not over the limit; decode: whole and at most 24 MP; size and
 * ratio: after turning upright; ground: one colour at the top and the upper sides, white or blue; brightness: the middle is neither dark, glaring nor flat.
 */
export type PortraitRule = 'format' | 'bytes' | 'decode' | 'size' | 'ratio' | 'ground' | 'brightness'

export interface PortraitFinding {
  readonly rule: PortraitRule
  readonly ok: boolean
  /** What was found, for the message: `png`, `100×140`, `1.45`, `red 96 %`, … */
  readonly got: string
}

export interface PortraitCheck {
  /** Upright size in pixels, 0 when it could not be decoded. */
  readonly width: number
  readonly height: number
  readonly ratio: number
  /** In the order of PortraitRule; those after a failed `format` or `decode` are missing. */
  readonly findings: readonly PortraitFinding[]
}

/**
 * The automatic checks of a portrait. Whether it shows one face, eyes open and uncovered, head large enough and the right person is for
 * the reviewer, who sets the photo state.
 */
export async function checkPortrait(
  bytes: Uint8Array,
  options: { readonly fileName?: string; readonly rules?: PortraitRules } = {},
): Promise<PortraitCheck> {
  const rules = options.rules ?? PORTRAIT_RULES
  const kind = sniffKind(bytes)
  const format = checkFormat(kind, options.fileName)
  const findings: PortraitFinding[] = [format, { rule: 'bytes', ok: bytes.length <= rules.maxBytes, got: String(bytes.length) }]
  if (kind !== 'jpg' && kind !== 'png') return { width: 0, height: 0, ratio: 0, findings }

  const sample = await decodeSample(bytes)
  if (!sample)
    return { width: 0, height: 0, ratio: 0, findings: [...findings, { rule: 'decode', ok: false, got: 'damaged or over 24 MP' }] }
  const { width, height } = sample
  const ratio = width / height
  const edge = edgeOf(sample.pixels)
  const ground: Rgb = [median(edge, 0), median(edge, 1), median(edge, 2)]
  findings.push(
    { rule: 'decode', ok: true, got: kind },
    { rule: 'size', ok: width >= rules.minWidth && height >= rules.minHeight, got: `${width}×${height}` },
    { rule: 'ratio', ok: ratio >= rules.minRatio && ratio <= rules.maxRatio, got: ratio.toFixed(2) },
    checkGround(edge, ground),
    checkBrightness(sample.pixels, ground),
  )
  return { width, height, ratio, findings }
}

/** Upright 295×413 JPEG for ticket and list, at most 60 KB, without metadata. Call it for portraits whose ratio passed: the edges are cropped to fit. */
export async function makePortrait(bytes: Uint8Array): Promise<Buffer> {
  for (const quality of [88, 76, 64, 50, 36]) {
    const jpeg = await upright(bytes)
      .resize(295, 413, { fit: 'cover' })
      .flatten({ background: '#ffffff' })
      .toColourspace('srgb')
      .jpeg({ quality, mozjpeg: true })
      .toBuffer()
    if (jpeg.length <= 60 * 1024) return jpeg
  }
  throw new ImageError('the portrait does not fit into 60 KB')
}

export interface CleanImage {
  readonly bytes: Buffer
  readonly kind: 'jpg' | 'png'
  readonly width: number
  readonly height: number
}

/**
 * Decodes and encodes an uploaded picture anew: upright, without EXIF, GPS, comments and trailing data, not larger than `maxSide` pixels a side.
 * PNG stays PNG, all else becomes JPEG. @throws ImageError for what is no whole JPEG or PNG of at most 24 MP
 */
export async function cleanImage(bytes: Uint8Array, options: { readonly maxSide?: number } = {}): Promise<CleanImage> {
  const kind = sniffKind(bytes)
  if (kind !== 'jpg' && kind !== 'png') throw new ImageError('neither JPEG nor PNG')
  const side = options.maxSide ?? 4_096
  const image = upright(bytes).resize(side, side, { fit: 'inside', withoutEnlargement: true }).toColourspace('srgb')
  try {
    const encoded = kind === 'png' ? image.png({ compressionLevel: 8 }) : image.jpeg({ quality: 90, mozjpeg: true })
    const { data, info } = await encoded.toBuffer({ resolveWithObject: true })
    return { bytes: data, kind, width: info.width, height: info.height }
  } catch (error) {
    throw new ImageError('the picture cannot be decoded', { cause: error })
  }
}

/** Width and height of a picture that has too many pixels to be decoded; undefined for any other. Reads the head only. */
export async function sizeBeyondLimit(bytes: Uint8Array): Promise<{ readonly width: number; readonly height: number } | undefined> {
  try {
    const { width, height } = await images()(bytes, { limitInputPixels: false }).metadata()
    return width * height > MAX_IMAGE_PIXELS ? { width, height } : undefined
  } catch {
    return undefined
  }
}

export class ImageError extends Error {
  override readonly name = 'ImageError'
}

function upright(bytes: Uint8Array): Sharp {
  return images()(bytes, { limitInputPixels: MAX_IMAGE_PIXELS, failOn: 'error', animated: false, unlimited: false }).rotate()
}

function checkFormat(kind: ReturnType<typeof sniffKind>, fileName: string | undefined): PortraitFinding {
  const extension =
    fileName === undefined ? undefined : (/\.([a-z0-9]+)$/i.exec(fileName)?.[1]?.toLowerCase().replace('jpeg', 'jpg') ?? 'none')
  const isPicture = kind === 'jpg' || kind === 'png'
  const got = kind ?? 'unknown'
  return {
    rule: 'format',
    ok: isPicture && (extension === undefined || extension === kind),
    got: extension ? `${got} named ${extension}` : got,
  }
}

interface Sample {
  readonly width: number
  readonly height: number
  readonly pixels: Pixels
}

interface Pixels {
  readonly width: number
  readonly height: number
  /** Red, green, blue. */
  readonly data: Buffer
}

const SAMPLE_WIDTH = 120

/** Decodes the whole picture once, so that a cut file is found, and keeps a small copy for the statistics. */
async function decodeSample(bytes: Uint8Array): Promise<Sample | undefined> {
  try {
    const head = await images()(bytes, { limitInputPixels: MAX_IMAGE_PIXELS }).metadata()
    const { data, info } = await upright(bytes)
      .flatten({ background: '#ffffff' })
      .resize({ width: SAMPLE_WIDTH })
      .toColourspace('srgb')
      .raw()
      .toBuffer({ resolveWithObject: true })
    if (info.channels !== 3) return undefined
    const isTurned = (head.orientation ?? 1) >= 5
    const [width, height] = isTurned ? [head.height, head.width] : [head.width, head.height]
    return { width, height, pixels: { width: info.width, height: info.height, data } }
  } catch {
    return undefined
  }
}

type Rgb = readonly [number, number, number]

function pixelsOf({ width, height, data }: Pixels, isIn: (x: number, y: number) => boolean): Rgb[] {
  const found: Rgb[] = []
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = (y * width + x) * 3
      if (isIn((x + 0.5) / width, (y + 0.5) / height)) found.push([data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0])
    }
  }
  return found
}

/** Light falls off towards the corners of a real photo; a second colour or a pattern is further away. */
const SAME_COLOR_DISTANCE = 48
const MIN_EVEN_SHARE = 0.9

/** Shoulders begin lower, and the head leaves these strips free in a photo of the prescribed framing. */
function edgeOf(pixels: Pixels): Rgb[] {
  return pixelsOf(pixels, (x, y) => y < 0.05 || (y < 0.5 && (x < 0.06 || x > 0.94)))
}

function checkGround(edge: readonly Rgb[], ground: Rgb): PortraitFinding {
  const share = edge.filter(pixel => distance(pixel, ground) <= SAME_COLOR_DISTANCE).length / edge.length
  const color = colorName(ground)
  return {
    rule: 'ground',
    ok: share >= MIN_EVEN_SHARE && (color === 'white' || color === 'blue'),
    got: `${color} ${Math.round(share * 100)} %`,
  }
}

function median(pixels: readonly Rgb[], channel: 0 | 1 | 2): number {
  const values = pixels.map(pixel => pixel[channel]).sort((a, b) => a - b)
  return values[values.length >> 1] ?? 0
}

/** White may be a light grey or slightly tinted; blue is everything from sky to navy that a studio uses. */
function colorName([red, green, blue]: Rgb): string {
  const max = Math.max(red, green, blue)
  const min = Math.min(red, green, blue)
  if (min >= 195 && max - min <= 32) return 'white'
  if (max - min <= 32) return max < 64 ? 'black' : 'grey'
  if (blue === max && blue - red >= 45 && blue >= 100 && blue >= green + 10) return 'blue'
  if (red === max && red - green >= 60 && red - blue >= 60) return 'red'
  return 'other'
}

/** Less than this of the middle of the picture differing from the ground means that nothing is there or that it is washed out. */
const MIN_FIGURE_SHARE = 0.1

function checkBrightness(pixels: Pixels, ground: Rgb): PortraitFinding {
  const middle = pixelsOf(pixels, (x, y) => x > 0.3 && x < 0.7 && y > 0.2 && y < 0.65)
  const figure = middle.filter(pixel => distance(pixel, ground) > SAME_COLOR_DISTANCE)
  if (figure.length < middle.length * MIN_FIGURE_SHARE) return { rule: 'brightness', ok: false, got: 'nothing but ground' }
  const light = figure.map(([red, green, blue]) => 0.2126 * red + 0.7152 * green + 0.0722 * blue)
  const mean = light.reduce((sum, value) => sum + value, 0) / light.length
  const spread = Math.sqrt(light.reduce((sum, value) => sum + (value - mean) ** 2, 0) / light.length)
  return {
    rule: 'brightness',
    ok: mean >= 50 && mean <= 235 && spread >= 12,
    got: `mean ${Math.round(mean)}, spread ${Math.round(spread)}`,
  }
}

function distance(a: Rgb, b: Rgb): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2])
}
