import { expect, test } from 'vitest'
import { createFigureCache } from './figure-cache.ts'

test('a figure is kept for as long as it was put there for, by the clock that is handed in, and not a millisecond longer', () => {
  const cache = createFigureCache<number>(10)
  cache.put('a', 1, 1_000, 30_000)
  expect([cache.get('a', 1_000), cache.get('a', 30_999), cache.get('a', 31_000), cache.get('b', 1_000)]).toEqual([
    1,
    1,
    undefined,
    undefined,
  ])
})

test('a clock that is set back forgets what it has not seen yet', () => {
  const cache = createFigureCache<number>(10)
  cache.put('a', 1, 50_000, 30_000)
  expect(cache.get('a', 49_999)).toBeUndefined()
})

test('the oldest figure goes when the cache is full', () => {
  const cache = createFigureCache<number>(2)
  cache.put('a', 1, 0, 30_000)
  cache.put('b', 2, 0, 30_000)
  cache.put('a', 3, 1, 30_000)
  cache.put('c', 4, 2, 30_000)
  expect(['a', 'b', 'c'].map(key => cache.get(key, 3))).toEqual([3, undefined, 4])
})

test('nothing is kept for 0, and clear forgets everything', () => {
  const cache = createFigureCache<number>(2)
  cache.put('a', 1, 0, 0)
  cache.put('b', 2, 0, 10)
  expect(['a', 'b'].map(key => cache.get(key, 0))).toEqual([undefined, 2])
  cache.clear()
  expect(cache.get('b', 0)).toBeUndefined()
})
