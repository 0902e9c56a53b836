import { withoutRadicals } from '#contract/kernel/radicals.ts'
import { type FontFace, type FontSet, type FontWeight, faceFor, missingGlyphs } from './fonts.ts'

/** A text holds characters that no font can draw. Nothing is ever printed as an empty box; the caller reports the characters. */
export class MissingGlyphError extends Error {
  override readonly name = 'MissingGlyphError'
  readonly characters: readonly string[]

  constructor(characters: readonly string[]) {
    super(`no font has ${characters.map(char => `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`).join(' ')}`)
    this.characters = characters
  }
}

export interface TextRun {
  readonly face: FontFace
  readonly text: string
}

/** Splits a line where the font changes. @throws MissingGlyphError */
export function splitRuns(fonts: FontSet, weight: FontWeight, line: string): TextRun[] {
  const runs: { face: FontFace; text: string }[] = []
  // A radical is drawn, and copied, as the character that it looks like.
  for (const char of withoutRadicals(line)) {
    const face = faceFor(fonts, weight, char.codePointAt(0) ?? 0)
    if (!face) throw new MissingGlyphError(missingGlyphs(fonts, line))
    const last = runs.at(-1)
    if (last?.face === face) last.text += char
    else runs.push({ face, text: char })
  }
  return runs
}

/** Width at size 1. @throws MissingGlyphError */
export function textWidth(fonts: FontSet, weight: FontWeight, text: string): number {
  let width = 0
  for (const char of withoutRadicals(text)) {
    const codePoint = char.codePointAt(0) ?? 0
    const face = faceFor(fonts, weight, codePoint)
    if (!face) throw new MissingGlyphError(missingGlyphs(fonts, text))
    width += face.advance(codePoint)
  }
  return width
}

const NOT_AT_START = new Set('、。，．；：！？）】》〉」』”’％·…—,.;:!?)]}%')
const NOT_AT_END = new Set('（【《〈「『“‘([{')
const WORD = /^[\p{Script=Latin}\p{Nd}_@#&+\-/.:'=?]$/u

/**
 * Breaks a text into lines no wider than `width` (in units of the font size), by code point: between Han characters anywhere except before
 * closing and after opening marks, in Latin at spaces, and inside a word only when it alone is wider than a line.
 */
export function wrapText(fonts: FontSet, weight: FontWeight, text: string, width: number): string[] {
  return text.split('\n').flatMap(paragraph => wrapParagraph(fonts, weight, paragraph, width))
}

function wrapParagraph(fonts: FontSet, weight: FontWeight, paragraph: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  let lineWidth = 0
  for (const unit of units(paragraph)) {
    const unitWidth = textWidth(fonts, weight, unit)
    if (lineWidth + textWidth(fonts, weight, unit.trimEnd()) <= width) {
      line += unit
      lineWidth += unitWidth
      continue
    }
    if (line !== '') lines.push(line.trimEnd())
    line = ''
    lineWidth = 0
    for (const char of unit.trimStart()) {
      const charWidth = textWidth(fonts, weight, char)
      if (line !== '' && lineWidth + charWidth > width) {
        lines.push(line)
        line = ''
        lineWidth = 0
      }
      line += char
      lineWidth += charWidth
    }
  }
  lines.push(line.trimEnd())
  return lines
}

/** The smallest pieces a line may be broken between. */
function units(text: string): string[] {
  const pieces: string[] = []
  let previous = ''
  for (const char of text) {
    const joins =
      previous !== '' && (char === ' ' || NOT_AT_START.has(char) || NOT_AT_END.has(previous) || (WORD.test(char) && WORD.test(previous)))
    if (joins) pieces[pieces.length - 1] += char
    else pieces.push(char)
    previous = char
  }
  return pieces
}

export interface FitOptions {
  readonly sizePt: number
  readonly minSizePt: number
  readonly maxLines: number
  /** `shrink`: stay on fewer lines and get smaller first; `wrap`: use more lines first. */
  readonly prefer: 'shrink' | 'wrap'
}

export interface FittedText {
  readonly sizePt: number
  readonly lines: readonly string[]
  /** True when even the smallest size on all lines was too wide and the end was replaced by `…`. */
  readonly isCut: boolean
}

/** Distance of two base lines, in sizes. */
export const LINE_HEIGHT = 1.3
const STEP_PT = 0.5

/** Finds the size and lines with which a text fits a box of `width` × `height` points. */
export function fitText(fonts: FontSet, weight: FontWeight, text: string, width: number, height: number, options: FitOptions): FittedText {
  const sizes: number[] = []
  for (let size = options.sizePt; size > options.minSizePt; size -= STEP_PT) sizes.push(size)
  sizes.push(options.minSizePt)
  const lineCounts = Array.from({ length: options.maxLines }, (_, i) => i + 1)
  const trials =
    options.prefer === 'shrink'
      ? lineCounts.flatMap(lines => sizes.map(size => ({ lines, size })))
      : sizes.flatMap(size => lineCounts.map(lines => ({ lines, size })))

  for (const { lines, size } of trials) {
    if (lines * size * LINE_HEIGHT > height + 0.01 && lines > 1) continue
    const wrapped = wrapText(fonts, weight, text, width / size)
    if (wrapped.length <= lines) return { sizePt: size, lines: wrapped, isCut: false }
  }

  const size = options.minSizePt
  const count = Math.max(1, Math.min(options.maxLines, Math.floor(height / (size * LINE_HEIGHT))))
  const wrapped = wrapText(fonts, weight, text, width / size)
  const last = [...wrapped.slice(count - 1).join('')]
  while (last.length > 0 && textWidth(fonts, weight, `${last.join('')}…`) > width / size) last.pop()
  return { sizePt: size, lines: [...wrapped.slice(0, count - 1), `${last.join('')}…`], isCut: true }
}
