import { expect, it } from 'vitest'
import { findIn } from './find.ts'
import type { OpenRoom } from './sittings.ts'

const room = (roomNo: string, people: readonly (readonly [name: string, ticketNo: string])[]): OpenRoom => ({
  key: `7.01.${roomNo}`,
  pack: {
    ...{ examId: '1', examName: 'E', itemId: '7', itemName: '护理学', siteCode: '01', siteName: '第一中学', roomNo, roomName: '博学楼' },
    ...{ startTime: '2026-12-21 09:00:00', endTime: '2026-12-21 11:00:00', lateMinutes: 30 },
    ...{ userId: '1', issuedAt: 0, expiresAt: 0, voidCodes: [], clauses: [] },
    people: people.map(([name, ticketNo], i) => ({
      ...{ ticketId: ticketNo.slice(-3), ticketNo, name, idCardMask: '', seatNo: `0${i + 1}`, code: ticketNo.padStart(43, 'q'), photo: '' },
    })),
  },
})
const rooms = [
  room('001', [['李一', '260301001011']]),
  room('002', [
    ['孟子涵', '260301002011'],
    ['李二', '260301002029'],
  ]),
]

it('[12.2.11] somebody of another room is found by name, number or scanned code, with room and seat', () => {
  const place = {
    ...{ ticketId: '011', name: '孟子涵', ticketNo: '260301002011', itemName: '护理学', startTime: '2026-12-21 09:00:00' },
    ...{ siteName: '第一中学', roomNo: '002', roomName: '博学楼', seatNo: '01', key: '202612210900.01.002' },
  }
  const code = `https://x/t/ABC-${'260301002011'.padStart(43, 'q')}`
  for (const text of ['孟子', '2603 0100 2011', '02011', code]) expect(findIn(rooms, text)).toEqual([place])
  expect(findIn(rooms, '袁某')).toEqual([])
  // One letter or a seat would name somebody in every room.
  expect([findIn(rooms, '李'), findIn(rooms, '01'), findIn(rooms, ' ')]).toEqual([[], [], []])
})
