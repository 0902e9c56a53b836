import { type RoomPack, sittingKey } from '#contract/ticket/exam-day.ts'
import { api } from '#web/kernel/api.ts'
import type { Place } from './find.ts'

/** Tickets that hold. */
const live: readonly number[] = [1, 2]
const enough = 10

/** Somebody whom no room of this device has, as far as the server knows and this reader may know: of the same examinations, on the same day. */
export const placesByServer = async (packs: readonly RoomPack[], text: string): Promise<Place[]> => {
  const day = packs[0]?.startTime.slice(0, 10)
  const all = await Promise.all(
    [...new Set(packs.map(pack => pack.examId))].map(examId =>
      api
        .call('GET /blade-exam/examination/getExamTicketList', { examId, keyword: text, current: 1, size: enough }, { quiet: true })
        // No network, or no right to look further than the own rooms: that nobody is here is said already.
        .catch(() => ({ records: [] })),
    ),
  )
  return all
    .flatMap(page => page.records)
    .filter(row => live.includes(row.ticketState) && row.startTime.slice(0, 10) === day)
    .map(row => ({
      ...{ ticketId: row.id, name: row.name, ticketNo: row.ticketNo, itemName: row.itemName, startTime: row.startTime },
      ...{ siteName: row.siteName, roomNo: row.roomNo, roomName: row.roomName, seatNo: row.seatNo, key: sittingKey(row) },
    }))
}
