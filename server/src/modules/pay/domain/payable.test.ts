import { describe, expect, test } from 'vitest'
import { decidePayable, isReusable, mirrorOf, type PayableFacts } from './payable.ts'

const at = (text: string): Date => new Date(`${text.replace(' ', 'T')}+08:00`)
const facts: PayableFacts = {
  dueState: 'due',
  deadline: at('2026-03-22 17:00:00'),
  examState: 'released',
  payBegin: at('2026-03-16 09:00:00'),
  payWhen: 1,
  examine: 'passed',
  reductionState: 0,
}

describe('whether a due can be paid', () => {
  test('from the begin to the last millisecond before the end', () => {
    expect(decidePayable(facts, at('2026-03-16 08:59:59'))).toEqual({ ok: false, problem: 'outsideWindow' })
    expect(decidePayable(facts, at('2026-03-16 09:00:00'))).toEqual({ ok: true, until: at('2026-03-22 17:00:00') })
    expect(decidePayable(facts, new Date(at('2026-03-22 17:00:00').getTime() - 1)).ok).toBe(true)
    expect(decidePayable(facts, at('2026-03-22 17:00:00'))).toEqual({ ok: false, problem: 'outsideWindow' })
  })
  test('not before the examine passed, unless the fee is due on submit', () => {
    expect(decidePayable({ ...facts, examine: 'waiting' }, at('2026-03-17 10:00:00'))).toEqual({ ok: false, problem: 'notOwed' })
    expect(decidePayable({ ...facts, examine: 'waiting', payWhen: 2 }, at('2026-03-17 10:00:00')).ok).toBe(true)
    expect(decidePayable({ ...facts, examine: 'withdrawn', payWhen: 2 }, at('2026-03-17 10:00:00')).ok).toBe(false)
  })
  test.each([
    ['paid', {}, 'notOwed'],
    ['void', {}, 'notOwed'],
    ['overdue', {}, 'outsideWindow'],
    ['due', { reductionState: 1 }, 'notOwed'],
    ['due', { examState: 'closed' }, 'outsideWindow'],
  ] as const)('%s %o → %s', (dueState, more, problem) => {
    expect(decidePayable({ ...facts, ...more, dueState }, at('2026-03-17 10:00:00'))).toEqual({ ok: false, problem })
  })
})

test('an order is shown again with more than two minutes left, or when no other could live longer', () => {
  const now = at('2026-03-17 10:00:00')
  const end = at('2026-03-22 17:00:00')
  const later = (ms: number): Date => new Date(now.getTime() + ms)
  expect(isReusable(later(120_001), end, now)).toBe(true)
  expect(isReusable(later(120_000), end, now)).toBe(false)
  expect(isReusable(later(60_000), later(60_000), now)).toBe(true)
  expect(isReusable(now, now, now)).toBe(false)
})

test('the mirror shows what is still open first', () => {
  expect(mirrorOf(['paid', 'due'])).toBe('due')
  expect(mirrorOf(['paid', 'overdue'])).toBe('overdue')
  expect(mirrorOf(['paid', 'refunding'])).toBe('refunding')
  expect(mirrorOf(['paid', 'refunded', 'void'])).toBe('paid')
  expect(mirrorOf(['void', 'exempt'])).toBe('none')
  expect(mirrorOf([])).toBe('none')
})
