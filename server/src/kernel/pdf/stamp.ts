import type * as pdfLibrary from '@cantoo/pdf-lib'
import type sharp from 'sharp'
import { lazily } from '#kernel/lazy.ts'
import { type FontSet, loadFonts } from './fonts.ts'
import { splitRuns, textWidth } from './layout.ts'
import { createPdf } from './page.ts'

// Marks that lie across a whole page or picture and say whom and what for a copy was made (domain P22). For rendering threads: a picture or a
// document takes too long for the thread that answers calls.

// A thread that prints forms needs neither, and the first takes half of its start.
const pdfs = lazily<typeof pdfLibrary>('@cantoo/pdf-lib')
const images = lazily<typeof sharp>('sharp')

const tint = '#808080'
const seen = 0.35
/** Turned like a stamp: no part of a page can be cut out without a piece of it. */
const turnedDegrees = 28
const PT_PER_MM = 72 / 25.4
const a4 = { width: 210 * PT_PER_MM, height: 297 * PT_PER_MM }
const lineMm = 6
const sizePt = 12

const widest = (fonts: FontSet, lines: readonly string[]): number => Math.max(...lines.map(line => textWidth(fonts, 'regular', line)))

/** Where marks stand, from the lower left: rows that run as the marks do, so that none lies on another, over the whole area. */
const placesOf = (width: number, height: number, markWidth: number, gap: number): readonly { readonly x: number; readonly y: number }[] => {
  const radius = Math.hypot(width, height) / 2
  const [cos, sin] = [Math.cos((turnedDegrees * Math.PI) / 180), Math.sin((turnedDegrees * Math.PI) / 180)]
  const found: { x: number; y: number }[] = []
  for (let v = -radius, row = 0; v < radius; v += gap, row += 1)
    for (let u = -radius - markWidth * (row % 2 === 0 ? 1 : 0.5); u < radius; u += markWidth * 1.12)
      found.push({ x: width / 2 + u * cos - v * sin, y: height / 2 + u * sin + v * cos })
  return found
}

/** The same document with the lines across every page. @throws when it cannot be read as a PDF, or opens with a password only */
export const stampPdf = async (bytes: Uint8Array, lines: readonly string[]): Promise<Uint8Array> => {
  const fonts = loadFonts()
  const markWidth = Math.min(widest(fonts, lines) * sizePt + 2, a4.width)
  const mark = createPdf(fonts, { title: lines.join(' '), createdAt: new Date(0) })
  for (const [i, line] of lines.entries())
    mark.text({ x: 0, y: i * lineMm, width: 210, height: lineMm }, line, { sizePt, minSizePt: 3, color: tint })
  const { degrees, PDFDocument } = pdfs()
  const document = await PDFDocument.load(bytes, { password: '' })
  const [page] = (await PDFDocument.load(await mark.finish())).getPages()
  if (page === undefined) throw new Error('the mark has no page')
  const bottom = a4.height - lines.length * lineMm * PT_PER_MM
  const drawn = await document.embedPage(page, { left: 0, bottom, right: markWidth, top: a4.height })
  for (const each of document.getPages()) {
    const { x, y, width, height } = each.getMediaBox()
    const scale = Math.min(1.4, (Math.min(width, height) * 0.8) / markWidth)
    for (const at of placesOf(width, height, markWidth * scale, 110 * scale))
      each.drawPage(drawn, { x: x + at.x, y: y + at.y, xScale: scale, yScale: scale, rotate: degrees(turnedDegrees), opacity: seen })
  }
  return document.save()
}

/** Outlines of a line at size 1, the base line at 0: no font of the machine is needed to draw them. */
const outline = (fonts: FontSet, line: string): string => {
  const paths: string[] = []
  let at = 0
  for (const { face, text } of splitRuns(fonts, 'regular', line))
    for (const char of text) {
      const glyph = face.font.glyphForCodePoint(char.codePointAt(0) ?? 0)
      const scale = 1 / face.font.unitsPerEm
      paths.push(glyph.path.transform(scale, 0, 0, -scale, at, 0).toSVG())
      at += glyph.advanceWidth * scale
    }
  return paths.join(' ')
}

/** The same picture with the lines across it. */
export const stampImage = async (bytes: Uint8Array, kind: 'jpg' | 'png', lines: readonly string[]): Promise<Uint8Array> => {
  const fonts = loadFonts()
  const { width, height } = await images()(bytes).metadata()
  const size = (Math.min(width, height) * 0.85) / widest(fonts, lines)
  const paths = lines.map((line, i) => `<path transform="translate(0 ${i * 1.5})" d="${outline(fonts, line)}"/>`).join('')
  const marks = placesOf(width, height, widest(fonts, lines) * size, Math.max(size * 6, Math.min(width, height) * 0.22)).map(
    ({ x, y }) => `<use href="#m" transform="translate(${x} ${height - y}) rotate(-${turnedDegrees}) scale(${size})"/>`,
  )
  // Light and dark: a mark of one shade would vanish on a picture of the same.
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><defs><g id="m" fill="${tint}" stroke="#ffffff"
    stroke-width="0.03" fill-opacity="${seen + 0.15}" stroke-opacity="${seen}">${paths}</g></defs>${marks.join('')}</svg>`
  const stamped = images()(bytes).composite([{ input: Buffer.from(svg) }])
  return kind === 'png' ? stamped.png().toBuffer() : stamped.jpeg({ quality: 88 }).toBuffer()
}
