import { describe, expect, test } from 'vitest'
import { createQueue } from './queue.ts'

const counts = [
  { second: 100, instance: 'a', count: 4 },
  { second: 100, instance: 'b', count: 2 },
  { second: 102, instance: 'b', count: 3 },
]
const ticket = (second: number, instance: string, index: number) => ({ second, instance, index })

describe('positions in a queue that nobody keeps a list of', () => {
  test('are a permutation of all that were drawn, in order of their seconds, the instances of one second in turns', () => {
    const queue = createQueue()
    queue.clear(100)
    queue.learn(counts)
    const drawn = [
      ...[0, 1, 2, 3].map(index => ticket(100, 'a', index)),
      ...[0, 1].map(index => ticket(100, 'b', index)),
      ...[0, 1, 2].map(index => ticket(102, 'b', index)),
    ]
    const places = drawn.map(one => queue.positionOf(one) ?? Number.NaN)
    const order = [...drawn.keys()].sort((x, y) => (places[x] ?? 0) - (places[y] ?? 0))
    expect(order.map(at => `${drawn[at]?.second}${drawn[at]?.instance}${drawn[at]?.index}`)).toEqual([
      ...['100a0', '100b0', '100a1', '100a2', '100b1', '100a3'],
      ...['102b0', '102b1', '102b2'],
    ])
    // So many let in by a front of k as it says: none of two instances' halves is counted twice.
    expect([1, 3, 6, 8, 9].map(front => places.filter(place => place < front).length)).toEqual([1, 3, 6, 8, 9])
    expect([99, 100, 101, 102, 200].map(second => queue.totalUntil(second))).toEqual([0, 6, 6, 9, 9])
  })

  test('say the same on an instance that hears of the counts in another order, late, or twice', () => {
    const [one, other] = [createQueue(), createQueue()]
    for (const queue of [one, other]) queue.clear(100)
    one.learn(counts)
    other.learn([...counts].reverse())
    other.learn([{ second: 100, instance: 'a', count: 1 }])
    other.learn(counts)
    for (const asked of [ticket(100, 'a', 3), ticket(102, 'b', 0)]) expect(other.positionOf(asked)).toBe(one.positionOf(asked))
  })

  test('a count that grows late moves those behind it, and a ticket that its instance never told of stands at the end of its second', () => {
    const queue = createQueue()
    queue.clear(100)
    queue.learn(counts)
    expect(queue.positionOf(ticket(102, 'b', 0))).toBe(6)
    queue.learn([{ second: 101, instance: 'a', count: 2 }])
    expect(queue.positionOf(ticket(102, 'b', 0))).toBe(8)
    expect(queue.positionOf(ticket(100, 'c', 0))).toBe(5.5)
    expect(queue.positionOf(ticket(100, 'a', 9))).toBe(5.5)
    expect(queue.positionOf(ticket(99, 'a', 0))).toBeUndefined()
  })
})
