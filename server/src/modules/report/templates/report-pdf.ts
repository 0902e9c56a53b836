import { loadFonts } from '#kernel/pdf/fonts.ts'
import { createPdf, type Pdf, type TextStyle } from '#kernel/pdf/page.ts'

/** A report as it is printed: all texts are final. */
export interface ReportSheet {
  readonly title: string
  readonly bureau: string
  readonly notes: readonly string[]
  readonly feet: readonly string[]
  /** Rows of heads, one text a column; neighbours that say the same become one cell. The last is of the columns themselves. */
  readonly heads: readonly (readonly string[])[]
  /** How many columns from the left are words. */
  readonly words: number
  readonly rows: readonly { readonly cells: readonly string[]; readonly isStrong: boolean }[]
  /** `{page}` and `{pages}`. */
  readonly pageFoot: string
  readonly isWide: boolean
  /** ISO instant. */
  readonly createdAt: string
}

const margin = 14
const rowMm = 6.6
const headMm = 7.4
const bodyPt = 9
const tint = '#eef2f7'
const line = '#94a3b8'
const soft = '#475569'

/** Columns of words are as wide as they need to be, the others share what is left. */
const widthsOf = (sheet: ReportSheet, width: number): readonly number[] => {
  const lengths = (sheet.heads.at(-1) ?? []).map((head, i) => {
    const texts = [head, ...sheet.rows.slice(0, 400).map(row => row.cells[i] ?? '')]
    const longest = Math.max(...texts.map(text => [...text].reduce((sum, char) => sum + ((char.codePointAt(0) ?? 0) > 0xff ? 2 : 1), 0)))
    return Math.min(i < sheet.words ? 34 : 16, Math.max(6, longest + 2))
  })
  const sum = lengths.reduce((all, one) => all + one, 0)
  return lengths.map(length => (width * length) / sum)
}

/** Columns that fit a sheet side by side; the others follow on sheets of their own, with the words at their left again. */
const mostColumns = { portrait: 9, landscape: 16 }

const partsOf = (sheet: ReportSheet): readonly ReportSheet[] => {
  const count = sheet.heads.at(-1)?.length ?? 0
  const room = (sheet.isWide ? mostColumns.landscape : mostColumns.portrait) - sheet.words
  const values = count - sheet.words
  if (values <= room) return [sheet]
  const parts: ReportSheet[] = []
  for (let from = 0; from < values; from += room) {
    const of = <T>(cells: readonly T[]): readonly T[] => [
      ...cells.slice(0, sheet.words),
      ...cells.slice(sheet.words + from, sheet.words + Math.min(values, from + room)),
    ]
    parts.push({ ...sheet, heads: sheet.heads.map(of), rows: sheet.rows.map(row => ({ ...row, cells: of(row.cells) })) })
  }
  return parts
}

/** Template of the rendering thread. */
export async function render(sheet: ReportSheet): Promise<Uint8Array> {
  const fonts = loadFonts()
  const [pageWidth, pageHeight] = sheet.isWide ? [297, 210] : [210, 297]
  const pdf = createPdf(fonts, {
    title: sheet.title,
    author: sheet.bureau,
    createdAt: new Date(sheet.createdAt),
    isWide: sheet.isWide,
    isNumbered: true,
  })
  const width = pageWidth - 2 * margin
  const bottom = pageHeight - 18

  const style = (align: TextStyle['align'], isStrong = false): TextStyle => ({
    sizePt: bodyPt,
    minSizePt: 6,
    maxLines: 1,
    ...(align ? { align } : {}),
    weight: isStrong ? 'bold' : 'regular',
  })
  const drawHeads = (part: ReportSheet, widths: readonly number[], top: number): number => {
    let y = top
    for (const [i, texts] of part.heads.entries()) {
      let x = margin
      for (let from = 0, to = 0; from < texts.length; from = to) {
        const isMerged = i < part.heads.length - 1
        for (to = from + 1; isMerged && to < texts.length && texts[to] !== '' && texts[to] === texts[from]; ) to += 1
        const cell = widths.slice(from, to).reduce((sum, one) => sum + one, 0)
        pdf.frame({ x, y, width: cell, height: headMm }, { fill: tint, color: line })
        if (texts[from])
          pdf.text({ x: x + 1, y, width: cell - 2, height: headMm }, texts[from] ?? '', {
            ...style('center', true),
            maxLines: 2,
            minSizePt: 5.5,
          })
        x += cell
      }
      y += headMm
    }
    return y
  }
  const drawTop = (): number => {
    let y = margin
    pdf.text({ x: margin, y, width, height: 6 }, sheet.bureau, { sizePt: 10, align: 'center', color: soft, minSizePt: 7 })
    y += 7
    pdf.text({ x: margin, y, width, height: 9 }, sheet.title, { sizePt: 17, align: 'center', weight: 'bold', minSizePt: 9 })
    y += 11
    for (const note of sheet.notes) y += pdf.paragraph({ x: margin, y, width, height: 5 }, note, { sizePt: 8.5, color: soft }) + 0.6
    return y + 2
  }

  for (const [at, part] of partsOf(sheet).entries()) {
    if (at > 0) pdf.addPage()
    const widths = widthsOf(part, width)
    let y = drawHeads(part, widths, at === 0 ? drawTop() : margin)
    for (const row of part.rows) {
      if (y + rowMm > bottom) {
        pdf.addPage()
        y = drawHeads(part, widths, margin)
      }
      let x = margin
      for (const [i, text] of row.cells.entries()) {
        const cell = { x, y, width: widths[i] ?? 0, height: rowMm }
        pdf.frame(cell, row.isStrong ? { fill: '#f8fafc', color: line } : { color: line })
        if (text !== '')
          pdf.text({ ...cell, x: x + 1.2, width: cell.width - 2.4 }, text, style(i < part.words ? 'left' : 'right', row.isStrong))
        x += widths[i] ?? 0
      }
      y += rowMm
    }
    if (at > 0) continue
    for (const foot of sheet.feet) {
      if (y + 6 > bottom) {
        pdf.addPage()
        y = margin
      }
      y += pdf.paragraph({ x: margin, y: y + 1.5, width, height: 5 }, foot, { sizePt: 8, color: soft }) + 1
    }
  }
  drawFeet(pdf, sheet, pageWidth, pageHeight)
  return pdf.finish()
}

const drawFeet = (pdf: Pdf, sheet: ReportSheet, pageWidth: number, pageHeight: number): void => {
  const pages = pdf.pageCount()
  for (let page = 1; page <= pages; page += 1) {
    pdf.toPage(page)
    const text = sheet.pageFoot.replace('{page}', String(page)).replace('{pages}', String(pages))
    pdf.text({ x: margin, y: pageHeight - 13, width: pageWidth - 2 * margin, height: 5 }, text, { sizePt: 8, align: 'center', color: soft })
  }
}
