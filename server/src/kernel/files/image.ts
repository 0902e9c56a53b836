import type sharp from 'sharp'
import type { Sharp } from 'sharp'
import { kindOfName } from '#contract/kernel/picture-name.ts'
import { type LookRule, lookAtPortrait, type Pixels, portraitSampleWidth } from '#contract/kernel/portrait.ts'
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
export type PortraitRule = 'format' | 'bytes' | 'decode' | 'size' | 'ratio' | LookRule

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
  findings.push(
    { rule: 'decode', ok: true, got: kind },
    { rule: 'size', ok: width >= rules.minWidth && height >= rules.minHeight, got: `${width}×${height}` },
    { rule: 'ratio', ok: ratio >= rules.minRatio && ratio <= rules.maxRatio, got: ratio.toFixed(2) },
    ...lookAtPortrait(sample.pixels),
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
  // A name without an ending tells nothing: the content does.
  const extension = fileName === undefined ? undefined : kindOfName(fileName)
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

/** Decodes the whole picture once, so that a cut file is found, and keeps a small copy for the statistics. */
async function decodeSample(bytes: Uint8Array): Promise<Sample | undefined> {
  try {
    const head = await images()(bytes, { limitInputPixels: MAX_IMAGE_PIXELS }).metadata()
    const { data, info } = await upright(bytes)
      .flatten({ background: '#ffffff' })
      .resize({ width: portraitSampleWidth })
      .toColourspace('srgb')
      .raw()
      .toBuffer({ resolveWithObject: true })
    if (info.channels !== 3) return undefined
    const isTurned = (head.orientation ?? 1) >= 5
    const [width, height] = isTurned ? [head.height, head.width] : [head.width, head.height]
    return { width, height, pixels: { width: info.width, height: info.height, channels: 3, data } }
  } catch {
    return undefined
  }
}
