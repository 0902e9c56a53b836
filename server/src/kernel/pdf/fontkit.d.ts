// The part of fontkit 2 that is used here; the package has no types of its own.
declare module 'fontkit' {
  export interface FontPath {
    toSVG(): string
    transform(a: number, b: number, c: number, d: number, e: number, f: number): FontPath
  }
  export interface Glyph {
    readonly id: number
    readonly codePoints: readonly number[]
    readonly advanceWidth: number
    readonly path: FontPath
  }
  export interface GlyphRun {
    readonly glyphs: readonly Glyph[]
    readonly positions: readonly { xAdvance: number; yAdvance: number; xOffset: number; yOffset: number }[]
    readonly advanceWidth: number
  }
  export interface Font {
    readonly postscriptName: string
    readonly unitsPerEm: number
    readonly ascent: number
    readonly descent: number
    hasGlyphForCodePoint(codePoint: number): boolean
    glyphForCodePoint(codePoint: number): Glyph
    layout(text: string): GlyphRun
  }
  /** A collection (.ttc) gives an object without `layout`. */
  export function create(bytes: Uint8Array): Font
}
