import { expect, test } from 'vitest'
import { readTogether } from './together.ts'

/** A reader whose readings end when the test says so. */
const setUp = (most = 3) => {
  const readings: { readonly keys: readonly string[]; readonly end: (found: Record<string, number> | Error) => void }[] = []
  let begun = Promise.withResolvers<void>()
  const ask = readTogether<number>(most, keys => {
    const { promise, resolve, reject } = Promise.withResolvers<ReadonlyMap<string, number>>()
    readings.push({ keys, end: found => (found instanceof Error ? reject(found) : resolve(new Map(Object.entries(found)))) })
    begun.resolve()
    begun = Promise.withResolvers()
    return promise
  })
  return { ask, readings, begins: () => begun.promise }
}

test('who asks in one turn is read in one reading, each key once, and gets their own; what is not there is undefined', async () => {
  const { ask, readings, begins } = setUp()
  const first = begins()
  const all = Promise.all([ask('a'), ask('b'), ask('a')])
  await first
  expect(readings.map(one => one.keys)).toEqual([['a', 'b']])
  readings[0]?.end({ a: 1 })
  expect(await all).toEqual([1, undefined, 1])
})

test('who asks while a reading is under way is in the next one, the same key too, and no reading has more than the most', async () => {
  const { ask, readings, begins } = setUp()
  let next = begins()
  const early = ask('a')
  await next
  const late = ['a', 'b', 'c', 'd'].map(key => ask(key))
  next = begins()
  readings[0]?.end({ a: 1 })
  expect(await early).toBe(1)
  await next
  next = begins()
  readings[1]?.end({ a: 2, b: 2, c: 2 })
  await next
  readings[2]?.end({ d: 3 })
  expect(await Promise.all(late)).toEqual([2, 2, 2, 3])
  expect(readings.map(one => one.keys)).toEqual([['a'], ['a', 'b', 'c'], ['d']])
})

test('a reading that fails is the failure of those who were in it, and the next one is tried', async () => {
  const { ask, readings, begins } = setUp()
  let next = begins()
  const one = ask('a')
  await next
  const other = ask('b')
  next = begins()
  readings[0]?.end(new Error('no connection'))
  await expect(one).rejects.toThrow('no connection')
  await next
  readings[1]?.end({ b: 2 })
  expect(await other).toBe(2)
})
