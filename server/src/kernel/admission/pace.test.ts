import { describe, expect, test } from 'vitest'
import { createPace, noPressure } from './pace.ts'

const at = (work: number) => ({ ...noPressure, work })
const tick = { active: 0, left: 0, arrived: 0, instances: 1 }

describe('how many people a second are let in', () => {
  test('fifty at once and then five a second go in without waiting; one more opens the room, and the room closes when they have stopped coming', () => {
    const pace = createPace({ most: 200, burst: 50 })
    const goIn = (count: number, nowMs: number) => Array.from({ length: count }, () => pace.takeFree(nowMs)).filter(Boolean).length
    expect([goIn(60, 1e9), goIn(10, 1e9 + 1_000), goIn(60, 1e9 + 60_000)]).toEqual([50, 5, 50])
    pace.tick({ ...tick, pressure: noPressure, arrived: 130 })
    expect([pace.wantsRoom(), pace.isCalm()]).toEqual([true, false])
    for (let second = 0; second < 10; second += 1) pace.tick({ ...tick, pressure: noPressure })
    expect([pace.wantsRoom(), pace.isCalm()]).toEqual([false, true])
  })

  test('a slow machine alone is no rush; with many people on it the room opens', () => {
    const pace = createPace({ most: 200, burst: 50 })
    for (let second = 0; second < 5; second += 1) pace.tick({ ...tick, pressure: at(5), arrived: 2 })
    expect([pace.wantsRoom(), pace.isSevere()]).toEqual([false, true])
    pace.tick({ ...tick, pressure: at(1.1), arrived: 25 })
    expect([pace.wantsRoom(), pace.isSevere()]).toEqual([true, false])
  })

  test('the pace is a number above nothing whatever happens, rises while all is well, falls under pressure, and stays below the setting', () => {
    const pace = createPace({ most: 3, burst: 50 })
    pace.tick({ ...tick, pressure: noPressure })
    expect(pace.rate()).toBeGreaterThan(0.2)
    for (let second = 0; second < 60; second += 1) pace.tick({ ...tick, pressure: at(0.2), active: 400 })
    expect(pace.rate()).toBe(3)
    for (let second = 0; second < 3; second += 1) pace.tick({ ...tick, pressure: at(4), active: 400 })
    expect(pace.rate()).toBe(0.2)
    // Those who leave are replaced once the pressure is just right.
    for (let second = 0; second < 200; second += 1) pace.tick({ ...tick, pressure: at(1), active: 100, left: 2 })
    expect(pace.rate()).toBeCloseTo(2, 1)
  })
})
