import { expect, it } from 'vitest'
import { sheetsOfRooms } from './room-sheet.ts'

const at = (time: string): Date => new Date(`2026-03-28T${time}:00+08:00`)
const paper = (id: string, time: string, seatGroup: string | null = null, itemType: 1 | 2 = 1) => ({
  ...{ id, seatGroup, itemType },
  itemCode: `0${id}`,
  startTime: at(time),
})
const inRoom = (itemId: string, roomNo: string, people: number) => ({ itemId, siteCode: '01', roomNo, people })

const papers = [paper('1', '09:00', 'A'), paper('2', '14:00', 'A'), paper('3', '14:00', 'B'), paper('4', '14:00', 'B'), paper('5', '16:00')]
const rooms = [
  inRoom('1', '001', 11),
  inRoom('1', '002', 30),
  inRoom('2', '001', 11),
  inRoom('3', '001', 9),
  inRoom('4', '001', 8),
  inRoom('5', '001', 5),
]

it('[S7.54] has one sheet for all papers of a room at a time, with as many people as sit there at once', () => {
  expect(sheetsOfRooms(papers, rooms, true)).toEqual([
    { siteCode: '01', roomNo: '001', itemIds: ['1'], people: 11, itemCode: '01' },
    { siteCode: '01', roomNo: '002', itemIds: ['1'], people: 30, itemCode: '01' },
    { siteCode: '01', roomNo: '001', itemIds: ['2', '3', '4'], people: 28, itemCode: '02' },
    { siteCode: '01', roomNo: '001', itemIds: ['5'], people: 5, itemCode: '05' },
  ])
})

it('[S7.54] keeps the times of papers that share their seats on one sheet where no time has a sheet of its own', () => {
  expect(sheetsOfRooms(papers, rooms, false)).toEqual([
    { siteCode: '01', roomNo: '001', itemIds: ['1', '2', '3', '4'], people: 28, itemCode: '01' },
    { siteCode: '01', roomNo: '002', itemIds: ['1'], people: 30, itemCode: '01' },
    { siteCode: '01', roomNo: '001', itemIds: ['5'], people: 5, itemCode: '05' },
  ])
})

it('[S7.54] joins what stood apart when a paper is of both', () => {
  const chain = [paper('1', '09:00', 'A'), paper('2', '14:00', 'B'), paper('3', '09:00', 'B')]
  expect(sheetsOfRooms(chain, [inRoom('1', '001', 3), inRoom('2', '001', 4), inRoom('3', '001', 5)], false)).toEqual([
    { siteCode: '01', roomNo: '001', itemIds: ['1', '2', '3'], people: 8, itemCode: '01' },
  ])
})

it('[S7.54] lists the groups of two interviews apart though they begin together', () => {
  const interviews = [paper('6', '09:00', null, 2), paper('7', '09:00', null, 2)]
  expect(sheetsOfRooms(interviews, [inRoom('6', '001', 3), inRoom('7', '001', 4)], false).map(sheet => sheet.itemIds)).toEqual([
    ['6'],
    ['7'],
  ])
})
