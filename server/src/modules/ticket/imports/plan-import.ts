import { refuse } from '#contract/kernel/errors.ts'
import { markOf } from '#contract/kernel/field-rule.ts'
import { foldWidth } from '#contract/kernel/fold-width.ts'
import type { Label } from '#contract/kernel/label.ts'
import { isRefusal } from '#contract/kernel/refusal.ts'
import { ticketImports } from '#contract/ticket/import-kinds.ts'
import { refuseTicket } from '#contract/ticket/ticket.errors.ts'
import { ticketNoun } from '#contract/ticket/ticket.noun.ts'
import { newToken } from '#kernel/crypto/token.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { transition } from '#kernel/db/transition.ts'
import { type ExamRow, findExam, listPapers, lockExam, type PaperRow } from '#modules/exam/index.ts'
import {
  failRepeated,
  type HeaderSpec,
  type ImportDefinition,
  openSheet,
  type RowReader,
  requiredReason,
  sameAsReason,
  templateBook,
} from '#modules/transfer/index.ts'
import { lockTickets } from '../commands/allocate.ts'
import { listEligible } from '../data/eligible.repo.ts'
import { carriersOf, listTemplatePeople, replaceMade } from '../data/import.repo.ts'
import { seatsTaken } from '../data/late.repo.ts'
import { insertTickets, type NewTicket, placesOf, usedNumbers } from '../data/ticket.repo.ts'
import type { TicketContext } from '../deps.ts'
import { numberFault } from '../domain/given-number.ts'
import { seatKey } from '../domain/late-seats.ts'
import { groupPapers, roomsOfGroup, typeOfPaper, withGroups } from '../domain/paper-group.ts'
import { pickNumber } from '../domain/pick-number.ts'
import { type Room, seatsOf } from '../domain/room.ts'
import { findPeople, needText, optionalText, type PersonFinder, wholeNumber } from './person.ts'

/** The columns of template T4 (domain 5.9). */
export const planColumns = {
  idCard: { header: '证件号码', required: true, kind: 'code' },
  name: { header: '姓名', required: true },
  code: { header: '岗位代码', required: false, kind: 'code' },
  itemCode: { header: '科目代码', required: true, kind: 'code' },
  ticketNo: { header: '准考证号(空=自动)', required: false, kind: 'code' },
  siteCode: { header: '考点代码', required: true, kind: 'code' },
  siteName: { header: '考点名称', required: true },
  siteAddress: { header: '考点地址', required: true },
  roomNo: { header: '考场号', required: true, kind: 'code' },
  roomName: { header: '考场名称', required: false },
  floor: { header: '楼层', required: false },
  seatNo: { header: '座位号', required: true },
  remark: { header: '备注', required: false, lines: true },
} as const satisfies Record<string, HeaderSpec>

/** One seat of one person for the papers that share it. */
interface PlannedSeat {
  readonly signupId: string
  readonly userId: string
  readonly itemIds: readonly string[]
  readonly ticketNo: string
  readonly siteCode: string
  readonly siteName: string
  readonly siteAddress: string
  readonly roomNo: string
  readonly roomName: string
  readonly floor: number | null
  readonly seatNo: number
  readonly remark: string
}
type PlanImport = ImportDefinition<PlannedSeat>
type Reader = RowReader<keyof typeof planColumns>

const partsOf = (job: { readonly examId: string | null; readonly itemId: string | null }) => ({
  examId: job.examId ?? '0',
  itemId: job.itemId ?? '0',
})

/** Written papers that a file is about: a named one with those that share its seats, else all. */
const papersOfFile = async (db: TenantDb, job: { readonly examId: string | null; readonly itemId: string | null }): Promise<PaperRow[]> => {
  const { examId, itemId } = partsOf(job)
  const written = (await listPapers(db, examId)).filter(paper => typeOfPaper(paper) === 1)
  return itemId === '0' ? written : withGroups(written, [itemId])
}

/** Examination and papers as an import may change them: published, and none of the papers released. */
export const guardPapers = async (db: TenantDb, examId: string, papers: readonly PaperRow[]) => {
  await lockTickets(db, examId)
  const exam = await lockExam(db, examId)
  if (!exam || papers.length === 0) return refuse('kernel/not-found', {})
  if (exam.state !== 'released') return refuseTicket('ticket/exam-state', {})
  return papers.some(paper => paper.ticketState === 'released' || paper.ticketState === 'ended')
    ? refuseTicket('ticket/released', {})
    : exam
}

/** What numbers of a file are judged by: who has them, and where they stood before in the file. */
export interface NumberFacts {
  readonly carriers: Awaited<ReturnType<typeof carriersOf>>
  /** Numbers that people of this examination have already, by sign-up. */
  readonly numbers: ReadonlyMap<string, string>
  readonly personOfNumber: Map<string, { readonly signupId: string; readonly row: number }>
  readonly numberOfPerson: Map<string, { readonly ticketNo: string; readonly row: number }>
}
export const newNumberFacts = (
  carriers: NumberFacts['carriers'],
  places: readonly { readonly signupId: string; readonly ticketNo: string }[],
): NumberFacts => ({
  carriers,
  numbers: new Map(places.map(place => [place.signupId, place.ticketNo])),
  personOfNumber: new Map(),
  numberOfPerson: new Map(),
})

interface PlanFacts extends NumberFacts {
  readonly people: PersonFinder
  /** By the code of the paper: it and the papers that share its seats. */
  readonly groups: ReadonlyMap<string, readonly PaperRow[]>
  /** Rows by what must not repeat in the file. */
  readonly rowOfSeat: Map<string, number>
  readonly rowOfPerson: Map<string, number>
  readonly nameOfSite: Map<string, { readonly name: string; readonly row: number }>
}

const groupKey = (group: readonly PaperRow[]): string => group[0]?.id ?? ''

/** A site code of two digits and a room number of three, however they were typed. */
const readPlace = (reader: Reader, facts: PlanFacts) => {
  const siteNo = wholeNumber(reader, 'siteCode', '考点代码', { min: 1, max: 89, required: true })
  const roomNo = wholeNumber(reader, 'roomNo', '考场号', { min: 1, max: 999, required: true })
  const seatNo = wholeNumber(reader, 'seatNo', '座位号', { min: 1, max: 99, required: true })
  const siteName = needText(reader, 'siteName', '考点名称', 60)
  const siteAddress = needText(reader, 'siteAddress', '考点地址', 200)
  const roomName = optionalText(reader, 'roomName', '考场名称', 60)
  const floor = wholeNumber(reader, 'floor', '楼层', { min: -5, max: 99, required: false }) ?? null
  if (siteNo === undefined || roomNo === undefined || seatNo === undefined) return undefined
  const siteCode = String(siteNo).padStart(2, '0')
  const earlier = facts.nameOfSite.get(siteCode)
  if (earlier === undefined) facts.nameOfSite.set(siteCode, { name: siteName, row: reader.row })
  else if (earlier.name !== siteName)
    reader.fail('siteName', 'site-name', {
      zh: `考点 ${siteCode} 的名称与第 ${earlier.row} 行不一致`,
      en: `Site ${siteCode} has another name in row ${earlier.row}`,
    })
  return { siteCode, siteName, siteAddress, roomNo: String(roomNo).padStart(3, '0'), roomName, floor, seatNo }
}

/** The number of a row: well formed, of nobody else, and the same wherever the person has one. */
export const checkNumber = (
  reader: RowReader<'ticketNo'>,
  of: { readonly signupId: string; readonly type: 1 | 2 },
  facts: NumberFacts,
): string => {
  const ticketNo = reader.code('ticketNo')
  if (ticketNo === '') return ''
  const fail = (code: string, reason: Label): void => reader.fail('ticketNo', code, reason)
  const fault = numberFault(ticketNo)
  if (fault) fail(fault.code, fault.reason)
  const carrier = facts.carriers.get(ticketNo)
  if (carrier && (carrier.signupId !== of.signupId || carrier.type !== of.type))
    fail('number-taken', { zh: '准考证号已被其他考生使用', en: 'Somebody else has this ticket number' })
  const own = facts.numbers.get(of.signupId)
  if (own !== undefined && own !== ticketNo)
    fail('number-differs', { zh: `此人已有准考证号 ${own}，须一致`, en: `This person has the number ${own} already` })
  const other = facts.personOfNumber.get(ticketNo)
  if (other === undefined) facts.personOfNumber.set(ticketNo, { signupId: of.signupId, row: reader.row })
  else if (other.signupId !== of.signupId) fail('duplicate', sameAsReason(other.row))
  const before = facts.numberOfPerson.get(of.signupId)
  if (before === undefined) facts.numberOfPerson.set(of.signupId, { ticketNo, row: reader.row })
  else if (before.ticketNo !== ticketNo)
    fail('number-differs', {
      zh: `同一人的准考证号与第 ${before.row} 行不一致`,
      en: `The same person has another number in row ${before.row}`,
    })
  return ticketNo
}

const readSeat = (reader: Reader, facts: PlanFacts, taken: ReadonlySet<string>): PlannedSeat | undefined => {
  const person = facts.people.of(reader)
  const itemCode = reader.code('itemCode')
  const group = facts.groups.get(itemCode)
  if (itemCode === '') reader.fail('itemCode', 'required', requiredReason('科目代码'))
  else if (!group)
    reader.fail('itemCode', 'unknown-item', {
      zh: `科目代码不在本次导入的范围内: ${itemCode}`,
      en: `Paper ${itemCode} is not among those imported`,
    })
  const named = group?.find(paper => paper.itemCode === itemCode)
  if (person && named && !person.itemIds.includes(named.id))
    reader.fail('itemCode', 'not-sat', { zh: '此人的岗位不考该科目', en: 'The post of this person does not sit the paper' })
  const place = readPlace(reader, facts)
  const remark = optionalText(reader, 'remark', '备注', 200)
  const ticketNo = person ? checkNumber(reader as RowReader<'ticketNo'>, { signupId: person.signupId, type: 1 }, facts) : ''
  if (!person || !group || !named || !place) return undefined

  const key = seatKey(place.siteCode, place.roomNo, place.seatNo)
  const rooms = roomsOfGroup(group) as readonly Room[]
  const room = rooms.find(one => one.siteCode === place.siteCode && one.roomNo === place.roomNo)
  if (room && !seatsOf(room).some(seat => seat.seatNo === place.seatNo))
    reader.fail('seatNo', 'no-such-seat', {
      zh: `考场 ${place.roomNo} 只有 ${seatsOf(room).length} 个座位`,
      en: `Room ${place.roomNo} has ${seatsOf(room).length} seats`,
    })
  const own = { signupId: person.signupId, userId: person.userId, ticketNo, remark }
  const who = `${groupKey(group)} ${person.signupId}`
  const where = `${groupKey(group)} ${key}`
  const twin = facts.rowOfPerson.get(who)
  if (twin !== undefined && facts.rowOfSeat.get(where) === twin) {
    // The other papers of one seat group may have rows of their own, as long as they name the same seat.
    if (group.length === 1) reader.fail('idCard', 'duplicate', sameAsReason(twin))
    return { ...own, itemIds: [], ...place }
  }
  if (twin === undefined) facts.rowOfPerson.set(who, reader.row)
  else if (group.length === 1) reader.fail('idCard', 'duplicate', sameAsReason(twin))
  else
    reader.fail('seatNo', 'group-seat', {
      zh: `同一座位组的科目须同座，与第 ${twin} 行不一致`,
      en: `Papers of one seat group share the seat; row ${twin} names another`,
    })
  failRepeated(reader, 'seatNo', where, facts.rowOfSeat)
  if (taken.has(where)) reader.fail('seatNo', 'seat-taken', { zh: '座位已有其他考生', en: 'Somebody else has this seat' })
  // Papers that share a seat get it together, whichever of them the row names.
  return { ...own, itemIds: group.filter(paper => person.itemIds.includes(paper.id)).map(paper => paper.id), ...place }
}

const checkPlan =
  (context: TicketContext): PlanImport['check'] =>
  async (db, sheet, { job }) => {
    const { examId } = partsOf(job)
    const papers = await papersOfFile(db, job)
    const itemIds = papers.map(paper => paper.id)
    const groups = groupPapers(papers)
    const opened = openSheet(planColumns, sheet.header)
    const readers = opened.readers(sheet.rows)
    const people = await findPeople(
      context,
      db,
      examId,
      readers.map(reader => reader.code('idCard')),
    )
    const facts: PlanFacts = {
      people,
      groups: new Map(groups.flatMap(group => group.map(paper => [paper.itemCode, group] as const))),
      ...newNumberFacts(
        await carriersOf(db, [...new Set(readers.map(reader => foldWidth(reader.text('ticketNo'))).filter(text => text !== ''))]),
        await placesOf(db, examId, 1, itemIds),
      ),
      ...{ rowOfSeat: new Map(), rowOfPerson: new Map(), nameOfSite: new Map() },
    }
    const taken = new Set<string>()
    for (const group of groups)
      for (const seat of await seatsTaken(
        db,
        examId,
        group.map(paper => paper.id),
      ))
        if (!seat.isVoid && !people.signupIds.has(seat.signupId))
          taken.add(`${groupKey(group)} ${seatKey(seat.siteCode, seat.roomNo, Number(seat.seatNo))}`)
    const read = readers.map(reader => {
      const value = readSeat(reader, facts, taken)
      return value && { row: reader.row, value }
    })
    const checked = opened.checked(read)
    const planned = new Set(checked.rows.map(({ value }) => value.signupId))
    const seated = new Set((await seatsTaken(db, examId, itemIds)).filter(seat => !seat.isVoid).map(seat => seat.signupId))
    const missing = (await listEligible(db, examId, itemIds)).filter(({ signupId }) => !planned.has(signupId) && !seated.has(signupId))
    return missing.length === 0 || checked.errors.length > 0
      ? checked
      : {
          ...checked,
          fileWarnings: [
            ...checked.fileWarnings,
            {
              code: 'people-missing',
              reason: {
                zh: `还有 ${missing.length} 名符合条件的考生不在文件中，报名序号：${missing
                  .slice(0, 10)
                  .map(one => one.signNo)
                  .join('、')}${missing.length > 10 ? ' 等' : ''}`,
                en: `${missing.length} eligible people are not in the file, sign-up numbers: ${missing
                  .slice(0, 10)
                  .map(one => one.signNo)
                  .join(', ')}${missing.length > 10 ? ' …' : ''}`,
              },
            },
          ],
        }
  }

/** Tickets of one statement: their columns are made at once. */
const batch = 1_000

/** Stores tickets that an import brought, and the papers as made. */
export const writeImported = async (
  db: TenantDb,
  of: { readonly exam: ExamRow; readonly type: 1 | 2; readonly papers: readonly PaperRow[] },
  rows: readonly NewTicket[],
  progress: (done: number) => Promise<void>,
): Promise<void> => {
  for (let from = 0; from < rows.length; from += batch) {
    await insertTickets(db, of.exam.id, of.type, rows.slice(from, from + batch), 2)
    await progress(from + batch)
  }
  for (const paper of of.papers.filter(one => one.ticketState === 'none' && rows.some(row => row.itemId === one.id))) {
    const move = { from: 'none', to: 'made', column: 'ticket_state' }
    if (!(await transition(db, 'exam_item', paper.id, move, { allot_version: paper.allotVersion + 1 })))
      throw new Error(`paper ${paper.id} moved under its lock`)
  }
}

const writePlan: PlanImport['write'] = async (db, rows, { job, progress }) => {
  const papers = await papersOfFile(db, job)
  const exam = await guardPapers(db, partsOf(job).examId, papers)
  if (isRefusal(exam)) throw new Error('the guard let the import through')
  const paperOf = new Map(papers.map(paper => [paper.id, paper]))
  const itemIds = papers.map(paper => paper.id)
  const known = new Map((await placesOf(db, exam.id, 1)).map(place => [place.signupId, place]))
  // Whoever has another paper keeps its number; the numbers of seats that are replaced are free again.
  const kept = new Map((await placesOf(db, exam.id, 1, itemIds)).map(place => [place.signupId, place]))
  const signupIds = [...new Set(rows.map(({ value }) => value.signupId))]
  const updated = await replaceMade(db, itemIds, signupIds)
  const used = await usedNumbers(db, exam.id)
  const numberOf = new Map<string, string>()
  for (const { value } of rows) if (value.ticketNo !== '') numberOf.set(value.signupId, value.ticketNo)
  for (const ticketNo of numberOf.values()) used.add(ticketNo)
  const tokenOf = new Map<string, string>()
  const tickets = rows.flatMap(({ value }): NewTicket[] => {
    const place = { siteNo: Number(value.siteCode), roomNo: Number(value.roomNo), seatNo: value.seatNo }
    const ticketNo =
      numberOf.get(value.signupId) ??
      kept.get(value.signupId)?.ticketNo ??
      pickNumber({ year: exam.year, examNo: exam.examNo, ...place }, used)
    numberOf.set(value.signupId, ticketNo)
    const qrToken = tokenOf.get(value.signupId) ?? known.get(value.signupId)?.qrToken ?? newToken()
    tokenOf.set(value.signupId, qrToken)
    return value.itemIds.map(itemId => {
      const paper = paperOf.get(itemId)
      if (!paper) throw new Error('the check found the paper')
      return {
        ...{ itemId, signupId: value.signupId, userId: value.userId, ticketNo, qrToken },
        ...{ siteCode: value.siteCode, siteName: value.siteName, siteAddress: value.siteAddress },
        ...{ roomNo: value.roomNo, roomName: value.roomName, floor: value.floor, seatNo: String(value.seatNo).padStart(2, '0') },
        ...{ reportTime: paper.reportTime, startTime: paper.startTime, endTime: paper.endTime },
        ...{ allotVersion: paper.ticketState === 'none' ? paper.allotVersion + 1 : paper.allotVersion, remark: value.remark || null },
      }
    })
  })
  await writeImported(db, { exam, type: 1, papers }, tickets, progress)
  return { inserted: signupIds.length - updated, updated, skipped: 0 }
}

/** Marks of what a template says of people already. */
export const templateMarks = { idCard: markOf(ticketNoun, 'idCard'), name: markOf(ticketNoun, 'name') } as const

/** A template with people filled in. */
export const prefilled = (
  book: ReturnType<typeof templateBook>,
  columns: Readonly<Record<string, HeaderSpec>>,
  rows: readonly Readonly<Record<string, string>>[],
): ReturnType<typeof templateBook> => {
  const [first, ...rest] = book.sheets
  if (!first) throw new Error('a template has a sheet')
  const keys = Object.keys(columns)
  const marked = first.columns.map((column, at) => {
    const key = keys[at]
    return key === 'idCard' || key === 'name' ? { ...column, field: templateMarks[key] } : column
  })
  return { ...book, sheets: [{ ...first, columns: marked, rows: rows.map(row => keys.map(key => row[key] ?? '')) }, ...rest] }
}

const planTemplate =
  ({ services }: TicketContext): NonNullable<PlanImport['template']> =>
  async (db, { examId = '0', itemId = '0', ctx }) => {
    const papers = await papersOfFile(db, { examId, itemId })
    if (papers.length === 0) return refuse('kernel/not-found', {})
    const groups = groupPapers(papers)
    const people = await listTemplatePeople(
      db,
      examId,
      papers.map(paper => paper.id),
      false,
    )
    const book = templateBook(ctx.say, { zh: '座位表', en: 'Seats' }, planColumns, {
      idCard: {
        note: { zh: '已填好符合条件的考生，须为文本格式', en: 'Filled in with those who may sit; must be text' },
        sample: '330106199806301023',
      },
      name: { note: { zh: '已填好，须与报名一致', en: 'Filled in; as in the sign-up' }, sample: '王·测' },
      code: { note: { zh: '已填好，可留空', en: 'Filled in; may stay empty' }, sample: 'B001' },
      itemCode: {
        note: { zh: '已填好；同一座位组的科目写一行即可', en: 'Filled in; one row for papers that share their seats' },
        sample: papers[0]?.itemCode ?? '01',
      },
      ticketNo: {
        note: { zh: '留空自动编号；自编 6–20 位数字或字母', en: 'Empty = made here; else 6 to 20 digits or letters' },
        sample: '',
      },
      siteCode: { note: { zh: '01–89', en: '01 to 89' }, sample: '01' },
      siteName: { note: { zh: '同一考点代码名称须一致', en: 'One name for one site' }, sample: '区第一中学' },
      siteAddress: { note: { zh: '最多 200 字', en: 'At most 200 characters' }, sample: '青山路 188 号' },
      roomNo: { note: { zh: '001–999', en: '001 to 999' }, sample: '012' },
      roomName: { note: { zh: '楼栋和教室', en: 'Building and room' }, sample: 'A栋302' },
      floor: { note: { zh: '数字', en: 'A number' }, sample: '3' },
      seatNo: { note: { zh: '01–99，一座一人', en: '01 to 99, one person a seat' }, sample: '17' },
      remark: { note: { zh: '印在准考证上，最多 200 字', en: 'Printed on the ticket, at most 200 characters' }, sample: '' },
    })
    const rows = people.flatMap(person => {
      const idCard = person.idCard
        ? services.cipher.open(db.actor.tenantId, { table: 'signup', column: 'id_card_sealed', rowId: person.signupId }, person.idCard)
        : ''
      return groups.flatMap(group => {
        const paper = group.find(one => person.itemIds.includes(one.id))
        return paper ? [{ idCard, name: person.name, code: person.code, itemCode: paper.itemCode }] : []
      })
    })
    const exam = await findExam(db, examId)
    const [paper] = papers
    const one = papers.length === 1 && paper ? [`${paper.itemCode}${paper.itemName}`] : []
    return { ...prefilled(book, planColumns, rows), of: [...(exam ? [exam.examCode] : []), ...one] }
  }

/** T4: a seat plan that was made outside (domain 5.2 importTicket). All or nothing; what was made before of the same people is replaced. */
export const planImport = (context: TicketContext): PlanImport => ({
  ...ticketImports.plan,
  columns: planColumns,
  maxRows: 200_000,
  guard: async (db, { job }) => {
    const refusal = await guardPapers(db, partsOf(job).examId, await papersOfFile(db, job))
    return isRefusal(refusal) ? refusal : undefined
  },
  check: checkPlan(context),
  write: writePlan,
  template: planTemplate(context),
})
