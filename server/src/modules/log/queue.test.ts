import { expect, test } from 'vitest'
import { createLineQueue } from './queue.ts'

const queueOf = (write: (lines: readonly number[]) => Promise<void>, capacity = 5) =>
  createLineQueue<number>({ capacity, batch: 2, write, onFailure: () => undefined })

test('lines are written in batches in their order, each once, also when two ask at once', async () => {
  const batches: (readonly number[])[] = []
  const queue = queueOf(async lines => void batches.push(lines))
  for (const line of [1, 2, 3, 4, 5]) expect(queue.push(line)).toBe(true)
  await Promise.all([queue.flush(), queue.flush()])
  expect(batches).toEqual([[1, 2], [3, 4], [5]])
})

test('a full queue loses what comes and counts it; a batch that cannot be written is lost, the rest waits', async () => {
  let isBroken = true
  const written: number[] = []
  const queue = queueOf(async lines => {
    if (isBroken) throw new Error('away')
    written.push(...lines)
  })
  expect([1, 2, 3, 4, 5, 6, 7].map(queue.push)).toEqual([true, true, true, true, true, false, false])
  expect(queue.lost()).toBe(2)
  await queue.flush()
  expect([queue.lost(), written]).toEqual([4, []])
  isBroken = false
  await queue.flush()
  expect([queue.lost(), written]).toEqual([4, [3, 4, 5]])
})
