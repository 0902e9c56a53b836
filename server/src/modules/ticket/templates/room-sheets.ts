import { loadFonts } from '#kernel/pdf/fonts.ts'
import { type BoxMm, createPdf, type Pdf, type TextStyle } from '#kernel/pdf/page.ts'
import type { RoomLayout } from './room-layouts.ts'

export interface RoomPerson {
  /** Seat of a room; of an interview the lot, empty until it is drawn. */
  readonly seatNo: string
  readonly name: string
  readonly sex: string
  /** In full: staff compare it. */
  readonly idCard: string
  /** For sheets that candidates see. */
  readonly idCardMask: string
  readonly ticketNo: string
  readonly post: string
  /** The papers of this sheet that are their own: 护理学专业知识. */
  readonly papers: string
  /** 07:30, of an interview. */
  readonly report: string
  readonly waitRoom: string
  /** What was granted because of a disability or illness: 延长 30 分钟、大字试卷. Sheets that other candidates read do not name it. */
  readonly help: string
  /** JPEG or PNG. */
  readonly photo: Uint8Array | null
}

/** One room, or group of an interview, with all that its sheets show; all texts are final. */
export interface RoomSheet {
  readonly kind: 'written' | 'interview'
  readonly examName: string
  readonly undertaker: string
  readonly siteName: string
  readonly siteAddress: string
  /** 第 012 考场, 面试第 3 组 */
  readonly title: string
  /** A栋302 · 3 层 */
  readonly where: string
  /** With how many write each. */
  readonly papers: readonly { readonly name: string; readonly day: string; readonly time: string; readonly people: number }[]
  readonly people: readonly RoomPerson[]
  /** Where each seat stands, as people see the room from the door side; null where nobody entered the room. */
  readonly grid: {
    readonly rows: number
    readonly cols: number
    readonly seats: readonly { readonly seatNo: number; readonly row: number; readonly col: number }[]
    /** Of these, the last of the numbering are kept free. */
    readonly spare: number
  } | null
  /** Extra time of whoever writes longest. */
  readonly mostExtraMinutes: number
  readonly isDraft: boolean
}

export interface RoomJob {
  readonly layout: RoomLayout
  readonly rooms: readonly RoomSheet[]
  /** ISO instant. */
  readonly createdAt: string
}

const LEFT = 15
const WIDTH = 180
const center = { align: 'center' } as const
const sized = (sizePt: number, minSizePt: number, more: Partial<TextStyle> = {}): TextStyle => ({ sizePt, minSizePt, maxLines: 1, ...more })
const grouped = (ticketNo: string): string => (/^\d{12}$/.test(ticketNo) ? ticketNo.replace(/(\d{4})(?=\d)/g, '$1 ') : ticketNo)

const names: Readonly<Record<RoomLayout, string>> = { desk: '桌贴', door: '门贴', sign: '签到表', photo: '照片对照表' }

/** Sheets are black on white: office printers have no other ink. */
export async function renderRooms(job: RoomJob): Promise<Uint8Array> {
  const [first] = job.rooms
  const pdf = createPdf(loadFonts(), {
    title: [first?.examName, names[job.layout], job.rooms.length === 1 ? first?.title : ''].filter(Boolean).join(' '),
    author: first?.undertaker ?? '',
    createdAt: new Date(job.createdAt),
  })
  const draw = { desk: drawDesks, door: drawDoor, sign: drawSign, photo: drawPhotos }[job.layout]
  for (const [at, room] of job.rooms.entries()) {
    if (at > 0) pdf.addPage()
    draw(pdf, room)
  }
  return pdf.finish()
}

const pagesOf = <T>(list: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.max(1, Math.ceil(list.length / size)) }, (_, page) => list.slice(page * size, (page + 1) * size))

const paperText = ({ papers }: RoomSheet): string => papers.map(paper => paper.name).join('、')
/** People of one room write different papers: each sheet then says who writes which. */
const isMixed = ({ people }: RoomSheet): boolean => new Set(people.map(person => person.papers)).size > 1
const countedPapers = ({ papers }: RoomSheet): string => papers.map(paper => `${paper.name} ${paper.people} 人`).join('、')
const dayText = ({ papers }: RoomSheet): string =>
  [...new Set(papers.map(paper => paper.day))]
    .map(day => [day, ...new Set(papers.filter(paper => paper.day === day).map(paper => paper.time))].join(' '))
    .join('；')

/** Heading of a list: examination, what the sheet is, room, papers and times. @returns y below it */
const drawHead = (pdf: Pdf, room: RoomSheet, name: string): number => {
  pdf.text({ x: LEFT, y: 12, width: WIDTH, height: 9 }, room.examName, sized(14, 9, { weight: 'bold', ...center }))
  pdf.text(
    { x: LEFT, y: 21, width: WIDTH, height: 9 },
    `${name}${room.isDraft ? '（预览稿）' : ''}`,
    sized(17, 12, { weight: 'bold', ...center }),
  )
  const mixed = isMixed(room)
  const pairs: readonly (readonly [string, string])[] = [
    [room.kind === 'written' ? '考　场' : '面试组', [room.title, room.where].filter(Boolean).join('　')],
    ['考　点', room.siteName],
    [room.kind === 'written' ? '科　目' : '项　目', paperText(room)],
    ['时　间', dayText(room)],
  ].filter(([label]) => !(mixed && label === '科　目')) as [string, string][]
  for (const [at, [label, value]] of pairs.entries()) {
    const [x, y] = [LEFT + (at % 2) * 90, 31.5 + Math.floor(at / 2) * 6.5]
    pdf.text({ x, y, width: 16, height: 6.5 }, label, { sizePt: 10, weight: 'bold' })
    pdf.text({ x: x + 17, y, width: 72, height: 6.5 }, value, sized(10.5, 6.5))
  }
  if (!mixed) return 46
  pdf.text({ x: LEFT, y: 44, width: 16, height: 6 }, '科　目', { sizePt: 10, weight: 'bold' })
  pdf.text({ x: LEFT + 17, y: 44, width: 163, height: 6 }, countedPapers(room), sized(9.5, 5, { maxLines: 2 }))
  return 51
}

const drawFoot = (pdf: Pdf, room: RoomSheet, page: number, pages: number): void => {
  const style = { sizePt: 8.5, minSizePt: 6 } as const
  pdf.text({ x: LEFT, y: 284, width: 120, height: 5 }, room.undertaker, style)
  pdf.text({ x: 135, y: 284, width: 60, height: 5 }, `${room.title}　第 ${page} 页 共 ${pages} 页`, { ...style, align: 'right' })
}

const LABELS_PER_PAGE = 10

/** Labels to cut: two beside each other, five below each other; whoever looks for a seat reads its number from the aisle. */
function drawDesks(pdf: Pdf, room: RoomSheet): void {
  for (const [page, people] of pagesOf(room.people, LABELS_PER_PAGE).entries()) {
    if (page > 0) pdf.addPage()
    for (const [at, person] of people.entries()) {
      const [x, y] = [LEFT + (at % 2) * 90, 16 + Math.floor(at / 2) * 53]
      pdf.frame({ x, y, width: 90, height: 53 }, { lineWidthPt: 0.4 })
      pdf.text({ x: x + 4, y: y + 2, width: 82, height: 7 }, `${room.examName}${room.isDraft ? '（预览稿）' : ''}`, sized(9, 6, center))
      pdf.line(x + 4, y + 9.5, x + 86, y + 9.5, 0.6)
      pdf.text({ x: x + 3, y: y + 11, width: 29, height: 6 }, room.kind === 'written' ? '座位号' : '抽签序号', { sizePt: 10, ...center })
      pdf.text({ x: x + 3, y: y + 17, width: 29, height: 24 }, person.seatNo || '—', sized(50, 24, { weight: 'bold', ...center }))
      pdf.text(
        { x: x + 3, y: y + 41, width: 29, height: person.help === '' ? 9 : 5 },
        room.title,
        sized(10, 6, { weight: 'bold', ...center }),
      )
      if (person.help !== '')
        pdf.text({ x: x + 2, y: y + 45.5, width: 31, height: 6.5 }, person.help, sized(8, 5, { maxLines: 2, prefer: 'wrap', ...center }))
      pdf.line(x + 34, y + 12, x + 34, y + 50, 0.4)
      const lines: readonly (readonly [string, string, TextStyle])[] = [
        ['姓名', person.name, sized(15, 7, { weight: 'bold', maxLines: 2 })],
        ['准考证号', grouped(person.ticketNo), sized(12, 8, { weight: 'bold' })],
        ['科目', person.papers, sized(9.5, 6, { maxLines: 2 })],
      ]
      for (const [row, [label, value, style]] of lines.entries()) {
        const top = y + 11.5 + row * 10.5
        pdf.text({ x: x + 37, y: top, width: 50, height: 4 }, label, { sizePt: 7.5 })
        pdf.text({ x: x + 37, y: top + 3.6, width: 50, height: 6.6 }, value, style)
      }
      pdf.barcode({ x: x + 37, y: y + 44, width: 44, height: 6 }, person.ticketNo)
    }
  }
}

/** Up to the room (26 03 01 012) or the group of an interview (26 03 9 001), what one place has in common of its numbers. */
const placeOf = (ticketNo: string): string => ticketNo.slice(0, ticketNo[4] === '9' ? 8 : 9)
/**
 * Whether the first and the last of some numbers say who belongs here. A number is of the room of the first paper: those who come to another room
 * for a later one have numbers from everywhere, and a range would send strangers in.
 */
const isRange = (sorted: readonly string[]): boolean => {
  const [first, last] = [sorted[0], sorted.at(-1)]
  if (first === undefined || last === undefined) return false
  if (sorted.every(one => /^\d{12}$/.test(one))) return sorted.every(one => placeOf(one) === placeOf(first))
  return sorted.every(one => /^\d+$/.test(one)) && BigInt(last) - BigInt(first) === BigInt(sorted.length - 1)
}

/** The door: its number from afar, when which paper is written, who sits where. */
function drawDoor(pdf: Pdf, room: RoomSheet): void {
  pdf.text(
    { x: LEFT, y: 13, width: WIDTH, height: 12 },
    `${room.examName}${room.isDraft ? '（预览稿）' : ''}`,
    sized(18, 11, { weight: 'bold', maxLines: 2, ...center }),
  )
  pdf.text({ x: LEFT, y: 27, width: WIDTH, height: 26 }, room.title, sized(64, 30, { weight: 'bold', ...center }))
  pdf.text({ x: LEFT, y: 54, width: WIDTH, height: 8 }, [room.siteName, room.where].filter(Boolean).join('　'), sized(15, 9, center))
  pdf.line(LEFT, 64, LEFT + WIDTH, 64, 1.2)
  const cell = sized(11, 7, center)
  const head = { ...cell, weight: 'bold' } as const
  const mixed = isMixed(room)
  const widths = mixed ? [84, 40, 34, 22] : [80, 50, 50]
  // The more papers a room has, the lower their lines: the seats below keep the space they need.
  const line = Math.min(7.5, 54 / Math.max(room.papers.length, 1))
  let y = pdf.table(
    LEFT,
    67,
    widths.map(widthMm => ({ widthMm, style: head })),
    7.5,
    [[room.kind === 'written' ? '科目' : '项目', '日期', '时间', ...(mixed ? ['应到人数'] : [])]],
  )
  const fitting = { ...cell, minSizePt: 4.5 }
  y = pdf.table(
    LEFT,
    y,
    widths.map((widthMm, at) => ({ widthMm, style: at === 0 ? { ...fitting, weight: 'bold' } : fitting })),
    line,
    room.papers.map(paper => [paper.name, paper.day, paper.time, ...(mixed ? [String(paper.people)] : [])]),
  )
  const numbers = room.people.map(person => person.ticketNo).sort()
  const range = isRange(numbers) ? `准考证号 ${grouped(numbers[0] ?? '')} 至 ${grouped(numbers.at(-1) ?? '')}` : ''
  pdf.text(
    { x: LEFT, y: y + 2, width: WIDTH, height: 7 },
    [`应到 ${room.people.length} 人`, range].filter(Boolean).join('　　'),
    sized(11.5, 8, center),
  )
  if (room.grid && room.kind === 'written') drawGrid(pdf, room, room.grid, y + 12)
  else drawRoll(pdf, room, y + 12)
}

/** The seats of a room as they stand, the front above. */
const drawGrid = (pdf: Pdf, room: RoomSheet, grid: NonNullable<RoomSheet['grid']>, y: number): void => {
  pdf.frame({ x: 80, y, width: 50, height: 7 }, { lineWidthPt: 0.8 })
  pdf.text({ x: 80, y, width: 50, height: 7 }, '讲　台', { sizePt: 10.5, weight: 'bold', ...center })
  const bySeat = new Map(room.people.map(person => [Number(person.seatNo), person]))
  const width = WIDTH / grid.cols
  const height = Math.min(24, (280 - (y + 10)) / grid.rows)
  const planned = grid.seats.length - grid.spare
  const mixed = isMixed(room)
  for (const { seatNo, row, col } of grid.seats) {
    const box: BoxMm = { x: LEFT + (col - 1) * width + 0.8, y: y + 10 + (row - 1) * height + 0.8, width: width - 1.6, height: height - 1.6 }
    const person = bySeat.get(seatNo)
    pdf.frame(box, { lineWidthPt: person ? 0.8 : 0.3 })
    const part = box.height / (mixed ? 4 : 3)
    pdf.text({ ...box, height: part }, String(seatNo).padStart(2, '0'), sized(Math.min(11, part * 2.1), 5, { weight: 'bold', ...center }))
    const inner = { ...box, x: box.x + 0.6, width: box.width - 1.2 }
    // The room is said to have fewer seats than stand in it: the sheet shows which are not planned for.
    if (!person && seatNo > planned)
      pdf.text({ ...inner, y: box.y + part, height: part }, '备用', sized(Math.min(9, part * 2), 4.5, center))
    if (!person) continue
    pdf.text(
      { ...inner, y: box.y + part, height: part },
      person.name,
      sized(Math.min(11, part * 2.1), 4.5, { maxLines: 2, prefer: 'wrap', ...center }),
    )
    pdf.text({ ...inner, y: box.y + 2 * part, height: part }, person.ticketNo, sized(Math.min(8, part * 2), 3.5, center))
    if (mixed) pdf.text({ ...inner, y: box.y + 3 * part, height: part }, person.papers, sized(Math.min(8, part * 2), 3, center))
  }
}

/** Two columns of names, where no plan of the seats is known. */
const drawRoll = (pdf: Pdf, room: RoomSheet, y: number): void => {
  const half = Math.max(Math.ceil(room.people.length / 2), 1)
  const height = Math.min(8, (278 - y - 7) / half)
  const cell = sized(Math.min(10.5, height * 1.6), 4.5, center)
  const widths = [16, 34, 38]
  const headings = [room.kind === 'written' ? '座位' : '抽签', '姓名', '准考证号']
  for (const [at, people] of [room.people.slice(0, half), room.people.slice(half)].entries()) {
    if (people.length === 0) continue
    const columns = widths.map(widthMm => ({ widthMm, style: cell }))
    const x = LEFT + at * 92
    pdf.table(
      x,
      y,
      widths.map(widthMm => ({ widthMm, style: { ...sized(10, 7, center), weight: 'bold' } as const })),
      7,
      [headings],
    )
    pdf.table(
      x,
      y + 7,
      columns,
      height,
      people.map(person => [person.seatNo, person.name, person.ticketNo]),
    )
  }
}

const ROWS_PER_PAGE = 30

const columnsOf: Readonly<
  Record<
    RoomSheet['kind'] | 'mixed',
    readonly {
      readonly head: string
      readonly widthMm: number
      readonly of: (person: RoomPerson, at: number) => string
      readonly bold?: true
      /** A name that is read as one rather sets smaller than breaks. */
      readonly whole?: true
    }[]
  >
> = {
  written: [
    { head: '座位号', widthMm: 14, of: person => person.seatNo, bold: true },
    { head: '姓名', widthMm: 30, of: person => person.name, bold: true },
    { head: '性别', widthMm: 10, of: person => person.sex },
    { head: '准考证号', widthMm: 32, of: person => person.ticketNo },
    { head: '证件号码', widthMm: 37, of: person => person.idCardMask },
    { head: '考生签名', widthMm: 35, of: () => '' },
    { head: '缺考', widthMm: 10, of: () => '' },
    { head: '备注', widthMm: 12, of: () => '' },
  ],
  mixed: [
    { head: '座位号', widthMm: 12, of: person => person.seatNo, bold: true },
    { head: '姓名', widthMm: 24, of: person => person.name, bold: true },
    { head: '性别', widthMm: 9, of: person => person.sex },
    { head: '准考证号', widthMm: 28, of: person => person.ticketNo },
    { head: '证件号码', widthMm: 37, of: person => person.idCardMask },
    { head: '科目', widthMm: 26, of: person => person.papers, whole: true },
    { head: '考生签名', widthMm: 26, of: () => '' },
    { head: '缺考', widthMm: 9, of: () => '' },
    { head: '备注', widthMm: 9, of: () => '' },
  ],
  interview: [
    { head: '序号', widthMm: 11, of: (_, at) => String(at + 1) },
    { head: '姓名', widthMm: 28, of: person => person.name, bold: true },
    { head: '面试准考证号', widthMm: 31, of: person => person.ticketNo },
    { head: '报考岗位', widthMm: 34, of: person => person.post },
    { head: '报到', widthMm: 13, of: person => person.report },
    { head: '抽签号', widthMm: 14, of: person => person.seatNo, bold: true },
    { head: '考生签名', widthMm: 37, of: () => '' },
    { head: '缺考', widthMm: 12, of: () => '' },
  ],
}

/** Everybody signs; below, those who watched. A room of thirty is one sheet. */
function drawSign(pdf: Pdf, room: RoomSheet): void {
  const columns = columnsOf[room.kind === 'written' && isMixed(room) ? 'mixed' : room.kind]
  const pages = pagesOf(room.people, ROWS_PER_PAGE)
  for (const [page, people] of pages.entries()) {
    if (page > 0) pdf.addPage()
    const y = drawHead(pdf, room, room.kind === 'written' ? '考 生 签 到 表' : '面 试 签 到 表')
    const height = Math.min(9.5, (250 - y) / Math.max(people.length, 1))
    pdf.table(
      LEFT,
      y,
      columns.map(({ widthMm }) => ({ widthMm, style: { ...sized(9.5, 6, center), weight: 'bold' } as const })),
      7,
      [columns.map(one => one.head)],
    )
    const end = pdf.table(
      LEFT,
      y + 7,
      columns.map(({ widthMm, bold, whole }) => ({
        widthMm,
        style: {
          ...sized(10, 6, { maxLines: 2, prefer: whole ? 'shrink' : 'wrap', ...center }),
          ...(bold ? { weight: 'bold' } : {}),
        } as TextStyle,
      })),
      height,
      people.map((person, at) => columns.map(column => column.of(person, page * ROWS_PER_PAGE + at))),
    )
    const line = { sizePt: 10.5 } as const
    pdf.text(
      { x: LEFT, y: end + 3, width: WIDTH, height: 6 },
      `应到 ${room.people.length} 人　　实到 ________ 人　　缺考 ________ 人　　违纪 ________ 人`,
      line,
    )
    // Candidates sign here one after the other: who it is stands on the list of photos.
    const helped = room.people.filter(person => person.help !== '').length
    if (helped > 0)
      pdf.text(
        { x: LEFT, y: end + 8.2, width: WIDTH, height: 4.6 },
        [`本场 ${helped} 人享有合理便利`, room.mostExtraMinutes > 0 ? `最多延长 ${room.mostExtraMinutes} 分钟` : '', '名单见照片对照表']
          .filter(Boolean)
          .join('，'),
        { sizePt: 9 },
      )
    pdf.text(
      { x: LEFT, y: end + 12.8, width: WIDTH, height: 6 },
      room.kind === 'written'
        ? '监考员（签名）：甲 ______________　乙 ______________　　　日期：______ 年 ____ 月 ____ 日'
        : '考务员（签名）：______________　监督员（签名）：______________　　日期：______ 年 ____ 月 ____ 日',
      line,
    )
    drawFoot(pdf, room, page + 1, pages.length)
  }
}

const PHOTOS_PER_PAGE = 30

/** Faces with what the invigilator compares: six beside each other, five below each other. */
function drawPhotos(pdf: Pdf, room: RoomSheet): void {
  const pages = pagesOf(room.people, PHOTOS_PER_PAGE)
  const mixed = isMixed(room)
  for (const [page, people] of pages.entries()) {
    if (page > 0) pdf.addPage()
    const y = drawHead(pdf, room, '照 片 对 照 表')
    for (const [at, person] of people.entries()) {
      const box: BoxMm = { x: 9 + (at % 6) * 32, y: y + Math.floor(at / 6) * 46.5, width: 32, height: 46.5 }
      pdf.frame(box, { lineWidthPt: 0.4 })
      const photo: BoxMm = { x: box.x + 5, y: box.y + 1.2, width: 22, height: 26.2 }
      if (person.photo === null || !tryImage(pdf, photo, person.photo)) {
        pdf.frame(photo, { lineWidthPt: 0.3 })
        pdf.text(photo, '未采集\n照　片', { sizePt: 9, maxLines: 2, ...center })
      }
      const line = (row: number, text: string, style: TextStyle): void =>
        void pdf.text({ x: box.x + 0.3, y: box.y + 33.4 + row * 4.2, width: 31.4, height: 4.2 }, text, { ...style, ...center })
      pdf.text({ x: box.x + 0.8, y: box.y + 27.6, width: 30.4, height: 5.8 }, [person.seatNo, person.name].filter(Boolean).join('　'), {
        ...sized(9.5, 5.5, { weight: 'bold', maxLines: 2, prefer: 'wrap' }),
        ...center,
      })
      line(0, person.ticketNo, sized(8.5, 5))
      // Eighteen digits fill the width of a card, which is why the cards reach beyond the heading.
      line(1, person.idCard, sized(9, 5))
      if (mixed && person.help !== '') line(2, `${person.papers} ${person.help}`, sized(8, 3.5, { weight: 'bold' }))
      else if (mixed) line(2, [person.sex, person.papers].filter(Boolean).join(' '), sized(8, 4))
      else if (person.help === '') line(2, [person.sex, person.post].filter(Boolean).join(' '), sized(7, 4.5))
      else line(2, person.help, sized(8, 4.5, { weight: 'bold' }))
    }
    drawFoot(pdf, room, page + 1, pages.length)
  }
}

/** A photo that cannot be decoded must not keep the list from being printed. */
const tryImage = (pdf: Pdf, box: BoxMm, bytes: Uint8Array): boolean => {
  try {
    pdf.image(box, bytes)
    return true
  } catch {
    return false
  }
}
