import { expect, it } from 'vitest'
import type { Room } from '../wire.ts'
import { faultsOf, nextRoom, resized, toggled } from './rooms.ts'

const room: Room = {
  siteCode: '01',
  siteName: '区第一中学',
  siteAddress: '',
  roomNo: '001',
  roomName: 'A301',
  floor: 3,
  rows: 6,
  cols: 5,
  layout: 'S',
  disabled: [],
  accessible: false,
  spare: 1,
}

it('numbers a further room of the same site on', () => {
  expect(nextRoom([room, { ...room, roomNo: '007' }])).toMatchObject({
    siteCode: '01',
    siteName: '区第一中学',
    roomNo: '008',
    roomName: '',
    rows: 6,
  })
  expect(nextRoom([])).toMatchObject({ siteCode: '01', roomNo: '001' })
})

it('names what makes a room unusable', () => {
  expect(faultsOf([room])).toEqual([[]])
  expect(faultsOf([{ ...room, siteCode: '90', siteName: ' ', roomNo: '1', rows: 0 }])).toEqual([
    ['siteCode', 'siteName', 'roomNo', 'size', 'spare'],
  ])
  expect(faultsOf([{ ...room, rows: 10, cols: 10 }])).toEqual([['tooMany']])
  expect(faultsOf([{ ...room, spare: 31 }])).toEqual([['spare']])
  expect(faultsOf([room, room])).toEqual([[], ['double']])
})

it('takes seats out and back in, and forgets those that are gone', () => {
  const without = toggled(toggled(room, 6, 5), 1, 1)
  expect(without.disabled).toEqual(['r6c5', 'r1c1'])
  expect(toggled(without, 1, 1).disabled).toEqual(['r6c5'])
  expect(resized(without, { rows: 5 }).disabled).toEqual(['r1c1'])
})
