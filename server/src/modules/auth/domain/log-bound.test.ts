import { expect, test } from 'vitest'
import { createLogBound } from './log-bound.ts'

const at = (seconds: number): Date => new Date(Date.UTC(2026, 2, 17, 2, 0, seconds))

test('an address has three hundred lines a minute, as for a campus behind it, a tenant six hundred, and the next minute begins anew', () => {
  const bound = createLogBound()
  const lines = (tenantId: string, ip: string, seconds: number, tries: number): number =>
    Array.from({ length: tries }, () => bound.allows(tenantId, ip, at(seconds))).filter(Boolean).length
  expect([lines('a', '10.0.0.1', 0, 310), lines('a', '10.0.0.1', 59, 5), lines('b', '10.0.0.1', 0, 5)]).toEqual([300, 0, 5])
  const others = Array.from({ length: 30 }, (_, n) => lines('a', `10.0.1.${n}`, 1, 30)).reduce((sum, n) => sum + n, 0)
  expect(others).toBe(300)
  expect(lines('a', '10.0.0.1', 60, 310)).toBe(300)
})
