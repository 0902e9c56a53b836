// The part of fontkit 2 that is used here; the package has no types of its own.
declare module 'fontkit' {
  export interface FontPath {
    toSVG(): string
    transform(a: number, b: number, c: number, d: number, e: number, f: number): FontPath
  }
  export interface Glyph {
    readonly advanceWidth: number
    readonly path: FontPath
  }
  export interface Font {
    readonly postscriptName: string
    readonly unitsPerEm: number
    readonly ascent: number
    readonly descent: number
    hasGlyphForCodePoint(codePoint: number): boolean
    glyphForCodePoint(codePoint: number): Glyph
    layout(text: string): unknown
  }
  /** A collection (.ttc) gives an object without `layout`. */
  export function create(bytes: Uint8Array): Font
}
