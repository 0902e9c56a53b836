import { expect, test } from 'vitest'
import { createManualClock } from './clock.ts'
import { shareReads } from './shared-reads.ts'

const reading = () => {
  const clock = createManualClock('2026-03-17T10:00:00+08:00')
  const reads: { key: string; end: (value: string) => void; fail: (error: Error) => void }[] = []
  const shared = shareReads(
    (key: string) =>
      new Promise<string>((end, fail) => {
        reads.push({ key, end, fail })
      }),
    { clock, maxAgeMs: 5_000, maxEntries: 2 },
  )
  return { clock, reads, shared }
}

test('callers who come together share one read, and later ones its answer until it is too old', async () => {
  const { clock, reads, shared } = reading()
  const both = [shared.of('a'), shared.of('a')]
  reads[0]?.end('one')
  expect([await Promise.all(both), await shared.of('a'), reads.length]).toEqual([['one', 'one'], 'one', 1])
  clock.advance(5_000)
  const later = shared.of('a')
  reads[1]?.end('two')
  expect([await later, reads.length]).toEqual(['two', 2])
})

test('a read that fails is told to those who wait, and the next caller reads anew', async () => {
  const { reads, shared } = reading()
  const waiting = shared.of('a')
  reads[0]?.fail(new Error('gone'))
  await expect(waiting).rejects.toThrow('gone')
  const next = shared.of('a')
  reads[1]?.end('back')
  expect(await next).toBe('back')
})

test('what is cleared while it is read is not remembered, and never more than the bound', async () => {
  const { reads, shared } = reading()
  const old = shared.of('a')
  shared.clear()
  const fresh = shared.of('a')
  reads[1]?.end('new')
  reads[0]?.end('old')
  expect([await old, await fresh, await shared.of('a'), reads.length]).toEqual(['old', 'new', 'new', 2])
  for (const key of ['b', 'c']) void shared.of(key)
  void shared.of('a')
  expect(reads.map(read => read.key)).toEqual(['a', 'a', 'b', 'c', 'a'])
})
