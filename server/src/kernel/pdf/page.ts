import PDFDocument from 'pdfkit'
import { darkRuns, qrModules } from '#kernel/qr.ts'
import { code128 } from './code128.ts'
import { documentFonts, type FontSet, type FontWeight } from './fonts.ts'
import { type FittedText, fitText, LINE_HEIGHT, splitRuns, textWidth, wrapText } from './layout.ts'

/** Millimetres from the top left corner of an A4 sheet. */
export interface BoxMm {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export interface TextStyle {
  readonly sizePt: number
  /** Smallest size when the text is long; default `sizePt`. */
  readonly minSizePt?: number
  /** Default 1. */
  readonly maxLines?: number
  /** Which way a long text goes first, smaller or more lines; default smaller. */
  readonly prefer?: 'shrink' | 'wrap'
  readonly weight?: FontWeight
  readonly align?: 'left' | 'center' | 'right'
  /** Default middle of the box. */
  readonly vertical?: 'top' | 'middle'
  readonly color?: string
}

export interface TableColumn {
  readonly widthMm: number
  readonly style: TextStyle
}

export interface Pdf {
  readonly addPage: () => void
  readonly pageCount: () => number
  /** Goes back to a page, from 1, to write what is known only at the end. */
  readonly toPage: (page: number) => void
  /** Draws inside the box, shrinking and wrapping as the style allows. @throws MissingGlyphError */
  readonly text: (box: BoxMm, text: string, style: TextStyle) => FittedText
  /** Draws at full size from the top of the box, as many lines as it takes. @returns height used in mm, even below the box */
  readonly paragraph: (box: BoxMm, text: string, style: TextStyle) => number
  /** Draws a grid with one text per cell. @returns y below the last row */
  readonly table: (
    x: number,
    y: number,
    columns: readonly TableColumn[],
    rowHeightMm: number,
    rows: readonly (readonly string[])[],
  ) => number
  /** JPEG or PNG, whole and centred in the box, ratio kept. */
  readonly image: (box: BoxMm, bytes: Uint8Array) => void
  /** QR as vector rectangles; the quiet zone is the paper around the box. */
  readonly qr: (box: BoxMm, text: string) => void
  readonly barcode: (box: BoxMm, text: string) => void
  readonly frame: (box: BoxMm, options?: { readonly lineWidthPt?: number; readonly color?: string; readonly fill?: string }) => void
  readonly line: (x1: number, y1: number, x2: number, y2: number, lineWidthPt?: number) => void
  readonly finish: () => Promise<Uint8Array>
}

export interface PdfInfo {
  readonly title: string
  readonly author?: string
  readonly createdAt: Date
  /** Pages stay open until the end, for `toPage`. */
  readonly isNumbered?: boolean
  /** Landscape; default portrait. */
  readonly isWide?: boolean
}

const PT_PER_MM = 72 / 25.4
const CELL_PADDING_MM = 1.2
const HAIRLINE_PT = 0.5
const INK = '#000000'

/** Starts an A4 document (PDF 1.7) with the first page open. Fonts are embedded as subsets and the text can be extracted. */
export function createPdf(fonts: FontSet, info: PdfInfo): Pdf {
  const doc = new PDFDocument({
    size: 'A4',
    layout: info.isWide ? 'landscape' : 'portrait',
    bufferPages: info.isNumbered ?? false,
    margin: 0,
    pdfVersion: '1.7',
    lang: 'zh-CN',
    displayTitle: true,
    // The standard font would only be an unused object.
    font: '',
    info: { Title: info.title, Author: info.author ?? '', Creator: 'Kaopu', Producer: 'Kaopu', CreationDate: info.createdAt },
  })
  const chunks: Buffer[] = []
  const finished = new Promise<Uint8Array>((resolve, reject) => {
    doc.on('data', (chunk: Buffer) => chunks.push(chunk))
    doc.on('end', () => resolve(new Uint8Array(Buffer.concat(chunks))))
    doc.on('error', reject)
  })
  let pages = 1
  const own = documentFonts()

  const drawLine = (line: string, x: number, baseline: number, sizePt: number, weight: FontWeight): void => {
    let at = x
    const parts = splitRuns(fonts, weight, line).flatMap(run => own.parts(run.face, run.text))
    for (const { name, font, text } of parts) {
      // pdfkit takes a parsed font too, which spares parsing 10 MB for each document; its types know only bytes.
      doc.font(font as unknown as Uint8Array, name, sizePt)
      doc.text(text, at, baseline, { lineBreak: false, baseline: 'alphabetic' })
      at += textWidth(fonts, weight, text) * sizePt
    }
  }

  const drawLines = (lines: readonly string[], box: BoxMm, sizePt: number, style: TextStyle): void => {
    const weight = style.weight ?? 'regular'
    const { ascent, descent, unitsPerEm } = fonts[weight].font
    const width = box.width * PT_PER_MM
    const height = lines.length * sizePt * LINE_HEIGHT
    const top = box.y * PT_PER_MM + (style.vertical === 'top' ? 0 : (box.height * PT_PER_MM - height) / 2)
    // Noto's ascent and descent leave much air; the base line is set so that Han characters stand in the middle of the line.
    const baselineShift = (LINE_HEIGHT / 2 + ((ascent + descent) / unitsPerEm) * 0.42) * sizePt
    doc.fillColor(style.color ?? INK)
    for (const [i, line] of lines.entries()) {
      const rest = width - textWidth(fonts, weight, line) * sizePt
      const shift = style.align === 'center' ? rest / 2 : style.align === 'right' ? rest : 0
      if (line !== '') drawLine(line, box.x * PT_PER_MM + shift, top + i * sizePt * LINE_HEIGHT + baselineShift, sizePt, weight)
    }
  }

  const pdf: Pdf = {
    addPage() {
      doc.addPage()
      pages++
    },
    pageCount: () => pages,
    toPage: page => void doc.switchToPage(page - 1),
    text(box, text, style) {
      const fitted = fitText(fonts, style.weight ?? 'regular', text, box.width * PT_PER_MM, box.height * PT_PER_MM, {
        sizePt: style.sizePt,
        minSizePt: style.minSizePt ?? style.sizePt,
        maxLines: style.maxLines ?? 1,
        prefer: style.prefer ?? 'shrink',
      })
      drawLines(fitted.lines, box, fitted.sizePt, style)
      return fitted
    },
    paragraph(box, text, style) {
      const lines = wrapText(fonts, style.weight ?? 'regular', text, (box.width * PT_PER_MM) / style.sizePt)
      drawLines(lines, box, style.sizePt, { ...style, vertical: 'top' })
      return (lines.length * style.sizePt * LINE_HEIGHT) / PT_PER_MM
    },
    table(x, y, columns, rowHeightMm, rows) {
      for (const [i, row] of rows.entries()) {
        let left = x
        for (const [c, column] of columns.entries()) {
          const cell = { x: left, y: y + i * rowHeightMm, width: column.widthMm, height: rowHeightMm }
          pdf.frame(cell)
          const inner = { ...cell, x: left + CELL_PADDING_MM, width: column.widthMm - 2 * CELL_PADDING_MM }
          pdf.text(inner, row[c] ?? '', column.style)
          left += column.widthMm
        }
      }
      return y + rows.length * rowHeightMm
    },
    image(box, bytes) {
      const fit: [number, number] = [box.width * PT_PER_MM, box.height * PT_PER_MM]
      doc.image(Buffer.from(bytes), box.x * PT_PER_MM, box.y * PT_PER_MM, { fit, align: 'center', valign: 'center' })
    },
    qr(box, text) {
      const side = (Math.min(box.width, box.height) * PT_PER_MM) / qrModules(text).size
      for (const run of darkRuns(text)) {
        doc.rect(box.x * PT_PER_MM + run.column * side, box.y * PT_PER_MM + run.row * side, run.length * side, side)
      }
      doc.fill(INK)
    },
    barcode(box, text) {
      const widths = code128(text)
      const module = (box.width * PT_PER_MM) / widths.reduce((sum, width) => sum + width, 0)
      let at = box.x * PT_PER_MM
      for (const [i, width] of widths.entries()) {
        if (i % 2 === 0) doc.rect(at, box.y * PT_PER_MM, width * module, box.height * PT_PER_MM)
        at += width * module
      }
      doc.fill(INK)
    },
    frame(box, options = {}) {
      doc.rect(box.x * PT_PER_MM, box.y * PT_PER_MM, box.width * PT_PER_MM, box.height * PT_PER_MM)
      doc.lineWidth(options.lineWidthPt ?? HAIRLINE_PT)
      if (options.fill) doc.fillAndStroke(options.fill, options.color ?? INK)
      else doc.stroke(options.color ?? INK)
    },
    line(x1, y1, x2, y2, lineWidthPt = HAIRLINE_PT) {
      doc.moveTo(x1 * PT_PER_MM, y1 * PT_PER_MM).lineTo(x2 * PT_PER_MM, y2 * PT_PER_MM)
      doc.lineWidth(lineWidthPt).stroke(INK)
    },
    finish() {
      doc.end()
      return finished
    },
  }
  return pdf
}
