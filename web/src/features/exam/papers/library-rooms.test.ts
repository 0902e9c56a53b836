import { expect, it } from 'vitest'
import { roomsOfSites, withRooms } from './library-rooms.ts'

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
