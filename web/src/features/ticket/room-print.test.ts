import { expect, it } from 'vitest'
import { firstLayout, papersBeside, seatsBeside, wishOf } from './room-print.ts'

const room = { siteCode: '01', roomNo: '001' }

it('[S7.54] offers the sheet with the seats beside the seats of a room, and prints that room alone', () => {
  const paper = { itemId: '7', itemType: 1 }
  expect([firstLayout(room), firstLayout(null)]).toEqual(['door', 'ticket'])
  expect(wishOf('5', paper, 'sign', room)).toEqual({ examId: '5', itemId: '7', layout: 'sign', type: 1, siteCode: '01', roomNo: '001' })
  expect(wishOf('5', { ...paper, itemType: 2 }, 'door', null)).toEqual({ examId: '5', itemId: '7', layout: 'door', type: 2 })
})

it('[12.2.5] knows the papers written at the same time, and the seats that they have', () => {
  const of = (itemId: string, time: string, itemType = 1) => ({ itemId, itemType, startTime: `2026-03-28 ${time}:00` })
  const all = [of('a', '09:00'), of('b', '14:00'), of('c', '14:00', 3), of('d', '14:00', 2), of('e', '14:00')]
  expect(papersBeside(all, 'b').map(paper => paper.itemId)).toEqual(['c', 'e'])
  expect(papersBeside(all, 'd')).toEqual([])
  expect(papersBeside(all, 'x')).toEqual([])
  const ticket = (seatNo: string, ticketState: number) => ({ seatNo, ticketState, itemName: '药学' })
  expect([...seatsBeside([ticket('03', 0), ticket('04', 3), ticket('12', 2)])]).toEqual([
    [3, '药学'],
    [12, '药学'],
  ])
})
