import { expect, test } from 'vitest'
import { inPortions } from './in-portions.ts'

/** People who wait, two to a portion; a portion that is made waits no longer. */
const queueOf = (...people: readonly string[]) => {
  const left = [...people]
  return {
    waiting: async () => left.slice(0, 2),
    make: async (some: readonly string[]) => {
      left.splice(0, some.length)
      return some.map(one => `${one}!`)
    },
  }
}

test('[26.12] everybody of an import is made in portions', async () => {
  const queue = queueOf('a', 'b', 'c')
  expect(await inPortions(queue.waiting, queue.make)).toEqual(['a!', 'b!', 'c!'])
})

test('[26.12] what was made before a failure is given back, wherever it failed', async () => {
  const asking = queueOf('a', 'b', 'c')
  let asked = 0
  const breaks = async () => {
    asked += 1
    if (asked === 2) throw new Error('offline')
    return asking.waiting()
  }
  expect(await inPortions(breaks, asking.make)).toEqual(['a!', 'b!'])
  const making = queueOf('a', 'b', 'c')
  const refuses = async (some: readonly string[]) => {
    if (some.includes('c')) throw new Error('refused')
    return making.make(some)
  }
  expect(await inPortions(making.waiting, refuses)).toEqual(['a!', 'b!'])
})
