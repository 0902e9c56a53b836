import { expect, it } from 'vitest'
import { capacityOf, seatsOf } from './room.ts'

it('numbers seats column by column, up and down in turn, and row by row', () => {
  const of = (layout: 'S' | 'Z', disabled: string[] = []) =>
    seatsOf({ rows: 2, cols: 2, layout, disabled }).map(seat => `${seat.seatNo}:r${seat.row}c${seat.col}`)
  expect(of('S')).toEqual(['1:r1c1', '2:r2c1', '3:r2c2', '4:r1c2'])
  expect(of('Z')).toEqual(['1:r1c1', '2:r1c2', '3:r2c1', '4:r2c2'])
  expect(of('S', ['r2c1'])).toEqual(['1:r1c1', '2:r2c2', '3:r1c2'])
})

it('counts what an allocation may fill', () => {
  expect(capacityOf({ rows: 6, cols: 5, disabled: ['r6c5'], spare: 1 })).toBe(28)
  expect(capacityOf({ rows: 1, cols: 1, spare: 3 })).toBe(0)
})
