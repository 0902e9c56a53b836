import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rankOf, roundToScale, shortlist, total, weightedSum } from './totals.ts'

const part = (scoreHundredths: number, weightHundredths: number) => ({ scoreHundredths, weightHundredths })

describe('total', () => {
  it('is rounded half-up: 78.50 × 50 % + 85.25 × 50 % = 81.875 → 81.88', () => {
    expect(total([part(7850, 5000), part(8525, 5000)], 2)).toBe('81.88')
  })

  it('at 60/40 is 47.10 + 34.10 = 81.20', () => {
    expect(roundToScale(weightedSum([part(7850, 6000)]), 2)).toBe('47.10')
    expect(roundToScale(weightedSum([part(8525, 4000)]), 2)).toBe('34.10')
    expect(total([part(7850, 6000), part(8525, 4000)], 2)).toBe('81.20')
  })

  it.each([
    [818_750, 2, '81.88'],
    [818_749, 2, '81.87'],
    [818_750, 0, '82'],
    [50, 2, '0.01'],
    [49, 2, '0.00'],
    [1, 4, '0.0001'],
    [0, 2, '0.00'],
  ])('%d ten-thousandths at scale %d is %s', (value, scale, text) => expect(roundToScale(value, scale)).toBe(text))

  it('is what exact fractions give', () => {
    const score = fc.integer({ min: 0, max: 999_999 })
    fc.assert(
      fc.property(score, score, fc.integer({ min: 0, max: 10_000 }), (a, b, weight) => {
        const four = (x: number, w: number) => (2n * BigInt(x) * BigInt(w) + 100n) / 200n
        const sum = four(a, weight) + four(b, 10_000 - weight)
        const hundredths = (2n * sum + 100n) / 200n
        const text = String(hundredths).padStart(3, '0')
        expect(total([part(a, weight), part(b, 10_000 - weight)], 2)).toBe(`${text.slice(0, -2)}.${text.slice(-2)}`)
      }),
    )
  })

  it('has a scale of 0 to 4', () => expect(() => roundToScale(1, 5)).toThrow(RangeError))
})

describe('rank', () => {
  it('is shared by equals and skips behind them: 1, 2, 2, 4', () => {
    const rows = [
      { id: 'd', values: [7000, 6000] },
      { id: 'b', values: [8000, 7000] },
      { id: 'a', values: [9000, 1000] },
      { id: 'c', values: [8000, 7000] },
    ]
    expect(Object.fromEntries(rankOf(rows))).toEqual({ a: 1, b: 2, c: 2, d: 4 })
  })

  it('looks at the tie-break when totals are equal', () => {
    const rows = [
      { id: 'a', values: [8000, 7000] },
      { id: 'b', values: [8000, 7100] },
    ]
    expect(Object.fromEntries(rankOf(rows))).toEqual({ b: 1, a: 2 })
  })

  it('is one more than the number of better rows', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(5), { maxLength: 30 }), values => {
        const rows = values.map((value, i) => ({ id: String(i), values: [value] }))
        const ranks = rankOf(rows)
        values.forEach((value, i) => {
          expect(ranks.get(String(i))).toBe(values.filter(other => other > value).length + 1)
        })
      }),
    )
  })
})

describe('shortlist of plan 2 at ratio 3', () => {
  const scores = [90, 88, 86, 84, 80, 72, 72, 70, 69]
  const rows = (out: number[] = []) => scores.map((score, i) => ({ id: String(i + 1), values: [score * 100], isOut: out.includes(i + 1) }))
  const states = (out: number[] = []) => [...shortlist(rows(out), 2, 3).values()]

  it('takes all who tie with the sixth', () => expect(states()).toEqual([1, 1, 1, 1, 1, 1, 1, 0, 0]))
  it('moves nobody up while six remain', () => expect(states([1])).toEqual([3, 1, 1, 1, 1, 1, 1, 0, 0]))
  it('moves the eighth up when five remain', () => expect(states([1, 2])).toEqual([3, 3, 1, 1, 1, 1, 1, 2, 0]))
  it('passes over those who are out further down', () => expect(states([1, 2, 8])).toEqual([3, 3, 1, 1, 1, 1, 1, 0, 2]))
  it('moves up all who tie for the last place', () => {
    const tied = [5, 4, 3, 3].map((value, i) => ({ id: String(i), values: [value], isOut: i === 0 }))
    expect([...shortlist(tied, 1, 2).values()]).toEqual([3, 1, 2, 2])
  })
  it('is empty without places', () => expect([...shortlist(rows(), 2, 0).values()]).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0]))
})
