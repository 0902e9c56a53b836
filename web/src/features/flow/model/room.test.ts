import { describe, expect, test } from 'vitest'
import { behind, belowAll, freePlace, roomIn } from './room.ts'

const task = { width: 100, height: 80 }

describe('[22.4] a new element of a drawing', () => {
  test('fits into the longest part of a line, and what is behind it makes room', () => {
    expect(
      roomIn(
        [
          { x: 100, y: 50 },
          { x: 160, y: 50 },
        ],
        task,
      ),
    ).toEqual({ at: { x: 200, y: 50 }, axis: 'x', start: 100, by: 140 })
    expect(
      roomIn(
        [
          { x: 0, y: 0 },
          { x: 0, y: 40 },
          { x: 400, y: 40 },
        ],
        task,
      ),
    ).toEqual({ at: { x: 200, y: 40 }, axis: 'x', start: 0, by: 0 })
    expect(
      roomIn(
        [
          { x: 10, y: 0 },
          { x: 10, y: 100 },
        ],
        task,
      ),
    ).toEqual({ at: { x: 10, y: 90 }, axis: 'y', start: 0, by: 80 })
  })

  test('in a line that leads back nothing moves', () =>
    expect(
      roomIn(
        [
          { x: 300, y: 10 },
          { x: 250, y: 10 },
        ],
        task,
      ),
    ).toMatchObject({ at: { x: 275, y: 10 }, by: 0 }))

  test('lies on nothing: it goes below whatever is in its way', () => {
    const before = { x: 0, y: 100, width: 50, height: 50 }
    const wanted = behind(before, task)
    expect(wanted).toEqual({ x: 100, y: 85, ...task })
    const first = { x: 120, y: 60, ...task }
    const second = { x: 90, y: 195, ...task }
    expect(freePlace(wanted, [before])).toEqual(wanted)
    expect(freePlace(wanted, [before, first, second])).toEqual({ ...wanted, y: 325 })
    expect([belowAll(task, [before, first]), belowAll(task, [])]).toEqual([
      { x: 0, y: 200, ...task },
      { x: 0, y: 0, ...task },
    ])
  })
})
