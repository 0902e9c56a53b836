import type sharp from 'sharp'
import { lazily } from '#kernel/lazy.ts'
import { loadFonts } from '#kernel/pdf/fonts.ts'
import { randomInt, randomText } from '#kernel/random.ts'

/** Letters and digits that nobody mistakes for another; answers are compared without regard to case. */
const ALPHABET = 'ACDEFGHJKLMNPQRTUVWXY34679'
/** The client's field takes exactly five (decision 4.7). */
const LENGTH = 5
const draw = lazily<typeof sharp>('sharp')
const COLORS = ['#1f3a93', '#7b241c', '#145a32', '#6c3483', '#784212', '#1b4f72']

export function newCaptchaText(): string {
  return randomText(LENGTH, ALPHABET)
}

/** Draws a captcha in our own font, as glyph outlines each turned, sheared and shifted, under lines of the same colours. @returns PNG data URL */
export async function createCaptcha(text: string, size: { readonly width: number; readonly height: number }): Promise<string> {
  const png = await draw()(Buffer.from(captchaSvg(text, size.width, size.height)))
    // More effort takes three times as long and saves nothing: there are six colours.
    .png({ palette: true, colours: 32, effort: 1 })
    .toBuffer()
  return `data:image/png;base64,${png.toString('base64')}`
}

function captchaSvg(text: string, width: number, height: number): string {
  const shapes = [...text].map((char, i, all) => glyphPath(char, width * (0.08 + (0.84 * (i + 0.5)) / all.length), height))
  for (let i = 0; i < 4; i++) shapes.splice(randomInt(0, shapes.length + 1), 0, curve(width, height))
  for (let i = 0; i < 30; i++) shapes.push(`<circle cx="${randomInt(0, width)}" cy="${randomInt(0, height)}" r="0.8" fill="${color()}"/>`)
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#f5f6fa"/>${shapes.join('')}</svg>`
}

function glyphPath(char: string, centre: number, height: number): string {
  const { font } = loadFonts()[randomInt(0, 2) === 0 ? 'bold' : 'regular']
  const glyph = font.glyphForCodePoint(char.codePointAt(0) ?? 0)
  const scale = (height * between(0.66, 0.82)) / font.unitsPerEm
  const angle = between(-0.42, 0.42)
  const shear = between(-0.25, 0.25)
  const capHeight = 0.73 * font.unitsPerEm
  // Centre the glyph on the origin, y upwards; then shear, turn, scale with y flipped, and move to its place.
  const path = glyph.path
    .transform(1, 0, 0, 1, -glyph.advanceWidth / 2, -capHeight / 2)
    .transform(1, 0, shear, 1, 0, 0)
    .transform(Math.cos(angle), Math.sin(angle), -Math.sin(angle), Math.cos(angle), 0, 0)
    .transform(scale, 0, 0, -scale, centre + between(-3, 3), height / 2 + between(-0.08, 0.08) * height)
  return `<path d="${path.toSVG()}" fill="${color()}"/>`
}

function curve(width: number, height: number): string {
  const y = () => randomInt(0, height)
  const points = `M${-2} ${y()}C${randomInt(0, width)} ${y()} ${randomInt(0, width)} ${y()} ${width + 2} ${y()}`
  return `<path d="${points}" stroke="${color()}" stroke-width="${between(0.8, 1.6).toFixed(1)}" fill="none"/>`
}

function color(): string {
  return COLORS[randomInt(0, COLORS.length)] ?? '#000'
}

function between(min: number, max: number): number {
  return min + ((max - min) * randomInt(0, 1_000)) / 999
}
