import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { toWireTime } from '#contract/kernel/when.ts'
import { systemClock } from '#kernel/clock.ts'
import { parseCsv, parseCsvRecords } from '#kernel/csv.ts'
import { readSheet } from '#kernel/sheet/read-sheet.ts'
import { writeSheet } from '#kernel/sheet/write-sheet.ts'
import { type BuiltExam, buildExam, type PaperSpec } from '../../server/test/support/factories.ts'
import type { Backdoor } from './people.ts'

export const seedData = (name: string): URL => new URL(`../../server/seed/data/${name}`, import.meta.url)

const dayMs = 24 * 3_600_000
/** So many days from now at a time of day, as on the wire. */
const day = (days: number, time: string): string =>
  `${toWireTime(new Date(systemClock.now().getTime() + days * dayMs)).slice(0, 10)} ${time}`

/** Sign-up is open since yesterday; seats and tickets follow in a week, the papers in ten days. */
export const windows = {
  sign_begin: day(-1, '09:00:00'),
  sign_end: day(3, '17:00:00'),
  modify_end: day(4, '12:00:00'),
  examine_begin: day(-1, '09:00:00'),
  examine_end: day(4, '17:00:00'),
  appeal_end: day(4, '17:00:00'),
  pay_begin: day(-1, '09:00:00'),
  pay_end: day(5, '17:00:00'),
  ticket_begin: day(7, '09:00:00'),
  ticket_end: day(20, '09:00:00'),
  ms_ticket_begin: day(21, '09:00:00'),
  ms_ticket_end: day(25, '08:00:00'),
} as const

/** One room of 30 seats. */
const room = {
  siteCode: '01',
  siteName: '区第一中学',
  siteAddress: '青山路188号',
  roomNo: '001',
  roomName: 'A栋301',
  floor: 3,
  rows: 6,
  cols: 5,
  layout: 'S',
  disabled: [],
  accessible: false,
  spare: 0,
}

/** The papers of the post table, two hours each, one after another; the interview weeks later. */
const papers = (): PaperSpec[] =>
  parseCsvRecords(readFileSync(seedData('exam-items.csv'), 'utf8')).map((row, at) => {
    const code = row['科目代码'] ?? ''
    const isInterview = code === '51'
    const date = isInterview ? 25 : 10 + Math.floor(at / 3)
    const hour = isInterview ? 9 : 8 + (at % 3) * 3
    return {
      itemCode: code,
      itemName: row['科目名称'] ?? '',
      itemType: isInterview ? 2 : 1,
      startTime: day(date, `${String(hour).padStart(2, '0')}:00:00`),
      endTime: day(date, `${String(hour + 1).padStart(2, '0')}:30:00`),
      rooms: [room],
    }
  })

export const examName = '区卫生健康系统公开招聘（端到端）'

/** The draft of an examination with its form, files, papers and rooms; posts and release are left to the person at the screen. */
export const draftExam = (backdoor: Backdoor, code: string): Promise<BuiltExam> =>
  buildExam(backdoor, {
    exam: {
      ...windows,
      exam_name: examName,
      exam_code: code,
      exam_no: 7,
      year: Number(windows.sign_begin.slice(0, 4)),
      state: 'draft',
      release_at: null,
      fee_mode: 3,
      fee_fen: 0,
    },
    posts: [],
    papers: papers(),
    items: {
      name: 1,
      idCardType: 1,
      idCard: 1,
      sex: 1,
      birthday: 1,
      nation: 1,
      political: 1,
      phone: 1,
      education: 1,
      degree: 1,
      school: 1,
      schoolCode: 0,
      major: 1,
      majorCode: 0,
      graduateDate: 1,
      certName: 1,
      adjust: 1,
      hasRelative: 1,
      relativeInfo: 1,
    },
    files: { photo: 1, idFront: 1, idBack: 1, diploma: 1 },
  })

/** `server/seed/data/posts.csv` as the workbook T1, in a folder of the caller. */
export const writePosts = async (folder: string): Promise<{ path: string; count: number }> => {
  const [header = [], ...rows] = parseCsv(readFileSync(seedData('posts.csv'), 'utf8'))
  const path = join(folder, 'posts.xlsx')
  await writeSheet(path, { sheets: [{ name: '岗位表', columns: header.map(title => ({ header: title })), rows }] })
  return { path, count: rows.length }
}

/** The template T6 as downloaded, with one score for everybody in it. */
export const fillScores = async (template: string, folder: string, paper: string, score: string): Promise<string> => {
  const read = await readSheet(template)
  if (!('rows' in read)) throw new Error(`the template cannot be read: ${read.problem}`)
  const [header, ...rows] = read.rows.map(row => row.cells.map(cell => String(cell ?? '')))
  const titles = header ?? []
  const put = (row: readonly string[]) =>
    titles.map((title, at) => (title === '成绩' ? score : title.startsWith('考试状态') ? '正常' : (row[at] ?? '')))
  // The browser finds no file by a Chinese name where the machine's locale is not UTF-8.
  const path = join(folder, `scores-${score}.xlsx`)
  await writeSheet(path, { sheets: [{ name: paper, columns: titles.map(title => ({ header: title })), rows: rows.map(put) }] })
  return path
}
