import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { PayRow } from '../wire.ts'
import { noticesOf, type PayNotice, stagger } from './schedule.ts'

const due = (id: string, deadline: string, state = 1) =>
  ({ id, examName: '区卫健系统公开招聘', payName: '报名费', amount: 10_000, state, deadline }) as PayRow
const names = (notices: readonly PayNotice[]) => notices.map(notice => ('due' in notice ? notice.due.id : `+${notice.more}`))

describe('notices of pending payments', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  test('[S2.13] one per due that waits, the nearest deadline first', () => {
    const dues = [due('a', '2026-12-02 17:00:00'), due('paid', '2026-12-01 17:00:00', 2), due('b', '2026-12-01 17:00:00')]
    expect(names(noticesOf(dues))).toEqual(['b', 'a'])
  })

  test('at most five, then one summary of the rest', () => {
    const dues = Array.from({ length: 8 }, (_, i) => due(`d${i}`, `2026-12-0${i + 1} 17:00:00`))
    expect(names(noticesOf(dues))).toEqual(['d0', 'd1', 'd2', 'd3', 'd4', '+3'])
    expect(names(noticesOf(dues.slice(0, 5)))).toEqual(['d0', 'd1', 'd2', 'd3', 'd4'])
  })

  test('[S4.15] [S9.16] they come 300 ms apart and none goes by itself', () => {
    const shown: PayNotice[] = []
    stagger(noticesOf(Array.from({ length: 7 }, (_, i) => due(`d${i}`, `2026-12-0${i + 1} 17:00:00`))), notice => shown.push(notice))
    vi.advanceTimersByTime(0)
    expect(names(shown)).toEqual(['d0'])
    vi.advanceTimersByTime(299)
    expect(names(shown)).toEqual(['d0'])
    vi.advanceTimersByTime(1)
    expect(names(shown)).toEqual(['d0', 'd1'])
    vi.advanceTimersByTime(1_200)
    expect(names(shown)).toEqual(['d0', 'd1', 'd2', 'd3', 'd4', '+2'])
    vi.advanceTimersByTime(3_600_000)
    expect(names(shown)).toHaveLength(6)
  })

  test('leaving stops those that have not come yet', () => {
    const shown: PayNotice[] = []
    const stop = stagger(noticesOf([due('a', '2026-12-01 17:00:00'), due('b', '2026-12-02 17:00:00')]), notice => shown.push(notice))
    vi.advanceTimersByTime(100)
    stop()
    vi.advanceTimersByTime(1_000)
    expect(names(shown)).toEqual(['a'])
  })
})
