import { readFileSync } from 'node:fs'
import type { create, Font, Glyph, GlyphRun } from 'fontkit'
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

/** A part of a line that one font object of a document draws. */
export interface DrawnPart {
  readonly name: string
  readonly font: Font
  readonly text: string
}

/**
 * The fonts of one document. A parsed font remembers with each glyph the character by which it was first asked for, in whichever document of the
 * thread (fontkit 2.0.4, `getGlyph`), and pdfkit 0.20.2 writes that one into the table by which text is searched and copied: after a document with
 * no-break spaces, no space of the next one is found. Here each glyph says the character it stands for in this document; where two characters of a
 * document share a glyph, the second one has a font object of its own.
 *
 * Characters are placed one by one by their advance, as they are measured (`textWidth`): no kerning and no ligatures.
 */
export const documentFonts = (): { readonly parts: (face: FontFace, text: string) => readonly DrawnPart[] } => {
  interface Variant {
    readonly name: string
    readonly font: Font
    /** The character of each glyph drawn so far. */
    readonly drawn: Map<number, number>
  }
  const variants = new Map<FontFace, Variant[]>()
  const newVariant = ({ name, font }: FontFace, at: number): Variant => {
    const glyphs = new Map<number, Glyph>()
    const glyphOf = (codePoint: number): Glyph => {
      const found = glyphs.get(codePoint) ?? Object.create(font.glyphForCodePoint(codePoint), { codePoints: { value: [codePoint] } })
      glyphs.set(codePoint, found)
      return found
    }
    const layout = (text: string): GlyphRun => {
      const drawn = Array.from(text, char => glyphOf(char.codePointAt(0) ?? 0))
      const positions = drawn.map(glyph => ({ xAdvance: glyph.advanceWidth, yAdvance: 0, xOffset: 0, yOffset: 0 }))
      return {
        glyphs: drawn,
        positions,
        // pdfkit scales the positions before it asks.
        get advanceWidth() {
          return positions.reduce((sum, { xAdvance }) => sum + xAdvance, 0)
        },
      }
    }
    const suffix = at === 0 ? '' : `-${at}`
    // pdfkit takes fonts of the same PostScript name for one.
    const view = Object.create(font, { layout: { value: layout }, postscriptName: { value: `${font.postscriptName}${suffix}` } })
    return { name: `${name}${suffix}`, font: view, drawn: new Map() }
  }
  const variantOf = (face: FontFace, codePoint: number): Variant => {
    const own = variants.get(face) ?? []
    variants.set(face, own)
    const { id } = face.font.glyphForCodePoint(codePoint)
    const fits = own.find(({ drawn }) => (drawn.get(id) ?? codePoint) === codePoint)
    const variant = fits ?? newVariant(face, own.length)
    if (!fits) own.push(variant)
    variant.drawn.set(id, codePoint)
    return variant
  }
  return {
    parts: (face, text) => {
      const found: { name: string; font: Font; text: string }[] = []
      for (const char of text) {
        const { name, font } = variantOf(face, char.codePointAt(0) ?? 0)
        const last = found.at(-1)
        if (last?.name === name) last.text += char
        else found.push({ name, font, text: char })
      }
      return found
    },
  }
}
