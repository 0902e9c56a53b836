import { type FontSet, loadFonts } from '#kernel/pdf/fonts.ts'
import { LINE_HEIGHT, wrapText } from '#kernel/pdf/layout.ts'
import { type BoxMm, createPdf, type Pdf, type TextStyle } from '#kernel/pdf/page.ts'

/** One paper as printed; all texts are final, times included. */
export interface TicketLine {
  readonly itemName: string
  /** 2026-04-18 and 周六 on a line of its own. */
  readonly day: string
  /** 09:00–11:30, and on a line of its own what of it is extra time. */
  readonly time: string
  /** Latest report, 08:30; empty when there is none. */
  readonly report: string
  readonly siteName: string
  readonly siteAddress: string
  readonly room: string
  readonly seatNo: string
  readonly groupNo: string
  readonly waitRoom: string
  readonly drawNo: string
  /** Rules of this paper alone, plain text. */
  readonly rules: string
}

/** What one person's ticket shows (domain 7.2). */
export interface TicketSheet {
  readonly kind: 'written' | 'interview'
  readonly examName: string
  readonly undertaker: string
  readonly contactPhone: string
  readonly name: string
  readonly sex: string
  readonly idCard: string
  readonly ticketNo: string
  readonly unitName: string
  readonly post: string
  readonly signNo: string
  /** Lines that the examination adds to the person's table, at most three. */
  readonly more: readonly { readonly label: string; readonly value: string }[]
  /** JPEG or PNG. */
  readonly photo: Uint8Array | null
  readonly qrText: string
  readonly lines: readonly TicketLine[]
  readonly remark: string
  readonly shortRules: readonly string[]
  readonly noticeTitle: string
  /** Paragraphs of page 2, plain text. */
  readonly notice: readonly string[]
  readonly issuedAt: string
  /** v1, v1.2 */
  readonly version: string
  /** A preview for staff: says so instead of a version. */
  readonly isDraft: boolean
}

export interface TicketJob {
  readonly sheets: readonly TicketSheet[]
  /** ISO instant. */
  readonly createdAt: string
}

const LEFT = 15
const WIDTH = 180
const ACCENT = '#1f4e79'
const TINT = '#f1f5f9'
const RULE = '#64748b'
const SOFT = '#475569'
/** Rows of papers on page 1; more continue on page 2. */
const LINES_ON_FIRST = 8
const BODY_PT = 10.5
const PT_PER_MM = 72 / 25.4
const BOTTOM_MM = 264

/** Template of the rendering threads: one document for one person or, for printing, for many. */
export async function render(job: TicketJob): Promise<Uint8Array> {
  const fonts = loadFonts()
  const [first] = job.sheets
  const pdf = createPdf(fonts, {
    title: first
      ? `${first.examName} ${first.kind === 'written' ? '准考证' : '面试准考证'} ${job.sheets.length === 1 ? first.ticketNo : ''}`.trim()
      : '准考证',
    author: first?.undertaker ?? '',
    createdAt: new Date(job.createdAt),
  })
  for (const [i, sheet] of job.sheets.entries()) {
    if (i > 0) pdf.addPage()
    drawSheet(pdf, fonts, sheet)
  }
  return pdf.finish()
}

const drawSheet = (pdf: Pdf, fonts: FontSet, sheet: TicketSheet): void => {
  const pages = paginate(fonts, sheet)
  const total = 1 + pages.length
  drawFirst(pdf, sheet)
  drawFooter(pdf, sheet, 1, total)
  for (const [i, page] of pages.entries()) {
    pdf.addPage()
    drawFollowing(pdf, sheet, page, i === 0)
    drawFooter(pdf, sheet, i + 2, total)
  }
}

const center = { align: 'center' } as const
const shrink = (sizePt: number, minSizePt: number, more: Partial<TextStyle> = {}): TextStyle => ({
  sizePt,
  minSizePt,
  maxLines: 2,
  ...more,
})

const drawFirst = (pdf: Pdf, sheet: TicketSheet): void => {
  pdf.text({ x: LEFT, y: 11, width: WIDTH, height: 13 }, sheet.examName, {
    sizePt: 16,
    minSizePt: 11,
    maxLines: 2,
    prefer: 'wrap',
    weight: 'bold',
    ...center,
  })
  pdf.text({ x: LEFT, y: 24.5, width: WIDTH, height: 9 }, sheet.kind === 'written' ? '准　考　证' : '面　试　准　考　证', {
    sizePt: 20,
    weight: 'bold',
    color: ACCENT,
    ...center,
  })
  pdf.frame({ x: LEFT, y: 35, width: WIDTH, height: 0.7 }, { fill: ACCENT, color: ACCENT, lineWidthPt: 0.1 })
  drawPerson(pdf, sheet)
  drawPhoto(pdf, sheet.photo)
  pdf.qr({ x: 162, y: 83, width: 26, height: 26 }, sheet.qrText)
  pdf.barcode({ x: 160, y: 111, width: 30, height: 5 }, sheet.ticketNo)
  pdf.text({ x: LEFT, y: 103, width: 138, height: 5 }, `请核对以上信息；如有差错，请在考试前致电 ${sheet.contactPhone || '主办单位'}。`, {
    sizePt: 9,
    minSizePt: 7,
    color: SOFT,
  })
  pdf.text({ x: LEFT, y: 108.5, width: 138, height: 5 }, '扫描右侧二维码可查询本证是否有效。纸面与查询结果不一致的，以查询结果为准。', {
    sizePt: 9,
    minSizePt: 7,
    color: SOFT,
  })
  drawLines(pdf, sheet, sheet.lines.slice(0, LINES_ON_FIRST), 118)
  drawSites(pdf, sheet)
  drawShortRules(pdf, sheet)
}

const drawPerson = (pdf: Pdf, sheet: TicketSheet): void => {
  const rows: readonly (readonly [string, string, TextStyle])[] = [
    ['姓　　名', sheet.name, shrink(13, 7, { weight: 'bold' })],
    ['性　　别', sheet.sex, shrink(11, 9)],
    ['证件号码', sheet.idCard, shrink(11.5, 8)],
    ['准考证号', grouped(sheet.ticketNo), { sizePt: 14, minSizePt: 9, weight: 'bold' }],
    ['报考单位', sheet.unitName, shrink(11, 7)],
    ['报考岗位', sheet.post, shrink(11, 7)],
    ['报名序号', sheet.signNo, shrink(11, 8)],
    ...sheet.more.map(({ label, value }) => [label, value, shrink(11, 6.5)] as const),
  ]
  // The table keeps its height: what is added makes its rows lower.
  const height = 63 / rows.length
  const labelStyle: TextStyle = { sizePt: 10.5, minSizePt: 6.5, maxLines: 2, color: ACCENT, weight: 'bold', ...center }
  for (const [i, [label, value, style]] of rows.entries()) {
    const y = 38 + i * height
    pdf.frame({ x: LEFT, y, width: 28, height }, { fill: TINT, color: RULE })
    pdf.frame({ x: LEFT + 28, y, width: 112, height }, { color: RULE })
    pdf.text({ x: LEFT + 1, y, width: 26, height }, label, labelStyle)
    pdf.text({ x: LEFT + 31, y, width: 107.5, height }, value, style)
  }
}

const PHOTO: BoxMm = { x: 160, y: 38, width: 30, height: 42 }

const drawPhoto = (pdf: Pdf, photo: Uint8Array | null): void => {
  if (photo === null || !tryImage(pdf, photo)) {
    pdf.frame(PHOTO, { fill: '#f8fafc', color: RULE })
    pdf.text({ ...PHOTO, x: 162, width: 26 }, '未采集\n照　片', { sizePt: 10, maxLines: 2, color: SOFT, ...center })
  } else pdf.frame(PHOTO, { color: RULE })
}

/** A photo that cannot be decoded must not keep the seat from being printed; the invigilator sees that it is missing. */
const tryImage = (pdf: Pdf, photo: Uint8Array): boolean => {
  try {
    pdf.image(PHOTO, photo)
    return true
  } catch {
    return false
  }
}

const grouped = (ticketNo: string): string => (/^\d{12}$/.test(ticketNo) ? ticketNo.replace(/(\d{4})(?=\d)/g, '$1 ') : ticketNo)

const cell = (more: Partial<TextStyle> = {}): TextStyle => ({
  sizePt: 10.5,
  minSizePt: 6.5,
  maxLines: 2,
  prefer: 'wrap',
  ...center,
  ...more,
})
const tables: Record<
  TicketSheet['kind'],
  readonly { readonly head: string; readonly widthMm: number; readonly of: (line: TicketLine) => string; readonly bold?: true }[]
> = {
  written: [
    { head: '科目', widthMm: 42, of: line => line.itemName, bold: true },
    { head: '日期', widthMm: 25, of: line => line.day },
    { head: '时间', widthMm: 26, of: line => line.time, bold: true },
    { head: '报到截止', widthMm: 18, of: line => line.report || '—' },
    { head: '考点', widthMm: 33, of: line => line.siteName },
    { head: '考场', widthMm: 23, of: line => line.room },
    { head: '座位号', widthMm: 13, of: line => line.seatNo, bold: true },
  ],
  interview: [
    { head: '项目', widthMm: 32, of: line => line.itemName, bold: true },
    { head: '面试日期', widthMm: 25, of: line => line.day },
    { head: '报到时间', widthMm: 22, of: line => line.report || line.time, bold: true },
    { head: '报到地点', widthMm: 41, of: line => line.siteName },
    { head: '候考室', widthMm: 24, of: line => line.waitRoom || line.room },
    { head: '面试组', widthMm: 16, of: line => line.groupNo },
    { head: '抽签序号', widthMm: 20, of: line => line.drawNo || '现场抽签', bold: true },
  ],
}

/** Few papers get tall rows, eight just fit the box of 70 mm. */
const rowHeightOf = (rows: number): number => (rows <= 4 ? 12 : rows <= 6 ? 9.5 : 7.7)

/** @returns y below the table */
const drawLines = (pdf: Pdf, sheet: TicketSheet, lines: readonly TicketLine[], y: number): number => {
  const columns = tables[sheet.kind]
  const height = rowHeightOf(lines.length)
  let left = LEFT
  for (const column of columns) {
    const head = { x: left, y, width: column.widthMm, height: 7 }
    pdf.frame(head, { fill: TINT, color: RULE })
    pdf.text(head, column.head, { sizePt: 10, weight: 'bold', color: ACCENT, ...center })
    for (const [i, line] of lines.entries()) {
      const box = { x: left, y: y + 7 + i * height, width: column.widthMm, height }
      pdf.frame(box, { color: RULE })
      pdf.text({ ...box, x: left + 0.8, width: column.widthMm - 1.6 }, column.of(line), cell(column.bold ? { weight: 'bold' } : {}))
    }
    left += column.widthMm
  }
  return y + 7 + lines.length * height
}

const drawSites = (pdf: Pdf, sheet: TicketSheet): void => {
  const sites = new Map(sheet.lines.map(line => [line.siteName, line.siteAddress]))
  pdf.frame({ x: LEFT, y: 190, width: WIDTH, height: 22 }, { color: RULE })
  pdf.frame({ x: LEFT, y: 190, width: 28, height: 22 }, { fill: TINT, color: RULE })
  pdf.text({ x: LEFT, y: 190, width: 28, height: 22 }, '考点地址', { sizePt: 10.5, weight: 'bold', color: ACCENT, ...center })
  const texts = [...sites].map(([name, address]) => (address === '' ? name : `${name}　${address}`))
  const room = 20 / Math.max(texts.length + 1, 2)
  for (const [i, text] of texts.entries())
    pdf.text({ x: 46, y: 191 + i * room, width: 147, height: room }, text, shrink(10.5, 6.5, { weight: 'bold' }))
  pdf.text(
    { x: 46, y: 191 + texts.length * room, width: 147, height: room },
    sheet.remark === '' ? '请提前熟悉考点位置和交通路线，预留充足的路途时间。' : `备注：${sheet.remark}`,
    shrink(9.5, 6.5, { color: sheet.remark === '' ? SOFT : '#000000' }),
  )
}

const drawShortRules = (pdf: Pdf, sheet: TicketSheet): void => {
  pdf.text({ x: LEFT, y: 214, width: WIDTH, height: 7 }, '考生须知', { sizePt: 11, weight: 'bold', color: ACCENT })
  const rules = sheet.shortRules.slice(0, 8)
  const height = 43 / Math.max(rules.length, 6)
  for (const [i, rule] of rules.entries()) {
    const y = 221.5 + i * height
    pdf.text({ x: LEFT, y, width: 6, height }, `${i + 1}.`, { sizePt: 9.5, align: 'right' })
    pdf.text({ x: LEFT + 8, y, width: WIDTH - 8, height }, rule, shrink(9.5, 7))
  }
}

const drawFooter = (pdf: Pdf, sheet: TicketSheet, page: number, total: number): void => {
  pdf.frame({ x: LEFT, y: 269, width: WIDTH, height: 0.3 }, { fill: RULE, color: RULE, lineWidthPt: 0.1 })
  const style = { sizePt: 8.5, minSizePt: 6, color: SOFT } as const
  const hotline = sheet.contactPhone === '' ? '' : `咨询电话 ${sheet.contactPhone}`
  pdf.text({ x: LEFT, y: 270, width: 120, height: 5.5 }, [sheet.undertaker, hotline].filter(Boolean).join('　'), style)
  pdf.text({ x: 135, y: 270, width: 60, height: 5.5 }, `第 ${page} 页 共 ${total} 页`, { ...style, align: 'right' })
  pdf.text(
    { x: LEFT, y: 275.5, width: 120, height: 5.5 },
    sheet.isDraft ? '预览稿，尚未发布，不能用于入场' : `签发 ${sheet.issuedAt}　版本 ${sheet.version}　准考证号 ${grouped(sheet.ticketNo)}`,
    sheet.isDraft ? { ...style, weight: 'bold', color: '#b91c1c' } : style,
  )
  pdf.text({ x: 135, y: 275.5, width: 60, height: 5.5 }, '真伪以二维码查询结果为准', { ...style, align: 'right' })
}

type Block = { readonly text: string; readonly heightMm: number; readonly isTitle: boolean }
interface FollowingPage {
  readonly lines: readonly TicketLine[]
  readonly blocks: readonly Block[]
}

const heightOf = (lines: number, sizePt: number): number => (lines * sizePt * LINE_HEIGHT) / PT_PER_MM

/** Splits what does not stand on page 1 into pages: remaining papers, the notice, the rules of each paper. */
const paginate = (fonts: FontSet, sheet: TicketSheet): FollowingPage[] => {
  const rest = sheet.lines.slice(LINES_ON_FIRST)
  const blocks: Block[] = []
  const add = (text: string): void => {
    const lines = wrapText(fonts, 'regular', text, (WIDTH * PT_PER_MM) / BODY_PT)
    // A paragraph longer than a page is cut between lines, so that no page overflows.
    for (let i = 0; i < lines.length; i += 30) {
      const part = lines.slice(i, i + 30)
      blocks.push({ text: part.join('\n'), heightMm: heightOf(part.length, BODY_PT) + 1.6, isTitle: false })
    }
  }
  for (const paragraph of sheet.notice) add(paragraph)
  // Papers with the same rules share them: nothing is read twice.
  const ruled = Map.groupBy(
    sheet.lines.filter(line => line.rules !== ''),
    line => line.rules,
  )
  for (const [rules, lines] of ruled) {
    blocks.push({ text: lines.map(line => line.itemName).join('、'), heightMm: 9, isTitle: true })
    for (const paragraph of rules.split('\n')) add(paragraph)
  }
  const pages: { lines: TicketLine[]; blocks: Block[] }[] = [{ lines: [...rest], blocks: [] }]
  let y = 32 + (rest.length > 0 ? 12 + rest.length * rowHeightOf(rest.length) : 0)
  for (const [i, block] of blocks.entries()) {
    // A heading never stands alone at the foot of a page.
    const needed = block.heightMm + (block.isTitle ? (blocks[i + 1]?.heightMm ?? 0) : 0)
    if (y + needed > BOTTOM_MM) {
      pages.push({ lines: [], blocks: [] })
      y = 20
    }
    pages.at(-1)?.blocks.push(block)
    y += block.heightMm
  }
  return pages
}

const drawFollowing = (pdf: Pdf, sheet: TicketSheet, page: FollowingPage, isSecond: boolean): void => {
  let y = 20
  if (isSecond) {
    pdf.text({ x: LEFT, y: 14, width: WIDTH, height: 10 }, sheet.noticeTitle, shrink(16, 11, { weight: 'bold', color: ACCENT, ...center }))
    pdf.frame({ x: LEFT, y: 26, width: WIDTH, height: 0.5 }, { fill: ACCENT, color: ACCENT, lineWidthPt: 0.1 })
    y = 32
  }
  if (page.lines.length > 0) y = drawLines(pdf, sheet, page.lines, y) + 5
  for (const block of page.blocks) {
    const box = { x: LEFT, y, width: WIDTH, height: block.heightMm }
    if (block.isTitle) pdf.text({ ...box, y: y + 1.5, height: 7 }, block.text, shrink(11.5, 8, { weight: 'bold', color: ACCENT }))
    else pdf.paragraph({ ...box, width: WIDTH + 1 }, block.text, { sizePt: BODY_PT })
    y += block.heightMm
  }
}
