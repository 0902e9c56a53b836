import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ApiError } from '#web/kernel/api-error.ts'
import { type Copies, newReadCache } from './cache.ts'

const offline = () => new ApiError({ code: 0, status: 0, message: 'no network' })
const refused = () => new ApiError({ code: 403, status: 403, message: 'no' })
const settle = () => vi.advanceTimersByTimeAsync(0)

beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }))
afterEach(() => void vi.useRealTimers())

const noted = () => {
  const kept: [string, unknown, number][] = []
  const stored = new Map<string, { data: unknown; atMs: number }>()
  const copies: Copies = { keep: (...args) => void kept.push(args), find: async key => stored.get(key) ?? null }
  return { kept, stored, copies }
}

test('two who look at the same answer cause one call, and a young answer is not asked for again', async () => {
  const { kept, copies } = noted()
  const cache = newReadCache(copies)
  const fetcher = vi.fn(async () => 'a')
  cache.watch('k', () => {})
  cache.watch('k', () => {})
  cache.load('k', fetcher, 30_000)
  cache.load('k', fetcher, 30_000)
  expect(cache.get('k')).toMatchObject({ data: undefined, isFetching: true })
  await settle()
  expect(cache.get('k')).toEqual({ data: 'a', error: null, isFetching: false, atMs: 1_000_000, count: 1, isOffline: false })
  vi.setSystemTime(1_029_999)
  cache.load('k', fetcher, 30_000)
  expect(fetcher).toHaveBeenCalledTimes(1)
  vi.setSystemTime(1_030_000)
  cache.load('k', fetcher, 30_000)
  expect(fetcher).toHaveBeenCalledTimes(2)
  await settle()
  expect(kept).toEqual([
    ['k', 'a', 1_000_000],
    ['k', 'a', 1_030_000],
  ])
})

test('without a network the copy of an earlier visit is shown with its age, and the answer when the network is back', async () => {
  const { stored, copies } = noted()
  stored.set('k', { data: 'old', atMs: 5 })
  const cache = newReadCache(copies)
  let away = true
  cache.watch('k', () => {})
  cache.load(
    'k',
    async () => {
      if (away) throw offline()
      return 'new'
    },
    0,
  )
  await settle()
  expect(cache.get('k')).toMatchObject({ data: 'old', atMs: 5, isOffline: true, isFetching: false })
  expect(cache.oldestMs()).toBe(5)
  away = false
  cache.online()
  await settle()
  expect(cache.get('k')).toMatchObject({ data: 'new', error: null, isOffline: false })
  expect(cache.oldestMs()).toBeNull()
})

test('without a copy a dropped call is tried once more, a refused one never', async () => {
  const cache = newReadCache()
  const drops = vi.fn(async () => {
    throw offline()
  })
  const refuses = vi.fn(async () => {
    throw refused()
  })
  cache.load('drops', drops, 0)
  cache.load('refuses', refuses, 0)
  await settle()
  expect([drops.mock.calls.length, refuses.mock.calls.length]).toEqual([1, 1])
  await vi.advanceTimersByTimeAsync(1_000)
  expect([drops.mock.calls.length, refuses.mock.calls.length]).toEqual([2, 1])
  expect(cache.get('drops')).toMatchObject({ error: { status: 0 }, isOffline: true, isFetching: false })
  expect(cache.get('refuses')).toMatchObject({ error: { status: 403 }, isOffline: false, isFetching: false })
})

test('after a change an answer made before it is thrown away, and only what is on the screen is fetched anew', async () => {
  const cache = newReadCache()
  const answers: ((value: string) => void)[] = []
  const seen = vi.fn(() => new Promise<string>(resolve => void answers.push(resolve)))
  const unseen = vi.fn(async () => 'x')
  cache.watch('seen', () => {})
  cache.load('seen', seen, 0)
  cache.load('unseen', unseen, 0)
  await settle()
  const done = cache.invalidate()
  answers[0]?.('before')
  await settle()
  expect(cache.get('seen').data).toBeUndefined()
  answers[1]?.('after')
  await done
  expect([cache.get('seen').data, cache.get('unseen').data, unseen.mock.calls.length]).toEqual(['after', undefined, 1])
})

test('a call that nobody waits for any more is given up', async () => {
  const cache = newReadCache()
  let signal: AbortSignal | undefined
  const stop = cache.watch('k', () => {})
  cache.load(
    'k',
    given => {
      signal = given
      return new Promise(() => {})
    },
    0,
  )
  expect(signal?.aborted).toBe(false)
  stop()
  expect(signal?.aborted).toBe(true)
})
