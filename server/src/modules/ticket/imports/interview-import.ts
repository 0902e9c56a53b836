import { refuse } from '#contract/kernel/errors.ts'
import { foldWidth } from '#contract/kernel/fold-width.ts'
import { isRefusal } from '#contract/kernel/refusal.ts'
import { fromWireTime, toWireDay, toWireTime } from '#contract/kernel/when.ts'
import { ticketImports } from '#contract/ticket/import-kinds.ts'
import { refuseTicket } from '#contract/ticket/ticket.errors.ts'
import { newToken } from '#kernel/crypto/token.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { findExam, listPapers, type PaperRow } from '#modules/exam/index.ts'
import {
  failRepeated,
  type HeaderSpec,
  type ImportDefinition,
  openSheet,
  type RowReader,
  requiredReason,
  templateBook,
} from '#modules/transfer/index.ts'
import { carriersOf, groupsOf, listTemplatePeople, replaceMade } from '../data/import.repo.ts'
import { seatsTaken } from '../data/late.repo.ts'
import { type NewTicket, placesOf, usedNumbers } from '../data/ticket.repo.ts'
import type { TicketContext } from '../deps.ts'
import { groupNumbers } from '../domain/interview-groups.ts'
import { interviewTicketNo } from '../domain/numbering.ts'
import { typeOfPaper } from '../domain/paper-group.ts'
import type { Room } from '../domain/room.ts'
import { findPeople, needText, optionalText, type PersonFinder, wholeNumber } from './person.ts'
import { checkNumber, guardPapers, type NumberFacts, newNumberFacts, prefilled, writeImported } from './plan-import.ts'

/** The columns of template T5 (domain 5.9). */
export const interviewColumns = {
  idCard: { header: '证件号码', required: true, kind: 'code' },
  name: { header: '姓名', required: true },
  code: { header: '岗位代码', required: true, kind: 'code' },
  ticketNo: { header: '面试准考证号(空=自动)', required: false, kind: 'code' },
  day: { header: '面试日期', required: true, kind: 'day' },
  report: { header: '报到时间', required: true },
  start: { header: '面试开始时间', required: false },
  siteName: { header: '考点名称', required: true },
  siteAddress: { header: '考点地址', required: true },
  groupNo: { header: '面试组', required: true },
  waitRoom: { header: '候考室', required: true },
  drawNo: { header: '抽签序号', required: false },
  remark: { header: '备注', required: false, lines: true },
} as const satisfies Record<string, HeaderSpec>

interface InterviewSeat {
  readonly signupId: string
  readonly userId: string
  readonly ticketNo: string
  readonly reportTime: Date
  readonly startTime: Date
  readonly endTime: Date
  readonly siteName: string
  readonly siteAddress: string
  readonly groupNo: string
  readonly waitRoom: string
  readonly drawNo: number | null
  readonly remark: string
}
type InterviewImport = ImportDefinition<InterviewSeat>
type Reader = RowReader<keyof typeof interviewColumns>

/** Groups without a site among the rooms of the paper: seats need a site code, and none has two zeros. */
const noSite = '00'

const paperOf = async (
  db: TenantDb,
  job: { readonly examId: string | null; readonly itemId: string | null },
): Promise<PaperRow | undefined> =>
  (await listPapers(db, job.examId ?? '0')).find(paper => paper.id === job.itemId && typeOfPaper(paper) === 2)

/** Why somebody may not be interviewed (domain 4.3); undefined = passed the re-review. */
const reviewReasons = new Map([
  [0, { zh: '未入围，不能参加面试', en: 'Not on the shortlist' }],
  [1, { zh: '资格复审尚未完成', en: 'The re-review is not finished' }],
  [3, { zh: '资格复审未通过', en: 'Did not pass the re-review' }],
  [4, { zh: '已放弃面试资格', en: 'Gave the interview up' }],
  [5, { zh: '资格复审待补充材料', en: 'The re-review waits for documents' }],
])
const reviewed = 2

/** `8:30` or `2026-05-01 08:30` of that day, as an instant. */
const readClock = (reader: Reader, key: 'report' | 'start', name: string, day: string): Date | undefined => {
  const text = reader.code(key)
  if (text === '') {
    if (key === 'report' && !reader.failed(key)) reader.fail(key, 'required', requiredReason(name))
    return undefined
  }
  const [, ownDay, hour, minute] = /^(?:(\d{4}-\d{2}-\d{2})[ T])?(\d{1,2})[:：](\d{2})(?:[:：]00)?$/.exec(text) ?? []
  const instant =
    hour === undefined || (ownDay !== undefined && ownDay !== day)
      ? undefined
      : fromWireTime(`${day} ${hour.padStart(2, '0')}:${minute}:00`)
  if (instant === undefined)
    reader.fail(key, 'time', { zh: `${name}须为面试当天的时间，如 08:30`, en: 'A time of the day of the interview, such as 08:30' })
  return instant
}

interface InterviewFacts extends NumberFacts {
  readonly people: PersonFinder
  readonly paper: PaperRow
  readonly rowOfPerson: Map<string, number>
  readonly rowOfDraw: Map<string, number>
  /** Site and day of a group: all its people come to the same. */
  readonly placeOfGroup: Map<string, { readonly place: string; readonly row: number }>
  /** Group and day in which a post is interviewed. */
  readonly groupOfPost: Map<string, string>
}

const readTimes = (reader: Reader, { startTime, endTime }: PaperRow) => {
  const day = reader.code('day')
  if (day === '') {
    if (!reader.failed('day')) reader.fail('day', 'required', requiredReason('面试日期'))
    return undefined
  }
  const report = readClock(reader, 'report', '报到时间', day)
  const typed = readClock(reader, 'start', '面试开始时间', day)
  if (report === undefined || reader.failed('start')) return undefined
  // Without a time of its own an interview begins when its paper does, and where that is over before people have to report, as they report.
  const usual = fromWireTime(`${day} ${toWireTime(startTime).slice(11)}`)
  const start = typed ?? (usual && usual > report ? usual : report)
  if (typed && report >= typed)
    reader.fail('report', 'report-late', { zh: '报到时间须早于面试开始时间', en: 'People report before the interview begins' })
  return { reportTime: report, startTime: start, endTime: new Date(start.getTime() + endTime.getTime() - startTime.getTime()) }
}

const readInterview = (
  reader: Reader,
  facts: InterviewFacts,
  warn: (row: number, zh: string, en: string) => void,
): InterviewSeat | undefined => {
  const person = facts.people.of(reader)
  if (reader.code('code') === '' && !reader.failed('code')) reader.fail('code', 'required', requiredReason('岗位代码'))
  if (person && person.reviewState !== reviewed)
    reader.fail(
      'idCard',
      'not-reviewed',
      reviewReasons.get(person.reviewState) ?? { zh: '资格复审未通过', en: 'Did not pass the re-review' },
    )
  if (person && !person.itemIds.includes(facts.paper.id))
    reader.fail('code', 'not-sat', { zh: '此人的岗位不参加该面试', en: 'The post of this person does not have this interview' })
  const times = readTimes(reader, facts.paper)
  const siteName = needText(reader, 'siteName', '考点名称', 60)
  const siteAddress = needText(reader, 'siteAddress', '考点地址', 200)
  const groupNo = needText(reader, 'groupNo', '面试组', 10)
  const waitRoom = needText(reader, 'waitRoom', '候考室', 60)
  const drawNo = wholeNumber(reader, 'drawNo', '抽签序号', { min: 1, max: 999, required: false }) ?? null
  const remark = optionalText(reader, 'remark', '备注', 200)
  const ticketNo = person ? checkNumber(reader as RowReader<'ticketNo'>, { signupId: person.signupId, type: 2 }, facts) : ''
  if (!person || !times) return undefined
  failRepeated(reader, 'idCard', person.signupId, facts.rowOfPerson)
  if (groupNo !== '') {
    const place = `${siteName} ${toWireDay(times.startTime)}`
    const earlier = facts.placeOfGroup.get(groupNo)
    if (earlier === undefined) facts.placeOfGroup.set(groupNo, { place, row: reader.row })
    else if (earlier.place !== place)
      reader.fail('groupNo', 'group-place', {
        zh: `同一面试组须同一天同一考点，与第 ${earlier.row} 行不一致`,
        en: `A group has one day and one site; row ${earlier.row} names others`,
      })
    if (drawNo !== null) failRepeated(reader, 'drawNo', `${groupNo} ${drawNo}`, facts.rowOfDraw)
    const group = `${groupNo} ${toWireDay(times.startTime)}`
    const usual = facts.groupOfPost.get(person.code)
    if (usual === undefined) facts.groupOfPost.set(person.code, group)
    else if (usual !== group)
      warn(
        reader.row,
        `岗位 ${person.code} 的考生分在不同的面试组或日期`,
        `People of post ${person.code} are in several groups or on several days`,
      )
  }
  return { signupId: person.signupId, userId: person.userId, ticketNo, ...times, siteName, siteAddress, groupNo, waitRoom, drawNo, remark }
}

const checkInterview =
  (context: TicketContext): InterviewImport['check'] =>
  async (db, sheet, { job }) => {
    const paper = await paperOf(db, job)
    if (!paper) throw new Error('the guard found the paper')
    const examId = job.examId ?? '0'
    const opened = openSheet(interviewColumns, sheet.header)
    const readers = opened.readers(sheet.rows)
    const people = await findPeople(
      context,
      db,
      examId,
      readers.map(reader => reader.code('idCard')),
    )
    const facts: InterviewFacts = {
      ...newNumberFacts(
        await carriersOf(db, [...new Set(readers.map(reader => foldWidth(reader.text('ticketNo'))).filter(text => text !== ''))]),
        await placesOf(db, examId, 2, [paper.id]),
      ),
      ...{ people, paper, rowOfPerson: new Map(), rowOfDraw: new Map(), placeOfGroup: new Map(), groupOfPost: new Map() },
    }
    const warn = (row: number, zh: string, en: string): void => void opened.warnings.push({ row, reason: { zh, en } })
    const read = readers.map(reader => {
      const value = readInterview(reader, facts, warn)
      return value && { row: reader.row, value }
    })
    return opened.checked(read)
  }

const writeInterview: InterviewImport['write'] = async (db, rows, { job, progress }) => {
  const paper = await paperOf(db, job)
  const exam = paper && (await guardPapers(db, paper.examId, [paper]))
  if (!exam || isRefusal(exam)) throw new Error('the guard let the import through')
  const kept = new Map((await placesOf(db, exam.id, 2)).map(place => [place.signupId, place]))
  const other = new Map((await placesOf(db, exam.id, 2, [paper.id])).map(place => [place.signupId, place]))
  const signupIds = rows.map(({ value }) => value.signupId)
  const updated = await replaceMade(db, [paper.id], signupIds)
  const used = await usedNumbers(db, exam.id)
  for (const { value } of rows) if (value.ticketNo !== '') used.add(value.ticketNo)
  const numbers = groupNumbers(
    rows.map(({ value }) => value.groupNo),
    new Map((await groupsOf(db, paper.id)).map(group => [group.groupNo, Number(group.roomNo)])),
  )
  const takenIn = Map.groupBy(
    (await seatsTaken(db, exam.id, [paper.id])).filter(seat => !seat.isVoid),
    seat => Number(seat.roomNo),
  )
  const places = new Map([...takenIn].map(([group, seats]) => [group, new Set(seats.map(seat => Number(seat.seatNo)))]))
  /** The lot where it is known and free, else the next free place of the group. */
  const placeIn = (group: number, wished: number | null): number => {
    const taken = places.get(group) ?? new Set()
    places.set(group, taken)
    let place = wished !== null && !taken.has(wished) ? wished : 1
    while (taken.has(place)) place++
    taken.add(place)
    return place
  }
  const siteCodes = new Map((paper.rooms as readonly Room[]).map(room => [room.siteName ?? '', room.siteCode]))
  const drawn = [...rows].sort((a, b) => Number(a.value.drawNo === null) - Number(b.value.drawNo === null) || a.row - b.row)
  const tickets = drawn.map(({ value }): NewTicket => {
    const group = numbers.get(value.groupNo) ?? 0
    const place = placeIn(group, value.drawNo)
    const own = (sequence: number): string => interviewTicketNo({ year: exam.year, examNo: exam.examNo, groupNo: group, sequence })
    let ticketNo = value.ticketNo || other.get(value.signupId)?.ticketNo
    for (let sequence = place; ticketNo === undefined; sequence++) if (!used.has(own(sequence))) ticketNo = own(sequence)
    used.add(ticketNo)
    return {
      ...{ itemId: paper.id, signupId: value.signupId, userId: value.userId, ticketNo },
      qrToken: kept.get(value.signupId)?.qrToken ?? newToken(),
      ...{ siteCode: siteCodes.get(value.siteName) ?? noSite, siteName: value.siteName, siteAddress: value.siteAddress },
      ...{ roomNo: String(group).padStart(3, '0'), roomName: '', floor: null, seatNo: String(place).padStart(2, '0') },
      ...{ reportTime: value.reportTime, startTime: value.startTime, endTime: value.endTime },
      ...{ groupNo: value.groupNo, waitRoom: value.waitRoom, drawNo: value.drawNo === null ? null : String(value.drawNo) },
      ...{ allotVersion: paper.ticketState === 'none' ? paper.allotVersion + 1 : paper.allotVersion, remark: value.remark || null },
    }
  })
  await writeImported(db, { exam, type: 2, papers: [paper] }, tickets, progress)
  return { inserted: signupIds.length - updated, updated, skipped: 0 }
}

const interviewTemplate =
  (): NonNullable<InterviewImport['template']> =>
  async (db, { examId = '0', itemId = '0', ctx }) => {
    const paper = await paperOf(db, { examId, itemId })
    const exam = paper && (await findExam(db, paper.examId))
    if (!paper || !exam) return refuse('kernel/not-found', {})
    const people = await listTemplatePeople(db, examId, [paper.id], true)
    const book = templateBook(ctx.say, { zh: '面试分组', en: 'Interview groups' }, interviewColumns, {
      idCard: {
        note: {
          zh: '已填好资格复审通过的考生，隐去中间几位，与姓名、岗位一起足以对应到人；自行填写时写完整号码，须为文本格式',
          en: 'Filled in with those who passed the re-review, without the middle digits: with name and post they name the person; else the whole number, as text',
        },
        sample: '3301**********1023',
      },
      name: { note: { zh: '已填好，须与报名一致', en: 'Filled in; as in the sign-up' }, sample: '王·测' },
      code: { note: { zh: '已填好', en: 'Filled in' }, sample: 'B001' },
      ticketNo: {
        note: { zh: '留空自动编号；自编 6–20 位数字或字母', en: 'Empty = made here; else 6 to 20 digits or letters' },
        sample: '',
      },
      day: { note: { zh: '年-月-日', en: 'Year-month-day' }, sample: '2026-05-09' },
      report: { note: { zh: '24 小时制，早于开始时间', en: '24 hours, before the beginning' }, sample: '07:30' },
      start: { note: { zh: '留空即该面试科目的开始时间', en: 'Empty = when the paper begins' }, sample: '08:30' },
      siteName: { note: { zh: '报到地点', en: 'Where people report' }, sample: '区卫生学校' },
      siteAddress: { note: { zh: '最多 200 字', en: 'At most 200 characters' }, sample: '文昌路 66 号' },
      groupNo: {
        note: { zh: '最多 10 字，同组同一天同一考点', en: 'At most 10 characters; one day and one site a group' },
        sample: '第1组',
      },
      waitRoom: { note: { zh: '最多 60 字', en: 'At most 60 characters' }, sample: '1号楼201' },
      drawNo: {
        note: { zh: '事先抽签才填；留空则现场抽签', en: 'Only where lots were drawn before; empty = drawn on the day' },
        sample: '',
      },
      remark: { note: { zh: '印在准考证上，最多 200 字', en: 'Printed on the ticket, at most 200 characters' }, sample: '' },
    })
    // A list of interviewees goes from hand to hand: it has of their numbers no more than tells them apart.
    const rows = people.map(({ idCardMask, name, code }) => ({ idCard: idCardMask, name, code }))
    return { ...prefilled(book, interviewColumns, rows), of: [exam.examCode, `${paper.itemCode}${paper.itemName}`] }
  }

/** T5: groups, waiting rooms and times of an interview (domain 5.2 importMsTicket). All or nothing, and only for people who passed the re-review. */
export const interviewImport = (context: TicketContext): InterviewImport => ({
  ...ticketImports.interview,
  columns: interviewColumns,
  guard: async (db, { job }) => {
    const paper = await paperOf(db, job)
    if (!paper) return refuseTicket('ticket/no-interview', {})
    const found = await guardPapers(db, paper.examId, [paper])
    return isRefusal(found) ? found : undefined
  },
  check: checkInterview(context),
  write: writeInterview,
  template: interviewTemplate(),
})
