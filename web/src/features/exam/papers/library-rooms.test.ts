import { expect, it } from 'vitest'
import { neededSeats, roomsOfSites, withRooms } from './library-rooms.ts'

const sites = [{ siteCode: '01', siteName: '第一中学', siteAddress: '人民路 1 号' }]
const room = { roomCode: '01-002', roomName: null, floor: 2, rows: 6, cols: 5, layout: 'Z', spare: 1, accessible: 1 }

it('gives rooms of the chosen sites with name and address of their site', () => {
  expect(roomsOfSites(sites, [room, { ...room, roomCode: '02-001' }])).toEqual([
    {
      siteCode: '01',
      siteName: '第一中学',
      siteAddress: '人民路 1 号',
      roomNo: '002',
      roomName: '',
      floor: 2,
      rows: 6,
      cols: 5,
      layout: 'Z',
      disabled: [],
      accessible: true,
      spare: 1,
    },
  ])
})

it('adds rooms to a paper in their order and keeps those that it has, closed seats and all', () => {
  const [made] = roomsOfSites(sites, [room])
  const [first] = roomsOfSites(sites, [{ ...room, roomCode: '01-001' }])
  if (made === undefined || first === undefined) throw new Error('no room')
  const own = { ...made, disabled: ['r1c1'] }
  expect(withRooms([own], [first, made])).toEqual([first, own])
})

it('counts who needs the seats that papers share: together at one hour, one after the other at another', () => {
  const of = (itemId: string, seatGroup: string | null, startTime: string, eligible: number) => ({ itemId, seatGroup, startTime, eligible })
  const morning = of('1', 'A', '09:00', 54)
  const papers = [morning, of('2', 'A', '14:00', 3), of('3', 'A', '14:00', 25), of('4', null, '14:00', 7)]
  expect(papers.map(paper => neededSeats(papers, paper))).toEqual([54, 54, 54, 7])
  expect(neededSeats([of('2', 'A', '14:00', 40), of('3', 'A', '14:00', 25)], of('2', 'A', '14:00', 40))).toBe(65)
})
