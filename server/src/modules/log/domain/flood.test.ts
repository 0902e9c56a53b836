import { expect, test } from 'vitest'
import { createFloodGate, floodLimits, sumOf } from './flood.ts'

const start = Date.UTC(2026, 2, 17)

test('[T17] refusals of one address, of all addresses and of a day end at their limits; what was left out is counted', () => {
  const gate = createFloodGate()
  const admitted = (source: (i: number) => string, count: number, at = start) =>
    Array.from({ length: count }, (_, i) => gate.admits('refused', source(i), at)).filter(Boolean).length
  expect(admitted(() => 'one', 1_000)).toBe(floodLimits.refused.perSourceMinute)
  expect(admitted(i => `a${i}`, 10_000)).toBe(floodLimits.refused.perMinute - floodLimits.refused.perSourceMinute)
  // Somebody who is logged in is not silenced by the flood of others.
  expect(gate.admits('person', 'u1', start)).toBe(true)
  expect(gate.taken()).toEqual({ person: 0, open: 0, refused: 940 + 9_940, error: 0, usual: 0 })
  expect(sumOf(gate.taken())).toBe(0)
  expect(admitted(() => 'one', 1_000, start + 60_000)).toBe(floodLimits.refused.perSourceMinute)
  let day = 0
  for (let minute = 2; minute < 1_440; minute += 1) day += admitted(i => `b${i}`, 200, start + minute * 60_000)
  expect(day + floodLimits.refused.perMinute + floodLimits.refused.perSourceMinute).toBe(floodLimits.refused.perDay)
  expect(admitted(() => 'one', 10, start + 1_440 * 60_000)).toBe(10)
})
