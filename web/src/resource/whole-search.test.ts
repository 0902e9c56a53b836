import { describe, expect, it } from 'vitest'
import { mostPrinted, readWhole } from './whole-search.ts'

interface Row {
  readonly id: string
}
type Query = Readonly<Record<string, string | number>>
const rowsFrom = (first: number, count: number): readonly Row[] => Array.from({ length: count }, (_, at) => ({ id: String(first + at) }))

/** A list of so many rows that pages as the server does, with what it was asked. */
const listOf = (total: number, size = 200) => {
  const asked: Query[] = []
  const load = async (query: Query) => {
    asked.push(query)
    const first = (Number(query.current) - 1) * size
    return { records: rowsFrom(first, Math.max(0, Math.min(size, total - first))), total }
  }
  return { asked, load }
}
const read = async (
  load: (query: Query, signal: AbortSignal) => Promise<{ records: readonly Row[]; total: number; atLeast?: boolean }>,
) => {
  const progress: (readonly [number, number])[] = []
  const whole = await readWhole<Row>(load, { name: '王', ascs: 'name', current: 3, size: 10 }, row => row.id, {
    signal: new AbortController().signal,
    onProgress: (done, total) => progress.push([done, total]),
  })
  return { whole, progress }
}

describe('a printed list', () => {
  it('is the whole search, by its conditions and order, in as few questions as there can be', async () => {
    const { asked, load } = listOf(450)
    expect(await read(load)).toEqual({
      whole: { kind: 'rows', rows: rowsFrom(0, 450) },
      progress: [
        [200, 450],
        [400, 450],
        [450, 450],
      ],
    })
    expect(asked).toEqual([1, 2, 3].map(current => ({ name: '王', ascs: 'name', current, size: 200 })))
  })

  it('has two thousand rows at most; of more it says how many there are after one question', async () => {
    const most = listOf(mostPrinted)
    expect((await read(most.load)).whole).toEqual({ kind: 'rows', rows: rowsFrom(0, 2_000) })
    const more = listOf(mostPrinted + 1)
    expect(await read(more.load)).toEqual({ whole: { kind: 'tooMany', total: 2_001 }, progress: [] })
    expect(more.asked).toHaveLength(1)
  })

  it('has a row once that moved to the next page meanwhile, and ends where rows went away', async () => {
    const pages = [rowsFrom(0, 200), rowsFrom(199, 200), rowsFrom(399, 0)]
    const load = async (query: Query) => ({ records: pages[Number(query.current) - 1] ?? [], total: 700 })
    expect((await read(load)).whole).toEqual({ kind: 'rows', rows: rowsFrom(0, 399) })
  })

  it('is given up when somebody cancels: no page more is asked for', async () => {
    const { asked, load } = listOf(900)
    const stop = new AbortController()
    const reading = readWhole<Row>(load, {}, row => row.id, {
      signal: stop.signal,
      onProgress: done => (done === 400 ? stop.abort() : undefined),
    })
    await expect(reading).rejects.toThrow(/abort/i)
    expect(asked.length).toBeLessThanOrEqual(3)
  })
})
