import { expect, it } from 'vitest'
import { placeOfRoom, roomsByDay } from './room-days.ts'

it('[12.2.11] lists the rooms of a site by day; papers of one room at one time are one line that ends with the last of them', () => {
  const room = (of: { readonly startTime: string; readonly endTime: string; readonly itemName: string; readonly roomNo: string }) => ({
    ...{ examId: '1', examName: 'E', itemId: of.itemName, siteCode: '01', siteName: '第一中学', roomName: '三楼', seated: 15 },
    ...{ present: 0, late: 0, absent: 0, violations: 0, byResult: 0, notes: 0, closed: false },
    ...of,
  })
  const place = { roomName: '三楼', siteName: '第一中学' }
  expect(
    roomsByDay([
      room({ itemName: '护理学', roomNo: '001', startTime: '2026-03-17 09:00:00', endTime: '2026-03-17 11:00:00' }),
      room({ itemName: '临床医学', roomNo: '001', startTime: '2026-03-17 09:00:00', endTime: '2026-03-17 11:30:00' }),
      room({ itemName: '护理学', roomNo: '002', startTime: '2026-03-17 09:00:00', endTime: '2026-03-17 11:00:00' }),
      room({ itemName: '药学', roomNo: '001', startTime: '2026-03-18 14:00:00', endTime: '2026-03-18 16:00:00' }),
    ]),
  ).toEqual([
    {
      day: '2026-03-17',
      rooms: [
        { ...place, key: '202603170900.01.001', roomNo: '001', papers: ['护理学', '临床医学'], begin: '09:00', end: '11:30', seated: 30 },
        { ...place, key: '202603170900.01.002', roomNo: '002', papers: ['护理学'], begin: '09:00', end: '11:00', seated: 15 },
      ],
    },
    {
      day: '2026-03-18',
      rooms: [{ ...place, key: '202603181400.01.001', roomNo: '001', papers: ['药学'], begin: '14:00', end: '16:00', seated: 15 }],
    },
  ])
})

it('[12.2.11] leads from a room to its own list', () => {
  expect(placeOfRoom('202603170900.01.002')).toBe('/site#202603170900.01.002')
})
