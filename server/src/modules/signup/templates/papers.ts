import { type FontSet, loadFonts } from '#kernel/pdf/fonts.ts'
import { LINE_HEIGHT, wrapText } from '#kernel/pdf/layout.ts'
import { createPdf, type Pdf, type TextStyle } from '#kernel/pdf/page.ts'
import { stampImage, stampPdf } from '#kernel/pdf/stamp.ts'
import type { FormBlock, FormPair, FormSheet } from '../domain/registration-form.ts'

/** What the rendering threads of this module make. */
export type PaperJob =
  | { readonly kind: 'form'; readonly sheet: FormSheet }
  | { readonly kind: 'stamp'; readonly type: 'pdf' | 'jpg' | 'png'; readonly bytes: Uint8Array; readonly lines: readonly string[] }

export const render = async (job: PaperJob): Promise<Uint8Array> => {
  if (job.kind === 'form') return renderForm(job.sheet)
  return job.type === 'pdf' ? stampPdf(job.bytes, job.lines) : stampImage(job.bytes, job.type, job.lines)
}

const page = { margin: 15, bottom: 279 }
const width = 210 - 2 * page.margin
/** The prints of an office are black on white; a faint ground tells headings apart on every printer. */
const ground = '#ececec'
const photo = { width: 35, height: 49 }
const MM_PER_PT = 25.4 / 72
/** From roomy to tight. One sheet is worth some tightness, two of them are as roomy as they can be, and more than two are tightened as far as it goes. */
const forOnePage = [1, 0.92, 0.84] as const
const forTwoPages = [1, 0.92, 0.84, 0.76] as const
const tightest = 0.68

const renderForm = async (sheet: FormSheet): Promise<Uint8Array> => {
  const fonts = loadFonts()
  const tries: readonly (readonly [most: number, densities: readonly number[]])[] = [
    [1, forOnePage],
    [2, forTwoPages],
  ]
  for (const [most, list] of tries)
    for (const density of list) {
      const pdf = drawForm(fonts, sheet, density)
      // Ended either way: an open document keeps its streams.
      const bytes = await pdf.finish()
      if (pdf.pageCount() <= most) return bytes
    }
  return drawForm(fonts, sheet, tightest).finish()
}

interface Signed {
  readonly signLabel: string
  readonly name?: string
  readonly signature?: Uint8Array | null
  readonly dateLabel: string
  readonly date: string
}

const drawForm = (fonts: FontSet, sheet: FormSheet, density: number): Pdf => {
  const pdf = createPdf(fonts, {
    title: `${sheet.title.replaceAll(' ', '')} ${sheet.signNo}`,
    author: sheet.organizer,
    createdAt: new Date(sheet.createdAt),
    isNumbered: true,
  })
  const pt = (size: number): number => Math.max(6, size * density)
  const mm = (size: number): number => size * density
  const rowMm = mm(8.2)
  const signedMm = mm(12)
  let y: number = page.margin
  const roomFor = (height: number): void => {
    if (y + height <= page.bottom) return
    pdf.addPage()
    y = page.margin
  }
  const linesOf = (text: string, boxMm: number, sizePt: number): number =>
    wrapText(fonts, 'regular', text, boxMm / MM_PER_PT / sizePt).length
  const heightOf = (lines: number, sizePt: number): number => lines * sizePt * LINE_HEIGHT * MM_PER_PT

  const cell = (box: { x: number; width: number; height: number }, text: string, style: TextStyle, fill?: string): void => {
    pdf.frame({ ...box, y }, fill ? { fill } : {})
    if (text !== '') pdf.text({ ...box, y, x: box.x + 1.2, width: box.width - 2.4 }, text, style)
  }
  const labelStyle: TextStyle = { sizePt: pt(9.5), minSizePt: 5.5, maxLines: 2, align: 'center', prefer: 'wrap' }
  const valueStyle: TextStyle = { sizePt: pt(10), minSizePt: 6, maxLines: 2 }

  const heading = (title: string, following: number): void => {
    roomFor(mm(7) + following)
    cell({ x: page.margin, width, height: mm(7) }, title, { sizePt: pt(10.5), weight: 'bold', minSizePt: 7 }, ground)
    y += mm(7)
  }

  /**
   * Pairs side by side; long ones over the whole width, as high as they need.
   *
   * @param until - rows that begin above it leave room for the photo
   * @returns where the last row beside the photo ends
   */
  const pairs = (list: readonly FormPair[], until: number): number => {
    let besideEnd = y
    const place = (height: number, draw: (area: number, label: number) => void): void => {
      roomFor(height)
      const isBeside = y < until - 0.1
      draw(isBeside ? width - photo.width : width, isBeside ? 22 : 26)
      y += height
      if (isBeside) besideEnd = y
    }
    const half = (left: FormPair, right: FormPair | undefined): void =>
      place(rowMm, (area, label) => {
        for (const [i, pair] of [left, right].entries()) {
          const x = page.margin + i * (area / 2)
          cell({ x, width: label, height: rowMm }, pair?.label ?? '', labelStyle)
          cell({ x: x + label, width: area / 2 - label, height: rowMm }, pair?.value ?? '', valueStyle)
        }
      })
    const whole = (pair: FormPair): void => {
      const sizePt = pt(10)
      // The narrower of both widths, so that the height holds in either.
      const inner = width - photo.width - 26 - 2.4
      const height = Math.max(rowMm, heightOf(linesOf(pair.value, inner, sizePt), sizePt) + 2)
      place(height, (area, label) => {
        cell({ x: page.margin, width: label, height }, pair.label, labelStyle)
        pdf.frame({ x: page.margin + label, y, width: area - label, height })
        const used = heightOf(linesOf(pair.value, area - label - 2.4, sizePt), sizePt)
        const box = { x: page.margin + label + 1.2, y: y + (height - used) / 2, width: area - label - 2.4, height }
        pdf.paragraph(box, pair.value, { sizePt })
      })
    }
    let waiting: FormPair | undefined
    for (const pair of list) {
      if (!pair.isWide && waiting === undefined) {
        waiting = pair
        continue
      }
      if (waiting) half(waiting, pair.isWide ? undefined : pair)
      waiting = undefined
      if (pair.isWide) whole(pair)
    }
    if (waiting) half(waiting, undefined)
    return besideEnd
  }

  const table = ({ title, heads, rows }: Extract<FormBlock, { kind: 'table' }>): void => {
    if (heads.length === 0) return
    heading(title, mm(6.5) * 2)
    const column = width / heads.length
    const line = (texts: readonly string[], style: TextStyle): void => {
      const most = Math.max(1, ...texts.map(text => Math.min(3, linesOf(text, column - 2.4, pt(9)))))
      const height = Math.max(mm(6.5), heightOf(most, pt(9)) + 1.5)
      roomFor(height)
      for (const [i, text] of texts.entries()) cell({ x: page.margin + i * column, width: column, height }, text, style)
      y += height
    }
    line(heads, { ...labelStyle, sizePt: pt(9) })
    const shown = rows.length > 0 ? rows : [heads.map(() => '')]
    for (const row of shown) line(row, { sizePt: pt(9), minSizePt: 5.5, maxLines: 3, prefer: 'wrap', align: 'center' })
  }

  const drawTop = (): void => {
    const half = width / 2
    const small: TextStyle = { sizePt: pt(10), minSizePt: 6 }
    const name: TextStyle = { sizePt: pt(15), minSizePt: 9, maxLines: 2, prefer: 'wrap', align: 'center', weight: 'bold' }
    pdf.text({ x: page.margin, y, width, height: mm(12) }, sheet.examName, name)
    y += mm(12)
    const title: TextStyle = { sizePt: pt(20), minSizePt: 12, align: 'center', weight: 'bold' }
    pdf.text({ x: page.margin, y, width, height: mm(11) }, sheet.title, title)
    y += mm(12)
    pdf.text({ x: page.margin, y, width: half, height: 6 }, `${sheet.numberLabel}${sheet.signNo}`, small)
    pdf.text({ x: page.margin + half, y, width: half, height: 6 }, sheet.dateText, { ...small, align: 'right' })
    y += 7
  }

  const drawPhoto = (top: number, bottom: number): void => {
    const box = { x: page.margin + width - photo.width, y: top, width: photo.width, height: bottom - top }
    pdf.frame(box)
    const inner = { x: box.x + 1, y: box.y + 1, width: box.width - 2, height: box.height - 2 }
    if (sheet.photo) pdf.image(inner, sheet.photo)
    else pdf.text(inner, sheet.photoLabel, { sizePt: 10, align: 'center' })
  }

  const drawBlocks = (): void => {
    for (const [at, block] of sheet.blocks.entries()) {
      if (block.kind === 'table') {
        table(block)
        continue
      }
      heading(block.title, at === 0 ? photo.height : rowMm)
      const top = y
      const ended = pairs(block.pairs, at === 0 ? top + photo.height : top)
      if (at > 0) continue
      const bottom = Math.max(top + photo.height, ended)
      drawPhoto(top, bottom)
      // Fewer rows than the photo is high: the rest stays free.
      if (y < bottom) {
        pdf.frame({ x: page.margin, y, width: width - photo.width, height: bottom - y })
        y = bottom
      }
    }
  }

  const drawSigned = (of: Signed): void => {
    const style: TextStyle = { sizePt: pt(10), minSizePt: 6 }
    const at = (x: number, boxWidth: number) => ({ x: page.margin + x, y, width: boxWidth, height: signedMm })
    pdf.text(at(66, 38), of.signLabel, { ...style, align: 'right' })
    if (of.signature) pdf.image({ ...at(105, 32), y: y + 0.5, height: signedMm - 1 }, of.signature)
    else if (of.name) pdf.text(at(105, 32), of.name, style)
    pdf.text(at(137, 15), of.dateLabel, { ...style, align: 'right' })
    if (of.date !== '') pdf.text(at(153, 26), of.date, style)
    y += signedMm
  }

  const drawUndertaking = (): void => {
    const { title, text, ...signed } = sheet.undertaking
    const sizePt = pt(9.5)
    const height = heightOf(linesOf(text, width - 4, sizePt), sizePt) + 4 + signedMm
    heading(title, Math.min(height, page.bottom - page.margin - mm(7)))
    pdf.frame({ x: page.margin, y, width, height })
    y += pdf.paragraph({ x: page.margin + 2, y: y + 1.5, width: width - 4, height }, text, { sizePt }) + 4
    drawSigned(signed)
  }

  const drawOpinions = (): void => {
    for (const { title, text, ...signed } of sheet.opinions) {
      const sizePt = pt(10)
      const inner = Math.max(mm(9), heightOf(linesOf(text, width - 30, sizePt), sizePt) + 2)
      const height = inner + signedMm
      roomFor(height)
      cell({ x: page.margin, width: 26, height }, title, { ...labelStyle, sizePt: pt(10), weight: 'bold' })
      pdf.frame({ x: page.margin + 26, y, width: width - 26, height })
      if (text !== '') pdf.paragraph({ x: page.margin + 28, y: y + 1.5, width: width - 30, height: inner }, text, { sizePt })
      y += inner
      drawSigned(signed)
    }
  }

  drawTop()
  drawBlocks()
  drawUndertaking()
  drawOpinions()
  const pages = pdf.pageCount()
  for (let at = 1; at <= pages; at += 1) {
    pdf.toPage(at)
    const foot = sheet.foot.replace('{page}', String(at)).replace('{pages}', String(pages))
    pdf.text({ x: page.margin, y: 284, width, height: 5 }, foot, { sizePt: 8, minSizePt: 5, align: 'center' })
  }
  return pdf
}
