import { beforeEach, expect, it, vi } from 'vitest'
import type { RoomPack } from '#contract/ticket/exam-day.ts'
import { placesByServer } from './elsewhere.ts'

const call = vi.hoisted(() => vi.fn())
vi.mock('#web/kernel/api.ts', () => ({ api: { call } }))

const pack = (examId: string): RoomPack => ({
  ...{ examId, examName: 'E', itemId: '7', itemName: '护理学', siteCode: '01', siteName: '第一中学', roomNo: '001', roomName: '博学楼' },
  ...{ startTime: '2026-12-21 09:00:00', endTime: '2026-12-21 11:00:00', lateMinutes: 30 },
  ...{ userId: '1', issuedAt: 0, expiresAt: 0, voidCodes: [], clauses: [], people: [] },
})
const ticket = (id: string, ticketState: number, startTime: string) => ({
  ...{ id, ticketState, startTime, name: '孟子涵', ticketNo: `260301002${id}`, itemName: '护理学', examId: '1' },
  ...{ siteCode: '02', siteName: '第二中学', roomNo: '003', roomName: '明德楼', seatNo: '05' },
})
const place = (id: string, startTime: string, key: string) => ({
  ...{ ticketId: id, name: '孟子涵', ticketNo: `260301002${id}`, itemName: '护理学', startTime },
  ...{ siteName: '第二中学', roomNo: '003', roomName: '明德楼', seatNo: '05', key },
})
beforeEach(() => {
  call.mockReset()
})

it('[28.5] somebody of another room is asked of the server once an examination; only tickets that hold, of the same day', async () => {
  call.mockImplementation(async (_name: string, { examId }: { examId: string }) => ({
    records:
      examId === '1'
        ? [
            ticket('011', 1, '2026-12-21 09:00:00'),
            ticket('012', 2, '2026-12-21 14:00:00'),
            ticket('013', 3, '2026-12-21 09:00:00'),
            ticket('014', 1, '2026-12-22 09:00:00'),
          ]
        : [],
  }))
  expect(await placesByServer([pack('1'), pack('1'), pack('2')], '孟')).toEqual([
    place('011', '2026-12-21 09:00:00', '202612210900.02.003'),
    place('012', '2026-12-21 14:00:00', '202612211400.02.003'),
  ])
  expect(call.mock.calls.map(([name, query]) => [name, query])).toEqual(
    ['1', '2'].map(examId => ['GET /blade-exam/examination/getExamTicketList', { examId, keyword: '孟', current: 1, size: 10 }]),
  )
})

it('[28.5] without network, or without the right to look further, nobody is found and nothing is said to be wrong', async () => {
  call.mockImplementation(async (_name: string, { examId }: { examId: string }) => {
    if (examId === '1') throw new TypeError('Failed to fetch')
    return { records: [ticket('011', 1, '2026-12-21 09:00:00')] }
  })
  expect(await placesByServer([pack('1'), pack('2')], '孟')).toEqual([place('011', '2026-12-21 09:00:00', '202612210900.02.003')])
})
