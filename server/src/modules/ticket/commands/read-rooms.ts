import { endBeside, toWireDay, toWireTime } from '#contract/kernel/when.ts'
import type { FieldCipher } from '#kernel/crypto/field.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type ExamRow, listPapers } from '#modules/exam/index.ts'
import type { FileModule } from '#modules/file/index.ts'
import { listHelp } from '../data/accommodation.repo.ts'
import { listSheetPeople } from '../data/sheet.repo.ts'
import { pageTickets, type TicketFilter, type TicketRow } from '../data/ticket.repo.ts'
import { helpText } from '../domain/help-text.ts'
import { withGroups } from '../domain/paper-group.ts'
import { type Room, seatsOf } from '../domain/room.ts'
import type { RoomPerson, RoomSheet } from '../templates/room-sheets.ts'

/** A room to print: the papers that are written in it together. */
export interface RoomOrder {
  readonly itemIds: readonly string[]
  readonly siteCode: string
  readonly roomNo: string
}

/** No room has more tickets of all its papers. */
const roomful = 2_000

const groupTitle = (groupNo: string): string => {
  const [, digits] = /^\D*(\d{1,3})\D*$/.exec(groupNo) ?? []
  return digits === undefined ? `面试${groupNo.endsWith('组') ? groupNo : `${groupNo}组`}` : `面试第 ${Number(digits)} 组`
}
const weekdays = ['日', '一', '二', '三', '四', '五', '六']
const dayOf = (instant: Date): string => {
  const day = toWireDay(instant)
  return `${day} 周${weekdays[new Date(`${day}T00:00:00Z`).getUTCDay()]}`
}

/** What the sheets of one room show; undefined where nobody sits there. */
export const readRoom = async (
  db: TenantDb,
  { cipher, file }: { readonly cipher: FieldCipher; readonly file: FileModule },
  exam: ExamRow,
  order: RoomOrder,
  wish: { readonly filter: TicketFilter; readonly withPhotos: boolean },
): Promise<RoomSheet | undefined> => {
  const { itemIds, siteCode, roomNo } = order
  const { rows } = await pageTickets(
    db,
    { ...wish.filter, itemId: undefined, itemIds, siteCode, roomNo, isLive: true },
    { size: roomful, offset: 0 },
  )
  // Papers on one seat are one person of the sheet.
  const seatKey = (row: TicketRow): string => `${row.signupId} ${row.seatNo}`
  const seated = [...new Map(rows.map(row => [seatKey(row), row])).values()]
  const papersOf = Map.groupBy(rows, seatKey)
  const [first] = seated
  if (!first) return undefined
  const isInterview = first.type === 2
  const people = new Map(
    (
      await listSheetPeople(
        db,
        seated.map(row => row.signupId),
      )
    ).map(person => [person.id, person]),
  )
  const granted = await listHelp(
    db,
    seated.map(row => row.signupId),
  )
  const photoOf = async (fileId: string | null): Promise<Uint8Array | null> => {
    const stored = fileId === null || !wish.withPhotos ? undefined : await file.find(db, fileId)
    return stored && (stored.ext === 'jpg' || stored.ext === 'png') ? new Uint8Array(await file.read(stored)) : null
  }
  const shown: RoomPerson[] = []
  for (const row of inOrder(seated, isInterview)) {
    const person = people.get(row.signupId)
    shown.push({
      seatNo: isInterview ? (row.drawNo ?? '') : row.seatNo,
      name: row.name,
      sex: person?.sex === 1 ? '男' : person?.sex === 2 ? '女' : '',
      idCard: person?.idCard
        ? cipher.open(db.actor.tenantId, { table: 'signup', column: 'id_card_sealed', rowId: row.signupId }, person.idCard)
        : '',
      idCardMask: row.idCardMask,
      ticketNo: row.ticketNo,
      post: row.codeName,
      papers: [...new Set((papersOf.get(seatKey(row)) ?? []).map(one => one.itemName))].join('、'),
      report: row.reportTime ? toWireTime(row.reportTime).slice(11, 16) : '',
      waitRoom: row.waitRoom ?? '',
      help: helpText(granted.get(row.signupId), !isInterview),
      photo: await photoOf(person?.photoFileId ?? null),
    })
  }
  // Papers that do not share their seats list the room each for themselves.
  const room = withGroups(await listPapers(db, exam.id), itemIds)
    .flatMap(paper => paper.rooms as readonly Room[])
    .find(one => one.siteCode === siteCode && one.roomNo === roomNo)
  const perPaper = [...new Map(rows.map(row => [row.itemId, row])).values()].sort((a, b) => a.startTime.getTime() - b.startTime.getTime())
  const floor = first.floor === null ? '' : `${first.floor} 层`
  return {
    kind: isInterview ? 'interview' : 'written',
    examName: exam.examName,
    undertaker: exam.undertaker ?? exam.organizer,
    siteName: first.siteName,
    siteAddress: first.siteAddress,
    title: isInterview ? groupTitle(first.groupNo ?? '') : `第 ${roomNo} 考场`,
    where: isInterview
      ? `候考室 ${[...new Set(seated.map(row => row.waitRoom ?? ''))].join('、')}`
      : [first.roomName, floor].filter(Boolean).join('　'),
    papers: perPaper.map(row => ({
      name: row.itemName,
      people: rows.filter(one => one.itemId === row.itemId).length,
      day: dayOf(row.startTime),
      time: isInterview
        ? `${toWireTime(row.startTime).slice(11, 16)} 开始`
        : `${toWireTime(row.startTime).slice(11, 16)}–${endBeside(toWireTime(row.startTime), toWireTime(row.endTime))}`,
    })),
    people: shown,
    grid: room && !isInterview ? { rows: room.rows, cols: room.cols, seats: seatsOf(room), spare: room.spare ?? 0 } : null,
    mostExtraMinutes: isInterview ? 0 : Math.max(0, ...seated.map(row => granted.get(row.signupId)?.extraMinutes ?? 0)),
    isDraft: seated.some(row => row.ticketState === 'made'),
  }
}

/** By seat; an interview by lot once all lots are drawn, else by number. */
const inOrder = (rows: readonly TicketRow[], isInterview: boolean): TicketRow[] => {
  const isDrawn = isInterview && rows.every(row => row.drawNo !== null)
  const key = (row: TicketRow): string =>
    isDrawn ? (row.drawNo ?? '').padStart(4, '0') : isInterview ? row.ticketNo : row.seatNo.padStart(4, '0')
  return [...rows].sort((a, b) => (key(a) < key(b) ? -1 : 1))
}
