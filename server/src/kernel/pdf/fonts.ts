import { readFileSync } from 'node:fs'
import type { create, Font } from 'fontkit'
import { withoutRadicals } from '#contract/kernel/radicals.ts'
import { lazily } from '#kernel/lazy.ts'

/** One font file, read and parsed once and shared by all documents of the thread. */
export interface FontFace {
  readonly name: string
  readonly font: Font
  readonly has: (codePoint: number) => boolean
  /** Advance at size 1. */
  readonly advance: (codePoint: number) => number
}

export interface FontSet {
  readonly regular: FontFace
  readonly bold: FontFace
  /** Tried in order, glyph by glyph, after the two bundled fonts. */
  readonly fallbacks: readonly FontFace[]
}

export type FontWeight = 'regular' | 'bold'

const fontkit = lazily<{ readonly create: typeof create }>('fontkit')
const FOLDER = new URL('../../../../assets/fonts/', import.meta.url)
let bundled: Pick<FontSet, 'regular' | 'bold'> | undefined

/**
 * The bundled Noto Sans SC in two weights, and fonts an administrator uploaded for characters beyond it.
 * @throws when a fallback is no TrueType or OpenType font (collections included)
 */
export function loadFonts(fallbacks: readonly Uint8Array[] = []): FontSet {
  bundled ??= {
    regular: face('regular', readFileSync(new URL('NotoSansSC_400Regular.ttf', FOLDER))),
    bold: face('bold', readFileSync(new URL('NotoSansSC_700Bold.ttf', FOLDER))),
  }
  return { ...bundled, fallbacks: fallbacks.map((bytes, i) => face(`fallback${i}`, bytes)) }
}

/** The font that draws this character: the wished weight, else the other one, else the first fallback that has it. */
export function faceFor(fonts: FontSet, weight: FontWeight, codePoint: number): FontFace | undefined {
  const [first, second] = weight === 'bold' ? [fonts.bold, fonts.regular] : [fonts.regular, fonts.bold]
  if (first.has(codePoint)) return first
  return second.has(codePoint) ? second : fonts.fallbacks.find(fallback => fallback.has(codePoint))
}

export function hasGlyph(fonts: FontSet, codePoint: number): boolean {
  return faceFor(fonts, 'regular', codePoint) !== undefined
}

/** The characters of the text that no font can draw, each once, in order; line breaks need no glyph. */
export function missingGlyphs(fonts: FontSet, text: string): string[] {
  return [...new Set(withoutRadicals(text))].filter(char => char !== '\n' && !hasGlyph(fonts, char.codePointAt(0) ?? 0))
}

function face(name: string, bytes: Uint8Array): FontFace {
  const font = fontkit().create(bytes)
  if (typeof font?.layout !== 'function') throw new Error('not a single TrueType or OpenType font')
  const advances = new Map<number, number>()
  return {
    name,
    font,
    has: codePoint => font.hasGlyphForCodePoint(codePoint),
    advance(codePoint) {
      const known = advances.get(codePoint)
      if (known !== undefined) return known
      const advance = font.glyphForCodePoint(codePoint).advanceWidth / font.unitsPerEm
      advances.set(codePoint, advance)
      return advance
    },
  }
}
